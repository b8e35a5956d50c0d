"""Verbs that keep a data folder well: doctor looks it over and makes anew what is derived, backup copies the rest."""

from __future__ import annotations

from pathlib import Path

import click

from twicetold.cli.output import Console, print_json
from twicetold.errors import BadInput, NoCollection

_SIGNS = {"well": "ok", "behind": "wait", "broken": "MEND", "care": "CARE", "lost": "LOST"}


@click.command(
    epilog="Examples:\n\n  twicetold doctor\n\n  twicetold --data mine doctor --repair\n\n  twicetold doctor --salvage saved.jsonl"
)
@click.option("--repair", "is_repairing", is_flag=True, help="Make damaged indexes anew from the store; the store is never written to.")
@click.option("--salvage", type=click.Path(path_type=Path), help="Save every fact-check that can be read to a new JSON Lines file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a finding, or for all that was saved.")
@click.pass_obj
def doctor(console: Console, is_repairing: bool, salvage: Path | None, as_json: bool) -> None:
    """Check store, indexes, posts, models, versions and disk, record by record; exit code 3 if something needs care.

    The store is the truth and only read here. Indexes are derived from it and can always be made again.
    """
    from twicetold import doctor as looking

    folder = Path(console.data)
    if not (folder / "store.db").is_file() and not (folder / "posts.db").is_file():
        raise NoCollection(f"there is nothing to look at in {folder}; make a collection with: twicetold --data {folder} ingest SOURCE")
    if salvage is not None:
        _save(folder, salvage, as_json)
        return
    findings = list(looking.examine(folder, index=console.index))
    if is_repairing:
        with console.progress() as progress:
            for done in looking.repair(folder, findings, progress, index=console.index):
                console.remark(f"{done}.")
        findings = list(looking.examine(folder, index=console.index))
    for finding in findings:
        if as_json:
            print_json(finding)
            continue
        click.echo(f"{_SIGNS[finding.state]:<5}{finding.part}: {finding.says}")
        if finding.remedy:
            click.echo(f"     do: {finding.remedy}")
    if any(finding.state is not looking.State.WELL for finding in findings):
        click.get_current_context().exit(3)


def _save(folder: Path, to: Path, as_json: bool) -> None:
    from twicetold.doctor import salvage

    if to.exists():
        raise BadInput(f"{to} exists and is kept as it is; name a new file")
    saved, lost = salvage(folder, to)
    if as_json:
        print_json({"file": str(to), "saved": saved, "lost": lost})
    else:
        click.echo(f"{saved:,} fact-checks saved to {to}, {lost:,} rows could not be read.")


@click.command(
    epilog="Examples:\n\n  twicetold backup copies/monday\n\n  twicetold --data copies/monday doctor --repair     (before the copy is used)"
)
@click.argument("to", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def backup(console: Console, to: Path, as_json: bool) -> None:
    """Copy fact-checks, judgements, posts, settings and the server's keys, watches and uploads to a new FOLDER.

    Others may go on reading and writing: each store is copied as it was at one moment, and checked. The copy is a collection like any
    other once its indexes, which are not copied, are made. Keep it where only you can read it.
    """
    from twicetold.backup import back_up
    from twicetold.collection import read_settings

    folder = Path(console.data)
    with console.progress() as progress:
        names = back_up(folder, to, progress)
    settings = read_settings(folder)
    size = sum(path.stat().st_size for path in to.rglob("*") if path.is_file())
    if as_json:
        print_json({"folder": str(to), "files": names, "bytes": size})
        return
    click.echo(f"{', '.join(names)} copied to {to}, {size / 1e6:,.1f} MB. Before the copy is used: twicetold --data {to} doctor --repair")
    if settings and settings.index:
        click.echo(f"Once made, the copy keeps its index in its own folder, not at {settings.index}, which stays the original's.")
