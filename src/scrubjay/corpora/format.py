"""What a corpus format is: its file names, its reader and its writer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError, SpanError

Marks = tuple[tuple[int, int, str], ...]
"""Start, end and label of each span of a document."""

Create = Callable[[str], BinaryIO]
"""Opens a file of a container: the main one for `""`, else one beside it with that ending."""


class Encoder(Protocol):
    """Writes documents one after another into the files of one container."""

    def add(self, document: Document) -> None:
        """Append a document; where it raises, nothing of the document is in the files."""
        ...

    def finish(self) -> None:
        """Write what ends the files."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """One corpus format.

    `suffixes` end the names of the files that `read` understands; the first is written. A
    format with `encode` keeps one document per file and returns the bytes of each: the main
    file under `""`, others under their ending. A format with `start` is a container of many.
    `recognise` judges the first bytes of a file that has one of the suffixes. Plain text, and
    formats that are bound, have no place for spans; a bound one writes nothing but documents
    that were read in it. One that `joins_columns` may have its texts in several columns. `echo`
    gives the text that `reread` will give of a document that was written. `beside` are the
    endings of files that the reader looks for beside those with its suffixes. `read_marked` is
    `read` for who compares texts and spans alone, where that is faster; it may give what stands in
    the file in the place of a text, where `echo` has proved that it is read as that text.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[..., Iterator[Document]]
    encode: Callable[..., Mapping[str, bytes]] | None = None
    start: Callable[..., Encoder] | None = None
    recognise: Callable[[bytes], bool] = lambda head: True
    holds_spans: bool = True
    is_bound: bool = False
    joins_columns: bool = False
    echo: Callable[[Document], str] = lambda document: document.text
    beside: tuple[str, ...] = ()
    read_marked: Callable[..., Iterator[tuple[str, Marks]]] | None = None

    def reread(self, source: Source, **options: Any) -> Iterator[tuple[str, Marks]]:
        """Yield what is compared of each document when its file is read back; see `marks_of`."""
        if self.read_marked is not None:
            return self.read_marked(source, **options)
        return ((document.text, ()) for document in self.read(source, **options))

    def marks_of(self, document: Document) -> Marks:
        """Return the spans of a document as `reread` gives them: none where it leaves them out."""
        if self.read_marked is None or not self.holds_spans:
            return ()
        return tuple([(span.start, span.end, span.label) for span in document.spans])

    @property
    def is_container(self) -> bool:
        """Whether one file holds many documents."""
        return self.start is not None

    def split_suffix(self, name: str) -> tuple[str, str] | None:
        """Return a file name in two parts, before its suffix and the suffix, or None."""
        lowered = name.lower()
        for suffix in self.suffixes:
            if lowered.endswith(suffix) and len(name) > len(suffix):
                return name[: -len(suffix)], name[-len(suffix) :]
        return None

    def read_options(self) -> tuple[str, ...]:
        """Return the names of the options of the reader."""
        return _keywords(self.read)

    def write_options(self) -> tuple[str, ...]:
        """Return the names of the options of the writer."""
        return _keywords(self.encode or self.start or self.read)

    def options_alike(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of a reader that the writer needs to write files alike."""
        known = self.write_options()
        return {name: value for name, value in options.items() if name in known}

    def require_options(self, options: Mapping[str, Any], *, role: str) -> None:
        """Raise `ConfigError` for an option that the reader or the writer does not have."""
        known = self.read_options() if role == "reader" else self.write_options()
        for name in options:
            if name not in known:
                raise ConfigError(
                    f"the {role} of the format {self.name!r} has no option {name!r}",
                    hint=f"Known: {', '.join(known) or 'none'}",
                )
            several = name == "text_column" and not isinstance(options[name], str | None)
            if several and not self.joins_columns:
                raise ConfigError(f"the format {self.name!r} has one column or key of texts")


def _keywords(function: Callable[..., Any]) -> tuple[str, ...]:
    parameters = inspect.signature(function).parameters.values()
    return tuple(item.name for item in parameters if item.kind is item.KEYWORD_ONLY)


def make_span(
    start: int,
    end: int,
    label: str,
    *,
    size: int,
    source: Source,
    place: str,
    score: float | None = None,
    origin: str = "",
) -> Span:
    """Return a span of a text of `size` characters, or raise `SpanError` by file and place."""
    if not 0 <= start < end:
        raise SpanError(
            f"the span [{start}, {end}) {label} is empty or begins before the text",
            path=source.name,
            place=place,
        )
    if end > size:
        raise SpanError(
            f"the span [{start}, {end}) {label} ends beyond the text of {size} characters",
            path=source.name,
            place=place,
            hint="Offsets count code points; line ends and a byte order mark count, too",
        )
    return Span(start, end, label, score=score, source=origin)


def require_same_text(stated: str, found: str, *, source: Source, place: str, span: Span) -> None:
    """Raise `FormatError` where a file's copy of a mention is not the text at its offsets.

    White space is left out of the comparison: XML attributes and brat turn line ends into
    spaces. The message gives offsets, never the two texts.
    """
    if stated != found and "".join(stated.split()) != "".join(found.split()):
        raise FormatError(
            f"the copy of the text at [{span.start}, {span.end}) {span.label} differs from the "
            "text there",
            path=source.name,
            place=place,
            hint="The offsets are shifted (do they count a line end of two characters as one?), or "
            "count other units than code points",
        )


def require_scalar_text(text: str, *, path: str, place: str) -> str:
    """Return the text, or raise `FormatError` where it holds half of a surrogate pair.

    JSON can spell such halves; no encoding can write them.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError(
            f"a lone surrogate U+{ord(text[error.start]):04X} at offset {error.start}",
            path=path,
            place=place,
        ) from None
    return text
