"""Ages as notes write them: numbers, words, decades."""

from __future__ import annotations

from random import Random

_ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ONES_NL = [
    "nul", "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien",
    "elf", "twaalf", "dertien", "veertien", "vijftien", "zestien", "zeventien", "achttien",
    "negentien",
]  # fmt: skip
_TENS_NL = ["twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig"]
_ONES_ES = [
    "cero", "un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez",
    "once", "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho",
    "diecinueve", "veinte", "veintiún", "veintidós", "veintitrés", "veinticuatro",
    "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve",
]  # fmt: skip
_TENS_ES = ["treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"]


def write_age(age: int, form: str, language: str, rng: Random) -> str:
    """Return an age in a form; the one without a name is the number."""
    if form == "word":
        return _word(age, language)
    if form == "decade":
        return _decade(age, language, rng)
    if form in ("years", "jaar"):
        return _with_unit(age, language, rng)
    if form == "months":
        return str(rng.randint(1, 23))
    return str(age)


def near_age(age: int, rng: Random) -> int:
    """Return an age of the same time of life: a year or so off for a child, some for others."""
    if age < 3:
        return age
    spread = 1 if age < 18 else 4
    low, high = (2, 17) if age < 18 else (18, 89) if age < 90 else (90, 104)
    return min(high, max(low, age + rng.randint(-spread, spread)))


def _with_unit(age: int, language: str, rng: Random) -> str:
    if language == "es":
        return f"{age} {'año' if age == 1 else 'años'}"
    if language == "nl":
        unit = rng.choice((" jaar", " jaar", " jaar", " jaar", " jr", "jr", " jr.", "j"))
        return f"{age}{unit}"
    return f"{age} years"


def _decade(age: int, language: str, rng: Random) -> str:
    tens = max(2, age // 10) * 10
    if language == "nl":
        return rng.choice((str(tens), f"{_TENS_NL[min(tens // 10, 9) - 2]}"))
    if language == "es":
        return str(tens)
    word = _TENS[min(tens // 10, 9) - 2]
    plural = f"{word[:-1]}ies"
    return rng.choice((f"{tens}s", f"{tens}s", f"{tens}'s", plural))


def _word(age: int, language: str) -> str:
    if language == "nl":
        if age < 20:
            return _ONES_NL[age]
        if age > 99:
            return f"honderd{_ONES_NL[age - 100] if age > 100 else ''}"
        ones = _ONES_NL[age % 10]
        join = "ën" if ones.endswith("e") else "en"
        tens = _TENS_NL[age // 10 - 2]
        return f"{ones}{join}{tens}" if age % 10 else tens
    if language == "es":
        if age < 30:
            return _ONES_ES[age]
        if age > 99:
            return "cien" if age == 100 else f"ciento {_ONES_ES[age - 100]}"
        tens = _TENS_ES[age // 10 - 3]
        return f"{tens} y {_ONES_ES[age % 10]}" if age % 10 else tens
    if age < 20:
        return _ONES[age]
    if age > 99:
        return "one hundred" if age == 100 else f"one hundred {_ONES[age - 100]}"
    tens = _TENS[age // 10 - 2]
    return f"{tens}-{_ONES[age % 10]}" if age % 10 else tens
