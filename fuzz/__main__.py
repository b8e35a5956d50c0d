"""Fuzz every parser of foreign input for a fixed number of inputs.

    python -m fuzz [--inputs 1000000] [--seed 1] [NAME …]

Each target runs in a process of its own, from seeds of the demo and the tests. An input that makes a parser raise anything but our own
errors, run for longer than ten seconds or take more than 2 GB is a crash; it is kept in fuzz/crashes/ and can be tried again with
`python -m fuzz.targets NAME FILE`. Writes results/fuzz.json, target by target: after a crash is mended, its target alone can be run again.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.machine import ROOT, provenance, record
from fuzz.targets import TARGETS

CRASHES = ROOT / "fuzz" / "crashes"
RESULTS = ROOT / "results" / "fuzz.json"
_DONE = re.compile(r"Done (\d+) runs in (\d+) second")
_WORDS = (
    '"@type" "ClaimReview" "claimReviewed" "claimReview" "dataFeedElement" "claims" "@graph" "item" "itemReviewed" "author" "name" '
    '"reviewRating" "ratingValue" "bestRating" "worstRating" "alternateName" "appearance" "datePublished" "inLanguage" "other" "text" "id" '
    '"full_text" "content" "created_at" "record" "commit" "user" "query" "matches" "docs" "score" null true 1e999 -1 NaN '
    "claim,title claim\\x09rating --> WEBVTT </script> <h1> <p> <script itemscope itemprop https:// \\xed\\xa0\\x80 \\xff\\xfe "
    "\\xef\\xbb\\xbf"
)


def fuzz(name: str, inputs: int, seed: int) -> dict[str, Any]:
    """Give a target so many inputs; return how it went."""
    CRASHES.mkdir(parents=True, exist_ok=True)
    slug = name.replace(" ", "-")
    with TemporaryDirectory() as place:
        corpus, words = Path(place) / "corpus", Path(place) / "words"
        corpus.mkdir()
        for number, content in enumerate(TARGETS[name].seeds()):
            (corpus / str(number)).write_bytes(content[: TARGETS[name].longest])
        words.write_text("".join(f'"{_quoted(word)}"\n' for word in _WORDS.split()), encoding="ascii")
        options = [
            f"-runs={inputs}", f"-seed={seed}", f"-max_len={TARGETS[name].longest}", f"-dict={words}", "-timeout=10", "-rss_limit_mb=2048",
            f"-artifact_prefix={CRASHES / slug}-", "-print_final_stats=1", "-verbosity=1",
        ]  # fmt: skip
        started = time.perf_counter()
        run = subprocess.run(
            [sys.executable, "-m", "fuzz.one", name, str(corpus), *options], capture_output=True, text=True, errors="replace"
        )
    found = re.findall(r"stat::number_of_executed_units:\s*(\d+)", run.stderr)
    result = {
        "inputs": int(found[-1]) if found else 0,
        "crashes": int(run.returncode != 0),
        "seconds": round(time.perf_counter() - started, 1),
    }
    if run.returncode:
        print(f"{name}:\n{run.stderr[-3000:]}\n{run.stdout[-2000:]}", file=sys.stderr, flush=True)
    return result


def _quoted(word: str) -> str:
    return word.replace('"', '\\"')


def main() -> None:
    """Fuzz, and record it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"Of {', '.join(TARGETS)}; all unless named.")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="Of all targets together.")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    names = asked.names or list(TARGETS)
    shares = sum(TARGETS[name].share for name in TARGETS)
    told = provenance(f"python -m fuzz --inputs {asked.inputs} --seed {asked.seed}", "seeds of the demo and the tests")
    for name in names:
        # Rounded up, so that all together are no fewer than asked for.
        found = fuzz(name, -(-asked.inputs * TARGETS[name].share // shares), asked.seed)
        print(f"{name}: {json.dumps(found)}", file=sys.stderr, flush=True)
        whole = _kept(name, found | {"commit": told["commit"]}, told)
    print(json.dumps(whole))
    if whole["crashes"]:
        sys.exit(1)


def _kept(name: str, found: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """Record a target in place of what was recorded of it; return the sums over all targets."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))["targets"] if RESULTS.exists() else {}
    targets = {one: found if one == name else kept[one] for one in TARGETS if one == name or one in kept}
    whole = {key: round(sum(one[key] for one in targets.values()), 1) for key in ("inputs", "crashes", "seconds")}
    record("fuzz", {**whole, "targets": targets, "provenance": told})
    return whole


if __name__ == "__main__":
    main()
