"""`python -m twicetold_lab.train.judge NAME`: judge a model and record the result with the command, the commit and the data."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from twicetold.models import open_folder, shipped


@dataclass(frozen=True, slots=True)
class Asked:
    """What to judge, with what beside it."""

    root: Path
    model: Path
    encoder: Path
    baseline: Path | None
    work: Path | None
    only: str


def _encoder(asked: Asked) -> dict[str, Any]:
    from twicetold_lab.train.judge import encoder

    if asked.baseline is None:
        raise click.UsageError("judging the encoder needs --baseline, a folder with MiniLM as it comes (twicetold train minilm)")
    return encoder.judge(asked.root, asked.model, asked.baseline, only=asked.only)


def _speed(asked: Asked) -> dict[str, Any]:
    from twicetold_lab.crossencoder import CrossEncoder
    from twicetold_lab.train.judge import encoder, reranker

    return {
        "encoder, sentences a second on one thread": encoder.speed(asked.root, asked.encoder),
        "reranker, milliseconds for 20 pairs of 96 tokens": reranker.speed(CrossEncoder.load()),
    }


def _reranker(asked: Asked) -> dict[str, Any]:
    from twicetold_lab.train.judge import reranker

    return reranker.judge(asked.root, asked.model, asked.encoder)


def _losses(asked: Asked) -> dict[str, Any]:
    from twicetold_lab.train.judge import losses

    if asked.work is None:
        raise click.UsageError("comparing losses needs --work, the folder that `twicetold train encoder --out` wrote to")
    return losses.judge(asked.root, asked.work, asked.encoder)


def _stance(asked: Asked) -> dict[str, Any]:
    from twicetold_lab.train.judge import stance

    return stance.judge(asked.root, asked.model)


def _reader(asked: Asked) -> dict[str, Any]:
    from twicetold_lab.train.judge import reader

    return reader.judge(asked.root, asked.model)


def _checkworthy(asked: Asked) -> dict[str, Any]:
    from twicetold_lab.train.judge import checkworthy

    return checkworthy.judge(asked.root, asked.model, asked.encoder)


def _static(asked: Asked) -> dict[str, Any]:
    from twicetold_lab.train.judge import static

    return static.judge(asked.root, asked.model, asked.encoder)


JUDGES: dict[str, Callable[[Asked], dict[str, Any]]] = {
    "encoder": _encoder,
    "reranker": _reranker,
    "losses": _losses,
    "speed": _speed,
    "stance": _stance,
    "reader": _reader,
    "checkworthy": _checkworthy,
    "static": _static,
}


_SHIPPED = {"losses": "reranker", "speed": "encoder"}
"""Which model is judged where the name is not the model's."""


@click.command()
@click.argument("name", type=click.Choice(list(JUDGES)))
@click.option("--data-root", envvar="TWICETOLD_DATASETS", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--model", type=click.Path(path_type=Path), help="Folder of the model; the shipped one if not given.")
@click.option("--encoder", type=click.Path(path_type=Path), help="Folder of the encoder it works with; the shipped one if not given.")
@click.option("--baseline", type=click.Path(path_type=Path), help="Folder of MiniLM as it comes, for judging the encoder.")
@click.option("--work", type=click.Path(path_type=Path), help="For losses: the folder that holds the encoder's training.")
@click.option("--only", default="", help="Judge the encoder only on sets with this in their name.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("results/models"), show_default=True)
def main(name: str, data_root: Path, model: Path | None, encoder: Path | None, out: Path, only: str, **beside: Path | None) -> None:
    """Judge a shipped model on what it never saw, and write OUT/NAME.json."""
    folder = model or shipped(_SHIPPED.get(name, name))
    asked = Asked(data_root, folder, encoder or shipped("encoder"), beside["baseline"], beside["work"], only)
    scores = JUDGES[name](asked)
    record = {"model": name, "version": open_folder(folder).version, "scores": scores, **_provenance()}
    out.mkdir(parents=True, exist_ok=True)
    suffix = f"-{only.replace('/', '-')}" if only else ""
    (out / f"{name}{suffix}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    click.echo(json.dumps(scores, indent=1, ensure_ascii=False))


def _provenance() -> dict[str, str]:
    asked = " ".join(["python -m twicetold_lab.train.judge", *[part for part in sys.argv[1:] if not part.startswith("/")]])
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    return {"command": asked, "commit": commit, "day": datetime.now(UTC).date().isoformat(), "processor": platform.machine()}


if __name__ == "__main__":
    main()
