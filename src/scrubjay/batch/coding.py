"""What of a document's columns and ids goes out as a code: for joining tables, telling nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from scrubjay.batch.metadata import bare_metadata, id_column
from scrubjay.corpora.arrow import ArrowRow
from scrubjay.corpora.columns import describe_columns
from scrubjay.corpora.metadata import COLUMNS_KEY, ID_VALUE_KEY, LAYOUT_KEY, PATH_KEY
from scrubjay.corpora.nursing import PATIENT_KEY as NURSING_PATIENT
from scrubjay.corpora.splits import ID_PATTERN, patient_finder
from scrubjay.document import Document
from scrubjay.errors import ConfigError, NoCodeError
from scrubjay.transform.codes import DOCUMENT, PATIENT, Coder, id_text, is_id

Kinds = tuple[tuple[str, str], ...]
"""Names of columns and the kinds of their ids."""


def read_kinds(given: Iterable[str], *, patient_key: str) -> Kinds:
    """Return the columns that `NAME` and `NAME=KIND` name, with their kinds.

    Without a kind it is that of patients for their own column, and the name of others. Raises
    `ConfigError` for a column without a name or with an empty kind, and for one that is named
    twice.
    """
    kinds: dict[str, str] = {}
    for each in given:
        name, kind = each.rpartition("=")[::2] if "=" in each else (each, "")
        if not name or each.endswith("="):
            raise ConfigError(
                f"--code-column {each!r} names no column, or no kind",
                hint="Give the name of a column, or NAME=KIND: mother_id=patient",
            )
        if name in kinds:
            raise ConfigError(f"--code-column names the column {name!r} twice")
        kinds[name] = kind or (PATIENT if name == patient_key else name)
    return tuple(kinds.items())


@dataclass(frozen=True)
class Coding:
    """Which columns hold codes in an output, and whether ids of documents are codes.

    An id whose column is among `columns` is a code, with `ids` all are. Where the patient is no
    column of the table, but part of the id or of what stands beside it, the code of an id begins
    with that of the patient and a hyphen, so that the output can be read by patient, too.
    """

    coder: Coder
    columns: Kinds = ()
    ids: bool = False
    patient_key: str = ""

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """Return the columns that hold codes, and the kinds of their ids."""
        return dict(self.columns)

    def codes_id_of(self, document: Document) -> bool:
        """Tell whether the id of a document is written as a code."""
        return self.ids or id_column(document) in self.kinds

    def name(self, document: Document) -> str:
        """Return the id that a document is written under."""
        if not self.codes_id_of(document):
            return document.id
        column = id_column(document)
        own = PATIENT if column and column == self.patient_key else column or DOCUMENT
        code = self.coder.code(_normal_id(document, column), self.kinds.get(column) or own)
        return f"{patient}-{code}" if (patient := self._patient_beside(document)) else code

    def _patient_beside(self, document: Document) -> str:
        """Return the code of a patient that the id tells, or what stands beside it; else ""."""
        if not self.patient_key:
            told = document.metadata.get(NURSING_PATIENT)  # the format tells it in any case
            return self.coder.code(told) if isinstance(told, str) and told else ""
        if self.patient_key.startswith(ID_PATTERN) or self.patient_key in document.metadata:
            try:
                return self.coder.code(self._patient_of(document))
            except Exception:  # without a patient the document fails, or goes by itself
                return ""
        return ""

    @cached_property
    def _patient_of(self) -> Any:
        return patient_finder(self.patient_key)

    def values(self, document: Document) -> dict[str, str | None]:
        """Return the codes of the columns that a document has, by their names.

        What is no id is None: the document fails (`is_unfit`).
        """
        columns = document.metadata.get(COLUMNS_KEY)
        if not isinstance(columns, Mapping):
            return {}
        own = id_column(document)
        made = {
            name: self._code(columns[name], kind)
            for name, kind in self.kinds.items()
            if name in columns and name != own
        }
        if own and own in columns and self.codes_id_of(document):
            made[own] = self.name(document)
        return made

    def _code(self, value: Any, kind: str) -> str | None:
        try:
            return self.coder.code_value(value, kind)
        except NoCodeError:
            return None

    def is_unfit(self, document: Document) -> bool:
        """Tell whether an id or a value to make a code of is neither text nor a number.

        In tables it never is, which is looked for by the types of their columns before a run.
        """
        metadata = document.metadata
        if LAYOUT_KEY in metadata:
            return False
        columns = metadata.get(COLUMNS_KEY)
        values = [columns.get(name) for name in self.kinds] if isinstance(columns, Mapping) else []
        if self.codes_id_of(document):
            values.append(metadata.get(ID_VALUE_KEY))
        return not all(map(is_id, values))

    def bare(self, document: Document, keep_columns: Collection[str]) -> Document:
        """Return what is written of a document beside its text: its id, and `bare_metadata`.

        Raises `ConfigError` for a row of a table that lacks a column of codes, or of ids that are
        to be some: what nobody could look into before, such as standard input.
        """
        codes, name = self.values(document), self.name(document)
        if LAYOUT_KEY in document.metadata:
            self._require_columns(document, codes)
        metadata = bare_metadata(
            document, keep_columns=keep_columns, codes=codes, new_id=name != document.id
        )
        columns = document.metadata.get(COLUMNS_KEY)
        if isinstance(columns, ArrowRow) and not columns.shape.partitions.keys().isdisjoint(codes):
            metadata[PATH_KEY] = _coded_path(str(metadata[PATH_KEY]), codes)
        return Document(name, "", metadata=metadata)

    def _require_columns(self, document: Document, codes: Mapping[str, str | None]) -> None:
        if missing := [each for each in self.kinds if each not in codes]:
            columns = document.metadata[LAYOUT_KEY]
            raise ConfigError(
                f"there is no column {missing[0]!r} to make codes of, or it holds the text",
                hint=f"The table has {describe_columns(columns)}",
            )
        if self.ids and not id_column(document):
            raise ConfigError(
                "the table has no column of ids to make codes of",
                hint="Name it with --id-column, or leave --code-ids out",
            )


def code_facts(coding: Coding | None) -> dict[str, Any]:
    """Return what a summary tells of the codes of a run, if it makes any: never the key."""
    if coding is None:
        return {"code_columns": {}, "code_ids": False}
    return {"code_columns": dict(coding.columns), "code_ids": coding.ids}


def _coded_path(path: str, codes: Mapping[str, str | None]) -> str:
    """Return a path with codes in the names of its folders: `patient=c5f1e0a9.../part-0`."""
    *folders, file = path.split("/")
    for place, folder in enumerate(folders):
        name, equals, _ = folder.partition("=")
        if equals and (code := codes.get(unquote(name))):
            folders[place] = f"{name}={code}"
    return "/".join([*folders, file])


def _normal_id(document: Document, column: str) -> str:
    """Return the id of a document as the values of columns are coded: whole numbers as such.

    An id that is a number was made a text as Python writes it: "17.0" of a column of floats.
    """
    value, columns = document.metadata.get(ID_VALUE_KEY), document.metadata.get(COLUMNS_KEY)
    if value is None and column and isinstance(columns, Mapping):
        value = columns.get(column)
    if isinstance(value, float | Decimal) and str(value) == document.id:
        return id_text(value) or document.id
    return document.id
