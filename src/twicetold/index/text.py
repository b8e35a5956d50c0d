"""Full-text search: one tantivy index with the fields claim, title and body; for posts, text and context.

Texts are analysed by `twicetold.text.words` and stored as terms only, so every language shares one field and the analysis is the
same for documents and queries. The store's change counter that a commit is to reach is announced beside the index before it and noted
after it, so a crash in between leaves no doubt which of the two holds. It does not store texts: the store does.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Protocol

import tantivy

from twicetold.errors import BadData, Locked
from twicetold.text import Analysis, words

Field = Literal["claim", "title", "body", "text", "context"]
FIELDS: tuple[Field, ...] = ("claim", "title", "body")
K1, B = 1.2, 0.75  # tantivy's and Lucene's constants
_COMMIT_EVERY = 100_000
"""Fewer commits make fewer segments, and a search visits every segment."""
_FEW = 2_000
"""Up to so many allowed documents are asked for by number."""
_KEPT_WEIGHTS = 100_000
"""Weights of words kept until the index changes: every claim asks for those of all words of its candidates."""
_KEPT_SETS = 8
_MOST_WORDS = 20_000  # of one field; a longer text is a data error and would let one document swamp the statistics


class Record(Protocol):
    """What is indexed: a fact-check, or anything else with a language and an attribute for each field."""

    @property
    def lang(self) -> str: ...


class TextIndex:
    """BM25 over a few fields. One writer at a time; a reader sees the last commit as of `reload`."""

    def __init__(self, folder: Path, *, analysis: Analysis = "standard", fields: tuple[Field, ...] = FIELDS) -> None:
        self.folder = folder
        self.analysis: Analysis = analysis
        self.fields = fields
        self._schema = _schema(fields)
        self._asked_among: dict[tuple[int, ...], tantivy.Query] = {}
        self._weights: dict[tuple[Field, str, float], float] = {}
        self._index = _open(folder, self._schema)
        self._searcher = self._index.searcher()

    @property
    def reached(self) -> int:
        """The store's change counter this index has followed up to."""
        try:
            reached, *announced = map(int, (self.folder / "reached").read_text(encoding="ascii").split())
            # A writer was killed, or is at it: what it announced holds if its commit came through.
            return announced[0] if announced and self._committed() != announced[1] else reached
        except (FileNotFoundError, ValueError, LookupError):
            return 0

    def _committed(self) -> int:
        """The number tantivy gave to the last commit. Merging leaves it as it is."""
        return int(json.loads((self.folder / "meta.json").read_text(encoding="utf-8"))["opstamp"])

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    def reload(self) -> None:
        """See what has been committed since."""
        self._index.reload()
        self._searcher = self._index.searcher()
        self._weights.clear()

    def follow(self, changes: Iterable[tuple[int, int, Record | None]], *, every: int = _COMMIT_EVERY) -> Iterator[int]:
        """Write the store's changes, oldest first, and yield how many are on disk after each commit: about `every` changes.

        A commit never falls inside one change counter, so an index that has reached a counter has all of it.
        """
        is_empty = len(self) == 0
        with self._writing() as writer:
            done = since = reached = 0
            for num, change, record in changes:
                if since >= every and change != reached:
                    self._commit(writer, reached)
                    since = 0
                    yield done
                if not is_empty:
                    writer.delete_documents_by_query(tantivy.Query.term_query(self._schema, "num", num))
                if record is not None:
                    writer.add_document(self._document(num, record))
                done, since, reached = done + 1, since + 1, change
            if since:
                self._commit(writer, reached)
        self.reload()
        if since:
            yield done

    def _commit(self, writer: tantivy.IndexWriter, reached: int) -> None:
        """Commit what is written, which reaches this change counter.

        Without the announcement a writer killed before its note would have its changes written again. If they had been merged with older
        ones by then, the counts of words would hold them twice until the next merge.
        """
        self._remember(self.reached, reached, self._committed())
        writer.commit()
        self._remember(reached)

    def _remember(self, *numbers: int) -> None:
        """Note the change counter reached; before a commit also the one it is to reach, and the number of the commit before."""
        fresh = self.folder / "reached.new"
        with fresh.open("w", encoding="ascii") as file:
            file.write(" ".join(map(str, numbers)))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.folder / "reached")

    def search(self, field: Field, text: str, lang: str, *, depth: int, allowed: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """Return (number, BM25 score) of the best `depth` documents, best first; `allowed` restricts them to these numbers."""
        terms = words(text, lang, analysis=self.analysis)
        if allowed is None:
            return self._hits(self._query(field, terms), depth)
        if len(allowed) <= _FEW:
            return self._hits(self._query(field, terms, allowed), depth)
        # Many allowed documents as a query cost more than looking further down the list and keeping those.
        inside, reach = set(allowed), depth * 4
        while True:
            hits = self._hits(self._query(field, terms), reach)
            kept = [hit for hit in hits if hit[0] in inside]
            if len(kept) >= depth or len(hits) < reach:
                return kept[:depth]
            reach *= 4

    def _hits(self, query: tantivy.Query, depth: int) -> list[tuple[int, float]]:
        try:
            hits = self._searcher.search(query, depth, count=False).hits
            nums = self._searcher.fast_field_values("num", [address for _, address in hits])
        except ValueError as error:
            raise BadData(f"the full-text index in {self.folder} is damaged ({error}); run: twicetold doctor --repair") from None
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # how tantivy fails over bytes that cannot be; no Exception, and in no module
                raise
            raise BadData(f"the full-text index in {self.folder} is damaged; run: twicetold doctor --repair") from None
        return [(int(num), float(score)) for num, (score, _) in zip(nums, hits, strict=True) if num is not None]

    def score(self, field: Field, text: str, lang: str, nums: Sequence[int]) -> dict[int, float]:
        """Return the BM25 scores of these documents, those that share no word with the text left out."""
        found = self.search(field, text, lang, depth=len(nums), allowed=nums) if nums else []
        return {num: score for num, score in found if score > 0}

    def most(self, field: Field, text: str, lang: str) -> float:
        """Return the score that a document of endless repetition would approach: sum of idf · (k1 + 1).

        A score divided by this is the share of the text's weight of words found, comparable between texts.
        """
        total = max(self._searcher.num_docs, 1)
        unique = set(words(text, lang, analysis=self.analysis))
        return sum(_idf(self._searcher.doc_freq(field, word), total) for word in unique) * (K1 + 1)

    def weight(self, field: Field, word: str, *, most: float) -> float:
        """Return the inverse document frequency of an analysed word, or 0 if it stands in more than the share `most` of documents.

        In a collection of a few documents three are not yet too many.
        """
        known = self._weights.get((field, word, most))
        if known is None:
            total = max(self._searcher.num_docs, 1)
            containing = self._searcher.doc_freq(field, word)
            known = _idf(containing, total) if containing <= max(most * total, 3) else 0.0
            if len(self._weights) >= _KEPT_WEIGHTS:
                self._weights.clear()
            self._weights[field, word, most] = known
        return known

    def _query(self, field: Field, terms: Sequence[str], allowed: Sequence[int] | None = None) -> tantivy.Query:
        counts = Counter(terms)
        # A word said twice weighs twice, as in Lucene's match query. 300 distinct words are more than any claim needs.
        should = [
            (tantivy.Occur.Should, _weighted(tantivy.Query.term_query(self._schema, field, term, "freq"), times))
            for term, times in list(counts.items())[:300]
        ]
        if allowed is None:
            return tantivy.Query.boolean_query(should)
        inside = self._among(tuple(map(int, allowed)))
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, tantivy.Query.boolean_query(should)), (tantivy.Occur.Must, inside)])

    def _among(self, nums: tuple[int, ...]) -> tantivy.Query:
        """A query for documents of these numbers, the last few kept: the same candidates are asked about field by field.

        It is a disjunction of numbers: tantivy's own term set walks the whole dictionary, which takes four times as long.
        """
        made = self._asked_among.get(nums)
        if made is None:
            numbers = [(tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "num", num)) for num in nums]
            made = tantivy.Query.const_score_query(tantivy.Query.boolean_query(numbers), 0.0)
            if len(self._asked_among) >= _KEPT_SETS:
                self._asked_among.clear()
            self._asked_among[nums] = made
        return made

    def _document(self, num: int, check: Record) -> tantivy.Document:
        document = tantivy.Document()
        document.add_unsigned("num", num)
        for field in self.fields:
            text = getattr(check, field)
            if text:
                document.add_text(field, " ".join(words(text, check.lang or "en", analysis=self.analysis)[:_MOST_WORDS]))
        return document

    @contextmanager
    def _writing(self) -> Iterator[tantivy.IndexWriter]:
        try:
            self._index.reload()
            writer = self._index.writer(heap_size=150_000_000, num_threads=1)
        except ValueError as error:
            if "lock" in str(error).lower():
                raise Locked(f"another process is writing to the index in {self.folder}; wait for it and try again") from None
            raise BadData(f"cannot write to the index in {self.folder}: {error}") from None
        try:
            yield writer
        except BaseException:
            writer.rollback()
            raise
        finally:
            writer.wait_merging_threads()


def _schema(fields: tuple[Field, ...]) -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("num", indexed=True, fast=True)
    for field in fields:
        builder.add_text_field(field, tokenizer_name="terms", index_option="freq")
    return builder.build()


def _open(folder: Path, schema: tantivy.Schema) -> tantivy.Index:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        index = tantivy.Index(schema, str(folder if os.access(folder, os.W_OK) else _linked(folder)), reuse=True)
    except ValueError as error:
        raise BadData(
            f"the full-text index in {folder} is damaged or of another version ({error}); run: twicetold index --rebuild"
        ) from None
    except OSError as error:
        raise BadData(f"cannot use the full-text index in {folder}: {error.strerror}") from None
    index.register_tokenizer("terms", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    return index


def _linked(folder: Path) -> Path:
    """tantivy writes a lock file even to read; where it may not, links to the same files in a folder of our own will do."""
    place = Path(tempfile.mkdtemp(prefix="twicetold-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    for file in folder.iterdir():
        if not file.name.endswith(".lock"):
            (place / file.name).symlink_to(file.resolve())
    return place


def _weighted(query: tantivy.Query, times: int) -> tantivy.Query:
    return query if times == 1 else tantivy.Query.boost_query(query, float(times))


def _idf(containing: int, total: int) -> float:
    return math.log(1 + (total - containing + 0.5) / (containing + 0.5))
