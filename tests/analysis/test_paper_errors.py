"""The example errors of He 2015 and Jiang 2017, on texts of our own with the same shapes.

Each case is named after the table or section, and the example there. Both sides are written as
inline tags over one text.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from scrubjay.analysis.errors import ErrorAnalysis, analyse_errors
from scrubjay.corpora.inline import parse_inline
from scrubjay.document import Document, Span
from scrubjay.evaluation.pairs import Pair
from scrubjay.labels import find_label_set
from scrubjay.reports.blocks import Section, Table
from scrubjay.reports.errors import compose_errors, error_tables

I2B2 = find_label_set("i2b2-2014")


class Case(NamedTuple):
    """Gold and predicted as inline tags, and the errors: cause, gold label, predicted label."""

    gold: str
    predicted: str
    errors: list[tuple[str, str, str]]


HE = {
    "Table 7, PATIENT taken for DOCTOR": Case(
        "seen with <PATIENT>Odalys Brandt</PATIENT> today",
        "seen with <DOCTOR>Odalys Brandt</DOCTOR> today",
        [("type", "PATIENT", "DOCTOR")],
    ),
    "Table 7, DOCTOR taken for PATIENT": Case(
        "cc: <DOCTOR>Perrault</DOCTOR>",
        "cc: <PATIENT>Perrault</PATIENT>",
        [("type", "DOCTOR", "PATIENT")],
    ),
    "Table 7, ORGANIZATION taken for HOSPITAL": Case(
        "works for <ORGANIZATION>Calder House</ORGANIZATION>",
        "works for <HOSPITAL>Calder House</HOSPITAL>",
        [("type", "ORGANIZATION", "HOSPITAL")],
    ),
    "Table 7, missing COUNTRY": Case(
        "of <COUNTRY>Latvian</COUNTRY> descent, born in <COUNTRY>Iceland</COUNTRY>",
        "of Latvian descent, born in Iceland",
        [("missing", "COUNTRY", ""), ("missing", "COUNTRY", "")],
    ),
    "Table 7, spurious PROFESSION": Case(
        "able to drive",
        "able to <PROFESSION>drive</PROFESSION>",
        [("spurious", "", "PROFESSION")],
    ),
    "Table 8, short DATE (day left out)": Case(
        "since <DATE>9 March 2071</DATE>",
        "since 9 <DATE>March 2071</DATE>",
        [("short", "DATE", "DATE")],
    ),
    "Table 8, long DATE (part of the day taken in)": Case(
        "came <DATE>May 3</DATE> evening",
        "came <DATE>May 3 evening</DATE>",
        [("long", "DATE", "DATE")],
    ),
    "Table 8, S&L DOCTOR": Case(
        "signed <DOCTOR>Ines van Aken</DOCTOR> MD",
        "signed Ines <DOCTOR>van Aken MD</DOCTOR>",
        [("short-and-long", "DOCTOR", "DOCTOR")],
    ),
    "Section 3.4, hyphenated PATIENT cut by the tokenizer": Case(
        "Mr. <PATIENT>Aurelio-Keith</PATIENT>",
        "Mr. <PATIENT>Aurelio</PATIENT>-Keith",
        [("short", "PATIENT", "PATIENT")],
    ),
}

JIANG = {
    "Section 8.3.2, PROFESSION before ORGANIZATION": Case(
        "a former <PROFESSION>bridge inspector</PROFESSION> at "
        "<ORGANIZATION>Quillmark Ltd</ORGANIZATION>",
        "a former <PROFESSION>bridge inspector</PROFESSION> at "
        "<PROFESSION>Quillmark Ltd</PROFESSION>",
        [("type", "ORGANIZATION", "PROFESSION")],
    ),
    "Section 8.3.3, a season as adjective": Case(
        "worse last <DATE>autumn</DATE>; bought autumn shoes",
        "worse last <DATE>autumn</DATE>; bought <DATE>autumn</DATE> shoes",
        [("spurious", "", "DATE")],
    ),
    "Section 8.3.3, two digits as AGE": Case(
        "scored 27 of 30",
        "scored <AGE>27</AGE> of 30",
        [("spurious", "", "AGE")],
    ),
    "Section 8.3.3, common words as ORGANIZATION": Case(
        "worked at a small firm",
        "worked at a <ORGANIZATION>small firm</ORGANIZATION>",
        [("spurious", "", "ORGANIZATION")],
    ),
    "Section 8.3.5, short, a period cut off": Case(
        "studied at <ORGANIZATION>Pinnacle Coll.</ORGANIZATION>",
        "studied at <ORGANIZATION>Pinnacle Coll</ORGANIZATION>.",
        [("short", "ORGANIZATION", "ORGANIZATION")],
    ),
    "Section 8.3.5, short, one entity as two": Case(
        "at the <ORGANIZATION>Technical College of Idaho</ORGANIZATION>",
        "at the <ORGANIZATION>Technical College</ORGANIZATION> of <STATE>Idaho</STATE>",
        [("short", "ORGANIZATION", "ORGANIZATION"), ("type+short", "ORGANIZATION", "STATE")],
    ),
    "Section 8.3.5, short, of between its parts": Case(
        "in <DATE>spring of 2085</DATE>",
        "in <DATE>spring</DATE> of <DATE>2085</DATE>",
        [("short", "DATE", "DATE"), ("short", "DATE", "DATE")],
    ),
    "Section 8.3.5, long, a sign not cut off": Case(
        "moved to <HOSPITAL>Homecare-Duluth</HOSPITAL>\\, stable",
        "moved to <HOSPITAL>Homecare-Duluth\\,</HOSPITAL> stable",
        [("long", "HOSPITAL", "HOSPITAL")],
    ),
    "Section 8.3.5, long, two entities as one": Case(
        "took <PROFESSION>library science</PROFESSION> <PROFESSION>school teaching</PROFESSION>",
        "took <PROFESSION>library science school teaching</PROFESSION>",
        [("long", "PROFESSION", "PROFESSION")],
    ),
    "Section 8.3.5, long, CITY within ORGANIZATION": Case(
        "at <CITY>Maple Falls</CITY> Middle School",
        "at <ORGANIZATION>Maple Falls Middle School</ORGANIZATION>",
        [("type+long", "CITY", "ORGANIZATION")],
    ),
    "Section 8.3.5, short and long, PROFESSION after ORGANIZATION": Case(
        "male <ORGANIZATION>Tom Hardin roofs</ORGANIZATION> <PROFESSION>repair man</PROFESSION>",
        "male <ORGANIZATION>Tom Hardin</ORGANIZATION> <PROFESSION>roofs repair man</PROFESSION>",
        [
            ("short", "ORGANIZATION", "ORGANIZATION"),
            ("type+short-and-long", "ORGANIZATION", "PROFESSION"),
        ],
    ),
}

CASES = {f"He 2015, {name}": case for name, case in HE.items()} | {
    f"Jiang 2017, {name}": case for name, case in JIANG.items()
}


def analyse(cases: list[Case]) -> ErrorAnalysis:
    pairs = []
    for number, case in enumerate(cases):
        gold = parse_inline(case.gold, id=str(number))
        predicted = parse_inline(case.predicted, id=str(number))
        assert gold.text == predicted.text
        pairs.append(Pair(gold, predicted))
    return analyse_errors(pairs, label_set=I2B2)


@pytest.mark.parametrize("name", CASES)
def test_example_errors_are_of_the_kind_that_the_paper_gives_them(name: str) -> None:
    case = CASES[name]
    found = [(one.cause, one.gold_label, one.predicted_label) for one in analyse([case]).errors]
    assert found == case.errors


def test_one_entity_as_two_and_two_as_one_are_told() -> None:
    assert analyse([JIANG["Section 8.3.5, short, one entity as two"]]).split == 1
    assert analyse([JIANG["Section 8.3.5, long, two entities as one"]]).merged == 1


def test_gold_spans_found_with_other_borders_are_not_missing() -> None:
    confusion = analyse(list(CASES.values())).confusion
    assert sum(map(confusion.missing, confusion.labels)) == 2
    assert confusion.touched("PROFESSION") == 3


def spread(rows: list[tuple[int, int, list[tuple[str, str]]]]) -> list[Pair]:
    """Return one pair for each row: so many places, so many characters apart, with these sides.

    A side is a pair of labels, gold and predicted, "" where there is none; a label ends with < or
    > where its span is a character shorter or longer than the other one.
    """
    pairs = []
    for number, (times, width, sides) in enumerate(rows):
        gold: list[Span] = []
        predicted: list[Span] = []
        for turn in range(times):
            for place, (one, other) in enumerate(sides):
                start = (turn * len(sides) + place) * width
                for label, side in ((one, gold), (other, predicted)):
                    size = 2 - label.endswith("<") + label.endswith(">")
                    if label:
                        side.append(Span(start, start + size, label.rstrip("<>")))
        text = "x" * (times * len(sides) * width)
        pairs.append(
            Pair(
                Document(str(number), text, tuple(gold)),
                Document(str(number), text, tuple(predicted)),
            )
        )
    return pairs


def row_of(table: Table, name: str) -> tuple[str, ...]:
    return next(row for row in table.rows if row[0] == name)


def test_he_table_6_distribution() -> None:
    pairs = spread(
        [
            (159, 4, [("PATIENT", "DOCTOR")]),
            (114, 4, [("DATE", "DATE<")]),
            (78, 4, [("DATE", "DATE>")]),
            (10, 4, [("DATE", "CITY<")]),
            (851, 4, [("DATE", "")]),
            (109, 4, [("", "AGE")]),
        ]
    )
    by_kind = error_tables(analyse_errors(pairs, label_set=I2B2))[0]
    assert by_kind.rows == (
        ("type error", "159", "12.04"),
        ("extent error", "202", "15.29"),
        ("missing error", "851", "64.42"),
        ("spurious error", "109", "8.25"),
    )


def test_he_table_7_percentages_of_margins() -> None:
    pairs = spread(
        [
            (83, 4, [("PROFESSION", "PROFESSION")]),
            (88, 4, [("PROFESSION", "")]),
            (9, 4, [("", "PROFESSION")]),
            (2, 4, [("HOSPITAL", "PROFESSION")]),
            (7, 4, [("PROFESSION", "PROFESSION<")]),
        ]
    )
    analysis = analyse_errors(pairs, label_set=I2B2)
    matrix = next(t for t in error_tables(analysis, matrix=True) if t.title == "Confusion")
    row = dict(zip(matrix.header, row_of(matrix, "PROFESSION"), strict=True))
    assert (row["missing"], row["missing %"], row["total"]) == ("88", "51.5", "171")
    assert (row["other borders"], row["gold"]) == ("7", "178")
    column = matrix.header.index("PROFESSION")
    assert row_of(matrix, "spurious")[column] == "9"
    assert row_of(matrix, "spurious %")[column] == "9.6"
    assert row_of(matrix, "predicted")[column] == "101"


def test_jiang_figure_7_column_and_missing_row_of_patient() -> None:
    pairs = spread(
        [
            (597, 4, [("PATIENT", "PATIENT")]),
            (14, 4, [("DOCTOR", "PATIENT")]),
            (12, 4, [("ORGANIZATION", "PATIENT")]),
            (26, 4, [("", "PATIENT")]),
            (9, 4, [("PATIENT", "PATIENT<")]),
            (42, 4, [("PATIENT", "DOCTOR")]),
            (187, 4, [("PATIENT", "")]),
        ]
    )
    confusion = analyse_errors(pairs, label_set=I2B2).confusion
    assert (confusion.column_cells("PATIENT"), confusion.system_total("PATIENT")) == (623, 658)
    assert confusion.row_total("PATIENT") == 826
    counts = {
        "correct": confusion.cells["PATIENT", "PATIENT"],
        "DOCTOR": confusion.cells["DOCTOR", "PATIENT"],
        "spurious": confusion.spurious["PATIENT"],
        "short": confusion.extent_total("PATIENT", "short"),
    }
    shares = {name: confusion.column_percent("PATIENT", n) or 0.0 for name, n in counts.items()}
    assert {name: round(share) for name, share in shares.items()} == {
        "correct": 91,
        "DOCTOR": 2,
        "spurious": 4,
        "short": 1,
    }
    assert round(confusion.row_percent("PATIENT", confusion.missing("PATIENT")) or 0.0) == 23


def test_the_page_has_the_tables_of_the_papers() -> None:
    page = compose_errors(analyse(list(CASES.values())))
    titles = [
        block.title
        for section in page.blocks
        if isinstance(section, Section)
        for block in section.blocks
        if isinstance(block, Table)
    ]
    assert titles[:2] == ["Errors by kind", "Errors by cause"]
    assert {"Confusion", "Confusion, percent by row", "Confusion, percent by column"} < set(titles)
    assert "Confusion of main categories" in titles
