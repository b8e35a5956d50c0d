"""What the command `twicetold` runs: it loads the package, which takes a moment, so that Ctrl-C in that moment ends it without a word.

It stands beside the package because loading anything inside it loads the package first.
"""

from __future__ import annotations

import os
import signal


def main() -> None:
    """Load the command line and run it. Nothing is open while it loads, so an interrupt may end the process where it stands."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from twicetold.cli import main as run

    signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
