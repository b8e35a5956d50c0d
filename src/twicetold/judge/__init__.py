"""Judging pairs: how what a fact-check checked stands to what a claim says, what differs, and whether it answers."""
