"""Where a run writes: a folder, one writer for each format, or a binary stream."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal

from scrubjay.corpora import CorpusWriter, Format, find_format, open_writer, output_name
from scrubjay.corpora.format import Encoder
from scrubjay.corpora.source import STANDARD_INPUT
from scrubjay.corpora.writing import require_apart
from scrubjay.deidentifier import Failure
from scrubjay.document import Document, Span
from scrubjay.errors import OutputError


@dataclass(frozen=True, slots=True)
class Output:
    """Where a run writes: a folder, or a binary stream such as standard output.

    `format` None keeps that of each document. `existing` says what happens to files that are
    there already. `encoding` is that of the files, where the format has a choice; `options`
    are further ones of the format's writer.
    """

    place: Path | BinaryIO
    format: str | None = None
    existing: Literal["replace", "error"] = "replace"
    encoding: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def writer_options(self, kind: Format) -> dict[str, Any]:
        """Return the options for the writer of a format."""
        if self.encoding is None or "encoding" not in kind.write_options():
            return dict(self.options)
        return {"encoding": self.encoding, **self.options}


def file_name(document: Document, output: Output) -> tuple[str, str]:
    """Return the format that a document is written in, and the path of its file."""
    format = output.format or str(document.metadata.get("source.format", "text"))
    return format, output_name(document, format=format)


class Sink:
    """Writes documents to an `Output`; used in a `with` statement.

    Files appear when the block ends without an error, and none does where it raises.
    """

    def __init__(self, output: Output, *, inputs: Sequence[str]) -> None:
        self._output = output
        self._inputs = inputs
        self._stack = ExitStack()
        self._writers: dict[str, CorpusWriter | _StreamWriter] = {}
        self._containers: set[str] = set()

    def __enter__(self) -> Sink:
        """Raise `OutputError` or `ConfigError` now for what can be told before the first file."""
        output = self._output
        if output.format:
            find_format(output.format).require_options(output.options, role="writer")
        if isinstance(output.place, Path):
            inputs = [path for path in self._inputs if path != STANDARD_INPUT]
            require_apart(output.place, inputs)
            _require_writable(output.place)
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def write(self, document: Document, found: tuple[Span, ...]) -> tuple[Span, ...] | Failure:
        """Write a document and return its detected spans, or the failure to write it.

        A place that cannot be written is no failure of the document: the error is raised.
        """
        format, name = file_name(document, self._output)
        writer = self._writer(format)
        try:
            writer.write(document)
        except (OSError, OutputError):
            raise
        except Exception as error:
            return Failure(document.id, "write", type(error).__name__)
        if find_format(format).is_container:
            self._containers.add(name)
        return found

    def clear(self, failed: Iterable[tuple[str, str]]) -> None:
        """Remove the files that an earlier run left for documents that failed in this one.

        `failed` are their formats and paths. Raises `OutputError` for such a file where files
        must not be replaced.
        """
        folder = self._output.place
        if not isinstance(folder, Path):
            return
        for format, name in sorted(failed):
            if name in self._containers:
                continue
            kind = find_format(format)
            stem, _ = kind.split_suffix(name) or (name, "")
            for ending in _endings(kind, self._output.writer_options(kind)):
                self._remove(folder / (stem + ending if ending else name))

    def _remove(self, path: Path) -> None:
        if not path.exists() or path.resolve() in {Path(each).resolve() for each in self._inputs}:
            return
        if self._output.existing == "error":
            raise OutputError("exists already", path=path, hint="Choose another folder")
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
            **options,
        )


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
