"""Rankings in a notebook: short on one line, as an HTML table, as a data frame. Nothing here decides or orders."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from twicetold.errors import TwicetoldError

if TYPE_CHECKING:
    from twicetold.types import Match, Ranking

_CLIP = 60


def short_match(match: Match) -> str:
    """Return a match on one line."""
    told = [match.doc.id, repr(clip(claim_of(match))), f"score={match.score:.3g}"]
    told += [getattr(match.doc, "rating", "")] if getattr(match.doc, "rating", "") else []
    told += [match.relation.value] if match.relation else []
    return f"<Match {', '.join(told)}>"


def short_ranking(ranking: Ranking) -> str:
    """Return a ranking on one line."""
    lane = f"{ranking.decision.lane.value} {ranking.decision.probability:.2f}" if ranking.decision else "not decided"
    return f"<Ranking {clip(ranking.query.text)!r}: {lane}, {len(ranking.matches)} matches>"


def table_of(ranking: Ranking) -> str:
    """Return a ranking as an HTML table, everything escaped."""
    head = "".join(f"<th>{name}</th>" for name in ("", "rating", "checked claim", "publisher", "published"))
    body = "".join(_row(rank, match) for rank, match in enumerate(ranking.matches, start=1))
    lane = ranking.decision.lane.value if ranking.decision else "not decided"
    return f"<p><b>{escape(ranking.query.text)}</b>: {lane}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(rank: int, match: Match) -> str:
    doc, url = match.doc, getattr(match.doc, "url", "")
    claim = escape(claim_of(match))
    linked = f'<a href="{escape(url)}">{claim}</a>' if url.startswith(("https://", "http://")) else claim
    cells = (
        str(rank),
        escape(getattr(doc, "rating", "")),
        linked,
        escape(getattr(doc, "publisher", "")),
        escape(getattr(doc, "published", "")),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def frame_of(rankings: Sequence[Ranking]) -> Any:
    """Return a pandas data frame: a row for each match, or one for a claim without matches. Raises TwicetoldError without pandas."""
    try:
        import pandas as pd  # type: ignore[import-untyped]
    except ImportError:
        raise TwicetoldError("a data frame needs pandas, which is not installed; type: pip install pandas") from None
    return pd.DataFrame([row for ranking in rankings for row in _records(ranking)])


def _records(ranking: Ranking) -> list[dict[str, Any]]:
    decision = ranking.decision
    about = {
        "claim_id": ranking.query.id,
        "claim": ranking.query.text,
        "lane": decision.lane.value if decision else None,
        "probability": decision.probability if decision else None,
    }
    found = [
        about
        | {"rank": rank, "check_id": match.doc.id, "checked_claim": claim_of(match), "score": match.score, "answers": match.answers}
        | {name: getattr(match.doc, name, "") for name in ("rating", "verdict", "publisher", "published", "lang", "url")}
        | {"relation": match.relation.value if match.relation else None}
        for rank, match in enumerate(ranking.matches, start=1)
    ]
    return found or [about]


def claim_of(match: Match) -> str:
    """Return what was checked, or what a post says."""
    return getattr(match.doc, "claim", "") or getattr(match.doc, "title", "") or getattr(match.doc, "text", "")


def clip(text: str) -> str:
    """Return a text on one line, cut where it gets long."""
    text = " ".join(text.split())
    return text if len(text) <= _CLIP else text[: _CLIP - 1] + "…"
