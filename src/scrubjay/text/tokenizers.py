"""The tokenizers of the papers, by name.

    whitespace   runs of characters that are not white space (the tokens of Zhao 2020, Table 2)
    wi-deid      basic words, the patterns of He 2015, Table 1, and its punctuation
    jiang        basic words and the patterns of Jiang 2017, Table 1
    subword      character classes, upper-case letters, byte pair encoding (Zhao 2020)

Each covers every character that is not white space (`str.isspace`) by exactly one token,
with exact offsets in code points, and never parts a letter from its combining marks. All are
immutable and picklable; a pickle holds the settings and no cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from scrubjay.compiling import use_compiled
from scrubjay.errors import ConfigError
from scrubjay.text.bpe import Merge, piece_starts, rank_merges
from scrubjay.text.characters import classify, traits_of_bmp
from scrubjay.text.chunks import (
    CutCache,
    InnerPunctuation,
    RulePolicy,
    jiang_cuts,
    wi_deid_cuts,
)
from scrubjay.text.sentences import (
    SentenceMode,
    find_sentences,
    require_sentence_mode,
    sentences_of_lines,
)
from scrubjay.text.signs import code_points
from scrubjay.text.subwords import (
    UppercasePolicy,
    parting_pairs,
    subword_bounds,
    whitespace_bounds,
)
from scrubjay.text.tokens import Tokens

_KERNEL = ("text/_cut_kernel.py", "cut_text")

Parameters = dict[str, Any]


class Tokenizer(Protocol):
    """Text to tokens, with sentences."""

    @property
    def name(self) -> str:
        """The name that `make_tokenizer` knows it by."""
        ...

    def parameters(self) -> Parameters:
        """Return the settings, as JSON values, from which `make_tokenizer` rebuilds it."""
        ...

    def tokenize(self, text: str) -> Tokens:
        """Return the tokens of a text; the same text gives the same tokens."""
        ...


@dataclass(frozen=True, slots=True)
class WhitespaceTokenizer:
    """Tokens are the runs of characters that are not white space."""

    sentences: SentenceMode = "clinical"
    name: str = field(default="whitespace", init=False, repr=False)

    def parameters(self) -> Parameters:
        """Return the settings of this tokenizer."""
        return {"sentences": self.sentences}

    def tokenize(self, text: str) -> Tokens:
        """Return the tokens of a text."""
        starts, ends = whitespace_bounds(classify(text))
        return Tokens(text, starts, ends, find_sentences(text, starts, ends, self.sentences))


@dataclass(frozen=True, slots=True)
class WiDeidTokenizer:
    """The tokenization of WI-deId (He 2015, section 2.1).

    A basic word tokenizer stands in for OpenNLP's; then the patterns of Table 1 part words,
    and then the punctuation `“”,:;#*-=/<>[]{}` becomes tokens. With `rules="first"` the first
    pattern that matches a word cuts it, once, as the table shows; with `"all"` every match of
    every pattern does.
    """

    rules: RulePolicy = "first"
    sentences: SentenceMode = "clinical"
    name: str = field(default="wi-deid", init=False, repr=False)
    _cuts: CutCache = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cache = CutCache(partial(wi_deid_cuts, rules=self.rules))
        object.__setattr__(self, "_cuts", cache)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(make_tokenizer, self.name, **self.parameters()), ()

    def parameters(self) -> Parameters:
        """Return the settings of this tokenizer."""
        return {"rules": self.rules, "sentences": self.sentences}

    def tokenize(self, text: str) -> Tokens:
        """Return the tokens of a text."""
        return _cut_chunks(text, self._cuts, self.sentences)


@dataclass(frozen=True, slots=True)
class JiangTokenizer:
    """The tokenization of Jiang 2017 (section 3.1, Table 1) over basic words.

    Dates, phone numbers and e-mail addresses stay whole. With `punctuation="split"` the other
    marks inside words are tokens (`48-year-old` gives five), with `"keep"` they are not.
    """

    punctuation: InnerPunctuation = "split"
    sentences: SentenceMode = "clinical"
    name: str = field(default="jiang", init=False, repr=False)
    _cuts: CutCache = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cache = CutCache(partial(jiang_cuts, punctuation=self.punctuation))
        object.__setattr__(self, "_cuts", cache)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(make_tokenizer, self.name, **self.parameters()), ()

    def parameters(self) -> Parameters:
        """Return the settings of this tokenizer."""
        return {"punctuation": self.punctuation, "sentences": self.sentences}

    def tokenize(self, text: str) -> Tokens:
        """Return the tokens of a text."""
        return _cut_chunks(text, self._cuts, self.sentences)


@dataclass(frozen=True, slots=True)
class SubwordTokenizer:
    """The tokenization of Zhao 2020 ("Preprocessing and Experimental Setups").

    `uppercase` says where runs of letters part (see `subword_bounds`); `merges` are the pairs
    of a trained byte pair encoding (see `scrubjay.text.bpe.train_merges`), none by default:
    then the runs stay whole.
    """

    uppercase: UppercasePolicy = "camel"
    merges: tuple[Merge, ...] = ()
    sentences: SentenceMode = "clinical"
    name: str = field(default="subword", init=False, repr=False)
    _cuts: CutCache = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cache = CutCache(partial(piece_starts, ranks=rank_merges(self.merges)))
        object.__setattr__(self, "_cuts", cache)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(make_tokenizer, self.name, **self.parameters()), ()

    def __repr__(self) -> str:
        return (
            f"SubwordTokenizer(uppercase={self.uppercase!r}, {len(self.merges)} merges, "
            f"sentences={self.sentences!r})"
        )

    def parameters(self) -> Parameters:
        """Return the settings of this tokenizer, the merges included."""
        return {
            "uppercase": self.uppercase,
            "merges": [list(pair) for pair in self.merges],
            "sentences": self.sentences,
        }

    def tokenize(self, text: str) -> Tokens:
        """Return the tokens of a text."""
        # Counts as no work: it is compiled where what comes after it is.
        if not self.merges and use_compiled(0, late=_KERNEL):
            cut = cut_compiled(text, uppercase=self.uppercase, sentences=self.sentences)
            if cut is not None:
                return cut
        starts, ends = subword_bounds(classify(text), uppercase=self.uppercase)
        if self.merges:
            bounds = zip(starts.tolist(), ends.tolist(), strict=True)
            starts, ends = self._cuts.refine([text[s:e] for s, e in bounds], starts, ends)
        return Tokens(text, starts, ends, find_sentences(text, starts, ends, self.sentences))


def cut_compiled(
    text: str, *, uppercase: UppercasePolicy, sentences: SentenceMode
) -> Tokens | None:
    """Return what `subword_bounds` and `find_sentences` make of a text, by one compiled kernel.

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


def _cut_chunks(text: str, cuts: CutCache, sentences: SentenceMode) -> Tokens:
    starts, ends = whitespace_bounds(classify(text))
    starts, ends = cuts.refine(text.split(), starts, ends)
    return Tokens(text, starts, ends, find_sentences(text, starts, ends, sentences))


def _choice(known: Sequence[str]) -> Callable[[str, Any], Any]:
    def check(setting: str, value: Any) -> Any:
        if value not in known:
            raise ConfigError(f"{setting} must not be {value!r}", hint=f"Known: {', '.join(known)}")
        return value

    return check


def _sentence_mode(setting: str, value: Any) -> Any:
    del setting
    return require_sentence_mode(value)


def _merges(setting: str, value: Any) -> Any:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ConfigError(f"{setting} must be a list of pairs of strings")
    return tuple(rank_merges(value))


_Factory = Callable[..., Tokenizer]
_Checks = dict[str, Callable[[str, Any], Any]]
_TABLE: dict[str, tuple[_Factory, _Checks]] = {
    "whitespace": (WhitespaceTokenizer, {}),
    "wi-deid": (WiDeidTokenizer, {"rules": _choice(("first", "all"))}),
    "jiang": (JiangTokenizer, {"punctuation": _choice(("split", "keep"))}),
    "subword": (
        SubwordTokenizer,
        {"uppercase": _choice(("camel", "every", "none")), "merges": _merges},
    ),
}
TOKENIZERS = tuple(_TABLE)


def make_tokenizer(name: str, **parameters: Any) -> Tokenizer:
    """Build the tokenizer of that name; `parameters` are its settings, as JSON values.

    Every tokenizer takes `sentences` ("clinical", "paragraph", "line" or "none"). Raises
    `ConfigError` for an unknown name, setting or value.
    """
    if name not in _TABLE:
        raise ConfigError(f"unknown tokenizer {name!r}", hint=f"Known: {', '.join(_TABLE)}")
    factory, own = _TABLE[name]
    checks: _Checks = {**own, "sentences": _sentence_mode}
    for setting in parameters:
        if setting not in checks:
            raise ConfigError(
                f"the tokenizer {name!r} has no setting {setting!r}",
                hint=f"It has: {', '.join(checks)}",
            )
    checked = {setting: checks[setting](setting, value) for setting, value in parameters.items()}
    return factory(**checked)
