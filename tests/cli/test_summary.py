"""What a run shows at its end: what was written and what was not, in words that cannot mislead."""

from __future__ import annotations

from typing import Any

import pytest

from scrubjay.batch.summary import RunSummary
from scrubjay.cli._summary import SHOWN_FILES, show_summary, tell_place
from scrubjay.deidentifier import Failure


def shown(capsys: pytest.CaptureFixture[str], **facts: Any) -> str:
    """Return what is shown of a run of three documents with six mentions, but for `facts`."""
    usual: dict[str, Any] = {
        "command": "deid", "documents": 3, "characters": 90, "labels": {"DATE": 6}, "failures": (),
        "seconds": 1.5, "model": "toy", "policy": "mask", "output": "clean",
        "proof": {"searched": 6, "kept": 2, "short": 0, "common": 1}, "read_back": 3,
    }  # fmt: skip
    show_summary(RunSummary(**{**usual, **facts}))
    output = capsys.readouterr()
    assert output.out == ""
    return output.err


def failed(count: int) -> tuple[Failure, ...]:
    return tuple(Failure(f"n{number}", "prove", "LeakError") for number in range(count))


def test_what_was_done_stands_in_two_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys).splitlines()[-2:] == [
        "3 documents, 0 failed; 90 characters in 1.50 s (2.0 documents/s); written to clean",
        "proved: in 3 documents all that was found is replaced, but for 2 mentions that the policy "
        "keeps; of 6 mentions no copy is left elsewhere in the text; of others no copy was looked "
        "for, as it may stand there by right: 1 everyday word. Of PHI that was not found this "
        "tells nothing",
    ]


def test_one_is_no_plural_and_no_exceptions_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, documents=1, characters=1, labels={"DATE": 1}, proof={"searched": 1})
    assert "1 document, 0 failed; 1 character in" in lines
    assert "proved: in 1 document all that was found is replaced; of 1 mention no copy" in lines
    assert "left elsewhere in the text. Of PHI that was not found this tells nothing" in lines


def test_every_exception_has_words_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    proof = {"searched": 6, "short": 1_041, "common": 2, "allowed": 3, "chance": 4, "term": 5}
    lines = shown(capsys, proof=proof)
    assert "elsewhere in the text (alike by chance: 4, part of a clinical term: 5); " in lines
    assert "by right: 1,041 too short to tell, " in lines
    assert " 2 everyday words, 3 on the allow-list. " in lines
    assert "chance" not in shown(capsys)


def test_files_that_were_there_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "already" not in shown(capsys)
    told = "1 other file was in the output folder already and was not touched\n"
    assert told in shown(capsys, other_files=1)
    told = "1,200 other files were in the output folder already and were not touched\n"
    assert told in shown(capsys, other_files=1_200)


@pytest.mark.parametrize("output", ["-", "clean"])
def test_where_nothing_was_written_nothing_says_so(
    output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for facts in (
        {"failures": failed(3), "labels": {}, "proof": {}},
        {"documents": 0, "characters": 0, "labels": {}, "proof": {}},
    ):
        lines = shown(capsys, output=output, **facts)
        assert "; no document was written\n" in lines
        assert "written to" not in lines
        assert "proved" not in lines
        assert "none left" not in lines


def test_where_some_failed_the_rest_is_proved(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, failures=failed(2))
    assert "3 documents, 2 failed" in lines
    assert "written to clean" in lines
    assert "proved: in 1 document all" in lines
    assert "failed: 'n1' (prove: LeakError)" in lines


def test_standard_output_has_its_name() -> None:
    assert tell_place("-", written=1) == "written to standard output"
    assert tell_place("clean", written=2) == "written to clean"
    assert tell_place("clean", written=0) == "no document was written"


@pytest.mark.parametrize("count", [0, 1, SHOWN_FILES, SHOWN_FILES + 1200])
def test_files_that_were_not_read_are_told(count: int, capsys: pytest.CaptureFixture[str]) -> None:
    names = tuple(f"{number}.docx" for number in range(min(count, 100)))
    lines = shown(capsys, passed_over=count, passed_names=names)
    if not count:
        assert "warning" not in lines
        return
    (line,) = [line for line in lines.splitlines() if line.startswith("warning")]
    told = "1 file of another kind was" if count == 1 else f"{count:,} files of other kinds were"
    assert line.startswith(f"warning: {told} not read; PHI in ")
    assert line.count(".docx") == min(count, SHOWN_FILES)
    assert (" and 1,200 more. PDF and" in line) == (count > SHOWN_FILES)
    assert line.endswith("are read once text is made of them (pdftotext, soffice)")
    lines = shown(capsys, passed_over=1, passed_names=("a.png",))
    assert "pdftotext" not in lines


def test_names_that_no_screen_can_show_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, passed_over=2, passed_names=("a\nb.docx", "half\ud83d.png"))
    assert "neither found nor removed: 'a\\nb.docx', 'half\\ud83d.png'" in lines


def test_what_stays_beside_the_texts_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "as they were" not in shown(capsys)
    kept: dict[str, Any] = {"facts": {"keep_columns": ["doctor", "lab_*"]}}
    told = "columns kept as they were, not searched: 'doctor', 'lab_*'"
    short = ". A single name of two or three letters in them is not warned of"
    assert shown(capsys, **kept).splitlines()[-1] == told + short
    lines = shown(capsys, **kept, with_ids=True).splitlines()
    assert lines[-1] == f"{told}; nor were the ids of documents{short}"
    lines = shown(capsys, with_ids=True).splitlines()
    assert lines[-1] == "ids of documents stand as they were, not searched"
    assert "as they were" not in shown(capsys, **kept, with_ids=True, proof=None)
    assert "as they were" not in shown(capsys, **kept, with_ids=True, failures=failed(3))


def test_documents_that_were_taken_over_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, resumed=2, resumed_characters=60)
    assert "3 documents, 0 failed; " in lines
    told = "resumed: 2 documents came from the interrupted run, 1 is new; the rate is that of"
    assert told in lines
    assert "resumed" not in shown(capsys)
    assert " in 1.50 s (0.7 documents/s); " in lines


def test_the_start_is_told_apart_from_the_rate(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, documents=30, seconds=1.5, startup_seconds=5.04)
    assert " in 1.50 s (20 documents/s, after 5.0 s to start); " in lines
    assert "to start" not in shown(capsys)


def test_columns_that_were_read_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    columns = {"text": ["a", "b"], "id": ["nr"], "delimiter": ["\t"], "rows": 9, "slight": 0}
    lines = shown(capsys, columns=columns, facts={"patient_key": "subject"})
    told = "read: text from 'a', 'b', id from 'nr', patient from 'subject'; separated by a tab\n"
    assert told in lines
    assert "warning" not in lines
    assert "read: " not in shown(capsys)


def test_a_column_of_nearly_no_texts_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    columns = {"text": ["nr"], "id": [], "delimiter": [";"], "rows": 1_000, "slight": 990}
    lines = shown(capsys, columns=columns)
    assert "read: text from 'nr'; separated by ';'\n" in lines
    told = "warning: 990 of 1,000 texts are empty, numbers, or a word or two: does 'nr' hold the "
    assert told in lines


@pytest.mark.parametrize(
    ("languages", "first", "told"),
    [
        ({"nl": 3}, "nl", "of 3 documents 3 look to be in Dutch. Most of"),
        ({"nl": 1}, "nl", "of 3 documents 1 looks to be in Dutch, and 2 tell no language. Most of"),
        ({"nl": 1, "es": 1}, "", "1 looks to be in Spanish, 1 in Dutch, and 1 tells no language."),
        # Few tell anything by themselves, and those are not all.
        ({}, "nl", "the first documents look to be in Dutch"),
        ({"en": 1}, "nl", "the first documents look to be in Dutch"),
        ({"en": 2}, "nl", ""),
        ({"en": 2}, "en", ""),
        ({"en": 2, "nl": 1}, "en", "of 3 documents 1 looks to be in Dutch. Most of its PHI"),
    ],
)
def test_documents_of_other_languages_are_counted_among_all(
    languages: dict[str, int], first: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(capsys, language="en", languages=languages, first_language=first)
    assert told in lines
    assert ("the model reads English" in lines) == bool(told)


def test_documents_of_another_language_than_the_others_are_to_be_run_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    facts: dict[str, Any] = {
        "documents": 41, "language": "en", "languages": {"en": 40, "es": 1},
        "language_ids": {"en": ["e1", "e2"], "es": ["s1"]}, "first_language": "en",
    }  # fmt: skip
    told = (
        "note: the model reads English; of 41 documents 1 looks to be in Spanish ('s1'). Most of "
        "its PHI may have been missed. Run it alone, not the others, into another folder: with "
        "--model es or es-fast\n"
    )
    assert told in shown(capsys, **facts)
    facts["languages"] = {"en": 20, "es": 8, "fr": 1}
    facts["language_ids"] = {"es": [f"s{number}" for number in range(8)], "fr": ["f"]}
    told = (
        "warning: the model reads English; of 41 documents 8 look to be in Spanish ('s0', 's1', "
        "'s2', 's3', 's4' and 3 more, see the summary), 1 in French ('f'), and 12 tell no "
        "language. Most of their PHI may have been missed. Run those alone, not the others, into "
        "another folder: with --model es or es-fast for Spanish, a --model of your own for French\n"
    )
    assert told in shown(capsys, **facts)


def test_models_of_languages_that_are_hardly_there_are_not_advised(
    capsys: pytest.CaptureFixture[str],
) -> None:
    languages = {"nl": 90, "es": 1}
    lines = shown(capsys, documents=100, language="en", languages=languages, first_language="nl")
    assert "90 look to be in Dutch, 1 in Spanish, and 9 tell no language." in lines
    assert "Give --model nl" in lines
    assert "es-fast" not in lines


def test_columns_that_are_left_out_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    columns: dict[str, Any] = {
        "text": ["text"], "id": [], "delimiter": [","], "rows": 3, "slight": 0,
        "left_out": ["mrn", "ward"], "left_out_others": 1,
    }  # fmt: skip
    told = "left out, not in the output: 'mrn', 'ward' and 1 other; --keep-column NAME copies one"
    assert told in shown(capsys, columns=columns)
    told = "left out, not in the output: 2 columns; --keep-column NAME"
    assert told in shown(capsys, columns={**columns, "left_out": [], "left_out_others": 2})
    many = [f"lab{number}" for number in range(12)]
    told = "'lab9' and 3 others; --keep-column NAME"
    assert told in shown(capsys, columns={**columns, "left_out": many})
    assert "left out" not in shown(
        capsys, columns={**columns, "left_out": [], "left_out_others": 0}
    )


def test_an_input_without_text_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "warning" not in shown(capsys)
    empty: dict[str, Any] = {"characters": 0, "labels": {}}
    assert "warning: no document holds any text\n" in shown(capsys, **empty)
    assert "warning: standard input held no text\n" in shown(
        capsys, output="-", documents=1, **empty
    )
    assert "any text" not in shown(capsys, failures=failed(3), **empty)


def test_dates_that_may_be_read_either_way_are_warned_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "3/4/2012" not in shown(capsys)
    assert "3/4/2012" not in shown(capsys, proof={"searched": 6, "date-order:dmy": 3})
    told = (
        "warning: nothing tells what dates such as 3/4/2012 are in 1 document: they were shifted "
        "as month and day"
    )
    end = ". Say it with --date-order mdy, or dmy where the day comes first\n"
    assert told + end in shown(capsys, proof={"date-order:open": 1})
    proof = {"date-order:open": 1, "date-order:dmy": 12, "date-order:mdy": 1}
    others = "; of the others 12 put the day and 1 puts the month first"
    assert told + others + end in shown(capsys, proof=proof)
    seven = {"date-order:open": 7}
    named = shown(capsys, proof=seven, open_dates=tuple("abcdefg"))
    assert "are in 7 documents ('a', 'b', 'c', 'd', 'e' and 2 more, see the summary): " in named


def test_documents_in_which_a_short_name_may_stand_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "look at" not in shown(capsys)
    told = shown(capsys, proof={"short": 3, "short-name": 1}, short_names=("a",))
    assert "look at 1 document ('a'): a name of two or three letters" in told


def test_dates_that_were_read_as_most_others_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    look = {"looked": 1_000, "dmy": 120, "mdy": 1, "both": 2, "usual": "dmy"}
    facts = {"date_look": look}
    assert "3/4/2012" not in shown(capsys, facts=facts)
    proof = {"date-order:open": 2, "date-order:dmy": 200}
    told = shown(capsys, facts=facts, proof=proof)
    assert "warning" not in told
    assert told.endswith(
        "dates such as 3/4/2012 were read as day and month in 2 documents of which nothing else "
        "tells it: of 1,000 documents looked at before the run 120 put the day and 1 puts the "
        "month first\n"
    )
    unclear = shown(capsys, facts={"date_look": {**look, "usual": None}}, proof=proof)
    assert "they were shifted as month and day; of the others 200 put the day first" in unclear


@pytest.mark.parametrize(("count", "told"), [(1, "1 document does"), (1_200, "1,200 documents do")])
def test_patients_whose_documents_stand_apart_are_told(
    count: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "their patient" not in shown(capsys)
    line = shown(capsys, patients_apart=count).splitlines()[-1]
    assert line.startswith(f"warning: {told} not follow the others of their patient: ")
    assert line.endswith("or give files, no stream, and --gather-patients (but for HL7 and FHIR)")
    line = shown(capsys, patients_apart=count, facts={"gather_patients": True}).splitlines()[-1]
    assert line.endswith("brings those of one file together: put all of a patient into one")
