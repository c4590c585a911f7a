"""What an allow-list frees of names that are found again, and what it does not free."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scrubjay.document import Document, Span
from scrubjay.known._allowed import calls_person
from scrubjay.known.setup import surround
from scrubjay.labels import find_label_set


class Finding:
    """A model that finds the first place of each of some mentions."""

    labels = ("PATIENT",)

    def __init__(self, mentions: Sequence[str]) -> None:
        self._mentions = mentions

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [
            tuple(
                sorted(
                    Span(start, start + len(each), "PATIENT")
                    for each in self._mentions
                    if (start := document.text.find(each)) >= 0
                )
            )
            for document in documents
        ]


def found(text: str, mentions: Sequence[str], allow: Sequence[str]) -> list[str]:
    """Return what is found where a model finds the mentions, with an allow-list and propagation."""
    detector = surround(
        Finding(mentions), label_set=find_label_set("i2b2-2014"), language="en", allow=allow
    )
    (spans,) = detector.detect([Document("a", text)])
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "mention", "term", "also"),
    [
        ("By J. Camila Voss.\n12. Camila 0.35 mg daily", "J. Camila Voss", "Camila", []),
        ("By J. Camila Voss. Camila called", "J. Camila Voss", "Camila", ["Camila"]),
        ("By J. Camila Voss. Mrs. Camila 5 mg", "J. Camila Voss", "Camila", ["Camila"]),
        ("By J. Camila Voss. Ann Camila 5 mg", "J. Camila Voss", "Camila", ["Camila"]),
        ("Merkel, Inga: | Merkel cell ca |", "Merkel, Inga", "Merkel cell ca", []),
        ("Quorn, Inga: quorn study arm", "Quorn, Inga", "Quorn study", []),
        ("Quorn, Inga: Dr. Quorn study arm", "Quorn, Inga", "Quorn study", ["Quorn"]),
        ("Quorn, Inga: Quorn ill", "Quorn, Inga", "Quorn study", ["Quorn"]),
    ],
)
def test_names_stay_in_listed_terms_and_before_a_dose(
    text: str, mention: str, term: str, also: list[str]
) -> None:
    assert found(text, [mention], [term]) == [mention, *also]


def test_a_listed_word_is_hidden_where_a_person_is_called_by_it() -> None:
    text = "14. Heather - d/c. Pt's sister Heather picks up meds. Heather stopped."
    assert found(text, ["Heather"], ["Heather"]) == []
    text = "Pt's sister Heather picks up meds.\n14. Heather - d/c. Mrs. Heather called."
    assert found(text, ["Heather"], ["Heather"]) == ["Heather", "Heather"]
    assert found(text, ["Heather"], []) == ["Heather"] * 3


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("his sister [Heather]", True),
        ("Mr. [Foley]", True),
        ("zus [Heather]", True),
        ("hermana: [Heather]", True),
        ("[Heather]'s mother", True),
        ("his [Heather]", False),
        ("Child [Pugh]", False),
        ("pt [Foley]", False),
        ("Pt: [Foley]", True),
        ("patient [3]/12", False),
        ("sister-[Heather]", False),
        ("sister\n[Heather]", False),
    ],
)
def test_a_title_or_a_relative_calls_a_person(text: str, calls: bool) -> None:
    start, end = text.index("["), text.index("]") - 1
    plain = text.replace("[", "").replace("]", "")
    assert calls_person(plain, start, end) is calls
