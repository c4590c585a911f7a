"""The engine: what a request asks for stands around the model, and failures spoil nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.deidentifier import Failure
from scrubjay.document import Span
from scrubjay.known.identifiers import PatientIdentifiers
from scrubjay.known.reading import collect_identifiers
from scrubjay.web.engine import Engine, EngineSetup, Found, Job, JobDocument

REGISTER = "patient,name\np1,Ada Zorblatt\n"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """Return an engine with a register of one patient."""
    register = tmp_path_factory.mktemp("register") / "known.csv"
    register.write_text(REGISTER, "utf-8")
    return setup(register).make()


def setup(register: Path | None, **settings: object) -> EngineSetup:
    policies = {"placeholder": "placeholder", "surrogate": "surrogate"}
    models = {"en-fast": "en-fast"}
    return EngineSetup(models, policies, b"k" * 32, register, **settings)  # type: ignore[arg-type]


def ask(engine: Engine, *documents: JobDocument, policy: str = "placeholder") -> list[str]:
    """Return the new text of each document, or the code of its failure."""
    answer = engine.answer(Job("deidentify", documents, "en-fast", policy))
    return [
        each.code if isinstance(each, Failure) else each.text or "" for each in answer
    ]  # fmt: skip


def known(name: str) -> PatientIdentifiers:
    return collect_identifiers({"name": [name]}, language="en", path=None, place="")


def test_a_patient_of_the_register_is_removed_and_another_fails(engine: Engine) -> None:
    found = ask(
        engine,
        JobDocument("seen: zorblatt", patient="p1"),
        JobDocument("seen: zorblatt", patient="p2"),
        JobDocument("seen: zorblatt"),
    )
    assert "zorblatt" not in found[0]
    assert found[1:] == ["UnknownPatientError"] * 2


def test_identifiers_of_the_request_join_those_of_the_register(engine: Engine) -> None:
    text = "seen: zorblatt and quackenbush"
    (both,) = ask(engine, JobDocument(text, patient="p1", known=known("Zeb Quackenbush")))
    assert "zorblatt" not in both
    assert "quackenbush" not in both
    (own,) = ask(engine, JobDocument(text, known=known("Zeb Quackenbush")))
    assert "quackenbush" not in own


def test_identifiers_of_one_document_are_not_those_of_another() -> None:
    engine = setup(None).make()
    documents = [
        JobDocument("seen: quackenbush", known=known("Zeb Quackenbush")),
        JobDocument("seen: quackenbush"),
    ]
    answer = engine.answer(Job("detect", tuple(documents), "en-fast"))
    sources = [
        {span.source for span in each.spans} for each in answer if isinstance(each, Found)
    ]  # fmt: skip
    assert "known:name" in sources[0]
    assert "known:name" not in sources[1]


def test_surrogates_of_a_patient_agree_and_texts_without_id_differ(engine: Engine) -> None:
    spans = (Span(5, 13, "DATE", source="given"),)
    one, other = "p1", ""
    identifiers = known("Ada Zorblatt")

    def shifted(text: str, patient: str) -> str:
        document = JobDocument(text, patient=patient, known=identifiers, spans=spans)
        return ask(engine, document, policy="surrogate")[0][:24]

    dates = [shifted(f"seen 3/4/2019 {word}", one) for word in ("a", "b", "c")]
    assert len({date[5:].split(" ")[0] for date in dates}) == 1
    others = [shifted(f"seen 3/4/2019 {word}", other) for word in ("a", "b", "c", "d", "e")]
    assert len({date[5:].split(" ")[0] for date in others}) > 1


def test_neighbours_of_one_patient_are_proved_together(engine: Engine) -> None:
    identifiers = known("Ada Zorblatt")
    spans = (Span(0, 8, "CITY", source="given"),)
    found = ask(
        engine,
        JobDocument("Quackville it was", patient="p1", spans=spans, known=identifiers),
        JobDocument("in Quackville again", patient="p1", known=identifiers),
    )
    assert "Quackville" not in found[1]


def test_nothing_shows_text_or_key() -> None:
    document = JobDocument("Ann Lee", known=known("Ann Lee"))
    shown = repr((Job("detect", (document,), "en-fast"), document, setup(None), Found((), "Ann")))
    assert "Ann" not in shown
    assert "kkkk" not in shown
