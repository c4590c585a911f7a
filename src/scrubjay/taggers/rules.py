"""Transformation rules as text: `O -> B-STATE if word=Florida and next.word=,`.

A rule gives a token another tag where the token has its first tag and every condition holds. A
condition names an attribute of `features/` or `tag`, where it looks, and a value. The grammar
is in docs/rules.md; a rule file holds one JSON object on each line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from scrubjay.errors import ConfigError, FormatError
from scrubjay.features.positions import find_position_attribute, is_position_attribute
from scrubjay.features.resources import make_word_attribute
from scrubjay.features.templates import MAX_OFFSET
from scrubjay.files import read_text

#: The name of the condition on tags; all others name attributes of the encoder.
TAG = "tag"

MAX_PARTS = 4
MAX_TAG_PARTS = 3
MAX_VARIANTS = 16

_NAME = r"[^\s@=']+"
_PART = re.compile(rf"(?P<name>{_NAME})(?:@(?P<first>-?\d{{1,3}})(?:\.\.(?P<last>-?\d{{1,3}}))?)?")
_VALUE = re.compile(r"'(?:[^'\\]|\\.)*'|[^\s'\\]\S*")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_PLAIN_ESCAPES = {"\\": "\\", "'": "'", "n": "\n", "r": "\r", "t": "\t"}
_NEIGHBOURS = {-1: "previous.", 1: "next."}
_FIELDS = {"rule", "score", "fixed", "broken", "note"}


@dataclass(frozen=True, slots=True)
class Part:
    """What one condition looks at: an attribute at any of the offsets `first` to `last`.

    Both offsets are included; most parts have one. Raises `ConfigError` for offsets out of
    reach, and for the tag of the token itself, which every rule names already.
    """

    attribute: str
    first: int = 0
    last: int = 0

    def __post_init__(self) -> None:
        if not -MAX_OFFSET <= self.first <= self.last <= MAX_OFFSET:
            raise ConfigError(
                f"{self.attribute!r} at {self.first} to {self.last}: "
                f"offsets ascend, from -{MAX_OFFSET} to {MAX_OFFSET}"
            )
        if self.attribute == TAG and self.first <= 0 <= self.last:
            raise ConfigError("tag@0 is the tag that a rule changes", hint="Leave it out")

    def __str__(self) -> str:
        if self.first != self.last:
            return f"{self.attribute}@{self.first}..{self.last}"
        if self.first in _NEIGHBOURS:
            return _NEIGHBOURS[self.first] + self.attribute
        return f"{self.attribute}@{self.first}" if self.first else self.attribute

    @property
    def offsets(self) -> range:
        """Return every offset that the part looks at."""
        return range(self.first, self.last + 1)


@dataclass(frozen=True, slots=True)
class RuleTemplate:
    """The parts of a rule without their values: what the learner fills in."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.parts))

    def variants(self) -> list[tuple[int, ...]]:
        """Return every choice of one offset for each part."""
        return list(product(*(part.offsets for part in self.parts)))


@dataclass(frozen=True, slots=True)
class Condition:
    """A part and the value that it must have at one of its offsets at least."""

    part: Part
    value: str

    def __str__(self) -> str:
        return f"{self.part}={_quote(self.value)}"


@dataclass(frozen=True, slots=True)
class Rule:
    """Give tokens tagged `source` the tag `target` where every condition holds.

    `score` is what the rule gained on the training data: `fixed` tags made right less `broken`
    ones made wrong; None for a rule written by hand. `note` is for people.
    """

    source: str
    target: str
    conditions: tuple[Condition, ...]
    score: int | None = None
    fixed: int | None = None
    broken: int | None = None
    note: str = ""

    def __str__(self) -> str:
        change = f"{self.source} -> {self.target}"
        if not self.conditions:
            return change
        return f"{change} if {' and '.join(map(str, self.conditions))}"


def parse_part(text: str) -> Part:
    """Parse `lower`, `lower@-2`, `lower@-3..-1`, `next.lower`, `previous.lower`.

    Raises `ConfigError`.
    """
    match = _PART.fullmatch(text)
    if match is None:
        raise ConfigError(f"{text!r} is no condition", hint="Write lower, lower@-1 or lower@-3..-1")
    name, first, last = match["name"], match["first"], match["last"]
    for offset, prefix in _NEIGHBOURS.items():
        if name.startswith(prefix):
            if first is not None:
                raise ConfigError(f"{text!r} has two offsets", hint=f"Write {name}")
            return Part(name.removeprefix(prefix), offset, offset)
    return Part(name, int(first or 0), int(last or first or 0))


def parse_rule_template(text: str) -> RuleTemplate:
    """Parse parts with spaces between: `lower@-1 tag@-2..-1 short-shape`; raises `ConfigError`."""
    parts = tuple(parse_part(part) for part in text.split())
    try:
        _require_size(parts)
    except ConfigError as error:
        raise ConfigError(f"template {text!r}: {error.what}") from None
    if not parts:
        raise ConfigError("an empty rule template")
    return RuleTemplate(parts)


def _require_size(parts: Sequence[Part]) -> None:
    if len(parts) > MAX_PARTS:
        raise ConfigError(f"a rule has at most {MAX_PARTS} conditions")
    if sum(part.attribute == TAG for part in parts) > MAX_TAG_PARTS:
        raise ConfigError(f"a rule has at most {MAX_TAG_PARTS} conditions on tags")
    if len(set(parts)) < len(parts):
        raise ConfigError("two conditions look at the same place")
    choices = 1
    for part in parts:
        choices *= len(part.offsets)
    if choices > MAX_VARIANTS:
        raise ConfigError(f"ranges of offsets multiply to at most {MAX_VARIANTS}, not {choices}")


def parse_rule(text: str) -> Rule:
    """Parse `FROM -> TO if CONDITION and CONDITION ...`; raises `ConfigError`."""
    head, found, rest = text.strip().partition(" if ")
    source, arrow, target = (piece.strip() for piece in head.partition("->"))
    if not arrow or not _is_tag(source) or not _is_tag(target):
        raise ConfigError("a rule begins FROM-TAG -> TO-TAG", hint="Write O -> B-CITY if ...")
    if source == target:
        raise ConfigError("a rule changes a tag into another one")
    conditions = tuple(_parse_conditions(rest)) if found else ()
    _require_size([condition.part for condition in conditions])
    return Rule(source, target, conditions)


def _is_tag(text: str) -> bool:
    return bool(text) and not any(character.isspace() for character in text)


def _parse_conditions(text: str) -> Iterable[Condition]:
    position = 0
    while True:
        part, found, _ = text[position:].partition("=")
        if not found:
            raise ConfigError(f"condition {text[position:]!r} has no value", hint="Write word=Anna")
        value = _VALUE.match(text, position + len(part) + 1)
        if value is None:
            raise ConfigError(f"condition {part.strip()!r} has no readable value")
        yield Condition(parse_part(part.strip()), _unquote(value.group()))
        position = value.end()
        if not text[position:].strip():
            return
        joint = re.compile(r"\s+and\s+").match(text, position)
        if joint is None:
            raise ConfigError(f"no 'and' after {text[:position]!r}", hint="Quote values: 'a b'")
        position = joint.end()


def _quote(value: str) -> str:
    """Return a value as a rule holds it: bare where nothing in it can be misread."""
    if value.isprintable() and _VALUE.fullmatch(value) and value[0] != "'":
        return value
    written = value.replace("\\", "\\\\").replace("'", "\\'")
    return "'" + "".join(_escape(character) for character in written) + "'"


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    for letter, plain in _PLAIN_ESCAPES.items():
        if character == plain:
            return "\\" + letter
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _unquote(text: str) -> str:
    if not text.startswith("'"):
        return text

    def plain(match: re.Match[str]) -> str:
        short, long, letter = match.groups()
        if letter is not None:
            if letter not in _PLAIN_ESCAPES:
                raise ConfigError(f"unknown escape in {text}", hint="Known: \\\\ \\' \\n \\r \\t")
            return _PLAIN_ESCAPES[letter]
        number = int(short or long, 16)
        if number > 0x10FFFF:
            raise ConfigError(f"no such character in {text}")
        return chr(number)

    return _ESCAPE.sub(plain, text[1:-1])


def rule_record(rule: Rule) -> dict[str, Any]:
    """Return the JSON object of a rule; what is None or empty is left out."""
    record: dict[str, Any] = {"rule": str(rule)}
    for name in ("score", "fixed", "broken"):
        value = getattr(rule, name)
        if value is not None:
            record[name] = value
    return {**record, "note": rule.note} if rule.note else record


def write_rules(rules: Iterable[Rule]) -> str:
    """Return the text of a rule file: one JSON object on each line, in the order of the rules."""
    lines = (json.dumps(rule_record(rule), ensure_ascii=False) for rule in rules)
    return "".join(line + "\n" for line in lines)


def read_rules(
    text: str, *, origin: Path | str, tags: Iterable[str] | None = None, skip: int = 0
) -> tuple[Rule, ...]:
    """Read a rule file; blank lines and the first `skip` lines are passed over.

    With `tags`, every tag must be one of them. Raises `FormatError` that names `origin` and the
    line for anything but a rule, an unknown attribute and an unknown tag.
    """
    rules = []
    known = None if tags is None else tuple(tags)
    for number, line in enumerate(text.split("\n"), start=1):
        if number <= skip or not line.strip():
            continue
        try:
            rule = _read_record(json.loads(line))
            for condition in rule.conditions:
                require_attribute(condition.part.attribute)
            if known is not None:
                _require_tags(rule, known)
        except (ValueError, RecursionError):
            raise FormatError("not a JSON object", path=origin, place=f"line {number}") from None
        except ConfigError as error:
            raise FormatError(
                error.what, path=origin, place=f"line {number}", hint=error.hint
            ) from None
        rules.append(rule)
    return tuple(rules)


def read_rule_file(path: Path | str, *, tags: Iterable[str] | None = None) -> tuple[Rule, ...]:
    """Read a rule file from the disk; raises `FormatError`, as `read_rules` does."""
    return read_rules(read_text(Path(path), kind=FormatError), origin=path, tags=tags)


def _read_record(record: Any) -> Rule:
    if not isinstance(record, dict):
        raise ValueError
    unknown = sorted(set(record) - _FIELDS)
    if unknown:
        raise ConfigError(f"unknown field {unknown[0]!r}", hint=f"Known: {sorted(_FIELDS)}")
    text, note = record.get("rule"), record.get("note", "")
    if not isinstance(text, str) or not isinstance(note, str):
        raise ConfigError("`rule` and `note` are strings, and `rule` must be there")
    score, fixed, broken = (record.get(name) for name in ("score", "fixed", "broken"))
    if any(value is not None and type(value) is not int for value in (score, fixed, broken)):
        raise ConfigError("`score`, `fixed` and `broken` are whole numbers")
    return replace(parse_rule(text), score=score, fixed=fixed, broken=broken, note=note)


def require_attribute(name: str) -> None:
    """Raise `ConfigError` unless `features/` has an attribute of that name; `tag` is one, too."""
    if name == TAG:
        return
    if is_position_attribute(name):
        find_position_attribute(name)
    else:
        make_word_attribute(name, {})


def _require_tags(rule: Rule, known: Sequence[str]) -> None:
    named = [rule.source, rule.target]
    named += [c.value for c in rule.conditions if c.part.attribute == TAG]
    for tag in named:
        if tag not in known:
            raise ConfigError(f"unknown tag {tag!r}", hint=f"Known: {', '.join(known)}")
