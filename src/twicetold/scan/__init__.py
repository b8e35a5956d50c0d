"""Speeches and debates: which lines are worth checking, which were checked before, and the ways to show it.

`speeches` puts a scanner together for a collection, `scanner` listens, `worth` judges lines by their form, `tracks` and `report` show
what was heard.
"""
