"""Everyday words and measured values that are no identifiers, though a patient has the same.

White is a surname, and "White blood cells" begins a line of the laboratory. Who is called by an
everyday word is looked for wherever it is written like a name, but for the phrases here: what
follows can stand behind no name. Numbers of up to six digits are looked for but where a test stands
right before them or a unit right behind ("Platelets 10000", "heparin 10000 units"). Where in doubt
it is the patient.
"""

from __future__ import annotations

import re
from functools import cache

from scrubjay.known._words import Words, fold
from scrubjay.known.people import TITLES

_AHEAD = 48
"""Characters behind a word that are looked at."""

_KEYS = "patient pt name surname client resident paciente pte nombre apellidos naam"
_PERSONS = TITLES | frozenset(_KEYS.split())
"""Words behind which a name stands, whatever follows."""

_MODAL = (
    r"(?:also |likely |not |then |now |plan to )?(?:follow|need|continue|check|discuss|obtain|"
    r"start|order|consult|repeat|monitor|hold|give|arrange|refer|require|keep|try|increase|decrease|stop|"
    r"send|wean|defer|consider|recheck|reassess|schedule|request|advance|resume|benefit|be|have)"
)
# Language -> words -> what follows them in a phrase, without accents and case.
_PHRASES: dict[str, dict[str, str]] = {
    "en": {
        "white black brown green gray grey gold red blue yellow pink": (
            r"blood (?:cells?|counts?|cell count)|cells?|count|counts|matter|plaques?|patch(?:es)?|"
            r"exudates?|coat|coating|sputum|stools?|urine|emesis|eschar|spots?|lesions?|tongue|"
            r"light|line|noise|flags?|tops?|(?:fe)?males?|(?:wo)?m[ae]n|gentleman|lady|bag|box|"
            r"standard|recluse|fat|ink|reflex|eyes?"
        ),
        "long short": (
            r"term|standing|acting|lasting|qt|segment|axis|(?:history|hx|discussion|conversation|"
            r"talk|list|course|stay|arm|leg|bones?|stature|bowel|gut|discussions) (?:of|with|about|"
            r"and|cast|regarding|fractures?|syndrome)|bones?|stature|bowel|gut|ago|of breath"
        ),
        "small little large big": (
            r"bowel|amounts?|volume|pleural|pericardial|toe|finger|for gestational|vessel|bore"
        ),
        "young old": r"(?:fe)?males?|(?:wo)?m[ae]n|gentleman|lady|adults?|child|girl|boy|onset|age",
        "strong weak": r"family history|pulses?|cough|grip|desire|cry|acid|opioids?|peripheral",
        "frank": r"blood|hematuria|pus|purulence|bleeding|stool",
        "will may": _MODAL,
        "rose fell": r"(?:from|to|by) \d+",
        "art": r"lines?|therapy|regimen|adherence",
        "best": r"corrected|practice|possible|interests?|efforts?",
        "hand head foot": r"grip|hygiene|x-?ray|injury|ct|circumference|washing|exam|drop|ulcers?",
        "day": r"\d|of|shift|team|program|hospital|surgery|rate",
    },
    "es": {
        "dolores": (
            r"abdominales|articulares|musculares|lumbares|oseos|costales|toracicos|menstruales|"
            r"generalizados|referidos|tipo|intensos|difusos|"
            r"de (?:cabeza|espalda|barriga|tripa|rodillas?|crecimiento|parto|oidos?)"
        ),
        "rosa": r"de bengala|bengala|mosqueta",
        "pilar pilares": r"amigdalin[oa]s?|posterior|anterior|diafragmatico|amigdalar",
        "luz": r"ultravioleta|pulsada|natural|intestinal|apendicular|de wood",
        "cruz": r"roja|verde|vermella",
        "blanco": r"terapeutico|del ojo",
        "rubio rojo moreno": r"vinoso|oscuro",
        "sierra": r"oscilante",
        "salud": r"mental|publica|laboral|bucodental",
    },
    "nl": {
        "wit witte": r"bloedcell?en|bloedlichaampjes|stof|aanslag|beslag|vlekken|strepen",
        "lang lange": r"termijn|tijd|duur|qt|voorgeschiedenis|werkend|bestaande?|pijpbeenderen",
        "kort korte": r"termijn|tijd|duur|werkend|darm|van adem|ademig",
        "zwart zwarte bruin bruine groen groene": (
            r"ontlasting|sputum|defecatie|feces|urine|verkleuring"
        ),
        "jong jonge oud oude": r"man|vrouw|jongen|meisje|kind|vader|moeder|leeftijd",
        "klein kleine groot grote": r"hoeveelheid|teen|kans|wond|laesie|operatie",
        "scherp scherpe stomp": r"pijn|trauma|voorwerp",
    },
}  # fmt: skip

_TEST_WORDS = """
    platelet platelets plt plts thrombocytes trombocyten trombos plaquetas plaq wbc wbcs rbc rbcs
    leukocytes leucocytes leukocyten leuko leucocitos leucos linfocitos lymphocytes neutrophils
    neutrofilos neutrofielen anc ferritin ferritine ferritina bnp probnp ck cpk hcg bhcg dimer
    dimeer dimero troponin troponine troponina tnt tni lipase lipasa amylase amilasa amylasa alt ast
    gpt ldh crp ggt count counts load recuento heparin heparine heparina epo enoxaparin dalteparin
    nadroparine tinzaparin fraxiparine cfu steps stappen pasos
"""
_LINK_WORDS = "of at is was are were to now from count counts de es fue van naar"
_TESTS, _LINKS = frozenset(_TEST_WORDS.split()), frozenset(_LINK_WORDS.split())
_NEAR = re.compile(r"[ \t:=<>~(]{1,4}")
_UNIT = re.compile(
    r"[ \t]?(?:units?|iu|ui|ie|eenheden|unidades|[kmµun]g|mcg|[munµp]mol|[µmd]l|mm[3³]|kcal|"
    r"cells?|copies|cfu|kve|ufc|steps|stappen|pasos|"
    r"(?:(?:cells?|copies|cfu|kve|ufc)[ ]?)?/[ ]?(?:[µumcd]?l|mm[3³]|hpf))(?!\w)",
    re.IGNORECASE,
)


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

    It is a name right behind a title, the key of a name, or an initial.
    """
    phrase = _phrases_of(language).get(words.keys[place])
    if phrase is None:
        return False
    end = words.ends[place]
    if phrase.match(fold(words.text[end : end + _AHEAD])) is None:
        return False
    if not place:
        return True
    before, gap = words.keys[place - 1], words.gap(place - 1)
    beside = not any(mark in gap for mark in "\n\r;") and (
        before in _PERSONS or (len(before) == 1 and before.isalpha() and gap in (" ", ". ", "."))
    )
    return not beside


def is_measured(words: Words, first: int, last: int) -> bool:
    """Tell whether a number is the value of a test that stands before it, or has a unit behind."""
    end = words.ends[last]
    if _UNIT.match(words.text, end):
        return True
    place = first - 1
    for _ in range(2):
        if place < 0 or not _NEAR.fullmatch(words.gap(place)):
            return False
        if words.keys[place] in _TESTS:
            return True
        if words.keys[place] not in _LINKS:
            return False
        place -= 1
    return False
