"""Invented patients and registers for the tests of known identifiers."""

from __future__ import annotations

from datetime import date

from scrubjay.document import Span
from scrubjay.known.eponyms import is_eponym
from scrubjay.known.finder import Finder, labels_of_kinds, make_finder
from scrubjay.known.identifiers import KnownName, KnownValue, PatientIdentifiers
from scrubjay.known.words import Words
from scrubjay.labels import find_label_set

PATIENT = PatientIdentifiers(
    (
        KnownName("name", ("William", "Quentin"), ("Hollowell",)),
        KnownName("relative", ("Rose",), ("Hollowell-Tranter",)),
    ),
    (
        KnownValue("street", "48 Marlow Street, Apt 3"),
        KnownValue("city", "Port Ellery"),
        KnownValue("zip", "40213"),
        KnownValue("phone", "+1 (555) 010-0147"),
        KnownValue("mrn", "00481516"),
        KnownValue("ssn", "078-05-1120"),
        KnownValue("email", "w.hollowell@example.org"),
        KnownValue("id", "712"),
    ),
    (date(1956, 3, 4),),
)


def finder_of(
    known: PatientIdentifiers = PATIENT, *, language: str = "en", label_set: str = "i2b2-2014"
) -> Finder:
    """Return the finder of a patient with the labels of a set."""
    labels = labels_of_kinds(find_label_set(label_set))
    return make_finder(known, language=language, label_of=labels.__getitem__)


def named(*given: str, family: str, language: str = "en") -> Finder:
    """Return the finder of a patient of whom the name alone is known."""
    return finder_of(PatientIdentifiers((KnownName("name", given, (family,)),)), language=language)


def shown(text: str, spans: tuple[Span, ...]) -> list[tuple[str, str]]:
    """Return surface and label of each span, for assertions that read well."""
    return [(text[span.start : span.end], span.label) for span in spans]


def read_brackets(marked: str) -> tuple[str, int, int]:
    """Return a text without its brackets, and the offsets of what stood in them."""
    start, end = marked.index("["), marked.index("]") - 1
    return marked.replace("[", "").replace("]", ""), start, end


def is_alone_eponym(marked: str, language: str = "en") -> bool:
    """Tell whether what is marked is an eponym, with nothing else found in the text."""
    return is_eponym(*read_brackets(marked), language, outside=())


def parts_of(words: Words) -> tuple[object, ...]:
    """Return all that words consist of."""
    return words.text, tuple(words.starts), tuple(words.ends), words.keys
