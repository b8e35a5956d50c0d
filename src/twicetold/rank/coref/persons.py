"""Which names of a speech are persons: those who speak in it, those said with a title, first names, and family names known from either.

A capital letter alone tells nothing: August, Texas, DACA, (APPLAUSE) and the first word of a sentence have one too. A single word is
therefore a person only where something says so; two capitalised words are unless they hold the word of a place, people or institution.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twicetold.rank.coref.features import Text
from twicetold.rank.coref.gender import genders_of
from twicetold.rank.coref.mentions import Mention, Token, find_mentions, tokenise
from twicetold.types import Context, Line

_split = re.compile(r"\w+").findall
_TITLES = frozenset(
    _split(
        "mr mrs ms miss dr doctor prof professor sen senator rep representative congressman congresswoman gov governor president vice "
        "former secretary mayor sir judge justice general gen col colonel captain admiral sergeant ambassador chairman chairwoman "
        "speaker king queen prince princess pope reverend rev pastor father mother brother sister uncle aunt chancellor minister prime"
    )
)
_GENDERED = frozenset({"mr", "mrs", "ms", "miss", "sir", "king", "queen", "prince", "princess", "congressman", "congresswoman"})
_DAYS = _split("january february march april may june july august september october november december")
_DAYS += _split("monday tuesday wednesday thursday friday saturday sunday christmas easter thanksgiving ramadan")
_PLACES = _split(
    "afghanistan albania algeria america argentina armenia australia austria bahrain bangladesh belarus belgium bolivia bosnia brazil "
    "britain bulgaria burma cambodia cameroon canada chad chile china colombia congo crimea croatia cuba cyprus denmark ecuador egypt "
    "england eritrea estonia ethiopia europe finland france gaza georgia germany ghana greece grenada guam guatemala haiti honduras "
    "hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jerusalem jordan kazakhstan kenya korea kosovo kuwait "
    "kyiv kiev latvia lebanon liberia libya lithuania macedonia malaysia mali mexico moldova mongolia morocco mozambique myanmar nepal "
    "netherlands nicaragua niger nigeria norway oman pakistan palestine panama paraguay peru philippines poland portugal qatar romania "
    "russia rwanda scotland senegal serbia singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania "
    "thailand tibet tunisia turkey uganda ukraine uruguay venezuela vietnam wales yemen yugoslavia zambia zimbabwe africa asia "
    "antarctica alabama alaska arizona arkansas california carolina colorado connecticut dakota delaware florida hawaii idaho illinois "
    "indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska "
    "nevada hampshire jersey york ohio oklahoma oregon pennsylvania rhode tennessee texas utah vermont virginia washington wisconsin "
    "wyoming columbia aleppo amsterdam athens atlanta austin baghdad baltimore beijing beirut benghazi berlin boston brussels cairo "
    "charleston charlotte chicago cincinnati cleveland dallas damascus dayton denver detroit dublin flint geneva guantanamo havana "
    "helsinki houston kabul laredo london madrid miami milwaukee minneapolis moscow mosul munich nashville newtown orlando ottawa paris "
    "parkland philadelphia phoenix pittsburgh raqqa rome seattle seoul sharpsville shanghai sydney tampa tehran tokyo toronto vegas "
    "vienna warsaw wilmington manhattan brooklyn queens bronx hollywood broadway pentagon kremlin capitol"
)
_PEOPLES = _split(
    "afghan afghans african africans american americans arab arabs asian asians australian black british canadian chinese christian "
    "christians colombian cuban democrat democratic democrats dutch egyptian english european europeans french german germans greek "
    "haitian hispanic hispanics indian indians iranian iranians iraqi iraqis irish islam islamic israeli israelis italian japanese jew "
    "jewish jews korean koreans kurd kurdish kurds latin latina latino latinos libertarian mexican mexicans muslim muslims native "
    "palestinian palestinians polish republican republicans roman russian russians saudi saudis shia spanish sunni swiss syrian syrians "
    "taliban turk turkish turks ukrainian ukrainians venezuelan vietnamese white catholic catholics protestant evangelical evangelicals"
)
_INSTITUTIONS = _split(
    "academy accord act administration affordable agency agreement airlines alliance amendment apprentice archives army assembly "
    "association authority bank bay beach bend bill board books bowl bridge bureau business capital care caucus celebrity center "
    "central centers chamber church circle citizens city clause club coast college colleges commerce commission committee commonwealth "
    "community company conference congress constitution convention corp corporation corps council country county court daily day deal "
    "defense department district drug east eastern economic education emmy emmys energy enterprise environmental era estate exchange "
    "federal federation finance firm first force forces forum foundation freedom front fund gallup goldman gold great green group guard "
    "gulf hall harbor health high hill hole honor hospital house human immigration inc income industry initiative institute internal "
    "international investigation island islands journal labor lake league lives main market matter medal medicaid medicare memorial "
    "middle military mission motors mount mountain museum nafta nation national nations naval navy network new news newspaper north "
    "northern nuclear obamacare observatory observer office old olympic olympics organization oval pact parenthood park partnership "
    "party path patriot peace pharma planned police policy poll post press primary program project proposition protection public purple "
    "radio real rebellion reform relations report research reserve revenue review revolution right rights river road rust sachs safety "
    "san santa school sciences sea second secret security senate service silicon social society south southern square st star state "
    "states station store strategy street strip studies summit super supreme survey system tax team temple third time times today tower "
    "towers trade trans transpacific treasury treaty tribune trust union united universal university valley veterans village voting "
    "wall war way wealth west western world worldwide years zone la las los el le de costa fort port saint puerto tea ivy silk abc cbs "
    "nbc cnn apple google facebook twitter amazon microsoft walmart exxon boeing ford msnbc pbs npr fbi cia epa irs nato isis isil eu "
    "uk usa nra nfl gop dnc rnc"
)
_INSTITUTES = frozenset(_INSTITUTIONS)
_ALONE = frozenset(
    _split("nafta nato isis isil irs epa fbi cia medicare medicaid obamacare congress senate eu nra treasury constitution pentagon")
)
"""Institutions, laws and treaties that are named by one word."""
_NO_PERSONS = frozenset([*_DAYS, *_PLACES, *_PEOPLES, *_INSTITUTIONS])
_WORDS_TOO = frozenset(
    _split("art bill bob brown chuck dick don drew frank grace grant hope jack joy mark may pat price rob rose sue will")
)
"""First names that also begin a sentence as common words."""
_DEEDS = frozenset(
    _split("said says told tells thinks thought believes wants wanted looks looked sees saw knows knew loves died himself herself")
)
_COMMON = frozenset(
    _split(
        "about absolutely again alright am another any anybody anyone are because been being believe better between both but by call "
        "can come could did do does doing done down each either else enough especially even ever everybody everyone everything exactly "
        "excuse far few folks forget frankly free from gentlemen get give go going good gosh guess had half has have having hear hello "
        "her here hey hold honestly how however i if imagine in instead into is it its just keep knowing ladies last least less let "
        "like listen little look made make many maybe me memo mine more most much must my nearly never next no nobody none nor not "
        "nothing now number of oh ok okay on once one only or our over people perhaps please plus point probably put quite rather "
        "really remember said say second see she should show since so some somebody someone something sometimes soon stop such sure "
        "take talk tell than thank thanks that the their them then there these they thing things think third this those though three "
        "through thus to together tonight too try two under unless until up very wait want was we well went were what whatever when "
        "where whether which while who whole why with without wow wrong yeah year years yes yet you your bundles fusion oftentimes "
        "unfortunately obviously clearly actually finally also"
    )
)
_SHOUTED = re.compile(r"[^\W\d_]*\d[\w]*|[A-ZÀ-Þ0-9]{2,}s?|(?:[A-Z]\.)+")

_FEWEST, _ASKING = 3, 0.25
"""Of at least so many turns, this share end with a question: of moderators three in ten to two thirds, of candidates one in ten."""

Person = Callable[[str, Context], str]
"""Returns who a speaker's label stands for in this context, "" if nobody known."""


@dataclass(frozen=True, slots=True)
class Named:
    """A person as named: the fullest name known, whether more than two capital letters says that it is a person, and "m", "f" or "mf?"."""

    name: str
    is_certain: bool
    genders: str


@dataclass(frozen=True, slots=True)
class _Word:
    """A single capitalised word, and how it stands: after a title, first in its sentence, before a verb of what people do."""

    lowered: str
    has_title: bool
    is_first: bool
    does: bool


class Persons:
    """Knows the persons of one speech after another by what was said up to a line; what it has read of a speech it keeps."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._read: list[Line] = []
        self._said: dict[str, list[tuple[int, str]]] = {}
        self._turns: list[tuple[int, str, bool]] = []

    def known(self, context: Context) -> Callable[[Text, Mention], Named | None]:
        """Return a judge of the mentions in the line at `context.at` and those before it: the person meant, None for no person."""
        self._listen(context)
        speakers = dict.fromkeys(
            self._person(label, context) for label in dict.fromkeys(line.speaker for line in context.lines[: context.at + 1])
        )
        full = [name for name in speakers if len(name.split()) > 1]
        asking = self._asking(context)
        by_word = {word.casefold(): name for name in reversed(full) for word in (name.split()[0], name.split()[-1])}

        def judge(text: Text, mention: Mention) -> Named | None:
            named = self._named(text.tokens, mention, by_word, context)
            return None if named is not None and named.name.split()[-1] in asking else named

        return judge

    def _named(self, tokens: Sequence[Token], mention: Mention, speakers: dict[str, str], context: Context) -> Named | None:
        words = [token.text for token in tokens[mention.start : mention.end]]
        has_title, bare = _without_titles(words, _before(tokens, mention.start))
        lowered = [word.casefold() for word in bare]
        if not bare or any("'" in word or "’" in word for word in bare) or set(lowered) & _TITLES:
            return None
        if len(bare) == 1 and lowered[0] in speakers and not (_is_first(tokens, mention) and lowered[0] in _WORDS_TOO):
            return Named(speakers[lowered[0]], True, genders_of(speakers[lowered[0]]))
        if len(bare) > 1 and speakers.get(lowered[-1], "").casefold().split()[:1] == lowered[:1]:
            return Named(" ".join(bare), True, genders_of(" ".join(bare)))
        if _is_no_person(bare, lowered) or (_is_first(tokens, mention) and set(lowered) & _COMMON):
            return None
        said = " ".join([*_gendered(words), *bare])
        if len(bare) > 1:
            return Named(said, has_title or genders_of(said) != "mf?", genders_of(said))
        return self._one_word(said, _Word(lowered[0], has_title, _is_first(tokens, mention), _does(tokens, mention)), context)

    def _one_word(self, said: str, word: _Word, context: Context) -> Named | None:
        full, checked = self._said_before(word.lowered, context.at), self._person(said, context)
        if word.has_title:
            told = [genders_of(name) for name in (said, full, checked)]
            return Named(said, True, next((genders for genders in told if genders != "mf?"), "mf?"))
        if full:
            return Named(full, True, genders_of(full))
        if genders_of(said) != "mf?":
            return None if word.is_first and word.lowered in _WORDS_TOO else Named(said, True, genders_of(said))
        # A family name that fact-checks know: as it was said, since of several with that name another may be meant.
        is_known = len(checked.split()) > 1 and genders_of(checked) != "mf?" and word.lowered not in _COMMON
        if is_known or (word.does and not word.is_first):
            return Named(said, False, genders_of(checked) if is_known else "mf?")
        return None

    def _asking(self, context: Context) -> set[str]:
        """The family names of those who lead the conversation: many of their turns end with a question. One speaks to them, not of them."""
        ended = [(who, is_question) for number, who, is_question in self._turns if number <= context.at]
        turns, questions = Counter(who for who, _ in ended), Counter(who for who, is_question in ended if is_question)
        return {who.split()[-1] for who, count in turns.items() if count >= _FEWEST and questions[who] >= _ASKING * count}

    def _said_before(self, word: str, at: int) -> str:
        """The name last said in full, up to this line, of whoever has this first or family name."""
        return next((full for number, full in reversed(self._said.get(word, [])) if number <= at), "")

    def _listen(self, context: Context) -> None:
        """Note names said in full, once for each line. Lines of another speech begin anew."""
        shared = min(len(self._read), context.at + 1)
        if list(context.lines[:shared]) != self._read[:shared]:
            self._read, self._said, self._turns = [], {}, []
        for number in range(len(self._read), context.at + 1):
            line = context.lines[number]
            self._note_turn(number, line, context)
            self._read.append(line)
            tokens = tokenise(line.text)
            for mention in find_mentions(tokens):
                words = [token.text for token in tokens[mention.start : mention.end]]
                has_title, bare = _without_titles(words, _before(tokens, mention.start))
                lowered = [word.casefold() for word in bare]
                if mention.kind != "name" or not bare or _is_no_person(bare, lowered) or set(lowered) & (_TITLES | _COMMON):
                    continue
                if has_title or (len(bare) > 1 and genders_of(" ".join(bare)) != "mf?"):
                    for key in {lowered[0], lowered[-1]}:
                        known = self._said.setdefault(key, [])
                        if len(bare) > 1 or not known:
                            known.append((number, " ".join([*_gendered(words), *bare])))

    def _note_turn(self, number: int, line: Line, context: Context) -> None:
        """Note how the turn before this line ended, if someone else speaks now. "(APPLAUSE)" is nobody's line."""
        last = next((one for one in reversed(self._read) if one.speaker and self._person(one.speaker, context)), None)
        if last is not None and self._person(line.speaker, context) and last.speaker != line.speaker:
            self._turns.append((number, self._person(last.speaker, context), last.text.rstrip(")] ").endswith("?")))


def _without_titles(words: Sequence[str], before: str) -> tuple[bool, list[str]]:
    """Whether titles stand before or at the beginning of a name, and the name without them."""
    start = 0
    while start < len(words) and words[start].casefold().rstrip(".") in _TITLES:
        start += 1
    return start > 0 or before.casefold() in _TITLES, list(words[start:])


def _gendered(words: Sequence[str]) -> list[str]:
    """The titles that say he or she, or that stand with a family name alone, are kept."""
    titles = [word for word in words if word.casefold() in _TITLES]
    return titles if len(words) - len(titles) == 1 else [word for word in titles if word.casefold() in _GENDERED]


def _before(tokens: Sequence[Token], at: int) -> str:
    """The word before a name, over a full stop: "Mr." is two tokens."""
    if at > 1 and tokens[at - 1].text == "." and tokens[at - 2].text.casefold() in _TITLES:
        return tokens[at - 2].text
    return tokens[at - 1].text if at > 0 and tokens[at - 1].text[:1].isupper() else ""


def _does(tokens: Sequence[Token], mention: Mention) -> bool:
    return mention.end < len(tokens) and tokens[mention.end].text in _DEEDS


def _is_first(tokens: Sequence[Token], mention: Mention) -> bool:
    return (
        mention.start == 0
        or tokens[mention.start - 1].sentence != tokens[mention.start].sentence
        or tokens[mention.start - 1].text in ".?!:("
    )


def _is_no_person(words: Sequence[str], lowered: Sequence[str]) -> bool:
    """True for places, peoples, days, institutions and abbreviations; "George Washington" is a person by his first name."""
    if any(_SHOUTED.fullmatch(word) for word in words):
        return True
    is_by_first_name = len(words) == 2 and genders_of(words[0]) != "mf?" and lowered[0] not in _NO_PERSONS and lowered[1] in _PLACE_NAMES
    return bool(set(lowered) & _NO_PERSONS) and not is_by_first_name


_PLACE_NAMES = frozenset(_PLACES)


def is_institution(words: Sequence[str]) -> bool:
    """True if a name is that of an institution, law or treaty: one word that is known, or several with one that such names are made of.

    >>> is_institution(["Affordable", "Care", "Act"]), is_institution(["NATO"]), is_institution(["Jane", "Austen"])
    (True, True, False)
    """
    lowered = {word.casefold() for word in words}
    return bool(lowered & _INSTITUTES) if len(words) > 1 else lowered <= _ALONE
