"""The laboratory's verbs. They join the command `twicetold` by the entry points in lab/pyproject.toml."""
