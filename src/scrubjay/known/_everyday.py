"""Everyday words and measured values that are no identifiers, though a patient has the same.

White is a surname, and "White blood cells" begins a line of the laboratory. Who is called by an
everyday word is looked for wherever it is written like a name, but for the few phrases here, with
which hardly a name goes on. Numbers of up to six digits are looked for but where a test stands
before them or a unit right behind ("Platelets 10000", "heparin 10000 units"). Where in doubt it is
the patient.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from scrubjay.known._word_tables import fold
from scrubjay.known.people import PARTICLES, TITLES
from scrubjay.known.words import Words

_AHEAD = 48
"""Characters behind a word that are looked at."""

_KEYS = (
    "patient pt name surname last first client resident caller nurse rn doctor family signed by "
    "with paciente pte nombre apellidos naam familie"
)
_PERSONS = TITLES | frozenset(_KEYS.split())
"""Words behind which a name stands, whatever follows."""

_MODAL = (
    r"(?:also |likely |not |then |now |plan to )?(?:follow|need|continue|check|discuss|obtain|"
    r"start|order|consult|repeat|monitor|arrange|refer|require|increase|decrease|wean|defer|consider|"
    r"recheck|reassess|schedule|request|advance|resume|benefit)"
)
_AT_BEGIN = frozenset(["will", "may"])
"""Words that are a verb at the begin of a sentence alone: "Does Will need"."""

# Language -> words -> what follows them in a phrase, without accents and case. Only what can follow
# nobody's name in hurried notes: "White urine sent" may be of Mr White.
_PHRASES: dict[str, dict[str, str]] = {
    "en": {
        "white black brown green gray grey gold red blue yellow pink": (
            r"blood (?:cells?|counts?|cell count)|cell counts?|cells?|count|matter|plaques|"
            r"coat (?:hypertension|syndrome|effect)"
        ),
        "long": r"term|acting|lasting|qt|axis",
        "short": r"term|acting|lasting|qt|stature|bowel|gut|of breath",
        "small little large big": r"bowel|pleural|pericardial|vessel|bore|for gestational",
        "frank": r"hematuria|pus|purulence",
        "will may": _MODAL,
        "rose fell": r"(?:from|to|by) \d+(?:\.\d|[ ]?%)",
        "art": r"regimen|adherence",
        "best": r"corrected",
        "ward": r"clerks?|rounds?|secretary|sister|manager|staff|based|team|nurses?|stock",
        "hand head foot": r"hygiene|x-?ray|circumference",
    },
    "es": {
        "dolores": (
            r"abdominales|articulares|musculares|lumbares|oseos|costales|toracicos|menstruales|"
            r"generalizados|de (?:cabeza|espalda|barriga|tripa|rodillas?|crecimiento|oidos?)"
        ),
        "rosa": r"de bengala|bengala|mosqueta",
        "pilar pilares": r"amigdalin[oa]s?|diafragmatico|amigdalar",
        "luz": r"ultravioleta|pulsada|intestinal|apendicular|de wood",
        "cruz": r"roja|verde|vermella",
        "blanco": r"terapeutico|del ojo",
        "rubio rojo": r"vinoso|oscuro",
        "sierra": r"oscilante",
        "salud": r"mental|publica|laboral|bucodental",
    },
    "nl": {
        "wit witte": r"bloedcell?en|bloedlichaampjes",
        "lang lange": r"termijn|qt|werkend|pijpbeenderen",
        "kort korte": r"termijn|werkend|van adem|ademig",
        "zwart zwarte bruin bruine groen groene": r"ontlasting|defecatie|feces|verkleuring",
    },
}  # fmt: skip

# Language -> months that are first names, too, and words behind which they are months.
_MONTHS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "en": (frozenset(["april", "may", "june", "august"]), frozenset(["in", "since", "mid"])),
    "es": (frozenset(["abril", "mayo", "julio", "enero"]), frozenset(["en", "desde"])),
    "nl": (frozenset(["april", "mei", "juni", "juli"]), frozenset(["in", "sinds", "eind"])),
}
_TRUST_WORDS = """
    confide confides confided confidence trust trusts trusted believe believes believed faith
    interest interested pride comfort anger disappointed calls called call
    confia confianza confio interes vertrouwen gelooft
"""
_TRUSTS = frozenset(_TRUST_WORDS.split())
"""Words behind which "in June" is somebody."""
_OF_NAME = re.compile(r"['’][sS](?!\w)|[ ][A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]")

_PATIENTS = frozenset(["pt", "patient", "client", "resident", "nurse"])
"""Words behind which an everyday word in small letters names somebody, if what follows tells."""

# What is told of somebody, and follows no verb, adjective or noun of the phrases "pt will follow",
# "pt may go home", "patient long obese" and "pt rose today".
_TOLD = re.compile(
    r"[ ](?:is|was|has|had|seen|states?|stated|reports|reported|denies|denied|says|said|c/o|"
    r"complains|complained|presents|presented|refuses|refused|wants|remains|appears|tolerating|"
    r"resting|alert|stable|afebrile|asleep|awake|admitted|discharged|transferred|arrived|came|"
    r"reviewed|examined|assessed)(?![\w-])"
)

_TEST_WORDS = """
    platelet platelets plt plts thrombocytes trombocyten trombos plaquetas plaq wbc wbcs rbc rbcs
    leukocytes leucocytes leukocyten leuko leucocitos leucos linfocitos lymphocytes neutrophils
    neutrofilos neutrofielen anc ferritin ferritine ferritina bnp probnp ck cpk hcg bhcg dimer
    dimeer dimero troponin troponine troponina tnt tni lipase lipasa amylase amilasa amylasa ast
    gpt ldh crp ggt recuento heparin heparine heparina epo enoxaparin dalteparin
    nadroparine tinzaparin fraxiparine
"""
_LINK_WORDS = "of is was are were now count counts de es fue"
_TESTS, _LINKS = frozenset(_TEST_WORDS.split()), frozenset(_LINK_WORDS.split())
_NEAR = re.compile(r"[ \t:=<>~(]{1,4}")
_UNIT = re.compile(
    r"[ \t]?(?:units?(?![ ]?#?\d|[ ](?-i:[A-Z]))|(?-i:IU|UI|IE)|eenheden|unidades|[kmµun]g|mcg|"
    r"[munµp]mol|[µmd]l|mm[3³]|kcal|cells?|copies|cfu|kve|ufc|steps|stappen|pasos|"
    r"(?:(?:cells?|copies|cfu|kve|ufc)[ ]?)?/[ ]?(?:[µumcd]?l|mm[3³]|hpf))(?!\w)",
    re.IGNORECASE,
)

_GOES_ON = re.compile(
    r"[.,]\d|[ ]?(?:%|°|(?:[kmµun]?g|mcg|[munµp]?mol|mEq|meq|[mdµ]l|kPa|mmHg|mm|cm|bpm|IE|IU|UI)"
    r"(?!\w)|[lL]?[ ]?/[ ]?(?:min|u(?:ur)?|h|d(?:ag)?|kg|[lL])(?!\w)|x10)"
)
"""Decimals, or a unit, behind the digits of a value."""
_MOST_OF_SHORT = 4


@cache
def _phrases_of(language: str) -> dict[str, re.Pattern[str]]:
    table = _PHRASES.get(language, _PHRASES["en"])
    return {
        word: re.compile(rf"[ \u00a0]{{1,2}}(?:{after})(?!\w)")
        for words, after in table.items()
        for word in words.split()
    }


def is_in_phrase(words: Words, place: int, language: str) -> bool:
    """Tell whether a word begins a phrase of everyday words, and is nobody's name.

    It is a name right behind a title, a particle, the key of a name, or an initial.
    """
    if is_month(words, place, language):
        return True
    phrase = _phrases_of(language).get(words.keys[place])
    if phrase is None:
        return False
    end = words.ends[place]
    if phrase.match(fold(words.text[end : end + _AHEAD])) is None:
        return False
    if not place:
        return True
    before, gap = words.keys[place - 1], words.gap(place - 1)
    if before in PARTICLES and not gap.strip(" "):
        return False
    if words.keys[place] in _AT_BEGIN and not any(mark in gap for mark in ".!?\n\r"):
        return False
    # A form has the value of its key in the next line.
    parted = any(mark in gap for mark in "\n\r;") and ":" not in gap
    beside = not parted and (
        before in _PERSONS or (len(before) == 1 and before.isalpha() and gap in (" ", ". ", "."))
    )
    return not beside


def is_month(words: Words, place: int, language: str) -> bool:
    """Tell whether a word is a month and nobody: "in June", but not "trusts in June"."""
    months, leads = _MONTHS.get(language, _MONTHS["en"])
    if not place or words.keys[place] not in months or words.keys[place - 1] not in leads:
        return False
    if words.gap(place - 1) != " " or _OF_NAME.match(words.text, words.ends[place]):
        return False
    return place < 2 or words.keys[place - 2] not in _TRUSTS


def is_told_of(words: Words, place: int, language: str) -> bool:
    """Tell whether a word in small letters names a patient: "pt white seen" (English)."""
    if not place or language != "en" or words.keys[place - 1] not in _PATIENTS:
        return False
    end = words.ends[place]
    return words.gap(place - 1) in (" ", ". ") and bool(
        _TOLD.match(fold(words.text[end : end + _AHEAD]))
    )


def is_measured(words: Words, first: int, last: int) -> bool:
    """Tell whether a number is the value of a test that stands before it, or has a unit behind."""
    end = words.ends[last]
    if _UNIT.match(words.text, end):
        return True
    place = first - 1
    for _ in range(3):
        if place < 0 or not _NEAR.fullmatch(words.gap(place)):
            return False
        if words.keys[place] in _TESTS:
            return True
        if words.keys[place] not in _LINKS:
            return False
        place -= 1
    return False


def is_letter_code(keys: Sequence[str]) -> bool:
    """Tell whether words are one letter with a short number, as of a bed: "K3", "12A"."""
    if len(keys) != 2 or len(keys[0]) + len(keys[1]) > _MOST_OF_SHORT:
        return False
    first, second = keys
    return (len(first) == 1 and first.isalpha() and second.isdigit()) or (
        len(second) == 1 and second.isalpha() and first.isdigit()
    )


def is_value_of_letters(text: str, end: int, keys: Sequence[str]) -> bool:
    """Tell whether one or two letters and a number that end at `end` are a measured value.

    It is one where decimals or a unit go on behind the number: "K 3,4", "Hb 12.5", "Na 99 mmol".
    """
    if len(keys) != 2 or len(keys[0]) > 2 or len(keys[0]) + len(keys[1]) > _MOST_OF_SHORT:
        return False
    is_pair = keys[1].isdigit() and keys[0].isalpha()
    return is_pair and _GOES_ON.match(text, end) is not None
