"""What looks like PHI and is none, as readable data: entries of TOML files, checked when read.

"Pain 7/10" has the shape of a day, "16F Foley" that of an age. An entry tells of which labels a
mention may be, what shape it has, and what stands beside it that tells. The files of the package
are `resources/lookalikes/{common,en,es,nl,nl-eponyms}.toml`; docs/look-alikes.md describes the
format, and `lookalike_search` asks the entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.languages import LANGUAGES
from scrubjay.resources import load_table
from scrubjay.taggers._entries import (
    ENTRY_NAME,
    add_fragments,
    field_values,
    fill,
    find_flaw,
    require_kinds,
    require_own_names,
)

_FILES = {"en": ("en",), "es": ("es",), "nl": ("nl", "nl-eponyms")}
"""Besides `common`, in the order in which they are read."""
WITHIN = ("line", "clause", "text")
CASES = ("any", "exact")
MOST_NEAR = 200

_WRAP = re.compile(r"\n\s*")  # within a long expression, so that its lines are short
_EXPRESSIONS = ("mention", "before", "after", "unless_before", "unless_after", "unless_text")
_REQUIRED = ("name", "labels", "mention", "examples", "counter-examples")
_FILE_KINDS = {
    "fragments": "a table of strings",
    "lists": "a table of strings",
    "look-alikes": "[[look-alikes]] tables",
}


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


_KINDS = (
    {entry.name.replace("_", "-"): "a string" for entry in fields(LookAlike)}
    | dict.fromkeys(("labels", "languages", "listed"), "a list of strings")
    | dict.fromkeys(("examples", "counter-examples"), "a list of strings")
    | dict.fromkeys(("either", "unless-american"), "true or false")
    | {"each": "a table of strings", "near": "a whole number", "below": "a number"}
)


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
    require_kinds(table, _FILE_KINDS, path=path, place="the file")
    known = add_fragments(table, fragments or {}, path=path, bare=_unwrap)
    lists = {
        name: frozenset(word.replace("_", " ") for word in text.split())
        for name, text in table.get("lists", {}).items()
    }
    entries = tuple(
        one
        for number, entry in enumerate(table.get("look-alikes", []), start=1)
        for one in _read_rows(entry, known, lists, languages, path=path, number=number)
    )
    require_own_names((entry.name for entry in entries), "entries", path=path)
    return entries, known


def _read_shipped(
    name: str, languages: tuple[str, ...], fragments: Mapping[str, str]
) -> tuple[tuple[LookAlike, ...], dict[str, str]]:
    table = load_table("lookalikes", f"{name}.toml")
    return parse_look_alikes(table, path=f"{name}.toml", languages=languages, fragments=fragments)


def _read_rows(
    entry: Any,
    fragments: Mapping[str, str],
    lists: Mapping[str, frozenset[str]],
    languages: tuple[str, ...],
    *,
    path: str,
    number: int,
) -> Iterator[LookAlike]:
    """Yield an entry, or one for each row of its `each`, with the examples of the row's shape."""
    name = entry.get("name") if isinstance(entry, Mapping) else None
    place = f"entry {name or number!r}"
    require_kinds(entry, _KINDS, path=path, place=place)
    shared = {"languages": languages, **entry}
    rows = shared.pop("each", None)
    shared["listed"] = frozenset().union(
        *(_find_list(lists, one, path=path, place=place) for one in entry.get("listed", ()))
    )
    if rows is None or not name:
        yield _read_entry(shared, fragments, path=path, place=place)
        return
    for key, value in rows.items():
        place = f"entry '{name}-{key}'"
        value = fill(_unwrap(value), fragments, path=path, place=place)
        filled = {**fragments, "key": key, "value": value}
        one = _read_entry(shared | {"name": f"{name}-{key}"}, filled, path=path, place=place)
        shape = re.compile(rf"[^{{]*\{{(?:{one.mention})\}}", re.IGNORECASE)
        examples = tuple(example for example in one.examples if shape.match(example))
        if not examples:
            raise ConfigError("needs an example", path=path, place=place)
        yield replace(one, examples=examples)


def _find_list(
    lists: Mapping[str, frozenset[str]], name: str, *, path: str, place: str
) -> frozenset[str]:
    if name not in lists:
        raise ConfigError(f"unknown list {name!r}", path=path, place=place)
    return lists[name]


def _read_entry(
    entry: Mapping[str, Any], fragments: Mapping[str, str], *, path: str, place: str
) -> LookAlike:
    for key in _REQUIRED:
        if not entry.get(key):
            raise ConfigError(f"needs `{key}`", path=path, place=place)
    values = field_values(entry, _EXPRESSIONS, fragments, path=path, place=place, bare=_unwrap)
    one = LookAlike(**values)
    if problem := _find_problem(one):
        raise ConfigError(problem, path=path, place=place)
    return one


def _find_problem(one: LookAlike) -> str:
    """Return what is wrong with an entry, or nothing."""
    if not ENTRY_NAME.fullmatch(one.name):
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
        key = name.replace("_", "-")
        if flaw := find_flaw(key, getattr(one, name), may_be_empty=name != "mention"):
            return flaw
    return ""


def _unwrap(text: str) -> str:
    return _WRAP.sub("", text)
