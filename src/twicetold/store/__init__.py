"""The truth that every index is derived from: fact-checks (`checks`), and what they share with posts (`records`)."""

from twicetold.store.checks import Found, Judgement, Store, salvaged
from twicetold.store.records import FORMAT, Records, Written

__all__ = ["FORMAT", "Found", "Judgement", "Records", "Store", "Written", "salvaged"]
