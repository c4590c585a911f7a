"""Attributes of a word on its own: values that depend on the surface form alone.

Each attribute belongs to a group of the papers' feature tables (He 2015, Table 2; Jiang 2017,
Table 2; Zhao 2020, Unified Feature Set; Trienes 2020, Table 4). A value is a string, or None
where the attribute has nothing to say. Words are looked at once and cached by the encoder.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from scrubjay.errors import require_choice

WordFunction = Callable[[str], "str | None"]

_RUNS = re.compile(r"(.)\1+")
# Light stemming: the longest inflectional ending goes, if at least three letters stay.
_ENDINGS = (
    r"(?<=\w{3})(?:aciones|amente|mente|idades|ación|iones|ingen|heden|ings|edly|ness|"
    r"ando|iendo|adas|ados|idas|idos|ada|ado|ida|ido|ies|ing|ión|ers|ed|es|en|as|os|ly|s|a|o|e)"
)
_ENDING = re.compile(_ENDINGS + r"\Z")
_LINE_ENDINGS = re.compile(_ENDINGS + "$", re.MULTILINE)


def _class_of(character: str) -> str:
    if character.isdigit():
        return "0"
    if character.isalpha() or unicodedata.combining(character):
        return "A" if character.isupper() else "a"
    return character


_ASCII_CLASSES = bytes(ord(_class_of(chr(code))) for code in range(128)) + bytes(128)

#: Shapes kept with what they collapse to: they are few.
_KEPT_SHAPES = 4096


def shape(word: str) -> str:
    """Return the word with upper-case, lower-case letters and digits as `A`, `a`, `0`."""
    if word.isascii():
        return word.encode().translate(_ASCII_CLASSES).decode()
    return "".join(map(_class_of, word))


def short_shape(word: str) -> str:
    """Return the shape with runs of one class collapsed: `Valdez` -> `Aa`."""
    return collapse(shape(word))


@lru_cache(_KEPT_SHAPES)
def collapse(shape: str) -> str:
    """Return a shape with runs of one class collapsed."""
    return _RUNS.sub(r"\1", shape)


def stem(word: str) -> str:
    """Return a lower-case stem by stripping one inflectional ending (en, es, nl)."""
    return _ENDING.sub("", word.lower())


def stem_lines(text: str) -> str:
    """Return the stems of words, each on a line of its own, in small letters already."""
    return _LINE_ENDINGS.sub("", text)


def _flag(condition: bool) -> str | None:
    return "1" if condition else None


def _length(word: str) -> str:
    return str(min(len(word), 20))


def has_punctuation(word: str) -> bool:
    """Tell whether a word has a sign that is neither a letter nor a digit, nor sits on one."""
    if word.isalnum():
        return False
    return any(not c.isalnum() and not unicodedata.combining(c) for c in word)


def _letters_and_digits(word: str) -> str | None:
    letters, digits = any(map(str.isalpha, word)), any(map(str.isdigit, word))
    return _flag(letters and digits and not has_punctuation(word))


def _digits_and_punctuation(word: str) -> str | None:
    letters, digits = any(map(str.isalpha, word)), any(map(str.isdigit, word))
    return _flag(digits and not letters and has_punctuation(word))


def _number_kind(word: str) -> str | None:
    """Tell plausible readings of a run of digits: day, month, year, postcode."""
    if not (word.isascii() and word.isdigit()):
        return None
    value, size = int(word[:9]), len(word)
    if size <= 2:
        return "month" if 1 <= value <= 12 else "day" if 1 <= value <= 31 else "two"
    if size == 4:
        return "year" if 1900 <= value <= 2150 else "four"
    return f"digits{min(size, 12)}"


def _capital_code(word: str) -> str:
    """Return four bits: has a letter, has a capital, begins with one, is all capitals."""
    return "".join("1" if WORD_ATTRIBUTES[name][1](word) else "0" for name in _CAPITAL_BITS)


#: The Letter features of Jiang 2017, Table 2; one four-bit value by section 5.2: "1110".
_CAPITAL_BITS = ("has-letter", "has-upper", "begins-upper", "all-upper")


def _affix(kind: str, size: int) -> WordFunction:
    if kind == "prefix":
        return lambda word: word[:size] if len(word) >= size else None
    return lambda word: word[-size:] if len(word) >= size else None


def _lower_affix(kind: str, size: int) -> WordFunction:
    if kind == "prefix":
        return lambda word: word[:size].lower() if len(word) >= size else None
    return lambda word: word[-size:].lower() if len(word) >= size else None


def _both(first: WordFunction, second: WordFunction) -> WordFunction:
    def joined(word: str) -> str | None:
        one, two = first(word), second(word)
        return None if one is None or two is None else f"{one}\t{two}"

    return joined


#: name -> (group, function). The one place where an attribute of a word is declared.
WORD_ATTRIBUTES: Mapping[str, tuple[str, WordFunction]] = MappingProxyType(
    {
        "word": ("lexical", lambda word: word),
        "lower": ("lexical", str.lower),
        "stem": ("lexical", stem),
        "length": ("orthographic", _length),
        "has-letter": ("orthographic", lambda w: _flag(any(map(str.isalpha, w)))),
        "has-upper": ("orthographic", lambda w: _flag(any(map(str.isupper, w)))),
        "begins-upper": ("orthographic", lambda w: _flag(w[0].isupper())),
        "all-upper": ("orthographic", lambda w: _flag(w.isalpha() and w.isupper())),
        "has-digit": ("orthographic", lambda w: _flag(any(map(str.isdigit, w)))),
        "all-digits": ("orthographic", lambda w: _flag(w.isdigit())),
        "has-punctuation": ("orthographic", lambda w: _flag(has_punctuation(w))),
        "letters-and-digits": ("orthographic", _letters_and_digits),
        "digits-and-punctuation": ("orthographic", _digits_and_punctuation),
        "number-kind": ("orthographic", _number_kind),
        "capital-code": ("orthographic", _capital_code),
        "shape": ("shape", shape),
        "short-shape": ("shape", short_shape),
        "shape+length": ("shape", _both(short_shape, _length)),
        **{f"prefix{n}": ("morphological", _affix("prefix", n)) for n in range(1, 6)},
        **{f"suffix{n}": ("morphological", _affix("suffix", n)) for n in range(1, 6)},
        **{f"lower-prefix{n}": ("morphological", _lower_affix("prefix", n)) for n in range(1, 6)},
        **{f"lower-suffix{n}": ("morphological", _lower_affix("suffix", n)) for n in range(1, 6)},
        "suffix3+short-shape": ("morphological", _both(_lower_affix("suffix", 3), short_shape)),
    }
)


def find_word_attribute(name: str) -> WordFunction:
    """Return the function of a declared attribute; raises `ConfigError` for an unknown one."""
    return WORD_ATTRIBUTES[require_choice("word attribute", name, WORD_ATTRIBUTES)][1]
