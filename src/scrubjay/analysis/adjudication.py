"""Adjudication: a worksheet of disagreements, filled by a person, and the corpus that comes of it.

For each disagreement a person decides whose spans stand, or writes other spans; where all
annotators agree there is nothing to decide. Trienes et al. 2020 (section 3.3) had one author
resolve the disagreements of two annotators so, with the rule that what one annotator alone
marked was missed by the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Literal

from scrubjay.analysis._sheets import Cell, SheetRow, read_sheet, write_sheet
from scrubjay.analysis.disagreements import Case, find_cases
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError, LabelError, SpanError, require_choice
from scrubjay.evaluation.annotators import Joined, Panel
from scrubjay.labels import LabelSet
from scrubjay.spans import overlap

Prefill = Literal["nothing", "risk-averse"]
PREFILLS: tuple[Prefill, ...] = ("nothing", "risk-averse")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
OWN = "own"
NONE = "none"
OWN_SOURCE = "adjudication"
CONTEXT = 60
"""Characters of text on either side of a disagreement, where text is shown."""

_SPAN = re.compile(r"(\d{1,18})\s*-\s*(\d{1,18})\s+(\S+)")


def require_prefill(name: str) -> Prefill:
    """Return the policy of that name; raises `ConfigError` for an unknown one."""
    return require_choice("prefill", name, PREFILLS)


def sheet_columns(annotators: int, *, show_text: bool = False) -> tuple[str, ...]:
    """Return the columns of a worksheet; each annotator has a letter, in their order."""
    text = ("before", "text", "after") if show_text else ()
    places = ("case", "document", "start", "end", "kind", "shape")
    return (*places, *text, *_letters(annotators), "decision", "spans", "note")


def write_worksheet(
    panel: Panel, path: Path | str, *, prefill: Prefill = "nothing", show_text: bool = False
) -> int:
    """Write a row for each disagreement, as CSV or JSON lines, and return their number.

    To be filled are `decision` (the letter of an annotator, `own` or `none`) and, for `own`,
    `spans` (such as `8-15 DOCTOR; 20-24 DATE`). With `prefill="risk-averse"` the decision is
    there already where some annotators marked nothing and all others the same: their spans stand.
    Text of the documents is written only with `show_text`. Raises what iterating a `Panel` and
    writing a sheet raise, and then leaves nothing behind.
    """
    _require_complete(panel)
    context = CONTEXT if show_text else None
    cases = chain.from_iterable(find_cases(joined, context=context) for joined in panel)
    rows = (_row(number, case, prefill) for number, case in enumerate(cases, start=1))
    return write_sheet(path, sheet_columns(len(panel.names), show_text=show_text), rows)


def _row(number: int, case: Case, prefill: Prefill) -> dict[str, Cell]:
    row: dict[str, Cell] = {
        "case": number,
        "document": case.document,
        "start": case.start,
        "end": case.end,
        "kind": case.kind,
        "shape": case.shape,
        "before": case.before,
        "text": case.text,
        "after": case.after,
    }
    row |= zip(_letters(len(case.sides)), map(format_spans, case.sides), strict=True)
    marked = [number for number, side in enumerate(case.sides) if side]
    alike = len({case.sides[number] for number in marked}) == 1
    if prefill == "risk-averse" and case.kind == "missing" and alike:
        row["decision"] = LETTERS[marked[0]]
    return row


def _require_complete(panel: Panel) -> None:
    if panel.unpaired != "error":
        raise ConfigError(
            "adjudication needs every document from every annotator",
            hint="Adjudicate those who share their documents together, the others apart",
        )


def format_spans(spans: Iterable[Span]) -> str:
    """Return spans as a cell holds them: `8-15 DOCTOR; 20-24 DATE`."""
    return "; ".join(f"{span.start}-{span.end} {span.label}" for span in spans)


def parse_spans(cell: str) -> tuple[Span, ...]:
    """Return the spans of a cell; raises `InputError` for another form, without its text."""
    spans = []
    for number, part in enumerate(filter(None, map(str.strip, cell.split(";"))), start=1):
        found = _SPAN.fullmatch(part)
        if found is None or not int(found[1]) < int(found[2]):
            raise InputError(
                f"span {number} of the cell `spans` does not read START-END LABEL",
                hint="Several are parted by semicolons, such as 8-15 DOCTOR; 20-24 DATE",
            )
        spans.append(Span(int(found[1]), int(found[2]), found[3], source=OWN_SOURCE))
    return tuple(sorted(spans))


def _letters(annotators: int) -> tuple[str, ...]:
    if annotators > len(LETTERS):
        raise InputError(f"a worksheet has place for {len(LETTERS)} annotators, not {annotators}")
    return tuple(LETTERS[:annotators])


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about one case: the number of the annotator who is right, or own spans.

    With `annotator` None the `spans` stand; there may be none.
    """

    row: SheetRow
    document: str
    start: int
    end: int
    sides: tuple[str, ...]
    annotator: int | None
    spans: tuple[Span, ...] = ()

    @property
    def choice(self) -> str:
        """The decision as the worksheet has it."""
        if self.annotator is not None:
            return LETTERS[self.annotator]
        return OWN if self.spans else NONE


def read_decisions(
    path: Path | str, *, annotators: int, label_set: LabelSet | None = None
) -> tuple[Decision, ...]:
    """Read a filled worksheet.

    Raises `FormatError` by line for a row that cannot be understood, a decision that is missing
    or unknown, and a case that stands there twice; `LabelError` by line for a label of own spans
    that the label set does not have.
    """
    rows = read_sheet(path, sheet_columns(annotators)[:-1])
    blank = [row for row in rows if not row["decision"]]
    if blank:
        raise blank[0].error(
            f"no decision; so have {len(blank)} of {len(rows)} cases",
            hint=f"Write {_known(annotators)}",
        )
    decisions = tuple(_decision(row, annotators, label_set) for row in rows)
    seen: dict[tuple[str, int, int], SheetRow] = {}
    for decision in decisions:
        key = decision.document, decision.start, decision.end
        if key in seen:
            raise decision.row.error(f"the same case stands in {seen[key].place} already")
        seen[key] = decision.row
    return decisions


def _known(annotators: int) -> str:
    return f"{', '.join(_letters(annotators))}, {OWN} or {NONE}"


def _decision(row: SheetRow, annotators: int, label_set: LabelSet | None) -> Decision:
    chosen = row["decision"].casefold()
    letters = _letters(annotators)
    known = {letter.casefold(): number for number, letter in enumerate(letters)}
    if chosen not in (*known, OWN, NONE):
        raise row.error("the decision is none that is known", hint=f"Write {_known(annotators)}")
    spans = _own_spans(row, label_set)
    if spans and chosen != OWN:
        raise row.error(
            f"spans are written, but the decision is {row['decision']}",
            hint=f"Write {OWN} where the spans shall stand, or empty the cell",
        )
    if chosen == OWN and not spans:
        raise row.error(
            f"the decision is {OWN}, but no spans are written",
            hint=f"Write them as 8-15 DOCTOR, or {NONE} where nothing shall stand",
        )
    return Decision(
        row=row,
        document=row.cells["document"],
        start=row.integer("start"),
        end=row.integer("end"),
        sides=tuple(row[letter] for letter in letters),
        annotator=known.get(chosen),
        spans=spans,
    )


def _own_spans(row: SheetRow, label_set: LabelSet | None) -> tuple[Span, ...]:
    try:
        spans = parse_spans(row["spans"])
    except InputError as error:
        raise row.error(error.what, hint=error.hint) from None
    for span in spans:
        if label_set is not None and span.label not in label_set:
            raise _unknown(row, span, label_set.name, label_set.labels)
    return spans


def _unknown(row: SheetRow, span: Span, where: str, known: Iterable[str]) -> LabelError:
    return LabelError(
        f"the label {span.label!r} of [{span.start}, {span.end}) is unknown in {where}",
        path=row.path,
        place=row.place,
        hint=f"Known: {', '.join(known)}",
    )


@dataclass(slots=True)
class Adjudication:
    """Documents with the spans that were decided on, streamed; iterate it once.

    Text and metadata are those of the first annotator. Where all agree his spans stand; where
    they do not, those of the decision. `choices` counts the decisions while they are applied.

    Raises what iterating a `Panel` raises, and `InputError` by line of the worksheet where it
    was not made from these corpora or its offsets were changed, where own spans lie outside of
    their case or overlap others, and where their label is one that no annotator gave (if the
    panel has no label set, which tells labels better).
    """

    panel: Panel
    decisions: Sequence[Decision]
    documents: int = 0
    choices: Counter[str] = field(default_factory=Counter)
    _labels: set[str] = field(default_factory=set, repr=False)

    def __iter__(self) -> Iterator[Document]:
        _require_complete(self.panel)
        waiting: dict[str, dict[tuple[int, int], Decision]] = {}
        for decision in self.decisions:
            waiting.setdefault(decision.document, {})[decision.start, decision.end] = decision
        for joined in self.panel:
            self._labels.update(span.label for one in joined.present for span in one.spans)
            yield self._decide(joined, waiting.pop(joined.id, {}))
            self.documents += 1
        for decision in chain.from_iterable(left.values() for left in waiting.values()):
            raise decision.row.error(
                f"the annotators have no document {decision.document!r}",
                hint="The worksheet was made from other corpora",
            )
        self._require_known_labels()

    def _decide(self, joined: Joined, decisions: Mapping[tuple[int, int], Decision]) -> Document:
        cases = {(case.start, case.end): case for case in find_cases(joined)}
        for bounds, decision in decisions.items():
            _require_unchanged(decision, cases.get(bounds))
            _require_inside(decision, joined)
        for case in cases.values():
            if (case.start, case.end) not in decisions:
                raise InputError(
                    f"the disagreement at [{case.start}, {case.end}) of document "
                    f"{case.document!r} has no row",
                    path=self.decisions[0].row.path if self.decisions else None,
                    hint="A row was removed, or the annotations have changed since the worksheet "
                    "was written; write it again",
                )
        first = joined.present[0]
        if not cases:
            return first
        kept = [span for span in first.spans if not _within(span, cases)]
        for bounds, decision in decisions.items():
            self.choices[decision.choice] += 1
            if decision.annotator is not None:
                spans = joined.present[decision.annotator].spans
                kept += [span for span in spans if _within(span, [bounds])]
            else:
                kept += decision.spans
        for decision in decisions.values():
            _require_free(decision, kept)
        return first.with_spans(kept)

    def _require_known_labels(self) -> None:
        """Raise `LabelError` for an own label that no annotator gave: likely a slip of the pen."""
        if self.panel.label_set is not None:
            return
        for decision in self.decisions:
            for span in decision.spans:
                if span.label not in self._labels:
                    where = "these annotations"
                    raise _unknown(decision.row, span, where, sorted(self._labels))


def _within(span: Span, bounds: Iterable[tuple[int, int]]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in bounds)


def _require_unchanged(decision: Decision, case: Case | None) -> None:
    if case is None:
        raise decision.row.error(
            f"[{decision.start}, {decision.end}) of document {decision.document!r} is no "
            "disagreement of these annotators",
            hint="Offsets were changed in the worksheet, or the annotations since it was written",
        )
    for letter, found, side in zip(LETTERS, decision.sides, case.sides, strict=False):
        if found != format_spans(side):
            raise decision.row.error(
                f"the column {letter} is not what this annotator marked at [{case.start}, "
                f"{case.end}) of document {case.document!r}",
                hint="Give the annotators in the order of the worksheet, and change only "
                "`decision`, `spans` and `note`",
            )


def _require_inside(decision: Decision, joined: Joined) -> None:
    """Raise `SpanError` for own spans beyond the text or outside of their case."""
    for span in decision.spans:
        if span.end > len(joined.text):
            raise _misplaced(
                decision, span, f"ends beyond the text of {len(joined.text)} characters"
            )
        if not (span.start < decision.end and decision.start < span.end):
            bounds = f"[{decision.start}, {decision.end})"
            raise _misplaced(decision, span, f"lies outside of its case {bounds}")


def _require_free(decision: Decision, kept: Sequence[Span]) -> None:
    """Raise `SpanError` for own spans that overlap another span of the outcome."""
    for span in decision.spans:
        for other in kept:
            if other is not span and overlap(other, span):
                bounds = f"[{other.start}, {other.end})"
                raise _misplaced(decision, span, f"overlaps {other.label} {bounds}")


def _misplaced(decision: Decision, span: Span, fault: str) -> SpanError:
    return SpanError(
        f"document {decision.document!r}: the own span {span.label} [{span.start}, {span.end}) "
        f"{fault}",
        path=decision.row.path,
        place=decision.row.place,
    )
