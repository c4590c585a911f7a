"""Reading corpora: one lazy stream of documents, whatever the format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from scrubjay.corpora._seen import Seen
from scrubjay.corpora.detect import choose_suffix, detect_format
from scrubjay.corpora.format import Format
from scrubjay.corpora.lake import files_beside, is_delta, parquet_parts
from scrubjay.corpora.metadata import FORMAT_KEY, NAMES_KEY, PATH_KEY
from scrubjay.corpora.registry import find_format
from scrubjay.corpora.source import STANDARD_INPUT, Source
from scrubjay.corpora.walking import walk
from scrubjay.document import Document
from scrubjay.errors import FormatError, InputError, missing, told_type

_OF_ROWS = (
    ": name the column or key of unique ids with --id-column. Where there is none, leave "
    "--id-column out (and call the column of these ids by another name, where that is 'id'): ids "
    "are then made of the file and the number of the row"
)
_OF_FILES = ": give each file once, and files of the same name by the folder above them"

HalfIds = Literal["refuse", "pass"]
"""What to do with an id that holds half of a character, which no encoding can write."""


def read_corpus(
    path: Path | str,
    *,
    format: str | None = None,
    passed: Callable[[str], None] | None = None,
    **options: Any,
) -> Iterator[Document]:
    """Return the documents of a file, a folder with its subfolders, or standard input (`-`).

    The stream is lazy, sorted by path, with one document in memory at a time; files and
    folders whose names begin with a dot are passed over. `format` is one of `FORMATS`, by
    default detected; `options` are those of its reader (docs/formats.md). The metadata tell
    under "source.path" and "source.format" where a document came from. `passed` is told of files
    that are passed over, as by `read_corpora`.

    Raises `ConfigError` for an unknown format or option and `InputError` for a path that is
    not there at once; while reading, `FormatError`, `EncodingError` and `SpanError` by file
    and place, and `FormatError` for two documents with one id and for a folder without files.
    """
    return read_corpora((path,), format=format, passed=passed, **options)


def read_corpora(
    paths: Iterable[Path | str],
    *,
    format: str | None = None,
    half_ids: HalfIds = "refuse",
    count: Callable[[int], None] | None = None,
    passed: Callable[[str], None] | None = None,
    **options: Any,
) -> Iterator[Document]:
    """Return the documents of several paths, one after another, as `read_corpus` does.

    Without `format`, that of each path is detected, through `encoding` where one is given. An id
    may occur once over all paths. `half_ids="pass"` lets ids with a lone surrogate
    through, which no encoding can write. `count` is told the number of bytes with each reading of
    a file; `passed` the path below its folder of each file that is passed over, since its name is
    none of the format's.
    """
    paths = tuple(paths)
    for path in paths:
        if not isinstance(path, str | PathLike):
            raise InputError(f"a path is {told_type(path)}, and neither a string nor a Path")
    encoding = options.get("encoding")
    parts = [
        (path, find_format(format or detect_format(path, encoding=encoding))) for path in paths
    ]
    for path, kind in parts:
        kind.require_options(options, role="reader")
        if str(path) != STANDARD_INPUT and not Path(path).exists():
            raise missing(path)
    return _read_unique(parts, options, half_ids, count, passed)


def _read_unique(
    parts: list[tuple[Path | str, Format]],
    options: dict[str, Any],
    half_ids: HalfIds,
    count: Callable[[int], None] | None,
    passed: Callable[[str], None] | None,
) -> Iterator[Document]:
    seen = Seen()
    for path, kind in parts:
        for source in sources(path, kind, passed=passed):
            origin = {PATH_KEY: source.relative, FORMAT_KEY: kind.name}
            source = replace(source, count=count) if count is not None else source
            for document in kind.read(source, **options):
                if half_ids == "refuse":
                    _require_writable_id(document.id, path=source.name)
                if not seen.add(document.id):
                    raise FormatError(
                        f"a second document with the id {document.id!r}",
                        path=source.name,
                        hint="Ids must differ over all inputs of a run"
                        + (_OF_ROWS if document.metadata.get(NAMES_KEY) else _OF_FILES),
                    )
                metadata = {**document.metadata, **origin}
                yield Document(document.id, document.text, document.spans, metadata)


def _require_writable_id(document_id: str, *, path: str) -> None:
    """Raise `FormatError` for an id, or a file name, that no encoding can write."""
    try:
        document_id.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError(
            f"an id with a lone surrogate U+{ord(document_id[error.start]):04X}",
            path=path,
            place=f"character {error.start + 1} of the id",
            hint="Ids and file names must be text that UTF-8 can write",
        ) from None


def sources(
    path: Path | str, kind: Format, *, passed: Callable[[str], None] | None = None
) -> Iterator[Source]:
    """Yield the files of a format at a path, in the order in which they are read.

    `passed` is told of each other file of a folder, save for those whose names begin with a dot,
    those that the reader finds beside its own, and the marks and old files of a lake. Raises
    `FormatError` for a folder that holds none.
    """
    if str(path) == STANDARD_INPUT:
        yield Source(None, "stdin", "stdin")
        return
    path = Path(path)
    if kind.name == "brat" and path.suffix.lower() == ".ann" and path.is_file():
        # Either file of a pair stands for both.
        path = path.with_suffix(".txt")
    if not path.is_dir():
        yield Source(path, path.name, _stem(path.name, kind.suffixes))
        return
    wanted = choose_suffix(kind, path)
    empty = True
    for file, relative in parquet_parts(path) if kind.name == "parquet" else walk(path):
        if file.name.lower().endswith(wanted) and file.name.lower() not in kind.suffixes:
            empty = False
            yield Source(file, relative, _stem(relative, wanted))
        elif passed is not None and not file.name.lower().endswith(kind.beside):
            passed(relative)
    if passed is not None and kind.name == "parquet" and is_delta(path):
        for relative in files_beside(path, wanted):
            passed(relative)
    if empty:
        raise FormatError(
            f"there is no file of the format {kind.name!r}",
            path=path,
            hint=f"Its files end in {' or '.join(kind.suffixes)}",
        )


def _stem(relative: str, suffixes: tuple[str, ...]) -> str:
    """Return a relative path without the suffix of the format, or without any for a file."""
    for suffix in suffixes:
        if relative.lower().endswith(suffix) and len(relative) > len(suffix):
            return relative[: -len(suffix)]
    return str(PurePosixPath(relative).with_suffix(""))
