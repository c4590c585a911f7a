"""Which column was meant, told without a name that may be text."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora import read_corpus
from scrubjay.corpora.columns import (
    describe_columns,
    looks_like_data,
    suggest_column,
    tells_nothing,
)
from scrubjay.errors import FormatError


@pytest.mark.parametrize(
    ("wanted", "names", "told"),
    [
        ("text", ["ID", "Text"], "Did you mean 'Text'? "),
        ("kliniek tekst", ["id", "Kliniek_Tekst"], "Did you mean 'Kliniek_Tekst'? "),
        ("note_txt", ["id", "Note_Text"], "Did you mean 'Note_Text'? "),
        ("kliniektekst", ["id", "Klinieksteksten"], "One of its columns has nearly that name. "),
        ("note_dat", ["note_id", "note_date", "note_text"], "Did you mean 'note_date'? "),
        ("note_i", ["note_date", "note_id"], "Did you mean 'note_id'? "),
        ("notes_txt", ["id", "Notes_Text"], "Did you mean 'Notes_Text'? "),
        ("jansen_id", ["jansens_id", "person_id"], "One of its columns has nearly that name. "),
        ("text", ["id", "body"], ""),
        ("_", ["-", "7"], ""),
        ("text", [], ""),
    ],
)
def test_the_column_that_was_meant(wanted: str, names: list[str], told: str) -> None:
    assert suggest_column(wanted, names) == told


def test_columns_are_described_by_the_names_that_tell_nothing() -> None:
    names = ["Patientnr", "Datum", "Notitie", "Jan Smith", "Seen by Dr. Lee."]
    assert describe_columns(names) == "5 columns (well known: 'Patientnr', 'Datum', 'Notitie')"
    assert describe_columns(["Smith"]) == "1 column (none of a well-known name)"
    many = describe_columns([f"lab_{number}" for number in range(50)])
    assert many.startswith("50 columns (well known: 'lab_0', ")
    assert many.endswith("'lab_39', ...)")


@pytest.mark.parametrize(
    ("name", "content"),
    [("t.csv", "id,Text\n1,x\n"), ("t.jsonl", '{"id": "1", "Text": "x"}\n')],
)
def test_tables_and_lines_tell_it(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(FormatError, match=r"there is no .*'text'\. Did you mean 'Text'\? The "):
        list(read_corpus(tmp_path / name))


def test_no_other_name_is_told(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Jansens,text\n1,x\n")
    with pytest.raises(FormatError, match="nearly that name") as caught:
        list(read_corpus(tmp_path / "t.csv", text_column="jansen"))
    assert "Jansens" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["ward", "WARD", "LabValue_2", "admission time", "Unnamed: 0", "fecha_nacimiento"]
)
def test_names_of_words_of_headers_may_be_shown(name: str) -> None:
    assert tells_nothing(name)


@pytest.mark.parametrize(
    "name", ["", "Smith", "Jan Smith", "Ward Smith", "1234567", "2019-03-04", "12", "x" * 50, "X-Y"]
)
def test_what_may_be_data_is_not_shown(name: str) -> None:
    assert not tells_nothing(name)


@pytest.mark.parametrize(
    "name",
    [
        "1234567", "MRN0012345", "3/4/2019", "seen 2019-03-04", "123", "a@b.org", "17.4",
        "Seen by Dr. Quill today.", "one\ntwo", "word " * 25,
        "7 May 1950", "May 7, 1950", "el 3 de marzo de 2021", "Mr Hank Pettigrew came", "Dr. Quill",
        "Mevr. Zandhof", "pt seen by quill", "Opal Quince was admitted", "Paciente que acude hoy",
    ],
)  # fmt: skip
def test_numbers_dates_and_sentences_look_like_data(name: str) -> None:
    assert looks_like_data(name)


@pytest.mark.parametrize(
    "name",
    [
        "", "0", "17", "ward", "Unnamed: 0", "lab_2", "HbA1c (mmol/mol)", "note 2019", "e-mail",
        "What brings you here today?", "I.D.", "A/B", "q1.2", "ICD-10", "COVID-19",
        "History of Present Illness", "Arterial Blood Pressure systolic", "Date Of Birth",
        "His bundle interval",
        "Dr Name", "Is the patient pregnant?", "MS onset", "MR findings", "Day 7 May",
        "Mayo score 12", "Seen by",
    ],
)  # fmt: skip
def test_names_of_columns_do_not(name: str) -> None:
    assert not looks_like_data(name)
