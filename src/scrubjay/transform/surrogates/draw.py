"""Keyed draws: the only chance in surrogates, the same in every process and on every machine.

A draw is HMAC-SHA256 over the patient and the words that say what is drawn. Without the key
nobody can repeat it, so a surrogate tells nothing about what it replaced; with the key it comes
out the same in any process, on any machine, in any order of the documents.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Callable, Collection, Hashable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from scrubjay.caching import text_cache
from scrubjay.errors import ConfigError
from scrubjay.transform.operators import require_key

T = TypeVar("T")

_BLOCK = 64  # bytes that SHA-256 takes at a time
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))
_BYTES = 16  # of a digest in a number: the modulo bias of any range below 2**64 is under 2**-64
_TRIES = 16
_WORD = re.compile(r"[^\W\d_]+|\d+")
_KNOWN = 8192
"""Texts of which is remembered what they fold to: many mentions are in several documents."""


def _plain_sha256() -> Callable[[bytes], Any]:
    """Return the SHA-256 of Python itself where it has one: on a few bytes it is twice as fast.

    That of OpenSSL, which `hashlib` prefers, takes long to be set up and copied.
    """
    for name in ("_sha2", "_sha256"):
        try:
            found: Callable[[bytes], Any] = import_module(name).sha256
        except (ImportError, AttributeError):
            continue
        return found
    return hashlib.sha256


_SHA256 = _plain_sha256()

_WIDE = re.compile(r"[^\x00-\x7f]")
_MARKS: dict[str, str] = {}
"""What characters that are not ASCII fold to, of those met so far."""
_LAST_KNOWN = "\u3000"
_ODD = 0
"""The byte for what has no character in a table: a text that has it goes another way, too."""


def fold(text: str) -> str:
    """Return what two values are compared by: no case, accents, or differences of white space."""
    if not text.isascii():
        plain = _narrow(text, _narrow_folds()) or _without_marks(text)
        if plain is None:
            return fold_plainly(text)
        text = plain
    return text.lower() if text.isalnum() else " ".join(text.lower().split())


def _without_marks(text: str) -> str | None:
    """Return a text with the same fold and no accents, None where that takes more than a look.

    What a character folds to does not depend on those around it, and is ASCII for most letters
    of Europe; others, as quotes and dashes, are their own fold and have no case.
    """
    for mark in {*_WIDE.findall(text)}:
        plain = _MARKS[mark] if mark in _MARKS else _note_mark(mark)
        if plain is None:
            return None
        if plain != mark:
            text = text.replace(mark, plain)
    return text


def _note_mark(mark: str) -> str | None:
    """Return what `_MARKS` is to have for a character."""
    folded = fold_plainly(f"a{mark}a")[1:-1]  # between letters, since white space at ends goes
    if not folded.isascii() and not folded == mark == mark.lower():
        return None
    if mark < _LAST_KNOWN:
        _MARKS[mark] = folded
    return folded


def fold_plainly(text: str) -> str:
    """Return what `fold` does, by the whole text at once: its oracle."""
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    # A text has few distinct characters: whole replacements are faster than a look at each.
    for mark in filter(unicodedata.combining, set(parts)):
        parts = parts.replace(mark, "")
    return " ".join(parts.split())


def letters_of(text: str) -> str:
    """Return a text in which the words of letters are those of its `fold`, and stand as there.

    What is between words may differ.
    """
    if text.isascii():
        return text.lower()
    narrow = _narrow(text, _narrow_letters())
    if narrow is not None:
        return narrow.lower()
    for mark in {*_WIDE.findall(text)}:
        plain = _MARKS[mark] if mark in _MARKS else _note_mark(mark)
        if plain is None:
            return fold(text)
        plain = _letter(plain)
        if plain != mark:
            text = text.replace(mark, plain)
    return text.lower()


def _letter(plain: str) -> str:
    """Return what a mark folds to, or a blank for what is no letter."""
    return plain if plain.isascii() or plain.isalnum() else " "


def _narrow(text: str, table: bytes) -> str | None:
    """Return a text with other characters by a table of those below 256.

    None where it has others, or one that the table has no character for.
    """
    try:
        plain = text.encode("latin-1").translate(table)
    except UnicodeEncodeError:
        return None
    return None if _ODD in plain else plain.decode("latin-1")


@cache
def _narrow_folds() -> bytes:
    """Return what the characters below 256 fold to, letter case apart, for `_narrow`."""
    return _narrow_table(lambda plain: plain)


@cache
def _narrow_letters() -> bytes:
    """Return the same, with a blank for what is no letter, as `letters_of` has it."""
    return _narrow_table(_letter)


def _narrow_table(shown: Callable[[str], str]) -> bytes:
    table = bytearray(range(256))
    for code in range(128, 256):
        plain = _note_mark(chr(code))
        new = "" if plain is None else shown(plain)
        table[code] = ord(new) if len(new) == 1 and ord(new) < 256 else _ODD
    return bytes(table)


def row(folded: str) -> str:
    """Return the words of a folded text, each between spaces; letters and digits part."""
    return f" {' '.join(_WORD.findall(folded))} "


fold_known = text_cache(_KNOWN)(fold)
"""`fold`, remembered: for originals. New values hardly come again."""


@text_cache(_KNOWN)
def row_known(text: str) -> str:
    """Return the `row` of a text as `fold` makes it, remembered."""
    return row_of_fold(fold_known(text))


def row_of_fold(folded: str) -> str:
    """Return what `row` does; a value of one word, as many are, is told at a look."""
    return f" {folded} " if folded.isascii() and folded.isalpha() else row(folded)


def words_of_fold(folded: str) -> list[str]:
    """Return the words of a `row`."""
    return [folded] if folded.isascii() and folded.isalpha() else _WORD.findall(folded)


class Draw:
    """Draws for the surrogates of one patient under one key.

    `what` names the thing drawn ("surname", the key of the old name): the same words give the
    same draw for one patient, and tell nothing about the draw for another. An empty `patient` is
    a patient like any other: give the id of the document where no patient is known. Raises
    `ConfigError` for a key of fewer than 16 bytes.
    """

    __slots__ = ("_avoid", "_folded", "_inner", "_made", "_outer", "folds", "sound")

    def __init__(self, key: bytes, patient: str) -> None:
        require_key(key, "surrogates need")
        secret = hmac.digest(key, _message(("scrubjay surrogates 1", patient)), "sha256")
        # HMAC by its definition (RFC 2104, section 2), with what all draws begin with hashed once.
        block = secret.ljust(_BLOCK, b"\0")
        self._inner = _SHA256(block.translate(_INNER))
        self._outer = _SHA256(block.translate(_OUTER))
        self._avoid: frozenset[str] | None = None
        self._folded: frozenset[str] = frozenset()
        self._made: dict[tuple[Hashable, frozenset[str]], Any] = {}
        self.folds: dict[str, str] = {}
        """What surrogates made so far fold to, where their maker had to know it."""
        self.sound: dict[str, str] = {}
        """Originals with surrogates that show neither them nor another original as a whole."""

    def __repr__(self) -> str:
        return "Draw()"

    def whole(self, low: int, high: int, *what: str) -> int:
        """Return a whole number from `low` to `high`, both included.

        Raises `ValueError` where `low` is above `high`.
        """
        if low > high:
            raise ValueError(f"no whole number is from {low} to {high}")
        return low + self._number(("whole", *what)) % (high - low + 1)

    def below(self, size: int, head: bytes, number: int) -> int:
        """Return `whole(0, size - 1, *what, str(number))`; `head` is the `heading` of `what`."""
        # As `_of`, which it does not call: nearly all draws are this one.
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(head + (_NUMBERS[number] if number < _FEW else _message((str(number),))))
        outer.update(inner.digest())
        return int.from_bytes(outer.digest()[:_BYTES], "big") % size

    def choose(self, options: Sequence[str], *what: str, avoid: Collection[str] = ()) -> str:
        """Return one of the options, all equally likely, but none that equals one of `avoid`.

        Put what is replaced into `avoid`, and every original of the record. Values are equal
        that `fold` makes equal. Options that are avoided leave the draws of others unchanged:
        the first of a row of draws that may be taken is. Raises `ConfigError` if no option is
        left: the document then has to fail, since any value would tell something.
        """
        size = len(options)
        refused = self.refused(avoid)
        for attempt in range(_TRIES if size else 0):
            option = options[self._number(("choose", *what), attempt) % size]
            if not refused or fold(option) not in refused:
                return option
        first = self._number(("choose", *what), _TRIES) % size if size else 0
        for step in range(size):
            option = options[(first + step) % size]
            if fold(option) not in refused:
                return option
        raise ConfigError(
            f"no surrogate is left: the originals of the record hold all of {size} options",
            hint="Give the label another operator, or the table of surrogates more entries",
        )

    def order(self, size: int, *what: str) -> list[int]:
        """Return the numbers below `size` in a drawn order, all orders equally likely."""
        numbers = list(range(size))
        for last in range(size - 1, 0, -1):
            other = self._number(("order", *what), last) % (last + 1)
            numbers[last], numbers[other] = numbers[other], numbers[last]
        return numbers

    def _number(self, what: tuple[str, ...], attempt: int = 0) -> int:
        return self._of(b"%d:" % attempt + _message(what))

    def _of(self, message: bytes) -> int:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return int.from_bytes(outer.digest()[:_BYTES], "big")

    def refused(self, avoid: Collection[str]) -> frozenset[str]:
        """Return the values to avoid as `fold` makes them."""
        # A record hands over the same frozen set for each of its mentions; it is folded once.
        if not avoid:
            return frozenset()
        if avoid is self._avoid:
            return self._folded
        folded = frozenset(map(fold_known, avoid))
        if isinstance(avoid, frozenset):
            self._avoid, self._folded = avoid, folded
        return folded

    def once(self, what: Hashable, refused: frozenset[str], make: Callable[[], T]) -> T:
        """Return what `make` gives, made once for these words and values to avoid; never None.

        The makers of a record share it, and it goes with the record.
        """
        made: T | None = self._made.get((what, refused))
        if made is None:
            made = self._made[what, refused] = make()
        return made

    def end(self) -> None:
        """Let go of what was made once: it may hold this draw, and garbage takes time to find."""
        self._made.clear()


def heading(*what: str) -> bytes:
    """Return what the draws of whole numbers for some words have in common (`Draw.below`)."""
    return _HEAD + _message(what)


def _message(parts: tuple[str, ...]) -> bytes:
    """Return the parts as bytes, each after its length: no two rows of parts come out alike."""
    if len(parts) == 3:  # as most have, and by one step
        one, two, three = parts
        message = f"{len(one)}:{one}{len(two)}:{two}{len(three)}:{three}"
    elif len(parts) == 4:
        one, two, three, four = parts
        message = f"{len(one)}:{one}{len(two)}:{two}{len(three)}:{three}{len(four)}:{four}"
    else:
        message = "".join([f"{len(part)}:{part}" for part in parts])
    if message.isascii():
        return message.encode()
    # Lengths are in bytes; surrogatepass, since a text may hold a lone surrogate.
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return b"".join([b"%d:%b" % (len(part), part) for part in encoded])


_HEAD = b"0:" + _message(("whole",))
_FEW = 64
_NUMBERS = tuple([_message((str(number),)) for number in range(_FEW)])
