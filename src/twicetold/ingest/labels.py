"""Labels that pages put on a claim, a rating or a claimant: before the text ("Verdict: False", "查核結果：錯誤"), and in class names."""

from __future__ import annotations

import re

_LABELS = {
    "claim": "claim|the claim|claim reviewed|claim checked|what was claimed|what is claimed|rumor|rumour|statement|"
    "afirmación|la afirmación|qué se dice|lo que se dice|qué dicen|bulo|"
    "affirmation|l'affirmation|ce que l'on dit|ce qu'on dit|ce qui est dit|la rumeur|"
    "behauptung|die behauptung|alegação|a alegação|o que dizem|o que diz|affermazione|la dichiarazione|iddia|klaim|twierdzenie|wypowiedź|"
    "दावा|الادعاء|الإدعاء|網傳|网传|傳言|传言|查核訊息|流傳訊息|流傳說法|网络传言|主張|주장",
    "rating": "verdict|our verdict|the verdict|rating|our rating|our ruling|ruling|fact check rating|conclusion rating|"
    "veredicto|calificación|resultado|valoración|nota|évaluation|le verdict|notre verdict|"
    "bewertung|urteil|unser fazit|veredito|classificação|etiqueta|giudizio|il verdetto|sonuç|hasil|ocena|"
    "निष्कर्ष|रेटिंग|التصنيف|الحكم|النتيجة|查核結果|查核结果|判定|评级|評等|核查结论|结论|結論|판정",
    "claimant": "claimant|claimed by|speaker|said by|who said it|quién lo dijo|quién lo dice|autor de la frase|auteur de l'affirmation|"
    "wer behauptet das|quem disse|chi lo ha detto|說話者|发布者",
}
_SPACED = {field: re.compile(rf"^\W{{0,3}}(?:{labels})\s*(?:[:：–—]\s*|\s-\s|$)", re.IGNORECASE) for field, labels in _LABELS.items()}


def class_pattern(names: str, *, endings: str = "(?!)") -> re.Pattern[str]:
    """A pattern for names as whole parts of a class or id: `claim` is in `fc-claim box` and not in `disclaimer`.

    Names in `endings` may also be the end of a part: `rating` in `userrating`.
    """
    return re.compile(rf"(?:(?:^|[-_\s])(?:{names})|{endings})(?:$|[-_\s])", re.IGNORECASE)


def after(field: str, line: str) -> str | None:
    """What follows the field's label at the start of a line: "" if the line is only the label, None if there is no label."""
    found = _SPACED[field].match(line)
    return line[found.end() :].strip(' \t"“”«»「」') if found else None


def without(field: str, said: str) -> str:
    """The text without the field's label and enclosing quotation marks."""
    told = after(field, said)
    return (said if told is None else told).strip(' \t"“”«»「」')
