"""Patterns of structured PHI as readable data: entries of TOML files, checked when they are read.

The files of the package are `resources/patterns/{common,en,es,nl}.toml`; users add their own.
An entry says where it is tried (at certain words, at numbers or at signs), so that a text is
looked through once and not once for each pattern. docs/patterns.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.files import read_toml
from scrubjay.labels import LabelSet, find_label_map
from scrubjay.languages import LANGUAGES
from scrubjay.resources import load_table
from scrubjay.taggers._entries import (
    ENTRY_NAME,
    add_fragments,
    field_values,
    find_flaw,
    require_kinds,
    require_own_names,
)
from scrubjay.taggers._search.matcher import AT_NUMBER, check_examples

STANDS = ("before", "first", "last", "after")

_BASE = "i2b2-2014"
_FILE_KINDS = {
    "fragments": "a table of strings",
    "patterns": "[[patterns]] tables",
    "labels": "a table",
    "disabled": "a list of strings",
}
_EXPRESSIONS = ("pattern", "before", "after")
_REQUIRED = ("name", "kind", "pattern", "examples", "counter-examples")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One entry: a pattern with its name, its kind of PHI, and where it is tried.

    With `words` the pattern is tried at each of them: `stand` tells whether they stand "before"
    the span, are its "first" or its "last" words, or stand "after" it. Without, it is tried where
    a number begins ("number" in `at`), where letters run into digits ("code"), or around certain
    signs (any other text in `at`).

    The span is the group named `span`, or else all that the pattern matched; first and last
    words belong to it. `before` and `after` must match right before and right after. `case` is
    "any", or "exact" where capitals matter. Where matches overlap, the higher `priority` wins,
    then the longer match. In `examples` the expected spans stand in braces; nothing may be found
    in `counter_examples`.
    """

    name: str
    kind: str
    pattern: str
    words: tuple[str, ...] = ()
    stand: str = "before"
    at: tuple[str, ...] = (AT_NUMBER,)
    before: str = ""
    after: str = ""
    case: str = "any"
    priority: int = 50
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the entry as plain values, under the keys of the TOML files."""
        return {
            key.replace("_", "-"): list(value) if isinstance(value, tuple) else value
            for key, value in asdict(self).items()
        }


_KINDS = (
    {entry.name.replace("_", "-"): "a string" for entry in fields(Pattern)}
    | dict.fromkeys(("words", "at", "examples", "counter-examples"), "a list of strings")
    | {"priority": "a whole number"}
)


@dataclass(frozen=True, slots=True)
class PatternSet:
    """The patterns of a language, and which label each kind has in each label set."""

    language: str
    patterns: tuple[Pattern, ...]
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def label_table(self, label_set: LabelSet) -> Mapping[str, str]:
        """Return kind -> label for a label set; kinds that it does not count as PHI are absent.

        A set without a table of its own takes that of i2b2-2014 through the label map. Raises
        `ConfigError` where there is neither, or where the table misses a kind, and `LabelError`
        where it names a label that the set does not have.
        """
        table = self.labels.get(label_set.name)
        if table is None:
            return self._mapped_table(label_set)
        missing = sorted({pattern.kind for pattern in self.patterns} - table.keys())
        if missing:
            raise ConfigError(
                f"no label of {label_set.name!r} for the kinds {', '.join(missing)}",
                hint=f'Add them to [labels.{label_set.name}]; "" stands for none',
            )
        return {kind: label_set.require(label) for kind, label in table.items() if label}

    def _mapped_table(self, label_set: LabelSet) -> Mapping[str, str]:
        try:
            table = find_label_map(_BASE, label_set.name)
        except ConfigError:
            raise ConfigError(
                f"no table says which label of {label_set.name!r} a kind of PHI has",
                hint=f"Give a file of patterns with [labels.{label_set.name}]",
            ) from None
        return {
            kind: table.map(label)
            for kind, label in self.labels[_BASE].items()
            if label and label not in table.outside
        }


def find_patterns(language: str, extra_files: Sequence[Path | str] = ()) -> PatternSet:
    """Return the patterns of a language: the common ones, its own, and those of extra files.

    An entry of an extra file replaces the entry of the same name, its `disabled` names entries
    to leave out, and its tables of labels are added to those of the package. The examples of
    extra files are tried at once. Raises `ConfigError` for an unknown language, and for a file
    that is broken, has an unsafe pattern, or an example that fails.
    """
    if language not in LANGUAGES:
        raise ConfigError(
            f"there are no patterns for the language {language!r}",
            hint=f"Known: {', '.join(LANGUAGES)}",
        )
    common = _read_shipped("common", {})
    own = _read_shipped(language, common.fragments)
    files = [common, own, _read_shipped("labels", {})]
    files += [_read_file(Path(path), own.fragments) for path in extra_files]
    patterns: dict[str, Pattern] = {}
    labels: dict[str, dict[str, str]] = {}
    for file in files:
        for name in file.disabled:
            if name not in patterns:
                raise ConfigError(f"`disabled` names an unknown pattern {name!r}", path=file.path)
            del patterns[name]
        patterns |= {pattern.name: pattern for pattern in file.patterns}
        for label_set, table in file.labels.items():
            labels[label_set] = labels.get(label_set, {}) | table
    return PatternSet(language, tuple(patterns.values()), MappingProxyType(labels))


def read_records(records: Iterable[Mapping[str, Any]], *, origin: str) -> tuple[Pattern, ...]:
    """Return the patterns of plain values as `Pattern.record` writes them.

    Raises `ConfigError`, naming `origin` and the entry, for anything that is no safe pattern.
    """
    return tuple(
        _read_entry(record, {}, path=origin, number=number)
        for number, record in enumerate(records, start=1)
    )


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    fragments: dict[str, str]
    patterns: tuple[Pattern, ...]
    labels: dict[str, dict[str, str]]
    disabled: tuple[str, ...]


def _read_shipped(name: str, fragments: Mapping[str, str]) -> _File:
    table = load_table("patterns", f"{name}.toml")
    return _parse_file(table, fragments, path=f"{name}.toml")


def _read_file(path: Path, fragments: Mapping[str, str]) -> _File:
    """Read a user's file, which may use the fragments of the package, and try its examples."""
    table = read_toml(path)
    file = _parse_file(table, fragments, path=str(path))
    for pattern in file.patterns:
        try:
            problem = check_examples(pattern)
        except re.error as error:
            problem = f"`pattern` is no regular expression ({error.msg})"
        if problem:
            raise ConfigError(problem, path=path, place=f"pattern {pattern.name!r}")
    return file


def _parse_file(table: Mapping[str, Any], shared: Mapping[str, str], *, path: str) -> _File:
    require_kinds(table, _FILE_KINDS, path=path, place="the file")
    fragments = add_fragments(table, shared, path=path)
    patterns = tuple(
        _read_entry(entry, fragments, path=path, number=number)
        for number, entry in enumerate(table.get("patterns", []), start=1)
    )
    require_own_names((pattern.name for pattern in patterns), "patterns", path=path)
    labels = table.get("labels", {})
    require_kinds(labels, dict.fromkeys(labels, "a table of strings"), path=path, place="[labels]")
    return _File(
        path=path,
        fragments=fragments,
        patterns=patterns,
        labels={name: dict(part) for name, part in labels.items()},
        disabled=tuple(table.get("disabled", ())),
    )


def _read_entry(entry: Any, fragments: Mapping[str, str], *, path: str, number: int) -> Pattern:
    name = entry.get("name") if isinstance(entry, Mapping) else None
    place = f"pattern {name!r}" if isinstance(name, str) else f"pattern {number}"
    require_kinds(entry, _KINDS, path=path, place=place)
    for key in _REQUIRED:
        if not entry.get(key) and not (key == "pattern" and entry.get("words")):
            raise ConfigError(f"needs `{key}`", path=path, place=place)
    values = field_values(entry, _EXPRESSIONS, fragments, path=path, place=place)
    pattern = Pattern(**values)
    if problem := _find_problem(pattern):
        raise ConfigError(problem, path=path, place=place)
    return pattern


def _find_problem(pattern: Pattern) -> str:
    """Return what is wrong with an entry, or nothing."""
    for what in (pattern.name, pattern.kind):
        if not ENTRY_NAME.fullmatch(what):
            return "name and kind must be small letters, digits and `-`"
    if pattern.stand not in STANDS:
        return f"`stand` must be one of {', '.join(STANDS)}"
    if pattern.case not in ("any", "exact"):
        return '`case` must be "any" or "exact"'
    if not pattern.words and pattern.stand != "before":
        return "`stand` needs `words`"
    if any(not word[:1].isalpha() or word != word.strip() for word in pattern.words):
        return "each of `words` must begin with a letter and have no space around it"
    if not all(sign.strip() for sign in pattern.at):
        return "`at` must hold signs, or number"
    for key in _EXPRESSIONS:
        may_be_empty = key != "pattern" or pattern.stand in ("first", "last")
        if flaw := find_flaw(key, getattr(pattern, key), may_be_empty=may_be_empty):
            return flaw
    return ""
