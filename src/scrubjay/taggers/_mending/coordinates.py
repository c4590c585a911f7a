"""Places by their coordinates: "44.9778, -93.2650", "GPS 44.98, -93.27", "Lat 51.5007 N".

A tagger takes them for values, or for a part of an address. Two numbers of four decimals and more
that may be a latitude and a longitude are a place; behind a key they need two decimals, and one
number is enough behind "Lat" or with its hemisphere. What has a unit behind it is none.
"""

from __future__ import annotations

import re

from scrubjay.document import Span
from scrubjay.taggers._mending.uncovered import put_joined, touched_by

SOURCE = "coordinates"
LABELS = {"en": "LOCATION-OTHER", "nl": "ADDRESS", "es": "TERRITORIO"}
"""The label of a place, by language."""

_LATITUDE = "lat(?:itude|itud)?|breedtegraad"
_LONGITUDE = "lon(?:g|gitude|gitud)?|lng|lengtegraad"
_KEY = (
    r"(?<![^\W_])(?:gps|geo|wgs[ ]?84|coords?|coordinates?|co[oö]rdina(?:at|ten)|coordenadas?|"
    rf"{_LATITUDE}|{_LONGITUDE})(?![^\W_])[ .:=(]{{0,4}}"
    r"(?:(?:is|are|location|coord(?:inate|enada)?s?|co[oö]rdina(?:at|ten)|locatie)[ .:=(]{1,3})?"
)
_APART = rf"(?:[ ]?[,;/|][ ]?|[ ]{{1,3}})(?:(?:{_LONGITUDE})[ .:=]{{1,3}})?"


def _number(decimals: int, name: str, hemisphere: str) -> str:
    """Return the pattern of a number, with a group for it, and of its hemisphere."""
    return (
        rf"(?P<{name}>[-+−]?\d{{1,3}}[.,]\d{{{decimals},9}})(?!\d)"
        rf"(?:[ ]?°(?:[ ]?(?-i:[{hemisphere}])(?!\w))?|[ ]?(?-i:[{hemisphere}])(?!\w))?"
    )


_NO_UNIT = (
    r"(?![.,]?\d|[ ]?[%/]|[ ]?(?:[mµunk]?(?:g|l|mol|u|iu|sv|gy)|mcg|[cmµ]?m|mmhg|kcal|ie|ui|sec|"
    r"min|s)(?![^\W_]))"
)
_PLACE = re.compile(
    rf"(?<![\w.,/+−-])(?P<pair>{_number(4, 'lat', 'NSZ')}{_APART}"
    rf"{_number(4, 'lon', 'EWO')}){_NO_UNIT}|"
    rf"{_KEY}(?P<keyed>{_number(2, 'first', 'NSZEWO')}"
    rf"(?:{_APART}{_number(2, 'second', 'EWO')})?){_NO_UNIT}",
    re.IGNORECASE,
)
_DECIMALS = re.compile(r"\d[.,]\d\d(\d\d)?")
_NEAR = re.compile(rf"gps|geo|wgs|co[oö]r|{_LATITUDE}|{_LONGITUDE}", re.IGNORECASE)
HEADS = ("gps", "geo", "wgs", "coo", "coö", "lat", "lon", "lng", "len", "bre")
"""The first letters of all keys."""
FARTHEST = 60
"""Characters of a key, of what stands behind it, and of a number up to its decimals."""

_MOST_NORTH, _MOST_EAST, _EXACT = 90, 180, 4


def add_coordinates(text: str, spans: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    """Return the spans of a text with the places that coordinates tell.

    What was found within becomes one with them. `spans` are sorted and disjoint, and so are those
    that are returned.
    """
    if not _may_hold(text):
        return spans
    rows = list(spans)
    for found in _PLACE.finditer(text):
        start, end = found.span("pair" if found["pair"] else "keyed")
        held = touched_by(rows, start, end)
        if _is_place(found) and not (held and held.start <= start and end <= held.end):
            put_joined(rows, start, end, LABELS[language], SOURCE)
    return tuple(rows) if rows != list(spans) else spans


def _may_hold(text: str) -> bool:
    """Tell whether a number is exact enough, or stands near a key: most texts hold none."""
    return any(
        found[1] or _NEAR.search(text, max(0, found.start() - FARTHEST), found.start())
        for found in _DECIMALS.finditer(text)
    )


def _is_place(found: re.Match[str]) -> bool:
    """Tell whether numbers may be coordinates, and one alone is exact or has its hemisphere."""
    if found["pair"]:
        return 1 <= _size(found["lat"]) <= _MOST_NORTH and _size(found["lon"]) <= _MOST_EAST
    first = found["first"]
    if found["second"]:
        return _size(first) <= _MOST_EAST and _size(found["second"]) <= _MOST_EAST
    is_exact = len(re.split("[.,]", first)[1]) >= _EXACT
    return _size(first) <= _MOST_EAST and (is_exact or not found["keyed"][-1].isdigit())


def _size(number: str) -> float:
    return float(number.lstrip("+-−").replace(",", "."))
