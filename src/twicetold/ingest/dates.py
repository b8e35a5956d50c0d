"""Dates as publishers write them, to ISO. A date that is not fully and clearly written is not guessed.

`iso` reads year, month and day wherever they stand in a short text, in the month names of fourteen languages. It does not read
times, and keeps the day as written whatever the time zone. `03/04/2020` is read only where the language settles its order.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import lru_cache

_MONTHS = {
    # Each language's twelve names, short forms after a slash. Names are matched without accents, dots and case.
    "en": "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct "
    "november/nov december/dec",
    "es": "enero/ene febrero/febr marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre/sept/set octubre noviembre "
    "diciembre/dic",
    "fr": "janvier/janv fevrier/fevr/fev mars avril/avr mai juin juillet/juil aout septembre octobre novembre decembre",
    "de": "januar/janner februar/feber marz/maerz april mai juni juli august september oktober/okt november dezember/dez",
    "pt": "janeiro fevereiro/fev marco abril maio/mai junho julho agosto setembro/set outubro/out novembro dezembro/dez",
    "it": "gennaio/gen febbraio marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre/sett ottobre/ott novembre dicembre",
    "nl": "januari februari maart/mrt april mei juni juli augustus september oktober november december",
    "pl": "stycznia/styczen/sty lutego/luty/lut marca/marzec kwietnia/kwiecien/kwi maja/maj czerwca/czerwiec/cze "
    "lipca/lipiec/lip sierpnia/sierpien/sie wrzesnia/wrzesien/wrz pazdziernika/pazdziernik/paz listopada/listopad/lis "
    "grudnia/grudzien/gru",
    "tr": "ocak/oca subat/sub mart nisan/nis mayis haziran/haz temmuz/tem agustos eylul/eyl ekim/eki kasim/kas aralik/ara",
    "id": "januari februari maret april mei juni juli agustus/agu september oktober november/nop desember/des",
    "no": "januar februar mars april mai juni juli august september oktober november desember",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "ar": "يناير/جانفي فبراير/فيفري مارس ابريل/أبريل/إبريل مايو يونيو/يونيه يوليو/يوليه اغسطس/أغسطس سبتمبر اكتوبر/أكتوبر نوفمبر ديسمبر",
    "hi": "जनवरी फरवरी/फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर/अक्तूबर नवंबर/नवम्बर दिसंबर/दिसम्बर",
}
_MONTH_FIRST = {"en", ""}
"""Languages where 03/04 may mean either day; everywhere else the day comes first."""

_SOME_DAY = r"(?P<d>\d{1,2})"
_SOME_YEAR = r"(?P<y>(?:1[89]|20)\d\d)(?!\d)"
_WORD = r"(?P<word>[^\W\d_][^\s\d,./-]*)"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?<!\d){_SOME_YEAR}(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep){_SOME_DAY}(?!\d)",
        rf"(?<!\d){_SOME_YEAR}\s*[年년]\s*(?P<m>\d{{1,2}})\s*[月월]\s*{_SOME_DAY}\s*[日일号號]",
        rf"(?<!\d){_SOME_DAY}(?:st|nd|rd|th|er|re|º|°|ª|\.)?[\s\-/]*(?:of |de |del |da |di )?{_WORD}\.?,?[\s\-/]*(?:de |del )?{_SOME_YEAR}",
        rf"{_WORD}\.?\s*{_SOME_DAY}(?:st|nd|rd|th)?\s*,?\s+(?:de )?{_SOME_YEAR}",
        rf"{_WORD}\s+{_SOME_DAY}\s+\d\d:\d\d:\d\d\s+(?:\S+\s+)?{_SOME_YEAR}",
        r"^(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)(?:t\d{4,6}z?)?$",
    )
)
_NUMERIC = re.compile(r"(?<![\d/.-])(?P<a>\d{1,2})(?P<sep>[/.-])(?P<b>\d{1,2})(?P=sep)(?P<y>(?:19|20)\d\d|\d\d)(?![\d/-])")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")
_LONGEST = 300


def iso(text: str, lang: str = "") -> str:
    """Return the date written in `text` as `2019-10-22`, or an empty string if none is clear.

    >>> iso("stated on October 22, 2019 in a debate"), iso("22 de octubre de 2019"), iso("2019年10月22日")
    ('2019-10-22', '2019-10-22', '2019-10-22')
    >>> iso("May"), iso("03/04/2020"), iso("03/04/2020", "fr")
    ('', '', '2020-04-03')
    """
    start = _ISO.match(text)
    if start:
        return _day(start[1], start[2], start[3])
    return _search(text[:_LONGEST].strip(), lang[:2].lower()) if text else ""


@lru_cache(maxsize=65536)
def _search(text: str, lang: str) -> str:
    flat = _flat(text)
    for form in _FORMS:
        for found in form.finditer(flat):
            parts = found.groupdict()
            month = parts.get("m") or _MONTH_OF.get(parts["word"].rstrip("."), "")
            day = _day(parts["y"], month, parts["d"]) if month else ""
            if day:
                return day
    numeric = _NUMERIC.search(flat)
    return _numeric(numeric, lang) if numeric else ""


def _numeric(found: re.Match[str], lang: str) -> str:
    """Read 22/10/2019: a part above 12 is the day; dots and languages other than English put the day first; else unclear."""
    first, second, year = found["a"], found["b"], found["y"]
    day_first = found["sep"] == "." or lang not in _MONTH_FIRST
    if len(year) == 2:
        return _day(f"20{year}", second, first) if lang not in _MONTH_FIRST else ""
    if day_first or int(first) > 12 or first == second:
        return _day(year, second, first)
    return _day(year, first, second) if int(second) > 12 else ""


def _day(year: str, month: str, day: str) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""


def _flat(text: str) -> str:
    """Lower case, no Latin accents, one kind of space, Western digits."""
    spread = unicodedata.normalize("NFKD", text.casefold()).replace("ı", "i")
    kept = (ch for ch in spread if not "\u0300" <= ch <= "\u036f")
    # Hindi and Arabic letters are composed again, so that they equal the table's.
    joined = unicodedata.normalize("NFC", "".join(kept))
    western = "".join(str(unicodedata.decimal(ch)) if ch.isdecimal() and not ch.isascii() else ch for ch in joined)
    return " ".join(western.split())


def _month_table() -> dict[str, str]:
    table: dict[str, str] = {}
    for names in _MONTHS.values():
        for number, forms in enumerate(names.split(), start=1):
            for form in forms.split("/"):
                known = table.setdefault(_flat(form), str(number))
                if known != str(number):
                    raise ValueError(f"{form!r} is month {known} in one language and {number} in another")
    return table


_MONTH_OF = _month_table()
