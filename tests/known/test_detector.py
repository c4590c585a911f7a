"""Layers: known identifiers, lists, the model and propagation, in their order."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.deidentifier import Deidentified, Deidentifier, Failure
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError, LabelError
from scrubjay.known.detector import KnownDetector, LayeredDetector
from scrubjay.known.identifiers import KnownIdentifiers
from scrubjay.known.layers import overlay
from scrubjay.known.parts import PARTS_KEY, find_parts
from scrubjay.known.setup import surround
from scrubjay.known.terms import read_terms
from scrubjay.labels import find_label_set
from scrubjay.spans import require_disjoint
from scrubjay.transform.policy import find_policy
from tests.known.samples import PATIENT, shown
from tests.strategies import disjoint_spans, texts

I2B2 = find_label_set("i2b2-2014")
SECRET = "Quixotebury"


@dataclass(frozen=True)
class Finding:
    """A detector that finds given texts, at their first place alone."""

    table: tuple[tuple[str, str], ...]
    labels: tuple[str, ...] = ("PATIENT", "DOCTOR", "DATE", "HOSPITAL", "IDNUM", "CITY")

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of the texts in each document."""
        return [
            tuple(
                sorted(
                    Span(place, place + len(wanted), label, score=0.5)
                    for wanted, label in self.table
                    if (place := document.text.find(wanted)) >= 0
                )
            )
            for document in documents
        ]


def patient_of(document: Document) -> str:
    """Return the part of the id before the hyphen."""
    return document.id.partition("-")[0]


def known_detector(**options: str) -> KnownDetector:
    """Return the detector of one known patient, 17."""
    return KnownDetector(
        KnownIdentifiers({"17": PATIENT}),
        patient_of=patient_of,
        label_set=I2B2,
        **options,  # type: ignore[arg-type]
    )


def _find(detector: object, text: str, id: str = "17-1") -> list[tuple[str, str]]:
    (spans,) = detector.detect([Document(id, text)])  # type: ignore[attr-defined]
    assert require_disjoint(spans, document_id=id) == spans
    return shown(text, spans)


def _surround(
    model: Finding, folder: Path, *, allow: str = "", deny: str = "", propagate: bool = False
) -> LayeredDetector:
    for name, content in (("allow", allow), ("deny", deny)):
        (folder / name).write_text(content, encoding="utf-8")
    return surround(
        model,
        label_set=I2B2,
        language="en",
        allow=folder / "allow" if allow else None,
        deny=folder / "deny" if deny else None,
        propagate=propagate,
    )


def test_everyone_reads_what_entities_of_html_mean(tmp_path: Path) -> None:
    model = Finding((("Ann Lee", "PATIENT"), ("Joëlle", "DOCTOR"), ("San José", "CITY")))
    detector = _surround(model, tmp_path, allow="San José", deny="Té Aroha", propagate=True)
    text = "Ann&nbsp;Lee &amp; Jo&euml;lle, San Jos&eacute;, T&eacute;&nbsp;Aroha. Joëlle"
    assert _find(detector, text) == [
        ("Ann&nbsp;Lee", "PATIENT"),
        ("Jo&euml;lle", "DOCTOR"),
        ("T&eacute;&nbsp;Aroha", "OTHER"),
        ("Joëlle", "DOCTOR"),
    ]
    assert _find(known_detector(), "Mr. Hollo&#119;ell") == [("Hollo&#119;ell", "PATIENT")]


def test_parts_stand_where_their_entities_do() -> None:
    text = "Jos&eacute;\nAnn&nbsp;Lee\nx"
    parts = [
        {"name": "a", "kind": "name", "start": 0, "end": 11},
        {"name": "b", "kind": "", "start": 12, "end": 24},
    ]
    detector = LayeredDetector(Finding((("é\nAnn Lee", "DOCTOR"),)), fixed=find_parts(I2B2))
    (spans,) = detector.detect([Document("1", text, metadata={PARTS_KEY: parts})])
    assert shown(text, spans) == [("Jos&eacute;", "PATIENT"), ("Ann&nbsp;Lee", "DOCTOR")]


def test_known_identifiers_come_before_the_model() -> None:
    model = Finding((("Hollowell Clinic", "HOSPITAL"), ("William", "DOCTOR"), ("Lee", "DOCTOR")))
    detector = LayeredDetector(model, known=known_detector())
    assert _find(detector, "William came to Hollowell Clinic; Dr. Lee") == [
        ("William", "PATIENT"),
        ("Hollowell", "PATIENT"),
        ("Clinic", "HOSPITAL"),
        ("Lee", "DOCTOR"),
    ]
    assert set(model.labels) < set(detector.labels)
    assert pickle.loads(pickle.dumps(detector)).labels == detector.labels


def test_a_longer_span_of_the_model_with_the_same_label_stays_whole() -> None:
    detector = LayeredDetector(Finding((("Ms Hollowell X", "PATIENT"),)), known=known_detector())
    assert _find(detector, "saw Ms Hollowell X") == [("Ms Hollowell X", "PATIENT")]


def test_a_document_of_an_unknown_patient_fails() -> None:
    documents = [Document("17-1", "Hollowell"), Document("18-1", f"{SECRET}"), Document("17-2", "")]
    detector = LayeredDetector(Finding(()), known=known_detector())
    results = list(Deidentifier(detector, find_policy("placeholder")).pipe(documents))
    assert [type(result) for result in results] == [Deidentified, Failure, Deidentified]
    assert results[1] == Failure("18-1", "detect", "UnknownPatientError")
    passing = LayeredDetector(Finding(()), known=known_detector(unknown="pass"))
    assert _find(passing, "Hollowell", id="18-1") == []


def test_the_deny_list_beats_the_model_and_the_allow_list_holds_it_back(tmp_path: Path) -> None:
    model = Finding(
        (("Parkinson", "PATIENT"), ("Foley Street", "CITY"), ("north ward", "HOSPITAL"))
    )
    detector = _surround(
        model,
        tmp_path,
        allow="# eponyms\n\nparkinson\nFoley\n",
        deny="North  Ward 4\tDEPARTMENT\nzebra\n",
    )
    text = "PARKINSON; Parkinson, Foley Street, north ward 4, Zébra, zebras"
    assert _find(detector, text) == [
        ("Foley Street", "CITY"),
        ("north ward 4", "DEPARTMENT"),
        ("Zébra", "OTHER"),
    ]


def test_a_denied_term_is_found_over_line_ends(tmp_path: Path) -> None:
    text = "Of North Ward-\n  robe 4; north_wardrobe_4; North\n                Wardrobe 4; ward"
    (spans,) = _surround(Finding(()), tmp_path, deny="North Wardrobe 4\n").detect(
        [Document("a", text)]
    )
    assert [text[span.start : span.end] for span in spans] == text[3:-6].split("; ")


def test_the_allow_list_never_frees_a_known_identifier(tmp_path: Path) -> None:
    (tmp_path / "allow").write_text("Hollowell")
    detector = LayeredDetector(
        Finding(()), known=known_detector(), allow=read_terms(tmp_path / "allow")
    )
    assert _find(detector, "Hollowell") == [("Hollowell", "PATIENT")]


OURS = r"""
terms = ["Sunrise Ward"]
[[look-alikes]]
name = "pathway-step"
labels = ["DATE", "PATIENT"]
mention = '\d{1,2}/12|Hollowell'
before = 'pathway[ ]'
examples = ["pathway {3/12}"]
counter-examples = ["seen {3/12}"]
"""


def test_look_alikes_of_ones_own_hold_the_model_back_but_no_known_identifier(
    tmp_path: Path,
) -> None:
    (tmp_path / "ours.toml").write_text(OURS, encoding="utf-8")
    found = (
        ("3/12", "DATE"),
        ("4/12", "DATE"),
        ("Sunrise Ward", "HOSPITAL"),
        ("Hollowell", "PATIENT"),
    )
    detector = surround(
        Finding(found), label_set=I2B2, language="en", allow=tmp_path / "ours.toml", propagate=False
    )
    text = "pathway 3/12 of Sunrise Ward; seen 4/12; pathway Hollowell"
    assert _find(detector, text) == [("4/12", "DATE")]
    assert _find(pickle.loads(pickle.dumps(detector)), text) == [("4/12", "DATE")]
    known = replace(detector, known=known_detector())
    assert _find(known, text) == [("4/12", "DATE"), ("Hollowell", "PATIENT")]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "there are no terms and no look-alikes"),
        ('terms = "Foley"', "`terms` must be a list of strings"),
        ('terms = ["Foley", "--"]', "term 2 has no letter or digit"),
        ("x = 1", "unknown key 'x'"),
        ("terms = [", "not valid TOML"),
    ],
)
def test_bad_files_of_look_alikes_are_refused(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "ours.toml").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        surround(Finding(()), label_set=I2B2, language="en", allow=tmp_path / "ours.toml")
    assert told in str(caught.value)
    assert "ours.toml" in str(caught.value)


def test_nothing_asked_for_changes_nothing(tmp_path: Path) -> None:
    model = Finding(())
    plain = surround(model, label_set=I2B2, language="en", propagate=False)
    assert _find(plain, "Hollowell") == []
    assert plain.labels[: len(model.labels)] == model.labels
    with pytest.raises(ConfigError, match="--patient-key"):
        surround(model, label_set=I2B2, language="en", identifiers=tmp_path / "known.csv")


@pytest.mark.parametrize(
    ("allow", "deny", "error", "told"),
    [
        (SECRET, f"x\n{SECRET.upper()}\tDATE", ConfigError, "1 terms are in the allow-list and"),
        (f"{SECRET}\tDATE", "", FormatError, "line 1: an allow-list has no labels"),
        ("", f"x\n{SECRET}\tDATES", LabelError, "line 2: this is no label"),
        ("", "-\n", FormatError, "line 1: no letter or digit"),
        ("", "a " * 60, FormatError, "more than 50 words"),
        ("# nothing\n", "", FormatError, "no terms"),
    ],
)
def test_bad_lists_are_refused(
    tmp_path: Path, allow: str, deny: str, error: type[Exception], told: str
) -> None:
    with pytest.raises(error) as caught:
        _surround(Finding(()), tmp_path, allow=allow, deny=deny)
    assert told in str(caught.value)
    assert SECRET.lower() not in str(caught.value).lower()


@pytest.mark.parametrize(
    ("table", "text", "found"),
    [
        (
            (("Ada Tranter", "PATIENT"),),
            "Ada Tranter. TRANTER,ADA; ada tranter; tranter; Tranter's; Trantered; Ada",
            ["Ada Tranter", "TRANTER", "ADA", "ada tranter", "Tranter", "Ada"],
        ),
        ((("Marisol", "DOCTOR"),), "Marisol: ok\nmarisol: hi", ["Marisol", "marisol"]),
        ((("Porter", "PATIENT"),), "Porter went by the porter; PORTER", ["Porter", "PORTER"]),
        ((("Sigmoid", "PATIENT"),), "Sigmoid: sigmoid colon", ["Sigmoid"]),
        ((("Ana", "PATIENT"),), "Ana: ana 1:80", ["Ana"]),
        ((("Will Young", "PATIENT"),), "Will Young will come; Young men", ["Will Young"]),
        ((("AB-1234", "IDNUM"),), "AB-1234 ab-1234 AB 1234 AB-12345", ["AB-1234", "ab-1234"]),
        ((("3/4/2019", "DATE"),), "3/4/2019 3/4/2019; 3 4 2019", ["3/4/2019", "3/4/2019"]),
        ((("5/5", "DATE"),), "on 5/5 strength 5/5", ["5/5"]),
        ((("Ellery", "CITY"),), "Ellery ELLERY ellery", ["Ellery", "ELLERY"]),
        ((("Dr. Roe", "DOCTOR"),), "Dr. Roe; Dr. Poe; Roe, roe", ["Dr. Roe", "Roe"]),
        ((("Ada Wei\u00df", "PATIENT"),), "Ada Wei\u00df. WEISS", ["Ada Wei\u00df", "WEISS"]),
        (
            (("Ada Pe\u0301rezov", "PATIENT"),),
            "Ada Pe\u0301rezov; Pe\u0301rezov",
            ["Ada Pe\u0301rezov", "Pe\u0301rezov"],
        ),
        (
            (("Ada Griffith", "PATIENT"),),
            "Ada Griffith; Gri\ufb03th",
            ["Ada Griffith", "Gri\ufb03th"],
        ),
    ],
)
def test_what_was_found_once_is_found_everywhere(
    tmp_path: Path, table: tuple[tuple[str, str], ...], text: str, found: list[str]
) -> None:
    detector = _surround(Finding(table), tmp_path, propagate=True)
    assert [surface for surface, _ in _find(detector, text)] == found
    (spans,) = detector.detect([Document("1", text)])
    assert [span.source == "propagated" for span in spans] == [False] + [True] * (len(spans) - 1)


def test_a_name_found_in_one_document_is_found_in_the_next_of_the_patient() -> None:
    texts = {"17-1": "Tranter ran", "17-2": "Ada Tranter", "18-1": "Tranter", "17-3": "Tranter"}
    documents = [Document(id, text) for id, text in texts.items()]
    model = Finding((("Ada Tranter", "PATIENT"),))
    detector = surround(model, label_set=I2B2, language="en", patient_of=patient_of)
    spans = detector.detect(documents)
    found = [shown(each.text, own) for each, own in zip(documents, spans, strict=True)]
    assert found == [[("Tranter", "PATIENT")], [("Ada Tranter", "PATIENT")], [], []]


@given(st.data())
@settings(max_examples=50)
def test_an_overlay_covers_all_and_overlaps_nowhere(data: st.DataObject) -> None:
    text = data.draw(texts())
    layers = [data.draw(disjoint_spans(text)) for _ in range(3)]
    given_spans = [span for layer in layers for span in layer]
    merged = overlay(text, given_spans)
    assert require_disjoint(merged, document_id="x") == merged
    covered = {place for span in merged for place in range(span.start, span.end)}
    wanted = {p for span in given_spans for p in range(span.start, span.end) if text[p].isalnum()}
    assert wanted <= covered
    labels_of = {p: span.label for span in merged for p in range(span.start, span.end)}
    assert all(labels_of[p] == s.label for s in layers[0] for p in range(s.start, s.end))


@given(st.data())
@settings(max_examples=50)
def test_layers_give_valid_spans_over_any_text(data: st.DataObject) -> None:
    text = data.draw(texts())
    model = data.draw(disjoint_spans(text))

    @dataclass(frozen=True)
    class Fixed:
        labels: tuple[str, ...] = ()

        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            return [model] * len(documents)

    detector = surround(Fixed(), label_set=I2B2, language="en")
    (spans,) = detector.detect([Document("x", text)])
    assert require_disjoint(spans, document_id="x") == spans
    assert set(model) <= set(spans) or len(spans) > 0
    found = detector.detect([Document("x", text)])
    assert found == [spans]


def test_long_texts_take_time_in_proportion() -> None:
    """A text of one character, many times over, meets no search that grows faster than it."""
    finder = known_detector()
    for piece in (
        "H",
        "Hollowell ",
        "1 ",
        "0048",
        "a\u0301",
        "Port ",
        "3/4/",
        "W. ",
        "\u200b",
        "W.H.",
    ):
        text = piece * 20_000
        (spans,) = finder.detect([Document("17-1", text)])
        assert all(span.end <= len(text) for span in spans)
