"""How telephone numbers are built: which digits tell the kind of line, and which the place."""

from __future__ import annotations

from collections.abc import Callable

from scrubjay.transform.surrogates._fresh import Characters

# Country codes of one and two digits; all others have three.
_SHORT_CODES = frozenset(
    str(code)
    for code in (
        1,
        7,
        20,
        27,
        *range(30, 35),
        36,
        39,
        40,
        41,
        *range(43, 50),
        *range(51, 59),
        *range(60, 67),
        81,
        82,
        84,
        86,
        *range(90, 96),
        98,
    )
)
_NL_AREAS = frozenset(
    str(area)
    for area in (
        10,
        13,
        15,
        20,
        23,
        24,
        26,
        30,
        33,
        35,
        36,
        38,
        40,
        43,
        45,
        46,
        50,
        53,
        55,
        58,
        *range(70, 80),
    )
)
_NL_KEPT = ("6", "800", "900", "906", "909", "88", "85", "84", "14")
_ES_KEPT = ("800", "900", "901", "902", "905", "6", "7")
_GB_KEPT = ("800", "808", "845", "870", "3", "7")

Prefix = Callable[[str, str], str | None]
"""Gives the new prefix of an area for an old one and its country, as long, or None for none."""


def new_number(
    digits: str, *, international: bool, language: str, prefix: Prefix, characters: Characters
) -> str:
    """Return another telephone number of as many digits.

    The code of the country stays, and digits that tell the kind of line (mobile, free). An area
    goes where `prefix` says, else to another. Numbers of the USA get an exchange that can be
    one: no 0 or 1 before, no N11.
    """
    code, rest = _country(digits) if international else ("", digits)
    trunk = rest[: len(rest) - len(rest.lstrip("0"))]
    national = rest[len(trunk) :]
    plan = code or _HOME.get(language, "")
    if plan == "1" and not trunk and not code and len(national) == 11 and national[0] == "1":
        return "1" + _american(national[1:], prefix, characters)
    if plan == "1" and len(national) in (7, 10) and not trunk:
        return code + _american(national, prefix, characters)
    kept = _kept(national, plan, trunk)
    if kept is None:
        area = _area(national, plan)
        new = _new_area(
            national[:area], "" if plan in ("34", "1") and not trunk else "0", plan, prefix
        )
        if area and new:
            return code + trunk + new + characters.digit_run(national[area:])
        kept = ""
    tail = national[len(kept) :]
    return code + trunk + kept + (characters.digit_run(tail) if tail else "")


_HOME = {"en": "1", "es": "34", "nl": "31"}
_COUNTRIES = {"1": "gb", "31": "nl", "32": "be", "34": "es", "44": "gb", "61": "au"}


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
