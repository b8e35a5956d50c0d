"""Uploads are read in a process that can be killed."""

from __future__ import annotations

import os
import signal

import pytest

from twicetold.errors import BadInput
from twicetold.serve.parsing import Parsing
from twicetold.serve.problems import Problem
from twicetold.types import Line

SPEECH = b"ANN: Garlic cures it.\nBOB: It does not.\n"


@pytest.fixture
def parsing():
    parsing = Parsing()
    yield parsing
    parsing.stop()


def read(parsing, content=SPEECH, **options):
    return parsing.speech(content, name="speech.txt", format="", **options)


def test_the_lines_come_back_as_they_were_said(parsing):
    assert read(parsing) == [Line("ANN", "Garlic cures it."), Line("BOB", "It does not.")]


def test_what_takes_too_long_is_given_up_and_the_next_upload_is_read(parsing):
    read(parsing)
    with pytest.raises(Problem, match="too-slow"):
        read(parsing, SPEECH * 100_000, seconds=0.05)
    assert len(read(parsing)) == 2


def test_a_process_that_was_killed_is_started_again(parsing):
    read(parsing)
    os.kill(parsing._process.pid, signal.SIGKILL)
    parsing._process.wait()
    assert len(read(parsing)) == 2


def test_what_holds_no_line_is_refused_in_the_reader_s_own_words(parsing):
    with pytest.raises(BadInput, match=r"speech\.txt holds no line of speech"):
        read(parsing, b"\n\n")


def test_more_lines_than_a_speech_has_are_refused(parsing):
    with pytest.raises(BadInput, match="scan it in parts"):
        read(parsing, b"A: x.\n" * 20_001)
