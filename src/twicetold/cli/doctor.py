"""`twicetold doctor`: look the data folder over, and make anew what is derived."""

from __future__ import annotations

from pathlib import Path

import click

from twicetold.cli.output import Console, print_json
from twicetold.errors import BadInput, NoCollection

_SIGNS = {"well": "ok", "behind": "wait", "broken": "MEND", "lost": "LOST"}


@click.command(
    epilog="Examples:\n\n  twicetold doctor\n\n  twicetold --data mine doctor --repair\n\n  twicetold doctor --salvage saved.jsonl"
)
@click.option("--repair", "is_repairing", is_flag=True, help="Make damaged indexes anew from the store; the store is never written to.")
@click.option("--salvage", type=click.Path(path_type=Path), help="Save every fact-check that can be read to a new JSON Lines file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a finding.")
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
        if salvage.exists():
            raise BadInput(f"{salvage} exists and is kept as it is; name a new file")
        saved, lost = looking.salvage(folder, salvage)
        click.echo(f"{saved:,} fact-checks saved to {salvage}, {lost:,} rows could not be read.")
        return
    findings = list(looking.examine(folder))
    if is_repairing:
        with console.progress() as progress:
            for done in looking.repair(folder, findings, progress):
                console.remark(f"{done}.")
        findings = list(looking.examine(folder))
    for finding in findings:
        if as_json:
            print_json(finding)
            continue
        click.echo(f"{_SIGNS[finding.state]:<5}{finding.part}: {finding.says}")
        if finding.remedy:
            click.echo(f"     do: {finding.remedy}")
    if any(finding.state is not looking.State.WELL for finding in findings):
        click.get_current_context().exit(3)
