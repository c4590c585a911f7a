"""JSON as commands write it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.cli._output import dump_json

plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    plain, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(values)
def test_json_is_what_it_was(value: object) -> None:
    assert json.loads(dump_json(value)) == value


def test_records_stand_on_lines_of_their_own() -> None:
    value = {"size": 2, "rows": [{"a": 1, "b": []}, {"a": 2}], "by": {"é": {"c": 1}, "e": {}}}
    assert dump_json(value).splitlines() == [
        "{",
        ' "size": 2,',
        ' "rows": [',
        '  {"a": 1, "b": []},',
        '  {"a": 2}',
        " ],",
        ' "by": {',
        '  "é": {"c": 1},',
        '  "e": {}',
        " }",
        "}",
    ]
