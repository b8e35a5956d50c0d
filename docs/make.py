"""Write what can be generated: docs/cli.md from the verbs' own help, docs/results.md, and the marked blocks of README.md.

    python -m docs.make           write them
    python -m docs.make --check   say which differ, and exit 1 if any does

A block of README.md stands between `<!-- made: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
from click.testing import CliRunner

from twicetold.cli import main
from twicetold_lab.results import markdown, read_results

ROOT = Path(__file__).parent.parent
_BLOCK = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def reference() -> str:
    """The whole help, verb by verb."""
    pages = ["# Every verb\n\nMade from `--help`; see also [ingest](ingest.md).\n", _help([])]
    context = click.Context(main, info_name="twicetold")
    for verb in main.list_commands(context):
        pages += _sections(context, main.get_command(context, verb), [verb])
    return "\n".join(pages)


def _sections(context: click.Context, command: click.Command | None, names: list[str]) -> list[str]:
    """A verb's help, and that of the verbs it holds, however deep."""
    pages = [f"{'#' * min(len(names) + 1, 3)} {' '.join(names)}\n\n" + _help(names)]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            pages += _sections(context, command.get_command(context, name), [*names, name])
    return pages


def _help(arguments: list[str]) -> str:
    text = CliRunner().invoke(main, [*arguments, "--help"], prog_name="twicetold", terminal_width=110, catch_exceptions=False).stdout
    return f"```\n{text.rstrip()}\n```\n"


def example() -> str:
    """A claim found and a claim not found, as a reader of the README would see them."""
    with tempfile.TemporaryDirectory() as folder:
        _run(folder, "ingest", str(ROOT / "src" / "twicetold" / "demo" / "checks"))
        shown = []
        for claim, options in (
            ("Eating garlic protects you from the coronavirus", ["--top", "2"]),
            ("The town of Little Hampton has banned yellow umbrellas", ["--top", "2"]),
        ):
            shown.append(f'$ twicetold match "{claim}" {" ".join(options)}\n{_run(folder, "match", claim, *options).rstrip()}')
    return "```\n" + "\n\n".join(shown) + "\n```\n"


def _run(folder: str, *arguments: str) -> str:
    return CliRunner().invoke(main, ["-q", "--data", folder, *arguments], catch_exceptions=False).stdout


def results() -> str:
    """The recorded results that are meant to be shown."""
    return markdown(read_results(ROOT / "results").values()) + "\n"


_RESULTS = """# Results

Made from `results/*.toml` by `make docs`. Each row was measured by the command recorded there, on public data, with queries that no
shipped model has learnt from ([which](data.md#who-may-learn-from-what)). Brackets hold 95 % of the bootstrap means over queries.

```
twicetold reproduce NAME --data-root DATA     # run a row again and compare; --all for every one
twicetold tables                              # the papers' tables, with our figures beside theirs
```

"""


def results_page() -> str:
    """The long table of results, as a page of its own."""
    return _RESULTS + results()


BLOCKS: dict[str, Callable[[], str]] = {"example": example, "results": results}


def pages() -> dict[Path, str]:
    """Every generated file, as it should be."""
    readme = ROOT / "README.md"
    filled = _BLOCK.sub(lambda block: block[1] + BLOCKS[block[2]]() + block[3], readme.read_text(encoding="utf-8"))
    return {ROOT / "docs" / "cli.md": reference(), ROOT / "docs" / "results.md": results_page(), readme: filled}


def write(*, is_check: bool) -> list[Path]:
    """Write what differs, or only tell; return the files that differed."""
    stale = [(path, text) for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if not is_check:
        for path, text in stale:
            path.write_text(text, encoding="utf-8")
    return [path for path, _ in stale]


if __name__ == "__main__":
    is_check = "--check" in sys.argv
    for path in (changed := write(is_check=is_check)):
        click.echo(f"{path.relative_to(ROOT)} {'is not as generated; run: make docs' if is_check else 'written'}", err=True)
    sys.exit(1 if is_check and changed else 0)
