"""How well answers are read (the paper's Tables 6 and 8): F1 of the answers, and of answers with both sides' evidence."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from twicetold.mine.answers import collect, found_in, same
from twicetold.mine.miner import Asked, Miner
from twicetold.posts.clean import readable
from twicetold.types import Match
from twicetold_lab.datasets.mythqa import Contested
from twicetold_lab.measures.contested import Answer, f1_answers, f1_contro, normalised
from twicetold_lab.mining.benchmark import Benchmark
from twicetold_lab.mining.tables import Row, row

MS = (1, 5, 10)


def intrinsic(benchmark: Benchmark, miner: Miner, ms: Sequence[int] = MS) -> list[Row]:
    """F1 of the answers read out of the gold posts themselves, m answers wanted."""
    assert miner.reader is not None
    wanted = [question for question in benchmark.questions if question.kind == "entity"]
    rows = []
    for m in ms:
        values = []
        for question in wanted:
            posts = miner.posts.store.with_ids(_evidence(question))
            matches = [Match(post, 1.0) for post in posts.values()]
            spans = miner.reader.answers(question.question.text, [readable(post.text) for post in posts.values()])
            found = [one for match, some in zip(matches, spans, strict=True) for one in found_in(match, some, 1.0)]
            answers = [Answer(answer.text) for answer in collect(found, question.question.text, most=m)]
            values.append(f1_answers(as_gold(answers, question), question))
        rows.append(row("answers, gold posts", f"F1_ans m={m}", values))
    return rows


def extrinsic(benchmark: Benchmark, miner: Miner, ms: Sequence[int | None] = (*MS, None), es: Sequence[int] = (1, 10, 100)) -> list[Row]:
    """F1 of answers, and of answers with evidence, found among all posts; m None lets the score gap choose their number."""
    wanted = [question for question in benchmark.questions if question.kind == "entity"]
    rows = []
    for m in ms:
        effort = dataclasses.replace(miner.effort, answers=m)
        asked = [dataclasses.replace(miner, effort=effort).ask(question.question) for question in wanted]
        predicted = [as_gold(_predicted(one), question) for one, question in zip(asked, wanted, strict=True)]
        name = f"m={m}" if m is not None else "m by gap"
        rows.append(row("answers, all posts", f"F1_ans {name}", [f1_answers(p, q) for p, q in zip(predicted, wanted, strict=True)]))
        for e in es:
            values = [f1_contro(p, q, e) for p, q in zip(predicted, wanted, strict=True)]
            rows.append(row("answers, all posts", f"F1_CONTRO@{e} {name}", values))
    return rows


def yes_no(benchmark: Benchmark, miner: Miner, es: Sequence[int] = (1, 10, 100)) -> list[Row]:
    """F1 of yes and no with evidence, as `ask` answers."""
    wanted = [question for question in benchmark.questions if question.kind == "yes-no"]
    predicted = [_predicted(miner.ask(question.question)) for question in wanted]
    return [row("yes or no, as asked", f"F1_CONTRO@{e}", [f1_contro(p, q, e) for p, q in zip(predicted, wanted, strict=True)]) for e in es]


def _predicted(asked: Asked) -> list[Answer]:
    myths = [answer.myth for answer in asked.answers if answer.myth.supporting or answer.myth.refuting]
    return [Answer(m.answer, tuple(x.doc.id for x in m.supporting), tuple(x.doc.id for x in m.refuting)) for m in myths]


def as_gold(predicted: Sequence[Answer], gold: Contested) -> list[Answer]:
    """Write an answer as the gold writes it if they mean the same ("mosquitos", "mosquitoes"): the measure knows only equal spellings."""
    return [dataclasses.replace(answer, text=_spelled(answer.text, [g.text for g in gold.answers])) for answer in predicted]


def _spelled(text: str, golds: Iterable[str]) -> str:
    return next((gold for gold in golds if normalised(gold) == normalised(text) or same(gold, text)), text)


def _evidence(question: Contested) -> list[str]:
    return list(dict.fromkeys(id for answer in question.answers for id in (*answer.supporting, *answer.refuting)))
