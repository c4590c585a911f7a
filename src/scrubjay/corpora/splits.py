"""Splitting a corpus into parts, the same way on every machine.

Documents of one patient resemble each other, so that a split by document lets a model see in
training what it is tested on; a split by patient keeps them together.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from scrubjay.corpora.detect import detect_format
from scrubjay.corpora.metadata import COLUMNS_KEY
from scrubjay.corpora.reading import read_corpus
from scrubjay.corpora.source import STANDARD_INPUT
from scrubjay.corpora.writing import Permissions, open_writer, require_apart
from scrubjay.document import Document
from scrubjay.errors import (
    ConfigError,
    InputError,
    NoPatientError,
    OutputError,
    counted,
    require_choice,
    unwritable,
)
from scrubjay.files import read_text
from scrubjay.transform.codes import id_text

SplitUnit = Literal["patient", "document"]
SPLIT_UNITS: tuple[SplitUnit, ...] = ("patient", "document")
ID_PATTERN = "id:"
"""Begins a key of patients that is a pattern for ids, and no column."""
DEFAULT_PATIENT_KEY = "id:(.+)-[^-]+"
"""The ids of i2b2 2014: the patient, a hyphen, the number of the record (`220-03`)."""
_EXAMPLE = "'id:(.+)-[^-]+' takes 17 from 17-03"

SPLIT_FILE = "split.json"
_PART_NAME = re.compile(r"\w[\w.-]*")


@dataclass(frozen=True, slots=True)
class Share:
    """A part by its name and its exact share of the documents."""

    name: str
    share: Fraction


@dataclass(frozen=True, slots=True)
class SplitPart:
    """A part as it came out: the ids of its documents, sorted, and its number of groups."""

    name: str
    share: Fraction
    groups: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """A split of a corpus, and all that is needed to make it again."""

    by: SplitUnit
    seed: int
    patient_key: str | None
    parts: tuple[SplitPart, ...]

    def to_json(self) -> dict[str, Any]:
        """Return what `split.json` holds. It names documents by their ids, patients not at all."""
        return {
            "by": self.by,
            "seed": self.seed,
            "patient_key": self.patient_key,
            "parts": {
                part.name: {
                    "share": str(part.share),
                    "documents": len(part.ids),
                    "groups": part.groups,
                    "ids": list(part.ids),
                }
                for part in self.parts
            },
        }


def parse_parts(text: str) -> tuple[Share, ...]:
    """Read parts such as `train=0.6,dev=0.2,test=0.2` (or `1/3`); the shares add up to 1.

    Raises `ConfigError` for anything else.
    """
    parts: list[Share] = []
    for item in text.split(","):
        name, equals, share = (piece.strip() for piece in item.partition("="))
        if not equals or not _PART_NAME.fullmatch(name):
            raise ConfigError(
                f"not a part: {item!r}", hint="Write parts as train=0.6,dev=0.2,test=0.2"
            )
        parts.append(Share(name, _parse_share(name, share)))
    if len({part.name.casefold() for part in parts}) < len(parts):
        raise ConfigError("two parts have one name")
    total = sum(part.share for part in parts)
    if total != 1:
        raise ConfigError(f"the shares of the parts add up to {float(total):g}, not to 1")
    return tuple(parts)


def _parse_share(name: str, text: str) -> Fraction:
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ConfigError(f"the share of {name!r} is no number: {text!r}") from None
    if share <= 0:
        raise ConfigError(f"the share of {name!r} must be more than 0")
    return share


def require_split_unit(name: str) -> SplitUnit:
    """Return the unit of that name; raises `ConfigError` for an unknown one."""
    return require_choice("unit of a split", name, SPLIT_UNITS)


def patient_finder(key: str, *, instead: str = "split by document") -> Callable[[Document], str]:
    """Return a function from a document to its patient.

    `key` is `id:` and a regular expression that matches the whole id and whose first group
    (else the whole) is the patient, or the name of a metadata entry or column. The function
    raises `InputError`, by the id, for a document without a patient; `instead` says there what
    can be done without patients.
    """
    return key_finder(
        key,
        what="patient",
        setting="the patient key",
        hints=(
            f"Give --patient-key id:REGEX ({_EXAMPLE}) or the name of a column, or {instead}",
            "Give --patient-key the name of a metadata entry or column, or a pattern for the id "
            f"that begins with id: ({_EXAMPLE})",
        ),
        error=NoPatientError,
    )


def key_finder(
    key: str,
    *,
    what: str,
    setting: str,
    hints: tuple[str, str],
    error: type[InputError] = InputError,
) -> Callable[[Document], str]:
    """Return a function from a document to what `key` tells of it, as in `patient_finder`.

    `what` and `setting` name it in errors; `hints` say what to do about an id and about metadata
    that tell nothing, and `error` is raised then. Raises `ConfigError` for a broken expression.
    """
    if not key.startswith(ID_PATTERN):

        def in_metadata(document: Document) -> str:
            if found := _from_metadata(document, key):
                return found
            raise error(f"document {document.id!r} has no {what} under {key!r}", hint=hints[1])

        return in_metadata
    pattern = _compile(key.removeprefix(ID_PATTERN), setting)

    def in_id(document: Document) -> str:
        match = pattern.fullmatch(document.id)
        if found := match[1 if pattern.groups else 0] if match else None:
            return str(found)
        raise error(
            f"the id {document.id!r} tells no {what} by the pattern {pattern.pattern!r}",
            hint=hints[0],
        )

    return in_id


def _compile(expression: str, setting: str) -> re.Pattern[str]:
    """Return a pattern for whole ids; raises `ConfigError` that tells where it is broken."""
    try:
        return re.compile(expression)
    except re.error as error:
        raise ConfigError(
            f"{setting} is no regular expression: {error.msg}, at character "
            f"{(error.pos or 0) + 1} of {expression!r}",
            hint=f"It must match whole ids, and its first group is what counts: {_EXAMPLE}",
        ) from None
    except (OverflowError, RecursionError):
        raise ConfigError(f"{setting} is a regular expression that is too large") from None


def _from_metadata(document: Document, key: str) -> str:
    value: Any = document.metadata.get(key)
    columns = document.metadata.get(COLUMNS_KEY)
    if value is None and isinstance(columns, Mapping):
        value = columns.get(key)
    return (id_text(value) or "") if isinstance(value, str | int | float | Decimal) else ""


def assign_parts(groups: Mapping[str, str], parts: Sequence[Share], *, seed: int) -> dict[str, str]:
    """Return the part of each group; `groups` are those of the documents, by document id.

    The groups come in the order of a hash of seed and name, and each goes to the part that
    lacks most documents of its share (the first of equals). So the result depends on the
    seed, the groups and their sizes alone, not on the order of the documents or the machine.
    """
    sizes = Counter(groups.values())
    lacking = {part.name: part.share * len(groups) for part in parts}
    assigned: dict[str, str] = {}
    for group in sorted(sizes, key=lambda name: lot_of(seed, name)):
        chosen = max(lacking, key=lambda name: lacking[name])
        assigned[group] = chosen
        lacking[chosen] -= sizes[group]
    return assigned


def join_groups(groups: Mapping[str, str], rows: Iterable[Sequence[str]]) -> dict[str, str]:
    """Return the group of each document, where groups with documents in one row have become one."""
    leader: dict[str, str] = {}

    def lead(group: str) -> str:
        while leader.get(group, group) != group:
            group = leader[group]
        return group

    for row in rows:
        found = [lead(groups[name]) for name in row if name in groups]
        for group in found[1:]:
            one, other = lead(found[0]), lead(group)
            leader[max(one, other)] = min(one, other)
    return {name: lead(group) for name, group in groups.items()}


def read_together(path: Path) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a tab-separated file, such as one of near-duplicates.

    Cells that are no ids of a corpus, such as figures, do no harm. Raises `InputError` for a file
    that is not there and `EncodingError` for one that is not UTF-8.
    """
    lines = read_text(path).splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line.strip())


def lot_of(seed: int, name: str) -> bytes:
    """Return what puts names in an order by lot that hangs on the seed and on each name alone."""
    encoded = name.encode("utf-8", "surrogatepass")
    return hashlib.sha256(f"{seed}:".encode() + encoded).digest() + encoded


def plan_split(
    documents: Iterable[Document],
    parts: Sequence[Share],
    *,
    by: SplitUnit = "patient",
    seed: int = 0,
    patient_key: str | None = None,
    together: Iterable[Sequence[str]] = (),
) -> Split:
    """Split documents by their ids alone; memory grows with the ids.

    Documents whose ids stand in one row of `together` come into one part, and so do the others
    of their groups. Ids that the corpus does not have are passed over.

    Raises `InputError` for a document without a patient and where a part would be empty.
    """
    key = (patient_key or DEFAULT_PATIENT_KEY) if by == "patient" else None
    find = (
        patient_finder(key, instead="split by document with --by document")
        if key is not None
        else lambda document: document.id
    )
    groups = {document.id: find(document) for document in documents}
    groups = join_groups(groups, together)
    assigned = assign_parts(groups, parts, seed=seed)
    found: list[SplitPart] = []
    for part in parts:
        ids = sorted(name for name, group in groups.items() if assigned[group] == part.name)
        members = {groups[name] for name in ids}
        if not ids:
            raise InputError(
                f"the part {part.name!r} would be empty: the corpus has "
                f"{counted(len(groups), 'document')} in {counted(len(assigned), 'group')}",
                hint=_advise_more_groups(
                    len(groups), len(assigned), key=key, named=patient_key is not None
                ),
            )
        found.append(SplitPart(part.name, part.share, len(members), tuple(ids)))
    return Split(by, seed, key, tuple(found))


def _advise_more_groups(documents: int, groups: int, *, key: str | None, named: bool) -> str:
    """Return what to do where so many groups are too few to fill all parts."""
    advice = "Ask for fewer parts, or give it a greater share"
    if key is None or groups == documents:
        return advice
    took = (
        f"The key {key!r} took"
        if named
        else "What stands before the last hyphen of an id was taken as"
    )
    return (
        f"{took} the patient of a document; if it is none, name another with --patient-key, or "
        f"split by document with --by document. Else {advice[0].lower()}{advice[1:]}"
    )


def split_corpus(
    path: Path | str,
    folder: Path | str,
    *,
    parts: Sequence[Share],
    by: SplitUnit = "patient",
    seed: int = 0,
    patient_key: str | None = None,
    together: Iterable[Sequence[str]] = (),
    format: str | None = None,
    permissions: Permissions = "umask",
    passed: Callable[[str], None] | None = None,
) -> Split:
    """Write a corpus as a folder per part, in its own format, with `split.json` beside them.

    The corpus is read twice, one document at a time. `folder` must be new or empty; it appears
    whole or not at all. `permissions` are those of `open_writer`, `passed` is
    that of `read_corpora`. Raises as `read_corpus`,
    `plan_split` and `write_corpus` do.
    """
    if str(path) == STANDARD_INPUT:
        raise InputError("standard input cannot be split", hint="Save it to a file first")
    folder = require_apart(Path(folder), [path])
    if folder.exists() and any(folder.iterdir()):
        raise OutputError("the folder is not empty", path=folder, hint="Choose another one")
    format = format or detect_format(path)
    documents = read_corpus(path, format=format, passed=passed)
    split = plan_split(
        documents, parts, by=by, seed=seed, patient_key=patient_key, together=together
    )
    staging = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    try:
        staging.mkdir(parents=True)
        if permissions == "private":
            staging.chmod(0o700)
        _write_parts(read_corpus(path, format=format), split, staging, format, permissions)
        record = json.dumps(split.to_json(), indent=1, ensure_ascii=False) + "\n"
        (staging / SPLIT_FILE).write_text(record, encoding="utf-8", newline="\n")
        if permissions == "private":
            (staging / SPLIT_FILE).chmod(0o600)
        staging.replace(folder)
    except OSError as error:
        raise unwritable(folder, error) from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return split


def _write_parts(
    documents: Iterable[Document],
    split: Split,
    folder: Path,
    format: str,
    permissions: Permissions,
) -> None:
    part_of = {name: part.name for part in split.parts for name in part.ids}
    with ExitStack() as stack:
        writers = {
            part.name: stack.enter_context(
                open_writer(folder / part.name, format=format, permissions=permissions)
            )
            for part in split.parts
        }
        for document in documents:
            if document.id not in part_of:
                raise InputError(f"document {document.id!r} appeared while the corpus was split")
            writers[part_of[document.id]].write(document)
