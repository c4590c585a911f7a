"""Everything known of one patient as one thing that looks through texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from scrubjay.document import Span
from scrubjay.known._codes import (
    CodeIndex,
    Found,
    find_birth_dates,
    find_codes,
    make_code_index,
)
from scrubjay.known._names import NameIndex, find_names, make_name_index
from scrubjay.known._places import PhraseIndex, find_phrases, make_phrase_index, split_address
from scrubjay.known.identifiers import VALUE_KINDS, KnownValue, PatientIdentifiers
from scrubjay.known.layers import overlay
from scrubjay.known.people import make_person
from scrubjay.known.words import split_words
from scrubjay.labels import LabelSet

_PHRASES = ("street", "city", "state", "country", "organization")
# What stands in for a kind that a label set does not tell apart.
_WIDER: Mapping[str, tuple[str, ...]] = {
    "name": (),
    "relative": ("name",),
    "username": ("name", "id"),
    "date": (),
    "age": ("date",),
    "street": ("address", "place"),
    "city": ("territory", "address", "place"),
    "state": ("territory", "address", "place"),
    "country": ("territory", "address", "place"),
    "zip": ("territory", "address", "place"),
    "organization": ("hospital", "place"),
    "phone": (),
    "email": ("url",),
    "url": ("ip",),
    "ip": ("url",),
    "ssn": ("id",),
    "id": (),
}
SOURCE = "known"


@dataclass(frozen=True, slots=True, repr=False)
class Finder:
    """Finds the identifiers of one patient in texts.

    Its spans have no score; their source is `known:` and the kind of identifier, followed by
    `~` where the text has it with a typing error.
    """

    names: NameIndex
    codes: CodeIndex
    phrases: PhraseIndex
    birth_dates: tuple[date, ...]
    label_of: Callable[[str], str]

    def find(self, text: str) -> tuple[Span, ...]:
        """Return the spans of everything that is known, sorted and disjoint.

        Where two overlap, the longer is whole and the other keeps what is left of it. The time
        grows with the length of the text and with the number of identifiers, no faster.
        """
        words = split_words(text)
        found = [
            Found(
                mention.start, mention.end, self.names.persons[mention.person].kind, mention.exact
            )
            for mention in find_names(words, self.names)
        ]
        found += find_codes(words, self.codes)
        found += find_phrases(words, self.phrases)
        found += find_birth_dates(words, self.birth_dates)
        spans = [self._span(hit) for hit in found]
        return overlay(text, sorted(spans, key=lambda span: (span.start - span.end, span)))

    def _span(self, hit: Found) -> Span:
        source = f"{SOURCE}:{hit.kind}{'' if hit.exact else '~'}"
        return Span(hit.start, hit.end, self.label_of(hit.kind), source=source)


def make_finder(
    known: PatientIdentifiers, *, language: str, label_of: Callable[[str], str]
) -> Finder:
    """Return the finder of a patient's identifiers.

    `language` ("en", "es", "nl"; others count as English) tells everyday words from names;
    `label_of` gives the label of a kind of identifier (`labels_of_kinds`).
    """
    values: list[KnownValue] = []
    for value in known.values:
        values += split_address(value) if value.kind == "address" else [value]
    return Finder(
        make_name_index(
            [make_person(name, language=language) for name in known.names], language=language
        ),
        make_code_index(value for value in values if value.kind not in _PHRASES),
        make_phrase_index([v for v in values if v.kind in _PHRASES], language=language),
        known.birth_dates,
        label_of,
    )


def labels_of_kinds(label_set: LabelSet) -> dict[str, str]:
    """Return the label of each kind of identifier in a label set.

    Looked for in this order: a label of the kind with the right letter of HIPAA's, any of the
    kind, one of a wider kind (a town is a place), any with the letter, the first label of kind
    "other", the last label. So each kind has some label, and nothing found goes unlabelled.
    """
    kinds = {"name": ("name", "A"), "relative": ("relative", "A"), "date": ("date", "C")}
    kinds["age"] = ("age", "C")
    return {
        kind: _choose(label_set, wanted, letter)
        for kind, (wanted, letter) in (kinds | dict(VALUE_KINDS)).items()
    }


def _choose(label_set: LabelSet, kind: str, letter: str) -> str:
    labels = label_set.definitions
    for wanted in (kind, *_WIDER[kind]):
        same = [label for label in labels if label.kind == wanted]
        same.sort(key=lambda label: label.hipaa != letter)
        if same:
            return same[0].name
    of_letter = [label.name for label in labels if letter and label.hipaa == letter]
    others = [label.name for label in labels if label.kind == "other"]
    return (of_letter or others or [labels[-1].name])[0]
