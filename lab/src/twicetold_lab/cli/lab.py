"""The group lab: check an unpacked data root, draw pictures, rebuild the manifest of roles, and judging by several people."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from twicetold.cli.output import Console, print_json
from twicetold.errors import BadData, BadInput
from twicetold_lab.cli.debates import debates, lanes
from twicetold_lab.cli.judging import claims, pairs, report
from twicetold_lab.cli.known_lie import known_lie
from twicetold_lab.cli.mining import mining
from twicetold_lab.cli.mtm import gather, mtm

_PATH = click.Path(path_type=Path)
_ROOT = click.option("--data-root", envvar="TWICETOLD_DATASETS", help="Folder of the public data sets (or TWICETOLD_DATASETS).")


@click.group(epilog="Examples:\n\n  twicetold lab check --data-root datasets\n\n  twicetold lab plot --help")
def lab() -> None:
    """Tools of the laboratory: check data, draw pictures, judge together."""


@lab.command(epilog="Examples:\n\n  twicetold lab check --data-root datasets\n\n  TWICETOLD_DATASETS=datasets twicetold lab check --json")
@_ROOT
@click.option("--json", "as_json", is_flag=True, help="One JSON object for each set.")
def check(data_root: str | None, as_json: bool) -> None:
    """Verify an unpacked data root: counts, judged fact-checks that are missing, duplicates. A bad set is exit code 3."""
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.verify import Health, verify

    bad = []
    for one in verify(found(data_root)):
        if as_json:
            print_json({"set": one.name, "health": one.health.value, "said": one.said})
        else:
            click.echo(f"{one.health:<7} {one.name:<24} {one.said}")
        bad += [one.name] if one.health is Health.BAD else []
    if bad:
        raise BadData(f"{len(bad)} sets are not as published: {', '.join(bad)}; unpack them anew")


@lab.command(
    epilog="Examples:\n\n  twicetold lab build --data-root datasets\n\n  twicetold lab build --data-root datasets --write roles.txt"
)
@_ROOT
@click.option("--write", "out", type=_PATH, help="Write the manifest here.")
def build(data_root: str | None, out: Path | None) -> None:
    """Derive the manifest of roles from the public sets, and say whether it equals the frozen one."""
    from twicetold_lab import roles
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.datasets import load

    root = found(data_root)
    made = roles.assign(load(name, root) for name in roles.GROUPED)
    if out is not None:
        roles.write(made, out)
    changed = sum(made.get(one) != roles.manifest().get(one) for one in made.keys() | roles.manifest().keys())
    click.echo(f"{len(made):,} query texts; {changed:,} differ from the frozen manifest")
    if changed and out is None:
        raise BadData("the data root is not the one the manifest was made of; see: twicetold lab check")


@lab.command(
    epilog="Examples:\n\n  twicetold lab plot recall bm25.jsonl hybrid.jsonl --qrels qrels.txt\n\n"
    "  twicetold lab plot reliability results/decide.json --out reliability.png"
)
@click.argument("picture", type=click.Choice(["recall", "scores", "calibration", "latency", "reliability"]))
@click.argument("runs", nargs=-1, required=True, type=_PATH)
@click.option("--qrels", type=_PATH, help="The judgements; latency needs none.")
@click.option("--out", type=_PATH, help="Where to write; PICTURE.png and PICTURE.svg unless said.")
def plot(picture: str, runs: tuple[Path, ...], qrels: Path | None, out: Path | None) -> None:
    """Draw PICTURE from saved RUNS, as PNG and SVG; reliability from what `lab decisions` wrote. Needs the extra lab."""
    from twicetold_lab.bring import read_qrels
    from twicetold_lab.plots import draw, draw_reliability
    from twicetold_lab.runs import read

    if picture == "reliability":
        for path in draw_reliability(runs[0], out or Path("reliability.png")):
            click.echo(path)
        return
    if qrels is None and picture != "latency":
        raise BadInput(f"{picture} needs the judgements: --qrels FILE")
    judged = read_qrels(qrels) if qrels is not None else {}
    for path in draw(picture, [read(run) for run in runs], judged, out or Path(f"{picture}.png")):
        click.echo(path)


@lab.command(
    epilog="Examples:\n\n  twicetold lab decisions --data-root datasets --cache ~/.cache/lab\n\n"
    "  twicetold lab decisions --out results/decide.json"
)
@_ROOT
@click.option("--cache", envvar="TWICETOLD_CACHE", type=_PATH, help="Keep the indexed corpora here for the next time.")
@click.option("--out", type=_PATH, help="Write the figures here too.")
def decisions(data_root: str | None, cache: Path | None, out: Path | None) -> None:
    """Measure matched / review / no match on claims it was not calibrated on, half of whose answers are taken out of the corpus."""
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.decisions import measure_decisions

    record = measure_decisions(found(data_root), cache)
    if out is not None:
        out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print_json(record)


@lab.command(
    epilog="Examples:\n\n  twicetold lab complexity known-lie-snopes --data-root datasets\n\n"
    "  twicetold lab complexity factchecktweet/dev --json"
)
@click.argument("name")
@_ROOT
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def complexity(name: str, data_root: str | None, as_json: bool) -> None:
    """Count how many pairs of the data set NAME say nearly the same: TF-IDF cosine above .75, .5, .25 and 0."""
    from twicetold_lab.complexity import above, cosines
    from twicetold_lab.datasets import data_root as found
    from twicetold_lab.roles import load_part

    values = list(cosines(load_part(name, found(data_root))).values())
    counted = above(values)
    if as_json:
        print_json({"on": name, "pairs": len(values), "above": {f"{level:g}".replace(".", "_"): n for level, n in counted.items()}})
        return
    for level, count in counted.items():
        click.echo(f"cosine > {level:<4}  {count:>6,} of {len(values):,}  {count / max(len(values), 1):.1%}")


@lab.command(
    epilog="Examples:\n\n  twicetold lab census KnownLie_Shaar2020/T3 --data-root datasets\n\n"
    "  twicetold lab census MythQA_Bai2023/T1 --json"
)
@click.argument("table")
@_ROOT
@click.option("--json", "as_json", is_flag=True, help="One JSON object, its names are row|column.")
def census(table: str, data_root: str | None, as_json: bool) -> None:
    """Count what the published TABLE counts, in the published files."""
    from twicetold_lab.census import CENSUSES
    from twicetold_lab.datasets import data_root as found

    if table not in CENSUSES:
        raise BadInput(f"nothing is counted for {table!r}; there are {', '.join(CENSUSES)}")
    figures = CENSUSES[table](found(data_root))
    if as_json:
        print_json({f"{row}|{column}": value for (row, column), value in figures.items()})
        return
    for (row, column), value in figures.items():
        click.echo(f"{row:<28} {column:<16} {value:>10,.6g}")


lab.add_command(known_lie)
lab.add_command(debates)
lab.add_command(lanes)
lab.add_command(mining)
lab.add_command(gather)
lab.add_command(mtm)


# --- judging together ----------------------------------------------------------------------------------------------


@lab.group()
def judge() -> None:
    """Judging by several people: hand out sheets, then see the majority, the agreement and the disagreements."""


for _verb in (claims, pairs, report):
    judge.add_command(_verb)

_TASK = click.option(
    "--task",
    required=True,
    type=click.Choice(["key-sentence", "category", "stance", "type", "match", "same-claim", "relation"]),
    help="What is judged.",
)


@judge.command(epilog="Examples:\n\n  twicetold lab judge assign pairs.csv --task stance --to ann,bob,eve --each 3 --out sheets\n\n"
               "  twicetold lab judge assign pairs.csv --task type --to ann,bob --each 1 --out sheets --seed 7")  # fmt: skip
@click.argument("units", type=_PATH)
@_TASK
@click.option("--to", required=True, help="The annotators' names, by commas.")
@click.option("--each", default=3, show_default=True, type=click.IntRange(1), help="How many people judge each unit.")
@click.option("--out", required=True, type=_PATH, help="Folder for the sheets; none may be there already.")
@click.option("--seed", default=0, show_default=True, help="Another seed, another order.")
def assign(units: Path, task: str, to: str, each: int, out: Path, seed: int) -> None:
    """Hand out UNITS, a CSV file with a column id and whatever is to be read, as one sheet for each annotator."""
    from twicetold_lab import annotate

    rows, there_are = _units(units)
    columns = [name for name in there_are if name not in annotate.UNSEEN]
    names = [name.strip() for name in to.split(",") if name.strip()]
    if strange := [name for name in names if name != Path(name).name or "\\" in name or "\0" in name]:
        raise BadInput(f"{strange[0]!r} cannot be the name of a sheet; give names without / or \\")
    sheets = annotate.assign(list(rows), names, each=each, seed=seed)
    out.mkdir(parents=True, exist_ok=True)
    if there := [name for name in names if (out / f"{name}.csv").exists()]:
        raise BadInput(f"{out / (there[0] + '.csv')} is there already and may be filled in; choose another folder")
    for name, sheet in sheets.items():
        annotate.write_sheet(out / f"{name}.csv", (rows[unit] for unit in sheet), columns)
        click.echo(f"{out / (name + '.csv')}: {len(sheet):,} units; labels are {', '.join(annotate.TASKS[task])}")


def _units(path: Path) -> tuple[dict[str, dict[str, str]], Sequence[str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            given = [(row["id"], row) for row in reader] if "id" in (reader.fieldnames or ()) else []
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"cannot read {path}: {error}") from None
    rows = dict(given)
    if len(rows) < len(given):
        raise BadInput(f"{path} has {len(given) - len(rows)} rows whose id stands in another too; make ids unique")
    if not rows:
        raise BadInput(f"{path} should be a CSV file with a column id and a row for each unit; its columns are {reader.fieldnames}")
    return rows, list(reader.fieldnames or ())


@judge.command(
    epilog="Examples:\n\n  twicetold lab judge agree sheets/*.csv --task stance\n\n"
    "  twicetold judge --export > mine.qrels; twicetold lab judge agree mine.qrels --task match --json"
)
@click.argument("sheets", nargs=-1, required=True, type=_PATH)
@_TASK
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def agree(console: Console, sheets: tuple[Path, ...], task: str, as_json: bool) -> None:
    """Sum up filled SHEETS (CSV, named after their annotators) or exported judgements: majority, Fleiss' kappa, disagreements."""
    from twicetold_lab import annotate

    labels = []
    for path in sheets:
        if not path.is_file():
            raise BadInput(f"there is no sheet {path}")
        labels += annotate.read_sheet(path, annotate.TASKS[task]) if path.suffix == ".csv" else annotate.read_judgements(path)
    if not labels:
        raise BadInput("no label is filled in yet; the column label of the sheets is empty")
    found = annotate.agreement(labels)
    if as_json:
        print_json(_agreement(found))
        return
    kappa = "not to be computed" if found.kappa is None else f"{found.kappa:.3f}"
    click.echo(f"{len(found.majority):,} units judged; Fleiss' kappa {kappa} over {found.units_in_kappa:,} units")
    for unit, said in found.disagreements.items():
        words = ", ".join(f"{who} {label}" for who, label in sorted(said.items()))
        click.echo(f"  {unit}: {words} → {found.majority[unit] or 'no majority'}")


def _agreement(found: Any) -> dict[str, Any]:
    return {
        "units": len(found.majority),
        "kappa": found.kappa,
        "units_in_kappa": found.units_in_kappa,
        "majority": dict(found.majority),
        "disagreements": {unit: dict(said) for unit, said in found.disagreements.items()},
    }
