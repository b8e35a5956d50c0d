"""English verbs, enough to turn a question into a statement: which words are verbs, and their forms.

The list holds verbs common in claims. A word it lacks is recognised only by its ending, so the statement may keep the question's order.
"""

from __future__ import annotations

import re
from functools import cache

BE = frozenset({"is", "are", "was", "were", "am"})
DO = frozenset({"do", "does", "did", "dose"})  # "dose": the commonest typo of "does"
HAVE = frozenset({"has", "have", "had"})
MODALS = frozenset({"can", "could", "will", "would", "shall", "should", "may", "might", "must"})
AUXILIARIES = BE | DO | HAVE | MODALS

_REGULAR = """
abolish absorb abuse accept accuse achieve act add admit adopt affect agree aid aim allow amend announce answer appear apply
approve arrange arrest arrive ask assassinate attack attempt attend avoid ban base be bear become beg begin believe belong benefit
betray block blame boil bomb boost borrow breathe bring build burn buy call campaign cancel capture carry catch cause cease censor
censure change charge cheat check choose claim clean clone close collapse collect come commit compete complete conceal condemn
conduct confirm contain continue contract contribute conquer control convert convict cook cool copy copyright count cover crash
create criticize cross cure cut damage deal decide declare decrease defeat defend delay deliver demand deny depend deploy deport
describe destroy detain detect develop die differ discover discriminate discuss disinfect divide do donate double draw drink drive
drop earn eat educate elect eliminate embezzle employ enable encourage end endorse enforce enter erase escape establish euthanize
evacuate exceed execute exist expand expect experience explain exploit export express extend face fail fake fall favor fear feed
feel fight file fill find finance fire fix flee float fly follow fool forbid force forge forget form fund gain gather generate get
give go govern grant grow guarantee guard handle hang happen harm hate have heal hear heat help hide hire hit hold hurt ignore
imply import impose imprison improve include increase indicate infect inflate influence inform inhabit injure inject inspire
intend introduce invade invent invest investigate involve issue join keep kidnap kill know lack land last launch lead leak learn
leave legalize let license lie lift like limit live look lose love lower mail make manage manipulate manufacture mark marry match
mean meddle meet mention merge migrate mind miss mix move murder name need neglect negotiate nominate occur offer open operate
oppose order organize orbit outlaw outnumber overthrow overturn owe own pardon participate pass pay perform permit persecute plan
plant play plot poison possess post practice praise predict prefer prepare prescribe present preserve press prevent produce profit
prohibit promise promote propose prosecute protect prove provide provoke publish pull punish purchase push put qualify quit quote
raise rank rape reach read receive recognise recognize recommend record recover recruit reduce refer reflect refuse regret
regulate reject relate relax release relocate remain remember remove renounce rent repeal repeat replace report represent request
require rescue research resemble resign respond rest restore restrict result retire return reveal reverse rig rise rob rule run
sacrifice sail save say secede see seek seem sell send sentence separate serve set settle shake share shoot show shrink shut sign
simulate sing sink sit slap sleep slow smell smoke smuggle solve spay speak spend sponsor spread spy stab stage stand start state stay
steal sterilize stimulate stop store strike study succeed suffer suggest support suppress survive suspend swim swing take talk
target tax teach tell terminate terrorize test testify think threaten throw touch track trade traffic train transfer transmit
transport travel treat trigger trust try turn tweet undermine understand unite use vaccinate veto violate visit vote wage wait
walk want warm warn wash waste watch weaken wear win wish withdraw work worry write yield
"""

_IRREGULAR = """
be was been; bear bore borne; become became become; begin began begun; break broke broken; bring brought brought; build built
built; buy bought bought; catch caught caught; choose chose chosen; come came come; cut cut cut; deal dealt dealt; do did done;
draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed fed; feel felt felt; fight
fought fought; find found found; flee fled fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten; get got
gotten; give gave given; go went gone; grow grew grown; hang hung hung; have had had; hear heard heard; hide hid hidden; hit hit
hit; hold held held; hurt hurt hurt; keep kept kept; know knew known; lead led led; leave left left; let let let; lie lied lied;
lose lost lost; make made made; mean meant meant; meet met met; overthrow overthrew overthrown; pay paid paid; prove proved
proven; put put put; quit quit quit; read read read; rise rose risen; run ran run; say said said; see saw seen; seek sought
sought; sell sold sold; send sent sent; set set set; shake shook shaken; shoot shot shot; show showed shown; shrink shrank shrunk;
shut shut shut; sing sang sung; sink sank sunk; sit sat sat; sleep slept slept; speak spoke spoken; spend spent spent; spread
spread spread; stand stood stood; steal stole stolen; strike struck struck; swim swam swum; swing swung swung; take took taken;
teach taught taught; tell told told; think thought thought; throw threw thrown; understand understood understood; wear wore worn;
win won won; withdraw withdrew withdrawn; write wrote written
"""


def listed(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


@cache
def _forms() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Past, participle and, from every form, the base form."""
    past: dict[str, str] = {}
    participle: dict[str, str] = {}
    for entry in _IRREGULAR.replace("\n", " ").split(";"):
        base, past_form, participle_form = entry.split()
        past[base], participle[base] = past_form, participle_form
    bases: dict[str, str] = {}
    for base in [*_REGULAR.split(), *past]:
        regular = _with(base, "ed")
        for form in (base, _third(base), past.get(base, regular), participle.get(base, regular)):
            bases.setdefault(form, base)
    return past, participle, bases


def base(word: str) -> str:
    """Return the base form of a verb's base, -s, past or participle form; "" if the word is no verb known here.

    >>> base("cures"), base("stole"), base("banana")
    ('cure', 'steal', '')
    """
    return _forms()[2].get(word.lower(), "")


def is_base(word: str) -> bool:
    """True if the word is a known verb in its base form."""
    return base(word) == word.lower()


def is_participle(word: str) -> bool:
    """True for the past participle of a known verb, and for words that end like a participle.

    >>> [is_participle(word) for word in ("stolen", "banned", "refusing", "king", "red")]
    [True, True, True, False, False]
    """
    lower = word.lower()
    known = base(lower)
    if known:
        return _forms()[1].get(known, _with(known, "ed")) == lower
    return bool(re.fullmatch(r"[a-z]{2,}[a-z](?:ed|ing)", lower)) and lower not in _NOT_PARTICIPLES


_NOT_PARTICIPLES = frozenset({"anything", "everything", "nothing", "something", "morning", "evening", "building", "wedding", "during"})


def third(verb: str) -> str:
    """Return the form that goes with he, she, it; a verb already so inflected stays.

    >>> third("cure"), third("carry"), third("have"), third("wants")
    ('cures', 'carries', 'has', 'wants')
    """
    return _third(verb) if is_base(verb) else verb


def past(verb: str) -> str:
    """Return the past form; a verb already in it stays.

    >>> past("send"), past("ban"), past("try"), past("suffered")
    ('sent', 'banned', 'tried', 'suffered')
    """
    return _forms()[0].get(verb, _with(verb, "ed")) if is_base(verb) else verb


def _third(verb: str) -> str:
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if re.search(r"(?:s|x|z|ch|sh|o)$", verb):
        return verb + "es"
    return re.sub(r"(?<=[^aeiou])y$", "ie", verb) + "s"


def _with(verb: str, ending: str) -> str:
    if verb.endswith("e"):
        return verb + ending[1:]
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "i" + ending
    # A short verb doubles its last letter, and so do a few longer ones whose last syllable is stressed.
    if re.fullmatch(
        r"(?:[^aeiou]*[aeiou][bdgklmnprt]|commit|permit|transmit|admit|refer|prefer|control|occur)", verb
    ) and not verb.endswith("k"):
        return verb + verb[-1] + ending
    return verb + ending
