"""Words of judgement by language, for ratings that no publisher's scale explains.

Only a table; `verdict` reads it. Phrases are separated by `|` and compared without case, accents and punctuation. Negations,
degrees and reservations are phrases of their own ("not true", "mostly false", "true but"), as the longest phrase wins.
Degrees are folded as in `scales`.
"""

from __future__ import annotations

from collections.abc import Mapping

from twicetold.ingest.scales import MIS, MIX, OTHER, F, T, U
from twicetold.types import Verdict

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
        "not so simple|true and false|true but|correct but|accurate but|right but|more complicated|it depends|"
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
        "no flip|not a fact|true or false",
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
        F: "错误|錯誤|假的|谣言|謠言|不实|不實|虚假|虛假|假消息|假新闻|假新聞|非真实|并非事实|並非事實|不属实|不屬實|不是真的|"
        "不正确|不正確|伪造|偽造|诈骗|詐騙|"
        "含有不实讯息|含有不實訊息|大部分错误|大部分錯誤|失实|失實|捏造",
        MIS: "误导|誤導|断章取义|斷章取義|夸大|誇大|移花接木|缺乏背景|脱离语境|脫離語境|易误解|易誤解|旧闻|舊聞",
        MIX: "部分错误|部分錯誤|部份錯誤|部分正确|部分正確|部分属实|部分屬實|部分不实|部分不實|"
        "半真半假|真假参半|真假參半|部分真实|部分真實",
        T: "正确|正確|属实|屬實|真实|真實|确有其事|確有其事|真的|基本属实|基本屬實|含有真实讯息|含有真實訊息",
        U: "证据不足|證據不足|尚无定论|尚無定論|存疑|未经证实|未經證實|无法证实|無法證實|"
        "没有证据|沒有證據|缺乏证据|缺乏證據|待查证|待查證|无依据|無依據|無根據|无根据",
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
    "da": {
        F: "falsk|falsk nyhed|usandt|ikke sandt|forkert|løgn|opspind|ikke korrekt|helt forkert",
        MIS: "vildledende|misvisende|mangler kontekst|ude af kontekst|taget ud af sammenhæng|overdrevet",
        MIX: "delvist sandt|delvist falsk|delvist rigtigt|halvt sandt|halv sandhed|blandet",
        T: "sandt|korrekt|rigtigt|overvejende sandt",
        U: "udokumenteret|ubekræftet|ikke dokumenteret|ingen dokumentation|ingen beviser|uden belæg",
    },
    "sv": {
        F: "falskt|osant|inte sant|felaktigt|påhittat|lögn|helt fel|stämmer inte",
        MIS: "vilseledande|missvisande|saknar kontext|saknar sammanhang|ryckt ur sitt sammanhang|överdrivet",
        MIX: "delvis sant|delvis falskt|delvis felaktigt|halvsanning|delvis fel",
        T: "sant|stämmer|helt rätt|mestadels sant",
        U: "obekräftat|obevisat|saknar stöd|saknar belägg|inga bevis|inga belägg",
    },
    "fi": {
        F: "väärin|väärää|epätosi|valhetta|virheellinen|ei pidä paikkaansa|ei totta|huijaus",
        MIS: "harhaanjohtava|harhaanjohtavaa|asiayhteydestä irrotettu|liioiteltu",
        MIX: "osittain totta|osittain oikein|osittain väärin|puolitotuus|50 50",
        T: "totta|tosi|oikein|pitää paikkansa|enimmäkseen totta",
        U: "todistamaton|todistamatta|vahvistamaton|ei näyttöä|ei todisteita",
    },
    "ru": {
        F: "ложь|ложно|фейк|неправда|неверно|не правда|вранье|вымысел|подделка|это не так|в основном неправда|фальшивка|"
        "не соответствует действительности",
        MIS: "вводит в заблуждение|манипуляция|искажение|вне контекста|без контекста|вырвано из контекста|преувеличение|заблуждение",
        MIX: "полуправда|частично правда|частично ложь|отчасти правда|не совсем так|не совсем правда|скорее правда чем нет",
        T: "правда|верно|это правда|большей частью правда|в основном правда|достоверно|чистая правда",
        U: "не доказано|недоказано|не подтверждено|нет доказательств|бездоказательно|непроверяемо|невозможно проверить",
    },
    "uk": {
        F: "брехня|неправда|фейк|не правда|неправдиво|вигадка",
        MIS: "маніпуляція|оманливо|вводить в оману|поза контекстом|перебільшення",
        MIX: "напівправда|частково правда|частково неправда",
        T: "правда|правдиво|достовірно",
        U: "не доведено|немає доказів|без доказів|не підтверджено",
    },
    "bg": {
        F: "невярно|лъжа|неистина|фалшиво|фалшива новина|не е вярно",
        MIS: "подвеждащо|заблуждаващо|извадено от контекст|липсва контекст|манипулация",
        MIX: "частично вярно|полуистина|частично невярно|смесено",
        T: "вярно|истина|предимно вярно",
        U: "недоказано|непроверимо|няма доказателства|непотвърдено",
    },
    "cs": {
        F: "nepravda|lež|nepravdivé|nepravdivý|falešné|hoax nepravda|výmysl|není pravda",
        MIS: "zavádějící|manipulace|manipulativní|vytržené z kontextu|chybí kontext|klamlivé",
        MIX: "polopravda|částečná pravda|částečně pravda|částečně nepravda|napůl pravda",
        T: "pravda|pravdivé|pravdivý|převážně pravda",
        U: "neověřitelné|neověřeno|nepodložené|bez důkazů|nedoloženo|neprokázáno",
    },
    "sk": {
        F: "klamstvo|nie je pravda|nepravdivé tvrdenie|falošné",
        MIS: "zavádzajúce|vytrhnuté z kontextu|chýba kontext",
        MIX: "polopravda|čiastočne pravda|čiastočne nepravda",
        T: "pravdivé tvrdenie|väčšinou pravda",
        U: "neoverené|neoveriteľné|nepotvrdené|bez dôkazov",
    },
    "sl": {
        F: "neresnica|ni res|neresnično|laž",
        MIS: "zavajajoče|iztrgano iz konteksta",
        MIX: "polresnica|delno res",
        T: "resnica|drži",
        U: "nedokazano",
    },
    "hr": {
        F: "lažno|netačno|netočno|neistina|lažna vijest|laž|nije istina|neistinito",
        MIS: "obmanjujuće|zavaravajuće|manipulisanje činjenicama|manipulacija|izvučeno iz konteksta|nedostaje kontekst|dezinformacija",
        MIX: "poluistina|djelimično tačno|djelomično točno|delimično tačno|djelimično lažno",
        T: "tačno|točno|istina|istinito|uglavnom tačno",
        U: "nedokazano|neprovjereno|neprovereno|nema dokaza|bez dokaza",
    },
    "el": {
        F: "ψευδές|ψέμα|ψευδής|ψευδείς ειδήσεις|ανακριβές|λάθος|δεν ισχύει|δεν είναι αλήθεια|κατασκευασμένο|απάτη",
        MIS: "παραπλανητικό|παραπλανητική|εκτός πλαισίου|χωρίς πλαίσιο|διαστρέβλωση|υπερβολή",
        MIX: "μισή αλήθεια|εν μέρει αληθές|εν μέρει ψευδές|μερικώς αληθές|μερικώς ψευδές|μείγμα",
        T: "αληθές|αλήθεια|αληθής|ισχύει|ακριβές|σωστό",
        U: "αναπόδεικτο|ανεπιβεβαίωτο|δεν υπάρχουν στοιχεία|χωρίς αποδείξεις|αβάσιμο",
    },
    "ro": {
        F: "fals|falsă|neadevărat|minciună|nu este adevărat|incorect|știre falsă|parțial falsă minciună",
        MIS: "înșelător|înșelătoare|trunchiat|scos din context|lipsă de context|manipulare|exagerat",
        MIX: "parțial adevărat|parțial fals|jumătate adevărat|parțial corect|amestec",
        T: "adevărat|adevărată|corect|preponderent adevărat",
        U: "neverificat|neverificabil|nedovedit|nefondat|fără dovezi|neconfirmat|imposibil de verificat",
    },
    "hu": {
        F: "hamis|álhír|nem igaz|valótlan|hazugság|téves|kamu|kacsa",
        MIS: "félrevezető|megtévesztő|kiragadott|hiányzó kontextus|túlzó|csúsztatás",
        MIX: "részben igaz|részben hamis|féligazság|félig igaz",
        T: "igaz|valós|többnyire igaz|nagyrészt igaz",
        U: "megalapozatlan|bizonyítatlan|nincs bizonyíték|nem ellenőrizhető|nem igazolt",
    },
    "lt": {
        F: "melaginga|melas|melagiena|netiesa|netiesa",
        MIS: "klaidinanti|klaidinantis|trūksta konteksto|manipuliacija",
        MIX: "dalinai tiesa|pusiau tiesa|iš dalies tiesa",
        T: "tiesa|teisinga",
        U: "nepagrįsta|nėra įrodymų|be įrodymų",
    },
    "lv": {
        F: "nepatiesi|nepatiess|nepatiesība|meli|nav taisnība",
        MIS: "maldinoši|maldinošs|trūkst konteksta|sagrozīts",
        MIX: "daļēji patiesi|puspatiesība",
        T: "patiesība|patiesi|patiess|taisnība",
        U: "nepierādīts|nav pierādījumu",
    },
    "et": {
        F: "väär|ei vasta tõele|valeväide",
        MIS: "eksitav|kontekstist välja rebitud",
        MIX: "osaliselt tõene|pooltõde",
        T: "tõene|vastab tõele",
        U: "tõendamata|tõendid puuduvad",
    },
    "he": {
        F: "שקר|שקרי|לא נכון|שגוי|פייק|כזב|פברוק|לא אמת",
        MIS: "מטעה|הוצא מהקשרו|חסר הקשר|מוטעה",
        MIX: "נכון חלקית|חצי אמת|חלקית נכון|מעורב",
        T: "נכון|אמת|נכון ברובו",
        U: "לא מבוסס|לא הוכח|אין הוכחה|אין ראיות|לא מאומת",
    },
    "fa": {
        F: "دروغ|نادرست|جعلی|غلط|شایعه|ساختگی",
        MIS: "گمراه کننده|گمراه‌کننده|خارج از زمینه|تحریف",
        MIX: "نیمه درست|تا حدی درست|نیمه واقعیت",
        T: "درست|واقعیت|صحت دارد",
        U: "غیرقابل اثبات|بدون مدرک|اثبات نشده|تایید نشده",
    },
    "ur": {
        F: "جھوٹ|جھوٹا|غلط دعویٰ|جعلی خبر",
        MIS: "گمراہ کن",
        MIX: "جزوی طور پر درست",
        T: "سچ|درست ہے",
        U: "غیر مصدقہ|ثبوت نہیں",
    },
    "bn": {
        F: "মিথ্যা|ভুয়া|গুজব|অসত্য|ভুল|সত্য নয়|বিকৃত",
        MIS: "বিভ্রান্তিকর|প্রসঙ্গ বহির্ভূত",
        MIX: "আংশিক মিথ্যা|আংশিক সত্য|মিশ্র",
        T: "সত্য|সঠিক",
        U: "অপ্রমাণিত|প্রমাণ নেই",
    },
    "ta": {
        F: "பொய்|தவறு|தவறான|போலி|வதந்தி|தவறானது",
        MIS: "தவறாக வழிநடத்தும்|திரிபு",
        MIX: "பாதி உண்மை|பகுதி உண்மை",
        T: "உண்மை|சரி",
        U: "நிரூபிக்கப்படவில்லை",
    },
    "te": {
        F: "తప్పుడు|తప్పు|అబద్ధం|నకిలీ|నిజం కాదు",
        MIS: "తప్పుదారి పట్టించే|తప్పుదోవ పట్టించే",
        MIX: "పాక్షిక నిజం|సగం నిజం",
        T: "నిజం|వాస్తవం",
        U: "ఆధారాలు లేవు",
    },
    "mr": {
        F: "खोटे|खोटा|असत्य|बनावट",
        MIS: "दिशाभूल करणारे|दिशाभूल",
        MIX: "अर्धसत्य",
        T: "खरे|सत्य",
        U: "पुरावा नाही",
    },
    "th": {
        F: "ปลอม|เท็จ|ข่าวปลอม|ไม่จริง|ไม่เป็นความจริง",
        MIS: "บิดเบือน|ชวนเข้าใจผิด|ทำให้เข้าใจผิด",
        MIX: "จริงบางส่วน|จริงครึ่งเดียว",
        T: "จริง|เป็นความจริง|ข่าวจริง",
        U: "ไม่มีหลักฐาน|ยังไม่ได้รับการยืนยัน",
    },
    "vi": {
        F: "sai sự thật|tin giả|không đúng|bịa đặt|giả mạo",
        MIS: "gây hiểu lầm|gây hiểu nhầm|thiếu bối cảnh|sai bối cảnh",
        MIX: "đúng một phần|sai một phần",
        T: "đúng sự thật|chính xác",
        U: "chưa được kiểm chứng|không có bằng chứng|chưa xác minh",
    },
    "ms": {
        F: "palsu|tidak benar|berita palsu|auta",
        MIS: "mengelirukan|di luar konteks",
        MIX: "separuh benar|sebahagian benar",
        T: "benar|sahih",
        U: "tidak disahkan|tiada bukti",
    },
    "tl": {
        F: "hindi totoo|peke|walang katotohanan|kasinungalingan|gawa gawa",
        MIS: "nakaliligaw|nakapanlilinlang|kulang sa konteksto",
        MIX: "bahagyang totoo",
        T: "totoo|tama",
        U: "walang basehan|walang patunay|walang batayan",
    },
    "sw": {
        F: "uongo|si kweli|si ya kweli|habari feki|taarifa feki",
        MIS: "inapotosha|potofu|upotoshaji",
        MIX: "kweli kiasi|nusu kweli",
        T: "kweli|ni kweli",
        U: "haijathibitishwa|hakuna ushahidi",
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
