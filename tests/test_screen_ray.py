"""Screening on a real Ray cluster: two raylets on this machine, one of which dies on the way."""

from __future__ import annotations

import json
import os
import signal

import pytest
from screening import manifests, rows, start, wait_for

pytestmark = pytest.mark.slow

ray = pytest.importorskip("ray", reason="the extra ray is not installed: pip install 'twicetold[ray]'")


@pytest.fixture
def cluster(monkeypatch):
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    monkeypatch.setenv("RAY_worker_niceness", "0")  # 15 unless said: on a busy machine the workers would hardly be served
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    second = made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made, second
    made.shutdown()


def answers(out):
    by_row = sorted(rows(out).values(), key=lambda row: row["row"])
    return [(row["id"], row["row"], row["lane"], row["check"]) for row in by_row]


def test_two_nodes_give_the_answers_of_one_machine_though_a_worker_and_a_node_die(cluster, demo_folder, demo_claims, write_jsonl, tmp_path):
    made, second = cluster
    posts = write_jsonl("posts.jsonl", [{"id": claim.id, "text": claim.text} for claim in demo_claims])
    here = start(demo_folder, posts, tmp_path / "here", "--workers", "1")
    _, err = here.communicate(timeout=600)
    assert here.returncode == 0, err
    there = start(demo_folder, posts, tmp_path / "there", "--ray", made.address)
    wait_for(lambda: len(manifests(tmp_path / "there")) >= 2, there)
    os.kill(workers_of_ray()[0], signal.SIGKILL)
    wait_for(lambda: len(manifests(tmp_path / "there")) >= 4, there)
    made.remove_node(second, allow_graceful=False)
    out, err = there.communicate(timeout=600)
    assert there.returncode == 0, err
    assert json.loads(out)["posts"] == len(demo_claims)
    assert answers(tmp_path / "there") == answers(tmp_path / "here")


def test_a_driver_killed_on_a_cluster_is_resumed(cluster, demo_folder, demo_claims, write_jsonl, tmp_path):
    made, _ = cluster
    posts = write_jsonl("posts.jsonl", [{"id": claim.id, "text": claim.text} for claim in demo_claims])
    out = tmp_path / "out"
    first = start(demo_folder, posts, out, "--ray", made.address)
    wait_for(lambda: len(manifests(out)) >= 2, first)
    first.kill()
    first.communicate()
    again = start(demo_folder, posts, out, "--ray", made.address)
    said, err = again.communicate(timeout=600)
    assert again.returncode == 0, err
    summary = json.loads(said)
    assert (summary["posts"], summary["partitions"], len(manifests(out))) == (len(demo_claims), 16, 16)
    assert summary["partitions_done_before"] >= 2
    assert [row[1] for row in answers(out)] == list(range(1, len(demo_claims) + 1))


def test_an_address_without_a_cluster_is_refused(demo_folder, write_jsonl, tmp_path):
    posts = write_jsonl("posts.jsonl", [{"id": "a", "text": "garlic cures the coronavirus"}])
    process = start(demo_folder, posts, tmp_path / "out", "--ray", "127.0.0.1:1")
    _, err = process.communicate(timeout=300)
    assert process.returncode == 2, err
    assert "there is no Ray cluster at 127.0.0.1:1" in err


def workers_of_ray() -> list[int]:
    """The processes of this machine's Ray actors that screen."""
    from pathlib import Path

    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(b"ray::Hand"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found
