"""A run: what a recipe answered to a set of queries, with where it came from. Saved as JSON Lines or in TREC's format.

JSON Lines keep everything; TREC's six columns lose the texts, the provenance and the queries without answers, so a run read from
them is completed with `Run.over`. Fact-checks are kept by id only.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twicetold.errors import BadData
from twicetold.types import Ranking, natural
from twicetold_lab.datasets.layout import json_lines, opened

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Scored:
    """A document's id and its score."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Answered:
    """A query and its documents, best first; the time it took, and how sure the recipe is of the first, where known."""

    query: str
    text: str
    docs: tuple[Scored, ...]
    seconds: float | None = None
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """The answers of one recipe. `corpus` is how many documents it chose from; `provenance` says recipe, data, versions, seconds."""

    name: str
    answers: tuple[Answered, ...]
    corpus: int = 0
    provenance: Mapping[str, str] = field(default_factory=dict)

    def over(self, queries: Mapping[str, str]) -> Run:
        """Return the run over exactly these queries (id → text), in their order; those it lacks have no answers.

        A run that shares no query with them, or answers others, is over other queries: an error.
        """
        mine = {answer.query: answer for answer in self.answers}
        strange = [id for id in mine if id not in queries]
        if strange or (queries and not any(id in mine for id in queries)):
            example = strange[0] if strange else next(iter(queries))
            whose = "answers a query that is not judged" if strange else "does not answer the judged query"
            raise BadData(
                f"the run {self.name!r} is over other queries ({len(strange)} of its {len(mine)} are not judged): "
                f"it {whose}, {example!r}; give the judgements and queries it was made for"
            )
        answers = tuple(dataclasses.replace(mine[id], text=text) if id in mine else Answered(id, text, ()) for id, text in queries.items())
        return dataclasses.replace(self, answers=answers)


def answered(ranking: Ranking, seconds: float | None = None) -> Answered:
    """Keep the ids and scores of a ranking."""
    docs = tuple(Scored(match.doc.id, match.score) for match in ranking.matches)
    probability = ranking.decision.probability if ranking.decision else None
    return Answered(ranking.query.id, ranking.query.text, docs, seconds, probability)


def save_jsonl(run: Run, path: Path) -> None:
    """Write a head line with provenance, then a line for each query."""
    head = {"format": FORMAT, "run": run.name, "corpus": run.corpus, "provenance": dict(run.provenance)}
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(head, ensure_ascii=False) + "\n")
        for answer in run.answers:
            docs = [[doc.id, doc.score] for doc in answer.docs]
            record: dict[str, Any] = {"query": answer.query, "text": answer.text, "docs": docs}
            for name, known in (("seconds", answer.seconds), ("probability", answer.probability)):
                if known is not None:
                    record[name] = known
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def save_trec(run: Run, path: Path) -> None:
    """Write `query Q0 document rank score name`. Ids must have no white space: the format has no way to quote it."""
    with path.open("w", encoding="utf-8") as file:
        for answer in run.answers:
            for rank, doc in enumerate(answer.docs, start=1):
                for id in (answer.query, doc.id):
                    if not id or id.split() != [id]:
                        raise BadData(f"the id {id!r} has white space, which a TREC run cannot hold; save as .jsonl instead")
                file.write(f"{answer.query} Q0 {doc.id} {rank} {doc.score!r} {'-'.join(run.name.split())}\n")


def save(run: Run, path: Path) -> None:
    """Save by the file's ending: .jsonl, otherwise TREC."""
    (save_jsonl if path.suffix == ".jsonl" else save_trec)(run, path)


def read(path: Path) -> Run:
    """Read a run by the file's ending: .jsonl, otherwise TREC. Documents are put in order of score, then natural id."""
    return _read_jsonl(path) if path.suffix == ".jsonl" else _read_trec(path)


def _read_jsonl(path: Path) -> Run:
    head, *lines = list(json_lines(path)) or [{}]
    if head.get("format") != FORMAT:
        raise BadData(f"{path} is not a run of format {FORMAT}: its first line should say so, it is {json.dumps(head):.80}")
    try:
        answers = tuple(
            Answered(line["query"], line["text"], _ordered(line["docs"]), line.get("seconds"), line.get("probability")) for line in lines
        )
        return Run(str(head["run"]), _unique(answers, path), int(head["corpus"]), head["provenance"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise BadData(f"{path}: the head lacks run, corpus or provenance, or a line lacks query, text or docs ({error!r})") from None


def _read_trec(path: Path) -> Run:
    docs: dict[str, dict[str, float]] = {}
    name = path.stem
    with opened(path) as file:
        for number, line in enumerate(file, start=1):
            cells = line.split()
            if not cells:
                continue
            try:
                query, _, doc, _, score, name = cells
                twice = docs.setdefault(query, {}).setdefault(doc, float(score)) != float(score)
            except ValueError:
                raise BadData(f"{path}, line {number}: expected 'query Q0 document rank score name', got {line.strip()!r:.100}") from None
            if twice:
                raise BadData(f"{path}, line {number}: {query} answers {doc} twice, with two scores")
    return Run(name, tuple(Answered(query, "", _ordered(found.items())) for query, found in docs.items()))


def _ordered(pairs: Iterable[Sequence[Any]]) -> tuple[Scored, ...]:
    docs = [Scored(str(id), float(score)) for id, score in pairs]
    return tuple(sorted(docs, key=lambda doc: (-doc.score, natural(doc.id))))


def _unique(answers: tuple[Answered, ...], path: Path) -> tuple[Answered, ...]:
    seen: set[str] = set()
    for answer in answers:
        if answer.query in seen:
            raise BadData(f"{path}: the query {answer.query!r} is answered twice")
        seen.add(answer.query)
    return answers
