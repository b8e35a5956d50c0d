"""The command line: one verb per thing a person wants done. Verbs are loaded when called, so that help is instant.

Other installed packages add verbs by entry points of the group `twicetold.verbs`, as the laboratory does; none replaces one of these.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import sqlite3
import sys
from typing import Any

import click

from twicetold.cli.terminal import guard_terminal, shown_safely
from twicetold.errors import MissingExtra, TwicetoldError

_VERBS = {
    "ingest": "collect",
    "index": "collect",
    "remove": "collect",
    "match": "match",
    "judge": "match",
    "scan": "scan",
    "screen": "screen",
    "ingest-posts": "posts",
    "ask": "ask",
    "mine": "mining",
    "show": "show",
    "stats": "show",
    "export": "show",
    "doctor": "doctor",
    "backup": "doctor",
    "serve": "serve",
    "mcp": "serve",
}
"""Every verb of the product and the module of this folder that holds it."""

_JOINING = "twicetold.verbs"
"""The entry points by which other packages add verbs."""

_LABORATORY = ("train", "eval", "compare", "tables", "reproduce", "lab")
"""The verbs that the laboratory adds; without it they say how to install it."""


_KEPT = {
    **dict.fromkeys(["ingest", "index"], "; what was stored is kept, and the next `twicetold index` brings the indexes up to it"),
    "screen": "; what was screened is kept, and the same command again goes on from there",
}
"""What a verb that was stopped leaves behind; of the others there is nothing to say."""


def _is_stopped(error: BaseException | None) -> bool:
    """True if the user's Ctrl-C is what raised this, by itself or through another error."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _joined() -> dict[str, importlib.metadata.EntryPoint]:
    """Return the verbs that other installed packages add, those of the laboratory first and in its order."""
    found = {point.name: point for point in importlib.metadata.entry_points(group=_JOINING)}
    return {name: found[name] for name in [*(name for name in _LABORATORY if name in found), *sorted(found.keys() - set(_LABORATORY))]}


def _joined_verb(name: str) -> click.Command | None:
    point = _joined().get(name)
    if point is None:
        return _without_laboratory(name) if name in _LABORATORY else None
    verb = point.load()
    if not isinstance(verb, click.Command):
        package = point.dist.name if point.dist else point.value
        raise TwicetoldError(f"the package {package} adds a verb {name!r} that is no click command; update or remove the package")
    return verb


def _without_laboratory(name: str) -> click.Command:
    """Return a verb that takes anything and says what to install."""

    @click.command(name, add_help_option=False, context_settings={"ignore_unknown_options": True})
    @click.argument("rest", nargs=-1, type=click.UNPROCESSED)
    def verb(rest: tuple[str, ...]) -> None:
        raise MissingExtra(f"twicetold {name}", package="twicetold-lab")

    return verb


_QUIET = ("-q", "--quiet")


class _Verbs(click.Group):
    """A group whose verbs are imported on use, and whose errors are one line unless -v asks for more."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_VERBS, *(name for name in _joined() if name not in _VERBS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _VERBS:
            return _joined_verb(cmd_name)
        module = importlib.import_module(f"twicetold.cli.{_VERBS[cmd_name]}")
        found = getattr(module, cmd_name.replace("-", "_"))
        assert isinstance(found, click.Command)
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take -q and --quiet wherever they stand before a `--`."""
        end = args.index("--") if "--" in args else len(args)
        before = [arg for arg in args[:end] if arg not in _QUIET]
        return super().parse_args(ctx, [*(["--quiet"] if len(before) < end else []), *before, *args[end:]])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            guard_terminal()
            return super().invoke(ctx)
        except TwicetoldError as error:
            if ctx.params.get("verbose"):
                raise
            click.echo(shown_safely(f"twicetold: {error}"), err=True)
            ctx.exit(error.exit_code)
        except sqlite3.DatabaseError as error:
            if ctx.params.get("verbose"):
                raise
            data = ctx.params.get("data", "")
            click.echo(
                f"twicetold: a file of the collection in {data} is damaged ({error}); to see which, run: twicetold --data {data} doctor",
                err=True,
            )
            ctx.exit(3)
        except BrokenPipeError:
            # The reader of our output has gone away; that is its right. Python would complain again while closing stdout.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except (KeyboardInterrupt, ImportError) as error:
            # A library stopped while it loads says that it could not be loaded.
            if not _is_stopped(error):
                raise
            click.echo(f"twicetold: stopped{_KEPT.get(ctx.invoked_subcommand or '', '')}", err=True)
            ctx.exit(130)
        except OSError as error:
            # A file that cannot be read or written is told as it is; what has a better word for it has said so before.
            if ctx.params.get("verbose"):
                raise
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"twicetold: {where}{error.strerror or error}; name another file, or make room", err=True)
            ctx.exit(3)


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--data",
    envvar="TWICETOLD_DATA",
    default="twicetold-data",
    show_default=True,
    type=click.Path(),
    help="Folder of the collection (or TWICETOLD_DATA).",
)
@click.option(
    "--index",
    envvar="TWICETOLD_INDEX",
    metavar="ADDRESS",
    help="Where the indexes are: 'folder', or milvus://HOST:PORT/NAME (or TWICETOLD_INDEX). A new collection remembers it.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress, no remarks: answers, warnings and errors only.")
@click.option("-v", "--verbose", is_flag=True, help="Show where an error came from.")
@click.version_option(package_name="twicetold")
@click.pass_context
def main(ctx: click.Context, data: str, index: str | None, quiet: bool, verbose: bool) -> None:
    """Has this claim been fact-checked before?

    Give it fact-checks with `ingest`, then ask with `match`. Answers go to standard output, everything else to standard error.

    Exit codes: 0 found or done, 1 nothing matched, 2 wrong usage, 3 bad or missing data, 4 an optional part is not installed,
    5 a result could not be reproduced, 130 stopped by the user.
    """
    from twicetold.cli.output import Console

    if index and index != "folder":
        from twicetold.index.milvus.address import Address

        Address.parse(index)
    ctx.obj = Console(data=data, index=index or "", is_quiet=quiet)
