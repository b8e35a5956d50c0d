"""The experiments of Shaar et al. 2022, "The Role of Context": the rows of their Tables 3 and 4 on our parts.

`corpus` measures a line against the whole database, `gathering` keeps what a claim's candidates and neighbours need, `rows` names the
rows and learns them, `measuring` scores them on the four splits.
"""
