"""Full-text search: one tantivy index with the fields claim, title and body; for posts, text and context.

Texts are analysed by `twicetold.text.words` and stored as terms only, so every language shares one field and the analysis is the
same for documents and queries. The index remembers the store's change counter it has reached in a document of its own, which
makes the counter as durable as the commit it belongs to. It does not store texts: the store does.
"""

from __future__ import annotations

import math
import shutil
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
_MARK = 0  # the number of the document that holds the counter; SQLite's numbers start at 1
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
        self._index = _open(folder, self._schema)
        self._searcher = self._index.searcher()

    @property
    def reached(self) -> int:
        """The store's change counter this index has followed up to."""
        query = tantivy.Query.term_query(self._schema, "num", _MARK)
        hits = self._searcher.search(query, 1, count=False).hits
        if not hits:
            return 0
        [reached] = self._searcher.fast_field_values("change", [hits[0][1]])
        return int(reached or 0)

    def __len__(self) -> int:
        return int(self._searcher.num_docs) - (1 if self.reached else 0)

    def reload(self) -> None:
        """See what has been committed since."""
        self._index.reload()
        self._searcher = self._index.searcher()

    def follow(self, changes: Iterable[tuple[int, int, Record | None]], *, is_new: bool = False) -> int:
        """Write the store's changes and commit once; return how many there were. `is_new` says that no number was seen before."""
        with self._writing() as writer:
            reached = count = 0
            for num, change, check in changes:
                if not is_new:
                    writer.delete_documents_by_term("num", num)
                if check is not None:
                    writer.add_document(self._document(num, check))
                reached, count = max(reached, change), count + 1
            if count:
                writer.delete_documents_by_term("num", _MARK)
                mark = tantivy.Document()
                mark.add_unsigned("num", _MARK)
                mark.add_unsigned("change", reached)
                writer.add_document(mark)
                writer.commit()
        self.reload()
        return count

    def search(self, field: Field, text: str, lang: str, *, depth: int, allowed: Sequence[int] | None = None) -> list[tuple[int, float]]:
        """Return (number, BM25 score) of the best `depth` documents, best first; `allowed` restricts them to these numbers."""
        query = self._query(field, words(text, lang, analysis=self.analysis), allowed)
        hits = self._searcher.search(query, depth, count=False).hits
        nums = self._searcher.fast_field_values("num", [address for _, address in hits])
        return [(int(num), float(score)) for num, (score, _) in zip(nums, hits, strict=True) if num]

    def score(self, field: Field, text: str, lang: str, nums: Sequence[int]) -> dict[int, float]:
        """Return the BM25 scores of these documents, those that share no word with the text left out."""
        return dict(self.search(field, text, lang, depth=len(nums), allowed=nums)) if nums else {}

    def most(self, field: Field, text: str, lang: str) -> float:
        """Return the score that a document of endless repetition would approach: sum of idf · (k1 + 1).

        A score divided by this is the share of the text's weight of words found, comparable between texts.
        """
        total = max(self._searcher.num_docs, 1)
        unique = set(words(text, lang, analysis=self.analysis))
        return sum(_idf(self._searcher.doc_freq(field, word), total) for word in unique) * (K1 + 1)

    def weight(self, field: Field, word: str, *, most: float) -> float:
        """Return the inverse document frequency of an analysed word, or 0 if it stands in more than the share `most` of documents."""
        total = max(self._searcher.num_docs, 1)
        containing = self._searcher.doc_freq(field, word)
        return _idf(containing, total) if containing <= most * total else 0.0

    def _query(self, field: Field, terms: Sequence[str], allowed: Sequence[int] | None) -> tantivy.Query:
        counts: dict[str, int] = {}
        for term in terms:
            counts[term] = counts.get(term, 0) + 1
        # A word said twice weighs twice, as in Lucene's match query. 300 distinct words are more than any claim needs.
        should = [
            (tantivy.Occur.Should, _weighted(tantivy.Query.term_query(self._schema, field, term, "freq"), times))
            for term, times in list(counts.items())[:300]
        ]
        query = tantivy.Query.boolean_query(should)
        if allowed is None:
            return query
        inside = tantivy.Query.term_set_query(self._schema, "num", [int(num) for num in allowed])
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, query), (tantivy.Occur.Must, tantivy.Query.const_score_query(inside, 0.0))]
        )

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
    builder.add_unsigned_field("change", fast=True)
    for field in fields:
        builder.add_text_field(field, tokenizer_name="terms", index_option="freq")
    return builder.build()


def _open(folder: Path, schema: tantivy.Schema) -> tantivy.Index:
    folder.mkdir(parents=True, exist_ok=True)
    try:
        index = tantivy.Index(schema, str(folder), reuse=True)
    except ValueError:
        # Another version's files, or a torn write: the index is derived, so it is made anew from the store.
        shutil.rmtree(folder)
        folder.mkdir()
        index = tantivy.Index(schema, str(folder))
    index.register_tokenizer("terms", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    return index


def _weighted(query: tantivy.Query, times: int) -> tantivy.Query:
    return query if times == 1 else tantivy.Query.boost_query(query, float(times))


def _idf(containing: int, total: int) -> float:
    return math.log(1 + (total - containing + 0.5) / (containing + 0.5))
