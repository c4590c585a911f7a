"""Ages as notes write them: numbers, words, decades."""

from __future__ import annotations

from random import Random

from scrubjay.text.numerals import numerals


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
    if language == "es":
        return str(tens)
    word = numerals(language)[min(tens, 90)]
    if language == "nl":
        return rng.choice((str(tens), word))
    return rng.choice((f"{tens}s", f"{tens}s", f"{tens}'s", f"{word[:-1]}ies"))


def _word(age: int, language: str) -> str:
    """Return an age in words, in Spanish as it stands before "años"."""
    word = numerals(language)[age].replace(" and ", " ")
    if language == "es" and word.endswith("uno"):
        return "veintiún" if age == 21 else word[:-1]
    return word
