"""Places end where a sentence ends: "lives on Alder St. Denies plan" holds no "Denies" (English).

The full stop of an abbreviation hides the end of a sentence, and what begins the next one with a
capital looks like a further word of the street: "Main St. Unresponsive", as in "St. Denis Ave". A
closed list of words that begin sentences of notes and no name of a place tells them apart; all else
that was covered stays so ("Ave. B", "St. Apt 4", "Rd. East", "Co. Sheriff"). Behind "44 Pine Dr."
such a word alone is no doctor either.
"""

from __future__ import annotations

import re
from dataclasses import replace

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, look_up

PLACES = frozenset({"STREET", "HOSPITAL", "ORGANIZATION", "CITY", "LOCATION-OTHER", "STATE"})
"""Labels of what is cut short."""
STAFF = frozenset({"DOCTOR", "PATIENT"})
"""Those of what may stand behind a drive."""

# Verbs, and what tells of somebody or something, at the beginning of a sentence.
_VERBS = """
    accompanied acknowledges admits admitted agrees ambulated ambulates appears arrived asked
    asks awakened awakens awoke becomes began believes called came cannot complained complains
    continues cooks could declined declines denied denies described describes desires did
    discharged does doesn't drives endorsed endorses enjoys exhibits expressed expresses feels
    fell found gets got had has hasn't hates hears helps intubated is isn't keeps lacks lifts
    likes lived lives looks manages misses moved needs noted noticed occasionally owns plans
    presented presents quit reported reports requested requests requires resides resuscitated
    retired returned saw says seems seen shares showers sleeps slept smoked smokes snores snorts
    speaks started stated states stays stopped struggles suffered suffers takes tells thinks
    tolerated tolerates took transferred transported tried tries used uses vapes verbalized
    verbalizes visits volunteers vomited walked walks wants was wasn't wears weighs went wishes
    worries
"""
_OTHERS = """
    able afebrile alert allergic although anxious aox3 asymptomatic because bedbound bilateral
    chronically claims currently daily deceased despite diabetic disheveled divorced due during
    employed extubated febrile fully generally he her here his history however hx hypertensive
    hypotensive hypoxic immunizations immunized incontinent independent independently initially
    intermittently it its likely limited married mechanical medications meds mostly mother's neg
    negative never no non-smoker nonsmoker not nothing now occasional often oriented otherwise
    patient patient's possibly previously pt recently regular remains restrained she since sober
    somewhat stable states still tearful they this today tonight unable unchanged unconscious
    uncooperative unemployed unremarkable unresponsive unrestrained unsteady unvaccinated
    up-to-date usually vaccinated vitals wheelchair-bound when while widowed wife with without
    yesterday
"""
_BOTH = frozenset((_VERBS + _OTHERS).split())
_BUSINESS = frozenset(["stable", "daily", "sober", "its", "here", "now", "today", "regular"])
"""Words that names of firms and houses have, too: "Oak St. Stable", "Elm St. Sober house"."""
_NEVER_DRIVE = frozenset(["no", "able", "noted", "stated"])
_STOP = re.compile(r"(?<=[^\W_])\.[ ]+(?P<word>[^\W\d_][\w'’-]*)")
_NUMBERED = re.compile(r"[ ]?[.#\d]|[ ]*\Z")
_WORDS = re.compile(r"[\w'’-]+")
_DRIVE = re.compile(
    r"(?<![\w-])\d{1,5}[ ](?:[NSEW]\.?[ ])?[^\W\d_]+(?:[ ][^\W\d_]+)?[ ]Dr\.[ ]{1,2}\Z",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[ ](?![A-Z])[^\W\d_]")
_AROUND = 40


def may_run_over(mention: str, label: str) -> bool:
    """Tell whether a mention may hold the beginning of the next sentence, wherever it stands."""
    if label in PLACES:
        return ". " in mention and _begins(mention) is not None
    return mention.lower() in _BOTH and mention.lower() not in _NEVER_DRIVE


def cut_sentence(text: str, span: Span) -> Span | None:
    """Return a place without the beginning of the next sentence, and no doctor behind a drive."""
    if span.label in STAFF:
        is_road = _DRIVE.search(text, max(0, span.start - _AROUND), span.start)
        return None if is_road and _SENTENCE.match(text, span.end) else span
    stop = _begins(text[span.start : span.end])
    return span if stop is None else replace(span, end=span.start + stop)


def _begins(mention: str) -> int | None:
    """Return where the full stop is that ends a sentence within a mention."""
    for stop in _STOP.finditer(mention):
        word, rest = stop["word"], mention[stop.end() :]
        key = word.lower().replace("’", "'")
        if key not in _BOTH or key in _BUSINESS or (key == "no" and _NUMBERED.match(rest)):
            continue
        if all(_is_everyday(each) for each in _WORDS.findall(rest)):
            return stop.start()
    return None


def _is_everyday(word: str) -> bool:
    return word.islower() and look_up(find_lexicon("en.common"), word) is not None
