"""What others wrote is kept from steering the terminal it is shown on.

Control characters (the eighth-bit ones too), and the marks that turn the direction of writing, can hide, move or forge what stands on a
screen. On a terminal they are dropped from everything that is printed; of escape sequences only our own bold, underline and colours pass.
What goes to a file or a pipe is not changed, except JSON, which spells them out.
"""

from __future__ import annotations

import re
import sys
from typing import Any, TextIO

_STEERING = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb"
_OURS = r"\x1b\[(?:0|1|2|4|22|24|3[0-7]|39)m"
_UNSAFE = re.compile(rf"({_OURS})|\r(?=\n)|[{_STEERING}]")
_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]")


def shown_safely(text: str) -> str:
    """Return a text without what could steer a terminal.

    >>> shown_safely("a\\x1b]0;b\\x07 \\u202ec\\x9b2J\\n")
    'a]0;b c2J\\n'
    """
    return _UNSAFE.sub(lambda found: found[1] or "", text)


def spelt_out(json_text: str) -> str:
    """Return JSON in which what could steer a terminal, or ends a line for some readers, is spelt as an escape."""
    return _IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text)


class SafeTerminal:
    """A terminal that is not steered by what is written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write what may be shown."""
        return self._stream.write(shown_safely(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def guard_terminal() -> None:
    """From here on, what is printed to a terminal cannot steer it."""
    if sys.stdout.isatty() and not isinstance(sys.stdout, SafeTerminal):
        sys.stdout = SafeTerminal(sys.stdout)
