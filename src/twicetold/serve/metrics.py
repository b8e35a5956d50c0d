"""Counts and times of requests in the Prometheus text format. They are of one process: scrape each worker, or run one."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping

BUCKETS = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.5, 5.0, 15.0)
"""Upper bounds, in seconds."""


class Metrics:
    """Counts requests by route and status, and how long each route took."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, str, int], int] = defaultdict(int)
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        self._seconds: dict[str, float] = defaultdict(float)

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._buckets[route][bisect_left(BUCKETS, seconds)] += 1
            self._seconds[route] += seconds

    def text(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """Return everything counted, and these present values (name → help text, value)."""
        with self._lock:
            return "\n".join([*self._request_lines(), *self._time_lines(), *_gauge_lines(gauges), ""])

    def _request_lines(self) -> Iterable[str]:
        yield "# HELP twicetold_requests_total Requests answered."
        yield "# TYPE twicetold_requests_total counter"
        for (method, route, status), count in sorted(self._requests.items()):
            yield f'twicetold_requests_total{{method="{method}",route="{_quoted(route)}",status="{status}"}} {count}'

    def _time_lines(self) -> Iterable[str]:
        yield "# HELP twicetold_request_seconds Time from a request's arrival to the end of its answer."
        yield "# TYPE twicetold_request_seconds histogram"
        for route, counts in sorted(self._buckets.items()):
            total = 0
            for bound, count in zip([*map(str, BUCKETS), "+Inf"], counts, strict=True):
                total += count
                yield f'twicetold_request_seconds_bucket{{route="{_quoted(route)}",le="{bound}"}} {total}'
            yield f'twicetold_request_seconds_sum{{route="{_quoted(route)}"}} {self._seconds[route]:.6f}'
            yield f'twicetold_request_seconds_count{{route="{_quoted(route)}"}} {total}'


def _gauge_lines(gauges: Mapping[str, tuple[str, float]]) -> Iterable[str]:
    for name, (about, number) in gauges.items():
        yield f"# HELP {name} {about}"
        yield f"# TYPE {name} gauge"
        yield f"{name} {number:g}"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
