"""Make a clean sentence look like a hurried post: typos, casing, hashtags, mentions, links, missing ends.

Everything is drawn from the generator given, so the same seed gives the same noise.
"""

from __future__ import annotations

import random
from collections.abc import Callable

_NEAR = {
    "a": "qsz", "b": "vgn", "c": "xdv", "d": "sfe", "e": "wrd", "f": "dgr", "g": "fht", "h": "gjy", "i": "uok", "j": "hku",
    "k": "jli", "l": "kop", "m": "nj", "n": "bmh", "o": "ipl", "p": "ol", "q": "wa", "r": "etf", "s": "adw", "t": "ryg",
    "u": "yij", "v": "cbf", "w": "qes", "x": "zcs", "y": "tuh", "z": "xa",
}  # fmt: skip


def typos(text: str, rng: random.Random, *, rate: float = 0.03) -> str:
    """Swap, drop, double or mistype about `rate` of the letters; first letters of words are left alone."""
    letters = list(text)
    for i in range(1, len(letters) - 1):
        if letters[i].isalpha() and letters[i - 1].isalpha() and rng.random() < rate:
            kind = rng.randrange(4)
            if kind == 0:
                letters[i], letters[i + 1] = letters[i + 1], letters[i]
            elif kind == 1:
                letters[i] = ""
            elif kind == 2:
                letters[i] *= 2
            else:
                letters[i] = rng.choice(_NEAR.get(letters[i].lower(), letters[i]))
    return "".join(letters)


def casing(text: str, rng: random.Random) -> str:
    """Shout, or drop all capitals."""
    return text.upper() if rng.random() < 0.3 else text.lower()


def hashtags(text: str, rng: random.Random) -> str:
    """Turn one or two longer words into hashtags."""
    words = text.split()
    for i in rng.sample(range(len(words)), min(len(words), 2)):
        if len(words[i]) > 4 and words[i].isalpha():
            words[i] = "#" + words[i]
    return " ".join(words)


def cut_short(text: str, rng: random.Random) -> str:
    """Lose the end of the text, at most half."""
    words = text.split()
    return " ".join(words[: max(4, int(len(words) * rng.uniform(0.5, 0.9)))])


def cut_start(text: str, rng: random.Random) -> str:
    """Lose the beginning of the text, at most a third."""
    words = text.split()
    return " ".join(words[int(min(len(words) - 4, len(words) * rng.uniform(0, 0.33))) :]) if len(words) > 6 else text


def dress(text: str, rng: random.Random) -> str:
    """Put around the text what posts carry: a mention, a link, an exclamation."""
    before = rng.choice(["", "", "RT @user: ", "@user ", "BREAKING: ", "So ", "Wow. "])
    after = rng.choice(["", "", " https://t.co/abc", " pic.twitter.com/abc", "!!!", " Share this!", " …"])
    return f"{before}{text}{after}"


_WAYS: tuple[Callable[[str, random.Random], str], ...] = (typos, casing, hashtags, cut_short, cut_start, dress)


def add_noise(text: str, rng: random.Random, *, share: float = 0.5) -> str:
    """With probability `share`, apply one or two kinds of noise."""
    if rng.random() >= share:
        return text
    for way in rng.sample(_WAYS, rng.choice((1, 1, 2))):
        text = way(text, rng)
    return text
