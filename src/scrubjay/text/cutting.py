"""A text cut into subwords and sentences by one compiled kernel."""

from __future__ import annotations

from scrubjay.text.characters import traits_of_bmp
from scrubjay.text.sentences import SentenceMode, sentences_of_lines
from scrubjay.text.signs import code_points
from scrubjay.text.subwords import UppercasePolicy, parting_pairs
from scrubjay.text.tokens import Tokens


def cut_compiled(
    text: str, *, uppercase: UppercasePolicy, sentences: SentenceMode
) -> Tokens | None:
    """Return what `subword_bounds` and `find_sentences` make of a text.

    None for a text with characters beyond the basic plane, which the kernel does not know.
    """
    from scrubjay.text._cut_kernel import cut_text

    known, starts, ends, *lines = cut_text(
        code_points(text), traits_of_bmp(), parting_pairs(uppercase), uppercase == "camel"
    )
    if not known:
        return None
    first = sentences_of_lines(text, (starts, ends), (lines[0], lines[1], lines[2]), sentences)
    return Tokens(text, starts, ends, first)
