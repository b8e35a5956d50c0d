"""What others wrote, printed: it cannot steer a terminal, and a damaged file or a broken id ends in a line, not in a traceback."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest
from click.testing import CliRunner
from serving import copied

from twicetold.cli import main
from twicetold.collection import Collection
from twicetold.types import FactCheck

HOSTILE = "Garlic\x9b2J cures \u202eit\u2066 \u200fnow\x85 and\x9c then"
STEERING = "\x9b\x9c\x85\u202e\u2066\u200f"


@pytest.fixture
def folder(tmp_path):
    with Collection.create(tmp_path / "data") as collection:
        list(collection.add([FactCheck("hostile", HOSTILE, title=HOSTILE, rating=HOSTILE, publisher=HOSTILE, body=HOSTILE)]))
        collection.index()
    return tmp_path / "data"


def on_a_terminal(*arguments: str) -> str:
    """What the command prints where standard output is a terminal."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen([sys.executable, "-m", "twicetold.cli", *arguments], stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    printed = b""
    try:
        while part := os.read(ours, 4096):
            printed += part
    except OSError:  # the other side is closed
        pass
    os.close(ours)
    _, said = running.communicate()
    assert running.returncode in (0, 1), said.decode()
    return printed.decode()


@pytest.mark.parametrize("arguments", [["show", "hostile"], ["match", HOSTILE], ["stats"], ["export", "--format", "csv"]])
def test_nothing_that_others_wrote_steers_the_terminal(folder, arguments):
    printed = on_a_terminal("--data", str(folder), *arguments)
    assert "Garlic" in printed
    assert not set(STEERING) & set(printed)


def test_json_spells_out_what_would_steer_a_terminal_and_keeps_it(folder):
    printed = CliRunner().invoke(main, ["--data", str(folder), "show", "hostile", "--json"]).stdout
    assert not set(STEERING) & set(printed)
    assert "\u202e" in json.loads(printed)["claim"]


def test_what_goes_to_a_file_is_not_changed(folder):
    printed = CliRunner().invoke(main, ["--data", str(folder), "export", "--format", "csv"]).stdout
    assert "\u202e" in printed


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "x\udcff"],
        ["show", "\ud800"],
        ["judge", "a claim", "x\udcff", "yes"],
        ["judge", "half \udcff", "hostile", "yes"],
        ["remove", "\ud800"],
    ],
)
def test_half_a_character_in_an_id_or_claim_ends_in_a_line(folder, arguments):
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "twicetold.cli",
            "--data",
            str(folder),
            *(part.encode("utf-8", "surrogateescape" if "\udcff" in part else "surrogatepass") for part in arguments),
        ],
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in run.stderr
    assert run.returncode in (0, 1, 2, 3)


@pytest.mark.parametrize("arguments", [["match", "volcanoes"], ["export"], ["stats"], ["show", "demo-health-garlic-covid"], ["index"]])
def test_a_damaged_page_of_the_store_ends_in_a_line_that_says_what_to_do(demo_folder, tmp_path, arguments):
    damaged = copied(demo_folder, tmp_path / "demo")
    store = damaged / "store.db"
    content = bytearray(store.read_bytes())
    for page in range(2, len(content) // 4096):  # all but the first, which says what the file is
        content[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    store.write_bytes(content)
    (damaged / "store.db-wal").unlink(missing_ok=True)
    run = CliRunner().invoke(main, ["--data", str(damaged), *arguments])
    assert run.exception is None or isinstance(run.exception, SystemExit)
    assert run.exit_code == 3
    assert "damaged" in run.stderr
    assert "doctor" in run.stderr
