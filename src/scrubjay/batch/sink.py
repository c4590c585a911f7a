"""Where a run writes: a folder, one writer for each format, or a binary stream."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal

from scrubjay.batch.alone import reads_alone
from scrubjay.corpora import FORMATS, CorpusWriter, Format, find_format, open_writer, output_name
from scrubjay.corpora.format import Encoder, Marks
from scrubjay.corpora.metadata import FORMAT_KEY
from scrubjay.corpora.source import STANDARD_INPUT, Source
from scrubjay.corpora.writing import (
    Permissions,
    require_apart,
    require_below,
    require_writable_id,
)
from scrubjay.deidentifier import Failure
from scrubjay.document import Document
from scrubjay.errors import AlteredTextError, FileNameError, OutputError

_DIGEST = 16
_NAMES_OF_INPUT = ("text_column", "id_column")


@dataclass(frozen=True, slots=True)
class Output:
    """Where a run writes: a folder, or a binary stream such as standard output.

    `format` None keeps that of each document. `existing` says what happens to files that are
    there already, and `permissions` who may read new ones: the owner alone, or whoever the
    umask of the process lets. `encoding` is that of the files, where the format has a choice;
    `options` are further ones of the format's writer.
    """

    place: Path | BinaryIO
    format: str | None = None
    existing: Literal["replace", "error"] = "replace"
    encoding: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    permissions: Permissions = "private"

    @property
    def ids_stay(self) -> bool:
        """Return whether the ids in FHIR resources are written as they are."""
        return self.options.get("id_key") is None

    def writer_options(self, kind: Format) -> dict[str, Any]:
        """Return the options for the writer of a format."""
        if self.encoding is None or "encoding" not in kind.write_options():
            return dict(self.options)
        return {"encoding": self.encoding, **self.options}


def file_name(document: Document, output: Output) -> tuple[str, str]:
    """Return the format that a document is written in, and the path of its file."""
    format = output.format or str(document.metadata.get(FORMAT_KEY, "text"))
    return format, output_name(document, format=format)


class Sink:
    """Writes documents to an `Output`; used in a `with` statement.

    Files appear when the block ends without an error, and none does where it raises. Before,
    they are read back with the options `reading`, and must hold the texts that were written,
    those of JSON lines with their spans, too;
    a stream cannot be read back. `staging` is the folder where files wait, by default the
    output folder. A `careful` sink tries each record of a container alone before it writes it: it
    is slow, and tells which one is to blame for a file that does not read back.
    """

    def __init__(
        self,
        output: Output,
        *,
        inputs: Sequence[str],
        reading: Mapping[str, Any] | None = None,
        staging: Path | None = None,
        careful: bool = False,
    ) -> None:
        self._output = output
        self._careful = careful
        self._inputs = inputs
        self._reading = reading or {}
        self._staging = staging
        self._stack = ExitStack()
        self._writers: dict[str, CorpusWriter | _StreamWriter] = {}
        self._containers: dict[tuple[str, str], bytearray] = {}
        self._renamed: set[str] = set()
        """Formats that were written under names of their own, which are not those of the input."""
        self.read_back = 0
        """Documents that were read back from their files and found equal."""
        self._found_files = False

    def __enter__(self) -> Sink:
        """Raise `OutputError` or `ConfigError` now for what can be told before the first file."""
        output = self._output
        if output.format:
            find_format(output.format).require_options(output.options, role="writer")
        if isinstance(output.place, Path):
            require_place(output.place, self._inputs)
            self._found_files = next(_shown_files(output.place), None) is not None
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def write(self, document: Document) -> Failure | None:
        """Write a document; return the failure to write it, or to read the same text back.

        A place that cannot be written is no failure of the document: the error is raised.
        """
        format, name = file_name(document, self._output)
        writer = self._writer(format)
        kind = find_format(format)
        if not kind.joins_columns and document.metadata.get(FORMAT_KEY) != format:
            self._renamed.add(format)
        try:
            require_writable_id(document.id)
            echo, marks = kind.echo(document), kind.marks_of(document)
            if self._careful and kind.is_container and not self._reads_alone(document, kind):
                return Failure(document.id, "prove", AlteredTextError.__name__)
            writer.write(document)
        except FileNameError as error:
            return Failure(document.id, "write", type(error).__name__)
        except (OSError, OutputError):
            raise
        except Exception as error:
            return Failure(document.id, "write", type(error).__name__)
        digest = _digest(echo, marks)
        if kind.is_container:
            held = self._containers.setdefault((format, name), bytearray())
            # What a record of no text has left in its file is not told by reading it.
            held += digest if echo or not kind.is_bound else b""
        elif isinstance(writer, CorpusWriter):
            if self._read(writer, kind, name) != bytearray(digest):
                writer.withdraw(document)
                return Failure(document.id, "prove", AlteredTextError.__name__)
            self.read_back += 1
        return None

    def finish(self) -> None:
        """Complete all files and read the containers back; nothing can be written after.

        Raises `AlteredTextError` for a container that does not hold the texts written to it, and
        `OutputError` for a file that could not go to its place.
        """
        for format, writer in self._writers.items():
            if not isinstance(writer, CorpusWriter):
                continue
            writer.finish()
            kind = find_format(format)
            for (name_of, name), digests in self._containers.items():
                if name_of != format:
                    continue
                if self._read(writer, kind, name) != digests:
                    raise AlteredTextError(
                        f"{name}: reading the file back does not give what was written to it. "
                        f"Nothing was written; choose another format than {format!r}"
                    )
                self.read_back += len(digests) // _DIGEST

    def _read(self, writer: CorpusWriter, kind: Format, name: str) -> bytearray | None:
        """Return the digests of the texts in a file that waits, and of the spans where they are
        looked at; None where it cannot be read."""
        stem, _ = kind.split_suffix(name) or (name, "")
        options = self._reading_back(kind)
        try:
            digests = bytearray()
            for text, marks in kind.reread(Source(writer.staged(name), name, stem), **options):
                if text or not kind.is_bound:
                    digests += _digest(text, marks)
            return digests
        except Exception:
            return None

    def _reading_back(self, kind: Format) -> dict[str, Any]:
        """Return the options with which a file of a format is read back."""
        known = kind.read_options()
        options = {key: value for key, value in self._reading.items() if key in known}
        if kind.name in self._renamed:  # of a table other formats take the rows, not the names
            for name in _NAMES_OF_INPUT:
                options.pop(name, None)
        if "encoding" not in kind.write_options():
            options.pop("encoding", None)  # that of the input: such a writer has its own
        elif "encoding" in known and self._output.encoding is not None:
            options["encoding"] = self._output.encoding
        return options

    def _reads_alone(self, document: Document, kind: Format) -> bool:
        folder = self._staging or self._output.place
        assert isinstance(folder, Path)
        return reads_alone(
            document, kind, place=folder, writing=self._output.writer_options(kind),
            reading=self._reading_back(kind),
        )  # fmt: skip

    def clear(self, failed: Iterable[tuple[str, str]]) -> None:
        """Remove the files that an earlier run left for documents that failed in this one.

        `failed` are their formats and paths. Raises `OutputError` for such a file where files
        must not be replaced.
        """
        folder = self._output.place
        if not isinstance(folder, Path):
            return
        for format, name in sorted(failed):
            if (format, name) in self._containers:
                continue
            kind = find_format(format)
            stem, _ = kind.split_suffix(name) or (name, "")
            for ending in _endings(kind, self._output.writer_options(kind)):
                self._remove(folder, stem + ending if ending else name)

    def count_others(self) -> int:
        """Count the files in the output folder that this run has not written, hidden ones apart.

        A folder that held none at the beginning is not listed.
        """
        folder = self._output.place
        if not isinstance(folder, Path) or not self._found_files:
            return 0
        writers = [each for each in self._writers.values() if isinstance(each, CorpusWriter)]
        return sum(
            not any(writer.has_made(path) for writer in writers) for path in _shown_files(folder)
        )

    def _remove(self, folder: Path, name: str) -> None:
        path = folder / name
        try:
            there = path.exists()
        except OSError:  # a name that is too long
            return
        if not there or path.resolve() in {Path(each).resolve() for each in self._inputs}:
            return
        if self._output.existing == "error":
            raise OutputError("exists already", path=path, hint="Choose another folder")
        require_below(folder, path)
        path.unlink()

    def _writer(self, format: str) -> CorpusWriter | _StreamWriter:
        if format not in self._writers:
            writer = self._open(format)
            self._stack.enter_context(writer)
            self._writers[format] = writer
        return self._writers[format]

    def _open(self, format: str) -> CorpusWriter | _StreamWriter:
        output, kind = self._output, find_format(format)
        options = output.writer_options(kind)
        if not isinstance(output.place, Path):
            return _StreamWriter(output.place, kind, options)
        return open_writer(
            output.place,
            format=format,
            inputs=self._inputs,
            existing=output.existing,
            permissions=output.permissions,
            staging=self._staging,
            **options,
        )


def require_place(folder: Path, inputs: Sequence[str]) -> None:
    """Raise `OutputError` where a folder is part of the input, named like a file, or unwritable."""
    require_folder_name(folder)
    require_apart(folder, [path for path in inputs if path != STANDARD_INPUT])
    _require_writable(folder)


def require_folder_name(folder: Path) -> None:
    """Raise `OutputError` for a new folder that would be called like a file of a format."""
    suffix = folder.suffix.lower()
    if not folder.is_dir() and any(suffix in find_format(name).suffixes for name in FORMATS):
        raise OutputError(
            "is the name of a file, and a run writes a folder", path=folder,
            hint="Give a name without the ending; the file will lie in it",
        )  # fmt: skip


def _shown_files(folder: Path) -> Iterator[str]:
    """Yield the paths below a folder of files that are not hidden, in no order."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        prefix = Path(place).relative_to(folder).as_posix()
        for name in names:
            if not name.startswith("."):
                yield name if prefix == "." else f"{prefix}/{name}"


def count_files(folder: Path, *, most: int) -> int:
    """Count the files in a folder that are not hidden, and no further than `most`."""
    return sum(1 for _ in islice(_shown_files(folder), most))


def _digest(text: str, marks: Marks) -> bytes:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST)
    # A hash of Python's own is the same for as long as this process runs, and costs least.
    digest.update(hash(marks).to_bytes(8, signed=True))
    return digest.digest()


def _require_writable(folder: Path) -> None:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(
            "is no folder that can be written",
            path=folder,
            hint="Choose another output folder",
        )


def _endings(kind: Format, options: Mapping[str, Any]) -> list[str]:
    """Return what follows the stem in the names of the files that a writer makes.

    An empty ending is the main file, whose name is the document's.
    """
    if kind.encode is not None:
        return sorted(kind.encode(Document("none", ""), **options))
    endings: list[str] = []

    def create(ending: str) -> BinaryIO:
        endings.append(ending)
        return io.BytesIO()

    assert kind.start is not None
    kind.start(create, **options).finish()
    return sorted(endings)


class _StreamWriter:
    """Writes documents to a binary stream, in a format whose documents are one file."""

    def __init__(self, stream: BinaryIO, kind: Format, options: Mapping[str, Any]) -> None:
        kind.require_options(options, role="writer")
        if len(_endings(kind, options)) > 1:
            raise OutputError(
                f"the format {kind.name!r} needs several files and cannot be a stream",
                hint="Give --out, or another format",
            )
        self._stream = stream
        self._kind = kind
        self._options = options
        self._encoder: Encoder | None = None

    def __enter__(self) -> _StreamWriter:
        if self._kind.start is not None:
            self._encoder = self._kind.start(lambda ending: self._stream, **self._options)
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        if self._encoder is not None and kind is None:
            self._encoder.finish()
        self._stream.flush()

    def write(self, document: Document) -> None:
        """Write a document; where it raises, nothing of it is in the stream."""
        if self._encoder is not None:
            self._encoder.add(document)
            return
        assert self._kind.encode is not None
        (content,) = self._kind.encode(document, **self._options).values()
        self._stream.write(content)
