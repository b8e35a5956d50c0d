"""Fuzz one target: `python -m fuzz.one NAME SEEDS OPTION…`, with libFuzzer's options. Only our own modules are instrumented."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["twicetold"]):
    from fuzz.targets import TARGETS


def main() -> None:
    """Hand over to the fuzzer, which ends the process."""
    _, name, *options = sys.argv
    atheris.Setup([sys.argv[0], *options], TARGETS[name].run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
