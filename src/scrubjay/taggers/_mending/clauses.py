"""Professions end where a sentence ends: what a tagger takes with them of the next is let go.

In text without capitals a tagger sees no new sentence after a full stop, and goes on: "was bakker.
woont alleen". Each sentence of such a span is a span of its own, and one of everyday words alone
is none, if another names a profession that is listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, lexicon_names, look_up

PROFESSION = "PROFESSION"
_STOPS = re.compile(r"[.!?;\n]")
_END = re.compile(r"(?<=[^\W\d_]{4})[.!?;]\s+(?=[^\W\d_])|\s*\n\s*\n\s*")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def part_professions(text: str, spans: Iterable[Span], *, language: str) -> Iterator[Span]:
    """Yield the spans, and of professions that hold the end of a sentence each sentence alone.

    Only stops after four letters end one: shorter words before them are abbreviations. One of the
    sentences has to name a listed profession; of the others those are let go all of whose words
    are everyday ones of the language, none a name. All else that was covered stays covered, but
    for the stops.
    """
    for span in spans:
        if span.label != PROFESSION or not may_be_parted(text[span.start : span.end]):
            yield span
            continue
        parts = list(_parts(text, span))
        named = [
            len(parts) > 1 and _names_profession(text[start:end], language) for start, end in parts
        ]
        if not any(named):
            yield span
            continue
        for (start, end), is_named in zip(parts, named, strict=True):
            if is_named or not _is_everyday(text[start:end], language):
                yield replace(span, start=start, end=end)


def may_be_parted(mention: str) -> bool:
    """Tell whether a sentence may end within a profession, wherever it stands."""
    return _STOPS.search(mention) is not None


def _parts(text: str, span: Span) -> Iterator[tuple[int, int]]:
    start = span.start
    for stop in _END.finditer(text, span.start, span.end):
        if start < stop.start():
            yield start, stop.start()
        start = stop.end()
    if start < span.end:
        yield start, span.end


def _names_profession(text: str, language: str) -> bool:
    """Tell whether a listed profession stands in a text, whole words alone."""
    words = _WORD.findall(text)
    listed = find_lexicon(f"{language}.professions")
    return any(
        look_up(listed, " ".join(words[first:last])) is not None
        for first in range(len(words))
        for last in range(first + 1, min(first + 4, len(words)) + 1)
    )


def _is_everyday(text: str, language: str) -> bool:
    """Tell whether all words of a text are everyday ones in small letters."""
    words = _WORD.findall(text)
    return bool(words) and all(word.islower() and _is_common(word, language) for word in words)


def _is_common(word: str, language: str) -> bool:
    if look_up(find_lexicon(f"{language}.relatives"), word) is not None:
        return True
    common = look_up(find_lexicon(f"{language}.common"), word)
    if common is None:
        return False
    ranks = [look_up(find_lexicon(name), word) for name in _names(language)]
    return all(rank is None for rank in ranks)


@cache
def _names(language: str) -> tuple[str, ...]:
    """Return the lists of names that a language has of its own."""
    kinds = (f"{language}.first-names", f"{language}.surnames")
    return tuple(name for name in lexicon_names() if name in kinds)
