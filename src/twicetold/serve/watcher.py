"""Looks the watch list up again whenever the collection has changed, and calls webhooks, trying again until they answer.

One process of a server does this, whichever gets the lock. A webhook call is a POST of JSON, signed: `X-Twicetold-Signature` is
`sha256=` and the HMAC of the body under the secret that was shown when the claim was saved.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import http.client
import json
import logging
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from twicetold.answer import BEST, Answerer, Asking
from twicetold.collection import Collection
from twicetold.errors import TwicetoldError
from twicetold.serve.fetch import Rule, connect
from twicetold.serve.reading import Readers
from twicetold.serve.watches import Sighting, Watch, Watches
from twicetold.types import Ranking, to_json

LOCK = "watching.lock"
_EVERY = 1.0
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

    def changed(self) -> None:
        """Say that there may be something new to find."""
        self._changed.set()

    def _run(self) -> None:
        with open(self._folder / LOCK, "a") as lock:
            while not self._stopping.is_set():
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError:
                    self._stopping.wait(_EVERY)
            while not self._stopping.wait(_EVERY):
                try:
                    self._once()
                except (TwicetoldError, OSError):
                    _LOG.exception("the watch list could not be looked up; trying again")

    def _once(self) -> None:
        if self._changed.is_set():
            self._changed.clear()
            self.look()
        for sighting in self._watches.due(time.time()):
            if self._stopping.is_set():
                return
            self.deliver(sighting)

    def look(self) -> None:
        """Look every saved claim up and note what is new."""
        assert self._readers is not None
        for watch in self._watches.every():
            with self._readers.lend() as collection:
                ranking = looked_up(collection, watch)
            self._watches.note(watch, ranking, is_news=True)

    def deliver(self, sighting: Sighting) -> None:
        """Call the webhook of one sighting and note how it went."""
        watch = next((one for one in self._watches.every() if one.id == sighting.watch), None)
        if watch is None:
            return
        try:
            self._call(watch, sighting)
        except (TwicetoldError, OSError, http.client.HTTPException) as error:
            self._watches.refused(sighting, str(error) or type(error).__name__, time.time())
        else:
            self._watches.delivered(sighting)

    def _call(self, watch: Watch, sighting: Sighting) -> None:
        body = json.dumps(told(watch, sighting), ensure_ascii=False).encode("utf-8", "replace")
        signature = hmac.new(self._watches.secret(watch.id).encode(), body, hashlib.sha256).hexdigest()
        headers = {
            "Content-Type": "application/json", "User-Agent": "twicetold", "X-Twicetold-Delivery": sighting.id,
            "X-Twicetold-Signature": f"sha256={signature}", "Host": urlsplit(watch.webhook).netloc,
        }  # fmt: skip
        parts = urlsplit(watch.webhook)
        connection = connect(watch.webhook, may_reach=self._may_reach)
        try:
            connection.request("POST", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), body, headers)
            status = connection.getresponse().status
        finally:
            connection.close()
        if not 200 <= status < 300:
            raise http.client.HTTPException(f"the webhook answered {status}")


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
