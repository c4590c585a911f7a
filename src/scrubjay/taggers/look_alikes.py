"""Look-alikes of one's own: what a hospital knows to look like PHI and to be none.

Those of the package stand in `resources/lookalikes`, and models that mend ask them. Entries of a
user's file have the same form (docs/look-alikes.md) and are asked of what any model found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.labels import LabelSet
from scrubjay.taggers._mending.label_groups import PERSONS
from scrubjay.taggers._mending.sparing.lookalike_search import (
    Compiled,
    compile_look_alike,
    has_shape,
    is_let_go,
)
from scrubjay.taggers._mending.sparing.lookalikes import LookAlike, parse_look_alikes

_MARKED = re.compile(r"[{}]")


@dataclass(frozen=True, slots=True, repr=False)
class LookAlikes:
    """Entries of a file, ready to be asked."""

    entries: tuple[Compiled, ...] = ()

    def __repr__(self) -> str:
        return f"LookAlikes({len(self.entries)})"

    def keep(self, text: str, spans: Sequence[Span], *, others: Iterable[Span] = ()) -> list[Span]:
        """Return the spans of a text that none of the entries lets go.

        Persons among them and among the `others` tell nothing of what stands behind them.
        """
        persons = sorted(span.end for span in (*spans, *others) if span.label in PERSONS)
        return [span for span in spans if not self._lets_go(text, span, persons)]

    def _lets_go(self, text: str, span: Span, persons: Sequence[int]) -> bool:
        mention, before = text[span.start : span.end], bisect_right(persons, span.start)
        person = persons[before - 1] if before else 0
        return any(
            span.label in one.entry.labels
            and has_shape(one, mention)
            and is_let_go(one, text, span, person=person)
            for one in self.entries
        )


def make_look_alikes(
    table: Mapping[str, Any], *, path: Path | str, label_set: LabelSet
) -> LookAlikes:
    """Return the entries of a user's file that was read (`fragments`, `lists`, `look-alikes`).

    Each is tried on its examples. Raises `ConfigError`, with the file and the entry, for what is no
    safe entry, a label that the set does not have, and an example that fails.
    """
    entries, _ = parse_look_alikes(table, path=str(path))
    compiled = []
    for entry in entries:
        one = compile_look_alike(entry)
        if problem := _find_problem(one, label_set):
            raise ConfigError(problem, path=path, place=f"entry {entry.name!r}")
        compiled.append(one)
    return LookAlikes(tuple(compiled))


def _find_problem(one: Compiled, label_set: LabelSet) -> str:
    """Return what is wrong with an entry, or nothing."""
    entry = one.entry
    for label in entry.labels:
        if label not in label_set.labels:
            return f"{label_set.name} has no label {label!r}"
    for what, examples, is_one in (
        ("example", entry.examples, True),
        ("counter-example", entry.counter_examples, False),
    ):
        for number, example in enumerate(examples, start=1):
            if problem := _try_example(one, entry, example, is_one=is_one):
                return f"{what} {number} {problem}"
    return ""


def _try_example(one: Compiled, entry: LookAlike, example: str, *, is_one: bool) -> str:
    pieces: Sequence[str] = _MARKED.split(example)
    if len(pieces) != 3 or not pieces[1]:
        return "must mark one mention by braces"
    before, mention, after = pieces
    score = entry.below / 2 if entry.below <= 1 else None
    span = Span(len(before), len(before) + len(mention), entry.labels[0], score=score)
    is_spared = has_shape(one, mention) and is_let_go(one, before + mention + after, span)
    if is_spared is is_one:
        return ""
    return "is not let go" if is_one else "is let go"
