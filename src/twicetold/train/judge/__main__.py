"""`python -m twicetold.train.judge NAME`: judge a model and record the result with the command, the commit and the data."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from twicetold.models import open_folder, shipped

NAMES = ("encoder", "reranker", "stance", "reader", "checkworthy")


@click.command()
@click.argument("name", type=click.Choice(NAMES))
@click.option("--data-root", envvar="TWICETOLD_DATASETS", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--model", type=click.Path(path_type=Path), help="Folder of the model; the shipped one if not given.")
@click.option("--encoder", type=click.Path(path_type=Path), help="Folder of the encoder it works with; the shipped one if not given.")
@click.option("--baseline", type=click.Path(path_type=Path), help="Folder of MiniLM as it comes, for judging the encoder.")
@click.option("--only", default="", help="Judge the encoder only on sets with this in their name.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("results/models"), show_default=True)
def main(name: str, data_root: Path, model: Path | None, encoder: Path | None, baseline: Path | None, only: str, out: Path) -> None:
    """Judge a shipped model on what it never saw, and write OUT/NAME.json."""
    folder, used = model or shipped(name), encoder or shipped("encoder")
    scores = _judge(name, data_root, folder, used, baseline, only)
    record = {"model": name, "version": open_folder(folder).version, "scores": scores, **_provenance()}
    out.mkdir(parents=True, exist_ok=True)
    suffix = f"-{only.replace('/', '-')}" if only else ""
    (out / f"{name}{suffix}.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    click.echo(json.dumps(scores, indent=1, ensure_ascii=False))


def _judge(name: str, root: Path, folder: Path, used: Path, baseline: Path | None, only: str) -> dict[str, Any]:
    if name == "encoder":
        from twicetold.train.judge import encoder

        if baseline is None:
            raise click.UsageError("judging the encoder needs --baseline, a folder with MiniLM as it comes")
        return encoder.judge(root, folder, baseline, only=only)
    if name == "reranker":
        from twicetold.train.judge import reranker

        return reranker.judge(root, folder, used)
    if name == "stance":
        from twicetold.train.judge import stance

        return stance.judge(root, folder)
    if name == "reader":
        from twicetold.train.judge import reader

        return reader.judge(root, folder)
    from twicetold.train.judge import checkworthy

    return checkworthy.judge(root, folder, used)


def _provenance() -> dict[str, str]:
    asked = " ".join(["python -m twicetold.train.judge", *[part for part in sys.argv[1:] if not part.startswith("/")]])
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    return {"command": asked, "commit": commit, "day": datetime.now(UTC).date().isoformat(), "processor": platform.machine()}


if __name__ == "__main__":
    main()
