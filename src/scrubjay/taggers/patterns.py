"""Patterns of structured PHI as readable data: entries of TOML files, checked when they are read.

The files of the package are `resources/patterns/{common,en,es,nl}.toml`; users add their own.
An entry says where it is tried (at certain words, at numbers or at signs), so that a text is
looked through once and not once for each pattern. docs/patterns.md describes the format.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.files import read_toml
from scrubjay.labels import LabelSet, find_label_map
from scrubjay.taggers._search.bounded import find_hazards
from scrubjay.taggers._search.matcher import AT_NUMBER, check_examples

LANGUAGES = ("en", "es", "nl")
STANDS = ("before", "first", "last", "after")

_BASE = "i2b2-2014"
_FRAGMENT = re.compile(r"\{([a-z][a-z0-9-]{0,40})\}")
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_FILE_KEYS = {"fragments", "patterns", "labels", "disabled"}
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


_KEYS = {entry.name.replace("_", "-"): entry.name for entry in fields(Pattern)}
_LISTS = {"words", "at", "examples", "counter-examples"}


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
    folder = resources.files("scrubjay.resources").joinpath("patterns")
    text = folder.joinpath(f"{name}.toml").read_text("utf-8")
    return _parse_file(tomllib.loads(text), fragments, path=f"{name}.toml")


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
    _require_known(table, _FILE_KEYS, path=path, place="the file")
    fragments = dict(shared)
    for name, text in _strings(table.get("fragments", {}), path, "[fragments]").items():
        fragments[name] = _fill(text, fragments, path=path, place=f"fragment {name!r}")
    entries = table.get("patterns", [])
    if not isinstance(entries, list):
        raise ConfigError("`patterns` must be [[patterns]] tables", path=path)
    patterns = tuple(
        _read_entry(entry, fragments, path=path, number=number)
        for number, entry in enumerate(entries, start=1)
    )
    names = [pattern.name for pattern in patterns]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two patterns are named {name!r}", path=path)
    labels = table.get("labels", {})
    if not isinstance(labels, dict):
        raise ConfigError("`labels` must be [labels.NAME] tables", path=path)
    return _File(
        path=path,
        fragments=fragments,
        patterns=patterns,
        labels={name: _strings(part, path, f"[labels.{name}]") for name, part in labels.items()},
        disabled=_string_list(table.get("disabled", []), path, "`disabled`"),
    )


def _read_entry(entry: Any, fragments: Mapping[str, str], *, path: str, number: int) -> Pattern:
    place = f"pattern {number}"
    if not isinstance(entry, Mapping):
        raise ConfigError("must be a table", path=path, place=place)
    name = entry.get("name")
    if isinstance(name, str):
        place = f"pattern {name!r}"
    _require_known(entry, _KEYS, path=path, place=place)
    for key in _REQUIRED:
        if not entry.get(key) and not (key == "pattern" and entry.get("words")):
            raise ConfigError(f"needs `{key}`", path=path, place=place)
    values: dict[str, Any] = {}
    for key, value in entry.items():
        if key in _LISTS:
            value = _string_list(value, path, f"{place}: `{key}`")
        elif key == "priority":
            if type(value) is not int:
                raise ConfigError("`priority` must be a whole number", path=path, place=place)
        elif not isinstance(value, str):
            raise ConfigError(f"`{key}` must be a string", path=path, place=place)
        values[_KEYS[key]] = value
    pattern = Pattern(**values)
    pattern = replace(
        pattern,
        pattern=_fill(pattern.pattern, fragments, path=path, place=place),
        before=_fill(pattern.before, fragments, path=path, place=place),
        after=_fill(pattern.after, fragments, path=path, place=place),
    )
    if problem := _find_problem(pattern):
        raise ConfigError(problem, path=path, place=place)
    return pattern


def _find_problem(pattern: Pattern) -> str:
    """Return what is wrong with an entry, or nothing."""
    for what in (pattern.name, pattern.kind):
        if not _NAME.fullmatch(what):
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
    for key in ("pattern", "before", "after"):
        text = getattr(pattern, key)
        try:
            hazards = find_hazards(text) if text else []
        except (re.error, OverflowError, RecursionError):
            return f"`{key}` is no regular expression"
        if key != "pattern" or pattern.stand in ("first", "last"):
            hazards = [hazard for hazard in hazards if "empty" not in hazard]
        if hazards:
            return f"`{key}` is not safe: {hazards[0]}"
    return ""


def _fill(text: str, fragments: Mapping[str, str], *, path: str, place: str) -> str:
    """Put the fragments in the place of their names in braces."""

    def fragment(found: re.Match[str]) -> str:
        try:
            return f"(?:{fragments[found.group(1)]})"
        except KeyError:
            known = ", ".join(sorted(fragments))
            raise ConfigError(
                f"unknown fragment {{{found.group(1)}}}",
                path=path,
                place=place,
                hint=f"Known: {known}",
            ) from None

    return _FRAGMENT.sub(fragment, text)


def _strings(value: Any, path: str, place: str) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise ConfigError("must be a table of strings", path=path, place=place)
    return dict(value)


def _string_list(value: Any, path: str, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ConfigError("must be a list of strings", path=path, place=place)
    return tuple(value)


def _require_known(
    table: Mapping[str, Any], known: Iterable[str], *, path: str, place: str
) -> None:
    for key in table:
        if key not in known:
            raise ConfigError(
                f"unknown key {key!r}",
                path=path,
                place=place,
                hint=f"Known: {', '.join(sorted(known))}",
            )
