"""Mentions that are found once in a record and replaced wherever they stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.batch.proof import Proved, Prover
from scrubjay.batch.work import prove_records, replace_missed
from scrubjay.deidentifier import Deidentified, Deidentifier, Failure
from scrubjay.document import Document, Span
from scrubjay.transform.operators import Placeholder
from scrubjay.transform.policy import Policy

POLICY = Policy("plain", Placeholder())
WORDS = ["Quill", "Zara", "Ostrander", "Ferro", "lungs", "1234567", "clear", "QUILL"]


@dataclass(frozen=True)
class Given:
    """Finds what it is given for each document."""

    spans: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    labels: ClassVar[tuple[str, ...]] = ("NAME",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document."""
        return [self.spans.get(document.id, ()) for document in documents]


@st.composite
def records(draw: st.DrawFn) -> tuple[list[Document], Given]:
    """Documents of few words, glued here and there, with any disjoint spans of theirs."""
    documents, spans = [], {}
    for number in range(draw(st.integers(1, 3))):
        words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9))
        text = "".join(word + draw(st.sampled_from([" ", " ", "-", ""])) for word in words)
        places = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
        found = [
            Span(start, end, "NAME")
            for start, end in zip(places[::2], places[1::2], strict=False)
            if text[start:end].strip() == text[start:end]
        ]
        documents.append(Document(f"d{number}", text, metadata={"patient": "p"}))
        spans[f"d{number}"] = tuple(found)
    return documents, Given(spans)


def prove(documents: list[Document], model: Given) -> list[str]:
    """Return what the proof says of each document of a completed record, "" where it is sound."""
    deidentifier = Deidentifier(model, POLICY)
    record: list[tuple[Document, Deidentified | Failure]] = []
    for document, found in zip(documents, model.detect(documents), strict=True):
        ((result,),) = deidentifier.transform_records([[(document, found)]])
        assert isinstance(result, Deidentified)
        record.append((document, result))
    prover = Prover(POLICY)
    (completed,) = replace_missed([record], prover, deidentifier)
    return [
        "" if isinstance(proved, Proved) else proved.code
        for _, proved in prove_records([completed], prover)[0]
    ]


def test_what_is_left_of_a_mention_beside_a_new_one_is_looked_for() -> None:
    # "Quill Ferro" is cut at "Zara Quill", so that "Ferro" becomes a mention of its own.
    text = "Zara Quill Ferro. Quill Ferro came. Ferro rang."
    model = Given({"a": (Span(0, 10, "NAME"), Span(18, 29, "NAME"))})
    assert prove([Document("a", text)], model) == [""]


def test_a_remnant_with_other_signs_between_its_words_is_looked_for() -> None:
    # "Ferro ---- Norbury" is left of a longer mention, where "Ferro Norbury" was known before.
    far = "Ferro ------------ Norbury"
    text = f"Zara Quill. Ferro Norbury. Zara Quill {far} came. {far} rang."
    spans = [Span(0, 10, "NAME"), Span(12, 25, "NAME")]
    start = text.index("Quill Ferro", 27)
    spans.append(Span(start, start + len("Quill ") + len(far), "NAME"))
    assert prove([Document("a", text)], Given({"a": tuple(spans)})) == [""]


def test_a_chain_of_remnants_is_followed_to_its_end() -> None:
    words = ["Alwyn", "Boreth", "Cadell", "Dunmor", "Eskild", "Farrow", "Gorlan"]
    text, spans = "", []
    for size in range(2, len(words) + 1):
        spans.append(Span(len(text), len(text) + len(" ".join(words[size - 2 : size])), "NAME"))
        text += " ".join(words[size - 2 : size]) + ". "
    whole = " ".join(words)
    spans.append(Span(len(text), len(text) + len(whole), "NAME"))
    text += f"{whole} came. " + ". ".join(f"{word} rang" for word in words)
    assert prove([Document("a", text)], Given({"a": tuple(spans)})) == [""]


@settings(deadline=None)
@given(records())
def test_no_mention_of_a_record_is_left(case: tuple[list[Document], Given]) -> None:
    documents, model = case
    assert prove(documents, model) == [""] * len(documents)
