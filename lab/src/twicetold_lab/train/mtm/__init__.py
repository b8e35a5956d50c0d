"""Teach MTM (Sheng et al. 2021): `task` gathers claims, articles and candidates; `rot` teaches the first layer to see quotes;
`patterns` fills and updates the memory; `arp` teaches the remaining layers; `run` does all of it and writes the model folder.

Where the published code departs from the paper, the paper is followed; docs/mtm.md lists the differences.
"""
