"""The experiments of Shaar et al. 2020, "That is a Known Lie": every row of their Tables 5 and 6 that can be run, on our parts.

`scores` makes the measures of input × fact-check over a whole database; `rows` ranks and reranks by them and returns table rows.
"""
