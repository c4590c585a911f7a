"""What each step of mending gives: what it lets go, adds and moves, and whether that is right.

    python benchmarks/mending.py MODEL[,MODEL] CORPUS [CORPUS ...] [--worse]

CORPUS is en-notes, nl-notes, meddocan, real (real texts, identifiers put back), or the path of an
annotated corpus. Every call of a step in `scrubjay.taggers.mending` is watched where it changes
something, and compared with the gold spans. A change is *better* where more spans are right after
it (borders and label), or as many and fewer wrong, and no letter of PHI was uncovered; *worse* is
its opposite. Letters are those of PHI that it covers or uncovers, and those of other words. A
later step may take a change back, so that the sums are no figures of a model. `--worse` prints what
got worse. Nothing is saved: the figures change with every rule.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from harness import CONSOLE, CORPORA, read_split
from put_back import read_put_back

from scrubjay.analysis.probes import detect_all
from scrubjay.corpora import read_corpus
from scrubjay.document import Document, Span
from scrubjay.models import load_model
from scrubjay.taggers import mending
from scrubjay.taggers._mending.sparing import steps
from scrubjay.taggers._mending.sparing.lookalike_search import find_look_alike
from scrubjay.text.entities import read_entities

#: Functions that take a text and the mentions of it, or one, and return what is left of them.
CHANGING = (
    "mend_markup", "mend_misread", "widen_said", "add_sign_ins", "mend_borders", "add_glued",
    "agree_persons", "add_bare_surnames", "add_initials", "add_keyed_at", "add_nicknames",
    "add_repeated", "add_listed", "add_own_initials",
    "add_institutions", "widen_initials",
    "add_writers", "add_numbered_rooms", "add_row_rooms", "spare_key_letters", "without_title",
    "without_finding",
    "part_days", "part_dutch",
    "mend_street", "spare_homonym", "part_columns", "label_centre",
    "agree_namesakes", "add_long_numbers", "tell_whose_ages", "label_numbers",
    "mend_speakers", "add_spelled", "read_tables",
    "mend_boxed", "widen_user_names", "add_coordinates", "part_sentences",
    "add_postal_codes", "add_odd_forms", "widen_dialled", "join_line_ends", "complete_dates",
    "add_days_alike", "widen_last_initials", "add_states",
    "spare_doses", "add_list_cells",
)  # fmt: skip
#: Functions that tell of one mention whether it is let go.
LETTING_GO = ("is_in_term", "is_abbreviation")

Watch = Callable[[str, str, Sequence[Span], Sequence[Span]], None]


class Counts(NamedTuple):
    """What the changes of one step did: how many were which, and letters."""

    better: int
    worse: int
    even: int
    phi_letters: int
    other_letters: int


def _rows(given: object) -> tuple[Span, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, Span) else tuple(given)  # type: ignore[arg-type]


def _changing(name: str, step: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    def watched(text: str, rows: Any, *args: Any, **options: Any) -> Any:
        before = _rows(rows)
        after = step(text, rows, *args, **options)
        if not isinstance(after, Span | tuple | None):
            after = tuple(after)
        watch(name, text, before, _rows(after))
        return after

    return watched


def _letting_go(name: str, step: Callable[..., bool], watch: Watch) -> Callable[..., bool]:
    def watched(text: str, first: Any, *args: Any) -> bool:
        span = first if isinstance(first, Span) else Span(first, args[0], "")
        gone = step(text, first, *args)
        if gone:
            watch(name, text, (span,), ())
        return gone

    return watched


def _by_entry(watch: Watch) -> steps.Spare:
    def watched(text: str, span: Span, person: int, language: str) -> bool:
        entry = find_look_alike(text, span, language, person=person)
        if entry is not None:
            watch(f"look-alike {entry.name}", text, (span,), ())
        return entry is not None

    return watched


def _name_of(step: steps.Step) -> str:
    """Return the name of the function that a row of the table asks."""
    for cell in step.spare.__closure__ or ():
        if callable(cell.cell_contents):
            return str(cell.cell_contents.__name__)
    return step.spare.__name__.removeprefix("_")


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Tell `watch` of all changes: step, text, mentions before and after."""
    spares = {
        1 << place: _letting_go(_name_of(step), step.spare, watch)
        for place, step in enumerate(steps.STEPS)
    }
    spares[steps.LOOK_ALIKE] = _by_entry(watch)
    names = {name: _changing(name, getattr(mending, name), watch) for name in CHANGING}
    names |= {name: _letting_go(name, getattr(mending, name), watch) for name in LETTING_GO}
    with patch.multiple(mending, **names), patch.dict(steps.SPARES, spares):
        yield


def judge(gold: Document, before: Sequence[Span], after: Sequence[Span]) -> Counts | None:
    """Return what a change did in a document, of one change; None where nothing changed."""
    right = {(span.start, span.end, span.label) for span in gold.spans}
    old, new = ({(s.start, s.end, s.label) for s in rows} for rows in (before, after))
    if old == new:
        return None
    gone, come = old - new, new - old
    phi, was, now = (_letters(gold.text, rows) for rows in (right, gone, come))
    covered = len((now - was) & phi) - len((was - now) & phi)
    others = len(now - was - phi) - len(was - now - phi)
    exact = len(come & right) - len(gone & right)
    wrong = len(come - right) - len(gone - right)
    is_better = covered >= 0 and (exact > 0 or (exact == 0 and (wrong < 0 or covered > 0)))
    is_worse = covered < 0 or exact < 0 or (exact == 0 and not is_better and wrong > 0)
    return Counts(*map(int, (is_better, is_worse, not (is_better or is_worse))), covered, others)


def _letters(text: str, rows: set[tuple[int, int, str]]) -> set[int]:
    return {at for start, end, _ in rows for at in range(start, end) if text[at].isalnum()}


def _as_read(document: Document) -> Document:
    """Return a document as mending reads it: with what its entities mean."""
    meant = read_entities(document.text)
    if meant is None:
        return document
    spans = [
        replace(span, start=meant.forth(span.start), end=meant.forth(span.end))
        for span in document.spans
    ]
    return replace(document, text=meant.text, spans=tuple(spans))


def measure(
    models: Sequence[str], documents: Sequence[Document], *, show: bool
) -> dict[str, Counts]:
    """Return the counts of each step that changed something, over models and documents."""
    documents = [_as_read(document) for document in documents]
    gold = {document.text.lower(): document for document in documents}  # models change capitals
    totals: dict[str, Counter[str]] = defaultdict(Counter)

    def watch(name: str, text: str, before: Sequence[Span], after: Sequence[Span]) -> None:
        document = gold[text.lower()]
        counts = judge(document, before, after)
        if counts is None:
            return
        totals[name].update(counts._asdict())
        if show and counts.worse:
            gone, come = set(before) - set(after), set(after) - set(before)
            shown = [
                f"-{text[s.start - 20 : s.end + 20]!r} {s.label}" for s in gone if s.start > 19
            ]
            shown += [f"+{text[s.start : s.end]!r} {s.label}" for s in come]
            CONSOLE.print(name, document.id, *shown, sep="\t", markup=False)

    with watching(watch):
        for model in models:
            for _ in detect_all(load_model(model), documents):
                pass
    return {
        name: Counts(*(counts[field] for field in Counts._fields))
        for name, counts in sorted(totals.items(), key=lambda one: -one[1]["better"])
    }


def read(corpus: str) -> list[Document]:
    """Return the documents of a corpus: dev of one of ours by its name, or those of a path."""
    if corpus in CORPORA:
        return read_split(corpus, "dev")
    return read_put_back("dev") if corpus == "real" else list(read_corpus(Path(corpus)))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models")
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--worse", action="store_true", help="print what got worse (shows texts)")
    chosen = parser.parse_args()
    models = chosen.models.split(",")
    documents = [document for corpus in chosen.corpora for document in read(corpus)]
    counts = measure(models, documents, show=chosen.worse)
    CONSOLE.print("step", *Counts._fields, sep="\t")
    for step, row in counts.items():
        CONSOLE.print(step, *row, sep="\t")


if __name__ == "__main__":
    main()
