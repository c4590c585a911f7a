"""The page of agreement: what stands in it, and what does not."""

from __future__ import annotations

from scrubjay.analysis.consistency import check_consistency
from scrubjay.analysis.disagreements import CaseCounter
from scrubjay.document import Document, Span
from scrubjay.evaluation.agreement import AgreementReport, measure_agreement
from scrubjay.evaluation.annotators import Annotator, Panel
from scrubjay.reports.agreement import agreement_tables, compose_agreement
from scrubjay.reports.blocks import Examples, Figure, Table, walk_blocks
from scrubjay.reports.html import render_page

CANARY = "Wilhelmina"
TEXT = f"Seen by {CANARY} <b> and {CANARY}"
SIDES = ((Span(8, 18, "DOCTOR"),), (Span(8, 18, "PATIENT"),), ())


def measure(
    *sides: tuple[Span, ...], context: int | None = None, most: int | None = None
) -> tuple[AgreementReport, CaseCounter]:
    panel = Panel(
        [Annotator(f"ann{n}", [Document("a", TEXT, side)]) for n, side in enumerate(sides)]
    )
    cases = CaseCounter(context=context, most=most)
    return measure_agreement(panel, documents=cases.watch(panel)), cases


def test_the_page_holds_no_text_unless_it_was_asked_for() -> None:
    documents = [Document("a", TEXT, SIDES[0])]
    for shows in (False, True):
        report, cases = measure(*SIDES, context=4 if shows else None)
        check = check_consistency(lambda: documents, show_text=shows)
        page = compose_agreement(report, cases, {"ann0": check})
        assert page.shows_text is shows
        markup = render_page(page)
        assert (CANARY in markup) is shows
        assert "<b>" not in markup
        assert page.text_in_tables is shows


def test_the_page_shows_every_pair_and_what_each_said() -> None:
    page = compose_agreement(*measure(*SIDES))
    blocks = list(walk_blocks(page.blocks))
    titles = [block.title for block in blocks if isinstance(block, Table)]
    pairs = ("ann0 and ann1", "ann0 and ann2", "ann1 and ann2")
    assert [f"{pair}, 1 documents" in titles for pair in pairs] == [True] * 3
    assert sum(isinstance(block, Figure) for block in blocks) == 1
    (examples,) = (block for block in blocks if isinstance(block, Examples))
    (example,) = examples.examples
    assert (example.gold_label, example.predicted_label) == ("DOCTOR", "PATIENT | -")
    assert (example.kind, example.shape) == ("missing", "Aaaaaaaaaa")


def test_nothing_marked_makes_a_page_without_pictures() -> None:
    page = compose_agreement(*measure((), ()))
    kinds = {type(block) for block in walk_blocks(page.blocks)}
    assert not kinds & {Figure, Examples}
    assert "Agreement" in render_page(page)


def test_tables_of_consistency_are_bounded() -> None:
    words = ("Rome", "Lima", "Oslo")
    text = " ".join((*words, *words))
    spans = tuple(Span(5 * n, 5 * n + 4, "CITY") for n in range(3))
    check = check_consistency(lambda: [Document("a", text, spans)])
    report, cases = measure(*SIDES)
    titles = [one.title for one in agreement_tables(report, cases, {"x": check}, most=2)]
    assert "Not marked everywhere, x (2 of 3)" in titles
    found = agreement_tables(report, cases, {"x": check})[-1]
    assert found.rows[0] == ("Aaaa", "CITY 1", "a 15-19", "1", "1", "0", "1")
