"""From one corpus format to another, in one stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from scrubjay.corpora.detect import detect_format
from scrubjay.corpora.reading import read_corpora
from scrubjay.corpora.registry import find_format
from scrubjay.corpora.source import STANDARD_INPUT
from scrubjay.corpora.writing import Existing, Permissions, open_writer
from scrubjay.errors import require_choice
from scrubjay.labels import LabelMap

Unmapped = Literal["error", "drop"]


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a conversion did: documents, and spans per label as they were written.

    `unmapped` counts, per label of the source, the spans that the label map left out;
    `spans_left_out` is the number of spans that the new format has no place for (plain text).
    """

    documents: int
    spans: Mapping[str, int]
    unmapped: Mapping[str, int]
    spans_left_out: int


def convert_corpus(
    inputs: Sequence[Path | str],
    out: Path | str,
    *,
    to: str,
    source_format: str | None = None,
    label_map: LabelMap | None = None,
    unmapped: Unmapped = "error",
    existing: Existing = "replace",
    permissions: Permissions = "umask",
    options: Mapping[str, Any] | None = None,
    out_options: Mapping[str, Any] | None = None,
    passed: Callable[[str], None] | None = None,
) -> Conversion:
    """Read corpora in any format and write their documents in the format `to`.

    `options` are those of the readers, `out_options` those of the writer; a writer of the
    format that is read takes over what it shares with the reader (the encoding, names of
    columns). `permissions` are those of `open_writer`; `passed` is that of `read_corpora`. A label
    that the map leaves out is a `LabelError` with `unmapped="error"`; with "drop" its spans go, and
    are counted. Raises what reading and writing raise, too; then nothing is written.
    """
    require_choice("unmapped", unmapped, ("error", "drop"))
    options = dict(options or {})
    encoding = options.get("encoding")
    formats = {source_format or detect_format(path, encoding=encoding) for path in inputs}
    shared = find_format(to).options_alike(options) if formats == {to} else {}
    documents = read_corpora(inputs, format=source_format, passed=passed, **options)
    counts: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    with open_writer(
        out,
        format=to,
        inputs=inputs,
        name=container_name(inputs),
        existing=existing,
        permissions=permissions,
        **shared | dict(out_options or {}),
    ) as writer:
        for document in documents:
            if label_map is not None:
                spans = list(document.spans)
                if unmapped == "drop":
                    spans = [span for span in document.spans if span.label in label_map.table]
                    dropped.update(Counter(span.label for span in document.spans))
                    dropped.subtract(span.label for span in spans)
                document = document.with_spans(label_map.map_spans(spans))
            writer.write(document)
            counts.update(span.label for span in document.spans)
    held = find_format(to).holds_spans
    return Conversion(
        documents=writer.documents,
        spans=dict(sorted(counts.items())) if held else {},
        unmapped=dict(sorted((+dropped).items())),
        spans_left_out=0 if held else counts.total(),
    )


def container_name(inputs: Sequence[Path | str]) -> str:
    """Return the base name of a container for documents that come from files of their own."""
    if len(inputs) != 1 or str(inputs[0]) == STANDARD_INPUT:
        return "documents"
    path = Path(inputs[0])
    return (path.resolve().name if path.is_dir() else path.stem) or "documents"
