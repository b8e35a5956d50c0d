"""Public labelled pairs that the pair reader learns from first: inference, paraphrase, verification and contrast sets.

Every set is read in its publisher's layout from the bundle `pairs`. A pair is (statement, text): of inference sets the hypothesis comes
first, as the claim does later. Parts that measure stay out: MNLI's development parts, SciTail's, a fifth of PAWS and of VaccineLies (by
a hash of the text), and the negation sets. Nothing here trains.
"""

from __future__ import annotations

import ast
import csv
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

csv.field_size_limit(1 << 24)

STANCES = ("supports", "refutes", "neutral")
_NLI = {
    **{"entailment": 0, "e": 0, "SUPPORTS": 0, "entails": 0},
    **{"contradiction": 1, "c": 1, "REFUTES": 1},
    **{"neutral": 2, "n": 2, "NOT ENOUGH INFO": 2},
}
_MOST_CHARS = 420


@dataclass(frozen=True, slots=True)
class PublicPair:
    """A statement and a text: `stance` is a place in STANCES or -1, `same` 1, 0 or -1 where the set does not say."""

    first: str
    second: str
    stance: int = -1
    same: int = -1


def is_kept_out(text: str, *, share: float = 0.2) -> bool:
    """Return whether a text belongs to the part that measures, by a hash of its letters."""
    letters = re.sub(r"\W+", "", text.casefold())
    return int(hashlib.sha256(letters.encode()).hexdigest()[:8], 16) / 16**8 < share


def _json_lines(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def _table(path: Path, delimiter: str = ",", *, is_quoted: bool = True) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if is_quoted else csv.QUOTE_NONE)


def _inference(rows: Iterable[dict[str, object]]) -> Iterator[PublicPair]:
    for row in rows:
        label = _NLI.get(str(row["label"]))
        if label is not None:
            yield PublicPair(str(row["hypothesis"]), str(row["premise"]), stance=label)


def natural_instructions(folder: Path) -> Iterator[PublicPair]:
    """SNLI and MNLI training parts, PAWS, QQP and AFS as the Natural Instructions repository holds them."""
    same = {"Paraphrase": 1, "Yes": 1, "Similar": 1}
    for row in _json_lines(folder / "ni_pairs.jsonl"):
        source, one, other, label = (str(row[name]) for name in ("src", "text1", "text2", "label"))
        if source in ("snli", "mnli"):
            yield PublicPair(other, one, stance=_NLI[label])
        elif source in ("qqp", "afs") or (source == "paws" and not is_kept_out(one)):
            yield PublicPair(one, other, same=same.get(label, 0))


def lingnli(folder: Path) -> Iterator[PublicPair]:
    """LingNLI's training rounds, all protocols."""
    for path in sorted(folder.glob("NLI_data__*__train_*.jsonl")):
        yield from _inference(_json_lines(path))


_PROMPT = re.compile(r'^For the statement, "(.*)", does the hypothesis "(.*)" represent', re.DOTALL)


def mnli_parts(folder: Path) -> Iterator[PublicPair]:
    """Parts of MNLI's training set that two repositories hold inside prompts."""
    for row in _table(folder / "data__mnli_train.csv"):
        found = _PROMPT.match(row["Question"])
        if found and row["Answer"] in _NLI:
            yield PublicPair(found[2].strip(), found[1].strip(), stance=_NLI[row["Answer"]])
    for record in json.loads((folder / "CL_Benchmark__NLI__MNLI__train.json").read_text(encoding="utf-8")):
        premise, _, hypothesis = record["sentence"].removeprefix("sentence 1: ").partition("\nsentence 2: ")
        yield PublicPair(hypothesis, premise, stance=_NLI[record["label"]])


def wanli(folder: Path) -> Iterator[PublicPair]:
    """WANLI, and the hard SNLI rows of the same repository."""
    for path in sorted(folder.glob("data__input__*_spans.jsonl")):
        yield from _inference(_json_lines(path))


def semi_automatic(folder: Path) -> Iterator[PublicPair]:
    """The parts of semi-automatic NLI whose contradictions are contradictions."""
    for name in ("base_news", "base_wiki", "translate_wiki"):
        yield from _inference(_json_lines(folder / f"data__{name}__train.jsonl"))


def fever(folder: Path) -> Iterator[PublicPair]:
    """FEVER claims with their evidence sentences, and the symmetric set."""
    for name in ("eval", "test"):
        for row in _table(folder / f"data__vanilla_wiki_data__{name}_data_vanilla.csv"):
            if row["label"] in ("1", "2"):
                evidence = " ".join(str(one) for one in ast.literal_eval(row["evidence"]))
                yield PublicPair(row["claim"], evidence, stance=int(row["label"]) - 1)
    for name in ("dev", "test"):
        for record in _json_lines(folder / f"symmetric_v0.2__fever_symmetric_{name}.jsonl"):
            label = _NLI.get(str(record.get("label") or record.get("gold_label")))
            if label is not None:
                yield PublicPair(str(record["claim"]), str(record.get("evidence") or record.get("evidence_sentence")), stance=label)


def cad_snli(folder: Path) -> Iterator[PublicPair]:
    """SNLI rows rewritten by as few words as change the label."""
    for name in ("train", "dev", "test"):
        for row in _table(folder / f"NLI__all_combined__{name}.tsv", "\t", is_quoted=False):
            if row["gold_label"] in _NLI:
                yield PublicPair(row["sentence2"], row["sentence1"], stance=_NLI[row["gold_label"]])


def twitter_url(folder: Path) -> Iterator[PublicPair]:
    """Tweets on the same link: the same statement, or the same topic only."""
    parts = [(folder / f"twitterPPDB__train__{name}").read_text(encoding="utf-8").splitlines() for name in ("a.toks", "b.toks", "sim.txt")]
    for one, other, same in zip(*parts, strict=True):
        yield PublicPair(one, other, same=int(same))


def mrpc(folder: Path) -> Iterator[PublicPair]:
    """News sentences that say the same or nearly."""
    for name in ("train", "test"):
        for row in _table(folder / f"dataset__msr-paraphrase-corpus__msr_paraphrase_{name}.txt", "\t", is_quoted=False):
            if row["#2 String"]:
                yield PublicPair(row["#1 String"], row["#2 String"], same=int(row["Quality"]))


def vaccinelies(folder: Path) -> Iterator[PublicPair]:
    """Tweets and the misinformation they may spread; a fifth of the targets is kept out. Not relevant: neutral."""
    stance = {"2": 0, "3": 1, "0": 2, "1": 2}
    for row in _table(folder / "datasets__127_VaccineLies__preprocessed.csv"):
        if not is_kept_out(row["target"]):
            yield PublicPair(row["target"], row["text"], stance=stance[row["label"]])


def wikifactcheck(folder: Path) -> Iterator[PublicPair]:
    """A claim and its refuted twin contradict each other, and so each other's words are nearly the same."""
    for row in _table(folder / "wfc_dev.tsv", "\t"):
        yield PublicPair(row["refuted"], row["claim"], stance=1, same=0)


READERS: dict[str, Callable[[Path], Iterator[PublicPair]]] = {
    "natural_instructions": natural_instructions,
    "lingnli": lingnli,
    "mnli_parts": mnli_parts,
    "wanli_disco": wanli,
    "semi_auto_nli": semi_automatic,
    "fever": fever,
    "cad_snli": cad_snli,
    "twitter_url": twitter_url,
    "mrpc": mrpc,
    "vaccinelies": vaccinelies,
    "wikifactcheck": wikifactcheck,
}


def read(root: Path) -> dict[str, list[PublicPair]]:
    """Read every set below `root` (the bundle `pairs`), without repeats and without what measures or is far too long."""
    kept_out = {_key(pair.first, pair.second) for pair in mnli_development(root / "mnli_parts")}
    found: dict[str, list[PublicPair]] = {}
    seen: set[int] = set()
    for name, reader in READERS.items():
        found[name] = []
        for pair in reader(root / name):
            key = _key(pair.first, pair.second)
            if key in seen or key in kept_out or not pair.first.strip() or not pair.second.strip():
                continue
            seen.add(key)
            if len(pair.first) + len(pair.second) <= _MOST_CHARS:
                found[name].append(pair)
    return found


def mnli_development(folder: Path) -> Iterator[PublicPair]:
    """MNLI's development parts, which measure."""
    return _inference(_table(folder / "nli_datasets__mnli__dev.csv"))  # type: ignore[arg-type]


def _key(one: str, other: str) -> int:
    return hash(tuple(sorted((re.sub(r"\W+", "", one.casefold()), re.sub(r"\W+", "", other.casefold())))))
