"""The XML formats: what the official tools see, what is kept, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, EncodingError, FormatError, InputError, SpanError

CANARY = "Wilhelmina"
TAG = '<NAME id="P0" start="0" end="10" text="Wilhelmina" TYPE="PATIENT" comment="" />'


def i2b2(text: str = CANARY, tags: str = TAG, head: str = "") -> str:
    return f"{head}<deIdi2b2>\n<TEXT><![CDATA[{text}]]></TEXT>\n<TAGS>\n{tags}\n</TAGS></deIdi2b2>"


def write(folder: Path, content: str | bytes, name: str = "a.xml") -> Path:
    data = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(data)
    return folder / name


def read_one(path: Path, **options: str) -> Document:
    (document,) = read_corpus(path, **options)
    return document


def test_i2b2(tmp_path: Path) -> None:
    document = read_one(write(tmp_path, i2b2()))
    assert document.id == "a"
    assert document.text == CANARY
    assert document.spans == (Span(0, 10, "PATIENT"),)
    assert document.metadata["source.format"] == "i2b2"
    assert document.metadata["source.path"] == "a.xml"


def test_files_of_ngrid_2016_have_their_own_root_and_keep_it(tmp_path: Path) -> None:
    path = write(tmp_path, i2b2().replace("deIdi2b2>", "NGRID_deId>"))
    document = read_one(path)
    assert (document.text, document.spans) == (CANARY, (Span(0, 10, "PATIENT"),))
    assert document.metadata["source.format"] == "i2b2"
    write_corpus([document], tmp_path / "again", format="i2b2")
    written = (tmp_path / "again" / "a.xml").read_text("utf-8")
    assert "\n<NGRID_deId>\n" in written
    assert written.endswith("\n</NGRID_deId>\n")
    assert read_one(tmp_path / "again" / "a.xml") == document


def test_a_root_that_the_format_does_not_know_is_not_written(tmp_path: Path) -> None:
    write_corpus([Document("a", "x", (), {"xml.root": "r><x"})], tmp_path, format="i2b2")
    assert "\n<deIdi2b2>\n" in (tmp_path / "a.xml").read_text("utf-8")


def test_line_ends_of_the_file_are_those_that_official_tools_see(tmp_path: Path) -> None:
    path = write(tmp_path, i2b2("a\r\nb\rc", ""))
    assert read_one(path).text == "a\nb\nc"
    assert etree.parse(path).findtext("TEXT") == "a\nb\nc"


def test_carriage_returns_of_a_text_are_written_outside_of_cdata(tmp_path: Path) -> None:
    write_corpus([Document("a", "x\r\ny", (Span(0, 4, "DATE"),))], tmp_path, format="i2b2")
    raw = (tmp_path / "a.xml").read_bytes()
    assert b"<![CDATA[x]]>&#13;<![CDATA[\ny]]>" in raw
    assert b'text="x&#13;&#10;y"' in raw
    assert b"\r" not in raw
    assert etree.fromstring(raw).findtext("TEXT") == "x\r\ny"


def test_the_end_of_cdata_may_stand_in_a_text(tmp_path: Path) -> None:
    write_corpus([Document("a", "x]]>y]]]>]]>")], tmp_path, format="i2b2")
    assert read_one(tmp_path / "a.xml").text == "x]]>y]]]>]]>"


def test_tags_keep_ids_comments_order_and_further_attributes(tmp_path: Path) -> None:
    tags = (
        '<DATE id="P7" start="5" end="9" text="2019" TYPE="DATE" comment="sure" who="A" />\n'
        '<PHI id="P3" start="0" end="4" text="Anna" TYPE="PATIENT" comment="" />\n'
        '<DOCTOR id="P4" start="0" end="4" text="Anna" />'
    )
    document = read_one(write(tmp_path, i2b2("Anna 2019", tags)))
    assert [span.label for span in document.spans] == ["DOCTOR", "PATIENT", "DATE"]
    more = document.with_spans([*document.spans, Span(5, 7, "IDNUM")])
    write_corpus([more], tmp_path / "out", format="i2b2")
    written = etree.parse(tmp_path / "out" / "a.xml").find("TAGS")
    assert written is not None
    assert [(tag.tag, *tag.attrib.values()) for tag in written] == [
        ("DATE", "P7", "5", "9", "2019", "DATE", "sure", "A"),
        ("PHI", "P3", "0", "4", "Anna", "PATIENT", ""),
        ("DOCTOR", "P4", "0", "4", "Anna"),
        ("ID", "P8", "5", "7", "20", "IDNUM", ""),
    ]
    fewer = document.with_spans(document.spans[-1:])
    write_corpus([fewer], tmp_path / "fewer", format="i2b2")
    assert b"P3" not in (tmp_path / "fewer" / "a.xml").read_bytes()


def test_ordinary_tags_leave_no_metadata(tmp_path: Path) -> None:
    assert "xml.tags" not in read_one(write(tmp_path, i2b2())).metadata


def test_metadata_that_are_no_tags_are_passed_over(tmp_path: Path) -> None:
    tags = [
        "x",
        {"element": "A B", "start": 0, "end": 1},
        {"element": "DATE", "start": 0, "end": 1, 'on"x': "1"},
        {"element": "DATE", "start": "0", "end": 1},
        {"element": "DATE", "start": 0, "end": 1, "comment": "\0"},
    ]
    document = Document("a", "1", (Span(0, 1, "DATE"),), {"xml.tags": tags})
    write_corpus([document], tmp_path, format="i2b2")
    assert (
        b'<DATE id="P0" start="0" end="1" text="1" TYPE="DATE" comment="" />'
        in (tmp_path / "a.xml").read_bytes()
    )


@pytest.mark.parametrize(
    ("label", "element"),
    [
        ("DOCTOR", "NAME"),
        ("DATE", "DATE"),
        ("LOCATION", "LOCATION"),
        ("FECHAS", "OTHER"),
    ],
)
def test_elements_are_main_categories(label: str, element: str, tmp_path: Path) -> None:
    write_corpus([Document("a", "x", (Span(0, 1, label),))], tmp_path, format="i2b2")
    assert f'<{element} id="P0"'.encode() in (tmp_path / "a.xml").read_bytes()


def test_the_label_set_can_be_named(tmp_path: Path) -> None:
    document = Document("a", "x", (Span(0, 1, "FECHAS"),))
    write_corpus([document], tmp_path, format="i2b2", label_set="meddocan")
    assert b'<DATE id="P0"' in (tmp_path / "a.xml").read_bytes()


def test_a_file_without_tags_has_no_spans(tmp_path: Path) -> None:
    document = read_one(write(tmp_path, "<deIdi2b2><TEXT>a &amp; b<!-- c --></TEXT></deIdi2b2>"))
    assert (document.text, document.spans) == ("a & b", ())
    assert read_one(write(tmp_path, "<deIdi2b2><TEXT/></deIdi2b2>", "b.xml")).text == ""


def test_the_copy_of_a_text_may_differ_in_white_space_alone(tmp_path: Path) -> None:
    tag = '<NAME id="P0" start="0" end="5" text="a\nb c" TYPE="PATIENT" />'
    assert read_one(write(tmp_path, i2b2("a\nb c", tag))).spans
    path = write(tmp_path, i2b2(f"x{CANARY}"))
    with pytest.raises(FormatError, match=r"line 4, tag 1: .*\[0, 10\) PATIENT") as caught:
        read_one(path)
    assert CANARY not in str(caught.value)
    assert read_one(path, text_check="ignore").spans
    with pytest.raises(ConfigError, match="error, ignore"):
        read_one(path, text_check="lenient")


BAD: dict[str, tuple[str | bytes, type[InputError], str]] = {
    "unclosed": (i2b2()[:-4], FormatError, r"a\.xml, line \d+, column \d+: malformed XML"),
    "mismatch": (f"<deIdi2b2><{CANARY}></deIdi2b2>", FormatError, r"ERR_TAG_NAME_MISMATCH"),
    "entity": (i2b2().replace("<![CDATA[", "&who;<![CDATA["), FormatError, "ERR_UNDECLARED"),
    "root": (f"<{CANARY}/>", FormatError, r"line 1: not a <deIdi2b2> or <NGRID_deId> file"),
    "no text": ("<deIdi2b2><TAGS/></deIdi2b2>", FormatError, "no <TEXT>"),
    "elements": ("<deIdi2b2><TEXT><b>x</b></TEXT></deIdi2b2>", FormatError, "<TEXT> must hold"),
    "number": (i2b2(tags=TAG.replace('"10"', f'"{CANARY}"')), FormatError, "line 4, tag 1"),
    "no start": (i2b2(tags='<DATE end="1"/>'), FormatError, "start and end"),
    "outside": (i2b2("short"), SpanError, r"line 4, tag 1: the span \[0, 10\) PATIENT ends bey"),
    "empty": (i2b2(tags='<DATE start="3" end="3"/>'), SpanError, r"\[3, 3\) DATE is empty"),
    "negative": (i2b2(tags='<DATE start="-3" end="3"/>'), SpanError, r"\[-3, 3\) DATE"),
    "bytes": (i2b2().encode().replace(b"Wil", b"W\xe9l"), EncodingError, r"byte 27"),
    "utf-16": (i2b2().encode("utf-16")[:-1], EncodingError, "not utf-16 text"),
    "nothing": ("", FormatError, "not a <deIdi2b2> or <NGRID_deId> file"),
}


@pytest.mark.parametrize("case", BAD)
def test_broken_files_name_file_and_place_and_no_text(case: str, tmp_path: Path) -> None:
    content, kind, message = BAD[case]
    with pytest.raises(kind, match=message) as caught:
        read_one(write(tmp_path, content), format="i2b2")
    assert "a.xml" in str(caught.value)
    assert CANARY not in str(caught.value)


BOMB = '<!DOCTYPE deIdi2b2 [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>\n'


@pytest.mark.parametrize("name", ["i2b2", "meddocan-xml", "i2b2-2006"])
def test_own_entities_are_refused(name: str, tmp_path: Path) -> None:
    root = {"i2b2": "deIdi2b2", "meddocan-xml": "MEDDOCAN", "i2b2-2006": "ROOT"}[name]
    for head in (BOMB, f"<?xml version='1.0'?>\n<!-- a -->\n{BOMB}"):
        path = write(tmp_path, f"{head}<{root}><TEXT>&b;</TEXT></{root}>")
        with pytest.raises(FormatError, match="declares its own entities"):
            list(read_corpus(path, format=name))
    utf16 = f"{BOMB}<{root}><TEXT>&b;</TEXT></{root}>".encode("utf-16")
    with pytest.raises(FormatError, match="declares its own entities"):
        list(read_corpus(write(tmp_path, utf16), format=name))


def test_external_entities_are_never_fetched(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text(CANARY)
    head = f'<!DOCTYPE deIdi2b2 SYSTEM "{tmp_path}/secret.txt">\n'
    assert read_one(write(tmp_path, i2b2("x", "", head))).text == "x"


def test_a_doctype_without_entities_is_fine(tmp_path: Path) -> None:
    assert read_one(write(tmp_path, i2b2(head="<!DOCTYPE deIdi2b2>\n<!-- x -->"))).text == CANARY


def test_declared_and_stated_encodings(tmp_path: Path) -> None:
    head = '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
    latin = i2b2("Peña", "", head).encode("latin-1")
    assert read_one(write(tmp_path, latin)).text == "Peña"
    undeclared = i2b2("Peña", "").encode("latin-1")
    assert read_one(write(tmp_path, undeclared), encoding="latin-1").text == "Peña"
    with pytest.raises(ConfigError, match="unknown encoding"):
        read_one(tmp_path / "a.xml", encoding="klingon")
    utf16 = i2b2("Peña", "").encode("utf-16")
    assert read_one(write(tmp_path, utf16), format="i2b2").text == "Peña"


def test_texts_beyond_ten_megabytes(tmp_path: Path) -> None:
    text = "word " * 2_100_000
    write_corpus([Document("a", text)], tmp_path, format="i2b2")
    assert read_one(tmp_path / "a.xml").text == text


def test_a_byte_order_mark_before_the_xml_is_no_text(tmp_path: Path) -> None:
    path = write(tmp_path, b"\xef\xbb\xbf" + i2b2("\ufeffx", "").encode())
    assert read_one(path).text == "\ufeffx"


RECORDS = """<?xml version="1.0" encoding="UTF-8"?>
<ROOT>
<RECORD ID="641">
<TEXT>
Seen by Dr. <PHI TYPE="DOCTOR">Lee &amp; Co</PHI> on <PHI TYPE="DATE">3/4</PHI>
</TEXT>
</RECORD>
<RECORD>
<TEXT></TEXT>
</RECORD>
</ROOT>
"""


def test_i2b2_2006(tmp_path: Path) -> None:
    first, second = read_corpus(write(tmp_path, RECORDS, "train.xml"))
    assert (first.id, second.id) == ("641", "train-2")
    assert first.text == "\nSeen by Dr. Lee & Co on 3/4\n"
    assert first.spans == (Span(13, 21, "DOCTOR"), Span(25, 28, "DATE"))
    assert second.text == ""


BAD_2006 = {
    "nested": (f'<PHI TYPE="A">{CANARY}<PHI TYPE="B">x</PHI></PHI>', "line 2: <PHI> must hold"),
    "other": (f"<b>{CANARY}</b>", "line 2: only PHI elements"),
    "untyped": (f"<PHI>{CANARY}</PHI>", "line 2: only PHI elements"),
    "empty": (f'{CANARY}<PHI TYPE="A"></PHI>', r"line 2: the span \[10, 10\) A is empty"),
    "open": (f'<PHI TYPE="A">{CANARY}', "malformed XML"),
}


@pytest.mark.parametrize("case", BAD_2006)
def test_broken_records(case: str, tmp_path: Path) -> None:
    inside, message = BAD_2006[case]
    path = write(tmp_path, f"<ROOT>\n<RECORD ID='1'><TEXT>{inside}</TEXT></RECORD></ROOT>")
    with pytest.raises(InputError, match=message) as caught:
        list(read_corpus(path, format="i2b2-2006"))
    assert CANARY not in str(caught.value)
    write(tmp_path, "<ROOT><RECORD ID='1'/></ROOT>")
    with pytest.raises(FormatError, match="without TEXT"):
        list(read_corpus(path, format="i2b2-2006"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("R&D", r"line 1, column \d+: .*write &amp; or &lt; there"),
        ("BP < 90", r"line 1, column \d+: .*write &amp; or &lt; there"),
        ("a&nbsp;b", r"line 1, column \d+: .*UNDECLARED_ENTITY.*write the character itself"),
        ("a\fb", r"line 1, column \d+: .*take this one out"),
    ],
)
@pytest.mark.parametrize("root", ["ROOT><RECORD", "deIdi2b2"])
def test_what_xml_cannot_hold_is_told_with_what_to_do(
    root: str, text: str, message: str, tmp_path: Path
) -> None:
    end = "</RECORD></ROOT>" if "RECORD" in root else f"</{root}>"
    with pytest.raises(FormatError, match=message) as caught:
        read_one(write(tmp_path, f"<{root}><TEXT>{CANARY} {text}</TEXT>{end}"))
    assert CANARY not in str(caught.value)


def test_records_stream(tmp_path: Path) -> None:
    """The first record is there before a later one breaks."""
    broken = RECORDS.replace("<RECORD>", "<RECORD><PHI>")
    stream = read_corpus(write(tmp_path, broken), format="i2b2-2006")
    assert next(stream).id == "641"
    with pytest.raises(FormatError, match="malformed XML"):
        next(stream)


def test_wrong_bytes_in_records(tmp_path: Path) -> None:
    data = RECORDS.encode()
    path = write(tmp_path, data.replace(b"Co", b"\xff\xff"))
    for options in ({}, {"encoding": "utf8"}):
        with pytest.raises(EncodingError, match=f"byte {data.index(b'Co')}"):
            list(read_corpus(path, format="i2b2-2006", **options))
    first, _ = read_corpus(path, format="i2b2-2006", encoding="latin-1")
    assert first.text == "\nSeen by Dr. Lee & ÿÿ on 3/4\n"
