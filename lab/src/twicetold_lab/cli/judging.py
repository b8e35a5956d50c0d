"""`lab judge claims | report | pairs`: put the judged claims to a recipe, score what it answers, and say how judges agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from twicetold.cli.output import print_json
from twicetold.errors import BadData, BadInput
from twicetold.types import Claim, Ranking, from_json, to_json

_PATH = click.Path(path_type=Path)
_FOLDER = click.option(
    "--judgements", "folder", type=_PATH, default=Path("lab/judgements"), show_default=True, help="Folder of the judged pairs."
)
_PART = click.option("--part", type=click.Choice(["teach", "calibrate", "measure"]), default="measure", show_default=True)
_ROOT = click.option("--data-root", envvar="TWICETOLD_DATASETS", help="Folder of the public data sets (or TWICETOLD_DATASETS).")


@click.command(
    epilog="Examples:\n\n  twicetold lab judge claims --collection politifact --data-root datasets > claims.jsonl\n\n"
    "  twicetold --data politifact match --json --top 10 claims.jsonl > answers.jsonl"
)
@_FOLDER
@_PART
@click.option("--collection", type=click.Choice(["demo", "politifact", "fct"]), required=True, help="The collection they are asked over.")
@_ROOT
def claims(folder: Path, part: str, collection: str, data_root: str | None) -> None:
    """Print judged claims as JSON Lines, to be put to `match --json`."""
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.judged import files, texts

    wanted = {id: one for id, one in files.read_claims(folder).items() if one.part == part and one.collection == collection}
    is_all_ours = all(one.text for one in wanted.values())
    for claim in texts.claims(wanted, Path() if is_all_ours else found(data_root)).values():
        click.echo(json.dumps(to_json(Claim(claim.id, claim.text, said_by=claim.said_by, said_on=claim.said_on)), ensure_ascii=False))


@click.command(epilog="Examples:\n\n  twicetold lab judge report answers-*.jsonl --save results/judged.json")
@click.argument("answers", nargs=-1, required=True, type=_PATH)
@_FOLDER
@_PART
@click.option("--name", default="best", show_default=True, help="What the answers are called in the file that is saved.")
@click.option("--save", type=_PATH, help="Write the figures into this file too, beside those of other names.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def report(answers: tuple[Path, ...], folder: Path, part: str, name: str, save: Path | None, as_json: bool) -> None:
    """Score ANSWERS (rankings as `match --json` prints them) by the judged pairs of a part."""
    from twicetold_lab.judged import files
    from twicetold_lab.judged import report as scoring

    pairs = list(files.first_words(files.read_pairs(folder)).values())
    rankings = [ranking for path in answers for ranking in read_answers(path)]
    cases = scoring.cases(pairs, rankings, part)
    if not cases:
        raise BadInput(
            f"none of the {len(rankings)} answers is to a claim of the part {part}; print its claims by: twicetold lab judge claims"
        )
    figures = scoring.report(cases)
    if save is not None:
        _save(save, f"{part}/{name}", figures)
    if as_json:
        print_json(figures)
        return
    for what, figure in figures.items():
        click.echo(f"{what:<36} {_worded(figure)}")


@click.command(epilog="Examples:\n\n  twicetold lab judge pairs")
@_FOLDER
def pairs(folder: Path) -> None:
    """Say what has been judged: pairs and claims by part, relations, and how far two judges agree (Cohen's kappa)."""
    from twicetold_lab.judged import agreement, files

    print_json(agreement.summary(files.read_claims(folder), files.read_pairs(folder)))


def read_answers(path: Path) -> list[Ranking]:
    """Read rankings from JSON Lines."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {path}: {error}") from None
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(from_json(Ranking, json.loads(line)))
        except ValueError:
            raise BadData(f"{path}, line {number}: not JSON; wanted what `twicetold match --json` prints") from None
    return found


def _save(path: Path, name: str, figures: dict[str, Any]) -> None:
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    known[name] = figures
    path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _worded(figure: Any) -> str:
    if not isinstance(figure, dict):
        return str(figure)
    if "share" in figure and figure["share"] is None:
        return "of none"
    if "share" in figure:
        return f"{figure['share']:.1%} [{figure['low']:.1%}, {figure['high']:.1%}]  ({figure['count']} of {figure['of']})"
    return ", ".join(f"{key} {_area(value)}" for key, value in figure.items())


def _area(value: Any) -> str:
    return f"{value['area']:.3f} [{value['low']:.3f}, {value['high']:.3f}]" if isinstance(value, dict) and "area" in value else str(value)
