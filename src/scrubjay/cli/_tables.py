"""What `deid` and `annotate` do before a run over tables, messages and resources."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from scrubjay.errors import ConfigError

if TYPE_CHECKING:
    from scrubjay.batch.coding import Coding
    from scrubjay.batch.input import Input
    from scrubjay.document import Document
    from scrubjay.transform.policy import Policy

UnknownParts = Annotated[
    Literal["fail", "drop", "text"] | None,
    typer.Option(
        help="HL7 segments and FHIR resources that no table knows: fail the record (default), "
        "drop them, or read them as free text.",
        show_default=False,
    ),
]

ResourceIds = Annotated[
    Literal["digest", "keep"],
    typer.Option(
        help="What becomes of the ids and references of FHIR resources: digests by the key, or by "
        "a random one of this run alone, or nothing."
    ),
]
_KEY_BYTES = 32
FIRST_RECORDS, FIRST_OF_STREAM, FIRST_IDS = 10_000, 100, 20
"""How many records are looked at for the keys to make codes of, and ids for their patients."""


def with_records(source: Input, unknown: str | None) -> Input:
    """Return the input with what was said about unknown parts of its records.

    Patients of FHIR resources are looked for in all files of the input.
    """
    options: dict[str, Any] = {} if unknown is None else {"unknown": unknown}
    files = [path for path in source.paths if path != "-"]
    formats = source.formats()
    if "fhir" in formats and len(formats) > 1:
        raise ConfigError(
            "FHIR resources and files of other formats in one run",
            hint="Give the resources alone: patients are looked for in all of them, and their ids "
            "are made to digests",
        )
    if "fhir" in formats and files:
        options["registers"] = files
    return replace(source, options={**source.options, **options})


def id_options(
    source: Input, key: bytes | None, *, ids: Literal["digest", "keep"] = "digest"
) -> dict[str, Any]:
    """Return the options of the writer that make ids of resources to digests, unless they stay.

    Without a key they are made by a random one that nobody keeps, which is said once.
    """
    if ids == "keep" or "fhir" not in source.formats():
        return {}
    if key is None:
        typer.echo(
            "note: without a key (--key-file) the ids and references of FHIR resources become "
            "digests that fit together in this run alone: give a key where other runs must have "
            "the same, or --fhir-ids keep where the ids tell nobody",
            err=True,
        )
    return {"id_key": secrets.token_bytes(_KEY_BYTES) if key is None else key}


def check_input(
    source: Input,
    *,
    patient_key: str = "",
    keep_columns: list[str] | None = None,
    coding: Coding | None = None,
) -> bool:
    """Raise for what can be told to be wrong now, and say once what should be known.

    `keep_columns` None says that all columns go into the output, with the texts as they were.
    Returns whether the records tell of their own patients.
    """
    from scrubjay.batch.tables import check_tables
    from scrubjay.corpora import find_format

    facts = check_tables(source, patient_key=patient_key, keep_columns=keep_columns, coding=coding)
    for note in facts.notes():
        typer.echo(f"note: {note}", err=True)
    return any(find_format(name).is_bound for name in source.formats())


def watch_keys(source: Input, keep_columns: list[str]) -> Input:
    """Return an input that tells at its end which keys to keep none of its records had."""
    from scrubjay.batch.tables import passing_keys

    if not keep_columns:
        return source
    look = partial(passing_keys, patterns=tuple(keep_columns), tell=_warn)
    return replace(source, looks=(*source.looks, look))


def watch_refused(source: Input) -> Input:
    """Return an input that tells at its end which parts that no table knows refuse its records."""
    from scrubjay.batch.tables import passing_refused

    if not {"hl7", "fhir"}.intersection(source.formats()):
        return source
    return replace(source, looks=(*source.looks, partial(passing_refused, tell=_warn)))


def _warn(what: str) -> None:
    typer.echo(f"warning: {what}", err=True)


def require_coded(source: Input, coding: Coding | None) -> Input:
    """Raise `ConfigError` where no record has one of the keys to make codes of.

    As many as `FIRST_RECORDS` are read for it, until each key was met; tables beside them tell
    their columns themselves. Of an input that cannot be read again the one that is returned raises
    it before it gives its first record out, for the first `FIRST_OF_STREAM`: a key that is mistyped
    would let ids out.
    """
    from scrubjay.batch.input import Input
    from scrubjay.batch.tables import TABLES, is_record, require_keys

    names = () if coding is None else tuple(coding.kinds)
    paths = tuple(path for path in source.paths if source.detect(path) not in TABLES)
    if not names or not paths:
        return source
    if source.can_be_read_again():
        first = Input(paths, source.format, source.options).read()
        require_keys(islice(filter(is_record, first), FIRST_RECORDS), names)
        return source

    def look(documents: Iterator[Document]) -> Iterator[Document]:
        for document in documents:
            if not is_record(document):
                yield document
                continue
            first = [document, *islice(documents, FIRST_OF_STREAM - 1)]
            require_keys(first, names)
            yield from chain(first, documents)

    return replace(source, looks=(*source.looks, look))


def require_patients(source: Input, *, patient_key: str) -> Input:
    """Raise `ConfigError` where none of the first documents has an id that tells its patient.

    A pattern that fits no id would fail every document, after all of them were read. Of an input
    that cannot be read again the one that is returned raises it before it gives a document out.
    """
    from scrubjay.batch.input import Input
    from scrubjay.corpora.splits import ID_PATTERN, patient_finder
    from scrubjay.errors import NoPatientError

    if not patient_key.startswith(ID_PATTERN):
        return source
    patient_of = patient_finder(patient_key)

    def look(documents: Iterator[Document]) -> Iterator[Document]:
        first = list(islice(documents, FIRST_IDS))
        failed = None
        for document in first:
            try:
                patient_of(document)
                break
            except NoPatientError as error:
                failed = failed or error
        else:
            if failed is not None:
                raise ConfigError(
                    f"--patient-key fits none of the first ids: {failed.what}",
                    hint="The pattern has to match the whole id, with the patient as its first "
                    "group: 'id:(.+)-[^-]+' takes 17 from 17-03, and 'id:(p[0-9]+).*' p17 from "
                    "p17-note",
                )
        yield from chain(first, documents)

    if source.can_be_read_again():
        next(look(Input(source.paths, source.format, source.options).read()), None)
        return source
    return replace(source, looks=(*source.looks, look))


def tell_patients(source: Input, policy: Policy, *, patient_key: str, records_tell: bool) -> None:
    """Tell once where nothing says whose the documents are, and the policy would go by it."""
    if patient_key or records_tell or not policy.goes_by_patient() or not _may_be_many(source):
        return
    typer.echo(
        "note: without --patient-key each document counts as a patient of its own: names, codes "
        "and the shift of dates fit together in one document alone. Give the column of the "
        'patient, or a part of the id or file name: --patient-key "id:(.+)-[^-]+"',
        err=True,
    )


def _may_be_many(source: Input) -> bool:
    """Tell whether an input may hold several documents: more than one file of plain text."""
    if len(source.paths) > 1:
        return True
    path = Path(source.paths[0])
    if path.is_dir():
        return len(list(islice(path.rglob("*"), 2))) > 1
    return source.formats() != {"text"}
