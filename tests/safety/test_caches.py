"""Module caches keep short mentions and words alone: no text of a document, and nothing long."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache

import pytest

from scrubjay.caching import LONGEST_KEPT, forget_long
from scrubjay.corpora._displays import is_read
from scrubjay.deidentifier import Deidentifier
from scrubjay.document import Document, Span
from scrubjay.known.propagation import Propagation
from scrubjay.known.terms import make_terms
from scrubjay.known.words import split_words
from scrubjay.taggers.mending import mend
from scrubjay.transform.operators import Mention, Record
from scrubjay.transform.policy import find_policy
from scrubjay.transform.surrogates.operator import Surrogate

MARK = "Quixotl"
LABELS = {"en": "PATIENT", "nl": "NAME", "es": "NOMBRE_SUJETO_ASISTENCIA"}


def texts_in_caches() -> Iterator[str]:
    """Yield the strings that any `lru_cache` of the package holds, in keys and in values."""
    cache = type(lru_cache(int))
    modules = [module for name, module in sys.modules.items() if name.startswith("scrubjay")]
    todo: list[object] = [
        one for module in modules for one in vars(module).values() if isinstance(one, cache)
    ]
    met: set[int] = set()
    while todo:
        one = todo.pop()
        if id(one) in met:
            continue
        met.add(id(one))
        if isinstance(one, str):
            yield one
        elif isinstance(one, cache | tuple | list | dict | frozenset | set):
            todo += gc.get_referents(one)


def longest_in_caches() -> int:
    """Return the length of the longest string with the mark in it."""
    held = [len(one) for one in texts_in_caches() if MARK.lower() in one.lower()]
    return max(held, default=0)


def work(name: str) -> None:
    """Let every room that knows mentions work on a text that holds a name."""
    text = f"Seen by {name} on 3/7, review 2/7, Dr. {name}; ward 5 (TDS)."
    start = text.index(name)
    date = text.index("2/7")
    for language, label in LABELS.items():
        spans = [Span(start, start + len(name), label, 0.4)]
        if language == "en":
            spans.append(Span(date, date + 3, "DATE", 0.9))
        mend(text, spans, language)
    span = Span(start, start + len(name), "PATIENT")
    Propagation({"PATIENT": "name"}.__getitem__, "en").spread([text], [[span]])
    make_terms({("seen", "dr"): ""}).find(split_words(f"Seen {name}, Dr; seen{' .' * len(name)}dr"))
    is_read(f"{name} {name} seen")
    Surrogate(b"0" * 16).replace_all([Mention(span, name, "a")], Record("a", "", text, "en"))


@pytest.mark.parametrize("glue", [" ", "", ", "])
def test_no_text_and_no_long_mention_stays_in_a_cache(glue: str) -> None:
    work(glue.join([MARK] * (LONGEST_KEPT // 4)))
    forget_long()
    assert longest_in_caches() <= LONGEST_KEPT


class Reader:
    """Finds nothing, and lets a cache see each text."""

    labels = ("PATIENT",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        for document in documents:
            is_read(document.text)
        return [()] * len(documents)


def test_a_deidentifier_leaves_no_text_in_a_cache() -> None:
    text = f"{MARK} " * LONGEST_KEPT
    is_read(text)
    assert longest_in_caches() > LONGEST_KEPT
    Deidentifier(Reader(), find_policy("redact")).deidentify(text)
    assert longest_in_caches() <= LONGEST_KEPT
