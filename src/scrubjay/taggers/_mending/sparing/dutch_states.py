"""What somebody is otherwise is no trade: "weduwe", "statushouder", "dhr is afebriel" (Dutch).

A family state, a hand, a state of health or mind and what somebody is to another stand where an
occupation does. A "vertegenwoordiger" decides for a patient, unless something tells of a trade:
goods behind the word ("in zonwering"), a time or work before it ("was", "beroep").
"""

from __future__ import annotations

import re

from scrubjay.document import Span

PROFESSIONS = frozenset({"PROFESSION"})

_STATES = frozenset([
    "weduwe", "weduwnaar", "gehuwd", "getrouwd", "gescheiden", "alleenstaand", "alleenstaande",
    "samenwonend", "vrijgezel", "statushouder", "asielzoeker", "vluchteling", "linkshandig",
    "rechtshandig", "gepensioneerd", "werkloos", "werkzoekend", "arbeidsongeschikt", "dakloos",
    "dakloze", "huisbaas", "buurvrouw", "buurman", "bovenbuurvrouw", "bovenbuurman",
    "onderbuurvrouw", "onderbuurman", "overbuurvrouw", "overbuurman", "sleuteladres",
    "contactpersoon", "lotgenoot", "roker", "ex-roker", "niet-roker", "sikkelceldrager", "drager",
    "donor", "diabeet", "veganist", "vegetariër", "afebriel", "mager", "onzeker", "verward",
    "verrast", "rustig", "onrustig", "somber", "stabiel", "suf", "helder", "alert", "adequaat",
    "coöperatief", "misselijk", "kortademig", "incontinent", "delirant", "dement", "dementerend",
    "slechthorend", "slechtziend", "zwanger", "allergisch", "zelfstandig", "bedlegerig",
    "hulpbehoevend", "wilsbekwaam", "wilsonbekwaam", "vroeger", "daarnaast", "tussendoor",
    "onbekend", "aanwezig", "afwezig", "akkoord",
])  # fmt: skip
_DEPUTY = re.compile(r"(?:wettelijk[ ])?vertegenwoordig(?:er|ster)", re.IGNORECASE)
_IN_GOODS = re.compile(r"[ ](?:in|bij|voor|van)[ ](?:[a-z]{3,}|[A-Z])")
_AT_WORK = re.compile(
    r"(?<!\w)(?:was|werkt|werkte|werkzaam|beroep|werk|baan|loopbaan|oud|ex|destijds|vroeger|"
    r"handels)[ :-]{1,2}(?:(?:als|een|hij|zij)[ ])?\Z",
    re.IGNORECASE,
)
_BEFORE = 24


def may_be_state(mention: str) -> bool:
    """Tell whether a profession is of one such word, wherever it stands."""
    return mention.lower() in _STATES or _DEPUTY.fullmatch(mention) is not None


def is_state(text: str, span: Span) -> bool:
    """Tell whether a mention of such a word is no trade."""
    if not _DEPUTY.fullmatch(text, span.start, span.end):
        return True
    return (
        _IN_GOODS.match(text, span.end) is None
        and _AT_WORK.search(text, max(0, span.start - _BEFORE), span.start) is None
    )
