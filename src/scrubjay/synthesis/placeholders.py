"""Finding placeholders in de-identified text, and PHI that is plain to see, with their kinds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from scrubjay.synthesis.implant_tables import OPEN, PERSON, Kind, Tables, tag_words
from scrubjay.synthesis.slots import PEOPLE

_REACH = 60
"""Characters before a placeholder that tell what it is."""

_PSEUDONYM = re.compile(r"-(?=[0-9a-f]*\d)[0-9a-f]{6,}$|[ _-]?\d{1,9}$")
_DATE_TAG = re.compile(r"\d{1,4}(?:[-/]\d{1,4}){1,2}|\d{4}")
_LONGEST_TAG = 4


@dataclass(frozen=True, slots=True)
class Mention:
    """A part of a text that is to be replaced; of the kind `?` where nobody knows by what."""

    start: int
    end: int
    kind: Kind


def find_placeholders(text: str, tables: Tables) -> tuple[Mention, ...]:
    """Return the placeholders of a text, sorted and disjoint, the longer of two that overlap."""
    found = [*_tags(text, tables), *_shapes(text, tables)]
    return tuple(_resolve(text, mention, tables) for mention in disjoint(found))


def find_known(text: str, tables: Tables) -> tuple[Mention, ...]:
    """Return real-looking PHI whose label is plain: dates, ages, names after titles.

    Further mentions of a name that once has a title are among them.
    """
    found: list[Mention] = []
    for shape in tables.known:
        for match in shape.find.finditer(text):
            start, end = match.span("x")
            value = text[start:end]
            kind = replace(shape.kind, entity=_entity(shape.kind, value))
            if kind.name in PEOPLE and " " in value:
                kind = replace(kind, form="")
            found.append(Mention(start, end, kind))
    parts: dict[str, Kind] = {}
    for mention in sorted(found, key=lambda m: m.start):
        if mention.kind.name in PEOPLE:
            first, *middle = text[mention.start : mention.end].split()
            parts.setdefault(middle[-1] if middle else first, replace(mention.kind, form="last"))
            if middle:
                parts.setdefault(first, replace(mention.kind, form="first"))
    for name, kind in parts.items():
        for match in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
            found.append(Mention(*match.span(), kind))
    return disjoint(found)


def _entity(kind: Kind, value: str) -> str:
    """Return what tells apart the entities of a kind: numbers of years and names do."""
    if kind.name == "patient":
        return kind.entity
    last = value.split()[-1]
    key = "".join(c for c in last.lower() if c.isalnum())
    return f"k{key}" if kind.name in PEOPLE else f"known-{value}"


def disjoint(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return the mentions that overlap none that is longer, or as long and earlier; sorted."""
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start - m.end, m.start)):
        if mention.start < mention.end and not any(
            mention.start < other.end and other.start < mention.end for other in kept
        ):
            kept.append(mention)
    return tuple(sorted(kept, key=lambda m: m.start))


def _tags(text: str, tables: Tables) -> Iterator[Mention]:
    for number, expression in enumerate(tables.brackets):
        for match in expression.finditer(text):
            tag = match["tag"].strip()
            kind = _kind_of_tag(tag, tables)
            if kind is None and not number:  # [** .. **] is nothing but a placeholder
                kind = Kind("date", f"t{tag}") if _DATE_TAG.fullmatch(tag) else Kind(OPEN)
            if kind is not None:
                yield Mention(*match.span(), kind)


def _kind_of_tag(tag: str, tables: Tables) -> Kind | None:
    """Return the kind of the words in brackets; None where some word is not of placeholders."""
    key = _PSEUDONYM.search(tag)
    words = tag_words(tag[: key.start()] if key else tag)
    if not words or not tables.words.issuperset(words):
        return None
    for size in range(min(_LONGEST_TAG, len(words)), 0, -1):
        for first in range(len(words) - size + 1):
            kind = tables.tags.get(words[first : first + size])
            if kind is not None:
                entity = f"t{key[0].strip(' _-')}" if key and kind.name != "patient" else ""
                return replace(kind, entity=kind.entity or entity)
    return None


def _shapes(text: str, tables: Tables) -> Iterator[Mention]:
    for shape in tables.shapes:
        for match in shape.find.finditer(text):
            start, end = match.span("x" if "x" in shape.find.groupindex else 0)
            kind = shape.kind
            if kind.name in ("doctor", "hospital") and not kind.entity:
                key = "".join(c for c in text[start:end].lower() if c.isalnum())
                kind = replace(kind, entity=f"s{key}")
            yield Mention(start, end, kind)


def _resolve(text: str, mention: Mention, tables: Tables) -> Mention:
    """Return a mention whose kind its surroundings tell, where it does not tell itself."""
    kind = mention.kind
    if kind.name not in (OPEN, PERSON) and not (kind.name in PEOPLE and not kind.form):
        return mention
    left, right = text[max(0, mention.start - _REACH) : mention.start], text[mention.end :]
    for context in tables.contexts:
        word = ""
        if context.before is not None:
            match = context.before.search(left)
            if match is None:
                continue
            word = match.groupdict().get("word") or ""
        if context.after is not None and not context.after.match(right):
            continue
        found = context.kind
        if kind.name != OPEN and (context.open or found.name not in PEOPLE):
            continue
        if kind.name in PEOPLE and found.name != kind.name:
            continue
        return replace(mention, kind=_joined(kind, found, word))
    if kind.name == PERSON:
        return replace(mention, kind=replace(kind, name="patient", entity=""))
    return mention


def _joined(kind: Kind, found: Kind, word: str) -> Kind:
    """Return the kind that the surroundings tell, in the form that the placeholder tells."""
    entity = word.lower() if found.entity == "word" else found.entity
    if found.name in ("doctor", "staff") and not entity:
        entity = kind.entity
    return Kind(found.name, entity, kind.form or found.form)


def overlaps(start: int, end: int, mentions: Sequence[Mention]) -> bool:
    """Tell whether an interval shares a character with a mention."""
    return any(start < mention.end and mention.start < end for mention in mentions)
