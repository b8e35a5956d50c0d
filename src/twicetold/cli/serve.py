"""Verbs that answer over a network: serve (page and API) and mcp."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twicetold.cli.output import Console
from twicetold.errors import BadInput, MissingExtra

if TYPE_CHECKING:
    from twicetold.serve.keys import Keys

_CONSOLE_KEY = "console"
_MB = 1 << 20


@click.group(
    invoke_without_command=True,
    epilog="Examples:\n\n  twicetold serve\n\n  twicetold serve --host 0.0.0.0 --name checks.example.org --workers 2",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; any but loopback asks every visitor for a key.")
@click.option("--port", default=8321, show_default=True, type=click.IntRange(0, 65535))
@click.option("--name", "names", multiple=True, help="A host name to answer to besides localhost; may be repeated.")
@click.option("--origin", "origins", multiple=True, help="A web origin whose scripts may read the API (CORS); none unless named.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes that answer.")
@click.option("--require-keys", is_flag=True, help="Ask for a key for reading too, also on loopback.")
@click.option("--fetch-links", is_flag=True, help="Let those who may write import from links; never from private addresses.")
@click.option("--allow-private", is_flag=True, help="Let links and webhooks lead into your own network.")
@click.option("--proxy", "proxies", multiple=True, help="Address or network of a proxy whose word on who asks is taken; may be repeated.")
@click.option("--rate", default=50.0, show_default=True, type=click.FloatRange(0), help="Requests a second for one client; 0 for no limit.")
@click.option("--seconds", default=15.0, show_default=True, type=click.FloatRange(0.1), help="Longest time for one answer.")
@click.option("--max-upload", default=200, show_default=True, type=click.IntRange(1), help="Largest upload, in MB.")
@click.pass_context
def serve(ctx: click.Context, /, workers: int, max_upload: int, **settings: Any) -> None:
    """Serve the web page and the HTTP API on this collection, which may still be empty.

    The link that is printed signs your browser in, so that you can add fact-checks and give feedback. Programs need a key for anything
    that writes: twicetold serve key new NAME --scope write.
    """
    console = ctx.find_object(Console)
    assert console is not None
    if ctx.invoked_subcommand is None:
        _run(console, workers, {**settings, "max_upload": max_upload * _MB})


def _run(console: Console, workers: int, settings: dict[str, Any]) -> None:
    try:
        from twicetold.serve.options import Options
        from twicetold.serve.protocol import LARGEST_HEAD
        from twicetold.serve.startup import serve as answer
    except ImportError:
        raise MissingExtra("twicetold serve", "serve") from None
    options = Options(data=str(Path(console.data).absolute()), index=console.index, lanes=max(1, 2 // workers), **settings)
    console.remark(f"Serving {console.data} at {options.address}")
    _offer_sign_in(console, options.address)
    # Access logs would hold claims, and keys that stand in addresses. What proxies say is the guard's business.
    answer(
        options, workers=workers, host=options.host, port=options.port, access_log=False, log_level="warning", server_header=False,
        timeout_keep_alive=30, proxy_headers=False, ws="none", http="twicetold.serve.protocol:Connection",
        h11_max_incomplete_event_size=LARGEST_HEAD,
    )  # fmt: skip


def _offer_sign_in(console: Console, address: str) -> None:
    """Print a link that signs one browser in, once: only on a terminal, for what stands elsewhere (a log) others read."""
    from twicetold.serve.sessions import Sessions

    keys = _keys(console)
    keys.revoke(_CONSOLE_KEY)
    if not sys.stderr.isatty():
        console.remark(f"Sign in at {address}/sign-in with a key from: twicetold serve key new NAME --scope write")
        return
    keys.new(_CONSOLE_KEY, "write")
    made = keys.named(_CONSOLE_KEY)
    assert made is not None
    console.remark(f"Sign in (works once, for ten minutes): {address}/sign-in?code={Sessions(keys.ledger, keys).code(made)}")


def _keys(console: Console) -> Keys:
    try:
        from twicetold.serve.keys import Keys
        from twicetold.serve.ledger import Ledger
    except ImportError:
        raise MissingExtra("twicetold serve", "serve") from None
    return Keys(Ledger(Path(console.data)))


@serve.group()
def key() -> None:
    """Make, list and revoke API keys. Only a hash of each is kept."""


@key.command(epilog="Examples:\n\n  twicetold serve key new newsroom\n\n  twicetold serve key new importer --scope write")
@click.argument("name")
@click.option("--scope", default="read", show_default=True, type=click.Choice(["read", "write"]))
@click.option("--days", type=click.IntRange(1, 36_500), help="For how many days it works; without it, until it is revoked.")
@click.pass_obj
def new(console: Console, name: str, scope: Any, days: int | None) -> None:
    """Make a key and print it, for the only time."""
    today = datetime.datetime.now(datetime.UTC).date()
    click.echo(_keys(console).new(name, scope, ends_on=(today + datetime.timedelta(days=days)).isoformat() if days else ""))


@key.command(name="list", epilog="Examples:\n\n  twicetold serve key list\n\n  twicetold serve key list | grep write")
@click.pass_obj
def list_(console: Console) -> None:
    """List the keys: name, scope, how they begin, when they were made, when they end and when they were last used."""
    for known in _keys(console).every():
        ends, used = known.ends_on or "never", known.used_at or "never"
        click.echo(f"{known.name}\t{known.scope}\t{known.hint}…\tmade {known.made_on}\tends {ends}\tused {used}")


@key.command(epilog="Examples:\n\n  twicetold serve key revoke newsroom\n\n  twicetold serve key revoke console")
@click.argument("name")
@click.pass_obj
def revoke(console: Console, name: str) -> None:
    """Make a key worthless, at once."""
    if not _keys(console).revoke(name):
        raise BadInput(f"there is no key named {name!r}; `twicetold serve key list` names them all")


@serve.command(epilog="Examples:\n\n  twicetold serve log\n\n  twicetold serve log --last 1000 | grep DELETE")
@click.option("--last", default=100, show_default=True, type=click.IntRange(1), help="How many lines.")
@click.pass_obj
def log(console: Console, last: int) -> None:
    """Print who changed what: when, with which key, method, address, and how it was answered. Newest first; without any texts."""
    keys = _keys(console)
    from twicetold.serve.audit import written

    for line in written(keys.ledger, last):
        click.echo(f"{line.at}\t{line.who}\t{line.what}\t{line.target}\t{line.status}")


@click.command(epilog="Examples:\n\n  twicetold mcp\n\n  twicetold --data /srv/checks mcp")
@click.pass_obj
def mcp(console: Console) -> None:
    """Offer the collection to language models as tools, over standard input and output (Model Context Protocol)."""
    from twicetold.serve.tools import serve_tools

    serve_tools(console.location)
