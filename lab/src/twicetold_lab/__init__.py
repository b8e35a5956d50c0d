"""The laboratory: public data sets, measures, runs, comparisons, published figures beside ours, results that can be run again.

It measures what the rest of the package does and adds nothing to it. `docs/lab.md` shows how it is used.
"""
