"""The watch list: saved claims, and each fact-check that came to answer one, noted once.

A sighting is on disk before anyone is told of it and marked after; so a webhook is called at least once for each, and its `id` lets the
receiver drop a repetition. What was found when a claim was saved is no news. Whether a fact-check answers is decided by `twicetold.answer`
alone: news are the matches that answer a matched claim, and the first match of one that is worth a look.
"""

from __future__ import annotations

import datetime
import json
import math
import secrets
import sqlite3
from dataclasses import dataclass
from typing import Any

from twicetold.answer.group import answering
from twicetold.serve.fetch import shown
from twicetold.serve.ledger import Ledger
from twicetold.text import whole_letters
from twicetold.types import Claim, FactCheck, Lane, Match, Ranking, from_json, to_json

_MOST_TRIES = 12
_FIRST_PAUSE = 5.0
_LONGEST_PAUSE = 3600.0
_SIGHTING = "num, watch, check_id, seen_at, ranking, lane, tries, delivered_at, message"


@dataclass(frozen=True, slots=True)
class Watch:
    """A saved claim; new matches are sent to `webhook` if there is one. `broken` says why it could not be looked up, if it could not."""

    id: str
    text: str
    lang: str
    webhook: str
    made_at: str
    broken: str = ""

    @property
    def webhook_shown(self) -> str:
        """The webhook's address without what may be secret in it."""
        return shown(self.webhook)

    def claim(self) -> Claim:
        """Return the claim to look up."""
        return Claim(self.id, self.text, lang=self.lang)


@dataclass(frozen=True, slots=True)
class Sighting:
    """A fact-check that came up for a saved claim, and the lane the claim was in: it answers a matched one.

    `delivered_at` is empty until the webhook has taken it, if there is one.
    """

    num: int
    watch: str
    check_id: str
    seen_at: str
    match: Match
    lane: str
    tries: int
    delivered_at: str
    message: str

    @property
    def id(self) -> str:
        """The same in feeds and webhooks, and at every repetition."""
        return f"{self.watch}/{self.num}"

    @property
    def check(self) -> FactCheck:
        """The fact-check as it was when it was seen."""
        assert isinstance(self.match.doc, FactCheck)
        return self.match.doc


class Watches:
    """The watch list of one collection."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def add(self, text: str, *, lang: str = "", webhook: str = "", secret: str = "") -> Watch:
        """Save a claim, and the secret that its webhook calls are signed with."""
        watch = Watch(f"watch-{secrets.token_hex(6)}", text, lang, webhook, _now())
        self._ledger.run(
            "INSERT INTO watches (id, text, lang, webhook, secret, made_at) VALUES (?, ?, ?, ?, ?, ?)",
            watch.id, text, lang, webhook, secret, watch.made_at,
        )  # fmt: skip
        return watch

    def remove(self, id: str) -> bool:
        """Forget a saved claim and what was seen of it; False if there is none."""
        with self._ledger.together() as db:
            db.execute("DELETE FROM sightings WHERE watch = ?", (id,))
            return db.execute("DELETE FROM watches WHERE id = ?", (id,)).rowcount > 0

    def every(self) -> list[Watch]:
        """Return all saved claims, oldest first."""
        return [Watch(*row) for row in self._ledger.rows("SELECT id, text, lang, webhook, made_at, broken FROM watches ORDER BY num")]

    def mark(self, watch: Watch, broken: str) -> None:
        """Note why a saved claim cannot be looked up or its webhook not called; an empty reason that it can again."""
        if watch.broken != broken[:500]:
            self._ledger.run("UPDATE watches SET broken = ? WHERE id = ?", whole_letters(broken)[:500], watch.id)

    def secret(self, id: str) -> str:
        """Return what a watch's webhook calls are signed with."""
        row = self._ledger.row("SELECT secret FROM watches WHERE id = ?", id)
        return "" if row is None else str(row[0])

    def note(self, watch: Watch, ranking: Ranking, *, is_news: bool) -> int:
        """Note the fact-checks that came up and were not noted before for this claim, and return how many these were.

        If they are no news, all that was found is noted, so that what stands lower today is no news when it stands higher tomorrow.
        """
        up = came_up(ranking)
        lanes = {match.doc.id: lane_of(ranking) for match in up}
        fresh = 0
        with self._ledger.together() as db:
            for match in up if is_news else ranking.matches:
                row = (watch.id, match.doc.id, _now(), int(is_news), json.dumps(to_json(match), ensure_ascii=False))
                fresh += db.execute(
                    "INSERT OR IGNORE INTO sightings (watch, check_id, seen_at, is_news, ranking, lane) VALUES (?, ?, ?, ?, ?, ?)",
                    (*row, lanes.get(match.doc.id, _ONLY_NEAR)),
                ).rowcount
        return fresh

    def news(self, limit: int, *, watch: str = "") -> list[Sighting]:
        """Return what came up, newest first; of one watch if named."""
        rows = self._ledger.rows(
            f"SELECT {_SIGHTING} FROM sightings WHERE is_news AND (? = '' OR watch = ?) ORDER BY num DESC LIMIT ?", watch, watch, limit
        )
        return [_sighting(row) for row in rows]

    def answered_by(self, check_id: str) -> list[str]:
        """Return the saved claims for which a fact-check came up, oldest first."""
        rows = self._ledger.rows(
            "SELECT text FROM watches JOIN sightings ON watch = watches.id WHERE check_id = ? AND lane != ? ORDER BY watches.num",
            check_id, _ONLY_NEAR,
        )  # fmt: skip
        return [str(row["text"]) for row in rows]

    def due(self, now: float) -> list[Sighting]:
        """Return the sightings whose webhook is to be called by now, oldest first.

        One put off for longer than any pause was put off by a clock that has gone back since, and is due.
        """
        rows = self._ledger.rows(
            f"SELECT {', '.join('sightings.' + name for name in _SIGHTING.split(', '))} FROM sightings JOIN watches ON watches.id = watch "
            "WHERE is_news AND webhook != '' AND delivered_at = '' AND tries < ? AND next_try NOT BETWEEN ? AND ? "
            "ORDER BY sightings.num LIMIT 100",
            _MOST_TRIES, math.nextafter(now, math.inf), now + _LONGEST_PAUSE,
        )  # fmt: skip
        return [_sighting(row) for row in rows]

    def delivered(self, sighting: Sighting) -> None:
        """Note that the webhook has taken it."""
        self._ledger.run("UPDATE sightings SET delivered_at = ?, tries = tries + 1, message = '' WHERE num = ?", _now(), sighting.num)

    def refused(self, sighting: Sighting, message: str, now: float) -> None:
        """Note that the webhook has not taken it; each time the pause before the next try doubles."""
        pause = min(_FIRST_PAUSE * 2**sighting.tries, _LONGEST_PAUSE)
        self._ledger.run(
            "UPDATE sightings SET tries = tries + 1, next_try = ?, message = ? WHERE num = ?", now + pause, message[:500], sighting.num
        )


_ONLY_NEAR = ""
"""The lane of what was found when a claim was saved, and did not come up for it."""


def came_up(ranking: Ranking) -> tuple[Match, ...]:
    """Return the matches worth telling someone about: those that answer, or the first one if a person should look at it."""
    return answering(ranking) or (ranking.matches[:1] if lane_of(ranking) in (Lane.REVIEW, Lane.DIFFERS) else ())


def lane_of(ranking: Ranking) -> str:
    """Return the lane of a ranking; what was not decided has none."""
    return _ONLY_NEAR if ranking.decision is None else ranking.decision.lane.value


def _sighting(row: sqlite3.Row) -> Sighting:
    fields: dict[str, Any] = dict(zip(_SIGHTING.split(", "), row, strict=True))
    record = json.loads(fields.pop("ranking"))
    record["reasons"] = [reason for reason in record.get("reasons", ()) if isinstance(reason, dict)]  # version 0.1 wrote plain texts
    return Sighting(match=from_json(Match, record), **fields)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
