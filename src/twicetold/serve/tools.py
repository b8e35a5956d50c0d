"""The collection as tools for language models (Model Context Protocol): match_claim, get_fact_check, scan_text, ask.

Every answer says what its scores mean and has a `no_match` field, so that "not checked before" cannot be read as "true". Needs the extra
`mcp`. The tools only read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import Field

from twicetold.answer import BEST, Answerer, Asking
from twicetold.collection import Collection, Where, located
from twicetold.errors import BadInput, MissingExtra
from twicetold.filters import Filters
from twicetold.ingest.problems import Problem as Unread
from twicetold.mine.miner import Effort
from twicetold.scan.scanner import ScannedLine
from twicetold.serve.answers import MOST_CHARS, compact_json, ranking_json
from twicetold.serve.mining import Mining, asked_json
from twicetold.serve.reading import Readers
from twicetold.serve.scanning import Speech, scanned
from twicetold.types import Claim, Question, to_json

try:
    from mcp.server import MCPServer
    from mcp.types import ToolAnnotations
except ImportError:
    raise MissingExtra("twicetold mcp", "mcp") from None

MEANING = (
    "score orders the matches of one claim and is not a probability: compare it within one answer only. decision, where present, holds the "
    "calibrated probability that one of the matches answers the claim, and the lane; lane differs says that the nearest checks are of "
    "something changed, named in differences. A match says that a publisher checked something like the claim, with "
    "the rating in the publisher's own words; read the fact-check before relying on it. no_match = true says that this collection holds no "
    "answer, not that the claim is true."
)
CONTESTED = (
    "an answer's score, from 0 to 1, says how contested it is among the posts that were read; a post's score says how strongly it supports "
    "or refutes the claim. They say what posts say, not what is true. no_match = true says that no post takes a side."
)
_INSTRUCTIONS = "Looks up whether a claim has been fact-checked before, in one collection of published fact-checks. " + MEANING
_MOST_TEXT = 200_000
Text = Annotated[str, Field(description="What was said or posted.", min_length=1, max_length=MOST_CHARS)]
LongText = Annotated[str, Field(description="A speech, debate or article; lines may begin with `SPEAKER:`.", max_length=_MOST_TEXT)]
Asked = Annotated[str, Field(description="A question: yes or no, or one that wants names.", min_length=3, max_length=500)]
Id = Annotated[str, Field(description="`doc.id` of a match.")]
Top = Annotated[int, Field(description="How many fact-checks at most.", ge=1, le=20)]
Langs = Annotated[list[str], Field(description="Only fact-checks in these languages (ISO codes); empty for all.")]


_READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
Details = Annotated[bool, Field(description="Also every score and signal, and the articles; long.")]


class Tools:
    """What a language model may call. Each method is a tool; its docstring is what the model is told."""

    def __init__(self, where: Where) -> None:
        location = located(where)
        self._readers = Readers(location, lanes=1)
        self._mining = Mining(location.folder)

    @property
    def can_ask(self) -> bool:
        """True if there are posts to put questions to."""
        return self._mining.is_possible

    @contextmanager
    def _reading(self) -> Iterator[Collection]:
        self._readers.look()
        with self._readers.lend() as collection:
            yield collection

    def match_claim(self, claim: Text, top: Top = 3, langs: Langs = [], details: Details = False) -> dict[str, Any]:  # noqa: B006
        """Find published fact-checks that answer a claim, best first, each with the sentence that carries the match.

        When no_match is true the matches are only the nearest ones there are: they do not answer the claim.
        """
        with self._reading() as collection:
            [ranking] = Answerer(collection, BEST, Asking(top=top, filters=Filters(langs=tuple(langs))))([Claim("c1", claim)])
        if not details:
            return {"no_match": ranking.is_empty, "score_means": MEANING, **compact_json(ranking)}
        return {"no_match": ranking.is_empty, "score_means": MEANING, "ranking": ranking_json(ranking)}

    def get_fact_check(self, id: Id) -> dict[str, Any]:
        """Get one fact-check in full."""
        with self._reading() as collection:
            check = collection.store.get(id)
        return {"no_match": check is None, "score_means": "no score: a fact-check looked up by its id", "fact_check": to_json(check)}

    def scan_text(self, text: LongText, top: Top = 2) -> dict[str, Any]:
        """Find the claims in a longer text that have been checked before, those worth a look, and those worth checking that have not.

        Only checked_before has been decided to be answered; the matches of worth_a_look may or may not answer, each with its probability.
        """
        with self._reading() as collection:
            told = list(scanned(collection, Speech(text.encode("utf-8", "replace")), top=top))
        heard = [one for one in told if not isinstance(one, Unread)]
        lanes = {
            "checked_before": [_heard(one) for one in heard if one.is_checked],
            "differs": [_heard(one) for one in heard if one.is_changed],
            "worth_a_look": [_heard(one) for one in heard if one.is_in_doubt],
            "undecided": [_heard(one) for one in heard if one.is_undecided],
            "not_checked": [{"text": one.line.text, "worth": one.worth} for one in heard if one.is_left],
            "unread": [str(one) for one in told if isinstance(one, Unread)],
        }
        about = "worth, from 0 to 1, says how much a line is worth checking. " + MEANING
        no_match = not any(one.has_matches for one in heard)
        return {"no_match": no_match, "score_means": about, "lines": len(heard), **lanes}

    def ask(self, question: Asked) -> dict[str, Any]:
        """Find what posts say for and against every answer to a question. Takes seconds."""
        with self._reading() as collection:
            asked = self._mining.ask(Question("q1", question), Effort(), collection)
        is_silent = not any(one.myth.supporting or one.myth.refuting for one in asked.answers)
        return {"no_match": is_silent, "score_means": CONTESTED, "asked": asked_json(asked)}


def _heard(one: ScannedLine) -> dict[str, Any]:
    """A line with its answer, in short."""
    assert one.ranking is not None
    return {"line": one.number, "speaker": one.line.speaker, "text": one.line.text, **compact_json(one.ranking)}


def tool_server(where: Where) -> MCPServer[Any]:
    """Return the server of the tools on this collection; `ask` is offered only where there are posts to ask."""
    tools = Tools(where)
    server: MCPServer[Any] = MCPServer("twicetold", instructions=_INSTRUCTIONS, log_level="WARNING")
    for tool in (tools.match_claim, tools.get_fact_check, tools.scan_text):
        server.tool(annotations=_READ_ONLY)(tool)
    if tools.can_ask:
        server.tool(annotations=_READ_ONLY)(tools.ask)
    return server


def serve_tools(where: Where) -> None:
    """Answer on standard input and output until the client goes away. Raises BadInput if there is no collection."""
    folder = located(where).folder
    if not (folder / "store.db").is_file():
        raise BadInput(f"there is no collection in {folder} yet; make one with: twicetold --data {folder} ingest SOURCE")
    tool_server(where).run("stdio")
