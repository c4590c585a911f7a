"""What notes tell beside PHI: times, drugs, vital signs, terms; and the initials of a name."""

from __future__ import annotations

from random import Random

from scrubjay.synthesis.pools import title
from scrubjay.synthesis.sources import Sources
from scrubjay.synthesis.wording import write_drug

_CLINICAL = {"dose": "doses", "lab": "labs", "diagnosis": "diagnoses", "procedure": "procedures"}
_MINOR = frozenset([
    "of", "and", "the", "for", "at", "in", "on", "van", "de", "der", "den", "het", "en", "del",
    "la", "las", "los", "y",
])  # fmt: skip


def plain_value(name: str, form: str, sources: Sources, rng: Random, *, time_style: int) -> str:
    """Return what a slot that is no PHI becomes; times of a note are of one style (0 to 5)."""
    language = sources.language.name
    if name == "n":
        return str(rng.randint(13, 300) if form else rng.randint(1, 12))
    if name == "time":
        return _time(time_style, rng, language)
    if name == "drug":
        if rng.random() < 0.5:
            return sources.clinical["drugs"].draw(rng)
        drug = write_drug(sources.drugs.draw(rng), language)
        return drug if rng.random() < 0.6 else drug.capitalize()
    if name == "eponym":
        return sources.eponyms.draw(rng)
    if name == "term":
        return _cased(sources.terms[form or rng.choice(sorted(sources.terms))].draw(rng), rng)
    if name in _CLINICAL:
        return sources.clinical[_CLINICAL[name]].draw(rng)
    return _vital(name, rng, language)


def _time(style: int, rng: Random, language: str) -> str:
    hour, minute = int(rng.random() * 24), int(rng.random() * 60)
    if not 7 <= hour < 20 and rng.random() < 0.6:  # most of what has a time happens by day
        hour = 8 + hour % 11
    if rng.random() < 0.4:
        minute = minute // 15 * 15
    if language == "nl":
        return (
            f"{hour:02d}:{minute:02d}", f"{hour:02d}.{minute:02d}", f"{hour}.{minute:02d} uur",
            f"{hour}:{minute:02d}u", f"{hour:02d}:{minute:02d}", f"{hour}.{minute:02d}u",
        )[style]  # fmt: skip
    if language == "es":
        return (
            f"{hour:02d}:{minute:02d}", f"{hour}:{minute:02d} h", f"{hour}:{minute:02d}",
            f"{hour:02d}:{minute:02d} horas", f"{hour:02d}:{minute:02d}h",
            f"{hour}.{minute:02d}",
        )[style]  # fmt: skip
    half = "AM" if hour < 12 else "PM"
    twelve = hour % 12 or 12
    return (
        f"{hour:02d}:{minute:02d}", f"{hour:02d}{minute:02d}", f"{twelve}:{minute:02d} {half}",
        f"{twelve}:{minute:02d}{half.lower()}", f"{hour:02d}:{minute:02d}",
        f"{twelve}:{minute:02d} {half.lower()}",
    )[style]  # fmt: skip


def _cased(term: str, rng: Random) -> str:
    """Return a term, which lists hold in lower case, as notes write it."""
    roll = rng.random()
    if roll < 0.35:
        return term
    if roll < 0.65:
        return term[:1].upper() + term[1:]
    return term.upper() if roll < 0.82 else title(term)


def _vital(name: str, rng: Random, language: str) -> str:
    if name == "bp":
        return f"{rng.randint(84, 198)}/{rng.randint(42, 112)}"
    if name == "hr":
        return str(rng.randint(44, 138))
    if name == "spo2":
        return str(rng.randint(84, 100))
    point = "." if language == "en" else ","
    if name == "temp":
        if language == "en" and rng.random() < 0.6:
            return f"{rng.randint(96, 103)}.{rng.randint(0, 9)}"
        return f"{rng.randint(35, 40)}{point}{rng.randint(0, 9)}"
    if language == "en" and rng.random() < 0.5:
        return f"{rng.randint(95, 310)} lb"
    return f"{rng.randint(42, 140)}{point}{rng.randint(0, 9)} kg"


def abbreviation(name: str) -> str:
    """Return the initials of a name: "Cedar Hollow Medical Center" -> "CHMC"."""
    if " " not in name and len(name) < 7 and name.isupper():
        return name
    words = [word for word in name.replace("-", " ").replace(".", "").split()
             if word.lower() not in _MINOR and word[0].isalpha()]  # fmt: skip
    letters = "".join(word if word.isupper() and len(word) < 5 else word[0] for word in words)
    if len(letters) > 1:
        return letters.upper()
    return "".join(c for c in name if c.isalnum())[:3].upper()
