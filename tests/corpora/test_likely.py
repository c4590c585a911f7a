"""The encoding that a message names for a file which is in another one."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora import read_corpus
from scrubjay.corpora._likely import UNKNOWN, is_binary, likely_encoding, tell_lines
from scrubjay.corpora._mistaken import MOSTLY_UTF8
from scrubjay.errors import EncodingError, FormatError

NAMES = "José Ibáñez und René Müller, Zoë’s note – “fine”."


def test_what_windows_writes_is_cp1252_and_no_latin() -> None:
    data = NAMES.encode("cp1252")
    assert likely_encoding(data[:4], data) == "cp1252"
    plain = NAMES.translate(dict(zip(map(ord, "’–“”"), '\'-""', strict=True))).encode("latin-1")
    assert likely_encoding(plain[:4], plain) == "latin-1"
    assert likely_encoding(b"", b"") == "cp1252"  # a stream: of both, the one that holds the other


@pytest.mark.parametrize("encoding", ["cp850", "cp437", "mac-roman"])
def test_letters_where_windows_has_marks_are_of_no_encoding_that_is_named(encoding: str) -> None:
    data = "Seen by René-Noël, Müller and Zoëlla Peñaflor.".encode(encoding)
    assert likely_encoding(data[:4], data) == UNKNOWN


@pytest.mark.parametrize("stray", [b"\xe9", b"\x92", b"\xff\xfe", b"\xc3"])
def test_utf8_with_a_few_other_bytes_stays_utf8(stray: bytes) -> None:
    data = NAMES.encode() + b" " + stray + b" end"
    assert likely_encoding(data[:4], data) == MOSTLY_UTF8


# Many odd characters, each alone between others, are of no text that anybody has.
WESTERN = st.characters(max_codepoint=0xFF, exclude_categories=("Cc",)) | st.sampled_from(
    "’‘“”–…€œŒšžŠŽ"
)


@given(st.text(WESTERN, min_size=1), st.binary(min_size=1, max_size=2))
def test_what_is_named_never_hides_utf8(text: str, stray: bytes) -> None:
    data = (NAMES + text + NAMES).encode("utf-8", "replace") + stray
    assert likely_encoding(b"Jos\xc3", data) in ("utf-8", MOSTLY_UTF8)


def _told(path: Path) -> str:
    with pytest.raises(EncodingError) as raised:
        list(read_corpus(path, format="text"))
    assert "Jos" not in str(raised.value)
    return str(raised.value)


@given(st.randoms(use_true_random=False), st.integers(4000, 9000))
def test_bytes_of_no_text_are_binary(random: Random, size: int) -> None:
    data = random.randbytes(size)
    assert is_binary(b"\x89PNG", b"\x89PNG\r\n" + data)


@given(st.text(WESTERN | st.sampled_from("\t\r\n\f")), st.integers(0, 1))
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32-le", "cp1252", "mac-roman"]
)
def test_a_text_in_any_encoding_is_not_binary(encoding: str, text: str, cut: int) -> None:
    data = (NAMES + text).encode(encoding, "ignore")
    assert not is_binary(data[:4], data[cut:])


def test_a_binary_file_is_not_told_to_be_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Jos" + bytes(range(256)) * 4)
    told = _told(tmp_path)
    assert "a.txt, byte 131: is binary, no text. Move it out of the folder" in told
    assert "cp1252" not in told


def test_the_message_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(NAMES.encode("cp1252"))
    assert "byte 3: not utf-8 text. Name its encoding (cp1252?)" in _told(tmp_path)
    assert "scrubjay convert FILE --encoding cp1252 --from text" in _told(tmp_path)
    (tmp_path / "a.txt").write_bytes(NAMES.encode() + b"\x92.")
    told = _told(tmp_path)
    assert "It is UTF-8 but for a few bytes on line 1, of which this is the first" in told
    assert "latin" not in told
    assert "1252" not in told
    # A file that was cut off in the middle of a character.
    (tmp_path / "a.txt").write_bytes(NAMES.encode() + b"\xc3")
    assert "It is UTF-8 but for a few bytes" in _told(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"Seen by Ren\x82e M\x81ller")
    assert "Find out in which encoding it was written" in _told(tmp_path)
    assert "scrubjay convert FILE --encoding NAME" in _told(tmp_path)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ([], ""),
        ([1], "line 1"),
        ([2, 9], "lines 2 and 9"),
        ([1, 2, 3, 4, 5], "lines 1, 2, 3, 4 and 5"),
        ([2, 4, 6, 8, 10, 12, 14], "lines 2, 4, 6, 8, 10 and more"),
    ],
)
def test_the_lines_that_are_no_utf8_are_told(bad: list[int], told: str) -> None:
    lines = [
        b"Jos\xe9\n" if number in bad else "José, “Zoë”\r\n".encode() for number in range(1, 20)
    ]
    assert tell_lines(iter(lines)) == told


def test_the_first_byte_may_lie_far_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.corpora.source.LOOKED_AT", 64)
    (tmp_path / "a.txt").write_bytes(b"plain " * 100 + NAMES.encode("cp1252") + b" plain" * 100)
    assert "(cp1252?)" in _told(tmp_path)


@pytest.mark.parametrize("order", ["le", "be"])
def test_utf16_without_a_mark_is_named_with_its_order(order: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Seen by him.".encode(f"utf-16-{order}"))
    with pytest.raises(FormatError, match=rf"name that \(utf-16-{order}\?\)"):
        list(read_corpus(tmp_path, format="text"))
