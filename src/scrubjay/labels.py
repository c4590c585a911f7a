"""Label sets and the maps between them, read from the tables in `resources/labels`.

A label set names the labels of a corpus, the main category of each, its letter among the 18
identifiers of HIPAA's Safe Harbor, whether one mention alone points to the patient, and the kind
of thing that its mentions are. A label map is a table from the labels of one set to those of
another.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, LabelError
from scrubjay.files import read_toml
from scrubjay.resources import load_table, table_names

BINARY_LABEL = "PHI"
HIPAA_LETTERS = "ABCDEFGHIJKLMNOPQR"
KINDS = (
    "name", "initials", "username", "relative", "profession", "age", "date", "sex",
    "hospital", "organization", "street", "address", "city", "state", "country", "zip",
    "territory", "place", "phone", "email", "url", "ip", "ssn", "id", "other",
)  # fmt: skip
"""What the mentions of a label can be. `address` is any part of an address or all of it,
`territory` any of town, region and postal code, `place` any other place, `relative` a relative
by name or by kinship, `other` whatever nothing else is known of."""
GUESSED_SETS = ("i2b2-2014", "meddocan", "trienes-2020", "i2b2-2006", "hipaa", "binary")
"""The label sets that are tried, in this order, where none is named."""

_NAME = re.compile(r"[^\W\d][\w.-]*")
_SET_KEYS = {"name", "title", "language", "extends", "labels"}
_LABEL_KEYS = {"name", "category", "kind", "hipaa", "direct", "description"}
# For labels whose table names no kind.
_CATEGORY_KINDS = {
    "NAME": "name", "PROFESSION": "profession", "LOCATION": "place", "AGE": "age",
    "DATE": "date", "ID": "id",
}  # fmt: skip
_MAP_KEYS = {"source", "target", "table"}


@dataclass(frozen=True, slots=True)
class Label:
    """One label: its main category, its HIPAA letter (A to R, or None) and what it covers.

    `direct` tells whether one mention alone points to the patient or a relative. `kind` is one
    of `KINDS`; without one it follows from the main category.
    """

    name: str
    category: str
    description: str = ""
    hipaa: str | None = None
    direct: bool = False
    kind: str = ""

    def __post_init__(self) -> None:
        if not self.kind:
            kind = _CATEGORY_KINDS.get(self.category.upper(), "other")
            object.__setattr__(self, "kind", kind)


@dataclass(frozen=True)
class LabelSet:
    """The labels of a corpus, in the order of their table.

    `labels` are the names, `categories` the main category of each.
    """

    name: str
    definitions: tuple[Label, ...] = field(repr=False)
    title: str = ""
    language: str = ""
    labels: tuple[str, ...] = field(init=False, compare=False, repr=False)
    categories: Mapping[str, str] = field(init=False, compare=False, repr=False)
    _by_name: Mapping[str, Label] = field(init=False, compare=False, repr=False)
    _folded: Mapping[str, str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        by_name = {label.name: label for label in self.definitions}
        categories = {label.name: label.category for label in self.definitions}
        object.__setattr__(self, "labels", tuple(by_name))
        object.__setattr__(self, "categories", MappingProxyType(categories))
        object.__setattr__(self, "_by_name", by_name)
        object.__setattr__(self, "_folded", {name.upper(): name for name in by_name})

    def __reduce__(self) -> tuple[type[LabelSet], tuple[Any, ...]]:
        return LabelSet, (self.name, self.definitions, self.title, self.language)

    def __contains__(self, label: object) -> bool:
        return label in self._by_name

    def __getitem__(self, label: str) -> Label:
        """Return the definition of a label; raises `LabelError` for an unknown one."""
        return self._by_name[self.require(label)]

    @property
    def main_categories(self) -> tuple[str, ...]:
        """The main categories, in the order of their first label."""
        return tuple(dict.fromkeys(self.categories.values()))

    def require(self, label: str) -> str:
        """Return the label itself, or raise `LabelError` that offers the nearest known one."""
        if label in self._by_name:
            return label
        raise LabelError(
            f"the label set {self.name!r} has no label {label!r}",
            hint=_nearest(label, self.labels),
        )

    def require_all(self, document: Document) -> None:
        """Raise `LabelError` for a span of an unknown label: it names document and offsets."""
        for span in document.spans:
            if span.label not in self._by_name:
                try:
                    self.require(span.label)
                except LabelError as error:
                    place = place_of(document, span)
                    raise LabelError(error.what, place=place, hint=error.hint) from None

    def spelled(self, label: str) -> str:
        """Return the set's own spelling of a label that may differ from it in case.

        The scorers of i2b2 compare labels so. Raises `LabelError` as `require` does.
        """
        return (
            label
            if label in self._by_name
            else self.require(self._folded.get(label.upper(), label))
        )

    def category(self, label: str) -> str:
        """Return the main category of a label; raises `LabelError` for an unknown one."""
        return self.categories[self.require(label)]


def place_of(document: Document, span: Span) -> str:
    """Return where a span stands, for messages: the document by its id, and the offsets."""
    return f"document {document.id!r}, [{span.start}, {span.end})"


@dataclass(frozen=True)
class LabelMap:
    """A table from the labels of the set `source` to those of the set `target`.

    `outside` are the labels of the source without counterpart (a doctor's name is no identifier
    of HIPAA's); mapping one raises, so that nothing vanishes unnoticed.
    """

    source: str
    target: str
    table: Mapping[str, str]
    outside: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", MappingProxyType(dict(self.table)))

    def __reduce__(self) -> tuple[type[LabelMap], tuple[Any, ...]]:
        return LabelMap, (self.source, self.target, dict(self.table), self.outside)

    def map(self, label: str) -> str:
        """Return the counterpart of a label; raises `LabelError` where there is none."""
        try:
            return self.table[label]
        except KeyError:
            raise LabelError(
                f"the label {label!r} of {self.source!r} has no counterpart in {self.target!r}",
                hint=_nearest(label, tuple(self.table)),
            ) from None

    def map_spans(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return the spans with mapped labels; raises `LabelError` as `map` does."""
        return tuple(replace(span, label=self.map(span.label)) for span in spans)

    @property
    def invertible(self) -> bool:
        """Whether no two labels share a counterpart, so that mapping back loses nothing."""
        return len(set(self.table.values())) == len(self.table)

    def inverse(self) -> LabelMap:
        """Return the map back; raises `LabelError` that names two labels with one counterpart."""
        seen: dict[str, str] = {}
        for label, counterpart in self.table.items():
            if counterpart in seen:
                raise LabelError(
                    f"the map from {self.source!r} to {self.target!r} cannot be inverted: "
                    f"{seen[counterpart]} and {label} both become {counterpart}"
                )
            seen[counterpart] = label
        return LabelMap(self.target, self.source, seen)


def label_set_names() -> tuple[str, ...]:
    """Return the names of the label sets that ship with the package, sorted."""
    return table_names("labels")


def find_label_set(name_or_path: str | Path) -> LabelSet:
    """Return a label set by its name, or from a TOML file where the name ends in `.toml`.

    Raises `ConfigError` for an unknown name or a broken file.
    """
    if isinstance(name_or_path, Path) or name_or_path.endswith(".toml"):
        return load_label_set(name_or_path)
    return _shipped_set(name_or_path)


def first_label_set(labels: Iterable[str], among: Sequence[str] = GUESSED_SETS) -> LabelSet | None:
    """Return the first label set among some that has every label, or None."""
    needed = set(labels)
    return next(
        (known for known in map(find_label_set, among) if needed <= set(known.labels)), None
    )


def kind_of(label_set: LabelSet | str | Path, label: str) -> str:
    """Return what the mentions of a label are: one of `KINDS`.

    The set is a set, its name or its file; "" stands for all that ship with the package, in
    which no name has two kinds. A label that the set does not have is of kind "other". Raises
    `ConfigError` for an unknown set.
    """
    if isinstance(label_set, LabelSet):
        return label_set[label].kind if label in label_set else "other"
    if label_set == "":
        return _shipped_kinds().get(label, "other")
    return kind_of(find_label_set(label_set), label)


def load_label_set(path: str | Path) -> LabelSet:
    """Read a label set from a TOML file (docs/labels.md).

    Raises `ConfigError` that names the file and the entry at fault.
    """
    return _parse_set(read_toml(Path(path)), str(path), default_name=Path(path).stem)


def find_label_map(source: str, target: str) -> LabelMap:
    """Return the map between two label sets, by their names or TOML files.

    Looked for in this order: the identity, a table of the package, the target `binary`, the
    letters of the target `hipaa`, the inverse of a table, and the same names where the target
    has every label of the source. Raises `ConfigError` where there is none.
    """
    first, second = find_label_set(source), find_label_set(target)
    tables = _shipped_maps()
    if (table := tables.get((first.name, second.name))) is not None:
        return table
    if second.name == "binary":
        return _complete(first, second, dict.fromkeys(first.labels, BINARY_LABEL))
    if second.name == "hipaa" and first.name != "hipaa":
        return _map_by_letter(first, second)
    back = tables.get((second.name, first.name))
    if back is not None and back.invertible:
        return _complete(first, second, back.inverse().table)
    if set(first.labels) <= set(second.labels):
        return _complete(first, second, {label: label for label in first.labels})
    known = ", ".join(f"{a}:{b}" for a, b in sorted(tables))
    raise ConfigError(
        f"no label map from {first.name!r} to {second.name!r}",
        hint=f"Known: {known}, and any set to hipaa or binary; or give a TOML file",
    )


def load_label_map(path: str | Path) -> LabelMap:
    """Read a label map from a TOML file with `source`, `target` and a `[table]`.

    Raises `ConfigError` for a broken file and `LabelError` for labels that the sets do not have.
    """
    return _parse_map(read_toml(Path(path)), str(path))


def parse_label_map(named: str) -> LabelMap | None:
    """Return the label map of `SOURCE:TARGET` or a TOML file, None for "".

    Raises `ConfigError` for a name of another form.
    """
    if not named:
        return None
    if named.endswith(".toml") and (":" not in named or Path(named).is_file()):
        return load_label_map(named)
    source, colon, target = named.partition(":")
    if not (source and colon and target):
        raise ConfigError(
            f"not a label map: {named!r}",
            hint="Give SOURCE:TARGET, such as meddocan:i2b2-2014, or a TOML file",
        )
    return find_label_map(source, target)


def _nearest(label: str, known: tuple[str, ...]) -> str:
    upper = {name.upper(): name for name in known}
    close = difflib.get_close_matches(label.upper(), upper, n=1, cutoff=0.5)
    listing = "Known: " + ", ".join(known)
    return f"Nearest: {upper[close[0]]}. {listing}" if close else listing


def _map_by_letter(source: LabelSet, target: LabelSet) -> LabelMap:
    by_letter = {label.hipaa: label.name for label in target.definitions}
    table = {
        label.name: by_letter[label.hipaa]
        for label in source.definitions
        if label.hipaa is not None
    }
    return _complete(source, target, table)


def _complete(source: LabelSet, target: LabelSet, table: Mapping[str, str]) -> LabelMap:
    return LabelMap(source.name, target.name, table, frozenset(source.labels) - table.keys())


@cache
def _shipped_set(name: str) -> LabelSet:
    if name not in label_set_names():
        raise ConfigError(
            f"unknown label set {name!r}",
            hint=f"{_nearest(name, label_set_names())}; or the path of a TOML file",
        )
    file = f"{name}.toml"
    return _parse_set(load_table("labels", file), file, default_name=name)


@cache
def _shipped_kinds() -> Mapping[str, str]:
    return {
        label.name: label.kind
        for name in label_set_names()
        for label in _shipped_set(name).definitions
    }


@cache
def _shipped_maps() -> Mapping[tuple[str, str], LabelMap]:
    maps: dict[tuple[str, str], LabelMap] = {}
    for name in table_names("labels", "maps"):
        file = f"{name}.toml"
        parsed = _parse_map(load_table("labels", "maps", file), file)
        maps[parsed.source, parsed.target] = parsed
    return maps


def _parse_set(data: Mapping[str, Any], path: str, *, default_name: str) -> LabelSet:
    _require_keys(data, _SET_KEYS, path, "the label set")
    entries = data.get("labels")
    if not isinstance(entries, list):
        raise ConfigError("`labels` must be a list of tables", path=path)
    parsed = [_parse_label(entry, path, number) for number, entry in enumerate(entries, start=1)]
    own = {label.name: label for label in parsed}
    if len(own) < len(parsed):
        names = [label.name for label in parsed]
        twice = next(name for name in names if names.count(name) > 1)
        raise ConfigError(f"the label {twice!r} is defined twice", path=path)
    base = data.get("extends")
    inherited = _shipped_set(base).definitions if base is not None else ()
    definitions = {label.name: label for label in inherited} | own
    if not definitions:
        raise ConfigError("a label set needs at least one label", path=path)
    return LabelSet(
        name=str(data.get("name", default_name)),
        definitions=tuple(definitions.values()),
        title=str(data.get("title", "")),
        language=str(data.get("language", "")),
    )


def _parse_label(entry: object, path: str, number: int) -> Label:
    place = f"label {number}"
    if isinstance(entry, str):
        entry = {"name": entry}
    if not isinstance(entry, dict):
        raise ConfigError("must be a name or a table", path=path, place=place)
    _require_keys(entry, _LABEL_KEYS, path, place)
    name, hipaa = entry.get("name"), entry.get("hipaa")
    category = entry.get("category", name)
    for key, value in (("name", name), ("category", category)):
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            raise ConfigError(
                f"`{key}` must be letters, digits, `_`, `-` and `.`, beginning with a letter",
                path=path,
                place=place,
            )
    if hipaa is not None and (not isinstance(hipaa, str) or hipaa not in [*HIPAA_LETTERS]):
        raise ConfigError("`hipaa` must be one letter from A to R", path=path, place=place)
    if not isinstance(direct := entry.get("direct", False), bool):
        raise ConfigError("`direct` must be true or false", path=path, place=place)
    if (kind := entry.get("kind", "")) not in ("", *KINDS):
        raise ConfigError(
            f"unknown kind {kind!r}", path=path, place=place, hint=_nearest(str(kind), KINDS)
        )
    return Label(str(name), str(category), str(entry.get("description", "")), hipaa, direct, kind)


def _parse_map(data: Mapping[str, Any], path: str) -> LabelMap:
    _require_keys(data, _MAP_KEYS, path, "the label map")
    if not isinstance(table := data.get("table"), dict):
        raise ConfigError("a label map needs a `[table]`", path=path)
    for key in ("source", "target"):
        if not isinstance(data.get(key), str):
            raise ConfigError(f"`{key}` must name a label set", path=path)
    source, target = find_label_set(data["source"]), find_label_set(data["target"])
    for label, counterpart in table.items():
        source.require(label)
        target.require(counterpart)
    return _complete(source, target, table)


def _require_keys(data: Mapping[str, Any], known: set[str], path: str, place: str) -> None:
    for key in data:
        if key not in known:
            raise ConfigError(
                f"unknown key {key!r}",
                path=path,
                place=place,
                hint=_nearest(key, (*sorted(known),)),
            )
