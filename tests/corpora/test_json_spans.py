"""Spans of JSON: the short cut for flawless ones against the judge of all others."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora._json import (
    decode_span,
    decode_spans,
    dump_json,
    dump_spans,
    encode_span,
)
from scrubjay.corpora.jsonl import start
from scrubjay.corpora.offsets import Offsets
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import InputError

TEXT = "Seen by Dr. Lee on 3/4/2019"

offsets = st.one_of(st.integers(-1, 30), st.booleans(), st.none(), st.floats(0, 3), st.just("3"))
whole = st.integers(0, 30)
scores = st.one_of(st.floats(0, 1), st.integers(0, 1), st.booleans(), st.none(), st.just("high"))
labels = st.sampled_from(["DATE", "", None, 3])
values = st.one_of(
    st.fixed_dictionaries(
        {"start": st.one_of(whole, offsets), "end": st.one_of(whole, offsets), "label": labels},
        optional={"score": scores, "source": st.sampled_from(["rule", "", None, 7])},
    ),
    st.fixed_dictionaries({"start_offset": whole, "end_offset": whole, "label": labels}),
    st.tuples(whole, whole, labels).map(list),
    st.integers(),
)


SOURCE = Source(Path("a.jsonl"), "a.jsonl", "a")


def outcome(decode: Callable[[], Span]) -> tuple[object, ...]:
    """Return all that is known of a span, or of the error in its place."""
    try:
        span = decode()
    except InputError as error:
        return type(error), str(error)
    return span, span.score, span.source


@given(values)
def test_the_short_cut_says_what_the_judge_says(value: Any) -> None:
    offsets, place = Offsets(TEXT, "code-points"), "line 1, span 1"
    assert outcome(
        lambda: decode_spans([value], TEXT, source=SOURCE, place="line 1")[0]
    ) == outcome(lambda: decode_span(value, offsets, size=len(TEXT), source=SOURCE, place=place))


spans = st.builds(
    Span,
    st.integers(0, 5),
    st.integers(6, 27),
    st.sampled_from(["DATE", 'Jo"s', "\ud800", "é", "\n"]),
    st.one_of(st.none(), st.floats(), st.integers(0, 1)),
    st.sampled_from(["", "rule", "a\\b", "ñ"]),
)


@given(st.lists(spans, max_size=4))
def test_spans_are_written_as_the_library_of_json_writes_them(some: list[Span]) -> None:
    assert dump_spans(some) == dump_json([encode_span(span) for span in some])


names = st.sampled_from(["id", "text", "spans", "metadata", "ward", "note"])


@given(
    st.lists(spans.filter(lambda span: span.label != "\ud800"), max_size=2),
    st.none() | names,
    st.none() | names,
    st.dictionaries(names, st.text("ab7", max_size=2), max_size=3),
    st.dictionaries(st.sampled_from(["ward", "source.path", "k"]), st.text("ab", max_size=2)),
)
def test_a_line_has_all_keys_of_its_record_in_their_order(
    some: list[Span],
    text_column: str | None,
    id_column: str | None,
    columns: dict[str, str],
    metadata: dict[str, Any],
) -> None:
    document = Document(
        "a7", TEXT, tuple(some), metadata | ({"columns": columns} if columns else {})
    )
    stream = io.BytesIO()
    start(lambda _: stream, text_column=text_column, id_column=id_column).add(document)
    line = stream.getvalue().decode()
    record = json.loads(line)
    assert line == dump_json(record) + "\n"
    assert next(iter(record)) == (id_column or "id")
    if "spans" not in (text_column, id_column):
        assert dump_json(record["spans"]) == dump_json([encode_span(s) for s in document.spans])
