"""Reading a patient's documents one after another, wherever they stand: in memory that is bounded.

Nothing is written for it, no text goes to a disk. Where not all can be held at once, a file is read
several times, and of each reading the documents of some patients are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from scrubjay.corpora import find_format
from scrubjay.corpora._seen import Seen
from scrubjay.corpora.arrow import ArrowRow
from scrubjay.corpora.format import Format
from scrubjay.corpora.metadata import COLUMNS_KEY, FORMAT_KEY, PATH_KEY
from scrubjay.corpora.reading import sources
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.errors import FormatError

HELD = 200_000_000
"""Characters of documents that are held at once; one patient alone may have more."""

_EACH = 1_000  # characters, for what a document is beside its text

PatientOf = Callable[[Document], str]
Read = Callable[[], Iterator[Document]]


def gathered(
    paths: Sequence[tuple[Path | str, str]],
    patient_of: PatientOf,
    *,
    options: Mapping[str, Any],
    passed: Callable[[str], None] | None = None,
    held: int | None = None,
) -> Iterator[Document]:
    """Yield the documents of paths, each with its format, by patient: those of one together.

    Patients come in the order in which they are met first, and the documents of each in their own.
    Documents of one file that holds many stay together, too, so that these are gathered file by
    file; where each is a file, they are gathered over all paths. One whose patient is not known
    stands alone. `held` is `HELD` by default. Errors are those of `scrubjay.corpora.read_corpora`.
    """
    held = HELD if held is None else held
    seen = Seen()
    apart: list[tuple[Source, Format]] = []
    for path, name in paths:
        kind = find_format(name)
        kind.require_options(dict(options), role="reader")
        for source in sources(path, kind, passed=passed):
            if kind.is_container:
                read = partial(_read, [(source, kind)], options)
                yield from _unique(_gathered(read, patient_of, held), seen)
            else:
                apart.append((source, kind))
    if apart:
        yield from _unique(_gathered(partial(_read, apart, options), patient_of, held), seen)


def _read(files: Sequence[tuple[Source, Format]], options: Mapping[str, Any]) -> Iterator[Document]:
    """Yield the documents of some files, from their beginning."""
    for source, kind in files:
        origin = {PATH_KEY: source.relative, FORMAT_KEY: kind.name}
        for document in kind.read(source, **options):
            metadata = {**document.metadata, **origin}
            yield Document(document.id, document.text, document.spans, metadata)


def _gathered(read: Read, patient_of: PatientOf, held: int) -> Iterator[Document]:
    """Yield what `read` gives by patient, reading again and again what is more than `held`."""
    sizes: dict[int, int] = {}
    waiting: dict[int, list[Document]] = {}
    total = 0
    for document in read():
        patient, size = _patient(document, patient_of), _size(document)
        sizes[patient] = sizes.get(patient, 0) + size
        total += size
        if total <= held:
            waiting.setdefault(patient, []).append(_alone(document))
        else:
            waiting.clear()
    if total <= held:
        for documents in waiting.values():
            yield from documents
        return
    for patients in _portions(sizes, held):
        found: dict[int, list[Document]] = {patient: [] for patient in patients}
        for document in read():
            if (patient := _patient(document, patient_of)) in found:
                found[patient].append(_alone(document))
        for patient in patients:
            yield from found.pop(patient)


def _portions(sizes: Mapping[int, int], held: int) -> Iterator[list[int]]:
    """Yield the patients in their order, as many at a time as may be held."""
    portion: list[int] = []
    total = 0
    for patient, size in sizes.items():
        if portion and total + size > held:
            yield portion
            portion, total = [], 0
        portion.append(patient)
        total += size
    if portion:
        yield portion


def _patient(document: Document, patient_of: PatientOf) -> int:
    """Return a number for the patient of a document, of the document where that is not known."""
    try:
        patient = patient_of(document)
    except Exception:  # it fails, or goes by itself, when its turn comes
        patient = ""
    return hash(("patient", patient) if patient else ("document", document.id))


def _size(document: Document) -> int:
    columns = document.metadata.get(COLUMNS_KEY)
    if isinstance(columns, ArrowRow):
        return len(document.text) + _EACH + columns.bytes_each
    return len(document.text) + _EACH


def _alone(document: Document) -> Document:
    """Return a document that keeps no other row of its table in memory."""
    columns = document.metadata.get(COLUMNS_KEY)
    if not isinstance(columns, ArrowRow):
        return document
    metadata = {**document.metadata, COLUMNS_KEY: columns.alone()}
    return Document(document.id, document.text, document.spans, metadata)


def _unique(documents: Iterator[Document], seen: Seen) -> Iterator[Document]:
    for document in documents:
        if not seen.add(document.id):
            raise FormatError(
                f"a second document with the id {document.id!r}",
                path=str(document.metadata.get(PATH_KEY)),
                hint="Ids must differ over all inputs of a run",
            )
        yield document
