"""Words of a language from those of another form: Spanish jobs by gender, drugs by language."""

from __future__ import annotations

import re

_HEAD = re.compile(r"[^\W\d_]+(?: (?!de\b|del\b|en\b|a\b|por\b)[^\W\d_]+)*")
_WOMEN = (("actor", "actriz"), ("alcalde", "alcaldesa"))
_STAY = frozenset({
    "piloto", "modelo", "soldado", "azafata", "modista", "costurera", "monja", "ama", "niñera",
    "torero", "futbolista", "pinche", "cabo", "sastre",
})  # fmt: skip
_TO_HER = re.compile(r"(?:(?<=[dtslnrc])or|(?<=[a-zñíá])o)$")
_TO_HIM = re.compile(r"(?<=er|ic|ad|id|og|ar|ri|tr|in|iv)a$|(?<=or)a$")

_DRUG_ENDS: dict[str, tuple[tuple[str, str], ...]] = {
    "es": (("ine", "ina"), ("one", "ona"), ("ide", "ida"), ("ole", "ol"), ("ate", "ato"),
           ("ase", "asa"), ("ene", "eno"), ("rin", "rina")),
    "nl": (("ole", "ol"), ("one", "on"), ("ate", "aat")),
}  # fmt: skip
_DRUG_LETTERS: dict[str, tuple[tuple[str, str], ...]] = {
    "es": (("ph", "f"), ("th", "t"), ("y", "i")),
    "nl": (),
}


def write_drug(name: str, language: str) -> str:
    """Return a drug as a language writes it: "pyridoxine" -> "piridoxina"; brands stay mostly."""
    for end, ours in _DRUG_ENDS.get(language, ()):
        if name.endswith(end) and len(name) > 5:
            for letters, sign in _DRUG_LETTERS[language]:
                name = name.replace(letters, sign)
            return name[: -len(end)] + ours
    return name


def agree(job: str, *, female: bool) -> str:
    """Return a job in the gender of who has it; words of either gender stay as they are."""
    head = _HEAD.match(job)
    if head is None:
        return job
    words = [_agreed(word, female=female) for word in head[0].split(" ")]
    return " ".join(words) + job[head.end() :]


def _agreed(word: str, *, female: bool) -> str:
    for man, woman in _WOMEN:
        if word in (man, woman):
            return woman if female else man
    if word in _STAY or len(word) < 4:
        return word
    if female:
        return _TO_HER.sub(lambda match: "ora" if match[0] == "or" else "a", word)
    return _TO_HIM.sub("", word) if word.endswith("ora") else _TO_HIM.sub("o", word)
