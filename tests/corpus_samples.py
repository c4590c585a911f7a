"""Small invented corpora for tests that train: seeded, labelled, with the shapes of real notes.

Every name, place and number is made up. A template marks its PHI inline, `{PATIENT}`, and the
generator fills it in and notes the span.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from scrubjay.corpora import write_corpus
from scrubjay.document import Document, Span
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens

_FIRST = ("Anna", "Bertram", "Carla", "Dennis", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jorge")
_LAST = ("Abend", "Brookes", "Castell", "Dunmore", "Eckhart", "Fairley", "Gruber", "O'Halloran")
_PLACES = ("Millbrook", "Stonefield", "Port Averil", "Lakeview", "Oude Dorp")
_MONTHS = ("January", "March", "May", "August", "November")

_TEMPLATES = (
    "Patient: {PATIENT}\nAge: {AGE}\nMRN: {MEDICALRECORD}\n\n",
    "DISCHARGE SUMMARY\n\nSeen by Dr. {DOCTOR} on {DATE} in {HOSPITAL}.\n",
    "{PATIENT} is a {AGE} year old who was admitted on {DATE}.\n",
    "Blood pressure was 120/80, pulse 72; temperature 36.8 C.\n",
    "Medication: aspirin 81 mg daily, metformin 500 mg twice a day.\n",
    "Call Dr. {DOCTOR} at {PHONE} with any questions.\r\n",
    "He has Parkinson's disease and a Foley catheter since {DATE}.\n",
    "- {DATE}: fell at home\n- {DATE}: admitted to {HOSPITAL}\n",
    "No fever, no cough. Lungs are clear. Follow up in 6 weeks\nwith {DOCTOR}.\n",
    "Signed, {DOCTOR} {DOCTOR}\n",
    "The family of {PATIENT} lives in {CITY}{CITY}.\n",
)
_SLOT = re.compile(r"\{([A-Z]+)\}")

Scored = list[list[tuple[Span, float | None, str]]]
"""Spans with what their comparison leaves out."""

LABELS = ("AGE", "CITY", "DATE", "DOCTOR", "HOSPITAL", "MEDICALRECORD", "PATIENT", "PHONE")
"""The labels that `make_notes` uses; all belong to the label set i2b2-2014."""


def _date(random_: random.Random) -> str:
    day, year = random_.randint(1, 28), random_.randint(1990, 2030)
    return random_.choice(
        (f"{random_.randint(1, 12)}/{day}/{year}", f"{random_.choice(_MONTHS)} {day}, {year}")
    )


_MAKERS: Mapping[str, Callable[[random.Random], str]] = {
    "PATIENT": lambda r: f"{r.choice(_FIRST)} {r.choice(_LAST)}",
    "DOCTOR": lambda r: r.choice((r.choice(_LAST), f"{r.choice('ABCDE')}. {r.choice(_LAST)}")),
    "DATE": _date,
    "AGE": lambda r: str(r.randint(20, 99)),
    "HOSPITAL": lambda r: f"{r.choice(_PLACES)} Hospital",
    "CITY": lambda r: r.choice(_PLACES),
    "MEDICALRECORD": lambda r: str(r.randint(100000, 9999999)),
    "PHONE": lambda r: f"({r.randint(200, 999)}) 555-{r.randint(1000, 9999)}",
}


def make_notes(count: int, *, seed: int = 0, prefix: str = "note") -> list[Document]:
    """Return invented notes; the same seed gives the same notes, another seed other ones."""
    random_ = random.Random(seed)
    return [_make_note(f"{prefix}-{seed}-{number:03d}", random_) for number in range(count)]


def _make_note(document_id: str, random_: random.Random) -> Document:
    text = ""
    spans: list[Span] = []
    for template in random_.sample(_TEMPLATES, k=random_.randint(3, 7)):
        position = 0
        for slot in _SLOT.finditer(template):
            text += template[position : slot.start()]
            filled = _MAKERS[slot.group(1)](random_)
            spans.append(Span(len(text), len(text) + len(filled), slot.group(1)))
            text += filled
            position = slot.end()
        text += template[position:]
    return Document(document_id, text, tuple(spans))


def labelled(document: Document) -> list[tuple[str, str]]:
    """Return label and text of each span of a document."""
    return [(span.label, document.text[span.start : span.end]) for span in document.spans]


def scored(found: Sequence[Sequence[Span]]) -> Scored:
    """Return spans with what their comparison leaves out."""
    return [[(span, span.score, span.source) for span in spans] for spans in found]


def tokenized_notes(count: int, seed: int) -> list[Tokens]:
    """Return the tokens of `make_notes`, cut at every subword."""
    tokenizer = make_tokenizer("subword")
    return [tokenizer.tokenize(document.text) for document in make_notes(count, seed=seed)]


def write_notes(documents: Sequence[Document], folder: Path) -> Path:
    """Write documents as a corpus folder and return it."""
    write_corpus(documents, folder, format="i2b2")
    return folder
