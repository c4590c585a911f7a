"""Noise of characters: case, accents, slips of fingers, and of machines that read."""

from __future__ import annotations

import re
from random import Random

from scrubjay.corpora.recasing import lower_case, upper_case
from scrubjay.features.lexicons import fold_accents
from scrubjay.synthesis._noise_layout import Marked
from scrubjay.transform.edits import Edit

_WORD = re.compile(r"[^\W\d_]{4,}")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_NEAR = {
    sign: row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    for row in _ROWS
    for place, sign in enumerate(row)
}
_MISREAD = (
    ("l", "1"), ("I", "l"), ("O", "0"), ("0", "O"), ("1", "l"), ("S", "5"), ("5", "S"), ("B", "8"),
    ("rn", "m"), ("m", "rn"), ("cl", "d"), ("e", "c"), ("i", "l"), ("a", "o"), ("h", "b"),
    (",", "."), ("vv", "w"), ("t", "f"), ("G", "6"), ("Z", "2"), (".", ","), ("u", "ii"),
)  # fmt: skip
_MISREAD_AT = re.compile("|".join(re.escape(right) for right, _ in sorted(
    _MISREAD, key=lambda pair: -len(pair[0]))))  # fmt: skip
_WRONG = dict(_MISREAD)


def upper_all(marked: Marked, rng: Random) -> Marked:
    """Write the whole note in capitals."""
    del rng
    return marked.rewritten(upper_case(marked.text))


def lower_all(marked: Marked, rng: Random) -> Marked:
    """Write the whole note without capitals."""
    del rng
    return marked.rewritten(lower_case(marked.text))


def change_case(marked: Marked, rng: Random) -> Marked:
    """Write every word with a capital, or swap all cases, as with a stuck key."""
    if rng.random() < 0.6:
        text = re.sub(r"[^\W\d_]+", lambda m: upper_case(m[0][:1]) + m[0][1:], marked.text)
        return marked.rewritten(text)
    swapped = "".join(
        lower_case(c) if c.isupper() else upper_case(c) if c.islower() else c for c in marked.text
    )
    return marked.rewritten(swapped)


def upper_lines(marked: Marked, rng: Random) -> Marked:
    """Write some lines in capitals."""
    share = rng.uniform(0.1, 0.5)
    lines = marked.text.split("\n")
    return marked.rewritten(
        "\n".join(upper_case(line) if rng.random() < share else line for line in lines)
    )


def upper_phi(marked: Marked, rng: Random) -> Marked:
    """Write some or all of the PHI in capitals."""
    return _change_phi(marked, rng, upper=True)


def lower_phi(marked: Marked, rng: Random) -> Marked:
    """Write some or all of the PHI without capitals."""
    return _change_phi(marked, rng, upper=False)


def _change_phi(marked: Marked, rng: Random, *, upper: bool) -> Marked:
    share = rng.choice((1.0, 0.5, 0.2))
    change = upper_case if upper else lower_case
    pieces, position = [], 0
    for span in marked.spans:
        if rng.random() < share:
            pieces += [
                marked.text[position : span.start],
                change(marked.text[span.start : span.end]),
            ]
            position = span.end
    pieces.append(marked.text[position:])
    return marked.rewritten("".join(pieces))


def change_accents(marked: Marked, rng: Random) -> Marked:
    """Lose the accents, as old systems did."""
    del rng
    if marked.text.isascii():
        return marked
    text = "".join(c if c.isascii() or len(fold_accents(c)) != 1 else fold_accents(c)
                   for c in marked.text)  # fmt: skip
    return marked.rewritten(text)


def change_quotes(marked: Marked, rng: Random) -> Marked:
    """Write apostrophes and quotation marks as word processors do, or hyphens as dashes."""
    text = marked.text.replace("'", "’")
    if rng.random() < 0.5:
        text = re.sub(r'(?<!\S)"', "“", text).replace('"', "”")
    if rng.random() < 0.3:
        text = text.replace("-", rng.choice("–‐‑"))
    return marked.rewritten(text)


def mistype(marked: Marked, rng: Random) -> Marked:
    """Make slips of the fingers in some words: a letter swapped, lost, doubled or a near one."""
    share = 0.002 + 0.05 * rng.random() ** 3
    edits = []
    for match in _WORD.finditer(marked.text):
        if rng.random() < share:
            place = match.start() + int(rng.random() * (len(match.group()) - 1))
            edit = _slip(marked.text, place, rng)
            if marked.on_one_side(edit.start, edit.end):
                edits.append(edit)
    return marked.edited(edits)


def _slip(text: str, place: int, rng: Random) -> Edit:
    pair = text[place : place + 2]
    roll = rng.random()
    if roll < 0.3:
        return Edit(place, place + 2, pair[1] + pair[0])
    if roll < 0.55:
        return Edit(place, place + 2, pair[0])
    if roll < 0.75:
        return Edit(place, place + 2, pair[0] + pair[0] + pair[1])
    near = _NEAR.get(pair[0].lower(), "") or pair[0]
    other = near[int(rng.random() * len(near))]
    return Edit(place, place + 1, other.upper() if pair[0].isupper() else other)


def misread(marked: Marked, rng: Random) -> Marked:
    """Make the slips of a machine that reads print: l for 1, m for rn."""
    share = 0.002 + 0.02 * rng.random() ** 2
    edits = []
    for match in _MISREAD_AT.finditer(marked.text):
        if rng.random() < share and marked.on_one_side(*match.span()):
            edits.append(Edit(match.start(), match.end(), _WRONG[match.group()]))
    return marked.edited(edits)
