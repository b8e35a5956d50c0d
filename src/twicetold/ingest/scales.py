"""What ratings mean: the scales of publishers whose words need their own reading, then words of judgement by language.

Only tables; `verdict` reads them. Phrases are separated by `|` and compared without case, accents and punctuation. How degrees are
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


LANGUAGES: Mapping[str, Mapping[Verdict, str]] = {
    "en": {
        F: "false|fake|fake news|hoax|untrue|wrong|incorrect|inaccurate|fabricated|made up|bogus|debunked|pants on fire|pants fire|"
        "misattributed|altered|altered photo|altered image|altered video|altered media|doctored|manipulated|digitally altered|"
        "photoshopped|edited|staged|forged|imposter|scam|fiction|myth|four pinocchios|three pinocchios|ai generated|deepfake|"
        "mostly false|mainly false|largely false|barely true|likely false|almost entirely false|"
        "not true|not correct|not accurate|not real|not authentic|not genuine|not factual|is no truth|no truth|"
        "never happened|did not happen|never said|did not say|does not exist|do not exist|no such|"
        "not even close|totally false|completely false|100 false",
        MIS: "misleading|misleads|mislead|miscaptioned|mislabeled|misrepresented|misrepresents|missing context|false context|"
        "lacks context|lacking context|needs context|lack of context|out of context|without context|outdated|old photo|old video|"
        "old image|old news|exaggerated|exaggerates|exaggeration|overstated|understated|distorted|distorts|spin|cherry picked|"
        "cherry picking|clickbait|decontextualized|decontextualised|unrelated|"
        "true but misleading|correct but misleading|accurate but misleading|technically true but misleading|not the whole story|"
        "not the full story|false connection|false headline|misinterpreted|misquoted|flawed reasoning|"
        "true but missing context|true but lacks context|true but needs context|true but out of context|not what it seems",
        MIX: "half true|half truth|mixture|mixed|partly false|partly true|partially false|partially true|partly correct|"
        "partially correct|partially accurate|partly accurate|partially incorrect|partially inaccurate|some truth|two sides|"
        "two pinocchios|not entirely|not quite|not exactly|not fully|not completely|not wholly|not totally|not precisely|"
        "not so simple|true and false|true or false|true but|correct but|accurate but|right but|more complicated|it depends|"
        "it is complicated|its complicated|complicated|half right|somewhat true|somewhat false|"
        "neither true nor false|both true and false|mostly mixed|contains some truth|grain of truth",
        T: "true|correct|accurate|real|authentic|genuine|mostly true|mainly true|largely true|mostly correct|mostly accurate|"
        "mostly right|confirmed|verified|fact|geppetto checkmark|one pinocchio|checks out|correct attribution|"
        "correctly attributed|factual|likely true|almost true|nearly true|legit|right",
        U: "unproven|not proven|unverified|not verified|unverifiable|unsupported|not supported|unsubstantiated|not substantiated|"
        "unfounded|baseless|without basis|no basis|without evidence|without proof|no evidence|no proof|no credible evidence|"
        "no scientific evidence|is no evidence|is no proof|is no scientific evidence|not enough evidence|insufficient evidence|"
        "lacks evidence|lack of evidence|little evidence|no reliable evidence|inconclusive|undetermined|unclear|not clear|unknown|"
        "cannot be verified|cannot be proven|cannot verify|can not be verified|can not verify|can not be proven|disputed|"
        "not confirmed|unconfirmed|too early|needs more evidence|verdict pending|not known|not proven true|not verified as true|"
        "unable to verify|unable to confirm|no confirmation|not possible to verify|legend|research in progress",
        OTHER: "satire|labeled satire|labelled satire|satirical|parody|opinion|promise kept|promise broken|not false|not fake|"
        "not wrong|not misleading|not a hoax|not rated|not checked|no rating|explainer|explanatory|flip flop|full flop|half flip|"
        "no flip|fact check|fact checked|fact checker|not a fact|real news or|true or",
    },
    "es": {
        F: "falso|falsa|falsos|falsas|es falso|mentira|bulo|noticia falsa|montaje|timo|fraude|incorrecto|incorrecta|erróneo|"
        "manipulado|manipulada|no es cierto|no es verdad|no es correcto|mayormente falso|mayoritariamente falso|casi falso|"
        "inventado|desmentido|imagen alterada|no es real|insostenible falso|completamente falso",
        MIS: "engañoso|engañosa|es engañoso|sacado de contexto|sacada de contexto|fuera de contexto|descontextualizado|"
        "descontextualizada|sin contexto|falta contexto|le falta contexto|exagerado|exagerada|tergiversado|falso contexto|"
        "contexto falso|distorsionado|verdadero pero engañoso",
        MIX: "verdad a medias|media verdad|medias verdades|mitad y mitad|parcialmente falso|parcialmente falsa|parcialmente cierto|"
        "parcialmente verdadero|parcialmente correcto|verdadero pero|cierto pero|sí pero|discutible|mixto|mezcla|"
        "no del todo|no es del todo|no exactamente|impreciso|imprecisa|más complicado",
        T: "verdadero|verdadera|cierto|cierta|verdad|es verdad|es cierto|correcto|correcta|mayormente verdadero|"
        "mayormente cierto|casi cierto|real|confirmado",
        U: "no hay pruebas|no hay evidencia|no hay evidencias|sin pruebas|sin evidencia|sin evidencias|no comprobado|"
        "no probado|no verificable|inverificable|inchequeable|sin sustento|sin fundamento|infundado|no se puede probar|"
        "no se puede verificar|dudoso|por verificar|sin confirmar|no confirmado|no existen pruebas|no existe evidencia|"
        "insostenible|apresurado|no concluyente",
        OTHER: "sátira|satírico|opinión|humor|no es falso|no es un bulo",
    },
    "fr": {
        F: "faux|fausse|c'est faux|infox|intox|mensonge|mensonger|canular|plutôt faux|inexact|inexacte|incorrect|erroné|montage|"
        "manipulé|manipulée|truqué|détourné|n'est pas vrai|pas vrai|ce n'est pas vrai|en grande partie faux|majoritairement faux|"
        "arnaque|inventé|photo modifiée|image modifiée|vidéo modifiée",
        MIS: "trompeur|trompeuse|exagéré|exagérée|hors contexte|sorti de son contexte|sortie de son contexte|manque de contexte|"
        "contexte manquant|décontextualisé|déformé|faux contexte|vrai mais trompeur",
        MIX: "à moitié vrai|en partie vrai|en partie faux|partiellement vrai|partiellement faux|mi vrai|mitigé|plus compliqué|"
        "c'est plus compliqué|à nuancer|vrai mais|oui mais|pas tout à fait|pas si simple|contestable|discutable|imprécis",
        T: "vrai|vraie|c'est vrai|plutôt vrai|exact|exacte|correct|avéré|confirmé|en grande partie vrai|majoritairement vrai",
        U: "non prouvé|pas prouvé|rien ne prouve|aucune preuve|sans preuve|sans fondement|infondé|invérifiable|non vérifié|"
        "invérifié|douteux|non avéré|pas de preuve|preuves insuffisantes|non confirmé|à vérifier|incertain",
        OTHER: "satire|parodie|satirique|pas faux",
    },
    "de": {
        F: "falsch|größtenteils falsch|überwiegend falsch|weitgehend falsch|frei erfunden|erfunden|gefälscht|fälschung|"
        "fake|manipuliert|unwahr|nicht wahr|stimmt nicht|nicht richtig|nicht korrekt|lüge|unzutreffend|montage",
        MIS: "irreführend|fehlender kontext|falscher kontext|aus dem kontext gerissen|ohne kontext|übertrieben|verzerrt|"
        "missverständlich|richtig aber irreführend|veraltet",
        MIX: "teilweise falsch|teilweise richtig|teils falsch|teils richtig|teilweise wahr|halb wahr|halbwahrheit|halbrichtig|"
        "gemischt|nicht ganz|stimmt aber|richtig aber|stimmt so nicht|ungenau|unvollständig",
        T: "richtig|wahr|stimmt|korrekt|größtenteils richtig|überwiegend richtig|größtenteils wahr|zutreffend|belegt|echt",
        U: "unbelegt|unbewiesen|nicht belegt|nicht bewiesen|keine belege|keine beweise|kein beleg|unklar|nicht überprüfbar|"
        "unbestätigt|umstritten",
        OTHER: "satire|meinung|nicht falsch",
    },
    "pt": {
        F: "falso|falsa|é falso|é falsa|mentira|boato|errado|errada|incorreto|incorreta|não é verdade|não é verdadeiro|não procede|"
        "montagem|golpe|manipulado|adulterado|adulterada|majoritariamente falso|pimenta na língua|inventado",
        MIS: "enganoso|enganosa|enganador|enganadora|distorcido|distorcida|fora de contexto|fora do contexto|sem contexto|"
        "falta contexto|descontextualizado|exagerado|exagerada|esticado|subestimado|tirado de contexto|não é bem assim|"
        "verdadeiro mas enganoso",
        MIX: "meia verdade|parcialmente falso|parcialmente verdadeiro|parcialmente correto|verdadeiro mas|mais ou menos|"
        "misturado|impreciso|imprecisa|nem tudo",
        T: "verdadeiro|verdadeira|verdade|é verdade|certo|praticamente certo|correto|correta|fato|comprovado",
        U: "insustentável|sem provas|sem evidências|sem evidência|não há provas|não há evidências|não comprovado|inconclusivo|"
        "não verificável|duvidoso|ainda é cedo para dizer|sem comprovação|não se sabe|sem fundamento",
        OTHER: "sátira|opinião|contraditório|humor|não é falso",
    },
    "it": {
        F: "falso|falsa|notizia falsa|bufala|non è vero|non è corretto|sbagliato|errato|scorretto|inventato|truffa|"
        "prevalentemente falso|manipolato|manipolata|panzana pazzesca|pinocchio andante|per lo più falso",
        MIS: "fuorviante|ingannevole|fuori contesto|decontestualizzato|decontestualizzata|senza contesto|manca il contesto|"
        "contesto mancante|esagerato|esagerata|vero ma fuorviante",
        MIX: "parzialmente falso|parzialmente vero|in parte falso|in parte vero|mezza verità|nì|vero ma|non del tutto|impreciso",
        T: "vero|vera|corretto|corretta|c'eri quasi|quasi vero|confermato|è vero|per lo più vero",
        U: "non provato|non dimostrato|non verificabile|senza prove|nessuna prova|non ci sono prove|infondato|dubbio|"
        "non verificato|inverificabile",
        OTHER: "satira|opinione",
    },
    "nl": {
        F: "onwaar|niet waar|onjuist|vals|nep|nepnieuws|grotendeels onwaar|verzonnen|gemanipuleerd",
        MIS: "misleidend|uit context|uit zijn context|overdreven|ontbrekende context|zonder context",
        MIX: "deels waar|deels onwaar|gedeeltelijk waar|gedeeltelijk onwaar|half waar|half onwaar|niet helemaal",
        T: "waar|grotendeels waar|klopt|juist",
        U: "onbewezen|niet bewezen|geen bewijs|ongefundeerd|oncontroleerbaar|niet te controleren",
    },
    "pl": {
        F: "fałsz|fałszywe|fałszywy|nieprawda|to nieprawda|fake|zmanipulowane|raczej fałsz",
        MIS: "manipulacja|wprowadza w błąd|brak kontekstu|wyrwane z kontekstu|mylące",
        MIX: "częściowy fałsz|częściowa prawda|częściowo prawda|częściowo fałsz|półprawda",
        T: "prawda|raczej prawda|prawdziwe",
        U: "nieweryfikowalne|brak dowodów|niepotwierdzone|niezweryfikowane",
        OTHER: "satyra",
    },
    "tr": {
        F: "yanlış|asılsız|doğru değil|uydurma|sahte|yalan|çoğunlukla yanlış|montaj",
        MIS: "yanıltıcı|bağlamından koparılmış|bağlamdan kopuk|eksik bağlam|abartılı",
        MIX: "karma|kısmen doğru|kısmen yanlış|yarı doğru",
        T: "doğru|çoğunlukla doğru|gerçek",
        U: "belirsiz|şüpheli|kanıt yok|kanıtlanmamış|doğrulanamadı|doğrulanmamış",
        OTHER: "hiciv|mizah",
    },
    "id": {
        F: "salah|keliru|hoaks|tidak benar|palsu|sebagian besar salah|disinformasi",
        MIS: "menyesatkan|kurang konteks|konteks yang salah|salah konteks|tanpa konteks",
        MIX: "sebagian benar|sebagian salah|sebagian keliru|campuran",
        T: "benar|fakta|sebagian besar benar",
        U: "belum terbukti|tidak terbukti|tidak ada bukti|belum terverifikasi",
        OTHER: "satir|parodi",
    },
    "no": {
        F: "feil|helt feil|usant|ikke sant|falskt",
        MIS: "villedende|mangler kontekst",
        MIX: "delvis sant|delvis feil|delvis riktig",
        T: "sant|helt sant|riktig",
        U: "ikke sikkert|ikke dokumentert|ubekreftet",
    },
    "hi": {
        F: "झूठ|झूठा|झूठी|गलत|ग़लत|फर्जी|फर्ज़ी|फ़र्ज़ी|असत्य|फेक|सच नहीं|सही नहीं|अफवाह",
        MIS: "भ्रामक|गुमराह|संदर्भ से बाहर|अधूरा संदर्भ",
        MIX: "आधा सच|आंशिक रूप से सच|आंशिक रूप से गलत|आंशिक सच",
        T: "सच|सही|सत्य",
        U: "अप्रमाणित|कोई सबूत नहीं|कोई प्रमाण नहीं|अपुष्ट",
        OTHER: "व्यंग्य",
    },
    "ar": {
        F: "زائف|خاطئ|خطأ|كاذب|كذب|غير صحيح|غير صحيحة|ليس صحيحا|مفبرك|مزيف|ملفق|شائعة|خرافة|خادع",
        MIS: "مضلل|مضللة|عنوان مضلل|خارج السياق|خارج سياقه|بدون سياق|انتقائي|مبالغ فيه",
        MIX: "زائف جزئيا|صحيح جزئيا|خاطئ جزئيا|نصف حقيقة|جزئيا",
        T: "صحيح|صحيحة|حقيقي|حقيقة",
        U: "غير مؤكد|لا دليل|لا يوجد دليل|لا توجد أدلة|مشكوك فيه|غير مثبت",
        OTHER: "ساخر|رأي|سخرية",
    },
    "zh": {
        F: "错误|錯誤|假的|谣言|謠言|不实|不實|虚假|虛假|假消息|假新闻|假新聞|非真实|并非事实|並非事實|不属实|不屬實|不是真的|不正确|不正確|伪造|偽造|诈骗|詐騙|"
        "含有不实讯息|含有不實訊息|大部分错误|大部分錯誤|失实|失實|捏造",
        MIS: "误导|誤導|断章取义|斷章取義|夸大|誇大|移花接木|缺乏背景|脱离语境|脫離語境|易误解|易誤解|旧闻|舊聞",
        MIX: "部分错误|部分錯誤|部份錯誤|部分正确|部分正確|部分属实|部分屬實|部分不实|部分不實|半真半假|真假参半|真假參半|部分真实|部分真實",
        T: "正确|正確|属实|屬實|真实|真實|确有其事|確有其事|真的|基本属实|基本屬實|含有真实讯息|含有真實訊息",
        U: "证据不足|證據不足|尚无定论|尚無定論|存疑|未经证实|未經證實|无法证实|無法證實|没有证据|沒有證據|缺乏证据|缺乏證據|待查证|待查證|无依据|無依據|無根據|无根据",
        OTHER: "事实厘清|事實釐清|讽刺|諷刺|含有个人意见|含有個人意見|不在查證範圍|真的假的",
    },
    "ja": {
        F: "誤り|虚偽|誤情報|デマ|不正確",
        MIS: "ミスリード|ミスリーディング",
        MIX: "ほぼ誤り|一部誤り|不正確な部分",
        T: "ほぼ正確|正確",
        U: "根拠不明|判定留保|根拠なし",
    },
    "ko": {
        F: "거짓|사실 아님|사실이 아님|전혀 사실 아님|대체로 사실 아님",
        MIS: "오해의 소지|왜곡",
        MIX: "절반의 사실|절반 사실|대체로 사실과 거짓",
        T: "사실|대체로 사실|진실",
        U: "판단 유보|근거 없음|확인 불가",
    },
}


def _merged() -> dict[Verdict, str]:
    merged: dict[Verdict, str] = {}
    for words in LANGUAGES.values():
        for verdict, phrases in words.items():
            merged[verdict] = f"{merged[verdict]}|{phrases}" if verdict in merged else phrases
    return merged


WORDS: Mapping[Verdict, str] = _merged()
"""The phrases of all languages together: a rating seldom says in which language it is."""
