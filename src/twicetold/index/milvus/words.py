"""Full-text search on a Milvus server: a BM25 function over the terms of claim, title and body each.

Texts are analysed here, by `twicetold.text.words`, and sent as terms that any tokenizer leaves whole, so a word is the same word as in
the index in the folder. Scores are the server's: it counts a word's frequency within a shard (Milvus Lite: within a segment), so a
score may differ a little from one machine's. It does not store texts: the store does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from twicetold.errors import BadData
from twicetold.index.milvus.counts import Counts
from twicetold.index.milvus.facets import add_facets, expression, facets_of
from twicetold.index.milvus.server import MOST_HITS, SECONDS, Server
from twicetold.index.rows import Change, batches
from twicetold.index.text import FIELDS, K1, B, Field
from twicetold.text import Analysis, words
from twicetold.types import FactCheck

_BATCH = 2_000  # fact-checks between two moves of the counter
_MOST_BYTES = 65_535  # of a text field on the server; what a longer body says further down is not found by its words
_MOST_SENT = 8_000_000  # bytes in one request; a server takes 64 MB
_MOST_TERMS = 300  # of a claim
_FLUSH_FROM = 1_000  # rows after which the server is asked to write its segment out


class MilvusWords:
    """BM25 on a server. The object may be used by several threads to read; one writer at a time, as the collection's lock sees to."""

    def __init__(self, server: Server, folder: Path, *, analysis: Analysis = "standard") -> None:
        self.analysis: Analysis = analysis
        self._server = server
        self._counts = Counts(folder / f"{server.address.name}-{server.address.digest}.db", rebuild=server.rebuild)
        self._made: dict[str, Any] = {"analysis": analysis}
        self._is_there = False
        self._check()

    @property
    def reached(self) -> int:
        """The store's change counter this index has followed up to."""
        return self._server.reached("words") if self._check() else 0

    def __len__(self) -> int:
        return self._server.count("words") if self._check() else 0

    def reload(self) -> None:
        """See what has been written since: a server always does."""

    def close(self) -> None:
        """Close the word counts."""
        self._counts.close()

    # --- writing

    def follow(self, changes: Iterable[Change], /) -> Iterator[int]:
        """Write the store's changes, oldest first, and yield how many the server has after each batch."""
        done = 0
        was_empty = not self._check()
        for batch in batches(iter(changes), _BATCH):
            if not self._is_there:
                self._make()
            self._take(batch, was_empty=was_empty)
            self._server.remember("words", self._made, batch[-1][1])
            done += len(batch)
            yield done
        if done >= _FLUSH_FROM:
            self._server.flush("words")

    def _take(self, batch: Sequence[Change], *, was_empty: bool) -> None:
        terms = {num: self._terms(check) for num, _, check in batch if check is not None}
        reached = batch[-1][1]
        if reached > self._counts.reached:
            before = [] if was_empty else list(self._kept([num for num, _, _ in batch]).values())
            self._counts.replace(before, list(terms.values()), reached)
        rows = [
            {"num": num, **facets_of(check), **{field: " ".join(terms[num][field]) for field in FIELDS}}
            for num, _, check in batch
            if check is not None
        ]
        gone = [num for num, _, check in batch if check is None]
        with self._server.plainly():
            for some in _within(rows, _MOST_SENT):
                self._server.client.upsert(self._name, some, timeout=SECONDS)
            if gone and not was_empty:
                self._server.client.delete(self._name, ids=gone, timeout=SECONDS)

    def _terms(self, check: FactCheck) -> dict[Field, list[str]]:
        return {field: _cut(spelt(words(getattr(check, field), check.lang or "en", analysis=self.analysis))) for field in FIELDS}

    def _kept(self, nums: Sequence[int]) -> dict[int, dict[Field, list[str]]]:
        """The terms that the server has of these fact-checks."""
        found: dict[int, dict[Field, list[str]]] = {}
        for start in range(0, len(nums), 200):
            chosen = f"num in {list(nums[start : start + 200])}"
            with self._server.plainly():
                rows = self._server.client.query(self._name, filter=chosen, output_fields=["num", *FIELDS], timeout=SECONDS)
            found |= {int(row["num"]): {field: row[field].split() for field in FIELDS} for row in rows}
        return found

    def _make(self) -> None:
        self._counts.clear()
        self._server.remember("words", self._made, 0)
        self._server.make("words", *_schema(self._server.client))
        self._is_there = True

    # --- searching

    def search(self, field: Field, text: str, lang: str, *, depth: int, allowed: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """Return (number, BM25 score) of the best `depth` documents, best first; `allowed` restricts them to these numbers."""
        terms = spelt(words(text, lang, analysis=self.analysis))
        only = "" if allowed is None else expression(allowed)
        if not terms or only is None or not self._check():
            return []
        with self._server.plainly():
            [hits] = self._server.client.search(
                self._name,
                data=[" ".join(_few(terms))],
                anns_field=f"{field}_bm25",
                limit=min(depth, MOST_HITS),
                filter=only,
                output_fields=["num"],
                search_params={"metric_type": "BM25"},
                timeout=SECONDS,
            )
        # Milvus Lite tells a score as a distance, below zero.
        found = [(int(hit["num"]), abs(float(hit["distance"]))) for hit in hits]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def score(self, field: Field, text: str, lang: str, nums: Sequence[int]) -> dict[int, float]:
        """Return the BM25 scores of these documents, those that share no word with the text left out."""
        found = self.search(field, text, lang, depth=len(nums), allowed=nums) if nums else []
        return {num: score for num, score in found if score > 0}

    def most(self, field: Field, text: str, lang: str) -> float:
        """Return the score that a document of endless repetition would approach: sum of idf · (k1 + 1)."""
        return sum(self._counts.idf(field, spelt(words(text, lang, analysis=self.analysis))).values()) * (K1 + 1)

    def weight(self, field: Field, word: str, *, most: float) -> float:
        """Return the inverse document frequency of an analysed word, or 0 if it stands in more than the share `most` of documents."""
        [term] = spelt([word])
        containing = self._counts.containing(field, [term]).get(term, 0)
        return self._counts.idf(field, [term])[term] if containing <= max(most * max(self._counts.documents, 1), 3) else 0.0

    @property
    def _name(self) -> str:
        return self._server.name("words")

    def _check(self) -> bool:
        """True once the index is on the server; it is looked for until then."""
        if not self._is_there:
            about = self._server.find("words", self._made)
            if about is None:
                return False
            if self._counts.reached < about.reached:
                raise BadData(
                    f"the index {self._server.address} is ahead of what this folder knows of it: the file that says in how many "
                    "fact-checks each word stands is missing or older, as when a copy of the folder was written to. To make both anew, "
                    f"run: {self._server.rebuild}"
                )
            self._server.load("words")
            self._is_there = True
        return True


def spelt(terms: Iterable[str]) -> list[str]:
    """Spell terms with ASCII letters and digits alone: no tokenizer cuts such a word.

    >>> spelt(["covid", "新冠"])
    ['covid', '0xe696b0e586a0']
    """
    return [term if term.isascii() and term.isalnum() else f"0x{term.encode().hex()}" for term in terms]


def _few(terms: Sequence[str]) -> list[str]:
    """The first distinct terms, each as often as it is said."""
    return list(Counter(dict(list(Counter(terms).items())[:_MOST_TERMS])).elements())


def _cut(terms: list[str]) -> list[str]:
    length = 0
    for at, term in enumerate(terms):
        length += len(term) + 1
        if length > _MOST_BYTES:
            return terms[:at]
    return terms


def _within(rows: Sequence[Mapping[str, Any]], most: int) -> Iterator[list[dict[str, Any]]]:
    """Cut rows into lists of at most so many bytes of text."""
    some: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        length = sum(len(row[field]) for field in FIELDS)
        if some and size + length > most:
            yield some
            some, size = [], 0
        some.append(dict(row))
        size += length
    if some:
        yield some


def _schema(client: Any) -> tuple[Any, Any]:
    from pymilvus import DataType, Function, FunctionType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("num", DataType.INT64, is_primary=True)
    add_facets(schema)
    indexes = client.prepare_index_params()
    for field in FIELDS:
        schema.add_field(field, DataType.VARCHAR, max_length=_MOST_BYTES, enable_analyzer=True, analyzer_params={"tokenizer": "standard"})
        schema.add_field(f"{field}_bm25", DataType.SPARSE_FLOAT_VECTOR)
        bm25 = Function(
            name=f"{field}_terms", function_type=FunctionType.BM25, input_field_names=[field], output_field_names=[f"{field}_bm25"]
        )
        schema.add_function(bm25)
        indexes.add_index(
            field_name=f"{field}_bm25", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25", params={"bm25_k1": K1, "bm25_b": B}
        )
    return schema, indexes
