"""Word vectors: shipped ones, saved ones, and the text format in which others publish theirs."""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scrubjay.artifacts import Artifact, encode_array, load_artifact
from scrubjay.errors import ArtifactError, ConfigError, FormatError, unreadable
from scrubjay.resources import resource
from scrubjay.text.tokens import IntArray

FloatArray = npt.NDArray[np.float32]

KIND = "vectors"

_ARRAY, _WORDS = "vectors.npy", "words.json"
_TEXT_SUFFIXES = (".txt", ".vec", ".txt.gz", ".vec.gz")
_SHIPPED_SUFFIX = ".npz"
_LONGEST_LINE = 1 << 24


@dataclass(frozen=True, eq=False, repr=False)
class WordVectors:
    """A vector for each of some words, the most frequent words first; immutable.

    `matrix` is float32 of shape `(len(words), dimension)`, read-only. Words are distinct. Raises
    `ConfigError` for a matrix of another shape, figures that are no numbers, and repeated words.
    """

    words: tuple[str, ...]
    matrix: FloatArray

    def __post_init__(self) -> None:
        matrix = np.asarray(self.matrix)
        if matrix.ndim != 2 or len(matrix) != len(self.words) or not matrix.shape[1]:
            raise ConfigError(f"vectors of shape {matrix.shape} do not fit {len(self.words)} words")
        if not np.isfinite(matrix).all():
            raise ConfigError("the vectors hold figures that are no finite numbers")
        if len(self._rows) != len(self.words):
            raise ConfigError("the vectors have a word twice")
        matrix = matrix.astype(np.float32)
        matrix.flags.writeable = False
        object.__setattr__(self, "matrix", matrix)

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        return f"WordVectors({len(self)} words, dimension {self.dimension})"

    @property
    def dimension(self) -> int:
        """How many figures a vector has."""
        return int(self.matrix.shape[1])

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    def __contains__(self, word: object) -> bool:
        return word in self._rows

    def rows(self, words: Sequence[str]) -> IntArray:
        """Return the row of each word as written, else of its lower-case form, else -1."""
        find = self._rows.get
        found = (find(word, find(word.lower(), -1)) for word in words)
        return np.fromiter(found, dtype=np.int32, count=len(words))


def shipped_vectors() -> list[str]:
    """Return the names of the vectors that ship with the package, sorted."""
    return sorted(
        entry.name.removesuffix(_SHIPPED_SUFFIX)
        for entry in _folder().iterdir()
        if entry.name.endswith(_SHIPPED_SUFFIX)
    )


def find_vectors(name_or_path: str | Path) -> WordVectors:
    """Return word vectors by a shipped name, from a saved folder, or from a text file.

    A folder is what `scrubjay pretrain vectors` writes; a file (.txt, .vec, also .gz) is in the
    text format of word2vec, GloVe and fastText (`read_text_vectors`).

    Raises like `require_vectors`, `ArtifactError` for a damaged folder or one of another kind,
    `FormatError` for a text file with an error, by its line.
    """
    require_vectors(name_or_path)
    if str(name_or_path) in shipped_vectors():
        return _load_shipped(str(name_or_path))
    path = Path(name_or_path)
    return load_vectors(load_artifact(path)) if path.is_dir() else read_text_vectors(path)


def require_vectors(name_or_path: str | Path) -> None:
    """Raise `ConfigError` where neither a shipped name nor a folder or file is given."""
    path, known = Path(name_or_path), shipped_vectors()
    if str(name_or_path) in known or path.exists():
        return
    hint = f"Known: {', '.join(known)}; or give a folder or file of vectors"
    if path.name.lower().endswith(_TEXT_SUFFIXES):
        raise ConfigError("no such file of word vectors", path=path, hint=hint)
    if isinstance(name_or_path, Path) or "/" in name_or_path or os.sep in name_or_path:
        raise ConfigError("no such folder of word vectors", path=path, hint=hint)
    raise ConfigError(f"unknown word vectors {name_or_path!r}", hint=hint)


def load_vectors(artifact: Artifact) -> WordVectors:
    """Return the vectors of an artifact of the kind "vectors"; raises `ArtifactError`."""
    if artifact.manifest.kind != KIND:
        raise ArtifactError(
            f"{artifact.folder}: a model of the kind {artifact.manifest.kind!r}, not {KIND!r}. "
            "Give a folder written by scrubjay pretrain vectors"
        )
    words, matrix = artifact.read_json(_WORDS), artifact.read_array(_ARRAY)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ArtifactError(f"{artifact.folder / _WORDS}: not a list of words")
    if matrix.dtype not in (np.float16, np.float32):
        raise ArtifactError(f"{artifact.folder / _ARRAY}: figures of the type {matrix.dtype}")
    try:
        return WordVectors(tuple(words), matrix)
    except ConfigError as error:
        raise ArtifactError(f"{artifact.folder}: {error}") from None


def stored_words(artifact: Artifact) -> Iterator[str]:
    """Yield every word that an artifact of the kind "vectors" stores, sorted."""
    yield from sorted(load_vectors(artifact).words)


def vector_files(vectors: WordVectors) -> dict[str, bytes]:
    """Return the files of an artifact of the kind "vectors"; figures as float16."""
    words = json.dumps(list(vectors.words), ensure_ascii=False)
    return {
        _ARRAY: encode_array(vectors.matrix.astype(np.float16)),
        _WORDS: words.encode("utf-8", "surrogatepass"),
    }


def read_text_vectors(path: Path) -> WordVectors:
    """Read vectors in text form: a word and its figures in each line, parted by single spaces.

    A first line of two numbers (how many words, how many figures) may stand before them, as
    word2vec and fastText write it. Where a word occurs twice the first one counts. Words may
    hold spaces, for the figures are counted from the end of the line.

    Raises `FormatError` naming the line: fewer or more figures than in the lines before,
    something that is no number, bytes that are not UTF-8.
    """
    if not path.name.lower().endswith(_TEXT_SUFFIXES):
        raise FormatError(
            "not a file of word vectors", path=path, hint=f"Known: {', '.join(_TEXT_SUFFIXES)}"
        )
    lines = _text_lines(path)
    first = next(lines, None)
    if first is None:
        raise FormatError("the file is empty", path=path)
    parts = first[1].split(" ")
    announced = _announced(parts)
    dimension = announced or len(parts) - 1
    body = lines if announced else chain([first], lines)
    rows: dict[str, FloatArray] = {}
    for number, line in body:
        word, figures = _read_line(line, dimension, path=path, number=number)
        rows.setdefault(word, figures)
    if not rows:
        raise FormatError("the file holds no vector", path=path)
    return WordVectors(tuple(rows), np.stack(list(rows.values())))


def _announced(parts: list[str]) -> int:
    """Return the dimension that a first line of two whole numbers announces, else 0."""
    counts = len(parts) == 2 and all(part.isascii() and part.isdigit() for part in parts)
    return int(parts[1]) if counts else 0


def _read_line(line: str, dimension: int, *, path: Path, number: int) -> tuple[str, FloatArray]:
    word, *figures = line.rsplit(" ", dimension) if dimension > 0 else [line]
    if not word or not figures or len(figures) != dimension:
        raise FormatError(
            f"not a word and {dimension} figures" if dimension > 0 else "not a word and figures",
            path=path,
            place=f"line {number}",
            hint="Each line needs as many figures as the others, parted by single spaces",
        )
    try:
        vector = np.array([float(figure) for figure in figures], dtype=np.float32)
    except ValueError:
        vector = np.array([np.nan], dtype=np.float32)
    # More figures than expected would end up in the word.
    surplus = word.rpartition(" ")[2] if " " in word else ""
    if not np.isfinite(vector).all() or _is_figure(surplus):
        raise FormatError(
            f"not a word and {dimension} finite figures", path=path, place=f"line {number}"
        )
    return word, vector


def _is_figure(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, without line ends and trailing spaces."""
    number = 0
    try:
        with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as stream:
            lines = iter(lambda: stream.readline(_LONGEST_LINE + 1), b"")
            for number, line in enumerate(lines, start=1):
                if len(line) > _LONGEST_LINE:
                    raise FormatError(
                        "a line too long for a word and its figures",
                        path=path,
                        place=f"line {number}",
                    )
                if line.strip():
                    yield number, line.decode("utf-8").rstrip(" \r\n")
    except UnicodeDecodeError:
        raise FormatError("not UTF-8", path=path, place=f"line {number}") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise FormatError(
            "the compressed file is damaged", path=path, place=f"after line {number}"
        ) from None
    except OSError as error:
        raise unreadable(path, error) from None


@cache
def _load_shipped(name: str) -> WordVectors:
    content = _folder().joinpath(name + _SHIPPED_SUFFIX).read_bytes()
    with np.load(io.BytesIO(content), allow_pickle=False) as saved:
        words = saved["words"].tobytes().decode("utf-8").split("\n")
        return WordVectors(tuple(words), saved["vectors"])


def _folder() -> Traversable:
    return resource("vectors")
