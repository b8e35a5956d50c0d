"""Where records come from, and which reader a source gets."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from twicetold.errors import BadData, BadInput
from twicetold.ingest import FORMATS, Problem, detect, read
from twicetold.ingest.scales import PUBLISHERS
from twicetold.ingest.sources import sources, stream_source
from twicetold.ingest.words import LANGUAGES

CSV = b"claim,lang\nFrogs rained.,en\nIt hailed.,en\n"
JSONL = b'{"claim": "Frogs rained."}\n{"claim": "It hailed."}\n'
BOTH = ["Frogs rained.", "It hailed."]


def claims(source, **options):
    return [record.claim for record in read(source, **options)]


@pytest.mark.parametrize(
    ("head", "format"),
    [
        (CSV, "csv"),
        (b"\xef\xbb\xbfclaim;rating\n", "csv"),
        (JSONL, "jsonl"),
        (b'{"claim": "Frogs rained."}', "json"),
        (b'{\n "@type": "ClaimReview"}', "json"),
        (b'[{"claim": "Frogs rained."}]', "json"),
        (b"  <!doctype html><title>x</title>", "page"),
        (b"\tvclaim\ttitle\n0\tFrogs rained.\tDid they?\n", "checkthat2020"),
        (b"title\tfact\nDid they?\tFrogs rained.\n", "snopes-table"),
        (b"line_number,speaker,sentence,politifact_statement,verified_claim\n", "politifact-table"),
        (b'0,Frogs rained.,"on Monday",http://politifact.com/x/statements/2019/oct/30/a/b/,False,Ana,T,B\n', "politifact-table"),
        (b'{"title": "T", "vclaim_id": "vclaim-id-0", "url": "u", "vclaim": "B"}\n', "factchecktweet"),
        (b'{"url": "/u", "vclaim": "B", "truth_label": "false", "vclaim_id": "vclaim-pol-0"}', "checkthat2021-2b"),
        (b'{"title": "T", "subtitle": "", "vclaim_id": "vclaim-sno-0", "vclaim": "B"}', "checkthat2021-2a"),
    ],
)
def test_the_reader_is_told_from_the_first_bytes(head, format):
    assert detect(stream_source(io.BytesIO(head))) == format


@pytest.mark.parametrize("head", [b"%PDF-1.7 x", b"\x89PNG\r\n\x1a\n\x00", b"\x00\x01\x02"])
def test_what_is_no_text_is_refused_with_what_was_wanted(head):
    with pytest.raises(BadInput, match="is no text; wanted JSON"):
        list(read(io.BytesIO(head)))


def test_an_empty_source_is_refused():
    with pytest.raises(BadData, match="is empty"):
        list(read(io.BytesIO(b" \n")))


def test_a_format_can_be_asked_for_by_name():
    assert claims(io.BytesIO(b"claim\tnote, long\nFrogs rained.\t\n"), format="tsv") == ["Frogs rained."]


def test_an_unknown_format_is_refused_with_the_known_ones():
    with pytest.raises(BadInput, match="no format 'xml'; choose one of claimreview, "):
        list(read(io.BytesIO(CSV), format="xml"))


def test_every_format_has_a_reader():
    assert {"claimreview", "claims-search", "csv", "tsv", "jsonl", "page", "factchecktweet"} <= set(FORMATS)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(BadInput, match="there is no file or folder"):
        list(read(tmp_path / "none.csv"))


def test_a_name_that_cannot_be_a_file_is_refused():
    with pytest.raises(BadInput, match=r"no file or folder|not a file name"):
        list(read("a\x00b"))


def test_a_folder_without_anything_readable_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(BadData, match="holds none of the kinds read here"):
        list(read(tmp_path))


@pytest.mark.parametrize("content", [CSV, JSONL])
def test_gzip_is_undone_wherever_it_is_met(tmp_path, content):
    (tmp_path / "checks.gz").write_bytes(gzip.compress(content))
    assert claims(tmp_path / "checks.gz") == BOTH
    assert claims(io.BytesIO(gzip.compress(content))) == BOTH


def test_a_gzip_file_cut_off_in_the_middle_gives_what_came_before_and_a_problem(tmp_path):
    rows = b"claim,lang\n" + b"".join(f"Claim {number} about {number * 7919 % 1000}.,en\n".encode() for number in range(50_000))
    packed = gzip.compress(rows)
    (tmp_path / "checks.csv.gz").write_bytes(packed[: len(packed) // 2])
    *good, problem = read(tmp_path / "checks.csv.gz")
    assert good[0].claim == "Claim 0 about 0."
    assert len(good) > 10_000
    assert isinstance(problem, Problem)


def test_a_zip_archive_is_walked_in_the_order_of_names(tmp_path):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("b/two.jsonl", b'{"claim": "It hailed."}')
        archive.writestr("a/one.csv", b"claim\nFrogs rained.\n")
        archive.writestr("a/picture.png", b"\x89PNG")
    assert claims(tmp_path / "all.zip") == BOTH


def test_a_spreadsheet_is_refused_as_an_archive_without_readable_files(tmp_path):
    with zipfile.ZipFile(tmp_path / "checks.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", b"<x/>")
    with pytest.raises(BadData, match="holds none of the kinds read here"):
        list(read(tmp_path / "checks.xlsx"))


def test_a_damaged_zip_archive_is_refused(tmp_path):
    (tmp_path / "all.zip").write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(BadData, match="cannot be read"):
        list(read(tmp_path / "all.zip"))


def test_zstd_is_refused_with_the_command_that_unpacks_it(tmp_path):
    (tmp_path / "feed.json.zst").write_bytes(b"\x28\xb5\x2f\xfd....")
    with pytest.raises(BadInput, match="unzstd"):
        list(read(tmp_path / "feed.json.zst"))


def test_a_stream_that_was_given_is_left_open():
    stream = io.BytesIO(CSV)
    assert claims(stream) == BOTH
    assert not stream.closed


def test_a_source_can_be_looked_at_and_then_read_from_its_start():
    [source] = sources(io.BytesIO(CSV))
    assert source.head().startswith(b"claim")
    assert source.open().read() == CSV


def test_the_language_is_detected_where_the_source_does_not_name_it():
    text = "Beber agua con limón en ayunas no cura la diabetes, según los médicos consultados"
    [check] = read(io.BytesIO(json.dumps({"claim": text}).encode()))
    assert check.lang == "es"


def test_reading_the_same_source_twice_gives_the_same_records():
    assert list(read(io.BytesIO(JSONL))) == list(read(io.BytesIO(JSONL)))


def test_every_format_is_documented():
    documented = (Path(__file__).parent.parent / "docs" / "ingest.md").read_text()
    assert [format for format in FORMATS if f"| `{format}` |" not in documented] == []


def test_the_documented_counts_are_the_real_ones():
    documented = (Path(__file__).parent.parent / "docs" / "ingest.md").read_text()
    assert f"The scales of {len(PUBLISHERS)} publishers" in documented
    assert f"words of judgement in {len(LANGUAGES)} languages" in documented


def test_an_archive_of_one_file_is_read_like_any_other(tmp_path):
    import zipfile

    from twicetold.ingest import read

    archive = tmp_path / "one.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("checks.csv", "id,claim\n1,Carrots improve night vision\n")
    assert [check.claim for check in read(str(archive))] == ["Carrots improve night vision"]
