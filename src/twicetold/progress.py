"""How far something long is: what is called while it goes on, and what reports nothing."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called as (what, done, of how many) while something long goes on."""


def silent(*_: object) -> None:
    """Report nothing, whatever there is to report."""
