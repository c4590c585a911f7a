"""What a model found is mended by the rest of the document, where its manifest asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.artifacts import load_artifact
from scrubjay.cli.main import run
from scrubjay.corpora import read_corpus
from scrubjay.detectors import drop_scores
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.models import describe_model, find_model, load_model
from scrubjay.spans import overlap
from scrubjay.synthesis.generation import generate
from scrubjay.taggers._mending.cues import find_cues
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.kinds import load_artifact_model
from scrubjay.taggers.mending import mend, mend_all
from scrubjay.taggers.mending_models import MendingScores, is_mending, mending_manifest
from tests.oracles.mending import mend_by_steps
from tests.shipped_models import shipped_model
from tests.taggers.mending_samples import marked_texts


@given(marked_texts(), st.sampled_from(["en", "nl", "es"]))
def test_mending_asks_for_no_other_scores(marked: tuple[str, list[Span]], language: str) -> None:
    text, spans = marked
    wanted = MendingScores(language)(text, [(s.start, s.end, s.label) for s in spans])
    fewer = [s if one else replace(s, score=None) for s, one in zip(spans, wanted, strict=True)]
    assert mend(text, fewer, language) == mend(text, spans, language)


MENTIONS = st.sampled_from([
    "Blake", "DRBLAKE", "SINCEMAY", "Wong, Li", "CVA", "DM", "7/10",
    "27/30",
    "3/6", "12-03", "1044", "135-145", "Uitslag", "Date", "al 11 jaar", "11 jaar", ". Sexo:",
    "May 2",
    "fall", "PLEASANT", "Yamagata", "16", "2200/0000/0200", 'x" y', "May 3 - May 5", "a   b",
    "Crohn", "Enf", "Iris", "octubre", "2000", "Ana Gil F.", "F", "R35",
])  # fmt: skip
AROUND = st.sampled_from([
    "VAS ", "moeder ", " F Foley", "F catheter ", "A ", " 72 YEAR OLD ", "influenza B/",
    "Salmonella ",
    " tabs", " off a ladder", "Patient: ", "Dr. ", "mmol/l ", " systolic murmur", "\n", "  ",
    "   ", ", ",
    " | ", "Bepaling   Eenheid   ", "hCG ", "al ", "tussen ", "DRGRIMALDI ", " Crohn", "2", "",
    " kcal ", "su hija ", ". nac: 3/4",
])  # fmt: skip
# What a step takes seldom comes about by chance: text, mention, text, and the label that it is of.
TELLING = st.sampled_from([
    ("BiPAP ", "12/6", "\n", "DATE"), ("VA R ", "6/24", " PH 6/9\n", "DATE"),
    ("GP: bloods tds, cough for ", "2/7", ", A&E\n", "DATE"), ("dispo: ", "snf", "\n", "DOCTOR"),
    ("VG: ", "Z. v. Crohn, M. Bechterew", "\n", "NAME"), ("vpk gebeld ", "0200", "\n", "PHONE_FAX"),
    ("", "INR 2,4", " el 7/3\n", "CALLE"),
    ("seen. ", "tk", "\ncalled. tk\n", "DOCTOR"),
    ("ECOG ", "1-2", "\n", "DATE"),
    ("Foley refused meds. Hess ", "3/10", " pijn, miller slept\n", "DATE"),
    ("gotea la sonda de Rubén, ", "F.E.A.", "\n", "NOMBRE_PERSONAL_SANITARIO"),
    ("vio ", "Flga. Marín", "\n", "NOMBRE_PERSONAL_SANITARIO"),
    ("vio ", "Farías R3", ", MIR\n", "NOMBRE_PERSONAL_SANITARIO"),
    ("", "Enf. onco", "\n", "NOMBRE_PERSONAL_SANITARIO"),
    ("daptomicina, día ", "3/7", ")\n", "FECHAS"),
    ("", "mama", " O+", "FAMILIARES_SUJETO_ASISTENCIA"),
    ("desde hace ", "8 años", "\n", "EDAD_SUJETO_ASISTENCIA"),
    ("Vive sin ", "hijos", "\n", "FAMILIARES_SUJETO_ASISTENCIA"),
    ("su esposo ", "Juan", " Gil\n", "FAMILIARES_SUJETO_ASISTENCIA"),
    ("del ", "5 y 12 de mayo", "\n", "FECHAS"),
    ("en el ", "Centro Penitenciario", "\n", "INSTITUCION"), ("es ", "diestro", "\n", "PROFESION"),
    ("globo en ", "BladderScan", "\n", "NOMBRE_SUJETO_ASISTENCIA"),
    ("", "Mabli (f)", " Foley denies pain\n", "PATIENT"),
    ("", "Armistice", ' "Art" goes by Artie\n', "PATIENT"),
])  # fmt: skip
OF_LANGUAGE = {
    "en": ["PATIENT", "DOCTOR", "DATE", "AGE", "CITY", "PHONE", "PROFESSION", "HOSPITAL", "URL"],
    "nl": ["NAME", "INITIALS", "DATE", "AGE", "PROFESSION", "ID", "INTERNAL_LOCATION", "PHONE_FAX"],
    "es": [
        "NOMBRE_SUJETO_ASISTENCIA",
        "FECHAS",
        "NOMBRE_PERSONAL_SANITARIO",
        "PROFESSION",
        "EDAD_SUJETO_ASISTENCIA",
        "CALLE",
        "FAMILIARES_SUJETO_ASISTENCIA",
        "TERRITORIO",
        "INSTITUCION",
        "PROFESION",
    ],
}


@settings(max_examples=500)
@given(st.lists(st.tuples(AROUND, MENTIONS, AROUND, st.just("")) | TELLING, max_size=6), st.data())
def test_a_look_at_mentions_and_places_leaves_out_no_step(
    pieces: list[tuple[str, str, str, str]], data: st.DataObject
) -> None:
    language = data.draw(st.sampled_from(list(OF_LANGUAGE)))
    text, spans = "", []
    for before, mention, after, told in pieces:
        start = len(text) + len(before)
        text += before + mention + after
        known = OF_LANGUAGE[language]
        label = told if told in known else data.draw(st.sampled_from(known))
        score = data.draw(st.sampled_from([None, 0.5, 0.999]))
        spans.append(Span(start, start + len(mention), label, score=score))
    texts, given = ["", text, "Dr. Down"], [(), tuple(spans), ()]
    found = mend_all(texts, given, language)[1]
    assert found == mend_by_steps(text, spans, language)
    assert found == mend_all(texts, given, language, cues=find_cues(texts, language))[1]
    assert [span.score for span in found] == [
        span.score for span in mend_by_steps(text, spans, language)
    ]


LABELS = st.sampled_from(["PATIENT", "DOCTOR"])
SAID = st.none() | st.tuples(LABELS, st.sampled_from([0.1, 0.3, 0.6, 0.8]))
NAMES = st.sampled_from(
    ["Blake", "Wong", "Blake Wong", "Wong-Li", "MRNBLAKE", "DRBLAKES", "MOMBLAKE"]
)


@settings(max_examples=500)
@given(st.lists(st.tuples(NAMES, SAID, SAID), min_size=2, max_size=9), st.booleans())
def test_what_others_say_is_never_taken_for_known(
    said: list[tuple[str, tuple[str, float] | None, tuple[str, float] | None]], speaks_first: bool
) -> None:
    text, own, others = "", [], []
    for name, one, other in said:
        for spans, score in ((own, one), (others, other)):
            if score:
                spans.append(Span(len(text), len(text) + len(name), *score))
        text += f"{name}, "
    wanted = MendingScores("en", speaks_first)(text, [(s.start, s.end, s.label) for s in own])
    fewer = [s if one else replace(s, score=None) for s, one in zip(own, wanted, strict=True)]
    mended = [mend(text, _first_then(some, others, speaks_first), "en") for some in (fewer, own)]
    assert mended[0] == mended[1]


def _first_then(own: Sequence[Span], others: Sequence[Span], speaks_first: bool) -> list[Span]:
    first, second = (own, others) if speaks_first else (others, own)
    free = [span for span in second if not any(overlap(span, other) for other in first)]
    return sorted([*first, *free])


def test_of_very_long_lists_all_persons_keep_their_scores() -> None:
    names = [f"Nm{number:x}{number * 7919:x}" for number in range(4_000)]
    text = "\n".join(names)
    starts = [text.index(name) for name in names[:2000]]
    mentions = [(start, start + 4, "PATIENT") for start in starts]
    assert all(MendingScores("en")(text, mentions))


NOTES = Path(__file__).parents[2] / "corpora"


@pytest.mark.parametrize("name", ["en-fast", "nl-fast"])
def test_a_model_that_mends_finds_the_same_without_most_scores(name: str) -> None:
    model = shipped_model(name)
    language = describe_model(name).manifest.language
    written = list(read_corpus(NOTES / f"written-{language}" / "dev.jsonl"))[::2]
    notes = [*generate(language, 12, 5, names="dev"), *written]
    found, quiet = model.detect(notes), drop_scores(model).detect(notes)
    assert quiet == found
    scored = [
        [s.score for row in spans for s in row if s.score is not None] for spans in (quiet, found)
    ]
    assert len(scored[0]) < len(scored[1]) / 2
    assert set(scored[0]) <= set(scored[1])


def test_what_mends_and_is_asked_for_scores_besides_keeps_all() -> None:
    def all_of(text: str, mentions: Sequence[tuple[int, int, str]], /) -> list[bool]:
        return [True] * len(mentions)

    model = shipped_model("en-fast")
    assert isinstance(model, EnsembleDetector)
    assert model.without_scores(but=all_of) is model
    assert model.without_scores() is not model


def test_a_model_mends_after_models_mend(tmp_path: Path) -> None:
    assert run(["models", "mend", "en-fast", "--out", str(tmp_path / "ours")]) == 0
    mended = load_model(str(tmp_path / "ours"))
    plain = shipped_model("en-fast")
    manifest = describe_model(str(tmp_path / "ours")).manifest
    assert is_mending(manifest)
    assert manifest.name == "ours"
    notes = [
        Document("1", "FACILITY: Mercy Hospital        Springfield\nSeen by DRNAKAGAWA.\n"),
        Document("2", "Patient: Frank Blake\nDr. Blake called. Frank Blake is stable.\n"),
    ]
    unmended = replace(manifest, config={**manifest.config, "spans": "as-tagged"})
    assert not is_mending(unmended)
    for note, found, before in zip(notes, mended.detect(notes), plain.detect(notes), strict=True):
        again = mend(note.text, before, "en")
        assert [(one.start, one.end, one.label) for one in found] == [
            (one.start, one.end, one.label) for one in again
        ]


def test_a_dutch_model_spares_terms_alone() -> None:
    text = "Kreeg metformine van Dr. Blake.\nBlake belde."
    doubtful = Span(6, 16, "NAME", score=0.6)
    persons = (Span(25, 30, "NAME", score=0.6), Span(32, 37, "INITIALS", score=0.6))
    assert mend(text, [doubtful, *persons], "nl") == persons
    assert is_mending(mending_manifest(load_artifact_model(load_artifact(find_model("nl")))))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"labels": ("DATE",)}, "no labels DOCTOR and PATIENT"),
        ({"language": "xx"}, "no clinical terms to spare in 'xx'"),
        ({"kind": "tbed"}, "a model of rules"),
    ],
)
def test_other_models_are_refused(change: dict[str, Any], told: str) -> None:
    model = load_artifact_model(load_artifact(find_model("en-fast")))
    other = SimpleNamespace(manifest=replace(model.manifest, **change))
    with pytest.raises(ConfigError, match=told):
        mending_manifest(cast("Any", other))


def test_an_unknown_model_leaves_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["models", "mend", "no-such-model", "--out", str(tmp_path / "m")]) == 2
    assert not (tmp_path / "m").exists()
