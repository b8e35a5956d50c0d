"""Whether a name may be "he" or "she", from titles and common first names; a name that tells nothing may be either."""

from __future__ import annotations

import re
import unicodedata

_split = re.compile(r"\w+").findall
_MEN = frozenset(
    _split(
        "aaron adam al alan albert alex andrew andy anthony antonio barack ben benjamin bernard bernie bill billy bob bobby boris brad "
        "brian bruce carl carlos charles charlie chris christopher chuck colin cory dan daniel dave david dennis dick don donald doug "
        "edward elijah eric frank franklin fred gary gavin george gerald glenn gordon greg harold harry henry herbert howard ian jack "
        "jacob james jason jay jeb jeff jeffrey jeremy jerry jim jimmy joe joel john johnny jon jonathan jose joseph josh juan julian "
        "justin keith ken kenneth kevin kim larry lee lester lincoln lou louis luis lyndon marco mark martin marvin matt matthew michael "
        "mike mitch mitt mohammed neil newt nick osama patrick paul pete peter phil philip pierre ralph rand ray richard rick rob robert "
        "roger ron ronald rudy russell ryan saddam sam samuel scott sean sergei stephen steve steven ted thomas tim timothy todd tom tommy "
        "tony ulysses victor vladimir walter warren wayne will william wolf xi"
    )
)
_WOMEN = frozenset(
    _split(
        "abigail alexandria alice alicia amanda amy ana andrea angela ann anna anne annie barbara beth betty brenda carly carol caroline "
        "carolyn catherine cathy charlotte chelsea christine cindy claire claudia condoleezza cynthia dana deborah debbie diane dianne "
        "donna dorothy eleanor elena elizabeth ellen emily emma erin eva evelyn frances gabby gina gloria grace hannah heather heidi helen "
        "hillary ilhan irene ivanka jackie jane janet jean jennifer jessica jill joan joy joyce judith judy julia julie karen kamala kate "
        "katherine kathleen kathy kelly kellyanne kirsten kimberly laura lauren leslie linda lisa liz loretta louise lucy madeleine maria "
        "marianne marie marilyn marjorie martha mary megan melania melissa meryl michelle monica nancy natalie nicole nikki olivia pamela "
        "patricia paula rachel rebecca rosa rose ruth sally samantha sandra sara sarah savannah sharon sheila shirley sonia stephanie "
        "susan susana tammy teresa theresa tiffany tulsi valerie vanessa victoria virginia wendy yvonne"
    )
)
_HIS = frozenset({"mr", "mr.", "sir", "king", "prince", "congressman", "businessman", "father", "man", "son", "brother", "husband"})
_HERS = frozenset({"mrs", "mrs.", "ms", "ms.", "miss", "queen", "princess", "congresswoman", "mother", "woman", "daughter", "wife", "lady"})


def _plain(name: str) -> str:
    """The name without capitals and accents: Julián is Julian."""
    return "".join(sign for sign in unicodedata.normalize("NFD", name.casefold()) if not unicodedata.combining(sign))


def genders_of(name: str) -> str:
    """Return "m", "f", or "mf?" where the name does not tell: the question mark says that it may be no person at all.

    >>> genders_of("Mr. Okoye"), genders_of("Hillary Clinton"), genders_of("Kansas")
    ('m', 'f', 'mf?')
    """
    words = _plain(name).split()
    first = words[0] if words else ""
    if first in _HIS or first in _MEN:
        return "m"
    if first in _HERS or first in _WOMEN:
        return "f"
    return "mf?"
