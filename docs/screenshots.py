"""Take the pictures of the pages that docs/serve.md shows, from the demo collection, in Debian's chromium.

python -m docs.screenshots
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from click.testing import CliRunner

from bench.load import Server
from twicetold import demo
from twicetold.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Page

PLACE = Path(__file__).parent / "screenshots"
DEMO = Path(demo.__path__[0])


def _read_debate(page: Page) -> None:
    page.set_input_files("#transcript", DEMO / "transcripts" / "debate-climate.tsv")
    page.click("button.main")
    page.wait_for_selector(".export:not([hidden])", timeout=120_000)
    page.evaluate("document.querySelector('#reading').scrollIntoView()")


def _settle(page: Page) -> None:
    page.locator("[data-looking]").wait_for(state="detached")


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: the page, the size of the window, and what is done before it is taken."""

    name: str
    path: str
    size: tuple[int, int] = (1100, 860)
    is_dark: bool = False
    before: Callable[[Page], None] = _settle


SHOTS = (
    Shot("check", "/?claim=Garlic water cures the coronavirus"),
    Shot("check-phone-dark", "/?claim=Garlic water cures the coronavirus", (390, 1150), is_dark=True),
    Shot("not-checked", "/?claim=The town of Little Hampton has banned yellow umbrellas", (1100, 760)),
    Shot("debate", "/debate", (1280, 900), before=_read_debate),
    Shot("contested", "/contested?question=Can drinking alcohol protect you from the coronavirus?", (1100, 900)),
    Shot("collection", "/collection", (1100, 1050)),
)


def take(server: Server) -> None:
    """Take every picture of this server, signed in."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or sys.exit("wanted a browser; install one: apt-get install -y chromium")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for shot in SHOTS:
            width, height = shot.size
            context = browser.new_context(
                base_url=server.address, viewport={"width": width, "height": height}, color_scheme="dark" if shot.is_dark else "light"
            )
            page = context.new_page()
            page.goto(f"/sign-in?code={server.code}")
            page.goto(shot.path)
            shot.before(page)
            page.screenshot(path=PLACE / f"{shot.name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "demo"
        for verb, source in (("ingest", "checks"), ("ingest-posts", "posts.jsonl")):
            CliRunner().invoke(main, ["-q", "--data", str(folder), verb, str(DEMO / source)], catch_exceptions=False)
        with Server(folder) as server:
            take(server)
