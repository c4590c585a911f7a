"""Years of two digits behind what was done or had: "PCI 15, lami 03", "C-section x2 (01, 04)".

A tagger takes them for a size, a level or a count. Behind an operation, a device or an event that
has none of those, where nothing goes on, they are years; those with a zero are so behind more
words, and so are all in a list with another one. What a relative had is left: "dad MI 54" tells an
age (English).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scrubjay.document import Span
from scrubjay.taggers._mending.people.uncovered import Found, put_uncovered

SOURCE, LABEL = "event-year", "DATE"

_KIN_AROUND, _NEAR, _LONGEST = 48, 48, 20
"""Characters before an event in which a relative stands, between two years of a list, and of an
event."""

_LATEST, _EARLIEST = 29, 70
"""Years of this century up to the first, and of the one before from the second on."""

_MOST_SITES = 2
"""Words between an event and its year."""

# Operations, which have neither a size nor a count without a unit.
_DONE = frozenset([
    "pci", "ptca", "cabg", "tkr", "tka", "thr", "tha", "tah", "bso", "hyst", "hysterectomy",
    "appy", "appendectomy", "chole", "ccy", "cholecystectomy", "lami", "laminectomy",
    "discectomy", "acdf", "orif", "evar", "turp", "bka", "aka", "tma", "mastectomy", "lumpectomy",
    "tubal", "btl", "rygb", "nephrectomy", "colectomy", "prostatectomy", "rrp", "thyroidectomy",
    "vasectomy", "tonsillectomy", "splenectomy", "craniotomy", "ltcs", "nsvd", "svd", "c-section",
    "csection", "herniorrhaphy", "bunionectomy", "cystectomy", "hemicolectomy", "sigmoidectomy",
    "vhr", "ihr", "meniscectomy",
])  # fmt: skip
# Events and devices, of which a later number may be an age or a rate.
_HAD = frozenset([
    "mi", "nstemi", "stemi", "cva", "tia", "dvt", "pe", "stroke", "ppm", "aicd", "pacer", "afib",
    "colo", "colonoscopy",
])  # fmt: skip
# Words behind which a number with a zero alone is a year.
_ANY = frozenset([
    "dx", "dx'd", "mets", "since", "quit", "removed", "stent", "stents", "cea", "aaa", "avr",
    "mvr", "tavr", "icd", "egd", "fusion", "ablation", "cath", "hernia", "cataract", "cataracts",
    "tvt", "sling", "ppd", "bcg", "mammo", "pap", "dexa", "recurred", "revised", "redo",
    "lobectomy", "transplant", "xrt", "chemo", "sz", "gib", "sbo", "band", "filter", "change",
    "rej", "rejection", "scs", "cuff", "repair", "rpr", "tx", "txp",
])  # fmt: skip
# What a year of the last century stands behind, too.
_LONG_AGO = frozenset([
    "since", "quit", "mva", "mvc", "gsw", "married", "divorced", "widowed", "retired",
])  # fmt: skip
_SIZED = frozenset(["avr", "mvr", "tavr", "icd"])
"""Those of them that have a size or a version, in a list, too."""
EVENTS = _DONE | _HAD | _ANY | _LONG_AGO
SITES = frozenset([
    "r", "l", "b", "bl", "ou", "od", "os", "lad", "lcx", "rca", "om", "om1", "d1", "lle", "rle",
    "rue", "lue", "hip", "knee", "ankle", "neg", "pos", "wnl", "des", "bms", "x1", "x2", "x3",
    "x4", "x5", "abd", "smoking", "tob", "cigs", "etoh",
])  # fmt: skip
_YEAR = re.compile(r"[ (](?P<year>[0-9]{2})")
_MORE = re.compile(r"(?:,[ ]?|[ ]?[&+;][ ]?|[ ]and[ ])['’]?(?P<year>[0-9]{2})")
_END = re.compile(
    r"\)?(?:[,;](?![0-9])|\.(?![0-9])|[ \t]*(?:[\r\n]|\Z)|[ ]?[&+](?![0-9])|"
    r"[ ](?:and|w/|c/b|s/p|by|neg|nl|wnl|benign|patent)(?!\w))"
)
_KIN = re.compile(
    r"(?<!\w)(?:FH|FHx|fam(?:ily)?|m[ou]m?|mother|da|dad|fa|father|bro(?:ther)?|sis(?:ter)?|"
    r"siblings?|sibs?|uncle|aunt|[pm]g[mf]|son|dtr|daughter|grand\w+|wife|husband|parents?|F|M|"
    r"died)(?!\w)[^;.\n]*\Z",
    re.IGNORECASE,
)


def add_event_years(
    text: str, spans: Sequence[Span], places: Iterable[int] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text with years of two digits behind events, where nothing is found.

    The blank or bracket before a number stands at one of the `places`, sorted; None is all. Spans
    are sorted and disjoint, and stay so.
    """
    found: list[Found] = []
    for place in range(len(text)) if places is None else places:
        last = found[-1][1] if found else -1
        in_list = last >= 0 and place - last < _NEAR and "\n" not in text[last:place]
        found += _find(text, place, in_list=in_list)
    if not found:
        return tuple(spans)
    rows = list(spans)
    put_uncovered(rows, found, SOURCE)
    return tuple(rows)


def _find(text: str, place: int, *, in_list: bool) -> list[Found]:
    """Return the years of which the first stands behind a blank or a bracket at a place."""
    end = place - 1 if text.startswith(" (", place - 1) and place else place
    start, event = _event_before(text, end)
    if not event or (first := _YEAR.match(text, place)) is None:
        return []
    years = [first]
    while more := _MORE.match(text, years[-1].end()):
        years.append(more)
    while years and not _END.match(text, years[-1].end()):
        years.pop()
    if not years or not all(
        _is_year(event, year["year"], in_list=in_list or number > 0)
        for number, year in enumerate(years)
    ):
        return []
    if _KIN.search(text, max(0, start - _KIN_AROUND), start):
        return []
    return [(*year.span("year"), LABEL) for year in years]


def _event_before(text: str, end: int) -> tuple[int, str]:
    """Return where the event before a place begins, and the event, "" for none."""
    event = ""
    for _ in range(_MOST_SITES + 1):
        begin, floor = end, max(0, end - _LONGEST)
        while begin > floor and (text[begin - 1].isalnum() or text[begin - 1] in "-'’"):
            begin -= 1
        word = text[begin:end].lower()
        if word in EVENTS:
            event, start = word, begin
        if word not in SITES or text[begin - 1 : begin] != " ":
            break
        end = begin - 1
    return (start, event) if event else (0, "")


def _is_year(event: str, year: str, *, in_list: bool) -> bool:
    """Tell whether a number behind an event is a year."""
    number = int(year)
    if event in _DONE or (event in _LONG_AGO and number >= _EARLIEST):
        return number <= _LATEST or number >= _EARLIEST
    if event in _HAD or (in_list and event not in _SIZED):
        return number <= _LATEST
    return year[0] == "0" and not (event == "icd" and year == "09")
