"""Screening: every post of many files looked up against one collection, on one machine or on a Ray cluster.

The work is cut into partitions, runs of rows of one file. Each is screened by one worker and committed by one manifest, so that a run
may be killed at any moment and started again: what has a manifest is not done twice, what has none is done anew. Workers share nothing but
the files. `docs/screen.md` says what is written where.
"""
