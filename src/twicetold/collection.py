"""A folder of fact-checks, opened: the store, the two indexes derived from it, and the encoder they use.

    folder/store.db        the truth (SQLite)
    folder/settings.json   which encoder and analysis the indexes were made with
    folder/text/           full text (tantivy), derived
    folder/vectors/        claim and title vectors, derived
    folder/cases/          which fact-checks are near-duplicates, derived
    folder/milvus/         word counts of an index on a Milvus server, derived
    folder/lock            held by the one process that writes

The two indexes are in the folder, or on a Milvus server if the settings, or TWICETOLD_INDEX, name one; each index keeps its own
counter, so both places may follow the same store.

The store commits first. Each index follows the store's change counter and catches up when opened for writing, so after a crash nothing
needs repair. Readers take no lock.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from twicetold.errors import BadData, NewerFormat, NoCollection
from twicetold.index.cases import CaseIndex
from twicetold.index.contract import Meanings, Words
from twicetold.index.encoder import SHIPPED, Encoder, EncoderChoice, StaticEncoder
from twicetold.index.folder import Follower, IndexedFolder
from twicetold.index.milvus.meanings import MilvusMeanings
from twicetold.index.milvus.server import Server
from twicetold.index.milvus.words import MilvusWords
from twicetold.index.query_vectors import QueryVectors
from twicetold.index.rows import batches
from twicetold.index.text import TextIndex
from twicetold.index.vectors import VectorIndex
from twicetold.progress import Progress, silent
from twicetold.store import FORMAT, Store, Written
from twicetold.text import Analysis
from twicetold.types import FactCheck

INDEX = "TWICETOLD_INDEX"
"""The environment variable that says where the indexes are: "folder", or the address of a Milvus server."""

_VECTOR_BATCH = 2_048
_QUIET_CATCH_UP = 200
"""A reader indexes up to this many new records itself when it may; more wait for `index`."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the indexes of a collection are made. `index` is "" for the collection's folder, or milvus://HOST:PORT/NAME."""

    encoder: EncoderChoice = SHIPPED
    analysis: Analysis = "standard"
    index: str = ""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a collection is: its folder, and where its indexes are if that is not where its settings, or TWICETOLD_INDEX, say."""

    folder: Path
    index: str = ""


Where = str | Path | Location


@dataclass(frozen=True, slots=True)
class Parts:
    """What a collection is opened with instead of opening its own: models and vectors that others on the same folder hold already.

    `threads` is how many the encoder may use, 0 for all. Up to `kept_checks` fact-checks that were read stay in memory.
    """

    encoder: Encoder | None = None
    static: StaticEncoder | None = None
    vectors: Meanings | None = None
    threads: int = 0
    kept_checks: int = 0


_OWN = Parts()


class Collection(IndexedFolder[FactCheck]):
    """Fact-checks that can be searched. Open one with `open`, or make one with `create`."""

    lock, what = "lock", "fact-checks"

    def __init__(self, location: Location, store: Store, settings: Settings, parts: Parts = _OWN) -> None:
        super().__init__(location.folder, store)
        self.location = location
        self.store = store
        self.settings = placed(settings, location.index)
        self.remembered = settings
        """The settings of the folder, wherever the indexes are wanted."""
        self._parts = parts

    @classmethod
    def create(cls, folder: Where, settings: Settings | None = None, *, parts: Parts = _OWN) -> Collection:
        """Open the collection in this folder for writing, making it if it is not there. `settings` apply to a new one only.

        An index on a server that they name must answer: nothing is made with an address that may be wrong.
        """
        location = located(folder)
        place = location.folder
        if place.is_file():
            raise BadData(f"{place} is a file; --data wants a folder")
        try:
            kept = read_settings(place)
            if kept is None and settings is not None and settings.index:
                Server.require(settings.index, place)
            place.mkdir(parents=True, exist_ok=True)
            if kept is None:
                kept = settings or Settings()
                write_settings(place, kept)
        except OSError as error:
            raise BadData(f"cannot write to {place}: {error.strerror}; choose another folder with --data") from None
        return cls(location, Store(place / "store.db"), kept, parts)

    @classmethod
    def open(cls, folder: Where, *, parts: Parts = _OWN) -> Collection:
        """Open an existing collection for reading."""
        location = located(folder)
        place = location.folder
        if not (place / "store.db").is_file():
            raise NoCollection(f"there is no collection in {place} yet; make one with: twicetold --data {place} ingest SOURCE")
        store = Store(place / "store.db", read_only=True, keep=parts.kept_checks)
        return cls(location, store, read_settings(place) or Settings(), parts)

    def close(self) -> None:
        """Close the store, and the connection to a server if there is one."""
        super().close()
        if "cases" in self.__dict__:
            self.cases.close()
        if isinstance(self.__dict__.get("text"), MilvusWords):
            self.__dict__["text"].close()
        if "_server" in self.__dict__:
            self._server.close()

    @property
    def threads(self) -> int:
        """How many threads a model may use that is opened for this collection; 0 for all."""
        return self._parts.threads

    # --- parts, opened when first used

    @cached_property
    def text(self) -> Words:
        """The full-text index."""
        if self.settings.index:
            return MilvusWords(self._server, self.folder / "milvus", analysis=self.settings.analysis)
        return TextIndex(self.folder / "text", analysis=self.settings.analysis)

    @cached_property
    def encoder(self) -> Encoder | None:
        """The encoder, or None when the collection is text only."""
        if self._parts.encoder is not None:
            return self._parts.encoder
        return self.settings.encoder.load(threads=self._parts.threads)

    @cached_property
    def static(self) -> StaticEncoder:
        """The cheap encoder for body sentences."""
        return self._parts.static or StaticEncoder.load()

    @cached_property
    def vectors(self) -> Meanings | None:
        """The vector index, or None when the collection is text only."""
        if self._parts.vectors is not None:
            return self._parts.vectors
        if self.encoder is None:
            return None
        if self.settings.index:
            return MilvusMeanings(self._server, dim=self.encoder.dim, encoder=self.encoder.version)
        return VectorIndex(self.folder / "vectors", dim=self.encoder.dim, encoder=self.encoder.version)

    @cached_property
    def query_vectors(self) -> QueryVectors:
        """The vectors of what is asked, kept for all that look at it. Only where there is an encoder."""
        assert self.encoder is not None, "a collection without an encoder has no meanings to compare"
        return QueryVectors(self.encoder.encode)

    @cached_property
    def cases(self) -> CaseIndex:
        """Which fact-checks are near-duplicates of each other."""
        return CaseIndex(self.folder / "cases" / "cases.db")

    @cached_property
    def _server(self) -> Server:
        return Server(self.settings.index, self.store.identity, self.folder)

    # --- writing

    def add(self, records: Iterable[FactCheck], *, batch: int = 2_000) -> Iterator[Written]:
        """Put fact-checks into the store in batches, yielding after each what it did: by then it is on disk.

        If their source raises, the fact-checks it gave before are stored first.
        """
        with self.writing():
            self._refuse_if_ahead(*self._at_hand)
            yield from super().add(records, batch=batch)

    def remove(self, ids: Iterable[str]) -> int:
        """Delete fact-checks by id from the store; the indexes follow."""
        with self.writing():
            self._refuse_if_ahead(*self._at_hand)
            return self.store.remove(ids)

    def index(self, progress: Progress = silent) -> None:
        """Bring the indexes up to the store. One in the folder that is damaged or of another version is made anew: it is derived."""
        with self.writing():
            for name in ("cases",) if self.settings.index else ("cases", "text", "vectors"):
                try:
                    getattr(self, name)
                except BadData:
                    shutil.rmtree(self.folder / name, ignore_errors=True)
            self._refuse_if_ahead("text", "cases", "vectors")
            self._follow_cases(progress)
            self.follow_words(self.text, progress)
            self._follow_vectors(progress)

    def rebuild(self, progress: Progress = silent, settings: Settings | None = None) -> None:
        """Throw the indexes away and make them anew, with other settings if given."""
        with self.writing():
            self.forget()
            if settings is not None:
                write_settings(self.folder, settings)
                self.settings = self.remembered = settings
                for name in ("encoder", "query_vectors", "_server"):
                    self.__dict__.pop(name, None)
            self.index(progress)

    def forget(self) -> None:
        """Throw the indexes away, those of the place the settings name; the store is left."""
        with self.writing():
            if self.settings.index:
                for part in ("words", "meanings"):
                    self._server.drop(part)
                shutil.rmtree(self.folder / "milvus", ignore_errors=True)
            else:
                for name in ("text", "vectors"):
                    shutil.rmtree(self.folder / name, ignore_errors=True)
            if "cases" in self.__dict__:
                self.cases.close()
            shutil.rmtree(self.folder / "cases", ignore_errors=True)
            for name in ("text", "vectors", "cases"):
                self.__dict__.pop(name, None)

    def followers(self) -> list[Follower]:
        """Return the indexes of words and of meanings."""
        return [self.text] if self.vectors is None else [self.text, self.vectors]

    def refresh(self) -> int:
        """See what others have written; index a few new records if no one else is writing. Return how many still wait."""
        self.text.reload()
        self.cases.refresh()
        if self.vectors is not None:
            self.vectors.refresh()
        self._refuse_if_ahead("text", "cases", "vectors")
        pending = self.pending
        if 0 < pending <= _QUIET_CATCH_UP:
            try:
                self.index()
            except BadData:  # someone else is writing, or the folder is read-only: what is there answers
                return pending
            return self.pending
        return pending

    @property
    def _at_hand(self) -> tuple[str, ...]:
        """The indexes that can be looked at without asking a server: records are stored whether it answers or not."""
        return ("cases",) if self.settings.index else ("text", "cases")

    def _refuse_if_ahead(self, *names: str) -> None:
        """Raise if an index knows changes that the store does not: it was put back to an earlier state, or its disk lost some."""
        change = self.store.change
        for name in names:
            index = getattr(self, name)
            if index is not None and index.reached > change:
                raise BadData(
                    f"the store in {self.folder} stands at change {change}, its {name} index at {index.reached}: the store was put back, "
                    f"or has lost its last records. Run: twicetold --data {self.folder} doctor --repair, then ingest again what came last"
                )

    def _follow_cases(self, progress: Progress) -> None:
        self.cases.refresh()
        total = self.store.pending(self.cases.reached)
        for done in self.cases.follow(self.store.since(self.cases.reached)):
            progress("finding near-duplicates", done, total)

    def _follow_vectors(self, progress: Progress) -> None:
        vectors, encoder = self.vectors, self.encoder
        if vectors is None or encoder is None:
            return
        vectors.refresh()
        total, done = self.store.pending(vectors.reached), 0
        changes = self.store.since(vectors.reached)
        for batch in batches(changes, _VECTOR_BATCH):
            vectors.take(batch, encoder.encode)
            done += len(batch)
            progress("indexing meanings", done, total)


def located(folder: Where) -> Location:
    """Return where a collection is; the folder alone if no more is said."""
    return folder if isinstance(folder, Location) else Location(Path(folder))


def placed(settings: Settings, index: str = "") -> Settings:
    """Return the settings with the indexes where they are wanted: at `index`, or else where the user's environment says."""
    wanted = index or os.environ.get(INDEX, "")
    return replace(settings, index="" if wanted == "folder" else wanted) if wanted else settings


def read_settings(folder: Path) -> Settings | None:
    """Return the settings that a folder remembers, wherever the environment wants the indexes; None if it has none."""
    path = folder / "settings.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["format"] > FORMAT:
            raise NewerFormat(f"{folder} was written by a later version (format {found['format']}); upgrade twicetold")
        return Settings(EncoderChoice.parse(found["encoder"]), found["analysis"], found.get("index", ""))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise BadData(f"{path} cannot be read ({error}); restore it, or delete it to use the defaults") from None


def write_settings(folder: Path, settings: Settings) -> None:
    """Have a folder remember these settings."""
    fresh = folder / "settings.json.new"
    said = {"format": FORMAT, "encoder": str(settings.encoder), "analysis": settings.analysis, "index": settings.index}
    fresh.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    fresh.replace(folder / "settings.json")
