"""Ask posts a question: every contested answer, with the posts on either side.

The steps are those of Bai, Colas & Wang (2023): find posts, read answers (for questions that want names), make a claim of each answer, find
posts for the claim, read their stance, rank the evidence. Where this differs from the paper is said in docs/mining.md. Nothing here decides
which answer is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from twicetold.errors import BadData, BadInput
from twicetold.mine.answers import Answer, Found, collect, found_in
from twicetold.mine.contest import Contested, contested
from twicetold.mine.evidence import about, read_stances, readable_only, sides, worth_reading
from twicetold.mine.protocols import Reader, StanceModel
from twicetold.mine.question import Kind, kind_of
from twicetold.mine.retrieve import by_both
from twicetold.mine.statements import statement
from twicetold.posts import Posts
from twicetold.posts.clean import readable
from twicetold.progress import Progress, silent
from twicetold.stage import Stage, ask, cut
from twicetold.text import words
from twicetold.types import Claim, Match, Myth, Post, Question, Ranking

NOT_SURE = "not sure"


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is read, which is what a question costs; the number of posts in the collection hardly matters.

    `posts_a_question`: stances read at most for a yes/no question; `posts_an_answer`: for each answer; `posts_read`: posts searched for
    answers; `answers`: how many are wanted, None for as many as stand before a gap in their scores; `least`: evidence weaker than this is
    none.
    """

    posts_a_question: int = 200
    posts_an_answer: int = 30
    posts_read: int = 100
    answers: int | None = None
    least: float = 0.1


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its contested answers (most contested first; yes before no), and how much was read to find them.

    A yes/no question without evidence on either side has the one answer "not sure". `unread` posts were found but are in a language that
    the models do not read.
    """

    question: Question
    kind: Kind
    answers: tuple[Contested, ...] = ()
    found: int = 0
    read: int = 0
    unread: int = 0


@dataclass(frozen=True)
class Miner:
    """Posts and the models that read them. `reader` is needed only for questions that want names."""

    posts: Posts
    stance: StanceModel
    reader: Reader | None = None
    effort: Effort = field(default_factory=Effort)
    progress: Progress = silent

    def ask(self, question: Question) -> Asked:
        """Answer one question. Raises BadInput for what is no question, BadData if there are no posts at all."""
        kind = kind_of(question.text)
        if len(self.posts.text) == 0:
            raise BadData(
                f"there are no posts in {self.posts.folder}; add some with: twicetold --data {self.posts.folder} ingest-posts SOURCE"
            )
        return self._yes_no(question) if kind == "yes-no" else self._entity(question)

    # --- yes or no

    def _yes_no(self, question: Question) -> Asked:
        claim = statement(question.text)
        ranking, found, unread = self._find(Claim(question.id, claim, lang="en"), self.effort.posts_a_question)
        yes, no = sides(self._read(ranking, claim), least=self.effort.least)
        asked = Asked(question, "yes-no", (), found, len(ranking.matches), unread)
        if not yes and not no:
            return _with(asked, (contested(Myth(question, NOT_SURE, claim), self.posts),))
        negated = statement(question.text, "no")
        myths = (Myth(question, "yes", claim, yes, no), Myth(question, "no", negated, no, yes))
        return _with(asked, tuple(contested(myth, self.posts) for myth in myths if myth.supporting))

    # --- names

    def _entity(self, question: Question) -> Asked:
        if self.reader is None:
            raise BadInput(f"{question.text!r} wants names, and no reader is loaded; ask a yes/no question, or give a reader model")
        ranking, found, unread = self._find(question, self.effort.posts_read)
        answers = collect(self._read_answers(question, ranking), question.text, most=self.effort.answers)
        read = len(ranking.matches)
        done: list[Contested] = []
        for at, answer in enumerate(answers):
            self.progress("weighing answers", at, len(answers))
            claim = statement(question.text, answer.text)
            about_it, _, more_unread = self._find(Claim(question.id, claim, lang="en"), self.effort.posts_an_answer, naming=answer)
            supporting, refuting = sides(self._read(about_it, claim), least=self.effort.least)
            read, unread = read + len(about_it.matches), unread + more_unread
            done.append(contested(Myth(question, answer.text, claim, supporting, refuting), self.posts, also=answer.spellings))
        kept = sorted((one for one in done if one.myth.supporting or one.myth.refuting), key=lambda one: -one.score)
        return Asked(question, "entity", tuple(kept), found, read, unread)

    def _read_answers(self, question: Question, ranking: Ranking) -> list[Found]:
        assert self.reader is not None
        found: list[Found] = []
        for matches in _pieces(ranking.matches, 25):
            texts = [readable(match.doc.text) for match in matches if isinstance(match.doc, Post)]
            for match, spans in zip(matches, self.reader.answers(question.text, texts), strict=True):
                found += found_in(match, spans, about(match.signals))
            self.progress("reading answers", len(found), 0)
        return found

    # --- both

    def _find(self, query: Claim | Question, depth: int, *, naming: Answer | None = None) -> tuple[Ranking, int, int]:
        """Those of the first `depth` posts that are worth reading, how many were found in all, and how many are in other languages."""
        stage: Stage = by_both(self.posts, depth=max(depth * 2, 200))
        [ranking] = ask(stage, [query])
        ranking, unread = readable_only(ranking)
        if naming is not None:
            ranking = Ranking(query, tuple(match for match in ranking.matches if self._names(match, naming)))
        found = len(ranking.matches)
        [ranking] = cut(depth)([ranking])
        return worth_reading(ranking, self.effort.least), found, unread

    def _names(self, match: Match, answer: Answer) -> bool:
        """True if the post, or what it replies to, uses the words of one of the answer's spellings."""
        post = match.doc
        assert isinstance(post, Post)
        said = set(words(post.text)) | {word for above in self.posts.store.ancestors(post.parent)[:1] for word in words(above.text)}
        return any(said.issuperset(words(spelling)) for spelling in (answer.text, *answer.spellings))

    def _read(self, ranking: Ranking, claim: str) -> Ranking:
        return read_stances(ranking, claim, self.stance, self.posts, progress=self.progress)


def _pieces(matches: Sequence[Match], size: int) -> list[tuple[Match, ...]]:
    return [tuple(matches[start : start + size]) for start in range(0, len(matches), size)]


def _with(asked: Asked, answers: tuple[Contested, ...]) -> Asked:
    return Asked(asked.question, asked.kind, answers, asked.found, asked.read, asked.unread)
