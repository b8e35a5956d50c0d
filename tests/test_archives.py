"""Archives that mean harm: small files that unfold without end, names that lead elsewhere, archives in archives."""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
import struct
import zipfile
from functools import cache

import pytest

from twicetold.batch.partitions import Columns, cut, find_files
from twicetold.batch.reading import read as read_partition
from twicetold.batch.storage import Place
from twicetold.errors import BadData, TwicetoldError
from twicetold.ingest import Problem, read
from twicetold.ingest.posts import read_posts
from twicetold.types import FactCheck

CHECK = json.dumps({"id": "a", "claim": "Garlic cures the flu", "rating": "False"}).encode() + b"\n"
POST = b'{"id": "1", "text": "Garlic cures the flu"}\n'
MUCH = 70 << 20
"""More than may come of a source that unfolds beyond measure."""


def zipped(path, members, *, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


@cache
def blanks() -> bytes:
    """Seventy megabytes of blank lines, packed."""
    return gzip.compress((b" " * 0xFFFFF + b"\n") * (MUCH >> 20))


def bomb(start: bytes) -> bytes:
    """A gzip file that begins well and goes on as blanks."""
    return gzip.compress(start) + blanks()


def read_all(source, **options):
    try:
        return list(read(source, **options))
    except TwicetoldError as error:
        return [Problem(str(source), str(error))]


# --- what unfolds


def test_a_gzip_file_that_unfolds_beyond_measure_is_cut_off_and_what_came_before_is_kept(tmp_path):
    (tmp_path / "bomb.jsonl.gz").write_bytes(bomb(CHECK + CHECK.replace(b'"a"', b'"b"')))
    *checks, problem = read_all(tmp_path / "bomb.jsonl.gz")
    assert [check.id for check in checks] == ["a", "b"]
    assert "times its size" in problem.reason
    assert "unpack it" in problem.reason


@pytest.mark.parametrize("format", ["claimreview", "jsonl", "csv", "page", "checkthat2021-2a", "snopes-table"])
def test_whatever_reads_it_stops_at_the_same_measure(format):
    records = read_all(io.BytesIO(bomb(b"")), format=format)
    assert [type(record) for record in records] == [Problem]


def test_ordinary_text_packed_tightly_is_read(tmp_path):
    many = b"".join(CHECK.replace(b'"a"', b'"n%d"' % number) for number in range(3000))
    (tmp_path / "checks.jsonl.gz").write_bytes(gzip.compress(many, 9))
    assert len(read_all(tmp_path / "checks.jsonl.gz")) == 3000


def test_a_zip_archive_that_says_it_unfolds_beyond_measure_is_refused_unread(tmp_path):
    path = zipped(tmp_path / "bomb.zip", {"a.jsonl": CHECK + b" " * MUCH})
    with pytest.raises(BadData, match="times its size"):
        list(read(path))


def test_members_that_share_their_bytes_count_each(tmp_path):
    """The directory names the same bytes again and again: a small file of many large members."""
    path = zipped(tmp_path / "one.zip", {"a.jsonl": CHECK + b"\n" * (1 << 20)})
    raw = path.read_bytes()
    at = raw.index(b"PK\x01\x02")
    entry, end = raw[at : raw.index(b"PK\x05\x06")], raw[raw.index(b"PK\x05\x06") :]
    directory = b"".join(entry.replace(b"a.jsonl", b"%x.jsonl" % (number % 16)) for number in range(300))
    tail = end[:8] + struct.pack("<HHII", 300, 300, len(directory), at) + end[20:]
    path.write_bytes(raw[:at] + directory + tail)
    with pytest.raises(BadData, match="times its size"):
        list(read(path))


def test_a_member_that_is_a_bomb_itself_costs_only_itself(tmp_path):
    path = zipped(tmp_path / "all.zip", {"a.jsonl.gz": bomb(b""), "b.jsonl": CHECK}, method=zipfile.ZIP_STORED)
    problem, check = read_all(path)
    assert "a.jsonl.gz" in problem.place
    assert check.id == "a"


def test_an_archive_packed_in_a_way_that_may_want_gigabytes_to_unpack_is_refused(tmp_path):
    path = zipped(tmp_path / "lzma.zip", {"a.jsonl": CHECK}, method=zipfile.ZIP_LZMA)
    [problem] = read_all(path)
    assert "unpack it" in problem.reason


def test_posts_in_an_archive_have_the_same_measure(tmp_path):
    path = zipped(tmp_path / "twitter.zip", {"data/tweets.js": b"window.YTD.tweets.part0 = [" + b" " * MUCH + b"]"})
    with pytest.raises(BadData, match="times its size"):
        list(read_posts(path))


def test_a_damaged_archive_of_posts_is_refused(tmp_path):
    path = zipped(tmp_path / "twitter.zip", {"data/tweets.js": b"window.YTD.tweets.part0 = []"})
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"PK\x01\x02") + 6] = 99  # a version to extract that no one has
    path.write_bytes(bytes(raw))
    with pytest.raises(BadData, match="cannot be read"):
        list(read_posts(path))


def test_a_packed_file_of_posts_that_unfolds_beyond_measure_is_not_taken_into_memory(tmp_path):
    (tmp_path / "posts.jsonl.gz").write_bytes(bomb(POST))
    [partition] = cut(find_files([Place(str(tmp_path))]), rows=10)
    with pytest.raises(BadData, match="times its size"):
        list(read_partition(partition, Columns()))


# --- archives in archives


def test_an_archive_in_an_archive_is_not_opened(tmp_path):
    inner = zipped(tmp_path / "inner.zip", {"a.jsonl": CHECK}).read_bytes()
    path = zipped(tmp_path / "outer.zip", {"inner.zip": inner, "named.jsonl": inner, "b.jsonl": CHECK})
    records = read_all(path)
    assert [record.id for record in records if isinstance(record, FactCheck)] == ["a"]
    [problem] = [record for record in records if isinstance(record, Problem)]
    assert "named.jsonl" in problem.place


def test_gzip_is_undone_once(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(gzip.compress(CHECK)))
    [problem] = read_all(tmp_path / "a.jsonl.gz")
    assert "no text" in problem.reason


# --- names that lead elsewhere


@pytest.mark.parametrize("name", ["../../escaped.jsonl", "/tmp/escaped.jsonl", "a/../../escaped.jsonl", "C:\\escaped.jsonl"])
def test_a_member_whose_name_leads_elsewhere_is_read_and_written_nowhere(tmp_path, name):
    folder = tmp_path / "one" / "two"
    folder.mkdir(parents=True)
    path = zipped(folder / "all.zip", {name: CHECK})
    before = sorted(tmp_path.rglob("*"))
    [check] = read(path)
    assert check.id == "a"
    assert sorted(tmp_path.rglob("*")) == before
    assert not os.path.exists("/tmp/escaped.jsonl")


def test_a_link_in_an_archive_is_not_followed(tmp_path):
    (tmp_path / "secret.jsonl").write_bytes(CHECK)
    link = zipfile.ZipInfo("link.jsonl")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr(link, str(tmp_path / "secret.jsonl"))
    assert [type(record) for record in read_all(tmp_path / "all.zip")] == [Problem]


def test_a_folder_behind_a_link_is_not_walked(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.jsonl").write_bytes(CHECK)
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "in").symlink_to(tmp_path / "elsewhere")
    [problem] = read_all(tmp_path / "given")
    assert "holds none" in problem.reason
