"""Which texts of a batch may need the steps of mending that few texts do.

Markup, talk, tables, spelled names, coordinates, misread and boxed days, and doses by weekday are
rare, and each of these steps has to look through a text to learn that it holds none. All texts are
looked through at once here, as bytes of Latin 1. A text may be told of a step that finds nothing in
it, and none of those that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from scrubjay.compiling import use_compiled
from scrubjay.taggers._mending.boxed_days import FARTHEST as FARTHEST_FIGURES
from scrubjay.taggers._mending.boxed_days import FIGURES
from scrubjay.taggers._mending.coordinates import FARTHEST as FARTHEST_KEY
from scrubjay.taggers._mending.coordinates import HEADS as PLACE_HEADS
from scrubjay.taggers._mending.dose_weeks import FARTHEST as FARTHEST_WEEKDAYS
from scrubjay.taggers._mending.dose_weeks import LABELS as DOSED
from scrubjay.taggers._mending.markup import SIGNS
from scrubjay.taggers._mending.misread import PIECES
from scrubjay.taggers._mending.people.speakers import FEWEST_TURNS
from scrubjay.taggers._mending.people.spelled import CUES
from scrubjay.taggers._mending.tables import commas, forms, layout
from scrubjay.text.weekdays import weekday_forms

MARKUP, MISREAD, TALK, SPELLED, TABLES, BOXED, PLACES, DOSES = (1 << bit for bit in range(8))
"""Steps of mending, a bit for each."""

_Bytes = npt.NDArray[np.uint8]
_Flags = npt.NDArray[np.bool_]
_Places = npt.NDArray[np.int64]

BREAK, COMMA, COLON, BOX, STOP, TAB, BAR, STROKE, MARK, EQUAL, OTHER = range(1, 12)
_MARKED = b"\n,:].\t|/;="
"""The signs of `BREAK` to `EQUAL`; `OTHER` are further ones of markup."""

_CODES = np.array(
    [
        _MARKED.index(sign) + BREAK if sign in _MARKED else OTHER * (chr(sign) in SIGNS)
        for sign in range(256)
    ],
    dtype=np.uint8,
)

FARTHEST, HEAD_BITS, LOW = 80, 15, 31
"""Signs of a line up to the end of a speaker: blanks, a date and a time, and a head of 29. Bits of
its last three letters that are compared, and those of one of them."""

BLANK, _ZERO, _CAPITAL, _QUOTE = (ord(sign) for sign in ' 0A"')

LETTER, DIGIT, ALNUM, CLOSER = 1, 2, 4, 8
"""What a sign may be: a bit for each. Behind a closer two blanks part no columns; `?` is none, as
it may stand for a sign beyond Latin 1."""

ROLES = np.array(
    [
        LETTER * sign.isalpha() | DIGIT * ("0" <= sign <= "9") | ALNUM * sign.isalnum()
        | CLOSER * (sign.isspace() or sign in ".:!")
        for sign in map(chr, range(256))
    ],
    dtype=np.uint8,
)  # fmt: skip
_LETTERS, _ALNUM, _CLOSERS = (ROLES & role != 0 for role in (LETTER, ALNUM, CLOSER))


def _pairs(pieces: Mapping[int, Iterable[str]]) -> _Bytes:
    """Return a table of the last two signs of pieces, the first times 256: the bits of steps."""
    bits = np.zeros(1 << 16, np.uint8)
    for step, some in pieces.items():
        bits[[ord(piece[-2]) << 8 | ord(piece[-1]) for piece in some if len(piece) > 1]] |= step
    return bits


ENDING = 4
"""Signs at the end of a word by which weekdays are told."""

_LETTER = np.where(_LETTERS, np.arange(256), 0)


@cache
def _endings(language: str) -> tuple[_Flags, npt.NDArray[np.int64]]:
    """Return which two signs weekdays end with (65,536), and their last signs as numbers, sorted.

    Most words end otherwise than with these two, and are no more looked at.
    """
    words = weekday_forms(language) if language in DOSED else ()
    ends = {word[-ENDING:].encode("latin-1") for word in words}
    endings = np.array(sorted(int.from_bytes(end, "big") for end in ends), dtype=np.int64)
    pairs = np.zeros(1 << 16, np.bool_)
    pairs[endings & 0xFFFF] = True
    return pairs, endings


def _find_heads() -> _Flags:
    """Return which three letters the keys of coordinates begin with (32,768), five bits of each."""
    flags = np.zeros(1 << 15, np.bool_)
    for head in PLACE_HEADS:
        for letters in (head, head.replace("s", "?")):  # a long s is beyond Latin 1
            first, second, third = (ord(sign) & LOW for sign in letters)
            flags[first << 10 | second << 5 | third] = True
    return flags


_HEADS = _find_heads()
_PAIRS = _pairs({MARKUP: SIGNS, MISREAD: PIECES})

_SPELLING = {
    language: tuple(cue.encode("latin-1") for cue in cues) for language, cues in CUES.items()
}

_KERNEL = ("taggers/_mending/rare_loop.py", "rare_loop")


@dataclass(frozen=True, slots=True)
class _Marked:
    """Marked signs of all texts: where each stands, what it is, and its line and its text.

    Of each line there are where it begins, how many signs it has, and its text.
    """

    places: _Places
    codes: _Bytes
    line_of: _Places
    text_of: _Places
    begins: _Places
    widths: _Places
    texts: _Places

    def find(self, code: int) -> _Places:
        """Return the numbers of the signs that are one."""
        return np.flatnonzero(self.codes == code)

    def count(self, code: int) -> _Places:
        """Return how many there are in each line."""
        return np.bincount(self.line_of[self.codes == code], minlength=len(self.begins))


def find_rare_steps(joined: bytes, bounds: npt.NDArray[np.int64], language: str) -> list[int]:
    """Return the bits of the steps that each text may need.

    `joined` are all texts with a line break behind each, and eight before and behind all of them.
    Text n begins at `bounds[n]` (texts + 1).
    """
    find = _walk if use_compiled(0, late=_KERNEL) else _search
    found = find(np.frombuffer(joined, np.uint8), bounds, language)
    for cue in _SPELLING.get(language, ()):
        place = joined.find(cue)
        while place >= 0:
            found[np.searchsorted(bounds, place, "right") - 1] |= SPELLED
            place = joined.find(cue, place + 1)
    steps: list[int] = found.tolist()
    return steps


def _walk(signs: _Bytes, bounds: npt.NDArray[np.int64], language: str) -> _Bytes:
    from scrubjay.taggers._mending.rare_loop import rare_loop

    steps = np.empty(len(bounds) - 1, np.uint8)
    rare_loop(signs, bounds, _CODES, ROLES, _PAIRS, _HEADS, *_endings(language), steps)
    return steps


def _search(signs: _Bytes, bounds: npt.NDArray[np.int64], language: str) -> _Bytes:
    """Find what `_walk` does by numpy, and steps that signs of two texts together may tell of."""
    marked = _read_marked(_CODES[signs], bounds)
    steps = np.zeros(len(bounds) + 1, np.uint8)  # and of what is before and behind all texts
    steps[marked.text_of[marked.codes >= EQUAL]] |= MARKUP
    for bit, places in (
        *_find_pairs(signs),
        (SPELLED, _find_spelled(signs)),
        (BOXED, _find_boxed(signs)),
        (PLACES, _find_decimals(signs)),
        (DOSES, _find_weekdays(signs, language)),
    ):
        steps[np.searchsorted(bounds, places, "right")] |= bit
    steps[_find_talk(signs, marked, len(steps))] |= TALK
    steps[_find_tables(signs, marked, len(steps))] |= TABLES
    return steps[1:-1]


def _read_marked(codes: _Bytes, bounds: npt.NDArray[np.int64]) -> _Marked:
    places = np.flatnonzero(codes != 0)
    own = codes[places]
    is_break = own == BREAK
    begins = places[is_break] + 1
    texts = np.searchsorted(bounds, begins, "right")
    line_of = np.cumsum(is_break) - 1
    widths = np.diff(begins, append=len(codes) + 1) - 1
    return _Marked(places, own, line_of, texts[line_of], begins, widths, texts)


def _find_pairs(signs: _Bytes) -> Iterator[tuple[int, _Places]]:
    """Yield where a letter or a quotation mark stands before a digit or a colon, by steps."""
    first, second = signs[:-1], signs[1:]
    is_pair = ((first >= _CAPITAL) | (first == _QUOTE)) & (second - np.uint8(_ZERO) <= 10)
    places = np.flatnonzero(is_pair)
    pairs = first[places].astype(np.uint16) << 8 | second[places]
    bits = _PAIRS[pairs]
    for bit in (MARKUP, MISREAD):
        yield bit, places[bits & bit != 0]


def _find_spelled(signs: _Bytes) -> _Places:
    """Return where a blank stands before three letters, each for itself: "a b c", "a, b, c"."""
    is_blank = signs == BLANK
    is_gap = is_blank | (signs == ord("-"))
    near = np.flatnonzero(is_blank[:-6] & is_gap[2:-4] & is_gap[4:-2])
    far = np.flatnonzero(is_blank[:-8] & is_blank[3:-5] & is_blank[6:-2])
    for behind in (2, 5):
        far = far[(signs[far + behind] == ord(",")) | (signs[far + behind] == ord("."))]
    for behind in (1, 3, 5):
        near = near[signs[near + behind] >= ord("?")]
    for behind in (1, 4, 7):
        far = far[signs[far + behind] >= ord("?")]
    return np.concatenate([near, far])


def _find_boxed(signs: _Bytes) -> _Places:
    """Return where the first of figures stands that are apart, and enough for a day."""
    places: _Places = np.flatnonzero(signs - np.uint8(_ZERO) < 10)
    places = places[~(_ALNUM[signs[places - 1]] | _ALNUM[signs[places + 1]])]
    behind = places[FIGURES - 1 :]
    places = places[: len(behind)]
    return places[behind - places < FARTHEST_FIGURES]


def _find_decimals(signs: _Bytes) -> _Places:
    """Return where a point or a comma stands in a number with four decimals and more.

    Near to a key two are enough.
    """
    places = np.flatnonzero((signs == ord(".")) | (signs == ord(",")))
    for behind in (1, 2, -1):
        places = places[signs[places + behind] - np.uint8(_ZERO) < 10]
    low = (signs & LOW).astype(np.uint16)
    is_head = _HEADS[low[1:-2] << 10 | low[2:-1] << 5 | low[3:]]
    heads = np.flatnonzero(is_head & _LETTERS[signs[1:-2]] & ~_ALNUM[signs[:-3]]) + 1
    far = FARTHEST_KEY + 1
    before = np.append(heads, -far - 1)[np.searchsorted(heads, places) - 1]
    is_figure = signs - np.uint8(_ZERO) < 10
    is_exact = is_figure[places + 3] & is_figure[places + 4]
    chosen: _Places = places[is_exact | (places - before <= far)]
    return chosen


def _find_weekdays(signs: _Bytes, language: str) -> _Places:
    """Return the ends of words that end as a weekday does, near to another such."""
    pairs, endings = _endings(language)
    ends = np.flatnonzero(_LETTERS[signs[:-1]] & ~_ALNUM[signs[1:]])
    ends = ends[pairs[_LETTER[signs[ends - 1]] << 8 | signs[ends]]]
    keys = np.zeros(len(ends), np.int64)
    goes_on, is_word = np.ones((2, len(ends)), np.bool_)
    for behind in range(ENDING):
        sign = signs[ends - behind]
        is_word &= ~goes_on | _LETTERS[sign] | ~_ALNUM[sign]
        goes_on &= _LETTERS[sign]
        keys |= np.where(goes_on, _LETTER[sign], 0) << 8 * behind
    places: _Places = ends[is_word & np.isin(keys, endings)]
    return places[:-1][np.diff(places) <= FARTHEST_WEEKDAYS]


def _find_talk(signs: _Bytes, marked: _Marked, size: int) -> _Places:
    """Return the texts in which heads of turns may come again often enough.

    Of a head five bits of its last three letters are looked at, and of one with fewer what there
    is.
    """
    colons, boxes, stops = (marked.find(code) for code in (COLON, BOX, STOP))
    stops = stops[signs[marked.places[stops] - 1] & 0xCF == _CAPITAL]  # "Q." and "A."
    heads = np.concatenate((colons, boxes, stops))
    places = marked.places[heads]
    is_near = places - marked.begins[marked.line_of[heads]] <= FARTHEST
    heads, places = heads[is_near], places[is_near]
    behind = signs[places + 1]
    is_before = (behind == BLANK) | (behind == ord("\t")) | (behind == ord(":"))
    heads, places = heads[is_before], places[is_before]
    last = places - (marked.codes[heads] != STOP)
    last -= signs[last] == BLANK
    keys = marked.text_of[heads] << HEAD_BITS | signs[last] & LOW
    is_letter = np.ones(len(last), np.bool_)
    for shift in (1, 2):
        letters = signs[last - shift]
        is_letter &= _ALNUM[letters]
        keys |= np.where(is_letter, letters & LOW, 0).astype(np.int64) << 5 * shift
    found, counts = np.unique(keys, return_counts=True)
    is_again = counts > 1
    turns = np.bincount(found[is_again] >> HEAD_BITS, counts[is_again], minlength=size)
    return np.flatnonzero(turns >= FEWEST_TURNS)


def _find_tables(signs: _Bytes, marked: _Marked, size: int) -> _Places:
    """Return the texts with signs that part cells, or lines of forms or headings by commas.

    Those with a sign behind the key of a machine are among them: `"key": `, `key=`, `</key>`.
    """
    is_blank = signs == BLANK
    gaps = np.flatnonzero(is_blank[:-1] & is_blank[1:])
    lines = np.searchsorted(marked.begins, gaps, "right") - 1
    has_gap, has_column = np.zeros((2, len(marked.begins)), np.bool_)
    has_gap[lines] = True
    has_column[lines[is_blank[gaps + 2] | ~_CLOSERS[signs[gaps - 1]]]] = True

    in_line = marked.count(COMMA)
    is_told = np.zeros(len(marked.begins), np.bool_)
    is_told[:-1] = (in_line[:-1] >= commas.FEWEST_SIGNS) & (in_line[:-1] == in_line[1:])
    is_told &= marked.widths <= commas.LONGEST * (in_line + 1)
    has_gap |= (marked.count(TAB) > 0) | (marked.count(BAR) > 0)
    is_told |= has_gap & (marked.count(COLON) >= forms.FEWEST) & (marked.widths <= forms.LONGEST)

    strokes = marked.find(STROKE)
    around = marked.places[strokes]
    is_table = np.bincount(marked.texts[has_column], minlength=size) >= layout.FEWEST_GAPS
    is_table[marked.texts[is_told]] = True
    for code, before in ((COLON, ord('"')), (STROKE, ord("<"))):
        keyed = marked.find(code)
        is_table[marked.text_of[keyed[signs[marked.places[keyed] - 1] == before]]] = True
    equals = marked.find(EQUAL)
    is_table[marked.text_of[equals[signs[marked.places[equals] + 1] > BLANK]]] = True
    strokes = strokes[is_blank[around - 1] & is_blank[around + 1]]
    for signs_of, fewest in (
        (marked.find(TAB), layout.FEWEST_ROWS),
        (marked.find(BAR), layout.FEWEST_ROWS + 1),  # two in the first row
        (strokes, 2 * layout.FEWEST_ROWS),
        (marked.find(MARK), 2 * layout.FEWEST_ROWS),
    ):
        is_table |= np.bincount(marked.text_of[signs_of], minlength=size) >= fewest
    return np.flatnonzero(is_table)
