"""HL7 v2: messages come back character for character, and their texts are what people read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora import write_corpus
from scrubjay.corpora._hl7_forms import FORMS
from scrubjay.corpora.hl7 import FORMAT, echo, render_message
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import AlteredTextError, FormatError, OutputError
from scrubjay.known.identifiers import VALUE_KINDS
from scrubjay.text.hl7_fields import SEGMENTS, TYPES, VALUES
from tests.corpora.hl7_messages import MESSAGE, MSH, documents, edited, parts, read_messages, result

CANARY = "Wilhelmina"
STARTS = ("MSH", "FHS", "BHS", "BTS", "FTS")


def test_fields_are_texts_and_identifiers(tmp_path: Path) -> None:
    (document,) = documents(tmp_path, MESSAGE)
    found = parts(document)
    assert found["PID-5"] == ["TRANTER, ADA Q"]
    assert found["PID-7"] == ["1956-03-04"]
    assert found["PID-3.1"] == ["00481516", "77"]
    assert found["OBX-5"] == [
        "Ms. Tranter, seen by Dr. Hollowell.\nBP 120^80 & \u2005well\u2004\r\nNext \\ line"
    ]
    assert found["NTE-3"] == ["a", "b ", " c Jo \u2028 C:\ue000temp"]
    assert "OBX-14" in found
    assert document.metadata["patient"] == "00481516"
    kinds = {part["name"]: part["kind"] for part in document.metadata["record.parts"]}
    assert (kinds["PV1-7"], kinds["NK1-2"], kinds["OBX-5"]) == ("staff", "relative", "")
    known = document.metadata["source.known"]
    assert repr(known) == "PatientIdentifiers(2 names, 8 values, 1 dates of birth)"


def test_what_is_not_edited_comes_back_character_for_character(tmp_path: Path) -> None:
    text = MESSAGE.replace("\\X4A6F\\", "Jo")
    for end, frame in (("\r", ""), ("\n", ""), ("\r\n", "\x0b"), ("\r", "\ufeff\x0b")):
        whole = frame + text.replace("\r", end) + ("\x1c\r" if frame else "") + end
        (document,) = documents(tmp_path, whole)
        assert render_message(document) == whole
        assert echo(document) == document.text


def test_files_of_many_messages(tmp_path: Path) -> None:
    whole = f"FHS|^~\\&|A\rBHS|^~\\&|A\r{MESSAGE}{MESSAGE}BTS|2\rFTS|1\r"
    found = documents(tmp_path, whole)
    assert [document.id for document in found] == [f"m-{number}" for number in range(1, 7)]
    write_corpus(found, tmp_path / "out", format="hl7")
    text = (tmp_path / "out" / "m.hl7").read_bytes().decode()
    assert text == whole.replace("\\X4A6F\\", "Jo")


def test_files_are_compared_as_they_are_written_and_read_before(tmp_path: Path) -> None:
    found = documents(tmp_path, f"FHS|^~\\&|A\r{MESSAGE}\r\n{MESSAGE}")
    new = [
        Document(each.id, each.text.replace("TRANTER", "WEAVER"), (), each.metadata)
        for each in found
    ]
    write_corpus(new, tmp_path / "out", format="hl7")
    again = FORMAT.reread(Source(tmp_path / "out" / "m.hl7", "m.hl7", "m"))
    assert list(again) == [(FORMAT.echo(each), ()) for each in new]
    assert all("WEAVER" in echo(each) for each in new[1:])


def test_a_new_text_that_would_be_none_is_told_before_it_is_written() -> None:
    (document,) = read_messages(f"{MSH}\rNTE|1||Seen\r")
    text = document.text.replace("Seen", '""')  # HL7's sign for nothing
    with pytest.raises(AlteredTextError):
        FORMAT.echo(Document(document.id, text, (), document.metadata))


def test_new_texts_are_written_in_their_fields(tmp_path: Path) -> None:
    (document,) = documents(tmp_path, MESSAGE)
    message = edited(
        document, PID_5="[PATIENT-1]", PID_7="[DATE-1]", PV1_7="WEAVER, PETER", OBX_5="a|b^c~d\ne"
    )
    assert "||[PATIENT-1]^^^^Ms||||F|" not in message
    assert "|[PATIENT-1]^^^^Ms||" + "|F|" in message
    assert "1234^WEAVER^PETER^^^Dr" in message
    assert "|a\\F\\b\\S\\c\\R\\d\\.br\\e|" in message


UNKNOWN = MSH + "\rZPD|1|Wilhelmina\rOBX|1|ED|X||^PDF^^Base64^AAAA\r"


def test_unknown_segments_and_files(tmp_path: Path) -> None:
    (failing,) = documents(tmp_path, UNKNOWN)
    assert failing.metadata["source.refused"] == "no table knows the segment ZPD"
    (dropped,) = documents(tmp_path, UNKNOWN, unknown="drop")
    assert render_message(dropped) == MSH + "\rOBX|1|ED|X||\r"
    (read_as_text,) = documents(tmp_path, UNKNOWN, unknown="text")
    assert CANARY in parts(read_as_text)["ZPD-2"]
    assert render_message(read_as_text) == UNKNOWN


LINES = [CANARY, f"{CANARY} was here.", "LEE", "PIDs of Dr. Lee|17", "dr. Lee|17"]


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_is_no_segment_is_text_as_a_whole(line: str, tmp_path: Path) -> None:
    message = f"{MSH}\rOBX|1|TX|X||Seen by\r{line}\r"
    (document,) = documents(tmp_path, message, unknown="text")
    assert line.partition("|")[0] in document.text
    assert render_message(document) == message


@pytest.mark.parametrize("unknown", ["fail", "text"])
def test_a_segment_without_fields_is_no_text(unknown: str, tmp_path: Path) -> None:
    message = f"{MSH}\rEVN\rOBX|1|TX|X||Seen by\rNTE\r"
    (document,) = documents(tmp_path, message, unknown=unknown)
    assert "EVN" not in document.text
    assert "NTE" not in document.text
    assert render_message(document) == message


BROKEN = {
    "no header": (f"PID|1||{CANARY}\r", "does not begin with a header"),
    "delimiters": (f"MSH|||{CANARY}\r", "declares no delimiters"),
    "same": (f"MSH|^^|{CANARY}\r", "declares no delimiters"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_messages(case: str, tmp_path: Path) -> None:
    text, message = BROKEN[case]
    with pytest.raises(FormatError, match=message) as caught:
        documents(tmp_path, text)
    assert CANARY not in str(caught.value)


def test_other_documents_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="was not read from hl7"):
        write_corpus([Document("a", CANARY)], tmp_path / "out", format="hl7")


def test_every_rule_of_the_tables_is_known() -> None:
    plain = {"keep", "text", "empty", "date", "value", "display", "facility", "mark", *FORMS}
    kinds = {"name", "relative", "staff", "id", *VALUE_KINDS}
    for rules in SEGMENTS.values():
        for rule in rules.values():
            kind, _, own = rule.partition(":")
            assert kind in plain | kinds | set(TYPES)
            assert not own or own in kinds
    for rule in VALUES.values():
        assert rule.partition(":")[0] in plain | kinds | set(TYPES)
    for rules in TYPES.values():
        assert set(rules.values()) <= plain | kinds | {"*", "family", "given", "middle"}


@pytest.mark.parametrize("name", sorted(set(SEGMENTS).difference(STARTS)))
def test_a_sentence_stays_in_displays_of_codes_alone(name: str) -> None:
    sentence = f"{CANARY} Quackenbush called"
    for component in range(1, 14):
        for separator in ("|", "|~"):
            body = separator + "^" * (component - 1) + sentence
            (document,) = read_messages(f"{MSH}\r{name}{body * 80}\r", unknown="text")
            assert render_message(document).count(CANARY) >= 1
            kept = "".join(
                item
                for item in document.metadata["source.skeleton"]["items"]
                if isinstance(item, str)
            )
            shown = [number for number, each in enumerate(kept.split("|")) if CANARY in each]
            coded = sum(rule == "CODE" for rule in SEGMENTS[name].values())
            assert len(shown) <= (coded if component in (2, 5) else 0), component


FEED = "\r".join(
    [
        MSH.replace("ORU^R01", "ADT^A01"),
        "PID|1||00481516^^^General Hospital^MR||TRANTER^ADA",
        "ROL|R1|AD|PP^Primary care^X|8812^Quist^Peter|20200101||||||12 Elm Rd^^Ellery^NY|555-9999",
        "PV1|1|I||||||||||||||||||SELF^20240301",
        "IN2|E99|123-45-6789||||MCR1|DOE^JANE|MCD9" + "|" * 32 + "HOLLISTER^MAY",
        "SCH|P44|F55|||^Dr Quist clinic|^Follow up|FU^Follow-up|^Dr Quist|30|min"
        "|^^30^202403120900|8812^Quist^Peter|555-9999",
        "RGS|1|A|R7^Quist Peter",
        "AIS|1|A|^Dr Quist new visit|202403120900|0|min",
        "AIG|1|A|8812^QUIST, PETER|MD",
        "AIL|1|A|CL1^R3^^SM|^Room 3",
        "AIP|1|A|8812^Quist^Peter|PCP",
        "CON|1|SURG^Surgery|F7|C7|I, Ada Tranter, consent." + "|" * 19 + "ROE^TOM",
        "FT1|1|T99|B7|20240305|20240306|CG|93000^ECG^CPT|ECG of Ada||1|125.00&USD||CARD",
        "ACC|20240304|MVA|Corner of Elm and 5th||||||Tom Roe",
        "PDA|^Arrest|W7^12|Y|20240306|1234^HOLLOWELL^JOHN",
        "",
    ]
)


def test_segments_of_ordinary_feeds(tmp_path: Path) -> None:
    (document,) = documents(tmp_path, FEED)
    assert "source.refused" not in document.metadata
    assert render_message(document) == FEED
    assert echo(document) == document.text
    found = parts(document)
    told = document.metadata["record.parts"]
    kinds = {(part["name"], part["kind"]) for part in told}
    assert {
        ("PID-3.4", "organization"), ("ROL-4", "staff"), ("ROL-11.1", "street"),
        ("ROL-12.1", "phone"), ("PV1-20.2", "date"), ("IN2-2", "ssn"), ("IN2-7", "relative"),
        ("IN2-8", "plan"), ("IN2-40", "relative"), ("SCH-1.1", "id"), ("SCH-5.2", ""),
        ("SCH-8.2", ""), ("SCH-12", "staff"), ("SCH-13.1", "phone"), ("RGS-3.2", "id"),
        ("AIS-3.2", ""), ("AIG-3.2", "id"), ("AIL-3.1", "id"), ("AIP-3", "staff"), ("CON-5", ""),
        ("CON-24", "relative"), ("FT1-2", "id"), ("FT1-4.1", "date"), ("FT1-8", ""),
        ("ACC-3", ""), ("ACC-9", "relative"), ("PDA-5", "staff"),
    } <= kinds  # fmt: skip
    assert found.keys().isdisjoint(["FT1-11.1", "SCH-9", "AIS-5"])
    known = document.metadata["source.known"]
    assert {"HOLLISTER", "ROE", "DOE"} <= {name for one in known.names for name in one.family}


IDENTIFYING = {
    "ORC-8": ("P40001&EPIC^F70002&LAB", "P40001 F70002"),
    "OBR-29": ("P40001&EPIC^F70002&LAB", "P40001 F70002"),
    "SPM-2": ("S1001&EPIC^S2002&LAB", "S1001 S2002"),
    "SPM-3": ("S1001&EPIC^S2002&LAB", "S1001 S2002"),
    "PV1-30": ("20240922", "20240922"),
    "IN1-51": ("20240922", "20240922"),
    "PRB-16": ("20240922", "20240922"),
    "ORC-27": ("202409220930", "20240922"),
    "TXA-22": ("9912^Quist^Peter^^^^MD^^A^^^^NPI^^202409221014", "9912 Quist 20240922"),
    "RXA-11": ("^^^C12^^^^^118 Birch Lane^Flat 4^Ellery^MN^55128", "Birch Flat Ellery 55128"),
    "RXO-8": ("W7^^^^^^^^118 Birch Lane&Flat 4&Ellery", "W7 Birch Flat Ellery"),
    "UB2-13": ("D8827164", "D8827164"),
    "NK1-2": ("ROE^TOM^^^^^^^^^^^^^Tommy", "ROE TOM Tommy"),
    "PID-11": ("^^^^^^^^^^^^^^^^^^Tom Roe", "Roe"),
    "OBX-4": ("20240922", "20240922"),
    "PV2-35": ("20240922101500-0500", "20240922"),
}


@pytest.mark.parametrize("field", sorted(IDENTIFYING))
def test_nothing_that_identifies_is_taken_for_a_code_or_a_text(field: str) -> None:
    """Of a kind, too: a model that sees nothing around a number knows none."""
    raw, identifying = IDENTIFYING[field]
    name, _, number = field.partition("-")
    (document,) = read_messages(f"{MSH}\r{name}{'|' * int(number)}{raw}\r", unknown="text")
    items = document.metadata["source.skeleton"]["items"]
    kept = "".join(item for item in items if isinstance(item, str))
    assert not any(word in kept for word in identifying.split())
    told = [part for part in document.metadata["record.parts"] if part["name"].startswith(field)]
    assert all(part["kind"] for part in told)
    assert render_message(document).count(raw) == 1


fields = st.text(st.sampled_from("aB1 .,^~&\\|HNXE\ue000é\"'|||"), max_size=24)


@settings(max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(sorted(SEGMENTS)), fields), max_size=5))
def test_random_messages_come_back(segments: list[tuple[str, str]]) -> None:
    lines = [f"{name}|{body}" for name, body in segments if name not in ("MSH", "FHS", "BHS")]
    lines = [line for line in lines if line[:3] not in ("FTS", "BTS")]
    whole = "\r".join([MSH, *lines, ""])
    kept = [line for line in whole.split("\r") if "\\X" not in line]
    whole = "\r".join(kept)
    (document,) = read_messages(whole, unknown="text")
    for part in document.metadata["record.parts"]:
        assert 0 <= part["start"] < part["end"] <= len(document.text)
    assert _without_empties(render_message(document)) == _without_empties(whole)
    assert echo(document) == document.text


def _without_empties(message: str) -> str:
    """Return a message without the fields that are always left out, such as MSH-8."""
    lines = []
    for line in message.split("\r"):
        rules = SEGMENTS.get(line[:3], {})
        if any(rule == "empty" or rule.startswith(("CX", "XON", "XCN")) for rule in rules.values()):
            continue
        lines.append(line)
    return "\r".join(lines)


@pytest.mark.parametrize(
    ("kind", "value"),
    [("NM", "95"), ("NM", "120/80"), ("NM", "-1.5E3"), ("NM", "1,200,000"), ("NM", "1.234.567"),
     ("NM", "70-99"), ("SN", ">^100"), ("SN", "^1^:^1280"), ("TM", "101500"), ("TM", "10:15"),
     ("IS", "POS"), ("ID", "A+"), ("NM", "1234567"), ("NM", "10 - 20")],
)  # fmt: skip
def test_results_stay(kind: str, value: str) -> None:
    (document,) = read_messages(result(kind, value))
    assert "OBX-5" not in parts(document)
    assert f"||{value}||" in render_message(document)


@pytest.mark.parametrize(
    ("kind", "value"),
    [("NM", "555-010-0147"), ("NM", "19560304"), ("NM", "03/04/1956"), ("NM", "1956-03-04"),
     ("NM", "4.3.1956"), ("NM", "123-45-6789"), ("NM", "123456789"), ("NM", "+31 6 12345678"),
     ("SN", "0123456789"), ("IS", "Ada Tranter"), ("ID", "see Dr. Roe"), ("TM", "Wilhelmina")],
)  # fmt: skip
def test_what_is_no_result_isread_messages(kind: str, value: str) -> None:
    whole = result(kind, value)
    (document,) = read_messages(whole)
    assert "OBX-5" in parts(document)
    assert render_message(document) == whole
    assert echo(document) == document.text
    for new in ("[X-1]", "POS", "95", "Eve Roe", ""):
        separator = document.metadata["source.separator"]
        texts = document.text.split(separator)
        texts[-1] = new
        changed = Document(document.id, separator.join(texts), (), document.metadata)
        (again,) = read_messages(render_message(changed))
        assert again.text == echo(changed)


def test_titles_stay_and_names_beside_them_do_not() -> None:
    whole = f"{MSH}\rPID|1||7||TRANTER^ADA^Q^Jr^Ms^MD\rPV1|1|I|||||1^ROE^TOM^^III^Professor^Ph.D.\r"
    (document,) = read_messages(whole)
    assert set(parts(document)) == {"MSH-4.1", "MSH-6.1", "MSH-7", "MSH-10", "PID-3.1", "PID-5",
                                    "PV1-7.1", "PV1-7"}  # fmt: skip
    (document,) = read_messages(whole.replace("Jr", CANARY))
    assert parts(document)["PID-5.4"] == [CANARY]
    again = edited(document, PID_5_4="Jo")
    assert "^Jo^Ms^" in again.replace(CANARY, "Jo")


@pytest.mark.parametrize(
    ("value", "is_code"),
    [("570-555-0144", False), ("(570)555-0144", False), ("+31612345678", False),
     ("06-12345678", False), ("612-345-678", False), ("5705550144", False), ("V100233", True),
     ("0049-0050-66", True), ("12345-678-90", True), ("S72.001A", True), ("11490-0", True)],
)  # fmt: skip
def test_telephones_are_no_codes(value: str, is_code: bool) -> None:
    for whole in (
        result("IS", value),
        result("CE", f"{value}^x^L"),
        result("NM", "1", f"{value}^x^L"),
    ):
        (document,) = read_messages(whole)
        assert (value not in document.text) is is_code
        assert echo(document) == document.text
    (document,) = read_messages(result("NM", "1", "5705550144^x^SCT"))
    assert "5705550144" not in document.text


def test_fields_for_anything_hold_numbers_and_texts() -> None:
    fields = "|".join(["OBR", "1", *[""] * 16, "RM512", "Dr Quist", "TRANTER", "5W-12"])
    (document,) = read_messages(f"{MSH}\r{fields}\r")
    kind = {part["name"]: part["kind"] for part in document.metadata["record.parts"]}
    assert [kind[f"OBR-{number}"] for number in range(18, 22)] == ["id", "", "", "id"]


def test_times_in_codes_are_dates() -> None:
    for line in ("SCH|A||||||||30|MIN^x^x^202406200900", "PV1|1|I|||||1^ROE^TOM^^^^^^^^^^20240620"):
        (document,) = read_messages(f"{MSH}\r{line}\r")
        assert document.text.count("2024-06-20") == 1
    (document,) = read_messages(f"{MSH}\rDG1|1||20240620^x^SCT\r")
    assert "2024-06-20" not in document.text


def test_repeated_fields_for_anything_read_back_as_they_are_replaced() -> None:
    fields = "|".join(["OBR", "1", *[""] * 16, "RM512~RM513"])
    (document,) = read_messages(f"{MSH}\r{fields}\r")
    for new in ("***", "XXXXX", "two words"):
        text = document.text.replace("RM512", new).replace("RM513", new)
        changed = Document(document.id, text, (), document.metadata)
        assert read_messages(render_message(changed))[0].text == echo(changed) == text


@pytest.mark.parametrize("system", ["SCT", "SNOMED", "SNOMED-CT", "SNOMED CT", "SNOMEDCT_US"])
def test_numbers_of_snomed_are_no_telephones(system: str) -> None:
    whole = result("CE", f"734881000^Fear of falling^{system}")
    (document,) = read_messages(whole)
    assert "734881000" not in document.text


def test_names_in_the_place_of_codes_of_names_are_names(tmp_path: Path) -> None:
    pid = "PID|||||ROE^ANN^^^^^L^MUÑOZ~ROE^A^^^^^M^A^^^G\rPV1|1|I|||||1^LEE^TOM^^^^^^^QUILL"
    (document,) = documents(tmp_path, f"{MSH}\r{pid}\r")
    kinds = {document.text[part["start"] : part["end"]]: part["kind"]
             for part in document.metadata["record.parts"]}  # fmt: skip
    assert kinds["MUÑOZ"] == "name"
    assert kinds["QUILL"] == "staff"
    assert not {"L", "M", "A", "G"} & kinds.keys()
