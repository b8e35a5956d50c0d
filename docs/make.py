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


_EXAMPLES = (
    ("Volcanoes emit more CO2 than all human activity", "--top 1"),
    ("Humans cause only thirteen percent of carbon dioxide emissions, so they cannot be causing the increase", "--format line"),
    ("The town of Little Hampton has banned yellow umbrellas", "--format line"),
)


def example() -> str:
    """A claim that was checked, one with a number changed and one that nobody checked, as a reader of the README would see them."""
    with tempfile.TemporaryDirectory() as folder:
        _run(folder, "ingest", str(ROOT / "src" / "twicetold" / "demo" / "checks"))
        shown = [
            f'$ twicetold match {options} "{claim}"\n{_run(folder, "match", *options.split(), claim).rstrip()}'
            for claim, options in _EXAMPLES
        ]
    return "```\n" + "\n\n".join(shown) + "\n```\n"


def _run(folder: str, *arguments: str) -> str:
    return CliRunner().invoke(main, ["-q", "--data", folder, *arguments], catch_exceptions=False).stdout


_OLD_RANKING = "measured with version 0.1's ranking"
_CHOSEN = (
    ("checkthat-2020-test-best", "CheckThat 2020 task 2, test", "MAP@5", f".962 (SimBa), .929 (best in the lab); ours {_OLD_RANKING}"),
    (
        "factchecktweet-dev-best",
        "FactCheckTweet, dev",
        "MAP@5",
        f".671 (7-billion-parameter model), .591 (BM25), both on test; ours {_OLD_RANKING}",
    ),
    ("role-of-context-chrono-debate", "Debates, Role of Context, chronological test", "MAP", ".532, by text alone; ours so .597"),
    ("known-lie-politifact-best-splits", "Known Lie, PolitiFact, mean of 5 splits", "MRR", ".608, on the authors' own split"),
    ("known-lie-snopes-best-splits", "Known Lie, Snopes, mean of 5 splits", "MRR", ".788, on the authors' own split"),
    ("mtm-volee-mtm", "MTM, 200 tweets of Vo & Lee, 20 candidates", "MRR", ".931 on other tweets; BM25 .756 on these"),
)
"""The rows of the README: a recorded result, what it is of, its measure, and the published figure that comes nearest."""


def chosen() -> str:
    """Six recorded results, each with the published figure that comes nearest."""
    known = read_results(ROOT / "results")
    rows = ["| what | measure | ours | published |", "|---|---|---|---|"]
    for name, what, measure, published in _CHOSEN:
        interval = known[name].intervals.get(measure)
        within = " [{:.3f}, {:.3f}]".format(*interval) if interval else ""
        rows.append(f"| {what} | {measure} | {known[name].scores[measure]:.3f}{within} | {published} |")
    return "\n".join(rows) + "\n"


def results() -> str:
    """The recorded results that are meant to be shown."""
    return markdown(read_results(ROOT / "results").values()) + "\n"


_RESULTS = """# Results

Made from `results/*.toml` by `make docs`. Each row was measured by the command recorded there, on public data, with queries that no
shipped model has learnt from ([which](data.md#who-may-learn-from-what)). Brackets hold 95 % of the bootstrap means over queries. The rows
of `best` were measured with version 0.1's ranking, before claim and fact-check were read together.

```
twicetold reproduce NAME --data-root DATA     # run a row again and compare; --all for every one
twicetold tables                              # the papers' tables, with our figures beside theirs
```

"""


def results_page() -> str:
    """The long table of results, as a page of its own."""
    return _RESULTS + results()


BLOCKS: dict[str, Callable[[], str]] = {"example": example, "results": chosen}


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
