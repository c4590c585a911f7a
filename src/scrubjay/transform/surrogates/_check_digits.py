"""Schemes of numbers with check digits: told by a valid number, and made valid in a new one.

Each scheme sees the letters and digits alone, in upper case. A number that is valid by a scheme
by chance gets a surrogate that is valid too, which does no harm.

    IBAN, VIN, DEA and NPI numbers (USA), SIN (Canada), NHS number (United Kingdom), DNI, NIE and
    social security number (Spain), BSN (Netherlands), national number (Belgium), RUT (Chile),
    and any number of 13 to 19 digits by Luhn: payment cards, IMEI.

NIE and CURP (Mexico) are told by their form, too, in Spanish notes (`nie_like`, `curp_like`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789", strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)

_NIE = re.compile(r"[XYZ][0-9]{7}[A-Z]")
_CURP = re.compile(r"[A-Z]{4}[0-9]{6}[HMX][A-Z]{5}[A-Z0-9][0-9]")
_CURP_VALUES = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
_MEXICO = (
    "AS", "BC", "BS", "CC", "CL", "CM", "CS", "CH", "DF", "DG", "GT", "GR", "HG", "JC", "MC", "MN",
    "MS", "NT", "NL", "OC", "PL", "QT", "QR", "SP", "SL", "SR", "TC", "TS", "TL", "VZ", "YN", "ZS",
    "NE",
)  # fmt: skip
_CONSONANTS = str.maketrans("AEIOU", "BFJPV")
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Scheme:
    """`form` is what its numbers look like, `repair` makes one valid, or gives None where it
    cannot; `kept` is the count of leading characters that a surrogate keeps (a country)."""

    name: str
    form: re.Pattern[str]
    repair: Callable[[str], str | None]
    kept: int = 0

    def holds(self, code: str) -> bool:
        """Tell whether a number is valid by the scheme."""
        return self.form.fullmatch(code) is not None and self.repair(code) == code


def luhn_digit(digits: str) -> str:
    """Return the digit that makes a row of digits valid by Luhn when it follows them."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 - place % 2)
        total += value - 9 * (value > 9)
    return str(-total % 10)


def _luhn(code: str) -> str:
    return code[:-1] + luhn_digit(code[:-1])


def _npi(code: str) -> str:
    code = ("1" if code[0] not in "12" else code[0]) + code[1:]
    return code[:-1] + luhn_digit("80840" + code[:-1])


def _weighted(digits: str, weights: range) -> int:
    return sum(int(d) * w for d, w in zip(digits, weights, strict=True))


def _bsn(code: str) -> str | None:
    check = _weighted(code[:8], range(9, 1, -1)) % 11
    return None if check == 10 else code[:8] + str(check)


def _nhs(code: str) -> str | None:
    check = -_weighted(code[:9], range(10, 1, -1)) % 11
    return None if check == 10 else code[:9] + str(check)


def _iban(code: str) -> str:
    digits = "".join(str(int(c, 36)) for c in code[4:] + code[:2] + "00")
    return f"{code[:2]}{98 - int(digits) % 97:02d}{code[4:]}"


def _vin(code: str) -> str:
    code = code.translate({ord("I"): "J", ord("O"): "P", ord("Q"): "R"})
    values = (int(_VIN_VALUES.get(c, c)) for c in code)
    check = sum(v * w for v, w in zip(values, _VIN_WEIGHTS, strict=True)) % 11
    return code[:8] + ("X" if check == 10 else str(check)) + code[9:]


def _dea(code: str) -> str:
    digits = [int(d) for d in code[2:8]]
    total = sum(digits[0::2]) + 2 * sum(digits[1::2])
    return code[:8] + str(total % 10)


def _dni(code: str) -> str:
    return code[:8] + _DNI[int(code[:8]) % 23]


def _nie(code: str) -> str:
    return code[:8] + _DNI[int(str("XYZ".index(code[0])) + code[1:8]) % 23]


def nie_like(old: str, drawn: str) -> str | None:
    """Return characters drawn for a number in the form of a NIE as one, with its first letter.

    None where the old one is in another form; it may have another check letter than it should.
    """
    return _nie(old[0] + drawn[1:]) if _NIE.fullmatch(old) else None


def curp_like(old: str, drawn: str) -> str | None:
    """Return characters drawn for a Mexican CURP as one: its sex, a date and a state that can be.

    None where the old one is in another form.
    """
    if not _CURP.fullmatch(old):
        return None
    month, day = int(drawn[6:8]) % 12 + 1, int(drawn[8:10]) % 28 + 1
    state = _MEXICO[sum(map(ord, drawn[11:13])) % len(_MEXICO)]
    middle = drawn[13:16].translate(_CONSONANTS)
    vowel = "AEIOU"[ord(drawn[1]) % 5]
    start = f"{drawn[0]}{vowel}{drawn[2:6]}{month:02d}{day:02d}"
    code = f"{start}{old[10]}{state}{middle}{drawn[16]}"
    return code + curp_check(code)


def curp_check(code: str) -> str:
    """Return the digit that ends a Mexican CURP of these 17 characters."""
    values = (_CURP_VALUES.index(c) for c in code)
    return str(-sum(value * (18 - place) for place, value in enumerate(values)) % 10)


def _nuss(code: str) -> str:
    province = int(code[:2]) % 53 or 28
    number = int(code[2:10])
    base = number + province * 10**7 if number < 10**7 else int(f"{province:02d}{code[2:10]}")
    return f"{province:02d}{code[2:10]}{base % 97:02d}"


def _insz(code: str) -> str:
    month, day = int(code[2:4]), int(code[4:6])
    month = month if 1 <= month <= 12 else month % 12 + 1
    day = day if 1 <= day <= _DAYS[month - 1] else day % 28 + 1
    body = f"{code[:2]}{month:02d}{day:02d}{code[6:9]}"
    return f"{body}{97 - int(body) % 97:02d}"


def _rut(code: str) -> str:
    body = code[:-1]
    total = sum(int(d) * (2 + place % 6) for place, d in enumerate(reversed(body)))
    return body + "0123456789K0"[11 - total % 11]


SCHEMES = (
    Scheme("iban", re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}"), _iban, kept=2),
    Scheme("vin", re.compile(r"[A-Z0-9]{17}"), _vin),
    Scheme("dea", re.compile(r"[A-Z]{2}[0-9]{7}"), _dea),
    Scheme("dni", re.compile(r"[0-9]{8}[A-Z]"), _dni),
    Scheme("nie", _NIE, _nie, kept=1),
    Scheme("bsn", re.compile(r"[0-9]{9}"), _bsn),
    Scheme("sin", re.compile(r"[0-9]{9}"), _luhn),
    Scheme("nhs", re.compile(r"[0-9]{10}"), _nhs),
    Scheme("npi", re.compile(r"[0-9]{10}"), _npi),
    Scheme("insz", re.compile(r"[0-9]{11}"), _insz),
    Scheme("nuss", re.compile(r"[0-9]{12}"), _nuss),
    Scheme("luhn", re.compile(r"[0-9]{13,19}"), _luhn),
    Scheme("rut", re.compile(r"[0-9]{7,8}[0-9K]"), _rut),
)
"""All schemes; of those by which a number is valid, the first counts."""


_LETTERS = re.compile("[A-Z]")
"""What the forms of all schemes have whose numbers may hold letters."""


def find_scheme(code: str) -> Scheme | None:
    """Return the first scheme by which a number (letters and digits, upper case) is valid."""
    if not code.isascii() or not 8 <= len(code) <= 34:
        return None
    return next((each for each in _likely(len(code), code.isdigit()) if each.holds(code)), None)


@cache
def _likely(size: int, digits: bool) -> tuple[Scheme, ...]:
    """Return the schemes that numbers of a size may be of, those of digits alone or all others."""
    if digits:
        return tuple([each for each in SCHEMES if each.form.fullmatch("0" * size)])
    return tuple([each for each in SCHEMES if _LETTERS.search(each.form.pattern)])
