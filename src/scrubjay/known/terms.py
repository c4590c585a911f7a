"""Allow-lists and deny-lists: terms that are never, or always, removed.

An allow-list may be a TOML file of look-alikes, with or without terms (`read_allowed`). Any other
list is a UTF-8 file with a term a line. In a deny-list a label may follow after a tab. Blank
lines and lines that begin with `#` are passed over. Terms are compared without case, accents
and what stands between their words.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path

from scrubjay.caching import text_cache
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError, LabelError, told_type
from scrubjay.files import read_text, read_toml
from scrubjay.known.layers import seeing_disguises
from scrubjay.known.words import Words, over_lines, split_words, word_keys
from scrubjay.labels import LabelSet
from scrubjay.taggers.look_alikes import LookAlikes, make_look_alikes
from scrubjay.text.entities import reading_entities

MOST_WORDS = 50
_GAP = re.compile(r"[^\S\n\r]*(?:[^\w\s]|_)?[^\S\n\r]*(?:\r?\n[ \t]*)?")
_LONGEST_GAP, _LONGEST_INDENT = 8, 80

Keys = tuple[str, ...]


@text_cache(1024)
def joins_words(gap: str) -> bool:
    """Tell whether no more than blanks, a mark and a line end stand between two words."""
    line, _, indent = gap.partition("\n")
    short = len(line) <= _LONGEST_GAP and len(indent) <= _LONGEST_INDENT
    return short and _GAP.fullmatch(gap) is not None


@dataclass(frozen=True, slots=True, repr=False)
class Terms:
    """Terms as the keys of their words, each with its label ("" where it has none)."""

    labels: Mapping[Keys, str] = field(default_factory=dict)
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Terms({len(self.labels)})"

    def __len__(self) -> int:
        return len(self.labels)

    def holds(self, text: str) -> bool:
        """Tell whether a text is one of the terms, whole."""
        return self.holds_words(split_words(text).keys)

    def holds_words(self, keys: Keys) -> bool:
        """Tell whether the words with these keys are one of the terms, whole."""
        return keys in self.labels

    def find(self, words: Words) -> list[tuple[int, int, Keys]]:
        """Return start, end and keys of the terms in a text: the longest at each word, disjoint.

        A term is found where a hyphen cuts a word of it at a line end, too.
        """
        found = self._find(words)
        whole = over_lines(words)
        if whole is None:
            return found
        known = set(found)
        more = [hit for hit in self._find(whole) if hit not in known]
        taken = {place for start, end, _ in more for place in range(start, end)}
        return sorted([*more, *(hit for hit in found if taken.isdisjoint(range(*hit[:2])))])

    def _find(self, words: Words) -> list[tuple[int, int, Keys]]:
        found = []
        free, count = 0, len(words)
        known, terms, every = self.sizes, self.labels, words.keys
        for position in compress(range(count), map(known.__contains__, every)):
            if position < free:
                continue
            for size in known[every[position]]:
                last = position + size
                keys = every[position:last]
                if last > count or keys not in terms:
                    continue
                if size == 1 or self._joined(words, position, last):
                    found.append((words.starts[position], words.ends[last - 1], keys))
                    free = last
                    break
        return found

    def _joined(self, words: Words, first: int, last: int) -> bool:
        """Tell whether nothing but blanks and a mark stands between the words of a term."""
        starts, ends, text = words.starts, words.ends, words.text
        for place in range(first, last - 1):
            gap = text[ends[place] : starts[place + 1]]
            if gap != " " and not joins_words(gap):  # most are a blank
                return False
        return True


def make_terms(labels: Mapping[Keys, str]) -> Terms:
    """Return the terms with these keys and labels, ready to be found."""
    sizes: dict[str, tuple[int, ...]] = {}
    for keys in labels:
        size, known = len(keys), sizes.get(keys[0])
        if known is None:
            sizes[keys[0]] = (size,)
        elif size not in known:
            sizes[keys[0]] = tuple(sorted((*known, size), reverse=True))
    return Terms(dict(labels), sizes)


def gather_terms(terms: Iterable[str], *, label_set: LabelSet | None = None) -> Terms | None:
    """Return the terms of an allow-list, or of a deny-list where there is a `label_set`.

    None where there are none. A mapping leads from the terms of a deny-list to their labels, ""
    where one has none. Raises `ConfigError` for what is no term, by its place, and for a label in
    an allow-list; `LabelError` for a label that the set does not have. No message shows a term.
    """
    given = terms if isinstance(terms, Mapping) else dict.fromkeys(terms, "")
    labels: dict[Keys, str] = {}
    for number, (term, label) in enumerate(given.items(), start=1):
        if not isinstance(term, str):
            raise ConfigError(f"term {number} is {told_type(term)}, no string")
        keys = word_keys(term)
        if not 0 < len(keys) <= MOST_WORDS:
            raise ConfigError(f"term {number} has no letter or digit, or is too long")
        if label and label_set is None:
            raise ConfigError("an allow-list has no labels", place=f"term {number}")
        labels[keys] = _require_label(label, label_set, None, f"term {number}")
    return make_terms(labels) if labels else None


def read_terms(path: Path | str, *, label_set: LabelSet | None = None) -> Terms:
    """Read an allow-list, or a deny-list where `label_set` says which labels there are.

    Raises `FormatError` by line for a term without a letter or digit, one of more than 50
    words, and a label in an allow-list; `LabelError` by line for an unknown label; `InputError`
    and `EncodingError` for a file that cannot be read. No message shows a term.
    """
    path = Path(path)
    labels: dict[Keys, str] = {}
    for number, line in _lines(path):
        place = f"line {number}"
        term, tab, label = line.partition("\t")
        keys = word_keys(term)
        if not 0 < len(keys) <= MOST_WORDS:
            what = f"a term of more than {MOST_WORDS} words" if keys else "no letter or digit"
            raise FormatError(what, path=path, place=place, hint="Write one term a line")
        if tab and label_set is None:
            raise FormatError("an allow-list has no labels", path=path, place=place)
        labels[keys] = _require_label(label.strip(), label_set, path, place)
    if not labels:
        raise FormatError("there are no terms in the file", path=path)
    return make_terms(labels)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a list that hold a term, with their numbers."""
    for number, line in enumerate(re.split(r"\r\n|\n|\r", read_text(path)), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def everyday_lines(path: Path, *, words: Container[str]) -> list[int]:
    """Return the numbers of the lines of a list whose term is one of some `words`, in any case."""
    terms = ((number, word_keys(line.partition("\t")[0])) for number, line in _lines(path))
    return [number for number, keys in terms if len(keys) == 1 and keys[0] in words]


def read_allowed(path: Path, *, label_set: LabelSet) -> tuple[Terms | None, LookAlikes | None]:
    """Return the terms of an allow-list and its look-alikes, which a TOML file may have.

    There `terms` is a list of terms, and `[[look-alikes]]` are those of `taggers.look_alikes`.
    Raises as `read_terms` does, and `ConfigError` for what is no such file.
    """
    if path.suffix.lower() != ".toml":
        return read_terms(path), None
    table = read_toml(path)
    listed = table.pop("terms", [])
    if not isinstance(listed, list) or not all(isinstance(term, str) for term in listed):
        raise ConfigError("`terms` must be a list of strings", path=path)
    try:
        terms = gather_terms(listed)
    except ConfigError as error:
        raise ConfigError(error.what, path=path) from None
    look_alikes = make_look_alikes(table, path=path, label_set=label_set)
    if terms is None and not look_alikes.entries:
        raise ConfigError("there are no terms and no look-alikes in the file", path=path)
    return terms, look_alikes if look_alikes.entries else None


def _require_label(label: str, label_set: LabelSet | None, path: Path | None, place: str) -> str:
    if not label or label_set is None:
        return ""
    try:
        return label_set.require(label)
    except LabelError as error:
        # What is no label may be a piece of a term, so it is not shown.
        raise LabelError(
            "this is no label of the model's label set", path=path, place=place,
            hint=f"{error.hint.partition('. Known')[0]}. Known: {', '.join(label_set.labels)}",
        ) from None  # fmt: skip


def require_apart(allow: Terms, deny: Terms) -> None:
    """Raise `ConfigError` where a term is in both lists."""
    both = allow.labels.keys() & deny.labels.keys()
    if both:
        raise ConfigError(
            f"{len(both)} terms are in the allow-list and in the deny-list",
            hint="Take them out of one of the two",
        )


@dataclass(frozen=True, slots=True)
class DenyDetector:
    """Finds the terms of a deny-list; `label` is that of terms without one of their own."""

    terms: Terms
    label: str

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of the terms."""
        return tuple(sorted({label or self.label for label in self.terms.labels.values()}))

    @seeing_disguises
    @reading_entities
    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the terms in each document, in time that grows with its length alone."""
        return [
            tuple(
                Span(start, end, self.terms.labels[keys] or self.label, source="deny")
                for start, end, keys in self.terms.find(split_words(document.text))
            )
            for document in documents
        ]
