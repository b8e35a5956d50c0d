"""Vo & Lee 2020, PolitiFact side: tweets (with the text of their images), articles as lists of sentences, 100 candidates each.

Nguyen Vo and Kyumin Lee, "Where Are the Facts?", EMNLP 2020. The whole claim-to-article set on which article rerankers can be
trained without asking the authors for texts.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twicetold.errors import BadData
from twicetold.types import Claim, FactCheck, natural
from twicetold_lab.datasets.dataset import Dataset
from twicetold_lab.datasets.layout import field, json_file, opened, quoted


@dataclass(frozen=True, slots=True)
class Tweet:
    """A tweet as crawled, as tokenised by the publisher, and the texts read from its images."""

    id: str
    raw: str
    processed: str
    images: tuple[str, ...]

    @property
    def text(self) -> str:
        """The tweet and the text of its images, as MTM's claims have them."""
        return " ".join([self.raw, *self.images])


def checks(folder: Path) -> Iterator[FactCheck]:
    """Read the articles in the order of their numbers, which are their ids; the body has one of the publisher's sentences a line."""
    numbers = json_file(folder / "article_mapped.json")
    path = folder / "articles_content.json"
    articles = json_file(path)
    for url, number in sorted(numbers.items(), key=lambda pair: int(pair[1])):
        if url not in articles:
            raise BadData(f"{path} lacks the article {url}")
        yield _check(str(number), url, articles[url], path)


def _check(id: str, url: str, record: Mapping[str, Any], path: Path) -> FactCheck:
    sentences = record.get("body-text")
    if not isinstance(sentences, list):
        raise BadData(f"{path}: the article {url} has no list 'body-text'")
    return FactCheck(
        id,
        claim=field(record, "claim", path),
        title=field(record, "headerTitle", path),
        body="\n".join(" ".join(str(sentence).split()) for sentence in sentences),
        url=url,
        publisher="PolitiFact",
    )


def without_answers(check: FactCheck) -> FactCheck:
    """Drop the publisher's own statement of the claim and its headline: with them a match is given away (Sheng et al. 2021)."""
    return dataclasses.replace(check, claim="", title="")


def tweets(folder: Path) -> Iterator[Tweet]:
    """Read the tweets in the order of their numbers, which are their ids here (the keys of `query.negatives`)."""
    numbers = json_file(folder / "query_mapped.json")
    path = folder / "queries_content.json"
    contents = json_file(path)
    for key, number in sorted(numbers.items(), key=lambda pair: int(pair[1])):
        if key not in contents:
            raise BadData(f"{path} lacks the tweet {key}")
        record = contents[key]
        images = tuple(str(image.get("text_for_the_image") or "").strip() for image in record.get("Images_in_tweet", {}).values())
        yield Tweet(
            str(number),
            field(record, "OriginalTweetContent_Raw", path),
            field(record, "OriginalTweetContent_Processed", path),
            tuple(text for text in images if text),
        )


def load(folder: Path) -> Dataset:
    """Load the PolitiFact side, with the articles stripped of their answers (`without_answers`).

    The publisher ships no split of it. `train`, `dev`, `test` are 80, 10 and 10 of 100 tweets at random, as published experiments
    split; `unseen/train`, `unseen/dev`, `unseen/test` keep all tweets of an article together, so that a test article was never
    trained on.
    """
    folder = folder / "Politifact"
    claims = tuple(Claim(tweet.id, tweet.text) for tweet in tweets(folder))
    judged: dict[str, dict[str, int]] = {}
    for query, doc in quoted(folder / "query_article_interaction.csv", ",", columns=2):
        judged.setdefault(query, {})[doc] = 1
    parts = _random_split([claim.id for claim in claims]) | _unseen_split(judged)

    def source() -> Iterator[FactCheck]:
        return map(without_answers, checks(folder))

    return Dataset("volee2020", source, claims, judged, parts, candidates=_candidates(folder / "query.negatives"), files=(folder,))


def _candidates(path: Path) -> dict[str, tuple[str, ...]]:
    """Read `query.negatives`: a query, then `document:label` cells. Candidates are sorted by id: the file puts the answers first."""
    found: dict[str, tuple[str, ...]] = {}
    with opened(path) as file:
        for number, line in enumerate(file, start=1):
            query, *cells = line.split()
            if not cells or not all(":" in cell for cell in cells):
                raise BadData(f"{path}, line {number}: expected 'query document:label …', got {line.strip()!r:.80}")
            found[query] = tuple(sorted((cell.partition(":")[0] for cell in cells), key=natural))
    return found


def _random_split(ids: list[str]) -> dict[str, tuple[str, ...]]:
    drawn = sorted(ids, key=natural)
    random.Random(0).shuffle(drawn)
    eighty, ninety = int(0.8 * len(drawn)), int(0.9 * len(drawn))
    return _ordered({"train": drawn[:eighty], "dev": drawn[eighty:ninety], "test": drawn[ninety:]})


def _unseen_split(judged: Mapping[str, Mapping[str, int]]) -> dict[str, tuple[str, ...]]:
    """Deal whole groups of tweets, joined by shared articles, to train, dev and test in the shares 80, 10, 10."""
    leader: dict[str, str] = {}

    def find(doc: str) -> str:
        while leader.setdefault(doc, doc) != doc:
            doc = leader[doc]
        return doc

    for docs in judged.values():
        first, *rest = sorted(docs, key=natural)
        find(first)
        for doc in rest:
            leader[find(doc)] = find(first)
    groups: dict[str, list[str]] = {}
    for query, docs in judged.items():
        groups.setdefault(find(min(docs, key=natural)), []).append(query)
    order = sorted(groups, key=natural)
    random.Random(0).shuffle(order)
    dealt: dict[str, list[str]] = {"unseen/train": [], "unseen/dev": [], "unseen/test": []}
    shares = {"unseen/train": 0.8, "unseen/dev": 0.1, "unseen/test": 0.1}
    for group in order:
        neediest = min(shares, key=lambda part: len(dealt[part]) / shares[part])
        dealt[neediest] += groups[group]
    return _ordered(dealt)


def _ordered(parts: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sorted(ids, key=natural)) for name, ids in parts.items()}
