"""The scales of publishers, as each defines its ratings: the first place where a rating's meaning is looked up.

Only a table; `verdict` reads it. Ratings are separated by `|` and compared without case, accents and punctuation. How degrees are
folded into six verdicts: "mostly true" is TRUE, "mostly false" is FALSE, "half" and "partly" are MIXED; a true statement used to
mislead, out of context or exaggerated is MISLEADING; what lacks evidence or cannot be checked is UNPROVEN. Satire, opinions,
changes of position and kept promises are OTHER: they are no judgement on a claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from twicetold.types import Verdict

F, MIS, MIX, T, U, OTHER = (
    Verdict.FALSE,
    Verdict.MISLEADING,
    Verdict.MIXED,
    Verdict.TRUE,
    Verdict.UNPROVEN,
    Verdict.OTHER,
)


@dataclass(frozen=True, slots=True)
class Scale:
    """One publisher's ratings. `hosts` are its sites; `aliases` other ways its name is written."""

    name: str
    hosts: tuple[str, ...]
    ratings: Mapping[Verdict, str]
    aliases: tuple[str, ...] = ()


PUBLISHERS = (
    Scale(
        "PolitiFact",
        ("politifact.com",),
        {
            T: "true|mostly true",
            MIX: "half true",
            F: "mostly false|barely true|false|pants on fire|pants fire",
            OTHER: "no flip|half flip|full flop|promise kept|promise broken|compromise|stalled|in the works",
        },
    ),
    Scale(
        "Snopes",
        ("snopes.com",),
        {
            T: "true|mostly true|correct attribution|correctly attributed",
            MIX: "mixture|mixed",
            F: "false|mostly false|misattributed|incorrect attribution|scam|fake",
            MIS: "miscaptioned|outdated|originated as satire, now misleading",
            U: "unproven|unfounded|undetermined|legend|research in progress|probably false|probably true",
            OTHER: "labeled satire|satire|originated as satire|lost legend|recall",
        },
        ("Snopes.com",),
    ),
    Scale(
        "The Washington Post",
        ("washingtonpost.com",),
        {
            T: "geppetto checkmark|the geppetto checkmark|one pinocchio",
            MIX: "two pinocchios",
            F: "three pinocchios|four pinocchios|bottomless pinocchio|the bottomless pinocchio",
            U: "verdict pending",
            OTHER: "upside down pinocchio|an upside down pinocchio|flip flop",
        },
        ("Washington Post", "The Washington Post Fact Checker", "WaPo"),
    ),
    Scale(
        "FactCheck.org",
        ("factcheck.org",),
        {
            MIS: "spins the facts|not the whole story|distorts the facts|cherry picks|exaggerates|exaggerated|lacks context|"
            "missing context|old news|out of context|misrepresents",
            F: "false|wrong|not true|incorrect|fake quote|bogus",
            U: "unsupported|no evidence|baseless claim|unsubstantiated|lacks evidence",
            MIX: "partially correct|mixed",
        },
        ("FactCheck", "Annenberg Public Policy Center"),
    ),
    Scale(
        "AFP",
        ("factcheck.afp.com", "factuel.afp.com", "factual.afp.com", "checamos.afp.com", "afp.com", "faktencheck.afp.com"),
        {
            F: "false|faux|falso|falsch|fałsz|altered photo|altered image|altered video|doctored image|photo modifiée|vidéo modifiée|"
            "montage|hoax|fake",
            MIS: "misleading|missing context|trompeur|manque de contexte|engañoso|sin contexto|enganoso|contexto faltando|"
            "irreführend|fehlender kontext|photo out of context|hors contexte|sorti de son contexte",
            MIX: "partly false|mixture|plutôt faux|plutôt vrai",
            T: "true|vrai|verdadero|verdadeiro",
            U: "no evidence|infondé|unproven|sin registro|sem registro",
            OTHER: "satire|sátira",
        },
        ("AFP Fact Check", "AFP Factuel", "AFP Factual", "AFP Checamos", "AFP Faktencheck", "Agence France-Presse"),
    ),
    Scale(
        "Full Fact",
        ("fullfact.org",),
        {
            F: "false|incorrect|this is not correct|this is not true|fake|altered",
            T: "correct|true|accurate|this is correct",
            MIX: "mixed|partly correct|mostly correct with caveats|more to it than that",
            MIS: "misleading|miscaptioned|missing context|out of context|out of date",
            U: "unproven|unevidenced|we cannot say|not enough evidence",
        },
    ),
    Scale(
        "Africa Check",
        ("africacheck.org",),
        {
            T: "correct|mostly correct",
            F: "incorrect|false|fake",
            MIS: "misleading|exaggerated|understated|downplayed|missing context|trompeur|exagéré",
            U: "unproven|non prouvé",
        },
    ),
    Scale(
        "Maldita.es",
        ("maldita.es",),
        {
            F: "bulo|es un bulo|no, es un bulo|falso|timo|montaje|es falso",
            MIS: "engañoso|fuera de contexto|desinformación fuera de contexto|ojo",
            U: "sin evidencias|no hay evidencias|no hay pruebas|sin pruebas|no sabemos",
            T: "verdad|es verdad|verdadero",
            OTHER: "qué sabemos|sátira|explicativo",
        },
        ("Maldita", "Maldito Bulo", "Maldita Hemeroteca"),
    ),
    Scale(
        "Newtral",
        ("newtral.es",),
        {T: "verdadero", MIX: "verdad a medias|medias verdades", MIS: "engañoso", F: "falso|fake|bulo", U: "inverificable"},
    ),
    Scale(
        "Chequeado",
        ("chequeado.com",),
        {
            T: "verdadero",
            MIX: "verdadero, pero|discutible|sí, pero",
            MIS: "exagerado|engañoso",
            F: "falso",
            U: "apresurado|insostenible|inchequeable",
        },
    ),
    Scale(
        "Aos Fatos",
        ("aosfatos.org",),
        {
            T: "verdadeiro",
            MIS: "impreciso|exagerado|distorcido|não é bem assim|cherry picking",
            F: "falso",
            U: "insustentável",
            OTHER: "contraditório|sátira",
        },
    ),
    Scale(
        "Lupa",
        ("lupa.uol.com.br", "piaui.folha.uol.com.br"),
        {
            T: "verdadeiro",
            MIX: "verdadeiro, mas",
            MIS: "exagerado|subestimado|falta contexto",
            F: "falso",
            U: "insustentável|ainda é cedo para dizer",
            OTHER: "contraditório|de olho",
        },
        ("Agência Lupa", "Lupa Uol"),
    ),
    Scale(
        "Correctiv",
        ("correctiv.org",),
        {
            T: "richtig|größtenteils richtig",
            MIX: "teilweise richtig|teilweise falsch",
            F: "falsch|größtenteils falsch|frei erfunden|manipuliert",
            MIS: "fehlender kontext|falscher kontext|irreführend",
            U: "unbelegt",
            OTHER: "satire",
        },
        ("Correctiv Faktencheck", "CORRECTIV.Faktencheck"),
    ),
    Scale(
        "Pagella Politica",
        ("pagellapolitica.it",),
        {T: "vero|c'eri quasi", MIX: "nì", F: "pinocchio andante|panzana pazzesca|falso"},
    ),
    Scale(
        "Les Décodeurs",
        ("lemonde.fr",),
        {
            T: "vrai|plutôt vrai",
            MIX: "c'est plus compliqué|mélangé|contestable|oui, mais|discutable",
            MIS: "trompeur|exagéré|hors contexte|imprécis",
            F: "faux|plutôt faux|canular",
            U: "non prouvé|invérifiable|douteux",
        },
        ("Le Monde", "Le Monde - Les Décodeurs"),
    ),
    Scale(
        "BOOM",
        ("boomlive.in",),
        {F: "false|fake|fake news|भ्रामक झूठ", MIS: "misleading|out of context|misreported", T: "true|real", MIX: "partly true|half true"},
        ("BOOM Fact Check", "Boomlive"),
    ),
    Scale(
        "Alt News",
        ("altnews.in",),
        {F: "false|fake|झूठ|गलत", MIS: "misleading|भ्रामक|missing context", T: "true", U: "unverified"},
    ),
    Scale(
        "Vishvas News",
        ("vishvasnews.com",),
        {F: "false|झूठ|झूठा", MIS: "misleading|भ्रामक", T: "true|सच|सही"},
    ),
    Scale(
        "Rappler",
        ("rappler.com",),
        {
            F: "false|fake|altered|hoax|fabricated",
            MIS: "misleading|missing context|lacks context",
            MIX: "half true|partly false|partly true",
            T: "true",
            U: "unproven|no basis",
            OTHER: "satire",
        },
    ),
    Scale(
        "VERA Files",
        ("verafiles.org",),
        {F: "false|fake", MIS: "misleading|needs context|inaccurate", OTHER: "flip flop|satire", U: "no basis", T: "true|accurate"},
    ),
    Scale(
        "Teyit",
        ("teyit.org",),
        {T: "doğru", F: "yanlış", MIX: "karma", U: "belirsiz|şüpheli"},
        ("teyit.org",),
    ),
    Scale(
        "Doğruluk Payı",
        ("dogrulukpayi.com",),
        {T: "doğru|çoğunlukla doğru", MIX: "yarı doğru|kısmen doğru", F: "yanlış|çoğunlukla yanlış|uydurma"},
    ),
    Scale(
        "Taiwan FactCheck Center",
        ("tfc-taiwan.org.tw",),
        {F: "錯誤", MIX: "部分錯誤|部份錯誤", T: "正確", U: "證據不足", OTHER: "事實釐清"},
        ("台灣事實查核中心", "TFC"),
    ),
    Scale(
        "MyGoPen",
        ("mygopen.com",),
        {F: "錯誤|謠言|詐騙|假知識|假", MIS: "誤導|誤解|易誤解|舊聞", MIX: "部分正確|部分錯誤", T: "正確|真實|確有其事|真", U: "尚無根據"},
    ),
    Scale(
        "Cofacts",
        ("cofacts.tw", "cofacts.g0v.tw"),
        {F: "含有不實訊息|rumor", T: "含有真實訊息|含有正確訊息|not rumor", OTHER: "含有個人意見|不在查證範圍|opinionated|not article"},
        ("真的假的",),
    ),
    Scale(
        "Demagog",
        ("demagog.org.pl",),
        {T: "prawda", F: "fałsz|fake news", MIS: "manipulacja", U: "nieweryfikowalne", MIX: "częściowa prawda|częściowy fałsz"},
        ("Demagog.org.pl",),
    ),
    Scale(
        "Polígrafo",
        ("poligrafo.sapo.pt",),
        {
            T: "verdadeiro",
            MIX: "verdadeiro, mas",
            MIS: "impreciso|descontextualizado|manipulado",
            F: "falso|pimenta na língua",
        },
    ),
    Scale(
        "Observador",
        ("observador.pt",),
        {T: "certo|praticamente certo", MIS: "esticado|enganador", F: "errado", U: "inconclusivo"},
    ),
    Scale(
        "Fato ou Fake",
        ("g1.globo.com",),
        {T: "fato", F: "fake", MIS: "não é bem assim"},
        ("G1", "G1 Fato ou Fake"),
    ),
    Scale(
        "Animal Político",
        ("animalpolitico.com",),
        {
            T: "verdadero",
            MIX: "verdad a medias|discutible",
            MIS: "engañoso",
            F: "falso|ridículo",
            U: "no se puede probar",
        },
        ("El Sabueso",),
    ),
    Scale(
        "Colombiacheck",
        ("colombiacheck.com",),
        {T: "verdadero", MIX: "verdadero pero|chequeo múltiple", MIS: "cuestionable", F: "falso", U: "inchequeable"},
    ),
    Scale(
        "Faktisk",
        ("faktisk.no",),
        {
            T: "faktisk sant|faktisk helt sant",
            MIX: "faktisk delvis sant|faktisk delvis feil",
            F: "faktisk feil|faktisk helt feil",
            U: "faktisk ikke sikkert",
        },
        ("Faktisk.no",),
    ),
    Scale(
        "Fatabyyano",
        ("fatabyyano.net",),
        {F: "زائف|خادع", MIX: "زائف جزئيا|زائف جزئيًا", MIS: "عنوان مضلل|مضلل", T: "صحيح", OTHER: "ساخر|رأي|غير مؤهل"},
        ("فتبينوا",),
    ),
    Scale(
        "Misbar",
        ("misbar.com",),
        {
            F: "زائف|خرافة|fake|myth",
            MIS: "مضلل|انتقائي|إثارة|misleading|selective",
            T: "صحيح|true",
            U: "مشكوك فيه|suspicious",
            OTHER: "ساخر",
        },
        ("مسبار",),
    ),
    Scale(
        "Tempo",
        ("cekfakta.tempo.co", "tempo.co"),
        {
            T: "benar",
            MIX: "sebagian benar|sebagian keliru",
            F: "keliru|sesat|hoaks",
            MIS: "menyesatkan|kurang konteks",
            U: "tidak terbukti|belum terbukti",
        },
        ("Tempo.co", "CekFakta Tempo"),
    ),
    Scale(
        "Science Feedback",
        ("sciencefeedback.co", "healthfeedback.org", "climatefeedback.org", "science.feedback.org"),
        {
            T: "accurate|mostly accurate|correct|mostly correct",
            MIX: "partially correct|mixed",
            MIS: "misleading|lacks context|flawed reasoning|imprecise|cherry picking|overstates scientific confidence|correct but",
            F: "inaccurate|incorrect|factually inaccurate|false",
            U: "unsupported|unsubstantiated",
        },
        ("Health Feedback", "Climate Feedback"),
    ),
    Scale(
        "The Ferret",
        ("theferret.scot",),
        {T: "true|mostly true", MIX: "half true", F: "mostly false|false|ffs", U: "unsupported"},
        ("Ferret Fact Service",),
    ),
    Scale(
        "FactCheckNI",
        ("factcheckni.org",),
        {
            T: "accurate|accurate with considerations",
            F: "inaccurate",
            MIX: "inaccurate with considerations",
            U: "unsubstantiated|unsubstantiated with considerations",
        },
    ),
    Scale(
        "RMIT ABC Fact Check",
        ("abc.net.au",),
        {
            T: "correct|checks out|fair call|in the green|in the ballpark",
            F: "incorrect|wrong|in the red|does not check out|baseless",
            MIS: "misleading|exaggerated|overstated|not the full story|cherry picking|spin|rubbery",
            U: "unverifiable|not verifiable",
        },
        ("ABC Fact Check",),
    ),
    Scale(
        "Truth or Fiction",
        ("truthorfiction.com",),
        {T: "true|truth", F: "fiction|not true", MIS: "decontextualized", MIX: "mixed", U: "unknown|disputed|unproven"},
        ("TruthOrFiction.com",),
    ),
)
