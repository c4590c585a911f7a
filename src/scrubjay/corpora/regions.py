"""Regions of a text whose PHI nobody labelled, and documents without the sentences they touch.

A document tells its regions in the metadata under "scrubjay.ignore", a list of `[start, end]` in
characters of its text, half-open. Training leaves out every sentence that touches one: in the
part of the text that stays, what has no label is no PHI.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from scrubjay.corpora.metadata import IGNORE_KEY, annotation_free
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, SpanError
from scrubjay.text.tokenizers import Tokenizer, make_tokenizer
from scrubjay.transform.edits import Edit, apply_edits

IGNORE_LABEL = "SCRUBJAY-IGNORE"
"""What marks a region in a format that has annotations alone: brat."""

HOLDING = frozenset({"brat", "jsonl"})
"""The formats that keep the regions of a document."""

Region = tuple[int, int]


def ignored_regions(document: Document) -> tuple[Region, ...]:
    """Return the regions of a document, sorted and joined where they meet.

    Raises `FormatError` for an entry that is no list of pairs, and `SpanError` for a region that
    is empty or ends beyond the text; both tell the id and offsets alone.
    """
    value = document.metadata.get(IGNORE_KEY) or ()
    if not isinstance(value, list | tuple) or not all(map(_is_pair, value)):
        raise FormatError(
            f"document {document.id!r}: {IGNORE_KEY!r} must be a list of [start, end]"
        )
    for start, end in value:
        if not 0 <= start < end <= len(document.text):
            raise SpanError(
                f"document {document.id!r}: the region [{start}, {end}) is empty or ends beyond "
                f"the text of {len(document.text)} characters"
            )
    return join_regions((start, end) for start, end in value)


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(type(offset) is int for offset in value)
    )


def join_regions(regions: Iterable[Region]) -> tuple[Region, ...]:
    """Return regions sorted, those that overlap or meet as one."""
    joined: list[Region] = []
    for start, end in sorted(regions):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def region_metadata(metadata: Mapping[str, Any], regions: Iterable[Region]) -> dict[str, Any]:
    """Return metadata with these regions and no others; without any there is no entry."""
    kept = {key: value for key, value in metadata.items() if key != IGNORE_KEY}
    joined = join_regions(regions)
    return kept | ({IGNORE_KEY: [list(region) for region in joined]} if joined else {})


def left_out(document: Document) -> tuple[Region, ...]:
    """Return the parts of a text that training leaves out: the sentences with a region in them.

    Sentences end where a tokenizer ends them and at least at the end of each line that does not
    go on in the next by a hard wrap. A part takes the blanks behind it along, and the line end
    too where nothing else is on its lines.
    """
    regions = ignored_regions(document)
    if not regions:
        return ()
    text = document.text
    sentences = _sentences(text)
    # Part by part until none grows: a sentence that an annotation reaches into goes, too.
    wanted = list(regions)
    while True:
        found = [s for s in sentences if any(s[0] < end and start < s[1] for start, end in wanted)]
        gone = [_with_blanks(text, *part) for part in join_regions([*found, *wanted])]
        cut = [(span.start, span.end) for span in document.spans if _half_in(span, gone)]
        grown = join_regions([*found, *wanted, *cut])
        if list(grown) == wanted:
            return join_regions(_with_blanks(text, *part) for part in grown)
        wanted = list(grown)


def without_ignored(document: Document) -> Document:
    """Return what training may see of a document: its text without the parts `left_out`.

    Spans keep their text at other offsets, and those in the parts are gone. A document without
    regions comes back as it is. Raises like `ignored_regions`.
    """
    parts = left_out(document)
    if not parts:
        return document
    edited = apply_edits(document.text, [Edit(start, end, "") for start, end in parts])
    left = (
        span
        for span in document.spans
        if not any(start < span.end and span.start < end for start, end in parts)
    )
    metadata = annotation_free(document.metadata)
    return Document(document.id, edited.text, edited.moved(left), metadata)


@cache
def _cutter() -> Tokenizer:
    return make_tokenizer("wi-deid")


def _sentences(text: str) -> list[Region]:
    """Return the sentences of a text, from their first token to the end of their last."""
    tokens = _cutter().tokenize(text)
    bounds = tokens.sentence_bounds().tolist()
    return [
        (int(tokens.starts[first]), int(tokens.ends[last - 1]))
        for first, last in pairwise(bounds)
        if first < last
    ]


def _half_in(span: Span, parts: Iterable[Region]) -> bool:
    """Tell whether a span shares characters with some part and has others beside it."""
    return any(
        start < span.end and span.start < end and not (start <= span.start and span.end <= end)
        for start, end in parts
    )


def _with_blanks(text: str, start: int, end: int) -> Region:
    while end < len(text) and text[end] in " \t":
        end += 1
    begins_line = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    if begins_line and end < len(text) and text[end] in "\r\n":
        end += 2 if text.startswith("\r\n", end) else 1
    return start, end
