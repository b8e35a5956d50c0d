"""What a real browser sees of a page: how far things move while it loads."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

_WATCH = """window.moved = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.moved += entry.value; })
  .observe({ type: 'layout-shift', buffered: true });"""
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
_SETTLE_MS = 700
"""How long after the last request the page is watched."""


def shifts(address: str, paths: Sequence[str], *, width: int) -> list[float]:
    """Return the cumulative layout shift of each page in a window of this width, its late requests included."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("wanted a browser to measure layout shift; install one: apt-get install -y chromium")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=_FLAGS)
        page = browser.new_page(base_url=address, viewport={"width": width, "height": 800})
        page.add_init_script(_WATCH)
        found = []
        for path in paths:
            page.goto(path, wait_until="networkidle")
            page.wait_for_timeout(_SETTLE_MS)
            found.append(round(float(page.evaluate("window.moved")), 4))
        browser.close()
        return found
