"""Finding placeholders in de-identified text, and PHI that is plain to see, with their kinds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from scrubjay.synthesis.calendar import BIRTH
from scrubjay.synthesis.implant_tables import OPEN, PERSON, Kind, Tables, tag_words
from scrubjay.synthesis.scene import NEAR
from scrubjay.synthesis.slots import PEOPLE
from scrubjay.synthesis.told_dates import told_date, told_tag

_REACH = 60
"""Characters before a placeholder that tell what it is."""

_NAMED = frozenset({PERSON, *PEOPLE})
_HIDDEN = "\ue000"
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
    found = disjoint([*_tags(text, tables), *_shapes(text, tables)])
    plain = text  # what another placeholder says tells nothing of this one
    for mention in found:
        sign = _HIDDEN * (mention.end - mention.start)
        plain = plain[: mention.start] + sign + plain[mention.end :]
    told = _side_by_side(text, [_resolve(plain, mention, tables) for mention in found])
    return _told_apart(told)


_WHOLE = {
    ("first", " ", "last"): "", ("initials", " ", "last"): "formal",
    ("last", ", ", "first"): "last-first", ("monthname", " ", "year"): "month",
}  # fmt: skip
"""Forms of two placeholders side by side, what is between them, and the form of both as one."""


def _side_by_side(text: str, mentions: list[Mention]) -> list[Mention]:
    """Return mentions, those of a first and a last name side by side made one: one person.

    Either may be the one whose surroundings tell who it is: "Attending: [First] [Last], MD".
    """
    found: list[Mention] = []
    for mention in mentions:
        last = found[-1] if found else mention
        gap = text[last.end : mention.start]
        one, other = last.kind, mention.kind
        whole = _WHOLE.get((one.form, gap, other.form))
        alike = {one.name, other.name} <= _NAMED or one.name == other.name == "date"
        if whole is None or not alike:
            found.append(mention)
            continue
        kind = other if one.name in (PERSON, "date") else one
        found[-1] = Mention(last.start, mention.end, replace(kind, form=whole))
    return found


def _told_apart(mentions: list[Mention]) -> tuple[Mention, ...]:
    """Return mentions with persons of whom nothing tells more; one number is the patient's.

    All without a number are the patient. `[NAME-2]` beside `[NAME-1]` is somebody of whom nobody
    knows whether they are family or staff.
    """
    numbers = [m.kind.entity for m in mentions if m.kind.name == PERSON and m.kind.entity]
    known = any(m.kind.name == "patient" for m in mentions)
    own = "" if known or not numbers else numbers[0]
    found = []
    for mention in mentions:
        kind = mention.kind
        if kind.name == PERSON and kind.entity not in ("", own):
            kind = Kind(OPEN)
        elif kind.name == PERSON:
            kind = replace(kind, name="patient", entity="")
        found.append(replace(mention, kind=kind))
    return tuple(found)


def find_known(text: str, tables: Tables) -> tuple[Mention, ...]:
    """Return real-looking PHI whose label is plain: dates, ages, names after titles.

    Further mentions of a name that once has a title are among them.
    """
    found: list[Mention] = []
    for shape in tables.known:
        for match in shape.find.finditer(text):
            start, end = match.span("x")
            value = text[start:end]
            kind = replace(shape.kind, entity=_entity(shape.kind, value, tables.language))
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


def _entity(kind: Kind, value: str, language: str) -> str:
    """Return what tells apart the entities of a kind: numbers of years and names do."""
    if kind.name == "patient":
        return kind.entity
    if kind.name == "date":
        return told_date(value, language) or f"known-{value}"
    if kind.name == "age":
        return f"{NEAR}{re.sub(r'[^0-9]', '', value)}"
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
                dated = _DATE_TAG.fullmatch(tag)
                kind = Kind("date", *told_tag(tag)) if dated else Kind(OPEN)
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
    if kind.name == "date" and (kind.entity or kind.form):
        return mention
    if kind.name not in (OPEN, PERSON, "date") and not (kind.name in PEOPLE and not kind.form):
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
        if kind.name not in (OPEN, "date") and (context.open or found.name not in PEOPLE):
            continue
        if kind.name == "date" and found.entity not in BIRTH:
            continue
        if kind.name in PEOPLE and found.name != kind.name:
            continue
        return replace(mention, kind=_joined(kind, found, word))
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
