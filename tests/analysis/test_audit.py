"""The worksheet of an audit: written, filled, read back, and what it allows to claim."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.analysis.audit import read_audit_sheet, require_frame, write_audit_sheet
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError, InputError
from scrubjay.evaluation.bounds import most_in_population
from scrubjay.evaluation.sampling import Frame, draw_sample, read_frame

Row = dict[str, str]
Fill = Callable[[int, Row], None]
CANARY = "Wilhelmina"


def corpus() -> list[Document]:
    return [
        Document(f"00{number}", f"{CANARY} {number}", (Span(0, 10, "PATIENT"),), {"site": site})
        for number, site in enumerate(["north"] * 15 + ["south"] * 4 + ["-east"])
    ]


def frame() -> Frame:
    return read_frame(corpus(), stratify="site")


def fill(path: Path, change: Fill) -> None:
    """Fill each row with 0 and then let `change` have it, as a spreadsheet would save it."""
    text = path.read_text("utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    for number, row in enumerate(rows):
        row.update(leaks="0", direct_leaks="0")
        change(number, row)
    kept = [row for row in rows if row]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, kept[0].keys(), delimiter=";")
        writer.writeheader()
        writer.writerows(kept)


def nothing(number: int, row: Row) -> None:
    return None


def some_leaks(number: int, row: Row) -> None:
    if number < 2:
        row.update(leaks="2", direct_leaks="1", over_redacted="1")
    elif number == 2:
        row.update(leaks="1", over_redacted="0")


def test_a_filled_worksheet_gives_bounds(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    plan = draw_sample(frame(), 10, seed=1)
    assert write_audit_sheet(path, plan) == 10
    assert CANARY not in path.read_text("utf-8")
    fill(path, some_leaks)
    audit = read_audit_sheet(path)
    assert (audit.frame_documents, audit.seed, len(audit.documents)) == (20, 1, 10)
    assert [document.document for document in audit.documents] == [one.id for one in plan.chosen]
    assert (audit.leaks, audit.direct_leaks) == (5, 2)
    assert (audit.leaking.events, audit.leaking_direct.events) == (3, 2)
    assert audit.proportional
    assert audit.most_leaking == most_in_population(20, 10, 3)
    assert audit.most_leaking_direct == most_in_population(20, 10, 2)
    assert audit.recall is not None
    assert (audit.recall.events, audit.recall.trials) == (1, 6)
    require_frame(audit, corpus(), path="run")
    record = audit.record()
    assert record["any_leak"]["share"] == 0.3
    assert record["strata"][0]["stratum"] == "-east"


def test_strata_out_of_proportion_are_weighed_and_bounded_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_audit_sheet(path, draw_sample(frame(), 5, seed=1, at_least=2))

    def south_leaks(number: int, row: Row) -> None:
        if row["stratum"] == "south":
            row.update(leaks="1")

    fill(path, south_leaks)
    audit = read_audit_sheet(path)
    sampled = {row.stratum.name: row.stratum.sampled for row in audit.strata}
    assert sampled == {"-east": 1, "north": 2, "south": 2}
    assert not audit.proportional
    assert audit.estimate == pytest.approx(4 / 20)
    split = 1 - 0.05 / 3
    assert audit.most_leaking == 4 + most_in_population(15, 2, 0, confidence=split)
    assert audit.recall is None
    assert audit.record()["recall"] is None


def test_strata_that_were_not_drawn_stay_in_the_frame(tmp_path: Path) -> None:
    path = tmp_path / "sheet.jsonl"
    plan = draw_sample(frame(), 4, seed=0)
    assert [one.sampled for one in plan.strata] == [0, 3, 1]
    write_audit_sheet(path, plan)
    lines = path.read_text("utf-8").replace('leaks": ""', 'leaks": 0')
    path.write_text(lines, "utf-8")
    audit = read_audit_sheet(path)
    assert [(row.stratum.name, row.most_leaking) for row in audit.strata][-1] == ("(not drawn)", 1)
    assert audit.most_leaking == most_in_population(20, 4, 0)
    assert audit.estimate == 0.0


def drop(number: int, row: Row) -> None:
    if number == 3:
        row.clear()


def put(column: str, value: str, *, at: int = 1) -> Fill:
    def change(number: int, row: Row) -> None:
        if number == at:
            row[column] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (drop, "row 4 of 10 is missing"),
        (put("leaks", ""), "is not checked: `leaks` is empty"),
        (put("direct_leaks", ""), "`direct_leaks` is empty"),
        (put("leaks", "none"), "`leaks` must be a whole number"),
        (put("direct_leaks", "1"), "1 direct leaks are more than all 0"),
        (put("over_redacted", "2"), "2 over-redacted spans are more than all 1"),
        (put("number", "1"), "occurs twice"),
        (put("number", "11"), "row 11 of 10 cannot be"),
        (put("frame", "abc"), "`frame` is not that of the first row"),
        (put("seed", "7"), "`seed` is not that of the first row"),
        (put("stratum_documents", "3", at=9), "another size in an earlier row"),
        (put("stratum_documents", "99", at=0), "another size|more documents than the frame"),
    ],
)
def test_altered_worksheets_are_errors(tmp_path: Path, change: Fill, said: str) -> None:
    path = tmp_path / "sheet.csv"
    write_audit_sheet(path, draw_sample(frame(), 10, seed=1))
    fill(path, change)
    with pytest.raises(FormatError, match=said) as caught:
        read_audit_sheet(path)
    assert "sheet.csv" in str(caught.value)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("document", "nobody"), "line 3: the document is not in the frame"),
        (put("predicted", "9"), "line 3: `predicted` is 9, but the run has 1 spans"),
        (put("stratum", "-east", at=5), "line 7: the cell `stratum` is not|another size"),
        (lambda number, row: row.update(seed="8"), "line 3: the cell `(document|stratum)`"),
        (lambda number, row: row.update(at_least="9"), "line 2: no such sample"),
        (lambda number, row: row.update(stratify="ward"), "line 2: the cell `(document|stratum)`"),
        (lambda number, row: row.update(frame_documents="90"), "line 2: the cell `frame_doc"),
    ],
)
def test_rows_are_checked_against_the_frame(tmp_path: Path, change: Fill, said: str) -> None:
    path = tmp_path / "sheet.csv"
    write_audit_sheet(path, draw_sample(frame(), 10, seed=1))
    fill(path, change)
    with pytest.raises(FormatError, match=said) as caught:
        require_frame(read_audit_sheet(path), corpus(), path="run")
    assert CANARY not in str(caught.value)


def test_other_errors_of_worksheets(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_audit_sheet(path, draw_sample(frame(), 3))
    header = path.read_text("utf-8").splitlines()[0]
    fill(path, nothing)
    with pytest.raises(ConfigError, match="backs no claim"):
        read_audit_sheet(path, confidence=0.5)
    with pytest.raises(InputError, match="drawn from another frame"):
        require_frame(read_audit_sheet(path), corpus()[1:], path="run")
    path.write_text(f"{header}\n", "utf-8")
    with pytest.raises(InputError, match="has no rows"):
        read_audit_sheet(path)
