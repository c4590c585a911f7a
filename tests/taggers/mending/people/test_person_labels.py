"""Who is who: labels of persons change by what a text tells of them, and nothing else does."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.artifacts import Manifest, load_artifact
from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Span
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.models import find_model
from scrubjay.taggers._mending.people import person_labels
from scrubjay.taggers._mending.people.contexts import Contexts, number_contexts
from scrubjay.taggers._mending.people.person_labels import (
    PersonLabels,
    choose_labels,
    find_person_labels,
    require_person_labels,
    tell_persons,
)
from scrubjay.taggers.kinds import load_artifact_model
from scrubjay.taggers.mending import mend, mend_all
from scrubjay.taggers.mending_models import mending_manifest, read_trust
from tests.taggers.mending_samples import marked_texts


def told(marked: str, language: str = "en", *, trust: float = 1.0) -> list[str]:
    """Return the labels of the mentions of a text, each in tags of the label that was found."""
    document = parse_inline(marked)
    (spans,) = tell_persons([document.text], [document.spans], language, trust=trust)
    return [span.label for span in spans]


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("Seen by Dr. <PATIENT>Okafor</PATIENT> on the ward.", "DOCTOR"),
        ("Discussed with Dr <PATIENT>Ana Petrov</PATIENT>, cardiology.", "DOCTOR"),
        ("Plan agreed.\n\nElectronically signed by <PATIENT>Jane Okafor</PATIENT>, MD\n", "DOCTOR"),
        ("Her husband <DOCTOR>Wilbur</DOCTOR> was at the bedside.", "PATIENT"),
        ("Patient: <DOCTOR>Okafor, Jane</DOCTOR>\nDOB: 1/2/1970\n", "PATIENT"),
    ],
)
def test_a_person_is_what_the_words_around_say(marked: str, label: str) -> None:
    assert told(marked) == [label]


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        (
            "Valorado por la Dra. <NOMBRE_SUJETO_ASISTENCIA>Ibarra</NOMBRE_SUJETO_ASISTENCIA>.",
            "NOMBRE_PERSONAL_SANITARIO",
        ),
        (
            "Nombre: <NOMBRE_PERSONAL_SANITARIO>Jacinta</NOMBRE_PERSONAL_SANITARIO>.\n"
            "Apellidos: Ibarra.\n",
            "NOMBRE_SUJETO_ASISTENCIA",
        ),
        (
            "Vive con su hija <NOMBRE_SUJETO_ASISTENCIA>Jacinta</NOMBRE_SUJETO_ASISTENCIA>.",
            "FAMILIARES_SUJETO_ASISTENCIA",
        ),
    ],
)
def test_a_person_is_what_spanish_words_around_say(marked: str, label: str) -> None:
    assert told(marked, "es") == [label]


def test_words_for_relatives_are_left_as_they_are() -> None:
    tag = "FAMILIARES_SUJETO_ASISTENCIA"
    assert told(f"Firmado: Dr. <{tag}>hija</{tag}>.", "es", trust=0) == [tag]


def test_labels_that_are_trusted_most_stay() -> None:
    assert told("Seen by Dr. <PATIENT>Okafor</PATIENT>.", trust=20.0) == ["PATIENT"]


@given(marked_texts(), st.sampled_from([0.0, 1.0, 3.0]))
def test_only_labels_of_persons_change(marked: tuple[str, list[Span]], trust: float) -> None:
    text, spans = marked
    (found,) = tell_persons([text], [tuple(spans)], "en", trust=trust)
    assert [replace(span, label="") for span in found] == [replace(s, label="") for s in spans]
    persons = {"PATIENT", "DOCTOR"}
    assert [s.label for s in found if s.label not in persons] == [
        s.label for s in spans if s.label not in persons
    ]


@given(st.lists(marked_texts(), max_size=4))
def test_texts_tell_nothing_of_each_other(marked: list[tuple[str, list[Span]]]) -> None:
    texts = [text for text, _ in marked]
    found = [tuple(spans) for _, spans in marked]
    assert tell_persons(texts, found, "en", trust=1.0) == [
        tell_persons([text], [spans], "en", trust=1.0)[0]
        for text, spans in zip(texts, found, strict=True)
    ]


def choose_one_by_one(
    known: PersonLabels, contexts: Contexts, before: list[int], trust: float
) -> list[list[float]]:
    """Return the log-odds of each person, worked out person by person."""
    odds = [
        [
            sum(int(known.weights[number, label]) for number in row) * known.step
            + known.offsets[label]
            + trust * (label == own)
            for label in range(len(known.labels))
        ]
        for row, own in zip(number_contexts(contexts).tolist(), before, strict=True)
    ]
    even = 1 / len(known.labels)
    shares = [[np.exp(one) / np.exp(row).sum() - even for one in row] for row in odds]
    given: list[list[float]] = []
    words = [person[4:] for person in contexts.people]
    text_of = np.repeat(range(len(contexts.notes)), np.diff(contexts.firsts))
    for n, row in enumerate(odds):
        own = {*words[n]} - {0}
        same = [m for word in own for m in range(len(odds)) if m != n and word in words[m]]
        others = [m for m in range(len(odds)) if m != n and text_of[m] == text_of[n]]
        given.append(
            [
                one
                + known.same * sum(shares[m][k] for m in same) / max(len(same), 1) ** 0.5
                + known.others * sum(shares[m][k] for m in others) / max(len(others), 1)
                for k, one in enumerate(row)
            ]
        )
    return given


@given(st.lists(marked_texts(), min_size=1, max_size=3))
def test_all_at_once_are_chosen_as_one_by_one(marked: list[tuple[str, list[Span]]]) -> None:
    known = find_person_labels("en")
    contexts, before = Contexts(), []
    for text, spans in marked:
        people = [span for span in spans if span.label in known.labels]
        if people:
            contexts.add(text, [(span.start, span.end) for span in people], "en")
            before += [known.labels.index(span.label) for span in people]
    if before:
        for is_on in (False, True) if find_spec("numba") else (False,):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(person_labels, "use_compiled", lambda *_, is_on=is_on, **__: is_on)
                chosen = choose_labels(known, contexts, np.array(before), trust=1.0).tolist()
            for label, odds in zip(
                chosen, choose_one_by_one(known, contexts, before, 1.0), strict=True
            ):
                assert odds[label] == pytest.approx(max(odds))


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_shipped_is_small_and_holds_no_words(language: str) -> None:
    file = resources.files("scrubjay.resources").joinpath("persons", f"{language}.npz")
    with file.open("rb") as stream, np.load(stream) as arrays:
        assert len(file.read_bytes()) < 200_000
        texts = [name for name in arrays if arrays[name].dtype.kind not in "iuf"]
        assert texts == ["labels"]
        assert set(arrays["labels"].tolist()) == set(find_person_labels(language).labels)


def test_a_language_of_which_nothing_is_shipped_is_refused() -> None:
    with pytest.raises(ConfigError, match="in 'nl'"):
        find_person_labels("nl")
    with pytest.raises(ConfigError, match="no labels PATIENT"):
        require_person_labels("en", ["DOCTOR", "DATE"])


def test_mending_tells_persons_where_a_manifest_asks_for_it() -> None:
    document = parse_inline("Her husband <DOCTOR>Wilbur</DOCTOR> was at the bedside.")
    text, spans = document.text, document.spans
    assert [span.label for span in mend(text, spans, "en")] == ["DOCTOR"]
    (found,) = mend_all([text], [spans], "en", trust=1.0)
    assert [span.label for span in found] == ["PATIENT"]


def manifest_of(model: str) -> Any:
    return load_artifact_model(load_artifact(find_model(model)))


def test_a_manifest_tells_how_far_labels_are_trusted() -> None:
    model = manifest_of("en-fast")
    assert read_trust(mending_manifest(model, trust=1.5)) == 1.5
    plain: Manifest = replace(model.manifest, config={"spans": "mended"})
    assert read_trust(plain) is None
    for wrong in ("1.5", True, -1, 21, float("nan")):
        with pytest.raises(ArtifactError, match="not by a number"):
            read_trust(replace(plain, config={"persons": wrong}))
    with pytest.raises(ConfigError, match="0 to 20 log-odds"):
        mending_manifest(model, trust=-1.0)
    with pytest.raises(ConfigError, match="in 'nl'"):
        mending_manifest(manifest_of("nl-fast"), trust=1.0)
