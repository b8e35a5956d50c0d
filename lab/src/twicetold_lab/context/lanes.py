"""How often a line of a debate comes out matched, worth a look or not checked before, and how often that is right.

The test debates of Role of Context are scanned whole, as `twicetold scan` does. Their annotators joined only the lines that PolitiFact had
linked to a fact-check, so a line without an answer in the data may have been checked all the same: whether the fact-check shown answers
it is judged by hand, by this rule, fixed before any answer was looked at. The line is read with three lines before it and one after.

    yes     it says, or helps several lines to say, what the checked claim says: the rating could stand under it as it is. Who says it
            does not matter; numbers may differ by rounding, or as far as the fact-check itself deals with
    partly  it says a part of the checked claim, something broader or narrower, the same of another number, time or place, or its denial:
            a reader is helped by the fact-check, but its rating does not carry over
    no      another claim, the same subject only, or nothing that can be checked

Lines within one line of an annotated one are counted apart (`beside`), since they may go on with its claim.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from twicetold.answer import Asking
from twicetold.collection import Collection, Settings
from twicetold.errors import BadData
from twicetold.progress import Progress, silent
from twicetold.scan.scanner import ScannedLine
from twicetold.scan.scanner import Settings as Listening
from twicetold.scan.speeches import scanner
from twicetold.shares import wilson
from twicetold.types import Claim, FactCheck, Lane, natural
from twicetold_lab.annotate import TASKS
from twicetold_lab.datasets import Dataset
from twicetold_lab.experiment import collection_of

Kind = Literal["annotated", "beside", "elsewhere"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TASK = "same-claim"
"""What `twicetold lab judge` calls this judging."""
LABELS = TASKS[TASK]
COLUMNS = ("id", "said on", "line", "checked claim", "claimant", "claimed on", "title")
"""What a person is shown."""
WORTHS = (0.1, 0.15, 0.2, 0.25)
DRAWN = {Lane.MATCHED: 10_000, Lane.DIFFERS: 60, Lane.REVIEW: 60, Lane.NO_MATCH: 40}
"""How many lines of each lane have their first match judged: of those matched, all."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the scan said of one line. `is_named` says that the data set names the first match as an answer."""

    id: str
    kind: Kind
    heard: ScannedLine
    is_named: bool

    @property
    def lane(self) -> Lane | None:
        """Return the line's lane, None if it was not looked up."""
        if self.heard.ranking is None:
            return None
        return self.heard.ranking.decision.lane if self.heard.ranking.decision is not None else Lane.NO_MATCH

    @property
    def has_match(self) -> bool:
        """Return whether anything was found, be it ever so far from the line."""
        return self.heard.ranking is not None and bool(self.heard.ranking.matches)

    @property
    def check(self) -> FactCheck:
        """Return the first match. Only where there is one."""
        assert self.heard.ranking is not None
        check = self.heard.ranking.matches[0].doc
        assert isinstance(check, FactCheck)
        return check

    @property
    def unit(self) -> str:
        """Return what is judged, by name: the line and the fact-check it was answered with."""
        return f"{self.id} {self.check.id}"


def told(dataset: Dataset, cache: Path | None, *, progress: Progress = silent) -> list[Told]:
    """Scan the debates of these queries whole: about 30 lines a second, and some minutes to index the corpus the first time."""
    with collection_of(dataset, Settings(), cache=cache, progress=progress) as collection:
        return list(_told(dataset, collection, progress))


def _told(dataset: Dataset, collection: Collection, progress: Progress) -> Iterator[Told]:
    debates = {_debate(claim): claim for claim in dataset.claims}
    asked = {claim.id: claim for claim in dataset.claims}
    done, total = 0, sum(len(claim.context.lines) for claim in debates.values())
    for debate, claim in debates.items():
        annotated = {one.context.at for one in asked.values() if _debate(one) == debate}
        listener = scanner(collection, asking=Asking(top=1), settings=Listening(id=debate, said_on=claim.said_on))
        for at, heard in enumerate(listener.scan(claim.context.lines)):
            id = f"{debate}_{at + 1:04d}"
            kind: Kind = "annotated" if at in annotated else "beside" if annotated & {at - 1, at + 1} else "elsewhere"
            yield Told(id, kind, heard, _is_named(heard, dataset.qrels.get(id, {})))
            done += 1
            progress("scanning", done, total)


def _debate(claim: Claim) -> str:
    return claim.id.rpartition("_")[0]


def _is_named(heard: ScannedLine, judged: Mapping[str, int]) -> bool:
    return heard.ranking is not None and bool(heard.ranking.matches) and judged.get(heard.ranking.matches[0].doc.id, 0) > 0


# --- judging -------------------------------------------------------------------------------------------------------


def to_judge(lines: Iterable[Told]) -> list[Told]:
    """Return the lines whose answers are judged: all that are matched, and a draw of the other lanes (`DRAWN`).

    The draw goes by a hash of the line's id, so that another decision, which moves lines between lanes, keeps most of what was judged.
    """
    by_lane: dict[Lane, list[Told]] = {lane: [] for lane in Lane}
    for line in sorted(lines, key=lambda line: lot(line.id)):
        if line.lane is not None and line.has_match:
            by_lane[line.lane].append(line)
    chosen = (line for lane, some in by_lane.items() for line in some[: DRAWN[lane]])
    return sorted(chosen, key=lambda line: natural(line.id))


def lot(id: str) -> str:
    """Return what draws are ordered by: a hash of the id, as good as chance and the same every time."""
    return hashlib.sha256(id.encode()).hexdigest()


def units(lines: Iterable[Told]) -> list[dict[str, str]]:
    """Return what a person needs to judge each line by the rule, for a sheet; lines whose answer the data set names are left out."""
    return [_unit(line) for line in lines if not line.is_named]


def _unit(line: Told) -> dict[str, str]:
    assert line.heard.ranking is not None
    claim, check = line.heard.ranking.query, line.check
    assert isinstance(claim, Claim)
    around = "\n".join(
        f"{'> ' if at == claim.context.at else '  '}{said.speaker}: {said.text}" for at, said in enumerate(claim.context.lines)
    )
    shown = (line.unit, claim.said_on, around, check.claim, check.claimant, check.claimed_on, check.title)
    return dict(zip(COLUMNS, shown, strict=True))


def read_judged(path: Path) -> dict[str, str]:
    """Read what `twicetold lab judge agree --task same-claim --json` prints: the label of each unit under `majority`."""
    try:
        judged = json.loads(path.read_text(encoding="utf-8"))["majority"]
        strange = [label for label in judged.values() if label not in LABELS]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise BadData(
            f"{path} holds no judgements: {error!r}; wanted what 'twicetold lab judge agree --task {TASK} --json' prints"
        ) from None
    if strange:
        raise BadData(f"{path} has the label {strange[0]!r}; allowed are {', '.join(LABELS)}")
    return dict(judged)


# --- figures -------------------------------------------------------------------------------------------------------


def figures(lines: Sequence[Told], judged: Mapping[str, str]) -> dict[str, Any]:
    """Return the counts by kind and lane, how often a line's lane was right, and what another least worth would look up.

    What nobody judged is counted and left out of shares.
    """
    counts = {kind: _counts([line for line in lines if line.kind == kind]) for kind in KINDS}
    chosen = to_judge(lines)
    lanes = {lane: [line for line in chosen if line.lane is lane] for lane in Lane}
    shares = {lane.value: _judged(some, judged) for lane, some in lanes.items()}
    return {
        "lines": len(lines),
        "counts": counts,
        "judged": shares,
        "from_worth": {f"{worth:g}": _reached(lines, worth) for worth in WORTHS},
    }


def _reached(lines: Sequence[Told], worth: float) -> dict[str, float]:
    """Return which share of the annotated lines, and of all, would be looked up from this worth on."""
    parts = {"annotated": [line for line in lines if line.kind == "annotated"], "all": lines}
    return {name: sum(line.heard.worth >= worth for line in some) / max(len(some), 1) for name, some in parts.items()}


def _counts(lines: Sequence[Told]) -> dict[str, int]:
    by_lane = Counter("not looked up" if line.lane is None else line.lane.value for line in lines)
    named = Counter(f"{line.lane.value}, first named" for line in lines if line.lane is not None and line.is_named)
    names = ["not looked up", *(lane.value for lane in Lane), *(f"{lane.value}, first named" for lane in Lane)]
    both = by_lane + named
    return {"lines": len(lines)} | {name: both[name] for name in names}


def _judged(lines: Sequence[Told], judged: Mapping[str, str]) -> dict[str, Any]:
    labels = [("yes" if line.is_named else judged.get(line.unit, ""), line) for line in lines]
    known = [(label, line) for label, line in labels if label]
    counts = Counter(label for label, _ in known)
    helpful = counts["yes"] + counts["partly"]
    chances = [line.heard.ranking.decision.probability for _, line in known if line.heard.ranking and line.heard.ranking.decision]
    return {
        "lines": len(lines),
        "not judged": len(labels) - len(known),
        **{label: counts[label] for label in LABELS},
        "mean chance": sum(chances) / max(len(chances), 1),
        "right": counts["yes"] / max(len(known), 1),
        "right interval": wilson(counts["yes"], len(known)),
        "right or partly": helpful / max(len(known), 1),
        "right or partly interval": wilson(helpful, len(known)),
    }
