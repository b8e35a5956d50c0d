"""The collection as tools for language models (Model Context Protocol): match_claim, get_fact_check, scan_text, ask.

Every answer says what its scores mean and has a `no_match` field, so that "not checked before" cannot be read as "true". Needs the extra
`mcp`. The tools only read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from twicetold.collection import Collection
from twicetold.errors import BadInput, MissingExtra
from twicetold.serve.answers import MOST_CHARS, Asking, answer, ranking_json
from twicetold.serve.reading import Readers
from twicetold.serve.scanning import Speech, heard_json, scanned
from twicetold.store import Filters
from twicetold.types import Claim, to_json

try:
    from mcp.server import MCPServer
except ImportError:
    raise MissingExtra("twicetold mcp", "mcp") from None

MEANING = (
    "score orders the matches of one claim and is not a probability: compare it within one answer only. decision, where present, holds the "
    "calibrated probability that the first match answers the claim. A match says that a publisher checked something like the claim, with "
    "the rating in the publisher's own words; read the fact-check before relying on it. no_match = true says that this collection holds no "
    "answer, not that the claim is true."
)
_INSTRUCTIONS = "Looks up whether a claim has been fact-checked before, in one collection of published fact-checks. " + MEANING
_MOST_TEXT = 200_000
Text = Annotated[str, Field(description="What was said or posted.", min_length=1, max_length=MOST_CHARS)]
Top = Annotated[int, Field(description="How many fact-checks at most.", ge=1, le=20)]
Langs = Annotated[list[str], Field(description="Only fact-checks in these languages (ISO codes); empty for all.")]


def tools(folder: Path) -> MCPServer[Any]:
    """Return the server of the tools on this collection."""
    readers = Readers(folder, lanes=1)
    server: MCPServer[Any] = MCPServer("twicetold", instructions=_INSTRUCTIONS, log_level="WARNING")

    @contextmanager
    def reading() -> Iterator[Collection]:
        readers.look()
        with readers.lend() as collection:
            yield collection

    @server.tool()
    def match_claim(claim: Text, top: Top = 3, langs: Langs = []) -> dict[str, Any]:  # noqa: B006 - never changed
        """Find published fact-checks that answer a claim, best first, each with the sentence that carries the match."""
        with reading() as collection:
            [ranking] = answer(collection, [Claim("c1", claim)], Asking(top=top, filters=Filters(langs=tuple(langs))))
        return {"no_match": ranking.is_empty, "score_means": MEANING, "ranking": ranking_json(ranking)}

    @server.tool()
    def get_fact_check(id: Annotated[str, Field(description="`doc.id` of a match.")]) -> dict[str, Any]:
        """Get one fact-check in full."""
        with reading() as collection:
            check = collection.store.get(id)
        return {"no_match": check is None, "score_means": "no score: a fact-check looked up by its id", "fact_check": to_json(check)}

    @server.tool()
    def scan_text(
        text: Annotated[str, Field(description="A speech, debate or article; lines may begin with `SPEAKER:`.", max_length=_MOST_TEXT)],
        top: Top = 2,
    ) -> dict[str, Any]:
        """Find the claims in a longer text that have been checked before, and those worth checking that have not."""
        with reading() as collection:
            heard = list(scanned(collection, Speech(text.encode("utf-8", "replace")), top=top))
        found = [heard_json(one) for one in heard if one.is_found]
        left = [{"text": one.line.text, "worth": one.worth} for one in heard if one.ranking is not None and not one.is_found]
        about = "worth, from 0 to 1, says how much a line is worth checking. " + MEANING
        return {"no_match": not found, "score_means": about, "lines": len(heard), "checked_before": found, "not_checked": left}

    return server


def serve_tools(folder: Path) -> None:
    """Answer on standard input and output until the client goes away. Raises BadInput if there is no collection."""
    if not (folder / "store.db").is_file():
        raise BadInput(f"there is no collection in {folder} yet; make one with: twicetold --data {folder} ingest SOURCE")
    tools(folder).run("stdio")
