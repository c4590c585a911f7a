"""Spans of JSON: the short cut for flawless ones against the judge of all others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora._json import Offsets, decode_span, decode_spans
from scrubjay.corpora.source import Source
from scrubjay.document import Span
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
