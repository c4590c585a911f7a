"""Mending what a model found by the rest of the document, where its manifest asks for it.

A tagger sees some words around each token. What a whole document tells besides is put right here:
borders by the layout (`_borders`), names glued to their titles (`_glued`), one label for one person
(`_persons`), sizes and times that are no ages and numbers (`_measures`), everyday words that are no
dates and names (`_homonyms`), all five in English, scores that can be no date, in Dutch, too,
clinical terms that are no PHI (`_spared`), and abbreviations in capitals that are no names
(`_capitals`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from scrubjay.artifacts import Manifest
from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.features.protected import protected_lists
from scrubjay.taggers._borders import mend_borders
from scrubjay.taggers._capitals import spare_abbreviations
from scrubjay.taggers._chain import Wanted
from scrubjay.taggers._clauses import part_professions
from scrubjay.taggers._glued import add_glued
from scrubjay.taggers._headers import spare_headers
from scrubjay.taggers._homonyms import spare_homonyms
from scrubjay.taggers._keyed import add_keyed
from scrubjay.taggers._measures import spare_measures
from scrubjay.taggers._named_after import spare_named_after
from scrubjay.taggers._persons import PERSONS, agree_persons, may_vote
from scrubjay.taggers._results import spare_dateless, spare_durations, spare_results
from scrubjay.taggers._spared import may_spare, spare_scores, spare_terms
from scrubjay.taggers._street_values import spare_values
from scrubjay.taggers.kinds import Loaded

_LANGUAGE = "en"  # the one whose layout and titles are known here
_WITHOUT_SCORES = ("en", "nl")  # of which months are known here
_WITH_TERMS = ("en", "nl")  # whose lists of terms were tried on doubtful spans
_WITH_DURATIONS = "nl"  # whose patterns take any number of years for an age
_SPANISH = "es"  # whose rules were seen to take keys for dates, and eponyms for names
_SETTING, _MENDED = "spans", "mended"


def mend(
    text: str, spans: Iterable[Span], language: str, *, labels: Collection[str] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text without doubtful ones within a clinical term of the language.

    `spans` are sorted and disjoint, and so are those that are returned. In English and Dutch none
    is a score that can be no date. Those of English have mended borders and labels, too, and names
    in capitals that are glued to a title are among them.
    """
    spared: Iterable[Span] = spans
    if language in _WITH_TERMS:  # in Spanish "Iris" and "síndrome de Down" were lost for nothing
        spared = spare_terms(text, spared, language=language)
    spared = spare_abbreviations(text, spared, language=language)
    spared = part_professions(text, spared, language=language)
    spared = spare_headers(text, spare_results(text, spared, language=language), language=language)
    if language in _WITHOUT_SCORES:
        spared = spare_scores(text, spared)
    if language == _WITH_DURATIONS:
        spared = spare_durations(text, spared)
    if language == _SPANISH:
        spared = spare_dateless(text, spared, language=language)
        spared = spare_values(text, spare_named_after(text, spared))
    mended = tuple(spared)
    if language == _LANGUAGE:
        spared = spare_measures(text, spare_homonyms(text, mended))
        mended = agree_persons(text, add_glued(text, mend_borders(text, spared)))
    # Last, since what it adds has no say in who is a patient.
    return add_keyed(text, mended, language=language, labels=labels)


def is_mending(manifest: Manifest) -> bool:
    """Tell whether the model of a manifest mends what it finds."""
    return manifest.config.get(_SETTING) == _MENDED


@dataclass(frozen=True, slots=True)
class MendingScores:
    """Tells which mentions mending asks for their score: the others may do without.

    `speaks_first` where others add mentions beside these alone, and take none from them.
    """

    language: str
    speaks_first: bool = True

    def __call__(self, text: str, mentions: Sequence[tuple[int, int, str]], /) -> list[bool]:
        wanted = [False] * len(mentions)
        if self.language == _LANGUAGE:
            wanted = may_vote(text, mentions, speaks_first=self.speaks_first)
        others = [
            mention[:2]
            for mention, is_wanted in zip(mentions, wanted, strict=True)
            if not is_wanted
        ]
        if self.language not in _WITH_TERMS:
            return wanted
        spared = iter(may_spare(text, others, self.language))
        return [is_wanted or next(spared) for is_wanted in wanted]


def scores_to_mend(manifest: Manifest) -> MendingScores | None:
    """Return which spans need a score for the model of a manifest to mend; none if it does not."""
    return MendingScores(manifest.language) if is_mending(manifest) else None


def behind_others(wanted: Wanted) -> Wanted:
    """Return which spans of a detector need a score where others may speak before it."""
    return replace(wanted, speaks_first=False) if isinstance(wanted, MendingScores) else wanted


def mending_manifest(detector: Loaded) -> Manifest:
    """Return the manifest of the same model, that mends what it finds.

    Raises `ConfigError` for a model that finds by rules alone, for one of a language without
    lists of clinical terms, and for an English one of other labels than those of i2b2 2014.
    """
    manifest = getattr(detector, "manifest", None)
    if not isinstance(manifest, Manifest) or manifest.kind in ("regex", "tbed"):
        raise ConfigError(
            "a model of rules sets its borders itself",
            hint="Give a model of another kind, or change its rules",
        )
    if not protected_lists(manifest.language):
        raise ConfigError(
            f"there are no clinical terms to spare in {manifest.language!r}",
            hint="Leave the model as it is",
        )
    if manifest.language == _LANGUAGE and not set(manifest.labels) >= PERSONS:
        raise ConfigError(
            f"the model {manifest.name!r} has no labels {' and '.join(sorted(PERSONS))}",
            hint="In English spans are mended for the labels of i2b2-2014 alone",
        )
    return replace(manifest, config={**manifest.config, _SETTING: _MENDED}, files={})
