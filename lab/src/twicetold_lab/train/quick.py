"""Learn the weights of the quick look (`batch.quick`) from tweets and the fact-checks that answer them.

The order is learnt from pairs of a right and a wrong candidate of the same tweet (logistic loss on their difference). The chance of an
answer is learnt from those tweets and from other people's tweets that the collection does not answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from twicetold.batch.quick import NAMES, Array, Looked, Snapshot, Weights
from twicetold.collection import Settings
from twicetold.errors import BadData
from twicetold.find import prepare
from twicetold.index.encoder import NO_ENCODER
from twicetold.models import FORMAT, write_sums
from twicetold.types import Claim
from twicetold_lab import datasets
from twicetold_lab.experiment import collection_of

ON = "checkthat-2020-task2/train"
UNANSWERED = "reading/tweetqa/train.json"
_MOST_UNANSWERED = 800


def train(data_root: Path, out: Path, *, work: Path, seed: int = 0) -> Weights:
    """Learn, write `weights.json` to `out` and return the weights. Needs scikit-learn."""
    dataset = datasets.load_part(ON, data_root)
    with collection_of(dataset, Settings(NO_ENCODER), cache=work) as collection:
        snapshot = Snapshot(collection)
        ids = {num: check.id for num, _, check in collection.store.since(0) if check is not None}
        looked = list(snapshot.look([prepare(claim) for claim in dataset.claims]))
        right = [
            np.array([dataset.qrels.get(claim.id, {}).get(ids[int(num)], 0) > 0 for num in snapshot.nums[one.places]])
            for claim, one in zip(dataset.claims, looked, strict=True)
        ]
        others = list(snapshot.look([prepare(claim) for claim in _unanswered(data_root)]))
    signals = _order(looked, right, seed)
    learnt = Weights(signals, _chance(signals, looked, others))
    write(out, learnt)
    return learnt


def _unanswered(data_root: Path) -> list[Claim]:
    file = data_root / UNANSWERED
    try:
        records = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadData(f"cannot read {file} ({error}); it holds the tweets that no fact-check answers") from None
    texts = list(dict.fromkeys(record["Tweet"] for record in records))[:_MOST_UNANSWERED]
    return [Claim(str(number), text) for number, text in enumerate(texts)]


def _order(looked: Sequence[Looked], right: Sequence[Array], seed: int) -> Array:
    from sklearn.linear_model import LogisticRegression

    pairs = [one.rows[answers][:, None] - one.rows[~answers][None] for one, answers in zip(looked, right, strict=True) if answers.any()]
    differences = np.concatenate([pair.reshape(-1, len(NAMES)) for pair in pairs])
    spread = np.concatenate([one.rows for one in looked]).std(axis=0)
    # Either end of a pair may stand first: without both signs there would be one class only.
    sign = np.where(np.random.default_rng(seed).random(len(differences)) < 0.5, 1, -1)
    model = LogisticRegression(C=1.0, fit_intercept=False, max_iter=1000).fit(differences / spread * sign[:, None], sign)
    return np.asarray(model.coef_[0] / spread)


def _chance(signals: Array, answered: Sequence[Looked], others: Sequence[Looked]) -> Array:
    from sklearn.linear_model import LogisticRegression

    rows = []
    for one in (*answered, *others):
        scores = np.sort(one.rows @ signals)[::-1]
        rows.append((scores[0], scores[0] - scores[1]))
    is_answered = np.arange(len(rows)) < len(answered)
    model = LogisticRegression(C=10.0, class_weight="balanced").fit(np.array(rows), is_answered)
    return np.array([*model.coef_[0], model.intercept_[0]])


def write(out: Path, learnt: Weights) -> None:
    """Write `weights.json` and its checksum."""
    out.mkdir(parents=True, exist_ok=True)
    signals = {name: round(float(weight), 4) for name, weight in zip(NAMES, learnt.signals, strict=True)}
    record = {
        "format": FORMAT,
        "weights": signals,
        "chance": [round(float(one), 4) for one in learnt.chance],
        "learnt from": [ON, UNANSWERED],
    }
    (out / "weights.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    write_sums(out)
