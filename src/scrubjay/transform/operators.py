"""Operators: what stands in the place of a mention.

    placeholder   `[DATE-1]`, one number for each person or thing of a document
    mask          the same length, each visible character replaced by a filler
    redact        a fixed text, `***` unless another (or none) is given
    hash          `[DATE:1f0c...]`, keyed: without the key nothing can be linked back
    keep          the mention itself; only where a policy names the label, never as default

An operator is an immutable value that sees a mention, or all its mentions of a document
together, and returns a text for each. The key of `hash` is no part of any repr.
"""

from __future__ import annotations

import hmac
import os
import re
import string
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol, TypeAlias

from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.files import read_bytes
from scrubjay.labels import kind_of
from scrubjay.text.entities import read_entities

KEY_VARIABLE = "SCRUBJAY_KEY"
MIN_KEY_BYTES = 16
NEW_KEY = 'A new key: python -c "import secrets; print(secrets.token_hex(32))"'
KEY_HINT = (
    f'Give a key file (--key-file) or set {KEY_VARIABLE}; in Python give key=b"..." (at least '
    f"{MIN_KEY_BYTES} bytes). {NEW_KEY}"
)
"""What to do where an operator has no key."""
MIN_DIGITS, MAX_DIGITS = 8, 64
NUMBERED = "[{label}-{number}]"
"""The template of placeholders where none is given."""
_READ = frozenset(["date", "age", "zip"])  # kinds of mentions that stay only where they read so
_DIGITS_ALONE = re.compile(r"[\d\s/.,:\-–]*")


class Mention(NamedTuple):
    """A span with its surface text; it lives only while its document is transformed.

    `patient` is the key of the patient whose record the document belongs to, or "". `kind` is
    one of `labels.KINDS`, or "" for that of the label in the sets that ship with the package.
    """

    span: Span
    text: str
    document_id: str
    patient: str = ""
    kind: str = ""

    def __repr__(self) -> str:
        return f"Mention({self.span!r}, document {self.document_id!r})"

    def meant(self) -> Mention:
        """Return the mention with what entities of HTML in it mean."""
        meant = read_entities(self.text)
        return self if meant is None else self._replace(text=meant.text)


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """What an operator may know of the document around its mentions.

    `patient` is the key of the patient, "" where it is not known; `language` a code such as
    "en", "" where it is not known. Documents of one call that have the same `shared` number, from
    0, are neighbours of one patient: what one of them tells of a person holds in the others. One
    with -1 stands alone. `towns` are those that its record names, folded, each with its area where
    one of the documents tells it, else "" (`surrogates._scene`); `ages` has what ages become that
    its dates tell (`surrogates._told_ages`). Its repr shows neither text nor patient.
    """

    document_id: str
    patient: str
    text: str
    language: str
    shared: int = -1
    towns: Mapping[str, str] = field(default_factory=dict, compare=False)
    ages: Mapping[tuple[int, int], int] = field(default_factory=dict, compare=False)

    def __repr__(self) -> str:
        return f"Record({self.document_id!r}, {len(self.text)} characters)"


class MentionOperator(Protocol):
    """An operator that gives the text in the place of a mention, whatever stands around it."""

    @property
    def name(self) -> str:
        """The name of the operator, as policies write it."""

    def replace(self, mention: Mention) -> str:
        """Return the text that stands in the place of the mention."""


class RecordOperator(Protocol):
    """An operator that must see all its mentions of a document together."""

    @property
    def name(self) -> str:
        """The name of the operator, as policies write it."""

    def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
        """Return one text for each mention, in order; `mentions` are sorted by their spans."""


class BatchOperator(RecordOperator, Protocol):
    """An operator that is faster where it sees the mentions of many documents together.

    What it gives for a document depends on no other but those with its `Record.shared`.
    """

    def replace_many(
        self, records: Sequence[tuple[Sequence[Mention], Record]]
    ) -> list[list[str] | Exception]:
        """Return what `replace_all` gives for each document, or the exception that it raises."""


Operator: TypeAlias = MentionOperator | RecordOperator
"""Gives what stands in the place of mentions: of each by itself, or of all of a document."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Replaces a mention by its label and a number: `[PATIENT-1]`.

    In each document the numbers of a label count from 1 by first appearance; all mentions of
    one person or thing share a number, and no two of them do. A number is left out where the
    text of the document holds such a placeholder already, and a mention that is one stays, so
    that a second run changes nothing. `template` must hold `{label}`, and may hold `{number}`.
    """

    template: str = NUMBERED
    name: ClassVar[str] = "placeholder"

    def __post_init__(self) -> None:
        require_fields(self.template, {"label"}, operator=self.name, optional={"number"})

    def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
        """Return the template with the label of each mention and its number."""
        if "{number}" not in self.template:
            return [self._render(mention.span.label, 1) for mention in mentions]
        from scrubjay.transform.coreference import cluster

        done = {label: _done(self.template, label) for label in {m.span.label for m in mentions}}
        used = {text for own in done.values() for text in own.findall(record.text)}
        texts = [m.text if done[m.span.label].fullmatch(m.text.strip()) else "" for m in mentions]
        rest = [place for place, kept in enumerate(texts) if not kept]
        kinds = {m.span.label: m.kind or kind_of("", m.span.label) for m in mentions}
        entities = cluster(
            [mentions[place].meant() for place in rest],
            kind=kinds.__getitem__,
            language=record.language,
            text=record.text,
        )
        given: dict[tuple[str, int], str] = {}
        last = dict.fromkeys(done, 0)
        for place, entity in zip(rest, entities, strict=True):
            label = mentions[place].span.label
            if (label, entity) not in given:
                last[label] += 1
                while (text := self._render(label, last[label])) in used:
                    last[label] += 1
                given[label, entity] = text
                used.add(text)
            texts[place] = given[label, entity]
        return texts

    def _render(self, label: str, number: int) -> str:
        return self.template.format(label=label, number=number)


@lru_cache(maxsize=256)
def _done(template: str, label: str) -> re.Pattern[str]:
    """Return the pattern of the placeholders of a label."""
    shape = re.escape(template.format(label=label, number="\0"))
    return re.compile(shape.replace(re.escape("\0"), "[1-9][0-9]*"))


@dataclass(frozen=True, slots=True)
class Mask:
    """Replaces every visible character by `filler`; white space and line ends stay.

    The result has the length of the mention, so that all offsets and the layout of lines and
    columns stay. It tells the reader the length of each word.
    """

    filler: str = "X"
    name: ClassVar[str] = "mask"

    def __post_init__(self) -> None:
        if len(self.filler) != 1 or not self.filler.isprintable() or self.filler.isspace():
            raise ConfigError(
                "the filler of the operator 'mask' must be one visible character",
                hint='For example: filler = "X"',
            )

    def replace(self, mention: Mention) -> str:
        """Return a text of the same length with every visible character replaced."""
        filler = self.filler
        return "".join(mark if mark.isspace() else filler for mark in mention.text)


@dataclass(frozen=True, slots=True)
class Redact:
    """Replaces every mention by the same text, which may be empty."""

    replacement: str = "***"
    name: ClassVar[str] = "redact"

    def replace(self, mention: Mention) -> str:
        """Return the fixed replacement."""
        return self.replacement


def require_key(key: bytes, needing: str, *, hint: str = KEY_HINT) -> None:
    """Raise `ConfigError` for a missing or short key; `needing` says who needs one."""
    if len(key) < MIN_KEY_BYTES:
        state = f"is shorter than {MIN_KEY_BYTES} bytes" if key else "is missing"
        raise ConfigError(f"{needing} a key, which {state}", hint=hint)


def require_code(key: bytes, digits: int, *, operator: str) -> None:
    """Raise `ConfigError` for a missing or short key, or a number of digits that is no good."""
    require_key(key, f"the operator {operator!r} needs")
    if not MIN_DIGITS <= digits <= MAX_DIGITS:
        raise ConfigError(
            f"the digits of the operator {operator!r} must be {MIN_DIGITS} to {MAX_DIGITS}"
        )


@dataclass(frozen=True, slots=True)
class KeyedHash:
    """Replaces a mention by its label and a keyed digest: `[DATE:1f0c5d...]`.

    The digest is HMAC-SHA256 over label and text, as entities of HTML in it mean it, cut to
    `digits` hexadecimal digits: the same text with the same label gives the same digest under one
    key, and without the key it can be neither computed nor looked up. There is no plain hash: names
    and dates are few enough to be tried out. Raises `ConfigError` for a missing or short key.
    """

    key: bytes = field(default=b"", repr=False)
    digits: int = 16
    template: str = "[{label}:{digest}]"
    name: ClassVar[str] = "hash"

    def __post_init__(self) -> None:
        require_code(self.key, self.digits, operator=self.name)
        require_fields(self.template, {"label", "digest"}, operator=self.name)

    def replace(self, mention: Mention) -> str:
        """Return the template with the label and the digest of the mention."""
        label = mention.span.label
        # The length of the label keeps (label, text) pairs apart; surrogatepass, since a text
        # may hold a lone surrogate.
        message = f"{len(label)}:{label}{mention.meant().text}".encode("utf-8", "surrogatepass")
        digest = hmac.digest(self.key, message, "sha256").hex()[: self.digits]
        return self.template.format(label=label, digest=digest)


@dataclass(frozen=True, slots=True)
class Keep:
    """Leaves the mention in the text. A policy must name it for a label, never as default.

    A date, an age or a ZIP code that holds words of something else, as "Mon Rivera" does, becomes
    a numbered placeholder: what is no part of a date may be a name.
    """

    name: ClassVar[str] = "keep"

    def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
        """Return each mention as it is, or a placeholder."""
        doubtful = [
            place
            for place, mention in enumerate(mentions)
            if _told(mention) in _READ and not _DIGITS_ALONE.fullmatch(mention.text)
        ]
        texts = [mention.text for mention in mentions]
        if not doubtful:
            return texts
        from scrubjay.transform.plain_mentions import reads_as

        missing = [
            place
            for place in doubtful
            if not reads_as(_told(mentions[place]), texts[place], record.language)
        ]
        placeholders = Placeholder().replace_all([mentions[place] for place in missing], record)
        for place, placeholder in zip(missing, placeholders, strict=True):
            texts[place] = placeholder
        return texts


def _told(mention: Mention) -> str:
    return mention.kind or kind_of("", mention.span.label)


def read_key(path: Path | str | None = None, *, variable: str = KEY_VARIABLE) -> bytes | None:
    """Return the secret key from a file, else from the environment variable, else None.

    White space around it is no part of the key. Raises `ConfigError` for a file that cannot be
    read or holds a key that is too short; the message never shows the key.
    """
    if path is None:
        key = os.environ.get(variable, "").strip().encode("utf-8", "surrogateescape")
        return _require_long(key, path=f"${variable}") if key else None
    content = read_bytes(
        Path(path), kind=ConfigError, hint="Give the path of a file that holds the key alone"
    )
    return _require_long(content.strip(), path=str(path))


def _require_long(key: bytes, *, path: str) -> bytes:
    if len(key) < MIN_KEY_BYTES:
        raise ConfigError(
            f"the key has {len(key)} bytes, fewer than {MIN_KEY_BYTES}",
            path=path,
            hint=NEW_KEY,
        )
    return key


def require_fields(
    template: str,
    wanted: set[str],
    *,
    operator: str,
    optional: Collection[str] = (),
    parameter: str = "template",
) -> None:
    """Raise `ConfigError` unless the template holds exactly the wanted fields, plainly.

    `parameter` is the one that the operator takes it by.
    """
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError:
        parts = []
    found = [part for part in parts if part[1] is not None]
    plain = all(not part[2] and part[3] is None for part in found)
    if not plain or {part[1] for part in found} - {*optional} != wanted:
        example = "".join(f"{{{name}}}" for name in sorted(wanted, reverse=True))
        besides = "".join(f", and may hold {{{name}}}" for name in sorted(optional))
        raise ConfigError(
            f"the {parameter} of the operator {operator!r} must hold the fields {example} alone"
            + besides,
            hint=f'For example: {parameter} = "<{example}>"',
        )
