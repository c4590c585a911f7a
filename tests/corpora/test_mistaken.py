"""UTF-8 read in latin-1 would hide names: it is refused, and what is latin-1 is not."""

from __future__ import annotations

import io
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.cli import main as cli
from scrubjay.corpora import FORMATS, read_corpus, write_corpus
from scrubjay.corpora._mistaken import MOSTLY_UTF8, find_unicode, hold
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import EncodingError

NOTE = "Paciente: José Ibáñez, visto el 3/4."
OTHERS = ("hl7", "fhir", "parquet")
"""Formats that are not written from a text alone, or take no `encoding`."""


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso8859-15", "mac-roman", "gb18030"])
def test_utf8_is_not_read_in_another_encoding(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("plain ascii")
    (tmp_path / "b.txt").write_text(NOTE, encoding="utf-8")
    with pytest.raises(EncodingError, match=rf"b\.txt: is UTF-8, not {encoding}\.") as caught:
        list(read_corpus(tmp_path, encoding=encoding))
    assert "Jos" not in str(caught.value)
    assert "for all files of a run" in str(caught.value)


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in OTHERS])
def test_no_reader_takes_utf8_for_latin(name: str, tmp_path: Path) -> None:
    write_corpus([Document("a", NOTE)], tmp_path, format=name)
    with pytest.raises(EncodingError, match="is UTF-8, not latin-1"):
        list(read_corpus(tmp_path, format=name, encoding="latin-1"))


def test_hl7_takes_no_utf8_for_latin(tmp_path: Path) -> None:
    (tmp_path / "a.hl7").write_bytes(f"MSH|^~\\&|A|B\rNTE|1||{NOTE}\r".encode())
    with pytest.raises(EncodingError, match="is UTF-8, not latin-1"):
        list(read_corpus(tmp_path / "a.hl7", encoding="latin-1"))


@pytest.mark.parametrize("name", ["i2b2", "i2b2-2006", "meddocan-xml"])
@pytest.mark.parametrize("declared", ["ISO-8859-1", "windows-1252"])
def test_xml_that_declares_what_it_is_not(
    name: str, declared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus([Document("a", NOTE)], tmp_path, format=name)
    (path,) = tmp_path.iterdir()
    text = path.read_text(encoding="utf-8").replace("UTF-8", declared)
    path.write_text(text, encoding="latin-1")
    assert next(iter(read_corpus(path, format=name))).text == NOTE
    path.write_text(text, encoding="utf-8-sig")  # the mark overrules
    assert next(iter(read_corpus(path, format=name))).text == NOTE
    path.write_text(text, encoding="utf-8")
    assert next(iter(read_corpus(path, format=name, encoding="utf-8"))).text == NOTE
    stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(text.encode())))
    monkeypatch.setattr("sys.stdin", stdin)
    for place in (path, "-"):
        with pytest.raises(EncodingError, match=f"is UTF-8, not {declared}, which it declares"):
            next(iter(read_corpus(place, format=name)))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["text", "csv", "label-studio"])
def test_a_mark_of_unicode_is_not_read_as_letters(name: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes("plain".encode(encoding) + b"\xe9")  # not valid as a whole
    with pytest.raises(EncodingError, match=f"is {encoding[:6].rstrip('-').upper()}, not latin-1"):
        list(read_corpus(path, format=name, encoding="latin-1"))


@pytest.mark.parametrize("name", ["text", "jsonl", "csv", "label-studio", "i2b2-2006"])
def test_standard_input_is_held_to_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus([Document("a", NOTE)], tmp_path, format=name)
    data = next(path for path in tmp_path.iterdir()).read_bytes().decode()

    def read(encoding: str) -> list[str]:
        stdin = SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(data.encode(encoding))))
        monkeypatch.setattr("sys.stdin", stdin)
        return [each.text for each in read_corpus("-", format=name, encoding="latin-1")]

    assert read("latin-1") == [NOTE]
    with pytest.raises(EncodingError, match="standard input: is UTF-8, not latin-1"):
        read("utf-8")


def test_nothing_of_a_file_is_passed_on_before(tmp_path: Path) -> None:
    lines = [f'{{"id": {n}, "text": "{"x" * 200}"}}' for n in range(2_000)]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([*lines, '{"id": -1, "text": "é"}']), encoding="utf-8")
    with pytest.raises(EncodingError, match="is UTF-8"):
        next(iter(read_corpus(path, format="jsonl", encoding="latin-1")))


def test_bytes_are_counted_once(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": 1, "text": "Pe\xf1a"}\n')
    counts: list[int] = []
    source = Source(path, path.name, "a", counts.append)
    assert len(list(source.lines("latin-1", newline="\n"))) == 1
    assert sum(counts) == path.stat().st_size


@given(
    st.lists(
        st.sampled_from(["a", "é", "€", "😀", "Ж", "ł", " ", "ab" * 20]).map(str.encode)
        | st.sampled_from([b"\xe9", b"\xc3", b"\xf0\x9f"])
    ),
    st.binary(max_size=3),
    st.integers(1, 5),
    st.sampled_from(["latin-1", "koi8-r"]),
)
def test_chunks_do_not_matter(parts: list[bytes], tail: bytes, size: int, encoding: str) -> None:
    data = b"".join(parts) + tail
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    if not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\0\0\xfe\xff")):
        assert find_unicode(chunks, encoding) == find_unicode([data], encoding)
        assert find_unicode(chunks, "koi8-r") == _plain(data)
    found, stream = hold(io.BytesIO(data), encoding)  # type: ignore[arg-type]
    assert (found, stream.read()) == (find_unicode([data], encoding), data)


def _plain(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":
            return None
        text = data[: error.start].decode()
    return None if text.isascii() else "UTF-8"


STRAY = [b"\xe9", b"\xf1", b"\xc9", b"\xb1", b"\xa0", b"\x92", b"\xff", b"\xfc"]
WORDS = {
    "es": "paciente José Ibáñez PEÑA güera alergia miércoles MARÍA PERÚ JOSÉ CAMIÓN AQUÍ años 3º",
    "nl": "geïnsulteerd coëfficiënt Zoë één JOSÉ patiënt café CAFÉ RENÉ ruïne BELGIË 37°C maïs",
    "fr": "voilà déjà né Zoé élève ÉLÈVE forêt CANAPÉ OÙ À hôpital Noël âgée ÂGÉE NOËL garçon œil",
    "de": "Müller Straße GRÖẞE Spaß Fuß ÄRZTE Österreich für Übung groß GROSS Mäßig 5 µg Ä",
}
MARKS = [
    " ",
    " ",
    "\n",
    "\xa0",
    "\xa0»",
    "« ",
    "»",
    "«",
    "…",
    "’s",
    "”",
    "“",
    "–",
    "„",
    "¿",
    "!",
    "°",
]


@given(
    st.lists(st.sampled_from(" ".join(WORDS.values()).replace("ẞ", "ß").split()), min_size=1),
    st.lists(st.sampled_from(STRAY), min_size=1, max_size=3),
    st.data(),
)
def test_utf8_with_a_few_stray_bytes_is_not_latin(
    words: list[str], stray: list[bytes], data: st.DataObject
) -> None:
    rows = [f" {word} ".encode() for word in words]
    accents = [c for word in words for c in word if not c.isascii()]
    for bad in stray:
        rows.insert(data.draw(st.integers(0, len(rows))), bad + b" ")
    found = find_unicode([b"".join(rows)], "latin-1")
    if len(accents) > len(stray) and set(accents) != {"œ"}:
        assert found == MOSTLY_UTF8
    else:
        assert found is None


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso8859-15"])
@pytest.mark.parametrize("language", WORDS)
@given(data=st.data())
def test_true_western_text_is_not_taken_for_utf8(
    encoding: str, language: str, data: st.DataObject
) -> None:
    words = st.sampled_from(WORDS[language].split())
    pieces = data.draw(st.lists(st.tuples(words, st.sampled_from(MARKS), st.booleans())))
    text = "".join((word.upper() if upper else word) + mark for word, mark, upper in pieces)
    assert find_unicode([text.encode(encoding, "ignore")], encoding) != MOSTLY_UTF8


@given(
    st.binary(max_size=60) | st.text("éñ¿“Жłɠ日e\u0301 a😀").map(str.encode), st.binary(max_size=4)
)
def test_characters_and_stray_bytes_are_counted(text: bytes, tail: bytes) -> None:
    data = text + tail + text
    if not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\0\0\xfe\xff")):
        assert find_unicode([data], "cp1252") == _counted(data)


def _counted(data: bytes) -> str | None:
    """Return what `find_unicode` does, character by character."""
    if not _complete(data).decode("utf-8", "surrogateescape").isascii():
        return _weighed(_complete(data).decode("utf-8", "surrogateescape"))
    return None


def _complete(data: bytes) -> bytes:
    """Return the bytes without the beginning of a character at their end."""
    try:
        data.decode()
    except UnicodeDecodeError:
        for size in (1, 2, 3):
            tail = data[-size:]
            try:
                tail.decode()
            except UnicodeDecodeError as error:
                if error.reason == "unexpected end of data" and error.start == 0:
                    return data[:-size]
    return data


def _weighed(text: str) -> str | None:
    score = stray = sure = 0
    beside = [not c.isascii() and _kind(c) == "other" for c in text]
    for place, character in enumerate(text):
        kind = _kind(character)
        near = beside[place - 1 : place] + beside[place + 1 : place + 2]
        if kind == "western" or (kind == "other" and any(near)):
            sure, score = sure + 1, score + 1
        elif kind == "likely":
            score += 1
        elif kind == "other":
            score -= len(character.encode())
        elif kind == "stray":
            stray, score = stray + 1, score - 1
    if not stray:
        return "UTF-8"
    return MOSTLY_UTF8 if sure and score > 0 else None


def _kind(character: str) -> str:
    code = ord(character)
    if code < 0x80:
        return "ascii"
    if 0xDC80 <= code <= 0xDCFF:
        return "stray"
    if 0xA0 <= code <= 0xFF or 0x2010 <= code <= 0x2026 or 0x2030 <= code <= 0x203A:
        return "western"
    if character in "€™":
        return "western"
    return "likely" if 0x100 <= code <= 0x17F or 0x300 <= code <= 0x33F else "other"


@pytest.mark.parametrize("name", ["text", "csv", "jsonl", "i2b2-2006"])
def test_a_stray_byte_does_not_make_latin_of_utf8(name: str, tmp_path: Path) -> None:
    write_corpus([Document("a", NOTE + " 5 %% and José")], tmp_path, format=name)
    (path,) = [each for each in tmp_path.iterdir() if each.suffix != ".ann"]
    data = path.read_bytes().replace(b"%%", b"\xb5g")
    path.write_bytes(data)
    with pytest.raises(EncodingError, match="UTF-8 but for a few bytes, not latin-1") as caught:
        list(read_corpus(path, format=name, encoding="latin-1"))
    assert "Jos" not in str(caught.value)
    with pytest.raises(EncodingError, match=f"byte {data.index(0xB5)}: not utf-8"):
        list(read_corpus(path, format=name, encoding="utf-8"))


def test_what_is_held_ends_at_the_first_byte_that_decides() -> None:
    for encoding, bad in (("cp1251", 1), ("latin-1", 40)):
        stream = io.BytesIO(b"\xe9" * bad + b"x" * 500_000)
        found, rest = hold(stream, encoding)
        assert found is None
        assert stream.tell() < 100_000
        assert len(rest.read()) == 500_000 + bad


def test_a_file_in_another_encoding_is_told_how_to_be_made_utf8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The very command that the message names makes UTF-8 of the file."""
    monkeypatch.chdir(tmp_path)
    for encoding in ("latin-1", "utf-16"):
        Path("a.txt").write_text(NOTE, encoding=encoding)
        with pytest.raises(EncodingError, match=r"not utf-8 text.* for all files of a run") as told:
            list(read_corpus("a.txt", format="text"))
        assert f"Name its encoding ({encoding}?)" in str(told.value)
        command = str(told.value).partition(" first: scrubjay ")[2]
        assert f"--encoding {encoding} " in command
        given = ["a.txt" if word == "FILE" else word for word in shlex.split(command)]
        assert cli.run(given) == 0
        assert Path("FOLDER/a.txt").read_text(encoding="utf-8") == NOTE


def test_annotated_notes_are_made_jsonl(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Pe\xf1a")
    (tmp_path / "a.ann").write_bytes(b"")
    with pytest.raises(EncodingError, match="latin-1 --to jsonl"):
        list(read_corpus(tmp_path, format="brat"))
