"""The sets that give typed rows rather than queries and fact-checks: where they lie, how many rows they should have, what to mind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twicetold_lab.datasets import checkworthy, coref, mtm, mythqa, reading, stance


@dataclass(frozen=True, slots=True)
class Family:
    """How to read a set of rows from a data root; `top` is the folder that must be there.

    `splits` are the publisher's, none where there are none; `licence` is as the publisher states it.
    """

    name: str
    top: str
    rows: Callable[[Path], Iterator[Any]]
    count: int
    splits: tuple[str, ...] = ()
    licence: str = "none stated"
    leaks: tuple[str, ...] = ()


def _at(path: str, read: Callable[[Path], Iterator[Any]]) -> Callable[[Path], Iterator[Any]]:
    return lambda root: read(root / path)


def _several(path: str, names: tuple[str, ...], read: Callable[[Path], Iterator[Any]]) -> Callable[[Path], Iterator[Any]]:
    return lambda root: (row for name in names for row in read(root / path.format(name)))


def _tweets(lang: str, code: str, *parts: str) -> Callable[[Path], Iterator[Any]]:
    def rows(root: Path) -> Iterator[Any]:
        for part in parts:
            yield from checkworthy.ct24_tweets(root / "checkworthy" / f"ct24-{lang}" / f"CT24_checkworthy_{lang}_{part}.tsv", code)

    return rows


def _lists(side: mtm.Side) -> Callable[[Path], Iterator[Any]]:
    return lambda root: (row for rows in mtm.all_candidates(root / "mtm", side).values() for row in rows)


_CLEF19, _CLEF20 = "checkworthy/clef2019-task1/", "checkworthy/clef2020-task5/v2/v2.0/training"
_ENGLISH = "checkworthy/ct24-english/CT24_checkworthy_english_{}.tsv"
_RUMOURS, _EMERGENT = "stance/rumoureval-2017", "stance/emergent/url-versions-2015-06-14-clean.csv"

_ALL, _GAP, _CLEF19_PARTS = ("train", "dev", "test"), ("development", "validation"), ("training", "test_annotated")
_RESEARCH = "research use"
_IN_CLAIMBUSTER = ("all but one of its sentences are claimbuster's",)

FAMILIES = (
    Family("mythqa", "mythqa", _at("mythqa/TweetMythQA.jsonl", mythqa.questions), 522, licence="MIT"),
    Family(
        "mtm-twitter candidates", "mtm", _lists("Twitter"), 2001, ("val", "test"), leaks=("answers stand in the last places of a list",)
    ),
    Family("mtm-weibo candidates", "mtm", _lists("Weibo"), 1192, ("val",), licence="research use, on application"),
    Family("fnc-1", "stance", _at("stance/fnc-1", stance.fnc1), 49_972, leaks=("holds 1,477 of Emergent's 2,514 headlines",)),
    Family("rumoureval-2017", "stance", _at(_RUMOURS, stance.rumoureval), 5_568, ("traindev", "test")),
    Family("semeval-2016-t6", "stance", _at("stance/semeval-2016-t6/semeval2016-task6-trainingdata.txt", stance.semeval2016), 2_814),
    Family("emergent", "stance", _at(_EMERGENT, stance.emergent), 2_595, leaks=("1,477 of its 2,514 headlines are in fnc-1",)),
    Family("perspectrum", "stance", _at("stance/perspectrum", stance.perspectrum), 11_822, ("train", "dev", "test"), "CC BY-SA 4.0"),
    Family("climate-fever", "stance", _at("stance/climate-fever/climate-fever.jsonl", stance.climate_fever), 7_675),
    Family("healthver", "stance", _at("stance/healthver", stance.healthver), 3_740, ("dev", "test")),
    Family(
        "covidfact", "stance", _at("stance/covidfact", stance.covidfact), 4_086, leaks=("refuted claims are true ones with a word swapped",)
    ),
    Family("scifact", "stance", _at("stance/covidfact", stance.scifact), 773, ("train", "dev")),
    Family("sick", "stance", _at("stance/sick/SICK.txt", stance.sick), 9_927),
    Family("mnli dev", "stance", _at("stance/nli-mix/mnli/dev.jsonl", stance.nli), 9_815, ("dev",)),
    Family("snli dev", "stance", _at("stance/nli-mix/snli/dev.jsonl", stance.nli), 9_842, ("dev",)),
    Family(
        "nli tests", "stance", _several("stance/nli-mix/{}/test.jsonl", ("anli", "rte", "scitail", "bizarro"), stance.nli), 9_693, ("test",)
    ),
    Family("tweetqa", "reading", _several("reading/tweetqa/{}.json", _ALL, reading.tweetqa), 13_757, _ALL),
    Family("squad2-half-dev", "reading", _at("reading/squad2-half-dev/dev-v2.0.json", reading.squad), 6_078, ("dev",)),
    Family(
        "claimbuster",
        "checkworthy",
        _at("checkworthy/claimbuster/combined.csv", checkworthy.claimbuster),
        23_533,
        leaks=("ClaimBuster_dev.tsv equals ClaimBuster_test.tsv", "its sentences are in ct24-english"),
    ),
    Family("clef-2019-task1", "checkworthy", _several(_CLEF19 + "{}", _CLEF19_PARTS, checkworthy.debates), 23_501, ("training", "test")),
    Family(
        "clef-2020-task5",
        "checkworthy",
        _at(_CLEF20, checkworthy.debates),
        42_776,
        ("training",),
        leaks=("labels 37 of the 120 test sentences of role-of-context",),
    ),
    Family(
        "ct24-english",
        "checkworthy",
        _several(_ENGLISH, ("train", "dev"), checkworthy.ct24_english),
        23_533,
        ("train", "dev"),
        _RESEARCH,
        _IN_CLAIMBUSTER,
    ),
    Family("ct24-arabic", "checkworthy", _tweets("arabic", "ar", "train", "dev"), 8_426, ("train", "dev"), _RESEARCH),
    Family("ct24-dutch", "checkworthy", _tweets("dutch", "nl", "train", "dev"), 1_247, ("train", "dev"), _RESEARCH),
    Family("ct24-spanish", "checkworthy", _tweets("spanish", "es", "dev"), 5_000, ("dev",), _RESEARCH),
    Family("gap", "coref", _several("coref/gap/gap-{}.tsv", _GAP, coref.gap), 2_454, _GAP, "Apache-2.0"),
    Family("litbank", "coref", _at("coref/litbank/coref/conll", coref.litbank), 100, licence="CC BY 4.0"),
)
