"""Word vectors: shipped, saved, and in text form."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from scrubjay.artifacts import Manifest, encode_array, save_artifact
from scrubjay.errors import ArtifactError, ConfigError, FormatError
from scrubjay.features.vectors import (
    WordVectors,
    find_vectors,
    shipped_vectors,
    vector_files,
)

VECTORS = WordVectors(("pain", "de", "Ana"), np.array([[1, 2], [3, 4], [0.5, -6]], np.float32))


def _save(folder: Path, files: dict[str, bytes], *, kind: str = "vectors") -> Path:
    manifest = Manifest(
        name="v", kind=kind, language="en", label_set="", labels=(), stores_words=True
    )
    save_artifact(folder, manifest, files=files)
    return folder


def test_rows_look_at_case_first() -> None:
    assert VECTORS.rows(["Ana", "ana", "PAIN", "pain", "x"]).tolist() == [2, -1, 0, 0, -1]
    assert "de" in VECTORS
    assert (len(VECTORS), VECTORS.dimension) == (3, 2)


def test_vectors_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        VECTORS.matrix[0, 0] = 9


@pytest.mark.parametrize(
    ("words", "matrix", "message"),
    [
        (("a", "b"), np.ones((3, 2)), "do not fit 2 words"),
        (("a",), np.ones((1, 0)), "do not fit"),
        (("a",), np.array([[np.nan]]), "no finite numbers"),
        (("a", "a"), np.ones((2, 1)), "a word twice"),
    ],
)
def test_what_is_no_table_of_vectors_is_refused(
    words: tuple[str, ...], matrix: np.ndarray[tuple[int, ...], np.dtype[np.float64]], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        WordVectors(words, matrix.astype(np.float32))


def test_the_shipped_vectors_know_english() -> None:
    assert shipped_vectors() == ["glove-en-50d"]
    vectors = find_vectors("glove-en-50d")
    assert vectors.dimension == 50
    assert 39_000 < len(vectors) <= 40_000
    assert vectors.words[:3] == ("the", ",", ".")
    rows = vectors.rows(["Monday", "tuesday", "nurse", "physician", "tachycardia"])
    assert rows.min() >= 0
    units = vectors.matrix[rows] / np.linalg.norm(vectors.matrix[rows], axis=1, keepdims=True)
    assert units[0] @ units[1] > 0.9 > units[0] @ units[2]
    assert units[2] @ units[3] > units[2] @ units[0]


def test_saved_vectors_are_found_again(tmp_path: Path) -> None:
    found = find_vectors(_save(tmp_path / "v", vector_files(VECTORS)))
    assert found.words == VECTORS.words
    np.testing.assert_array_equal(found.matrix, VECTORS.matrix)


def test_damaged_folders_are_refused(tmp_path: Path) -> None:
    files = vector_files(VECTORS)
    with pytest.raises(ArtifactError, match="kind 'crf'"):
        find_vectors(_save(tmp_path / "kind", files, kind="crf"))
    with pytest.raises(ArtifactError, match="not a list of words"):
        find_vectors(_save(tmp_path / "words", {**files, "words.json": b"{}"}))
    with pytest.raises(ArtifactError, match="do not fit"):
        find_vectors(_save(tmp_path / "few", {**files, "words.json": b'["a"]'}))
    whole = {**files, "vectors.npy": encode_array(np.ones((3, 2), dtype=np.int64))}
    with pytest.raises(ArtifactError, match="type int64"):
        find_vectors(_save(tmp_path / "type", whole))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ConfigError, match="Known: glove-en-50d"):
        find_vectors("glove-en-5000d")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mine/vectors", "no such folder of word vectors"),
        ("mine/vectors.vec.gz", "no such file of word vectors"),
        ("vectors.txt", "no such file of word vectors"),
    ],
)
def test_a_folder_or_file_that_is_not_there_is_told_as_such(
    name: str, message: str, tmp_path: Path
) -> None:
    for place in (tmp_path / name, str(tmp_path / name)):
        with pytest.raises(ConfigError, match=f"{name}: {message}") as caught:
            find_vectors(place)
        assert "Known: glove-en-50d; or give a folder" in str(caught.value)


# Text form


def _write(tmp_path: Path, content: bytes, name: str = "v.vec") -> Path:
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path


@pytest.mark.parametrize("name", ["v.vec", "v.txt", "v.vec.gz", "V.TXT.GZ"])
@pytest.mark.parametrize("head", [b"", b"3 2\n"])
def test_text_vectors_are_read(tmp_path: Path, name: str, head: bytes) -> None:
    # fastText ends lines with a space, and other programs with CRLF.
    body = b"pain 1 2 \nde 3 4\r\nAna 0.5 -6\nde 9 9\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(head + body) if name.lower().endswith(".gz") else head + body)
    found = find_vectors(path)
    assert found.words == VECTORS.words
    np.testing.assert_array_equal(found.matrix, VECTORS.matrix)


def test_words_may_hold_spaces(tmp_path: Path) -> None:
    found = find_vectors(_write(tmp_path, b"2 2\n. . 1 2\nNew York 3 4e-1\n"))
    assert found.words == (". .", "New York")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"2 3\n", "holds no vector"),
        (b"a 1 2\nb 1\n", "line 2: not a word and 2 figures"),
        (b"a 1 2\nb 1 2 3.5\n", "line 2: not a word and 2 finite"),
        (b"a 1 2\nb 1 secret\n", "line 2: not a word and 2 finite"),
        (b"a 1 2\nb 1 nan\n", "line 2: not a word and 2 finite"),
        (b"2 2\n\na 1 2\nb 1\n", "line 4: not a word and 2 figures"),
        (b"a 1 2\n\xffb 1 2\n", "line 2: not UTF-8"),
        (b"alone\n", "line 1: not a word and figures"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        find_vectors(_write(tmp_path, content))
    assert "secret" not in str(caught.value)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="not a file of word vectors"):
        find_vectors(_write(tmp_path, b"x", "v.bin"))
    path = tmp_path / "cut.vec.gz"
    path.write_bytes(gzip.compress(b"a 1 2\n" * 100)[:-9])
    with pytest.raises(FormatError, match="compressed file is damaged"):
        find_vectors(path)
