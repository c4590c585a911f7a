"""What looks like PHI and is none, as readable data: entries of TOML files, checked when read.

"Pain 7/10" has the shape of a day, "16F Foley" that of an age. An entry tells of which labels a
mention may be, what shape it has, and what stands beside it that tells. The files of the package
are `resources/lookalikes/{common,en,es,nl,nl-eponyms}.toml`; docs/look-alikes.md describes the
format, and `lookalike_search` asks the entries.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import resources
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.taggers._search.bounded import find_hazards

LANGUAGES = ("en", "es", "nl")
_FILES = {"en": ("en",), "es": ("es",), "nl": ("nl", "nl-eponyms")}
"""Besides `common`, in the order in which they are read."""
WITHIN = ("line", "clause", "text")
CASES = ("any", "exact")
MOST_NEAR = 200

_FRAGMENT = re.compile(r"\{([a-z][a-z0-9-]{0,40})\}")
_WRAP = re.compile(r"\n\s*")  # within a long expression, so that its lines are short
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_EXPRESSIONS = ("mention", "before", "after", "unless_before", "unless_after", "unless_text")
_LISTS = frozenset({"labels", "languages", "examples", "counter_examples"})
_KINDS = {dict: "a table", list: "[[look-alikes]] tables"}
_REQUIRED = ("name", "labels", "mention", "examples", "counter_examples")


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAlike:
    """One entry: what a mention of some labels looks like, and by what it is no PHI.

    A mention is let go where `mention` matches all of it, `before` matches right before it and
    `after` right after it (where they are given; with `either` one of them is enough), and neither
    `unless_before` nor `unless_after` does, nor `unless_text` anywhere in the text, which with
    `unless_american` must look to be written outside America (`origins`). The numbers of the groups
    `part` and `whole` of `mention` must not fall, those of `low` and `high` must rise, and what the
    group `listed` has is, in small letters, one of the words of `listed`. What is looked at ends
    with the line, the clause or nowhere (`within`), so many characters away at most (`near`), and
    `before` does not reach over the last person found. With `below` only mentions are let go that
    have a score, and a lower one. `case` is "any" or "exact". In each example the mention that is
    let go stands in braces, in each counter-example one that stays.
    """

    name: str
    labels: tuple[str, ...]
    mention: str
    languages: tuple[str, ...] = LANGUAGES
    listed: frozenset[str] = frozenset()
    before: str = ""
    after: str = ""
    either: bool = False
    unless_before: str = ""
    unless_after: str = ""
    unless_text: str = ""
    unless_american: bool = False
    within: str = "line"
    near: int = 64
    case: str = "any"
    below: float = 2.0
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()


_KEYS = {entry.name.replace("_", "-"): entry.name for entry in fields(LookAlike)}


@cache
def find_look_alikes(language: str) -> tuple[LookAlike, ...]:
    """Return the entries of a language: the common ones that are for it, and its own.

    Of a language that is none of `LANGUAGES` there are none.
    """
    if language not in LANGUAGES:
        return ()
    common, fragments = _read_shipped("common", LANGUAGES, {})
    entries = list(common)
    for name in _FILES[language]:
        own, fragments = _read_shipped(name, (language,), fragments)
        entries += own
    return tuple(entry for entry in entries if language in entry.languages)


def parse_look_alikes(
    table: Mapping[str, Any],
    *,
    path: str,
    languages: tuple[str, ...] = LANGUAGES,
    fragments: Mapping[str, str] | None = None,
) -> tuple[tuple[LookAlike, ...], dict[str, str]]:
    """Return the entries of a file that was read, and all fragments that are known then.

    Raises `ConfigError`, which names the file and the entry, for anything that is no safe entry.
    """
    known = dict(fragments or {})
    for key, kind in (("fragments", dict), ("lists", dict), ("look-alikes", list)):
        if not isinstance(table.get(key, kind()), kind):
            raise ConfigError(f"`{key}` must be {_KINDS[kind]}", path=path)
    for key in table:
        if key not in ("fragments", "lists", "look-alikes"):
            raise ConfigError(f"unknown key {key!r}", path=path)
    for key in ("fragments", "lists"):
        if not all(isinstance(text, str) for text in table.get(key, {}).values()):
            raise ConfigError(f"[{key}] must hold strings", path=path)
    for number, entry in enumerate(table.get("look-alikes", []), start=1):
        if problem := _find_wrong_kind(entry):
            raise ConfigError(problem, path=path, place=f"entry {number}")
    for name, text in table.get("fragments", {}).items():
        known[name] = _fill(text, known, path=path, place=f"fragment {name!r}")
    lists = {
        name: frozenset(word.replace("_", " ") for word in text.split())
        for name, text in table.get("lists", {}).items()
    }
    given = [_with_words(entry, lists, path=path) for entry in table.get("look-alikes", [])]
    entries = tuple(
        one
        for number, entry in enumerate(given, start=1)
        for one in _read_rows(entry, known, languages, path=path, number=number)
    )
    names = [entry.name for entry in entries]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two entries are named {name!r}", path=path)
    return entries, known


def _read_shipped(
    name: str, languages: tuple[str, ...], fragments: Mapping[str, str]
) -> tuple[tuple[LookAlike, ...], dict[str, str]]:
    file = resources.files("scrubjay.resources").joinpath("lookalikes", f"{name}.toml")
    table = tomllib.loads(file.read_text("utf-8"))
    return parse_look_alikes(table, path=f"{name}.toml", languages=languages, fragments=fragments)


def _find_wrong_kind(entry: Any) -> str:
    """Return which value of an entry is of the wrong kind, or nothing."""
    if not isinstance(entry, Mapping):
        return "must be a table"
    for key, value in entry.items():
        name = _KEYS.get(key, key)
        if name in _LISTS or name == "listed":
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                return f"`{key}` must be a list of strings"
        elif name == "each":
            if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
                return "`each` must be a table of strings"
        elif name in ("either", "unless_american"):
            if not isinstance(value, bool):
                return f"`{key}` must be true or false"
        elif name in ("near", "below"):
            if isinstance(value, bool) or not isinstance(value, int | float):
                return f"`{key}` must be a number"
        elif name in _KEYS.values() and not isinstance(value, str):
            return f"`{key}` must be a string"
    return ""


def _with_words(
    entry: Mapping[str, Any], lists: Mapping[str, frozenset[str]], *, path: str
) -> Mapping[str, Any]:
    """Return an entry with the words of the lists that it names."""
    names = entry.get("listed", [])
    for name in names:
        if name not in lists:
            place = f"entry {entry.get('name')!r}"
            raise ConfigError(f"unknown list {name!r}", path=path, place=place)
    return {**entry, "listed": frozenset[str]().union(*(lists[name] for name in names))}


def _read_rows(
    entry: Mapping[str, Any],
    fragments: Mapping[str, str],
    languages: tuple[str, ...],
    *,
    path: str,
    number: int,
) -> Iterator[LookAlike]:
    """Yield an entry, or one for each row of its `each`, with the examples of the row's shape."""
    shared = {key: value for key, value in entry.items() if key != "each"}
    if "each" not in entry:
        yield _read_entry(shared, fragments, languages, path=path, number=number)
        return
    for key, value in entry["each"].items():
        row = shared | {"name": f"{shared.get('name', '')}-{key}"}
        value = _fill(value, fragments, path=path, place=f"entry {row['name']!r}")
        filled = {**fragments, "key": key, "value": value}
        one = _read_entry(row, filled, languages, path=path, number=number)
        shape = re.compile(rf"[^{{]*\{{(?:{one.mention})\}}", re.IGNORECASE)
        examples = tuple(example for example in one.examples if shape.match(example))
        if not examples:
            raise ConfigError("needs an example", path=path, place=f"entry {one.name!r}")
        yield replace(one, examples=examples)


def _read_entry(
    entry: Mapping[str, Any],
    fragments: Mapping[str, str],
    languages: tuple[str, ...],
    *,
    path: str,
    number: int,
) -> LookAlike:
    place = f"entry {entry.get('name', number)!r}"
    values: dict[str, Any] = {"languages": languages}
    for key, value in entry.items():
        name = _KEYS.get(key)
        if name is None:
            hint = f"Known: {', '.join(sorted(_KEYS))}"
            raise ConfigError(f"unknown key {key!r}", path=path, place=place, hint=hint)
        if name in _EXPRESSIONS:
            value = _fill(value, fragments, path=path, place=place)
        values[name] = tuple(value) if name in _LISTS else value
    for name in _REQUIRED:
        if not values.get(name):
            raise ConfigError(f"needs `{name.replace('_', '-')}`", path=path, place=place)
    one = LookAlike(**values)
    if problem := _find_problem(one):
        raise ConfigError(problem, path=path, place=place)
    return one


def _find_problem(one: LookAlike) -> str:
    """Return what is wrong with an entry, or nothing."""
    if not _NAME.fullmatch(one.name):
        return "`name` must be small letters, digits and `-`"
    if one.within not in WITHIN:
        return f"`within` must be one of {', '.join(WITHIN)}"
    if one.case not in CASES:
        return f"`case` must be one of {', '.join(CASES)}"
    if not 0 < one.near <= MOST_NEAR:
        return f"`near` must be 1 to {MOST_NEAR}"
    if one.either and not (one.before and one.after):
        return "`either` needs `before` and `after`"
    if bool(one.listed) != ("(?P<listed>" in one.mention):
        return "`listed` needs a group of that name in `mention`"
    if not set(one.languages) <= set(LANGUAGES):
        return f"`languages` may be {', '.join(LANGUAGES)}"
    for name in _EXPRESSIONS:
        text = getattr(one, name)
        try:
            hazards = find_hazards(text) if text else []
        except (re.error, OverflowError, RecursionError):
            return f"`{name.replace('_', '-')}` is no regular expression"
        if name != "mention":
            hazards = [hazard for hazard in hazards if "empty" not in hazard]
        if hazards:
            return f"`{name.replace('_', '-')}` is not safe: {hazards[0]}"
    return ""


def _fill(text: str, fragments: Mapping[str, str], *, path: str, place: str) -> str:
    """Put the fragments in the place of their names in braces."""

    def fragment(found: re.Match[str]) -> str:
        if found[1] not in fragments:
            hint = f"Known: {', '.join(sorted(fragments))}"
            raise ConfigError(f"unknown fragment {{{found[1]}}}", path=path, place=place, hint=hint)
        return f"(?:{fragments[found[1]]})"

    return _FRAGMENT.sub(fragment, _WRAP.sub("", text))
