"""Looks the watch list up again whenever the collection has changed, and calls webhooks, trying again until they answer.

One process of a server does this, whichever gets the lock. A webhook call is a POST of JSON, signed: `X-Twicetold-Signature` is
`sha256=` and the HMAC of the body under the secret that was shown when the claim was saved. Nothing that is saved, and no failing disk,
ends the thread: what cannot be looked up or called is marked as broken and tried again later, everything else goes on.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import logging
import threading
import time
from pathlib import Path
from typing import Any

from twicetold.answer import BEST, Answerer, Asking
from twicetold.collection import Collection
from twicetold.errors import BadInput, TwicetoldError
from twicetold.serve.fetch import Rule, post
from twicetold.serve.reading import Readers
from twicetold.serve.watches import Sighting, Watch, Watches
from twicetold.types import Ranking, to_json

LOCK = "watching.lock"
_EVERY = 1.0
_AFTER_FAILURE = 10.0
_LOG = logging.getLogger(__name__)


class Watcher:
    """A thread that keeps the watch list up to date."""

    def __init__(self, folder: Path, watches: Watches, *, may_reach: Rule) -> None:
        self._folder = folder
        self._watches = watches
        self._may_reach = may_reach
        self._changed = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._readers: Readers | None = None

    def start(self, readers: Readers) -> None:
        """Begin; the whole list is looked up once, for what changed while no one was looking."""
        self._readers = readers
        self._changed.set()
        self._thread.start()

    def stop(self) -> None:
        """Stop after the claim or the call at hand."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=30)

    @property
    def is_alive(self) -> bool:
        """True while it watches."""
        return self._thread.is_alive()

    def changed(self) -> None:
        """Say that there may be something new to find."""
        self._changed.set()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._hold_lock_and_watch()
            except Exception:
                _LOG.exception("watching failed; beginning again")
                self._changed.set()
                self._stopping.wait(_AFTER_FAILURE)

    def _hold_lock_and_watch(self) -> None:
        with open(self._folder / LOCK, "a") as lock:
            while not self._stopping.is_set():
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError:
                    self._stopping.wait(_EVERY)
            while not self._stopping.wait(_EVERY):
                self._once()

    def _once(self) -> None:
        if self._changed.is_set():
            self._changed.clear()
            self.look()
        for sighting in self._watches.due(time.time()):
            if self._stopping.is_set():
                return
            self.deliver(sighting)

    def look(self) -> None:
        """Look every saved claim up and note what is new; one that cannot be looked up is marked, and the next one's turn comes."""
        assert self._readers is not None
        for watch in self._watches.every():
            if self._stopping.is_set():
                return
            try:
                with self._readers.lane() as collection:
                    ranking = looked_up(collection, watch)
                self._watches.note(watch, ranking, is_news=True)
            except Exception as error:
                _LOG.exception("the watched claim %s could not be looked up", watch.id)
                self._watches.mark(watch, f"could not be looked up: {_reason(error)}")
            else:
                if watch.broken.startswith("could not be looked up"):
                    self._watches.mark(watch, "")

    def deliver(self, sighting: Sighting) -> None:
        """Call the webhook of one sighting and note how it went."""
        watch = next((one for one in self._watches.every() if one.id == sighting.watch), None)
        if watch is None:
            return
        try:
            call(watch.webhook, self._watches.secret(watch.id), told(watch, sighting), sighting.id, may_reach=self._may_reach)
        except Exception as error:
            if not isinstance(error, TwicetoldError | OSError):
                _LOG.exception("the webhook of %s could not be called", watch.id)
            self._watches.mark(watch, f"its webhook could not be called: {_reason(error)}")
            self._watches.refused(sighting, _reason(error), time.time())
        else:
            self._watches.mark(watch, "")
            self._watches.delivered(sighting)


def call(webhook: str, secret: str, record: dict[str, Any], delivery: str, *, may_reach: Rule) -> None:
    """Send a record to a webhook, signed. Raises BadInput unless it is taken."""
    body = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    headers = {"Content-Type": "application/json", "X-Twicetold-Delivery": delivery, "X-Twicetold-Signature": f"sha256={signature}"}
    status = post(webhook, body, headers, may_reach=may_reach)
    if not 200 <= status < 300:
        raise BadInput(f"the webhook answered {status}")


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def looked_up(collection: Collection, watch: Watch) -> Ranking:
    """Return what the collection has for a saved claim."""
    [ranking] = Answerer(collection, BEST, Asking(top=10))([watch.claim()])
    return ranking


def told(watch: Watch, sighting: Sighting) -> dict[str, Any]:
    """Return what feeds and webhooks say of a sighting."""
    return {
        "id": sighting.id,
        "watch": watch.id,
        "claim": watch.text,
        "seen_at": sighting.seen_at,
        "lane": sighting.lane,
        "match": to_json(sighting.match),
    }
