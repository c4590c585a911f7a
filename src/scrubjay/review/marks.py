"""Pure algebra of edits: marks over a text, what changes them, and how that is taken back.

Marks are the spans of one annotator in one document. An action says what somebody wants (add,
move, relabel, delete); a change says what it does to the marks, and can be inverted. A mark is
known by start, end and label; its score and source are kept but never compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

from scrubjay.document import Span
from scrubjay.errors import InputError, SpanError
from scrubjay.spans import overlap

Marks = tuple[Span, ...]
"""Sorted, each mark once."""

OnOverlap = Literal["refuse", "replace"]
"""What a new mark does to marks that it overlaps: it is refused, or takes their place."""


@dataclass(frozen=True, slots=True)
class Add:
    """Mark `[start, end)` with a label."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Move:
    """Give a mark other borders; its label stays."""

    mark: Span
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Relabel:
    """Give a mark another label; its borders stay."""

    mark: Span
    label: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Take a mark away."""

    mark: Span


Action = Add | Move | Relabel | Delete


@dataclass(frozen=True, slots=True)
class Change:
    """What an action does to marks: some are removed, then others are added; both sorted."""

    removed: Marks = ()
    added: Marks = ()

    def __bool__(self) -> bool:
        return bool(self.removed or self.added)

    def inverted(self) -> Change:
        """Return the change that takes this one back."""
        return Change(self.added, self.removed)


def marks_of(spans: Iterable[Span]) -> Marks:
    """Return spans as marks: sorted, and each once."""
    return tuple(dict.fromkeys(sorted(spans)))


def apply_change(marks: Marks, change: Change) -> Marks:
    """Return the marks after a change.

    Raises `SpanError` where a mark to be removed is not there, or one to be added is already:
    so a change fits the marks that it was made for, and inverting it gives them back exactly.
    """
    held = set(marks)
    for mark in change.removed:
        if mark not in held:
            raise SpanError(f"there is no mark {_name(mark)}", hint="It was changed or deleted")
        held.remove(mark)
    for mark in change.added:
        if mark in held:
            raise SpanError(f"the mark {_name(mark)} is there already")
        held.add(mark)
    kept = [mark for mark in marks if mark in held and mark not in change.added]
    return marks_of([*kept, *change.added])


def plan_change(
    marks: Marks,
    action: Action,
    *,
    size: int,
    source: str = "",
    on_overlap: OnOverlap = "refuse",
) -> Change:
    """Return what an action does to the marks of a text of `size` characters.

    New marks have no score and the `source` given. With `on_overlap="replace"` the marks that a
    new one overlaps are removed, with "refuse" they are an error. An action without effect, such
    as moving a mark to where it is, gives an empty change.

    Raises `SpanError` for borders outside of the text, an empty mark, a mark that is not there,
    and an overlap that is refused.
    """
    old = _require_mark(marks, action)
    new = _new_mark(action, size=size, source=source)
    if new is None:
        return Change((old,) if old is not None else ())
    if new == old or (old is None and new in marks):
        return Change()
    removed = [] if old is None else [old]
    for other in marks:
        if other != old and overlap(other, new):
            if on_overlap == "refuse":
                raise SpanError(
                    f"{_name(new)} overlaps {_name(other)}",
                    hint="Delete or move that mark first, or let the new one replace it",
                )
            removed.append(other)
    return Change(marks_of(removed), (new,))


def _require_mark(marks: Marks, action: Action) -> Span | None:
    if isinstance(action, Add):
        return None
    if action.mark not in marks:
        raise SpanError(f"there is no mark {_name(action.mark)}", hint="Read the marks again")
    return marks[marks.index(action.mark)]


def _new_mark(action: Action, *, size: int, source: str) -> Span | None:
    """Return the mark that an action makes, None where it only deletes."""
    if isinstance(action, Delete):
        return None
    if isinstance(action, Relabel):
        return Span(action.mark.start, action.mark.end, action.label, source=source)
    label = action.label if isinstance(action, Add) else action.mark.label
    if not 0 <= action.start < action.end <= size:
        raise SpanError(
            f"[{action.start}, {action.end}) {label} is empty or lies outside of the text of "
            f"{size} characters",
            hint="Offsets count code points, not UTF-16 units",
        )
    return Span(action.start, action.end, label, source=source)


def find_same(text: str, surface: str) -> Iterator[tuple[int, int]]:
    """Yield the borders of each place where a text holds a string as whole words.

    Words end where a letter or digit meets none; a run of white space equals any other. Places
    do not overlap.
    """
    words = surface.split()
    if not words:
        return
    pattern = r"\s+".join(re.escape(word) for word in words)
    first = r"(?<!\w)" if re.match(r"\w", words[0]) else ""
    last = r"(?!\w)" if re.search(r"\w\Z", words[-1]) else ""
    for found in re.finditer(first + pattern + last, text):
        yield found.start(), found.end()


@dataclass(frozen=True, slots=True)
class SameStrings:
    """The change that treats all same strings of a document alike, and what it left alone.

    `skipped` counts places where a mark with other borders stands in the way.
    """

    change: Change
    places: int
    skipped: int


def plan_same(
    text: str, marks: Marks, *, surface: str, label: str | None, source: str = ""
) -> SameStrings:
    """Return the change that marks every occurrence of a string with a label.

    A mark with the same borders and another label is relabelled; where marks have other borders
    the place is left alone and counted. With `label` None the marks on the string are deleted.
    """
    removed: list[Span] = []
    added: list[Span] = []
    places = skipped = 0
    for start, end in find_same(text, surface):
        near = [mark for mark in marks if mark.start < end and start < mark.end]
        exact = [mark for mark in near if (mark.start, mark.end) == (start, end)]
        places += 1
        if len(exact) < len(near):
            skipped += 1
        elif label is None:
            removed += exact
        elif [mark.label for mark in exact] != [label]:
            removed += [mark for mark in exact if mark.label != label]
            if all(mark.label != label for mark in exact):
                added.append(Span(start, end, label, source=source))
    return SameStrings(Change(marks_of(removed), marks_of(added)), places, skipped)


def encode_marks(marks: Iterable[Span]) -> list[list[Any]]:
    """Return marks as JSON values: `[start, end, label, score, source]`."""
    return [[m.start, m.end, m.label, m.score, m.source] for m in marks]


def decode_marks(record: Sequence[Sequence[Any]]) -> Marks:
    """Return the marks of `encode_marks`."""
    return marks_of(
        Span(start, end, label, score=score, source=source)
        for start, end, label, score, source in record
    )


def parse_action(record: Mapping[str, Any]) -> Action:
    """Return the action of a JSON object, such as a page sends it.

    `{"action": "add", "start": 8, "end": 15, "label": "DOCTOR"}`; `move` has `mark` (an object
    with start, end and label), `start` and `end`; `relabel` has `mark` and `label`; `delete` has
    `mark`. Raises `InputError` for anything else, without quoting it.
    """
    fields = {
        "add": {"start", "end", "label"},
        "move": {"mark", "start", "end"},
        "relabel": {"mark", "label"},
        "delete": {"mark"},
    }
    name = record.get("action")
    wanted = fields.get(name) if isinstance(name, str) else None
    if wanted is None:
        raise InputError("unknown action", hint=f"Known: {', '.join(fields)}")
    if set(record) != wanted | {"action"}:
        raise InputError(f"the action {name!r} has the keys {', '.join(sorted(wanted))}")
    if name == "add":
        return Add(*_parse_borders(record), _parse_label(record))
    mark = _parse_mark(record["mark"])
    if name == "move":
        return Move(mark, *_parse_borders(record))
    return Delete(mark) if name == "delete" else Relabel(mark, _parse_label(record))


def _parse_borders(record: Mapping[str, Any]) -> tuple[int, int]:
    start, end = record["start"], record["end"]
    if not (_is_offset(start) and _is_offset(end)):
        raise InputError("`start` and `end` must be whole numbers, 0 or more")
    return start, end


def _parse_label(record: Mapping[str, Any]) -> str:
    label = record["label"]
    if not isinstance(label, str):
        raise InputError("`label` must be a string")
    return label


def _parse_mark(value: object) -> Span:
    if isinstance(value, Mapping) and set(value) >= {"start", "end", "label"}:
        start, end, label = value["start"], value["end"], value["label"]
        if _is_offset(start) and _is_offset(end) and isinstance(label, str) and start < end:
            return Span(start, end, label)
    raise InputError("`mark` must be an object with start, end and label")


def _is_offset(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _name(mark: Span) -> str:
    return f"{mark.label} [{mark.start}, {mark.end})"
