"""JSON lines, doccano and Label Studio."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.corpora import FORMATS, _json, detect_format, find_format, read_corpus, write_corpus
from scrubjay.corpora._json import array_items
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, EncodingError, FormatError, InputError, SpanError

CANARY = "Wilhelmina"
ASTRAL = "\U0001d504 Lee, \U0001d505 Poe"


def write(folder: Path, name: str, *values: Any) -> Path:
    lines = (value if isinstance(value, str) else json.dumps(value) for value in values)
    (folder / name).write_text("\n".join(lines), encoding="utf-8")
    return folder / name


def test_lines_need_a_text_alone(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "notes.jsonl",
        {"text": "abc"},
        "",
        {"id": 7, "text": "abc", "spans": [[0, 1, "DATE"], {"start": 1, "end": 2, "label": "AGE"}]},
    )
    first, second = read_corpus(path)
    assert (first.id, second.id) == ("notes-1", "7")
    assert second.spans == (Span(0, 1, "DATE"), Span(1, 2, "AGE"))


def test_further_keys_come_back(tmp_path: Path) -> None:
    record = {
        "id": "a",
        "text": "abc",
        "spans": [],
        "metadata": {"site": "north"},
        "patient": 3,
        "tags": ["x"],
    }
    path = write(tmp_path, "notes.jsonl", record)
    (document,) = read_corpus(path)
    assert document.metadata["columns"] == {"patient": 3, "tags": ["x"]}
    assert document.metadata["site"] == "north"
    write_corpus([document], tmp_path / "out", format="jsonl")
    assert json.loads((tmp_path / "out" / "notes.jsonl").read_text()) == record


def test_other_names_for_text_and_id(tmp_path: Path) -> None:
    path = write(tmp_path, "notes.jsonl", {"note": "abc", "nr": "a", "text": 3, "spans": []})
    (document,) = read_corpus(path, text_column="note", id_column="nr")
    assert (document.id, document.text) == ("a", "abc")
    write_corpus([document], tmp_path / "out", format="jsonl")
    assert json.loads((tmp_path / "out" / "notes.jsonl").read_text()) == {
        "note": "abc",
        "nr": "a",
        "text": 3,
        "spans": [],
    }


def test_a_key_of_ids_that_was_named_has_to_be_there(tmp_path: Path) -> None:
    lines = ({"text": CANARY, "Number": 7}, {"text": "def"})
    path = write(tmp_path, "notes.jsonl", *lines)
    with pytest.raises(FormatError, match=r"line 1: there is no 'number'\. .*--id-column") as told:
        list(read_corpus(path, id_column="number"))
    assert CANARY not in str(told.value)
    ids = [document.id for document in read_corpus(path, id_column="Number")]
    assert ids == ["7", "notes-2"]  # later ones may lack it
    with pytest.raises(FormatError, match="line 1: there is no 'id'"):
        list(read_corpus(path, id_column="id"))
    assert [document.id for document in read_corpus(path)] == ["notes-1", "notes-2"]


def test_a_byte_order_mark_at_the_head_of_a_file_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'\xef\xbb\xbf{"text": "\xef\xbb\xbfx"}\r\n')
    (document,) = read_corpus(tmp_path)
    assert document.text == "\ufeffx"


BAD_LINES = {
    "json": ('{"text": Wilhelmina}', "line 2, column 10: not valid JSON"),
    "object": ('["Wilhelmina"]', "line 2: expected a JSON object"),
    "no text": (
        '{"note": "Wilhelmina"}',
        "line 2: there is no 'text'.* 1 key .well known: 'note'",
    ),
    "text": ('{"text": ["Wilhelmina"]}', "line 2: 'text' is not a string"),
    "spans": ('{"text": "x", "spans": {"a": "Wilhelmina"}}', "line 2: the spans must be a list"),
    "span": ('{"text": "x", "spans": [["Wilhelmina"]]}', "line 2, span 1: a span must be"),
    "bool": ('{"text": "x", "spans": [[false, true, "A"]]}', "line 2, span 1: a span must be"),
    "outside": ('{"text": "x", "spans": [[0, 2, "A"]]}', r"line 2, span 1: the span \[0, 2\) A en"),
    "empty": ('{"text": "x", "spans": [[0, 0, "A"]]}', r"line 2, span 1: the span \[0, 0\) A is"),
    "surrogate": (
        '{"text": "Wilhelmina\\udc80"}',
        r"line 2: a lone surrogate U\+DC80 at",
    ),
    "depth": ("[" * 100_000, "line 2: not valid JSON"),
}


@pytest.mark.parametrize("case", BAD_LINES)
def test_broken_lines(case: str, tmp_path: Path) -> None:
    line, message = BAD_LINES[case]
    path = write(tmp_path, "a.jsonl", {"text": "fine"}, line)
    with pytest.raises((FormatError, SpanError), match=message) as caught:
        list(read_corpus(path, format="jsonl"))
    assert "a.jsonl" in str(caught.value)
    assert CANARY not in str(caught.value)


def test_keys_that_look_like_text_are_not_shown(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", {f"{CANARY} was seen by her doctor on the third of May": 1})
    with pytest.raises(FormatError, match=r"1 key .none of a") as caught:
        list(read_corpus(path))
    assert CANARY not in str(caught.value)


def test_wrong_bytes_name_their_offset_in_the_file(tmp_path: Path) -> None:
    good = json.dumps({"text": "é" * 50_000}, ensure_ascii=False).encode() + b"\n"
    (tmp_path / "a.jsonl").write_bytes(good * 3 + b'{"text": "\xe9"}')
    with pytest.raises(EncodingError, match=f"byte {3 * len(good) + 10}: not utf-8 text"):
        list(read_corpus(tmp_path))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("label", [[0, 1, "A"]]),
        ("labels", [[0, 1, "A"]]),
        ("entities", [{"id": 1, "start_offset": 0, "end_offset": 1, "label": "A"}]),
    ],
)
def test_doccano_keeps_its_keys(key: str, value: Any, tmp_path: Path) -> None:
    record = {"text": "abc", key: value, "id": 12, "Comments": ["sure"]}
    path = write(tmp_path, "admin.jsonl", record)
    assert detect_format(path) == "doccano"
    (document,) = read_corpus(tmp_path)
    assert document.id == "12"
    assert document.spans == (Span(0, 1, "A"),)
    write_corpus([document], tmp_path / "out", format="doccano")
    assert json.loads((tmp_path / "out" / "admin.jsonl").read_text()) == record


def test_doccano_needs_spans(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", {"text": CANARY})
    with pytest.raises(FormatError, match="line 1: there is none of label") as caught:
        list(read_corpus(path, format="doccano"))
    assert CANARY not in str(caught.value)


def test_ours_is_not_taken_for_doccano(tmp_path: Path) -> None:
    write_corpus([Document("a", "abc", (Span(0, 1, "A"),))], tmp_path, format="jsonl")
    assert detect_format(tmp_path) == "jsonl"


def test_utf16_offsets_are_an_option(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", {"text": ASTRAL, "label": [[3, 6, "A"], [11, 14, "B"]]})
    (document,) = read_corpus(path, offsets="utf-16")
    assert document.spans == (Span(2, 5, "A"), Span(9, 12, "B"))
    with pytest.raises(ConfigError, match="code-points, utf-16"):
        list(read_corpus(path, offsets="bytes"))
    path = write(tmp_path, "a.jsonl", {"text": ASTRAL, "label": [[1, 6, "A"]]})
    with pytest.raises(FormatError, match=r"line 1, span 1: the span \[1, 6\) A cuts a character"):
        list(read_corpus(path, offsets="utf-16"))


def region(start: int, end: int, text: str | None = None, label: str = "DOCTOR") -> dict[str, Any]:
    value = {"start": start, "end": end, "labels": [label]} | ({"text": text} if text else {})
    return {"id": "x", "from_name": "l", "to_name": "t", "type": "labels", "value": value}


def task(*annotations: Any, **more: Any) -> dict[str, Any]:
    return {"id": 5, "data": {"text": ASTRAL}, "annotations": list(annotations)} | more


def test_label_studio(tmp_path: Path) -> None:
    relation = {"type": "relation", "from_id": "x", "to_id": "y"}
    choice = {"type": "choices", "value": {"choices": ["good"]}}
    found = {"result": [region(2, 5, "Lee"), relation, choice]}
    cancelled = {"was_cancelled": True, "result": [region(0, 1)]}
    path = write(tmp_path, "export.json", [task(cancelled, found), {"data": {"text": "x"}}])
    assert detect_format(path) == "label-studio"
    first, second = read_corpus(path)
    assert (first.id, first.spans) == ("5", (Span(2, 5, "DOCTOR"),))
    assert (second.id, second.spans) == ("export-2", ())
    assert first.metadata["label-studio.results"] == [relation, choice]
    write_corpus([first, second], tmp_path / "out", format="label-studio")
    again = list(read_corpus(tmp_path / "out"))
    assert again == [first, second]
    assert again[0].metadata["label-studio.results"] == [relation, choice]


def test_a_result_of_no_known_type_is_no_region(tmp_path: Path) -> None:
    odd = {"type": {"a": 1}, "value": {"start": 0, "end": 1, "labels": ["DOCTOR"]}}
    (document,) = read_corpus(write(tmp_path, "a.json", [task({"result": [odd]})]))
    assert document.spans == ()


def test_several_annotators_by_policy(tmp_path: Path) -> None:
    both = task({"result": [region(2, 5)]}, {"result": [region(9, 12)]})
    path = write(tmp_path, "a.json", [both])
    with pytest.raises(FormatError, match=r"task 1: 2 annotations. Choose an annotator"):
        list(read_corpus(path))
    (first,) = read_corpus(path, annotator="first")
    (last,) = read_corpus(path, annotator="last")
    assert (first.spans[0].start, last.spans[0].start) == (2, 9)


def test_predictions_are_another_layer(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", [task(predictions=[{"result": [region(2, 5)]}])])
    assert next(read_corpus(path)).spans == ()
    assert next(read_corpus(path, layer="predictions")).spans == (Span(2, 5, "DOCTOR"),)


def test_label_studio_offsets_of_browsers(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", [task({"result": [region(3, 6, "Lee")]})])
    with pytest.raises(FormatError, match=r"task 1, result 1: the copy .* \[3, 6\)"):
        list(read_corpus(path))
    assert next(read_corpus(path, offsets="utf-16")).spans == (Span(2, 5, "DOCTOR"),)


def test_label_studio_copies_with_escaped_line_ends(tmp_path: Path) -> None:
    item = task({"result": [region(0, 3, "a\\nb")]}) | {"data": {"text": "a\nb"}}
    assert next(read_corpus(write(tmp_path, "a.json", [item]))).spans


BAD_TASKS = {
    "no array": (f'{{"a": "{CANARY}"}}', r"a\.json: not a JSON array"),
    "no object": (f'["{CANARY}"]', "item 1: not a JSON array of objects"),
    "broken": (f'[{{"data": {{"text": "x"}}}}, {{"data": {CANARY}', "item 2: not a JSON array"),
    "open": ('[{"data": {"text": "x"}}', "item 2: not a JSON array"),
    "comma": ('[{"data": {"text": "x"}} {"data": {"text": "x"}}]', "item 2: not a JSON array"),
    "rest": (f'[{{"data": {{"text": "x"}}}}] {CANARY}', "something follows"),
    "no data": (
        '[{"id": 1, "text": "Wilhelmina"}]',
        "no export of Label Studio. If it is an array",
    ),
    "data": ('[{"data": "Wilhelmina"}]', "task 1, data: expected a JSON object"),
    "layer": ('[{"data": {"text": "x"}, "annotations": {"a": 1}}]', "task 1: 'annotations' must"),
    "result": ('[{"data": {"text": "x"}, "annotations": [{"result": 1}]}]', "task 1: a result"),
}


@pytest.mark.parametrize("case", BAD_TASKS)
def test_broken_tasks(case: str, tmp_path: Path) -> None:
    content, message = BAD_TASKS[case]
    with pytest.raises(FormatError, match=message) as caught:
        list(read_corpus(write(tmp_path, "a.json", content), format="label-studio"))
    assert CANARY not in str(caught.value)


def test_spans_outside_the_text(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", [task({"result": [region(2, 99)]})])
    with pytest.raises(SpanError, match=r"task 1, result 1: the span \[2, 99\)"):
        list(read_corpus(path))


@settings(max_examples=50)
@given(
    st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=8), max_size=3), max_size=5),
    st.integers(1, 40),
    st.sampled_from(["", " ", "\n\t"]),
)
def test_arrays_stream_in_chunks_of_any_size(
    tmp_path_factory: pytest.TempPathFactory, items: list[dict[str, str]], size: int, gap: str
) -> None:
    path = tmp_path_factory.mktemp("array") / "a.json"
    body = f"{gap},{gap}".join(json.dumps(item) for item in items)
    path.write_text(f"\ufeff{gap}[{gap}{body}{gap}]{gap}", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_json, "_CHUNK", size)
        assert list(array_items(Source(path, "a.json", "a"), "utf-8")) == items


def test_wrong_bytes_in_an_array(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'[{"data": {"text": "\xff"}}]')
    with pytest.raises(EncodingError, match="byte 20"):
        list(read_corpus(tmp_path / "a.json"))


def test_unknown_layers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="annotations, predictions"):
        write_corpus([], tmp_path / "out", format="label-studio", layer="drafts")


def test_texts_alone_are_those_of_the_documents(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "notes.jsonl",
        {"body": "abc", "text": "other", "spans": [{"start": 1, "end": 2, "label": "AGE"}]},
        {"id": 7, "body": f"{ASTRAL}\u2028"},
        {"id": 8, "body": ""},
    )
    source, kind = Source(path, path.name, path.stem), find_format("jsonl")
    documents = kind.read(source, text_column="body")
    found = list(kind.reread(source, text_column="body"))
    assert found == [(each.text, kind.marks_of(each)) for each in documents]
    with pytest.raises(FormatError, match="line 1: there is no 'note'"):
        list(kind.reread(source, text_column="note"))


@pytest.mark.parametrize("name", [name for name in FORMATS if find_format(name).read_marked])
def test_who_reads_texts_alone_takes_the_options_of_the_reader(name: str) -> None:
    kind = find_format(name)
    assert kind.read_marked is not None
    options = inspect.signature(kind.read).parameters
    assert inspect.signature(kind.read_marked).parameters == options


def parts(*borders: tuple[int, int]) -> dict[str, Any]:
    told = [{"name": "a", "kind": "", "start": start, "end": end} for start, end in borders]
    return {"record.parts": told}


BAD_METADATA: list[dict[str, Any]] = [
    {"columns": 5},
    {"columns": ["x"]},
    {"xml.tags": 5},
    {"xml.root": 5},
    {"brat.lines": True},
    {"record.parts": {"a": 1}},
    {"record.parts": [CANARY]},
    {"record.parts": [{"start": 0, "end": 16}]},
    parts((0, 5)),
    parts((0, 10), (12, 16)),
    parts((0, 17)),
    parts((0, 10), (5, 16)),
]


@pytest.mark.parametrize("metadata", BAD_METADATA)
def test_metadata_that_do_not_fit_are_refused(tmp_path: Path, metadata: dict[str, Any]) -> None:
    path = write(tmp_path, "a.jsonl", {"text": f"Seen {CANARY}.", "metadata": metadata})
    with pytest.raises(FormatError, match=r"a\.jsonl, line 1: .* of the metadata") as caught:
        list(read_corpus(path))
    assert CANARY not in str(caught.value)


def test_parts_of_the_text_and_metadata_of_ones_own_stay(tmp_path: Path) -> None:
    metadata = {**parts((0, 4), (5, 5), (5, 16)), "site": 3, "source.refused": "x"}
    path = write(tmp_path, "a.jsonl", {"text": f"Seen {CANARY}.", "metadata": metadata})
    (document,) = read_corpus(path)
    assert document.metadata["record.parts"] == metadata["record.parts"]
    assert document.metadata["site"] == 3
    assert "source.refused" not in document.metadata
