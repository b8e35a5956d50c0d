"""`make audit DB=FOLDER` on a small database of our own in the layout that osv.dev exports."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile

import pytest

LOCK = "starlette==0.40.1 \\\n    --hash=sha256:00\nPy_Yaml[x]==6.0 \\\n    --hash=sha256:00\nh11==0.16.0\n"


def record(id, name, *events, versions=(), ecosystem="PyPI", **more):
    affected = {
        "package": {"name": name, "ecosystem": ecosystem},
        "ranges": [{"type": "ECOSYSTEM", "events": list(events)}],
        "versions": list(versions),
    }
    return {"id": id, "summary": f"about {id}", "affected": [affected], **more}


RECORDS = [
    record("HIT-1", "starlette", {"introduced": "0"}, {"fixed": "0.41.0"}),
    record("HIT-2", "py-yaml", {"introduced": "0"}, {"last_affected": "6.0"}),
    record("HIT-3", "h11", versions=["0.15.0", "0.16.0"]),
    record("MISS-fixed", "starlette", {"introduced": "0"}, {"fixed": "0.40.0"}),
    record("MISS-later", "starlette", {"introduced": "0.41"}, {"fixed": "0.42"}),
    record("MISS-gap", "starlette", {"introduced": "0"}, {"fixed": "0.3"}, {"introduced": "0.50"}),
    record("MISS-withdrawn", "starlette", {"introduced": "0"}, withdrawn="2024-01-01T00:00:00Z"),
    record("MISS-elsewhere", "starlette", {"introduced": "0"}, ecosystem="npm"),
    record("MISS-not-locked", "django", {"introduced": "0"}),
]


def audited(folder, lock):
    return subprocess.run([sys.executable, "-m", "bench.audit", str(folder), str(lock)], capture_output=True, text=True, check=False)


@pytest.fixture
def lock(tmp_path):
    (tmp_path / "requirements.lock").write_text(LOCK)
    return tmp_path / "requirements.lock"


@pytest.mark.parametrize("layout", ["loose", "PyPI", "packed"])
def test_affected_versions_are_named_and_the_others_are_not(tmp_path, lock, layout):
    place = tmp_path / "db" / ("PyPI" if layout != "loose" else "")
    place.mkdir(parents=True)
    if layout == "packed":
        with zipfile.ZipFile(place / "all.zip", "w") as packed:
            for one in RECORDS:
                packed.writestr(f"{one['id']}.json", json.dumps(one))
    else:
        for one in RECORDS:
            (place / f"{one['id']}.json").write_text(json.dumps(one))
    run = audited(tmp_path / "db", lock)
    assert run.returncode == 1
    assert [line.split(": ")[1].split()[0] for line in run.stdout.splitlines()] == ["HIT-3", "HIT-2", "HIT-1"]
    assert "fixed in 0.41.0" in run.stdout


def test_a_lock_that_nothing_affects_passes(tmp_path, lock):
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "x.json").write_text(json.dumps(RECORDS[-1]))
    assert audited(tmp_path / "db", lock).returncode == 0


def test_a_folder_without_a_database_does_not_pass_for_a_clean_one(tmp_path, lock):
    (tmp_path / "db").mkdir()
    assert audited(tmp_path / "db", lock).returncode == 2
