"""Workers on a Ray cluster: an actor for each core of it, fed one partition at a time.

Every node must see the collection and the output under the same paths (a shared disk; the output may be a bucket), and have the same
version of twicetold; a worker that finds another collection than the driver's refuses. An actor or node that dies is replaced, and
its partition given out again.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from typing import Any

from twicetold.batch.ledger import Manifest
from twicetold.batch.partitions import Partition
from twicetold.batch.processes import MOST_DEATHS, Open, Told, one_thread
from twicetold.batch.screener import Screener
from twicetold.errors import BadData, BadInput, MissingExtra, TwicetoldError

_PATIENCE = 10.0  # seconds to wait for a cluster's door to be opened
_IMPATIENCE = 2.0  # seconds between looks at how many cores the cluster has


class Hand:
    """One worker: a screener, opened with its first partition."""

    def __init__(self, open_screener: Open) -> None:
        one_thread()
        self._open = open_screener
        self._screener: Screener | None = None

    def run(self, partition: Partition) -> Manifest | TwicetoldError:
        """Screen a partition. An error with a message for the user is returned, so that Ray does not take it for a crash."""
        try:
            self._screener = self._screener or self._open()
            return self._screener.run(partition)
        except TwicetoldError as error:
            return error


def work_there(open_screener: Open, partitions: Sequence[Partition], *, address: str) -> Iterator[Told]:
    """Screen the partitions on the cluster at this address, and yield a manifest for each."""
    # Ray tells of dead workers on standard output, where only answers belong.
    with redirect_stdout(sys.stderr):
        ray = _joined(address)
        try:
            yield from _run(ray, open_screener, partitions)
        finally:
            ray.shutdown()


def _joined(address: str) -> Any:
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # otherwise every start warns of a change to come
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    try:
        import ray
    except ImportError:
        raise MissingExtra("screening on a cluster", "ray") from None
    _knock(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise BadInput(f"there is no Ray cluster at {address} ({reason}); start one with: ray start --head, or leave out --ray") from None
    return ray


def _knock(address: str) -> None:
    """Raise BadInput if nobody listens at host:port: Ray itself would go on trying for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise BadInput(f"there is no Ray cluster at {address} ({error}); start one with: ray start --head, or leave out --ray") from None


def _run(ray: Any, open_screener: Open, partitions: Sequence[Partition]) -> Iterator[Told]:
    hands = ray.remote(num_cpus=1)(Hand)
    queue = list(reversed(partitions))
    free: list[Any] = []
    running: dict[Any, tuple[Any, Partition]] = {}
    deaths: dict[int, int] = {}
    while queue or running:
        wanted = max(int(ray.cluster_resources().get("CPU", 1)), 1)  # nodes may come and go
        while len(free) + len(running) < min(wanted, len(queue) + len(running)):
            free.append(hands.remote(open_screener))
        while free and queue:
            hand, partition = free.pop(), queue.pop()
            running[hand.run.remote(partition)] = hand, partition
        # A hand without work holds its core, and when the cluster has shrunk another hand may be waiting for that very core.
        while free:
            ray.kill(free.pop())
        ready, _ = ray.wait(list(running), timeout=_IMPATIENCE)
        for task in ready:
            hand, partition = running.pop(task)
            try:
                told = ray.get(task)
            except (ray.exceptions.RayActorError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError) as error:
                queue.append(_again(partition, deaths, error))
                continue
            except ray.exceptions.RayTaskError as error:
                raise BadData(f"a worker failed on {partition.path}, rows from {partition.first:,}: {error.cause}") from None
            if isinstance(told, TwicetoldError):
                raise told
            free.append(hand)
            yield told


def _again(partition: Partition, deaths: dict[int, int], error: Exception) -> Partition:
    deaths[partition.number] = deaths.get(partition.number, 0) + 1
    if deaths[partition.number] >= MOST_DEATHS:
        raise BadData(
            f"{MOST_DEATHS} workers in turn died on {partition.path}, rows from {partition.first:,} ({error}); is there memory enough?"
        )
    return partition
