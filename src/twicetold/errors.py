"""The errors a user can meet, and the exit code each leads to.

    TwicetoldError            3
    ├── BadInput              2   a claim, option or file that cannot mean anything
    ├── BadData               3   a source, store, index or model that cannot be read
    │   ├── NoCollection      3   nothing has been ingested here yet
    │   ├── NewerFormat       3   written by a later version than this one
    │   ├── Locked            3   another process is writing
    │   └── OutOfReach        3   an index on a server that does not answer, or is another's
    ├── MissingExtra          4   an optional part is not installed
    └── OutOfTolerance        5   a result could not be reproduced

Every message says what was wanted, what came, and what to type next. Only these are shown without a traceback.
"""

_FOLDERS = {"twicetold": ".", "twicetold-models": "./models", "twicetold-lab": "./lab"}
"""Each of our distributions and its folder in a clone."""


class TwicetoldError(Exception):
    """The base of every error meant for the user's eyes."""

    exit_code = 3


class BadInput(TwicetoldError):
    """What the user asked cannot mean anything as it stands."""

    exit_code = 2


class BadData(TwicetoldError):
    """A source, store, index or model cannot be read."""


class NoCollection(BadData):
    """The data folder holds no fact-checks yet."""


class NewerFormat(BadData):
    """A store, index or model was written by a later version."""


class Locked(BadData):
    """Another process is writing to this collection."""


class OutOfReach(BadData):
    """An index on a server cannot be used from here: the server does not answer, or what it holds is another's. Nothing is damaged."""


class MissingExtra(TwicetoldError):
    """An optional part is not installed: an extra, another package, or an extra of that. The message says what to type."""

    exit_code = 4

    def __init__(self, what: str, extra: str = "", *, package: str = "twicetold") -> None:
        folder = _FOLDERS[package]
        wanted = f"the extra '{extra}'" if extra else f"the package {package}"
        name, place = (f"'{package}[{extra}]'", f"'{folder}[{extra}]'") if extra else (package, folder)
        super().__init__(f"{what} needs {wanted}: pip install {name} (in a clone: .venv/bin/pip install {place})")


class OutOfTolerance(TwicetoldError):
    """A recorded result came out differently."""

    exit_code = 5
