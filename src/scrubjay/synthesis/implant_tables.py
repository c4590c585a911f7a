"""The tables of `scrubjay implant`: placeholders, contexts, anchors and residual PHI by language.

They stand in `resources/implant`, `shared.toml` and a file for each language; docs/synthesis.md
describes them. What is put into texts is written in the template language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from scrubjay.errors import ConfigError
from scrubjay.resources import load_table, table_names
from scrubjay.synthesis.languages import find_language
from scrubjay.synthesis.nodes import Call, Nodes
from scrubjay.synthesis.parsing import parse_file
from scrubjay.synthesis.slots import PEOPLE, PLAIN, SLOTS

OPEN = "?"
"""The slot of a placeholder that only its surroundings tell."""
PERSON = "who"
"""The slot of a person of whom only the surroundings tell which."""

_SLOT = re.compile(r"(\?|[a-z]+)(?::([\w-]+))?(?:\.([\w-]+))?")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a placeholder is: a slot, with an entity and a form where it says so."""

    name: str
    entity: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Shape:
    """Text that is replaced: group `x` of the expression, else the whole match."""

    find: re.Pattern[str]
    kind: Kind


@dataclass(frozen=True, slots=True, repr=False)
class Context:
    """What a placeholder is after some text and before another; `open` asks for one of kind `?`."""

    before: re.Pattern[str] | None
    after: re.Pattern[str] | None
    kind: Kind
    open: bool


@dataclass(frozen=True, slots=True, repr=False)
class Anchor:
    """Words of a sentence, and what may stand in their place; `\\1` and `\\2` are groups."""

    find: re.Pattern[str]
    put: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Tables:
    """Everything that `implant` knows of a language, compiled."""

    language: str
    brackets: tuple[re.Pattern[str], ...]
    tags: Mapping[tuple[str, ...], Kind]
    words: frozenset[str]
    shapes: tuple[Shape, ...]
    contexts: tuple[Context, ...]
    known: tuple[Shape, ...]
    anchors: tuple[Anchor, ...]
    residue: tuple[re.Pattern[str], ...]
    heads: tuple[Nodes, ...]
    signs: tuple[Nodes, ...]
    sentences: tuple[Nodes, ...]
    fragments: frozenset[str]
    plain: frozenset[str]
    male: re.Pattern[str]
    female: re.Pattern[str]
    child: re.Pattern[str]
    adult: re.Pattern[str]

    def __repr__(self) -> str:
        return f"Tables({self.language!r})"


@cache
def find_tables(language: str) -> Tables:
    """Return the tables of a language. Raises `ConfigError` for one that there are none of."""
    find_language(language)
    if language not in table_names("implant"):
        raise ConfigError(f"nothing can be implanted in the language {language!r}")
    shared = load_table("implant", "shared.toml")
    own = load_table("implant", f"{language}.toml")
    labels = find_language(language).labels
    tags: dict[tuple[str, ...], Kind] = {}
    for table in (shared["tags"], own.get("tags", {})):
        for slot, phrases in table.items():
            kind = parse_kind(slot, labels)
            if kind is not None:
                tags |= {tag_words(phrase): kind for phrase in phrases.split("|")}
    filler = frozenset(shared["filler"].split())
    return Tables(
        language=language,
        brackets=tuple(map(re.compile, shared["brackets"])),
        tags=tags,
        words=filler | {word for phrase in tags for word in phrase},
        shapes=_shapes([*own["shapes"], *shared["shapes"]], labels),
        contexts=_contexts(own["contexts"], labels),
        known=_shapes(own["known"], labels),
        anchors=tuple(Anchor(re.compile(row["find"]), tuple(row["put"])) for row in own["anchors"]),
        residue=tuple(map(re.compile, own["residue"]["find"])),
        heads=_pieces(language, own, "head", own["heads"]),
        signs=_pieces(language, own, "sign", own["signs"]),
        sentences=_pieces(language, own, "sentence", own["sentences"]),
        fragments=frozenset([*own["heads"], *own["signs"], *own["sentences"]]),
        plain=frozenset(own["plain"].split()),
        male=re.compile(own["male"]),
        female=re.compile(own["female"]),
        child=re.compile(own["child"]),
        adult=re.compile(own["adult"]),
    )


def tag_words(text: str) -> tuple[str, ...]:
    """Return the words of a tag in lower case, without numbers and signs."""
    return tuple(re.findall(r"[^\W\d_]+", text.lower()))


def parse_kind(text: str, labels: Mapping[str, str]) -> Kind | None:
    """Return the kind that a table names; None where the language has no such slot.

    Raises `ConfigError` for a slot or a form that there is not.
    """
    match = _SLOT.fullmatch(text)
    kind = Kind(match[1], match[2] or "", match[3] or "") if match else Kind("")
    if kind.name == OPEN:
        return kind
    forms = SLOTS["patient"] if kind.name == PERSON else SLOTS.get(kind.name)
    if forms is None or (kind.form and kind.form not in forms):
        raise ConfigError(f"not a slot: {text!r}")
    known = kind.name in (PERSON, *PEOPLE) or kind.name in PLAIN or kind.name in labels
    return kind if known else None


def parse_piece(text: str, language: str) -> Nodes:
    """Return a text of the template language as nodes. Raises `ConfigError` for a broken one."""
    tables = find_language(language)
    known = tuple(slot for slot in SLOTS if slot in PLAIN or slot in tables.labels)
    blocks, problems = parse_file(
        f"=== fragment piece\n{text}", path="", labels=tables.label_set.labels, slots=known
    )
    if len(blocks) != 1 or any(problem.grave for problem in problems):
        raise ConfigError(f"a piece for {language!r} is broken: {text!r}")
    return blocks[0].nodes


def _shapes(rows: Iterable[Mapping[str, str]], labels: Mapping[str, str]) -> tuple[Shape, ...]:
    kinds = ((row["find"], parse_kind(row["slot"], labels)) for row in rows)
    return tuple(Shape(re.compile(find), kind or Kind(OPEN)) for find, kind in kinds)


def _contexts(rows: Iterable[Mapping[str, str]], labels: Mapping[str, str]) -> tuple[Context, ...]:
    found = []
    for row in rows:
        kind = parse_kind(row["slot"], labels)
        if kind is not None:
            before, after = row.get("before"), row.get("after")
            found.append(
                Context(
                    re.compile(rf"(?:{_group_flags(before)})\s*$") if before else None,
                    re.compile(after) if after else None,
                    kind,
                    row.get("kinds") == OPEN,
                )
            )
    return tuple(found)


def _group_flags(expression: str) -> str:
    """Return an expression whose flag at its begin, if any, is one of a group."""
    if expression.startswith("(?i)"):
        return f"(?i:{expression[4:]})"
    return expression


def _pieces(
    language: str, own: Mapping[str, Any], name: str, fragments: Iterable[str]
) -> tuple[Nodes, ...]:
    written = [parse_piece(text.strip("\n"), language) for text in own.get(name, ())]
    return (*written, *((Call(fragment, 0),) for fragment in fragments))
