"""JSON as commands write it, and where."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.cli._output import dump_json, require_writable
from scrubjay.errors import OutputError

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


def test_a_place_that_may_not_be_written_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").touch()
    for name in ("there", "new"):
        require_writable(tmp_path / name, [])
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    for name in ("there", "new"):
        with pytest.raises(OutputError, match="Permission denied"):
            require_writable(tmp_path / name, [])
    require_writable(Path(os.devnull), [])


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no such folder")
def test_a_stream_that_is_a_file_needs_no_right_to_the_folder_of_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "out").open("wb") as stream:
        place = Path(f"/proc/self/fd/{stream.fileno()}")
        monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != place.parent)
        require_writable(place, [])
