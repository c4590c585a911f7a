"""FHIR R4 as JSON: one document a resource, of its free texts and its identifying elements.

Files hold one resource a line (NDJSON, as bulk exports are), one resource, an array of resources,
or one Bundle, whose entries are documents of their own. What no edit touches keeps its value;
numbers keep their digits.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import UUID

from scrubjay.corpora._displays import find_said
from scrubjay.corpora._fhir_register import ATTACHED, PERSONS, Register, register_of
from scrubjay.corpora._fhir_table import NOBODY
from scrubjay.corpora._fhir_tree import (
    dump_tree,
    expected_parts,
    kept_in,
    render_tree,
    without_shown,
)
from scrubjay.corpora._fhir_walk import REMOVED, IdSlot, Walk
from scrubjay.corpora._parts import join_parts, split_parts
from scrubjay.corpora._shown import find_shown, may_show
from scrubjay.corpora._skeleton import require_unknown, skeleton_of
from scrubjay.corpora.encodings import encode_text
from scrubjay.corpora.format import Create, Format, Marks, require_scalar_text
from scrubjay.corpora.metadata import PATIENT_KEY, RECORD_KEY, SKELETON_KEY
from scrubjay.corpora.source import Source
from scrubjay.corpora.walking import walk
from scrubjay.document import Document
from scrubjay.errors import AlteredTextError, EncodingError, FormatError
from scrubjay.known.identifiers import PatientIdentifiers
from scrubjay.known.parts import KNOWN_KEY, NO_PATIENT_KEY, REFUSED_KEY

_TYPE = re.compile(rb'"resourceType"\s*:\s*"[A-Z][A-Za-z]+"')
_KIND, _ID = re.compile("[A-Z][A-Za-z]{1,40}"), re.compile("[A-Za-z0-9.-]{1,64}")
_PERSONS = (*PERSONS, "Person", "Practitioner")
_TELLING = (*(f'"{name}"' for name in PERSONS), ATTACHED)
_SUFFIXES = (".ndjson", ".json", ".jsonl")


class Digits(str):
    """A number of JSON as it was written: 1.00 is not 1.0 in FHIR."""

    __slots__ = ()


def read(
    source: Source, *, unknown: str = "fail", registers: Sequence[str] = ()
) -> Iterator[Document]:
    """Yield the document of each resource; of a Bundle first its own, then those of its entries.

    Ids are the name of the file and the number of the resource. `unknown` says what becomes of
    resources of types that no table knows and of attachments that are no text: the resource fails
    (`fail`), they are left out (`drop`), or all strings of the resource are read as free text
    (`text`). `registers` are files and folders in which Patient and RelatedPerson are looked for,
    to find their names in the texts about them; those of a Bundle are known in it anyway. The
    metadata tell the patient: the id that the subject refers to. Raises `FormatError`, by line or
    resource, for what is no JSON or no resource.
    """
    require_unknown(unknown)
    yield from _documents(source, unknown, _register(tuple(registers)))


def read_marked(
    source: Source, *, unknown: str = "fail", registers: Sequence[str] = ()
) -> Iterator[tuple[str, Marks]]:
    """Yield the text of each resource read by itself, as `echo` gives it: no spans.

    Which displays of codes are read depends on what other resources tell of the patient: they
    have other names now, and another file has the old ones.
    """
    for document in _documents(source, unknown, None):
        yield document.text, ()


def _documents(source: Source, unknown: str, register: Register | None) -> Iterator[Document]:
    """Yield what `read` does; without a register no resource tells anything of another."""
    number = 0
    for place, found, layout in _resources(source):
        _require_resource(found, source, place)
        if found.get("resourceType") == "Bundle":
            makers = _bundle(found, register or Register(), {**layout, "place": place})
        else:
            makers = iter([(found, found, layout)])
        for resource, tree, told in makers:
            number += 1
            facts = dict(told)
            known = facts.pop("register", register)
            try:
                text, metadata = _take(
                    resource, tree, unknown, Register() if register is None else known
                )
            except FormatError as error:
                raise FormatError(error.what, path=source.name, place=place) from None
            metadata[SKELETON_KEY] = {**metadata[SKELETON_KEY], **facts}
            metadata[RECORD_KEY] = _name(resource)
            require_scalar_text(text, path=source.name, place=place)
            yield Document(f"{source.stem}-{number}", text, (), metadata)


def _name(resource: Mapping[str, Any]) -> str:
    """Return how others refer to a resource, such as "DiagnosticReport/dr-1", "" for a Bundle.

    Of a person, whose id may be the number of a patient, its type alone.
    """
    kind, own = str(resource.get("resourceType") or ""), resource.get("id")
    if not _KIND.fullmatch(kind) or kind == "Bundle":
        return ""
    named = isinstance(own, str) and _ID.fullmatch(own) and kind not in _PERSONS
    return f"{kind}/{own}" if named else kind


def _take(
    resource: Mapping[str, Any], found: Mapping[str, Any], unknown: str, register: Register
) -> tuple[str, dict[str, Any]]:
    """Return the text of a resource (or the Bundle entry `found` around it), and the metadata."""
    patient = register.patient_of(resource, found.get("fullUrl"))
    kind, known = str(resource.get("resourceType")), register.known.get(patient)
    walked, tree = _walk(found, unknown, known, entry=found is not resource)
    parts = [] if tree is REMOVED else walked.parts
    shown = find_shown(parts, known)
    if tree is not REMOVED and may_show(shown, kept_in(tree)):
        tree = without_shown(tree, shown)
    text, metadata = join_parts(parts)
    metadata[SKELETON_KEY] = {
        "tree": None if tree is REMOVED else tree,
        "parts": len(parts),
        "loose": walked.loose,
    }
    if walked.refused:
        metadata[REFUSED_KEY] = walked.refused
    if patient:
        metadata[PATIENT_KEY] = patient
        if known:
            metadata[KNOWN_KEY] = known
    elif kind in NOBODY or kind == "Bundle":
        metadata[NO_PATIENT_KEY] = True
    return text, metadata


def _walk(
    found: Mapping[str, Any], unknown: str, known: PatientIdentifiers | None, *, entry: bool
) -> tuple[Walk, Any]:
    """Return the walk through a resource or an entry, and its tree.

    A second walk takes out the displays of codes in which the first has found names.
    """
    walked = Walk(unknown)
    tree = walked.entry(found) if entry else walked.resource(found)
    if said := find_said(walked.displays, walked.parts, known):
        walked = Walk(unknown, said=said)
        tree = walked.entry(found) if entry else walked.resource(found)
    return walked, tree


def _bundle(
    bundle: Mapping[str, Any], register: Register, layout: Mapping[str, bool | str]
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any], dict[str, Any]]]:
    """Yield the Bundle without its entries, then each entry, with what a writer must know."""
    entries = bundle.get("entry", [])
    own = register | register_of((each.get("fullUrl"), each.get("resource")) for each in entries)
    head = {key: value for key, value in bundle.items() if key != "entry"}
    facts = {**layout, "type": bundle.get("type"), "register": own}
    yield head, head, {**facts, "bundle": "head"}
    for entry in entries:
        resource = entry.get("resource")
        yield resource if isinstance(resource, dict) else {}, entry, {**facts, "bundle": "entry"}


def _resources(
    source: Source, *, telling: bool = False
) -> Iterator[tuple[str, dict[str, Any], dict[str, bool]]]:
    """Yield place and value of each resource of a file, and how it lies there.

    It is one `line` of many, or one of an `array` that is the whole file. With `telling`, lines
    without a person or a reference to a Binary are passed over unread.
    """
    lines = _lines(source)
    pending: list[str] = []
    any_line = False
    for number, line in enumerate(lines, start=1):
        if not pending and not line.strip():
            continue
        if telling and any_line and not any(sign in line for sign in _TELLING):
            continue
        if not pending:
            is_array = not any_line and line.lstrip().startswith("[")
            value = None if is_array else _parse(line)
            if value is not None:
                any_line = True
                yield f"line {number}", value, {"line": True}
                continue
            if any_line:
                raise FormatError("not valid JSON", path=source.name, place=f"line {number}")
        # The object goes on over further lines: the file is one resource, or one array.
        pending.append(line)
    if pending:
        value = _parse("".join(pending))
        if value is None:
            first = number - len(pending) + 1
            raise FormatError("not valid JSON", path=source.name, place=f"line {first}")
        array = isinstance(value, list)
        for place, each in enumerate(value if array else [value], start=1):
            yield f"resource {place}", each, {"line": False} | ({"array": True} if array else {})


def _lines(source: Source) -> Iterator[str]:
    try:
        yield from source.lines("utf-8", newline="\n")
    except EncodingError as error:
        raise EncodingError(
            error.what,
            path=error.path,
            place=error.place,
            hint="FHIR is UTF-8 by its rules, and --encoding is none of its options. Make UTF-8 of "
            "it first: iconv -f latin1 -t utf-8 FILE > NEW, with the encoding that it has",
        ) from None


def _parse(text: str) -> Any:
    try:
        return json.loads(text, parse_float=Digits, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _require_resource(found: Any, source: Source, place: str) -> None:
    if not isinstance(found, dict) or not isinstance(found.get("resourceType"), str):
        raise FormatError(
            "no FHIR resource: there is no resourceType", path=source.name, place=place
        )
    entries = found.get("entry", []) if found["resourceType"] == "Bundle" else []
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise FormatError(
            "the entries of a Bundle must be a list of objects", path=source.name, place=place
        )


@lru_cache(maxsize=1)
def _register(places: tuple[str, ...]) -> Register:
    """Return what all Patient and RelatedPerson resources of some files tell; Bundles apart."""
    files = [
        Source(path, relative, relative)
        for place in map(Path, places)
        for path, relative in (walk(place) if place.is_dir() else [(place, place.name)])
        if path.name.lower().endswith(_SUFFIXES)
    ]
    return register_of(
        (None, found)
        for source in files
        for _, found, _ in _resources(source, telling=True)
        if isinstance(found, dict)
    )


class _Encoder:
    """Writes resources as they came: a line each, or the entries of a Bundle one after another."""

    def __init__(self, create: Create, id_key: bytes | None) -> None:
        self._file = create("")
        self._key = id_key
        self._head: dict[str, Any] | None = None
        self._entries = 0
        self._place: object = None  # of the Bundle that is open
        self._in_array = False
        self._array = 0  # the resources of an array so far

    def add(self, document: Document) -> None:
        """Append a resource, or begin a Bundle; nothing is written for one that was dropped."""
        skeleton = skeleton_of(document, "fhir")
        tree = render_resource(document, lambda slot: render_id(slot, self._key))
        place = skeleton.get("bundle")
        if place != "entry" or skeleton.get("place") != self._place:
            self._close()
        if place == "head":
            self._begin(tree or {}, skeleton)
            return
        if tree is None:
            return
        text = dump_tree(tree)
        if place == "entry":
            if self._head is None:  # the Bundle itself has failed
                kind = skeleton.get("type")
                self._begin(
                    {"resourceType": "Bundle"} | ({"type": kind} if isinstance(kind, str) else {}),
                    skeleton,
                )
            self._write((", " if self._entries else self._open_bundle()) + text, document.id)
            self._entries += 1
        else:
            in_array = bool(skeleton.get("array"))
            self._write(self._before(in_array) + text + self._after(in_array), document.id)

    def finish(self) -> None:
        """Write the end of the last Bundle, and of an array."""
        self._close()
        if self._array:
            self._write("]\n", "array")
            self._array = 0

    def _begin(self, head: dict[str, Any], skeleton: Mapping[str, Any]) -> None:
        self._head, self._entries, self._place = head, 0, skeleton.get("place")
        self._in_array = bool(skeleton.get("array"))

    def _open_bundle(self) -> str:
        assert self._head is not None
        return self._before(self._in_array) + dump_tree(self._head)[:-1] + ', "entry": ['

    def _before(self, in_array: bool) -> str:
        """Return what stands before a resource: of an array, a bracket or a comma."""
        before = self._array
        self._array = before + 1 if in_array else 0
        if in_array:
            return ",\n" if before else "["
        return "]\n" if before else ""

    @staticmethod
    def _after(in_array: bool) -> str:
        return "" if in_array else "\n"

    def _close(self) -> None:
        if self._head is not None:
            whole = "]}" if self._entries else self._before(self._in_array) + dump_tree(self._head)
            self._write(whole + self._after(self._in_array), "bundle")
            self._head = None

    def _write(self, text: str, document_id: str) -> None:
        self._file.write(encode_text(text, "utf-8", document_id=document_id))


def render_resource(document: Document, render: Any = None) -> dict[str, Any] | None:
    """Return the resource (or the entry) of a document with its texts in their places.

    None for one that is left out. `render` gives what stands for an `IdSlot`.
    """
    skeleton = skeleton_of(document, "fhir")
    texts = split_parts(document, skeleton["parts"])
    if skeleton["tree"] is None:
        return None
    tree = render_tree(skeleton["tree"], texts, render or (lambda slot: render_id(slot, None)))
    return tree if isinstance(tree, dict) else {}


def render_id(slot: IdSlot, key: bytes | None) -> str:
    """Return an id or a reference, with a keyed digest (HMAC-SHA256) in the place of the id."""
    found = slot.id
    if key is not None:
        digest = hmac.digest(key, b"scrubjay fhir id\0" + found.encode(), "sha256").hex()[:32]
        found = str(UUID(digest)) if slot.head == "urn:uuid:" else digest
    return slot.head + found + slot.tail


def echo(document: Document) -> str:
    """Return the text that reading the resource of a document back gives, by itself.

    Dates that have become no dates, and what has become nothing, are not there any more. Raises
    `AlteredTextError` where any other text would be lost.
    """
    skeleton = skeleton_of(document, "fhir")
    if skeleton["tree"] is None:
        return ""
    tree = render_resource(document) or {}
    again, _ = _walk(tree, "text", None, entry=skeleton.get("bundle") == "entry")
    loose = skeleton.get("loose", ())
    texts = split_parts(document, skeleton["parts"])
    expected = expected_parts(skeleton["tree"], texts, loose=loose)
    passed = frozenset(again.loose)
    found = (part.text for number, part in enumerate(again.parts) if number not in passed)
    if _squeezed(found) != _squeezed(expected):
        raise AlteredTextError("the resource does not hold the texts that it should")
    text, _ = join_parts(again.parts)
    return text


def _squeezed(texts: Iterable[str]) -> list[str]:
    """Return the texts without white space, and none of white space alone."""
    return [squeezed for text in texts if (squeezed := "".join(text.split()))]


def start(create: Create, *, id_key: bytes | None = None) -> _Encoder:
    """Open a file for resources that were read as FHIR; with `id_key`, ids become digests."""
    return _Encoder(create, id_key)


def recognise(head: bytes) -> bool:
    """Tell whether a file begins with a resource, or an array of resources."""
    begin = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    begin = begin[1:].lstrip() if begin.startswith(b"[") else begin
    return begin.startswith(b"{") and _TYPE.search(begin) is not None


FORMAT = Format(
    name="fhir",
    suffixes=_SUFFIXES,
    read=read,
    start=start,
    recognise=recognise,
    holds_spans=False,
    is_bound=True,
    echo=echo,
    read_marked=read_marked,
)
