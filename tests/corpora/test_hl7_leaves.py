"""HL7 v2: what is taken out of a message, what stays, and what both tell of the patient."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.corpora.hl7 import echo, render_message
from scrubjay.document import Document
from tests.corpora.hl7_messages import MESSAGE, MSH, documents, edited, parts, read_messages, result


def test_dates_keep_their_precision(tmp_path: Path) -> None:
    (document,) = documents(tmp_path, MESSAGE)
    message = edited(document, MSH_7="2019-01-02", OBX_14="2019-07", PID_7="1956")
    assert "|20190102101500-0500|" in message
    assert message.split("OBX|2")[1].split("\r")[0].endswith("|201907")
    assert "||1956|F|" in message


@pytest.mark.parametrize(
    ("kind", "value", "test"),
    [("NM", "00481516", "1^MRN^L"), ("IS", "Tranter", "1^x^L"), ("IS", "00481516", "1^x^L"),
     ("NM", "95", "00481516^x^L")],
)  # fmt: skip
def test_codes_that_show_the_patient_are_left_out(kind: str, value: str, test: str) -> None:
    (document,) = read_messages(result(kind, value, test))
    message = render_message(document)
    line = message.split("\rOBX")[1]
    assert "00481516" not in line
    assert "Tranter" not in line
    assert echo(document) == document.text
    assert read_messages(message)[0].text == document.text


def test_family_names_in_pieces_are_known() -> None:
    whole = f"{MSH}\rPID|1||7||van den Berg-Roe&van den&Berg&&Roe^Jan^P\r"
    (document,) = read_messages(whole)
    (name,) = document.metadata["source.known"].names
    assert (name.given, name.family, name.others) == (
        ("Jan",),
        ("Berg", "Roe"),
        ("van den Berg-Roe",),
    )
    assert render_message(document) == whole


def test_particles_of_a_family_name_in_pieces_stay(tmp_path: Path) -> None:
    name = "van der Berg&van der&Berg&de&Boer^Ann"
    (document,) = documents(tmp_path, f"{MSH}\rPID|||||{name}^^^^^L\r")
    assert parts(document)["PID-5.1"] == ["van der Berg", "Berg", "Boer"]
    assert render_message(document) == f"{MSH}\rPID|||||{name}^^^^^L\r"
    (known,) = document.metadata["source.known"].names
    assert known.family == ("Berg", "Boer")
    (document,) = documents(tmp_path, f"{MSH}\rPID|||||Berg&Anders&Berg^Ann^^^^^L\r")
    assert "Anders" in document.text


@pytest.mark.parametrize(
    ("test", "is_text"),
    [("1^Culture Tranter leg^LN", True), ("1^Tranter^L", True), ("1^Ada Tranter^L", True),
     ("1^Callback 570-555-0144^L", True), ("1^Seen by Dr. Okonkwo^99LAB", True),
     ("1^x^LN^2^Clinic of Dr. Okonkwo^L", True), ("1^Chidi Okonkwo^L", True),
     ("1^Call 570-555-0144^LN", True), ("1^19500203^LN", True),
     ("2951-2^Sodium in serum or plasma^LN", False), ("NA^Sodium^L", False), ("K^Kell^L", False),
     ("WBC^White cells^LN", False), ("FY^Duffy Fya^L", False)],
)  # fmt: skip
def test_displays_that_may_tell_of_persons_areread_messages(test: str, is_text: bool) -> None:
    whole = result("NM", "95", test).replace("^Q", "^WHITE")
    (document,) = read_messages(whole)
    assert any(name.startswith("OBX-3") for name in parts(document)) is is_text
    assert render_message(document) == whole
    assert echo(document) == document.text


def test_a_display_that_has_a_new_name_by_chance_reads_back() -> None:
    (document,) = read_messages(result("NM", "1", "FY^Duffy Fya^L"))
    text = document.text.replace("TRANTER", "DUFFY")
    changed = Document(document.id, text, (), document.metadata)
    assert read_messages(render_message(changed))[0].text == echo(changed)


def test_an_authority_that_is_a_facility_of_the_message_is_replaced() -> None:
    whole = (
        f"{MSH}\rPID|1||7^^^STJUDE^MR~8^^^NATL^SS||TRANTER^ADA\rPV1|1|I|5W^2^A^STJUDE||||"
        "1^ROE^TOM^^^^^^STJUDE&1.2.3&ISO\r"
    )
    (document,) = read_messages(whole)
    assert render_message(document) == whole
    changed = Document(
        document.id, document.text.replace("STJUDE", "KRJWHE"), (), document.metadata
    )
    new = render_message(changed)
    assert new == whole.replace("STJUDE", "KRJWHE")
    assert read_messages(new)[0].text == echo(changed) == changed.text


def test_an_authority_that_is_the_new_facility_by_chance_reads_back() -> None:
    (document,) = read_messages("MSH|^~\\&|LAB|STJUDE\rPID|1||7^^^NATL^MR||TRANTER^ADA\r")
    text = document.text.replace("STJUDE", "NATL")
    changed = Document(document.id, text, (), document.metadata)
    assert read_messages(render_message(changed))[0].text == echo(changed)


def test_the_type_of_a_facilitys_number_stays() -> None:
    whole = (
        f"{MSH}\rPID|1||7^^^ST JUDE&1.2.3&ISO^MR||TRANTER^ADA\rPV1|1|I|5W^2^A^ST JUDE&1.2.3&ISO||||"
        "1^ROE^TOM^^^^^^NPI&2.16.8&ISO\r"
    )
    (document,) = read_messages(whole)
    assert render_message(document) == whole
    assert "ISO" not in document.text
    changed = Document(
        document.id, document.text.replace("ST JUDE", "KR JWHE"), (), document.metadata
    )
    assert render_message(changed) == whole.replace("ST JUDE", "KR JWHE")
    assert read_messages(render_message(changed))[0].text == echo(changed) == changed.text


@pytest.mark.parametrize(
    ("value", "unit"), [("NM|30525-0^Age^LN||93", "a"), ("SN|X^Patient age^L||>^93", "years"),
                        ("ST|X^x^L^29553-5^Age calc^LN||93", ""), ("NM|A^Edad^L||93", "años")],
)  # fmt: skip
def test_results_that_are_ages_are_ages(value: str, unit: str, tmp_path: Path) -> None:
    line = f"OBX|1|{value}|{unit}|||||F"
    (document,) = documents(tmp_path, f"{MSH}\r{line}\r")
    (kind,) = {part["kind"] for part in document.metadata["record.parts"]
               if document.text[part["start"] : part["end"]] == "93"}  # fmt: skip
    assert kind == "age"
    assert render_message(document) == f"{MSH}\r{line}\r"
    for new, written in (("67", "67"), ("90+", ""), ("[AGE-1]", "")):
        text = document.text.replace("93", new)
        edited = Document(document.id, text, (), document.metadata)
        assert render_message(edited) == f"{MSH}\r{line.replace('93', written)}\r"
        assert echo(edited).count(new) == bool(written)


@pytest.mark.parametrize(
    "value",
    ["NM|718-7^Hb^LN||93|a", "NM|X^Gestational age^LN||33|wk", "NM|30525-0^Age^LN||93|mo",
     "NM|30525-0^Age^LN||93.5.1|a", "CE|30525-0^Age^LN||93|a"],
)  # fmt: skip
def test_other_results_are_no_ages(value: str, tmp_path: Path) -> None:
    (document,) = documents(tmp_path, f"{MSH}\rOBX|1|{value}|||||F\r")
    assert "age" not in {part["kind"] for part in document.metadata["record.parts"]}


@pytest.mark.parametrize(
    "line",
    [
        "OBR|1" + "|" * 22 + "20230120",
        "OBX|1|NM|X^x^L||20230120",
        "OBX|1|IS|X^x^L||20230120",
        "PV2||20230120103000",
        "OBX|1|DT|X^x^L||20230120",
    ],
)
@pytest.mark.parametrize("new", ["2023", "[DATE-1]", "2023-02-14"])
def test_days_among_codes_may_become_years(line: str, new: str, tmp_path: Path) -> None:
    (document,) = documents(tmp_path, f"{MSH}\r{line}\r")
    assert document.text.count("2023-01-20") == 1
    text = document.text.replace("2023-01-20", new)
    edited = Document(document.id, text, (), document.metadata)
    echo(edited)
    assert "20230120" not in render_message(edited)
