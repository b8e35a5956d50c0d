"""What requests look like. Answers are the package's own values in their one JSON form."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.responses import Response

from twicetold.answer import RECIPES, Asking, Recipe
from twicetold.filters import Filters, is_date
from twicetold.serve.answers import MOST_CHARS, MOST_TOP
from twicetold.types import Claim, Context, Line, Verdict

MOST_CLAIMS = 100


def _is_date(text: str) -> str:
    if text and not is_date(text):
        raise ValueError(f"wanted a date such as 2020-05-17, 2020-05 or 2020, not {text!r}")
    return text


def _is_recipe(name: str) -> str:
    if name not in RECIPES:
        raise ValueError(f"there is no such recipe; choose one of {', '.join(RECIPES)}")
    return name


def _says_something(text: str) -> str:
    if not text.strip():
        raise ValueError("the text is empty")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("the text holds half a character (a lone surrogate)") from None
    return text


Text = Annotated[str, Field(min_length=1, max_length=MOST_CHARS), AfterValidator(_says_something)]
Name = Annotated[str, Field(max_length=200)]
Names = Annotated[list[Name], Field(max_length=100)]
IsoDate = Annotated[str, Field(max_length=10), AfterValidator(_is_date)]
Top = Annotated[int, Field(ge=1, le=MOST_TOP, description="How many fact-checks to return at most.")]
RecipeName = Annotated[str, Field(description=f"How to search: {', '.join(RECIPES)}."), AfterValidator(_is_recipe)]


class FiltersBody(BaseModel):
    """Which fact-checks may answer; an empty list allows all."""

    model_config = ConfigDict(extra="forbid")
    langs: Names = []
    publishers: Names = []
    verdicts: Annotated[list[Verdict], Field(max_length=6)] = []
    claimants: Names = []
    after: IsoDate = ""
    before: IsoDate = ""

    def value(self) -> Filters:
        """Return it as the store takes it."""
        return Filters(tuple(self.langs), tuple(self.publishers), tuple(self.verdicts), tuple(self.claimants), self.after, self.before)


class LineBody(BaseModel):
    """A line said before or after the claim."""

    speaker: Name = ""
    text: Annotated[str, Field(max_length=MOST_CHARS)]
    start: float | None = None
    end: float | None = None


class ContextBody(BaseModel):
    """The lines around the claim, oldest first, and the claim's place among them."""

    lines: Annotated[list[LineBody], Field(max_length=50)] = []
    at: int = 0


class ClaimBody(BaseModel):
    """A claim: something said, to be looked up. `links` are urls it came with."""

    text: Text
    id: Name = "c1"
    lang: Annotated[str, Field(max_length=10)] = ""
    said_by: Name = ""
    said_on: Name = ""
    links: Annotated[list[Annotated[str, Field(max_length=2000)]], Field(max_length=50)] = []
    context: ContextBody = ContextBody()

    def value(self) -> Claim:
        """Return it as the stages take it."""
        lines = tuple(Line(line.speaker, line.text, line.start, line.end) for line in self.context.lines)
        context = Context(lines, self.context.at)
        return Claim(self.id, self.text.strip(), context, self.lang, self.said_by, self.said_on, tuple(self.links))


class AskingBody(BaseModel):
    """How to answer."""

    top: Top = 5
    recipe: RecipeName = "best"
    filters: FiltersBody = FiltersBody()
    risk: Annotated[float, Field(gt=0, lt=1, description="With recipe `best`: the error tolerated among claims called matched.")] = 0.05

    def by(self) -> Recipe:
        """Return the recipe that answers."""
        return RECIPES[self.recipe]

    def asking(self) -> Asking:
        """Return the rest as an answerer takes it."""
        return Asking(top=self.top, risk=self.risk, filters=self.filters.value())


class MatchBody(ClaimBody, AskingBody):
    """One claim and how to answer it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "Garlic water cures the coronavirus", "top": 3, "filters": {"langs": ["en"]}}]},
    )


class BatchBody(AskingBody):
    """Several claims and how to answer them all."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"claims": [{"id": "a", "text": "Bananas are banned by the EU"}, {"id": "b", "text": "5G spreads viruses"}]}]
        },
    )
    claims: Annotated[list[ClaimBody | Text], Field(min_length=1, max_length=MOST_CLAIMS, description="Claims, or just their texts.")]

    def values(self) -> list[Claim]:
        """Return the claims as the stages take them; a bare text is named by its place."""
        named = enumerate(self.claims, start=1)
        return [claim.value() if isinstance(claim, ClaimBody) else Claim(f"c{number}", claim.strip()) for number, claim in named]


def json_response(record: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Answer with JSON in which letters of every script are readable."""
    return Response(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace"), status, headers, "application/json")
