"""The edits of an output checked against both texts, and where each replacement stands in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubjay.deidentifier import Deidentified
from scrubjay.document import Span
from scrubjay.errors import AlteredTextError, LostMentionError
from scrubjay.transform.edits import Edit


@dataclass(frozen=True, slots=True)
class Replaced:
    """Where a replacement stands in the output, and the span that it replaced.

    `behind` is where the original goes on behind it.
    """

    start: int
    end: int
    span: Span
    behind: int


def require_edits(text: str, result: Deidentified) -> None:
    """Raise `LostMentionError` unless each mention of a text has one edit, over its own characters.

    Blanks that follow may be among those of the edit, where columns stay in their places.
    """
    if not _are_edited(text, result):
        raise LostMentionError(f"{len(result.found)} mentions and {len(result.edits)} edits differ")


def _are_edited(text: str, result: Deidentified) -> bool:
    found, edits = result.found, result.edits
    if [span.start for span in found] != [edit.start for edit in edits]:
        return False
    return [span.end for span in found] == [edit.end for edit in edits] or all(
        _takes_blanks(text, span, edit) for span, edit in zip(found, edits, strict=True)
    )


def _takes_blanks(text: str, span: Span, edit: Edit) -> bool:
    """Tell whether an edit goes beyond a mention that begins there, over blanks alone."""
    more = edit.end - span.end
    return more >= 0 and text[span.end : edit.end] == " " * more


def replacements_of(text: str, result: Deidentified) -> list[str | None]:
    """Return what stands for each mention of a text, None where it was not replaced."""
    if _are_edited(text, result):
        return [edit.replacement for edit in result.edits]
    edits = {edit.start: edit for edit in result.edits}
    return [
        edit.replacement
        if (edit := edits.get(span.start)) is not None and _takes_blanks(text, span, edit)
        else None
        for span in result.found
    ]


def require_same_text(text: str, result: Deidentified) -> None:
    """Raise `AlteredTextError` unless the output is the text with the edits made, no more.

    It walks along both texts, without the code that made the output.
    """
    new = result.document.text
    old_place = new_place = 0
    for start, end, replacement in (*result.edits, (len(text), len(text), "")):
        new_end = new_place + start - old_place
        if start < old_place or text[old_place:start] != new[new_place:new_end]:
            raise AlteredTextError(f"[{old_place}, {start}) of the original differs")
        new_place = new_end + len(replacement)
        if new[new_end:new_place] != replacement:
            raise AlteredTextError(f"the replacement of [{start}, {end}) differs")
        old_place = end
    if new_place != len(new):
        raise AlteredTextError(f"the output has {len(new)} characters, not {new_place}")


def replaced_of(result: Deidentified) -> Iterator[Replaced]:
    """Yield each replacement of an output, in order."""
    shift = 0
    for span, edit in zip(result.found, result.edits, strict=True):
        start = edit.start + shift
        yield Replaced(start, start + len(edit.replacement), span, edit.end)
        shift += len(edit.replacement) - (edit.end - edit.start)


def holder_of(start: int, end: int, replaced: Sequence[Replaced]) -> Replaced | None:
    """Return the replacement that holds all of `[start, end)`, if there is one."""
    place = bisect_right(replaced, start, key=lambda each: each.start) - 1
    if place >= 0 and end <= replaced[place].end:
        return replaced[place]
    return None


def original_place(start: int, end: int, replaced: Sequence[Replaced]) -> tuple[int, int] | None:
    """Return where in the original `[start, end)` of an output stood.

    None where it reaches into a replacement.
    """
    place = bisect_right(replaced, start, key=lambda each: each.start)
    if place < len(replaced) and replaced[place].start < end:
        return None
    if place == 0:
        return start, end
    before = replaced[place - 1]
    if before.end > start:
        return None
    shift = before.behind - before.end
    return start + shift, end + shift
