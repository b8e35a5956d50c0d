"""Transcripts: every format read line by line, and what is broken named with its line number."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twicetold.errors import BadInput
from twicetold.ingest.problems import Problem
from twicetold.ingest.transcripts import read_lines, read_transcript
from twicetold.types import Line

SRT = """1
00:00:01,000 --> 00:00:03,000
MS. LEE: The bridge was
built in 1932

2
00:00:03,000 --> 00:00:05,000
by hand. It cost a million.

3
00:00:05,500 --> 00:00:07,000
MR. OKOYE: It did not.
"""
VTT = """WEBVTT - a debate

NOTE made by hand

STYLE
::cue { color: white }

intro
00:01.000 --> 00:03.000 line:0 align:start
<v Ruth Lee>The bridge was <i>built</i> in 1932 &amp; opened.

00:03.500 --> 00:05.000
<v Ben Okoye>It was not.
"""


def read(text, **options):
    return list(read_lines(io.BytesIO(text.encode()), name="x", **options))


def opened(content):
    """Bytes as an open file gives them."""
    return io.BufferedReader(io.BytesIO(content))


def lines(text, **options):
    return [line for line in read(text, **options) if isinstance(line, Line)]


def problems(text, **options):
    return [str(problem) for problem in read(text, **options) if isinstance(problem, Problem)]


def test_a_checkthat_table_gives_one_line_for_each_row():
    assert lines("1\tLEE\tTaxes rose.\t0\n2\tOKOYE\tThey fell.\t1\n") == [Line("LEE", "Taxes rose."), Line("OKOYE", "They fell.")]


def test_a_broken_row_is_named_and_keeps_its_place_so_that_later_numbers_hold():
    text = "1\tLEE\tTaxes rose.\nno tabs here\n3\tOKOYE\tThey fell.\n"
    assert [line.text for line in lines(text)] == ["Taxes rose.", "", "They fell."]
    assert problems(text) == ["x, line 2: wanted number, speaker and sentence by tabs, found 'no tabs here'"]


def test_a_row_whose_number_is_not_its_place_is_named():
    assert problems("1\tLEE\tTaxes rose.\n7\tOKOYE\tThey fell.\n") == ["x, line 2: is numbered 7, but is line 2 of the speech"]


def test_a_speaker_goes_on_until_another_is_named_and_paragraphs_are_cut_into_sentences():
    assert lines("LEE: Taxes rose. Wages fell.\nSo did hope.\nMR. OKOYE: Not so.") == [
        Line("LEE", "Taxes rose."),
        Line("LEE", "Wages fell."),
        Line("LEE", "So did hope."),
        Line("MR. OKOYE", "Not so."),
    ]


@pytest.mark.parametrize("text", ["Here is the thing: taxes rose.", "It is 10:30 now.", "See https://example.org/a: a page"])
def test_a_colon_inside_a_sentence_is_no_speaker(text):
    assert lines(text) == [Line("", text)]


def test_a_full_width_colon_ends_a_label_too():
    text = "张三：疫苗会导致自闭症。谢谢。\n唐纳德·特朗普： 不是。\nLEE：No.\n"
    assert lines(text) == [
        Line("张三", "疫苗会导致自闭症。"),
        Line("张三", "谢谢。"),
        Line("唐纳德·特朗普", "不是。"),
        Line("LEE", "No."),
    ]


def test_a_full_width_colon_ends_a_label_of_captions_too():
    text = "WEBVTT\n\n00:01.000 --> 00:03.000\n张三：疫苗会导致自闭症。\n\n00:03.500 --> 00:05.000\n我说的是：税收上涨了。\n"
    assert [(line.speaker, line.text) for line in lines(text)] == [("张三", "疫苗会导致自闭症。"), ("张三", "我说的是：税收上涨了。")]


def test_a_full_width_colon_inside_a_sentence_is_no_speaker():
    assert lines("我想说的是：税收上涨了。") == [Line("", "我想说的是：税收上涨了。")]


def test_captions_are_joined_into_sentences_that_keep_their_times():
    first, second, third = lines(SRT)
    assert (first.text, first.speaker) == ("The bridge was built in 1932 by hand.", "MS. LEE")
    assert (second.text, second.speaker) == ("It cost a million.", "MS. LEE")
    assert third == Line("MR. OKOYE", "It did not.", 5.5, 7.0)
    # "by hand." is 8 of the second caption's 27 characters, which are spoken from 3 s to 5 s.
    assert (first.start, first.end) == pytest.approx((1.0, 3 + 2 * 8 / 27), abs=0.001)
    assert (second.start, second.end) == pytest.approx((3 + 2 * 9 / 27, 5.0), abs=0.001)


def test_webvtt_voices_are_speakers_and_notes_styles_and_tags_are_not_speech():
    assert lines(VTT) == [
        Line("Ruth Lee", "The bridge was built in 1932 & opened.", 1.0, 3.0),
        Line("Ben Okoye", "It was not.", 3.5, 5.0),
    ]


def test_lines_that_roll_up_are_read_once():
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nTaxes rose\n\n00:02.000 --> 00:03.000\nTaxes rose\nlast year.\n"
    assert [line.text for line in lines(text)] == ["Taxes rose last year."]


def test_a_long_pause_ends_a_sentence_that_has_no_full_stop():
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\ntaxes rose\n\n00:09.000 --> 00:10.000\nwages fell\n"
    assert [line.text for line in lines(text)] == ["taxes rose", "wages fell"]


@pytest.mark.parametrize(
    ("times", "said"),
    [
        ("00:05.000 --> 00:02.000", "x, line 3: the caption ends (2 s) before it starts (5 s); its end is ignored"),
        ("00:99.000 --> 00:02.000", "x, line 3: the times '00:99.000 --> 00:02.000' cannot be read; wanted 00:01:02.000 --> 00:01:04.000"),
    ],
)
def test_impossible_times_are_named_and_the_words_are_kept(times, said):
    text = f"WEBVTT\n\n{times}\nTaxes rose.\n"
    assert problems(text) == [said]
    assert [line.text for line in lines(text)] == ["Taxes rose."]


def test_captions_that_go_back_in_time_are_named():
    text = "WEBVTT\n\n00:09.000 --> 00:10.000\nOne.\n\n00:01.000 --> 00:02.000\nTwo.\n"
    assert problems(text) == ["x, line 6: the caption starts at 1 s, before the one above it (9 s)"]


def test_overlapping_and_empty_captions_are_taken_as_they_come():
    text = "WEBVTT\n\n00:01.000 --> 00:04.000\nOne.\n\n00:02.000 --> 00:05.000\n\n00:03.000 --> 00:06.000\nTwo.\n"
    assert [line.text for line in lines(text)] == ["One.", "Two."]
    assert problems(text) == []


def test_text_after_the_times_of_no_caption_is_named():
    assert problems("WEBVTT\n\nsome stray words\n") == [
        "x, line 3: wanted a caption with its times (00:01:02.000 --> 00:01:04.000), found 'some stray words'"
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"speaker": "LEE", "text": "Taxes rose.", "start": 1, "end": 2.5}\n{"text": "They fell."}\n',
        '[{"speaker": "LEE", "text": "Taxes rose.", "start": 1, "end": 2.5},\n {"text": "They fell."}]',
        '{"id": "d", "title": "", "lines": [{"speaker": "LEE", "text": "Taxes rose.", "start": 1, "end": 2.5}, "They fell."]}',
        '{\n "segments": [{"speaker": "LEE", "text": "Taxes rose.", "start": 1, "end": 2.5}, {"text": "They fell."}]\n}',
    ],
    ids=["a line each", "a list", "a transcript", "a recogniser's segments"],
)
def test_json_may_be_lines_a_list_or_a_document(text):
    assert lines(text) == [Line("LEE", "Taxes rose.", 1.0, 2.5), Line("", "They fell.")]


def test_a_json_line_that_is_no_line_of_speech_is_named_and_the_rest_is_read():
    text = '{"text": "One."}\n{"words": 3}\n{"text": "Two."}\n'
    assert [line.text for line in lines(text)] == ["One.", "", "Two."]
    assert problems(text) == ["""x, line 2: wanted {"speaker": …, "text": …}, found "{'words': 3}\""""]


@pytest.mark.parametrize(
    ("times", "line", "said"),
    [
        ('"start": 5, "end": 2', Line("", "Two.", 5.0, 5.0), ["x, line 2: ends (2 s) before it starts (5 s); its end is ignored"]),
        ('"start": 1, "end": 2', Line("", "Two.", 1.0, 2.0), ["x, line 2: starts at 1 s, before the one above it (3 s)"]),
        (
            '"start": Infinity, "end": "soon"',
            Line("", "Two."),
            ["x, line 2: its start inf and its end 'soon' cannot be read as seconds of the speech; ignored"],
        ),
        (
            '"start": "x", "end": 9',
            Line("", "Two.", None, 9.0),
            ["x, line 2: its start 'x' cannot be read as seconds of the speech; ignored"],
        ),
    ],
)
def test_impossible_times_in_json_are_named_and_the_words_are_kept(times, line, said):
    text = '{"text": "One.", "start": 3, "end": 4}\n{"text": "Two.", ' + times + "}\n"
    assert lines(text)[1] == line
    assert problems(text) == said


@pytest.mark.parametrize("broken", ['{"text": "Two."', '{"text": Two}', "Two.", "[1, 2"])
def test_a_broken_json_line_is_named_and_keeps_its_place_and_reading_goes_on(broken):
    text = f'{{"text": "One."}}\n{broken}\n{{"text": "Three."}}\n'
    assert [line.text for line in lines(text)] == ["One.", "", "Three."]
    assert [problem.split(" (")[0] for problem in problems(text)] == ["x, line 2: is no JSON"]


@pytest.mark.parametrize("broken", ['{"text": "One."', '{"text": One}'])
def test_a_broken_first_line_does_not_make_json_lines_a_document(broken):
    text = f'{broken}\n{{"text": "Two."}}\n{{"text": "Three."}}\n'
    assert [line.text for line in lines(text)] == ["", "Two.", "Three."]
    assert len(problems(text)) == 1


@pytest.mark.parametrize(
    "start", ["[", '{"id": "d", "lines": [', '{\n "title": "x",\n "segments": ['], ids=["a list", "a transcript", "segments"]
)
@pytest.mark.parametrize("end", ['{"text": "Thr', '{"text"', '{"text": "Three."', ""])
def test_a_json_document_that_is_cut_off_gives_all_lines_before(start, end):
    text = start + '{"text": "One."},\n {"text": "Two."},\n ' + end
    assert [line.text for line in lines(text, format="json")] == ["One.", "Two."]
    assert ["starts like JSON but is not" in problem for problem in problems(text, format="json")] == [True]


def test_a_broken_row_inside_a_json_list_is_named_and_keeps_its_place():
    text = '[{"text": "One."},\n {"text": Two},\n {"text": "Three."}, {"words": 4}, {"text": "Five."}]'
    assert [line.text for line in lines(text)] == ["One.", "", "Three.", "", "Five."]
    assert problems(text)[0] == "x, line 2 of the speech: is no JSON, found '{\"text\": Two},'"


def test_a_caption_file_of_ten_hours_is_read_to_its_end():
    code = "{:02d}:{:02d}:{:02d}.000".format
    shown = "".join(
        f"{code(at // 3600, at // 60 % 60, at % 60)} --> {code(at // 3600, at // 60 % 60, at % 60 + 4)}\nNumber {at} is here.\n\n"
        for at in range(0, 36_060, 5)
    )
    found = lines("WEBVTT\n\n" + shown)
    assert (len(found), found[-1]) == (7212, Line("", "Number 36055 is here.", 36_055.0, 36_059.0))
    assert problems("WEBVTT\n\n" + shown) == []


def test_a_line_that_is_not_utf_8_is_read_as_windows_1252_and_named():
    found = list(read_lines(io.BytesIO("A café.\n".encode() + b"It\x92s 5\x80.\n"), name="x"))
    assert found == [Line("", "A café."), Problem("x, line 2", "not UTF-8 (byte 3); read as Windows-1252"), Line("", "It’s 5€.")]


def test_utf_16_captions_are_read():
    assert [line.text for line in read_lines(io.BytesIO(VTT.encode("utf-16")))] == [
        "The bridge was built in 1932 & opened.",
        "It was not.",
    ]


class Tap(io.RawIOBase):
    """A stream that says how many lines it has been asked for."""

    def __init__(self, rows):
        self.rows = rows
        self.asked = 0

    def readline(self, size=-1):
        self.asked += 1
        return self.rows[self.asked - 1] if self.asked <= len(self.rows) else b""


def test_a_line_is_given_before_the_next_one_is_waited_for():
    tap = Tap([b"LEE: One.\n", b"LEE: Two.\n", b"LEE: Three.\n"])
    assert next(read_lines(tap)) == Line("LEE", "One.")
    assert tap.asked == 1


def test_a_stream_that_stops_inside_a_line_loses_nothing():
    assert [line.text for line in lines("LEE: One.\nLEE: Two is not fin")] == ["One.", "Two is not fin"]


def test_a_line_of_megabytes_is_named_and_left_out():
    text = "LEE: One.\n" + "x" * 500_000 + "\nLEE: Two."
    assert [line.text for line in lines(text)] == ["One.", "Two."]
    assert problems(text) == ["x, line 2: 500,001 bytes without a line break are no line of speech; left out"]


def test_a_file_without_a_line_of_speech_is_refused(tmp_path):
    path = tmp_path / "empty.vtt"
    path.write_text("WEBVTT\n\n")
    with pytest.raises(BadInput, match="holds no line of speech"):
        read_transcript(path)


def test_the_ending_of_a_file_tells_its_format(tmp_path):
    path = tmp_path / "2016_debate.tsv"
    path.write_text("1\tLEE\tTaxes rose.\n")
    transcript, found = read_transcript(path)
    assert (transcript.id, transcript.title, transcript.lines, found) == ("2016_debate", "2016 debate", (Line("LEE", "Taxes rose."),), [])


@given(st.binary(max_size=300), st.sampled_from(["tsv", "dialogue", "srt", "vtt", "json", None]), st.sampled_from([io.BytesIO, opened]))
def test_no_bytes_make_a_reader_fail_unless_they_are_no_text(content, format, stream):
    try:
        for read in read_lines(stream(content), format=format):
            assert isinstance(read, Line | Problem)
    except BadInput as error:
        assert "is no text" in str(error)  # noqa: PT017 - most bytes are read


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", b"PK\x03\x04\x14\x00", b"%PDF-1.4\n\x01\x02\x03\x00", bytes(range(1, 32)) * 9]
)
def test_what_is_no_text_is_refused(content):
    with pytest.raises(BadInput, match="x is no text; wanted a transcript"):
        list(read_lines(opened(content), name="x"))


def test_a_line_that_is_no_text_is_named_and_left_out_of_a_stream():
    found = list(read_lines(io.BytesIO(b"LEE: One.\nLEE: \x00\x01\x02\nLEE: Two.\n"), name="x"))
    assert found == [Line("LEE", "One."), Problem("x, line 2", "holds signs that no text has; left out"), Line("LEE", "Two.")]
