"""No parser of foreign text goes back over what it has read: twice the text takes about twice the time, for the worst texts there are.

Times are the processor's, so a loaded machine does not change them; three times as long is allowed where two is meant.
"""

from __future__ import annotations

import time

import pytest

from fuzz.growth import slow
from fuzz.targets import TARGETS
from twicetold import text
from twicetold.answer import parts
from twicetold.ingest import captions
from twicetold.ingest.roundups import split_roundup
from twicetold.rank.context import speakers
from twicetold.scan.worth import by_form
from twicetold.serve.sessions import cookie_in
from twicetold.types import FactCheck, Line


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_twice_the_text_takes_about_twice_the_time(name):
    assert [str(found) for found in slow(name)] == []


CHECK = FactCheck("a", "x", body="")
PARTS = {
    "sentences": (text.sentences, "." * 40_000 + "x"),
    "closing quotes": (text.sentences, '."' * 20_000 + "x"),
    "a caption": (captions._plain, "<" * 40_000),
    "a voice": (lambda said: captions._speaker([said], said, ""), "<v." * 15_000),
    "times of a caption": (lambda said: captions._times(said, 0.0), "1:" * 20_000),
    "headings": (lambda body: split_roundup(FactCheck("a", "x", body=body)), "claim " + " " * 40_000 + "x"),
    "heading after heading": (lambda body: split_roundup(FactCheck("a", "x", body=body)), ("Claim 1:" + " " * 200 + "\n") * 200),
    "a speaker's name": (speakers._words, "(" * 40_000),
    "worth": (lambda said: by_form([Line("", said)], 0), "一" * 40_000),
    "cookies": (lambda said: cookie_in([(b"cookie", said.encode())]), 'a="' + '\\"' * 20_000),
    "parts of a claim": (parts.parts_of, " ;" * 20_000),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_hostile_text_is_taken_apart_quickly(name):
    run, said = PARTS[name]
    started = time.process_time()
    run(said)
    once = time.process_time() - started
    started = time.process_time()
    run(said + said)
    assert time.process_time() - started < max(0.3, 3 * once)
