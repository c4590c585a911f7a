"""The text of a date cut into tokens that know what they mean: numbers, words, what is between."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from scrubjay.text.distance import distance
from scrubjay.transform.surrogates.calendar_words import CalendarWords, Word, phrase_key, word_key

_LETTER = r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*"
_WORD = rf"{_LETTER}(?:['’´`]{_LETTER})*(?:['’](?![0-9]))?"
_TOKEN = re.compile(
    rf"(?P<time>[0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:[.,][0-9]+)?)?(?![0-9]))"
    rf"|(?P<number>[0-9]+)|(?P<word>{_WORD})|(?P<sep>[\W_]+)|(?P<other>.)",
    re.DOTALL,
)
_BETWEEN = re.compile(r"[\s.\-–]+")  # what may stand between the words of a phrase
_ROMAN = {
    "I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10,
    "XI": 11, "XII": 12,
}  # fmt: skip
ROMAN_NUMERALS = {value: name for name, value in _ROMAN.items()}
_APOSTROPHES = ("'", "’", "‘", "´", "`")


@dataclass(slots=True, repr=False)
class Token:
    """A piece of a mention: its kind, its text, its value, and its suffix if it is a number.

    Kinds: number, time, sep, unknown, and those of `Word`; a roman month has no word. `pointed`
    tells of a year that it is written with a point, which its text lacks: 2.023.
    """

    kind: str
    text: str
    value: int = 0
    word: Word | None = None
    suffix: str = ""
    pointed: bool = False

    @property
    def whole(self) -> str:
        """The text with the suffix of a number, and with its point."""
        text = self.text + self.suffix
        return point_year(text) if self.pointed else text


def tokenize(text: str, words: CalendarWords) -> list[Token]:
    """Return the tokens of a mention; their texts with their suffixes make up the mention.

    Digits of other scripts become ASCII.
    """
    if not text.isascii():
        text = "".join(_ascii_digit(c) for c in text)
    tokens: list[Token] = []
    position, size = 0, len(text)
    while position < size:
        match = _TOKEN.match(text, position)
        assert match is not None  # any character is one of the five
        kind, piece = match.lastgroup, match.group()
        if kind == "number":
            tokens.append(Token("number", piece, int(piece) if len(piece) < 15 else -1))
        elif kind == "word":
            if not _is_suffix(tokens, piece, text, position, words):
                tokens.append(_phrase(text, position, words) or _word(piece, words))
                position += len(tokens[-1].text)
                continue
            tokens[-1].suffix = piece
        else:
            tokens.append(Token(kind if kind == "sep" or kind == "time" else "unknown", piece))
        position = match.end()
    if words.language == "es":
        _pointed_years(tokens)
    _number_phrases(tokens, words)
    kinds = [token.kind for token in tokens]
    if "unknown" in kinds or "link" in kinds:
        _time_letters(tokens)
        _romans(tokens)
    return tokens


def point_year(year: str) -> str:
    """Return a year of four digits with a point behind the thousands: 2.023."""
    return f"{year[:1]}.{year[1:]}"


def has_apostrophe(tokens: list[Token], index: int) -> bool:
    """Tell whether an apostrophe stands before a number, as in '98."""
    return index > 0 and tokens[index - 1].text.endswith(_APOSTROPHES)


def _ascii_digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(int(value))


def _is_suffix(
    tokens: list[Token], piece: str, text: str, position: int, words: CalendarWords
) -> bool:
    """Tell whether a word right behind a number is its ending: 3rd, 1º, 90s."""
    if not tokens or tokens[-1].kind != "number" or tokens[-1].suffix:
        return False
    low = piece.lower().strip("'’")
    if low == "s":
        return True
    if low not in words.ordinal_suffixes or len(tokens[-1].text) > 2:
        return False
    return not _glued_digit(text, position + len(piece))


def _glued_digit(text: str, position: int) -> bool:
    return position < len(text) and text[position].isdigit()


def _phrase(text: str, position: int, words: CalendarWords) -> Token | None:
    """Return the longest known phrase that begins at a word, or None."""
    pieces: list[str] = []
    best: Token | None = None
    start = position
    longest = 1
    while True:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup not in ("word", "number"):
            break
        pieces.append(match.group())
        if len(pieces) == 1:
            longest = words.longest.get(word_key(pieces[0]), 0)
        key = phrase_key(" ".join(pieces))
        word = words.phrases.get(key)
        if word is not None:
            best = Token(word.kind, text[start : match.end()], word.value, word)
        if len(pieces) >= longest:
            break
        gap = _BETWEEN.match(text, match.end())
        position = gap.end() if gap else match.end()
        if not gap and (position >= len(text) or not text[position].isdigit()):
            break
    return best


def _word(piece: str, words: CalendarWords) -> Token:
    """Return a single word that is no phrase: cut short, misspelled, glued, or unknown."""
    key = word_key(piece)
    key = key.removesuffix("s") if len(key) > 6 else key  # a plural, or an end that is as good
    if len(key) >= 3 and piece.isalpha():
        for kind, rows in (("month", words.months), ("weekday", words.weekdays)):
            near = _nearest(key, rows[0])
            if near is not None:
                value = near[0] + (kind == "month")
                # form -1: cut to the length of what stands there
                return Token(kind, piece, value, Word(kind, value, near[1], words.language))
    return Token("unknown", piece)


def _nearest(key: str, names: tuple[str, ...]) -> tuple[int, int] | None:
    """Return the number of the one name that a word cuts short (-1) or misspells (0)."""
    folded = _keys_of(names)
    cut = [number for number, name in enumerate(folded) if name.startswith(key)]
    if len(cut) == 1:
        return cut[0], -1
    if len(key) < 4:
        return None
    close = [n for n, name in enumerate(folded) if _is_slip(key, name)]
    return (close[0], 0) if len(close) == 1 else None


@cache
def _keys_of(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(word_key, names))


def _is_slip(key: str, name: str) -> bool:
    """Tell whether a word is a name misspelled: one difference for about five letters."""
    most = (len(name) + 2) // 5
    # Each letter that the word has not is a difference, and most words lack more.
    missing = sum(letter not in key for letter in name)
    return missing <= most and distance(key, name, most) <= most


def _pointed_years(tokens: list[Token]) -> None:
    """Join a year that is written with a point behind the thousands: 2.023."""
    points = [index for index, token in enumerate(tokens) if token.text == "."]
    for index in reversed(points):
        if not 0 < index < len(tokens) - 1:
            continue
        one, other = tokens[index - 1], tokens[index + 1]
        if len(one.text) != 1 or len(other.text) != 3 or other.suffix:
            continue
        if one.kind == other.kind == "number" and 1800 <= one.value * 1000 + other.value <= 2199:
            year = one.text + other.text
            tokens[index - 1 : index + 2] = [Token("number", year, int(year), pointed=True)]


def _number_phrases(tokens: list[Token], words: CalendarWords) -> None:
    """Join numbers with the words of holidays that begin with them: 4th of July, 1e kerstdag."""
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.kind == "number" and token.text in words.number_starts:
            for last in range(min(index + 4, len(tokens) - 1), index, -1):
                text = "".join(each.whole for each in tokens[index : last + 1])
                word = words.phrases.get(phrase_key(text))
                whole = tokens[last].kind != "sep"
                if whole and word is not None and word.kind == "holiday":
                    tokens[index : last + 1] = [Token("holiday", text, word.value, word)]
                    break
        index += 1


def _time_letters(tokens: list[Token]) -> None:
    """Keep the T and Z of ISO 8601 beside a time of day."""
    for index, token in enumerate(tokens):
        if token.kind == "unknown" and token.text in ("T", "Z", "t", "z"):
            beside = tokens[max(0, index - 1) : index + 2]
            if any(other.kind == "time" for other in beside):
                token.kind = "link"


def _romans(tokens: list[Token]) -> None:
    """Read a roman numeral between two numbers as the month: 12-V-1998."""
    for index in range(2, len(tokens) - 2):
        token = tokens[index]
        if token.kind in ("unknown", "link") and token.text.upper() in _ROMAN:
            around = (tokens[index - 2], tokens[index - 1], tokens[index + 1], tokens[index + 2])
            kinds = [each.kind for each in around]
            if kinds == ["number", "sep", "sep", "number"]:
                tokens[index] = Token("month", token.text, _ROMAN[token.text.upper()])
