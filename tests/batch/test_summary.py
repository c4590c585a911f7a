"""The summary of a run: documents in another language than the model, and files not read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrubjay.batch.summary import NAMED, RunSummary, Tally
from scrubjay.deidentifier import Failure
from scrubjay.document import Document


def summary(language: str, languages: dict[str, int] | None) -> RunSummary:
    return RunSummary(
        "deid", 100, 1000, {}, (), 1.0, "model", None, "out",
        language=language, languages=languages,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("language", "languages", "strange"),
    [
        ("en", {"en": 95, "nl": 5}, {"nl": 5}),
        ("en", {"en": 96, "nl": 4}, {}),
        ("en", {"de": 1, "nl": 1}, {"de": 1, "nl": 1}),
        ("en", {}, {}),
        ("en", None, {}),
        # Of a language that nobody tells apart from the others, a guess says nothing.
        ("pl", {"pt": 9}, {}),
        ("", {"en": 9}, {}),
    ],
)
def test_one_document_in_twenty_is_worth_a_warning(
    language: str, languages: dict[str, int] | None, strange: dict[str, int]
) -> None:
    found = summary(language, languages)
    assert found.strange == strange
    assert found.to_json()["languages"] == languages


def test_all_files_that_are_passed_over_are_counted_and_the_first_named() -> None:
    tally = Tally()
    for number in range(NAMED + 3):
        tally.pass_over(f"{number}.docx")
    assert tally.passed_over == NAMED + 3
    assert tally.passed_names == [f"{number}.docx" for number in range(NAMED)]
    assert summary("en", None).to_json()["passed_over"] == 0
    assert summary("en", None).to_json()["passed_names"] == []


def test_documents_and_characters_are_those_that_are_done() -> None:
    tally = Tally()
    documents = tally.reading([Document("a", "x" * 5), Document("b", "y" * 7)])
    assert [next(documents).id, next(documents).id] == ["a", "b"]
    assert tally.counts() == {"documents": 0, "characters": 0, "spans": 0, "failures": 0}
    tally.add(5, {"DATE": 2}, {})
    tally.fail(7, Failure("b", "detect", "DetectionError"))
    assert tally.counts() == {"documents": 2, "characters": 12, "spans": 2, "failures": 1}


def test_rates_are_of_what_the_run_did_itself() -> None:
    whole = summary("en", None).to_json()
    assert (whole["documents_per_second"], whole["characters_per_second"]) == (100, 1000)
    some = replace(summary("en", None), resumed=60, resumed_characters=400).to_json()
    assert (some["documents_per_second"], some["characters_per_second"]) == (40, 600)


@pytest.mark.parametrize(
    ("patients", "apart"),
    [("", 0), ("aabb", 0), ("aba", 1), ("abab", 2), ("abbac", 1), ("a-a", 1), ("a--", 0)],
)
def test_documents_that_do_not_follow_those_of_their_patient_are_counted(
    patients: str, apart: int
) -> None:
    def patient_of(document: Document) -> str:
        if document.text == "-":
            raise KeyError
        return document.text

    documents = [Document(str(number), each) for number, each in enumerate(patients)]
    tally = Tally()
    assert list(tally.reading(documents, patient_of=patient_of)) == documents
    assert tally.apart == apart
    assert summary("en", None).to_json()["patients_apart"] == 0
