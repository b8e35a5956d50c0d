"""Half an hour of mixed reading and writing against one running server: no errors, and no memory that grows.

    python -m bench.soak [--minutes 30] [--rate 3] [--seed 1]

The server is `twicetold serve` on loopback with the demo collection. What is written goes round a ring of a few hundred fact-checks, and
what is asked comes from the demo's claims, so the collection keeps its size, what the server remembers of texts is soon full, and
memory has no reason to grow. The server's memory (resident, and of that its own, not mapped from files), open
files and threads are sampled every five seconds. The bar: over the second half, the straight line through the resident memory rises by at
most 5 % of it in an hour, or 1 % over the half itself where that is more: pages come and go. Writes results/soak.json.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import numpy as np

from bench.load import Server, Times
from bench.machine import provenance, record
from twicetold import demo, doctor
from twicetold.collection import Collection
from twicetold.types import FactCheck, from_json

RING = 300
"""Ids that writes go round."""
SAMPLE_EVERY = 5.0
PATIENCE = 300
"""Seconds for an answer or an import: how quick they are is measured by bench.serve, and a machine may have other things to do."""
MOST_AN_HOUR = 0.05
MOST_OVER_THE_HALF = 0.01


@dataclass(frozen=True, slots=True)
class Sample:
    """The server at one moment."""

    seconds: float
    resident_mb: float
    own_mb: float
    files: int
    threads: int

    @classmethod
    def of(cls, pid: int, seconds: float) -> Sample:
        """Look at a process."""
        told = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        resident, own = (round(int(told[name].split()[0]) / 1024, 1) for name in ("VmRSS", "RssAnon"))
        return cls(round(seconds, 1), resident, own, len(list(Path(f"/proc/{pid}/fd").iterdir())), int(told["Threads"]))


class Visitor:
    """Sends one request after another over a connection that stays open, and remembers what was acknowledged."""

    def __init__(self, server: Server, seed: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        self._key = server.key
        self._rng = random.Random(seed)
        self._claims = [str(query["text"]) for query in demo.queries()]
        self._ids = [str(check["id"]) for check in demo.checks()]
        self.stored: dict[str, str] = {}
        self.counts: Counter[str] = Counter()
        self.errors: list[str] = []
        self.seconds: list[float] = []
        self._written = 0

    def once(self) -> None:
        """Send one request of the mix."""
        name = self._rng.choices(list(MIX), [weight for weight, _ in MIX.values()])[0]
        sent = time.perf_counter()
        try:
            MIX[name][1](self)
        except (OSError, http.client.HTTPException, ValueError, KeyError, AssertionError) as error:
            self.errors.append(f"{name}: {type(error).__name__} {error}"[:300])
            self._connection.close()
        self.counts[name] += 1
        self.seconds.append(time.perf_counter() - sent)

    # --- what it sends

    def match(self, recipe: str = "hybrid") -> None:
        """Look a claim up."""
        found = self.send("POST", "/v1/match", {"text": self.claim(), "recipe": recipe})
        assert "matches" in found

    def batch(self) -> None:
        """Look several up at once."""
        claims = [{"text": self.claim()} for _ in range(5)]
        assert len(self.send("POST", "/v1/match/batch", {"claims": claims, "recipe": "hybrid"})["rankings"]) == 5

    def page(self) -> None:
        """Ask on the web page."""
        assert b"</html>" in self.raw("GET", f"/?claim={quote(self.claim())}")

    def read(self) -> None:
        """Get one fact-check, a page of them, and the numbers of the server."""
        self.send("GET", f"/v1/fact-checks/{quote(self._rng.choice(self._ids))}")
        self.send("GET", "/v1/fact-checks?limit=20")
        self.send("GET", "/v1/health")
        self.raw("GET", "/v1/metrics")

    def refused(self) -> None:
        """Ask for what is not there, and in a wrong way."""
        self.send("GET", "/v1/fact-checks/no-such", status=404)
        self.send("POST", "/v1/match", {"text": ""}, status=422)

    def put(self) -> None:
        """Write one fact-check."""
        id, check = self._fresh()
        self.send("PUT", f"/v1/fact-checks/{id}", check, status=200 if id in self.stored else 201)
        self.stored[id] = check["claim"]

    def delete(self) -> None:
        """Delete one that was written."""
        if self.stored:
            id = self._rng.choice(sorted(self.stored))
            self.raw("DELETE", f"/v1/fact-checks/{id}", status=204)
            del self.stored[id]

    def upload(self) -> None:
        """Import a small file and wait for its end."""
        batch = dict(self._fresh() for _ in range(20))
        lines = "\n".join(json.dumps({"id": id, **check}) for id, check in batch.items()).encode()
        body = b'--x\r\nContent-Disposition: form-data; name="file"; filename="soak.jsonl"\r\n\r\n' + lines + b"\r\n--x--\r\n"
        job = json.loads(self.raw("POST", "/v1/imports", body, "multipart/form-data; boundary=x", 202))["id"]
        until = time.monotonic() + PATIENCE
        while (told := self.send("GET", f"/v1/imports/{job}"))["state"] not in ("done", "failed"):
            assert time.monotonic() < until, told
            time.sleep(0.5)
        assert (told["state"], told["read"]) == ("done", len(batch)), told
        self.stored |= {id: check["claim"] for id, check in batch.items()}

    def judge(self) -> None:
        """Say that a fact-check answers a claim."""
        self.send("POST", "/v1/judgements", {"claim": self.claim(), "check_id": self._rng.choice(self._ids), "grade": 1}, status=201)

    def watch(self) -> None:
        """Save a claim, read the feed, forget the claim."""
        saved = self.send("POST", "/v1/watches", {"text": self.claim()}, status=201)["id"]
        self.send("GET", "/v1/feed.json")
        self.raw("DELETE", f"/v1/watches/{saved}", status=204)

    def scan(self) -> None:
        """Have a few lines of speech looked up."""
        lines = "\r\n".join(f"ANN: {self.claim()}" for _ in range(4)).encode()
        body = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n' + lines + b"\r\n--x--\r\n"
        assert b"event: end" in self.raw("POST", "/v1/scan", body, "multipart/form-data; boundary=x")

    # --- how

    def claim(self) -> str:
        """One of the demo's claims."""
        return self._rng.choice(self._claims)

    def _fresh(self) -> tuple[str, dict[str, str]]:
        self._written += 1
        number = self._written % RING
        claim = f"Town number {number} has {self._rng.randrange(3)} bridges and no river."
        return f"soak-{number}", {"claim": claim, "rating": "False", "lang": "en"}

    def send(self, method: str, path: str, body: dict[str, Any] | None = None, *, status: int = 200) -> dict[str, Any]:
        """Send JSON and return the JSON of the answer."""
        sent = None if body is None else json.dumps(body).encode()
        return dict(json.loads(self.raw(method, path, sent, "application/json", status)))

    def raw(self, method: str, path: str, body: bytes | None = None, kind: str = "text/plain", status: int = 200) -> bytes:
        """Send a request and return the body of the answer, which has to come with that status."""
        self._connection.request(method, path, body, {"Content-Type": kind, "Authorization": f"Bearer {self._key}"})
        answer = self._connection.getresponse()
        content = answer.read()
        assert answer.status == status, f"{method} {path} answered {answer.status}: {content[:200]!r}"
        return content


MIX: dict[str, tuple[float, Callable[[Visitor], None]]] = {
    "match": (60, Visitor.match),
    "match, best": (4, lambda visitor: visitor.match("best")),
    "batch": (4, Visitor.batch),
    "page": (10, Visitor.page),
    "read": (10, Visitor.read),
    "refused": (3, Visitor.refused),
    "put": (3, Visitor.put),
    "delete": (1, Visitor.delete),
    "import": (0.5, Visitor.upload),
    "judge": (2, Visitor.judge),
    "watch": (1, Visitor.watch),
    "scan": (1, Visitor.scan),
}
"""Requests by how often, of a hundred."""


def soak(minutes: float, rate: float, seed: int) -> dict[str, Any]:
    """Ask and write for so long; return what was counted and sampled."""
    with collection() as folder, Server(folder, "--seconds", str(PATIENCE)) as server:
        visitor, samples = Visitor(server, seed), list[Sample]()
        started = time.monotonic()
        while (now := time.monotonic() - started) < minutes * 60:
            if now >= len(samples) * SAMPLE_EVERY:
                samples.append(Sample.of(server.pid, now))
                if len(samples) % 12 == 0:
                    print(f"{now / 60:.0f} min, {samples[-1]}, {len(visitor.errors)} errors", file=sys.stderr, flush=True)
            visitor.once()
            time.sleep(visitor_pause(visitor, rate))
        missing = sorted(id for id, claim in visitor.stored.items() if visitor.send("GET", f"/v1/fact-checks/{id}")["claim"] != claim)
        _settle(visitor)
        server.stop()
        ill = [finding.says for finding in doctor.examine_folder(folder) if finding.state is not doctor.State.WELL]
    times = Times.of(visitor.seconds, len(visitor.errors), minutes * 60)
    growth = rise(samples)
    return {
        "bars": {
            "errors": {"at most": 0, "found": len(visitor.errors), "is_reached": not visitor.errors},
            "rise_of_memory_an_hour": growth,
            "acknowledged_records_missing": {"at most": 0, "found": len(missing), "is_reached": not missing},
            "faults_found_by_doctor": {"at most": 0, "found": len(ill), "is_reached": not ill},
        },
        "minutes": minutes,
        "rate": rate,
        "seed": seed,
        "requests": dict(sorted(visitor.counts.items())),
        "errors": visitor.errors[:20],
        "p50_ms": times.p50_ms,
        "p99_ms": times.p99_ms,
        "samples": [[sample.seconds, sample.resident_mb, sample.own_mb, sample.files, sample.threads] for sample in samples[::6]],
        "columns": list(Sample.__slots__),
    }


def visitor_pause(visitor: Visitor, rate: float) -> float:
    """Seconds until the next request, so that so many are sent in a second."""
    return max(0.0, 1 / rate - visitor.seconds[-1])


def rise(samples: list[Sample]) -> dict[str, Any]:
    """Return how much of itself the memory gains in an hour, by the straight line through the second half, and whether that is little."""
    half = samples[len(samples) // 2 :]
    seconds, resident = np.array([sample.seconds for sample in half]), np.array([sample.resident_mb for sample in half])
    a_second = float(np.polyfit(seconds, resident, 1)[0]) if len(half) > 1 else 0.0
    middle = float(np.median(resident))
    hours = (half[-1].seconds - half[0].seconds) / 3600
    allowed = max(MOST_AN_HOUR, MOST_OVER_THE_HALF / hours if hours else MOST_AN_HOUR)
    share = a_second * 3600 / middle
    memory = {"first": samples[0].resident_mb, "half": half[0].resident_mb, "middle of the second half": middle}
    return {
        "at most": round(allowed, 4),
        "found": round(share, 4),
        "is_reached": share <= allowed,
        "mb_an_hour": round(a_second * 3600, 1),
        "resident_mb": memory | {"last": half[-1].resident_mb},
        "open_files": {"first": samples[0].files, "half": half[0].files, "last": half[-1].files},
        "threads": {"first": samples[0].threads, "half": half[0].threads, "last": half[-1].threads},
    }


def _settle(visitor: Visitor) -> None:
    """Wait until the indexes have caught up."""
    until = time.monotonic() + PATIENCE
    while visitor.send("GET", "/v1/health")["waiting"] and time.monotonic() < until:
        time.sleep(0.5)


@contextmanager
def collection() -> Iterator[Path]:
    """The demo collection in a folder of its own."""
    with TemporaryDirectory() as place:
        folder = Path(place) / "data"
        with Collection.create(folder) as made:
            list(made.add(from_json(FactCheck, check) for check in demo.checks()))
            made.index()
        yield folder


def main() -> None:
    """Soak, and record it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=3, help="Requests a second.")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found = soak(asked.minutes, asked.rate, asked.seed)
    command = f"python -m bench.soak --minutes {asked.minutes:g} --rate {asked.rate:g} --seed {asked.seed}"
    record("soak", found | {"provenance": provenance(command, "the demo collection")})
    print(json.dumps(found["bars"], indent=1))
    if not all(bar["is_reached"] for bar in found["bars"].values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
