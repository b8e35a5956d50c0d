"""`twicetold train NAME`: make the shipped models again, from public data and published base weights."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from twicetold.errors import BadData, BadInput, MissingExtra
from twicetold.models import shipped

_JUDGEMENTS = Path("lab/judgements")
"""Where a checkout keeps the judged pairs."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user asked of a training; `steps` is None for the training's own number, `start` for the trunk it ships with."""

    data_root: Path
    work: Path
    steps: int | None
    seed: int
    resume: bool
    start: Path | None = None
    cache: Path | None = None

    @property
    def collections(self) -> Path:
        """Where indexed corpora are kept for the next training."""
        return self.cache or self.work / "collections"

    @property
    def encoder_training(self) -> Path:
        """Where the encoder's training leaves its pairs and checkpoint. Other trainings start there, or from the shipped encoder."""
        return self.work / "encoder" / "training"

    @property
    def loop(self) -> dict[str, Any]:
        """The options that all trainings with a loop take."""
        own = {} if self.steps is None else {"steps": self.steps}
        return {"seed": self.seed, "resume": self.resume, **own}


def _encoder(asked: Asked) -> None:
    from twicetold_lab.train import encoder

    encoder.train(asked.data_root, asked.work / "encoder", **asked.loop)


def _minilm(asked: Asked) -> None:
    """Nothing is learnt: the weights all trainings start from, written as our encoder is, for measuring what training adds."""
    import shutil

    from twicetold.models import shipped
    from twicetold_lab.train.base_weights import find_base
    from twicetold_lab.train.encoder import export
    from twicetold_lab.train.trunk import read_trunk

    folder = asked.work / "minilm"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(shipped("tokenizer.json"), folder)
    export(read_trunk(find_base()), folder)


def _static(asked: Asked) -> None:
    from twicetold_lab.train import static
    from twicetold_lab.train.pairs import english_bodies

    trained = asked.start or asked.work / "encoder"
    texts = english_bodies(asked.data_root, limit=20_000)
    static.train(texts, asked.work / "static", encoder=trained if asked.start or (trained / "model.onnx").is_file() else None)


def _checkworthy(asked: Asked) -> None:
    from twicetold_lab.train import checkworthy

    trained = asked.work / "encoder"
    encoder = trained if (trained / "model.onnx").is_file() else None
    checkworthy.train(asked.data_root, asked.work / "checkworthy", encoder=encoder, seed=asked.seed)


def _reranker(asked: Asked) -> None:
    from twicetold_lab.train import reranker

    reranker.train(asked.data_root, asked.work / "reranker", encoder_training=asked.encoder_training, **asked.loop)


def _stance(asked: Asked) -> None:
    from twicetold_lab.train import stance

    stance.train(asked.data_root, asked.work / "stance", stance.untrained(asked.encoder_training, asked.start), **asked.loop)


def _reader(asked: Asked) -> None:
    from twicetold_lab.train import reader

    reader.train(asked.data_root, asked.work / "reader", encoder_training=asked.encoder_training, **asked.loop)


def _coref(asked: Asked) -> None:
    from twicetold_lab.train import coref

    coref.train(asked.data_root, asked.work / "coref", seed=asked.seed)


def _debate(asked: Asked) -> None:
    from twicetold_lab.train import debate

    debate.train(asked.data_root, asked.work / "debate", cache=asked.collections, seed=asked.seed)


def _hops(asked: Asked) -> None:
    from twicetold_lab.train import hops
    from twicetold_lab.train.graphs import read

    hops.train(read(asked.data_root, asked.collections), asked.work / "hops", start=asked.start, **asked.loop)


def _mtm(asked: Asked) -> None:
    from twicetold_lab.train.mtm import run
    from twicetold_lab.train.mtm.start import from_folder, from_reranker

    start = from_reranker() if asked.start is None else from_folder(asked.start)
    run.train(asked.data_root, asked.work / "mtm", start=start, **asked.loop)


def _hybrid(asked: Asked) -> None:
    from twicetold_lab.train import hybrid

    hybrid.train(asked.data_root, asked.work / "hybrid", work=asked.collections)


def _ranksvm(asked: Asked) -> None:
    from twicetold_lab.train import best

    best.train_ranksvm(asked.data_root, asked.work / "ranksvm", work=asked.collections)


def _best(asked: Asked) -> None:
    from twicetold_lab.train import best

    best.train(asked.data_root, asked.work / "best", work=asked.collections)


def _decide(asked: Asked) -> None:
    from twicetold_lab.train import decide

    trained = asked.work / "best"
    blend = trained if (trained / "blend.json").is_file() else None
    decide.train(asked.data_root, asked.work / "decide", work=asked.collections, blend=blend)


def _pairs(asked: Asked) -> None:
    from twicetold_lab.train import pair_training

    course = (
        pair_training.Course(seed=asked.seed) if asked.steps is None else pair_training.Course(asked.steps, asked.steps, seed=asked.seed)
    )
    pair_training.train(asked.data_root, asked.work / "pairs", _JUDGEMENTS, course=course, resume=asked.resume)


def _judging(asked: Asked) -> None:
    """The grades of pairs and the lanes of claims, over the pair reader trained in OUT, or the shipped one."""
    from twicetold_lab.train import judging

    trained = asked.work / "pairs"
    reader = trained if (trained / "model.onnx").is_file() else None
    judging.train(asked.data_root, asked.work, _JUDGEMENTS, cache=asked.collections, reader=reader)


def _quick(asked: Asked) -> None:
    from twicetold_lab.train import quick

    quick.train(asked.data_root, asked.work / "quick", work=asked.collections, seed=asked.seed)


TRAININGS: dict[str, Callable[[Asked], None]] = {
    "encoder": _encoder,
    "minilm": _minilm,
    "static": _static,
    "checkworthy": _checkworthy,
    "reranker": _reranker,
    "stance": _stance,
    "reader": _reader,
    "coref": _coref,
    "debate": _debate,
    "hops": _hops,
    "mtm": _mtm,
    "hybrid": _hybrid,
    "ranksvm": _ranksvm,
    "best": _best,
    "decide": _decide,
    "quick": _quick,
    "pairs": _pairs,
    "judging": _judging,
}


WITHOUT_TORCH = frozenset(["judging", "hybrid", "ranksvm", "best", "decide", "quick", "debate"])


@click.command(epilog="Examples:\n\n  twicetold train encoder --data-root data\n\n  twicetold train reranker --data-root data --resume")
@click.argument("name", type=click.Choice(list(TRAININGS)))
@click.option("--data-root", envvar="TWICETOLD_DATASETS", type=click.Path(path_type=Path), help="Folder of research data sets.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("twicetold-training"), show_default=True, help="Where models go.")
@click.option("--steps", type=click.IntRange(min=1), help="Optimiser steps, if not the number the shipped model was made with.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint.")
@click.option("--cache", envvar="TWICETOLD_CACHE", type=click.Path(path_type=Path), help="Keep indexed corpora here, as `eval` does.")
@click.option(
    "--start",
    type=click.Path(path_type=Path),
    help="Model folder to start from: a BERT-like one for mtm, an encoder for static, a stance model for stance and hops.",
)
def train(
    name: str, data_root: Path | None, out: Path, steps: int | None, seed: int, resume: bool, cache: Path | None, start: Path | None
) -> None:
    """Train one of the shipped models again.

    The model folder is written to OUT/NAME, checkpoints and the log to OUT/NAME/training. Those with a trunk start from the encoder
    trained in OUT, or from the shipped one; `minilm` only writes the published weights that `encoder` starts from. Progress goes to
    standard error.
    """
    if start is not None and name not in ("mtm", "static", "stance", "hops"):
        raise BadInput(f"--start goes with the trainings mtm, static, stance and hops; {name} has a start of its own")
    if data_root is None:
        raise BadInput("no folder of research data: give --data-root DIR or set TWICETOLD_DATASETS")
    if not data_root.is_dir():
        raise BadData(
            f"no research data at {data_root}: unpack the data sets there (docs/models.md lists them), or give another --data-root"
        )
    if name not in WITHOUT_TORCH and importlib.util.find_spec("torch") is None:
        raise MissingExtra("training", "train", package="twicetold-lab")
    out.mkdir(parents=True, exist_ok=True)
    shutil.copy(shipped("tokenizer.json"), out)  # shared by all models in the folder
    TRAININGS[name](Asked(data_root, out, steps, seed, resume, start, cache))
