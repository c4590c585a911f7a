"""Line ends and columns of a text that stay where its mentions are replaced.

A mention that runs over a line end gets a replacement that does so, too: else two lines of wrapped
prose, or of a form, became one. What follows a mention in the next column of a table stays in that
column: blanks are added where the new text is shorter, and taken away where it is longer, as far as
there are some. Where no line above or below tells that a column begins there, they stay as they
are: blanks up to the old width would tell how long the mention was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import compress, repeat

from scrubjay.transform.edits import Edit
from scrubjay.transform.operators import Mention

_LINE_END = re.compile(r"[^\S\r\n]*(?:\r\n?|\n)[\s>]*")
"""With the indent of the next line, or the marks of a mail that is quoted."""
_BLANKS = re.compile(" +")
_RULES = "|│"
"""Signs that stand between columns."""
_APART = 2
"""Blanks, at least, between columns that no sign parts: one may stand between two words."""
_COLUMN_ENDS = (" " * _APART, *(f" {rule}" for rule in _RULES))

# As `_make`, without a call of Python for each.
_edit: Callable[[tuple[int, int, str]], Edit] = partial(tuple.__new__, Edit)


def layout_edits(text: str, mentions: Sequence[Mention], new: Sequence[str]) -> list[Edit]:
    """Return the edits that replace mentions and keep the line ends and columns of the text.

    `mentions` are sorted by their spans, and `new` has one replacement for each. A replacement gets
    line ends before or behind it, or blanks behind it, and an edit may take blanks away that stand
    right behind its mention. A mention that stays as it is gets neither.
    """
    edits = [
        _edit((mention.span.start, mention.span.end, replacement))
        for mention, replacement in zip(mentions, new, strict=True)
    ]
    together = "".join([mention.text for mention in mentions])
    if "\n" in together or "\r" in together:
        edits = [_over_lines(text, edit) for edit in edits]
    columns = map(text.startswith, repeat(_COLUMN_ENDS), [edit.end for edit in edits])
    for number in compress(range(len(edits)), columns):
        start, end, replacement = edits[number]
        old = mentions[number].text
        if replacement == old or "\n" in old or (spare := _spare_blanks(text, end)) is None:
            continue
        taken = min(_moved(text, edits, number), spare)  # below 0: blanks are added
        edits[number] = Edit(start, end + max(0, taken), replacement + " " * -taken)
    return edits


def _moved(text: str, edits: Sequence[Edit], number: int) -> int:
    """Return how far the text behind an edit has moved to the right, which has no line end."""
    moved, start = 0, edits[number].start
    for edit in reversed(edits[: number + 1]):
        if text.find("\n", edit.start, start) >= 0:
            break
        start = edit.start
        moved += len(edit.replacement) - (edit.end - start)
    return moved


def _over_lines(text: str, edit: Edit) -> Edit:
    """Return an edit whose replacement has as many line ends as its mention, at least.

    They stand before it, so that the next line goes on as it did; behind what begins a line, before
    which they would leave a blank one.
    """
    start, end, new = edit
    found = _LINE_END.findall(text, start, end)
    if not found:
        return edit
    missing = "".join(found[len(_LINE_END.findall(new)) :])
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    kept = missing + new if text[line:start].strip() else new + missing
    return Edit(start, end, kept)


def _spare_blanks(text: str, place: int) -> int | None:
    """Return how many of the blanks there may go, or None where no column begins behind them."""
    blanks = _BLANKS.match(text, place)
    if blanks is None or blanks.end() == len(text) or text[blanks.end()] in "\r\n":
        return None
    begin = text.rfind("\n", 0, place) + 1
    column, sign = blanks.end() - begin, text[blanks.end()]
    lines = [text.rfind("\n", 0, begin - 1) + 1] if begin else []
    below = text.find("\n", blanks.end()) + 1
    lines += [below] if below else []
    if not any(_begins_column(text, line, column, sign) for line in lines):
        return None
    return len(blanks[0]) - (1 if sign in _RULES else _APART)


def _begins_column(text: str, line: int, column: int, sign: str) -> bool:
    """Tell whether the line that begins at `line` has a cell, or a sign between two, there."""
    place = line + column
    if place >= len(text) or text.find("\n", line, place + 1) >= 0:
        return False
    if sign in _RULES:
        return text[place] in _RULES
    return not text[place].isspace() and text.startswith(" " * _APART, place - _APART, place)
