"""Surrogates of hospitals, organizations and professions.

"Elyria Memorial Hospital" becomes "Cedar Ridge Memorial Hospital", and its short form "EMH" in the
same document "CRMH". A town in a name goes where the town itself goes. No name of a real
institution is drawn: names are made up from nature, surnames and saints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from scrubjay.caching import text_cache
from scrubjay.features.lexicons import find_lexicon
from scrubjay.transform.surrogates._articles import article_before, wants_an
from scrubjay.transform.surrogates._fresh import LONGER, Characters, Fresh, keep_ends
from scrubjay.transform.surrogates._phrase_pieces import FACILITY
from scrubjay.transform.surrogates._phrases import Phrases
from scrubjay.transform.surrogates._scene import Scene
from scrubjay.transform.surrogates._tables import find_words, language_of, unaccented_twins
from scrubjay.transform.surrogates.case import keep_spaces, restyle
from scrubjay.transform.surrogates.draw import Draw, fold

if TYPE_CHECKING:
    from scrubjay.transform.operators import Record
    from scrubjay.transform.surrogates.maker import Maker

_INITIAL = re.compile(r"(?<![^\W_'’])[^\W\d_]")
_ACRONYM = re.compile(r"[A-Z]{2,6}")
# Jobs of men and women alike, whatever their ending: a "futbolista" becomes no "jornalera".
_OF_EITHER = {"es": re.compile(r"\w+(?:ista|iatra|auta)s?|(?:policía|guardia|guía|atleta)s?")}
_FEWEST = 5
_PLAIN = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+){0,2}")


def make_facilities(
    mention_texts: Sequence[str], record: Record, draw: Draw, *, avoid: frozenset[str]
) -> list[str]:
    """Return hospitals or organizations built on the words of the old ones (`maker.Maker`)."""
    fresh = Fresh(draw, avoid)
    phrases = Phrases(fresh, record.language, Scene(record, fresh))
    made: dict[str, str] = {}
    for text in sorted(set(mention_texts), key=lambda text: (-len(text), text)):
        before, core, after = keep_ends(text)
        short = _short_form(core, made, fresh)
        if short is None:
            short = fresh.until(core, lambda n, _, core=core: phrases.phrase(core, FACILITY, n))  # type: ignore[misc]
        made[text] = before + short + after
    return [made[text] for text in mention_texts]


def make_professions(
    mention_texts: Sequence[str], record: Record, draw: Draw, *, avoid: frozenset[str]
) -> list[str]:
    """Return other jobs that fit the words around them (`maker.Maker`).

    English jobs fit the article before them, or without one that of the old job, so that it is the
    same in all documents; and their number. Jobs keep their gender, as far as the ending tells it.
    """
    fresh = Fresh(draw, avoid)
    language = language_of(record.language)
    articles = find_words(language).article

    def one(text: str) -> str:
        before, core, after = keep_ends(text)
        an = article_before(record.text, core) if articles else False
        if an is None:
            an = wants_an(core)
        new = fresh.until(core, lambda attempt, _: _job(core, language, an, draw, attempt))
        return before + new + after

    return [one(text) for text in mention_texts]


def _short_form(text: str, made: Mapping[str, str], fresh: Fresh) -> str | None:
    """Return the initials of the surrogate of what an acronym stands for, or None."""
    if _ACRONYM.fullmatch(text) is None:
        return None
    for longer, new in made.items():
        if len(longer) > len(text) + 2 and text in (_initials(longer), _initials(longer, True)):
            short = _initials(new, text != _initials(longer))
            if len(short) > 1 and fold(short) != fold(text) and fold(short) not in fresh.refused:
                return short
    return None


def _initials(name: str, capitals: bool = False) -> str:
    """Return the first letters of all words, or of those that begin with a capital."""
    letters = _INITIAL.findall(name)
    return "".join(c.upper() for c in letters if not capitals or c.isupper())


def _job(text: str, language: str, an: bool, draw: Draw, attempt: int) -> str:
    key, options = _options_for(text, language, an, attempt >= LONGER)
    number = Characters(draw, "profession", key, str(attempt)).below(len(options))
    like = text if text.isupper() else text.lower()
    return keep_spaces(_capital_like(restyle(options[number], like), text), text)


@text_cache(2048)  # many jobs are in several documents
def _options_for(text: str, language: str, an: bool, late: bool) -> tuple[str, tuple[str, ...]]:
    """Return what a job is drawn by, and the jobs that it may become: `late` of any gender."""
    gender, plural = _shape(text.lower(), language)
    options = () if late else _jobs(language, an, gender, plural)
    if len(options) < _FEWEST:  # or the new job would tell the old one
        options = _jobs(language, an, None, plural) or _jobs(language, None, None, None)
    return fold(text), options


def _capital_like(new: str, text: str) -> str:
    first = (text.split() or [text])[0]
    titled = text[:1].isupper() and not (text.isupper() or (first.isupper() and len(first) > 1))
    return new[:1].upper() + new[1:] if titled else new


def _shape(text: str, language: str) -> tuple[str, bool]:
    """Return what of a job shows in the words around it: gender and number."""
    words = find_words(language)
    parts = text.split() or [text]
    either = _OF_EITHER.get(language)
    if words.article:  # English ends with the word that tells both
        singular = _singular(parts[-1])
        return str(singular.endswith(words.feminine)), singular != parts[-1]
    gender: str | bool = parts[0].endswith(words.feminine)
    if either is not None and either.fullmatch(parts[0]):
        gender = "either"
    return str(gender), parts[0].endswith("s")


def _singular(word: str) -> str:
    """Return an English noun without the ending of its plural, if it seems to have one."""
    if word.endswith("men"):
        return word[:-2] + "an"
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _plural(job: str) -> str:
    if job.endswith("man"):
        return job[:-2] + "en"
    if job.endswith(("s", "x", "ch", "sh")):
        return job + "es"
    if job.endswith("y") and job[-2] not in "aeiou":
        return job[:-1] + "ies"
    return job + "s"


@cache
def _jobs(
    language: str, an: bool | None, gender: str | None, plural: bool | None
) -> tuple[str, ...]:
    """Return the jobs of a language that are of this kind; None: of any."""
    return tuple(
        job
        for job in _all_jobs(language)
        if (an is None or not find_words(language).article or wants_an(job) == an)
        and (gender is None or _shape(job, language)[0] == gender)
        and (plural is None or _shape(job, language)[1] == plural)
    )


@cache
def _all_jobs(language: str) -> tuple[str, ...]:
    listed = find_words(language).jobs
    if listed:
        return (*listed, *map(_plural, listed))
    entries = find_lexicon(f"{language}.professions")
    twins = unaccented_twins(entries)
    return tuple(sorted(job for job in entries if _PLAIN.fullmatch(job) and job not in twins))


MAKERS: Mapping[str, Maker] = {
    "hospital": make_facilities,
    "organization": make_facilities,
    "profession": make_professions,
}
"""Kind of label (`scrubjay.labels.KINDS`) -> maker."""
