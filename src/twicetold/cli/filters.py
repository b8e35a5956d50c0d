"""The options that say which fact-checks may answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from twicetold.errors import BadInput
from twicetold.filters import Filters, is_date
from twicetold.types import Verdict


def filter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the filter options to a verb, which gets them as one argument, `filters`."""

    @click.option("--lang", multiple=True, help="Only fact-checks in this language (en, es, zh …); may be repeated.")
    @click.option("--publisher", multiple=True, help="Only this publisher; may be repeated.")
    @click.option("--publishers", type=click.Path(), help="Only publishers on this list of your own: a file, one name a line.")
    @click.option("--verdict", multiple=True, type=click.Choice([v.value for v in Verdict]), help="Only this verdict; may be repeated.")
    @click.option("--claimant", multiple=True, help="Only claims of this person; may be repeated.")
    @click.option("--after", default="", help="Only published on or after this date (2020, 2020-05 or 2020-05-17).")
    @click.option("--before", default="", help="Only published on or before this date.")
    @wraps(command)
    def run(*args: Any, **options: Any) -> Any:
        names = [*options.pop("publisher"), *_listed(options.pop("publishers"))]
        filters = Filters(
            langs=options.pop("lang"),
            publishers=tuple(names),
            verdicts=tuple(Verdict(name) for name in options.pop("verdict")),
            claimants=options.pop("claimant"),
            after=_date("--after", options.pop("after")),
            before=_date("--before", options.pop("before")),
        )
        return command(*args, filters=filters, **options)

    return run


def _listed(path: str | None) -> list[str]:
    if path is None:
        return []
    try:
        names = [line.strip() for line in Path(path).read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read the list of publishers {path}: {error}") from None
    names = [name for name in names if name and not name.startswith("#")]
    if not names:
        raise BadInput(f"the list of publishers {path} is empty; write one name a line")
    return names


def _date(option: str, text: str) -> str:
    if text and not is_date(text):
        raise BadInput(f"{option} wants a date such as 2020-05-17, 2020-05 or 2020, not {text!r}")
    return text
