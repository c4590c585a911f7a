"""Other places of what was found that are eponyms of clinical terms, and so may stay."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Sequence

from scrubjay.document import Span
from scrubjay.known.eponyms import Placed, is_eponym


def names_among(
    places: Sequence[Span], text: str, language: str, *, found: Sequence[Span]
) -> Collection[Span]:
    """Return those of some places in a text that are no eponyms, `found` being its mentions.

    One of them may stand beside the term of another: to its left on the way there, else on
    the way back.
    """
    names: list[Span] = []
    left = sorted(places)
    for _ in range(2):
        doubtful = []
        for span in left:
            place = text, span.start, span.end, language
            if stands_in_term(*place, found=found) and (
                not names or stands_in_term(*place, found=names)
            ):
                doubtful.append(span)
            else:
                insort(names, span)
        if not names:
            break
        left = doubtful[::-1]
    return set(names)


def stands_in_term(
    text: str, start: int, end: int, language: str, *, found: Sequence[Placed]
) -> bool:
    """Tell whether `text[start:end]` is an eponym beside these mentions, and no code or date."""
    if any(map(str.isdigit, text[start:end])):
        return False
    return is_eponym(text, start, end, language, outside=found)
