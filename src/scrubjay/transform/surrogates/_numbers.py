"""How telephone numbers are built: which digits tell the kind of line, and which the place."""

from __future__ import annotations

from collections.abc import Callable

from scrubjay.transform.surrogates._fresh import Characters

# Country codes of one and two digits; all others have three.
_LISTED_CODES = """
    1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64
    65 66 81 82 84 86 90 91 92 93 94 95 98
"""
_LISTED_AREAS = """
    10 13 15 20 23 24 26 30 33 35 36 38 40 43 45 46 50 53 55 58 70 71 72 73 74 75 76 77 78 79
"""
_SHORT_CODES, _NL_AREAS = frozenset(_LISTED_CODES.split()), frozenset(_LISTED_AREAS.split())
_NL_KEPT = ("6", "800", "900", "906", "909", "88", "85", "84", "14")
_ES_KEPT = ("800", "900", "901", "902", "905", "6", "7")
_GB_KEPT = ("800", "808", "845", "870", "3", "7")
_IE_KEPT = ("800", "818", "761")
_IE_SERVICES = ("818", "761")
"""Shared numbers of Ireland behind a 0, which are none of Britain: `0818 221 100`."""
_IE_MOBILE = ("83", "85", "86", "87", "89")
_KEPT = {
    "61": ("1300", "1800", "4", "13"),
    "64": ("800", "508", "2"),
    "91": ("1800", "6", "7", "8", "9"),
    "353": (*_IE_KEPT, "1800", "1850", "1890"),
}
_KEPT_WITHOUT_TRUNK = ("1800", "1850", "1890", "1818", "1300")
"""Free and shared numbers of Ireland and Australia: no number of ten digits in America has a 1."""

Prefix = Callable[[str, str], str | None]
"""Gives the new prefix of an area for an old one and its country, or None for none.

It is as long, but for Ireland.
"""

Irish = Callable[[str], bool]
"""Tells whether a prefix is one of Ireland."""


def new_number(
    digits: str,
    *,
    international: bool,
    language: str,
    prefix: Prefix,
    characters: Characters,
    first: int,
    irish: Irish,
) -> str:
    """Return another telephone number of as many digits, but for areas of Ireland.

    `first` is how many digits stand before the first mark; `irish` tells prefixes of Ireland.

    The code of the country stays, and digits that tell the kind of line (mobile, free). An area
    goes where `prefix` says, else to another. Numbers of the USA get an exchange that can be
    one: no 0 or 1 before, no N11.
    """
    code, trunk, national = _parts(digits, international=international)
    plan = code.removeprefix("00") or _HOME.get(language, "")
    if plan == "1" and not trunk and not code and len(national) == 11 and national[0] == "1":
        return "1" + _american(national[1:], prefix, characters)
    if plan == "1" and not code and not trunk and len(national) == 10:
        free = next((one for one in _KEPT_WITHOUT_TRUNK if national.startswith(one)), None)
        if free is not None:
            return free + characters.digit_run(national[len(free) :])
    if plan == "1" and len(national) in (7, 10) and not trunk:
        return code + _american(national, prefix, characters)
    if plan == "1" and trunk == "0":
        plan = _plan_with_trunk(national, first, irish)
    if plan == "353" and len(national) == 9 and national.startswith(_IE_MOBILE):
        return code + trunk + _IE_MOBILE[characters.below(5)] + characters.digits(7)
    kept = _kept(national, plan, trunk)
    if kept is None:
        area = _irish_area(national, irish) if plan == "353" else _area(national, plan)
        new = _new_area(
            national[:area], "" if plan in ("34", "1") and not trunk else "0", plan, prefix
        )
        if area and new:
            return code + trunk + new + characters.digit_run(national[area:])
        kept = ""
    tail = national[len(kept) :]
    return code + trunk + kept + (characters.digit_run(tail) if tail else "")


_HOME = {"en": "1", "es": "34", "nl": "31"}
_COUNTRIES = {"1": "gb", "31": "nl", "32": "be", "34": "es", "44": "gb", "61": "au", "353": "ie"}


def place_of_area(digits: str, *, international: bool) -> int:
    """Return how many digits stand before the area: of the country, and 0."""
    code, trunk, _ = _parts(digits, international=international)
    return len(code) + len(trunk)


def _parts(digits: str, *, international: bool) -> tuple[str, str, str]:
    code, rest = _country(digits) if international else ("", digits)
    trunk = rest[: len(rest) - len(rest.lstrip("0"))]
    return code, trunk, rest[len(trunk) :]


def _plan_with_trunk(national: str, first: int, irish: Irish) -> str:
    """Return the plan of a number with a 0 before it in a text that tells no country.

    Mobiles of Australia are told by their marks (`0412 345 678`) or have none; British numbers
    are longer than those of Ireland or have longer prefixes.
    """
    if len(national) == 9 and national[0] == "4" and first in (4, 10):
        return "61"
    if len(national) == 9 and national.startswith(_IE_MOBILE) and first != 2:
        return "353"
    if len(national) == 9 and national.startswith(_IE_SERVICES) and first != 2:
        return "353"
    size = _irish_area(national, irish)
    if size and first in (size + 1, len(national) + 1):
        return "353"
    return "1"


def _irish_area(national: str, irish: Irish) -> int:
    """Return how many digits tell the area of a number of Ireland, 0 where it has none."""
    if national.startswith("1"):
        return 1 if len(national) == 8 else 0
    sizes = (3, 2) if 7 <= len(national) <= 9 else ()
    return next((size for size in sizes if irish("0" + national[:size])), 0)


def _new_area(old: str, trunk: str, plan: str, prefix: Prefix) -> str:
    """Return the new digits of an area, without the trunk prefix that its table has."""
    country = _COUNTRIES.get(plan, "")
    new = prefix(trunk + old, country) if old and country else None
    return new[len(trunk) :] if new else ""


def _country(digits: str) -> tuple[str, str]:
    start = 2 if digits.startswith("00") else 0
    for size in (1, 2):
        if digits[start : start + size] in _SHORT_CODES:
            return digits[: start + size], digits[start + size :]
    return digits[: start + 3], digits[start + 3 :]


def _kept(national: str, plan: str, trunk: str) -> str | None:
    """Return the leading digits that tell the kind of line, or None for a line of a place."""
    if plan == "31":
        options: tuple[str, ...] = _NL_KEPT if len(national) >= 8 else ()
    elif plan == "34":
        options = _ES_KEPT if len(national) == 9 else ()
    elif plan == "44" or (plan == "1" and trunk):
        options = _GB_KEPT
    elif plan in _KEPT:
        options = _KEPT[plan]
    else:
        return ""
    return next((one for one in options if national.startswith(one)), None)


def _area(national: str, plan: str) -> int:
    """Return how many digits tell the place of a line, 0 where that is not known."""
    if plan == "31" and len(national) == 9:
        return 2 if national[:2] in _NL_AREAS else 3
    if plan == "34" and len(national) == 9:
        return 2 if national[:2] in ("91", "93", "94", "96") else 3
    if plan in ("44", "1") and len(national) in (9, 10):
        return 2 if national[0] == "2" else 3
    return 0


def _american(number: str, prefix: Prefix, characters: Characters) -> str:
    area = ""
    if len(number) == 10:
        free = number[:3] in ("800", "833", "844", "855", "866", "877", "888")
        area = number[:3] if free else prefix(number[:3], "us") or ""
        if not area:
            area = f"{2 + characters.below(8)}{characters.below(9)}{2 + characters.below(8)}"
    exchange = f"{2 + characters.below(8)}{characters.below(10)}{2 + characters.below(8)}"
    return area + exchange + characters.digits(4)
