"""What can be told of tables before the first row is read: their columns, and what is missing.

A run that ends after hours for a name that was wrong from the start costs those hours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.batch.metadata import (
    chosen_columns,
    fitting,
    id_column,
    require_header,
    require_partitions,
)
from scrubjay.corpora import find_format
from scrubjay.corpora._rows import Names
from scrubjay.corpora.arrow import open_parquet, shape_of
from scrubjay.corpora.columns import advise_linking, describe_columns, suggest_column
from scrubjay.corpora.lake import is_delta
from scrubjay.corpora.metadata import COLUMNS_KEY, LAYOUT_KEY, NAMES_KEY
from scrubjay.corpora.parquet import columns_of_file
from scrubjay.corpora.reading import sources
from scrubjay.corpora.source import STANDARD_INPUT, Source
from scrubjay.corpora.splits import ID_PATTERN
from scrubjay.corpora.table import find_table_names, read_header
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, counted
from scrubjay.known.finder import labels_of_kinds
from scrubjay.known.parts import REFUSED_KEY
from scrubjay.transform.edits import apply_edits

if TYPE_CHECKING:
    from scrubjay.batch.coding import Coding
    from scrubjay.batch.input import Input
    from scrubjay.labels import LabelSet
    from scrubjay.transform.policy import Policy

TABLES = ("csv", "tsv", "parquet")
WITH_COLUMNS = (*TABLES, "jsonl", "doccano", "label-studio")
"""Formats whose documents may have further columns, or keys, which may be kept."""
_MOST_KEYS = 1000
_MOST_TOLD = 8
"""Reasons of records that are refused, the most frequent ones."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What was found out of the tables of an input, and should be said once."""

    tables: int = 0
    made_ids: bool = False
    """Whether rows get ids of the name of their file and their number."""
    linking: str = ""
    """Options that name columns which look to hold the ids of such rows, and their patients."""
    delta: bool = False
    """Whether a folder is a Delta table, which is not what will be written."""

    def notes(self) -> Iterator[str]:
        """Yield what to tell the user."""
        if self.made_ids:
            yield (
                "rows have no id of their own: ids are made of the file and the number of the row; "
                "name a column with --id-column"
                + (
                    f". From the names of the columns this may be: {it}"
                    if (it := self.linking)
                    else ""
                )
            )
        if self.delta:
            yield (
                "the input is a Delta table: its live files were read, and plain Parquet parts "
                "are written, without a Delta log"
            )


def check_tables(
    source: Input,
    *,
    patient_key: str = "",
    keep_columns: Collection[str] | None = None,
    coding: Coding | None = None,
) -> TableFacts:
    """Look at the columns of every table of an input, and return what is to be told of them.

    Files of other formats, and standard input, are not looked at; but for plain text a patient's
    column is a `ConfigError`, and so are columns to keep where nothing that is read has columns.
    `keep_columns` None says that all columns go into the output; `coding` are those that go out as
    codes. Raises `FormatError` for a file that is no table, a column that is missing or holds no
    text, and `ConfigError` for a patient's column that is missing, a pattern that fits no column, a
    column to make codes of that is not there or is the text, names that look like data and would be
    written, and folders named after values that are not kept.
    """
    tables, made_ids, delta, linking = 0, False, False, ""
    coded: tuple[str, ...] = () if coding is None else tuple(coding.kinds)
    code_ids = coding is not None and coding.ids
    _require_columns(source, "--keep-column", keep_columns or ())
    _require_columns(source, "--code-column", coded)
    _require_coding(source, coding, keep_columns or ())
    for path in source.paths:
        name = source.detect(path)
        if name == "text" and patient_key and not patient_key.startswith(ID_PATTERN):
            raise ConfigError(
                f"notes as plain text have no columns: {patient_key!r} cannot tell their patients",
                hint="Give a pattern for ids and file names, which begins with id: such as "
                "--patient-key 'id:(.+)-[^-]+'",
            )
        if name not in TABLES or str(path) == STANDARD_INPUT:
            continue
        delta = delta or (name == "parquet" and Path(path).is_dir() and is_delta(path))
        for each in sources(path, find_format(name)):
            columns, partitions, names = _columns(each, name, source.options, coded, code_ids)
            if not columns:  # a file without a line has no documents either
                continue
            tables += 1
            if names.id is None and not made_ids:
                made_ids = True
                wanted = keep_columns is not None and not patient_key
                linking = advise_linking((*columns, *partitions), patient=wanted)
            _require_patient(patient_key, (*columns, *partitions), each)
            if coding is not None:
                _require_coded(coding, (*columns, *partitions), names, each)
            if keep_columns is not None:
                everything = tuple(dict.fromkeys((*columns, *partitions)))
                chosen = chosen_columns(everything, tuple(keep_columns))
                require_header(columns, (*names.texts, names.id or ""))
                require_partitions(partitions, {*chosen, *coded})
    return TableFacts(tables, made_ids, linking, delta)


def _require_coding(source: Input, coding: Coding | None, keep_columns: Collection[str]) -> None:
    """Raise `ConfigError` where codes of columns or ids contradict what else is asked for."""
    if coding is None:
        return
    if both := sorted(coding.kinds.keys() & set(keep_columns)):
        raise ConfigError(
            f"the column {both[0]!r} cannot go out as it is and as a code",
            hint="Give it to --keep-column or to --code-column",
        )
    if coding.ids and (bound := sorted(source.formats() & {"fhir", "hl7"})):
        raise ConfigError(
            f"--code-ids means nothing for the format {bound[0]}",
            hint="Ids of FHIR resources become digests by the key already (--fhir-ids), and "
            "numbers in HL7 messages are what the policy makes of them",
        )


def _require_coded(coding: Coding, columns: Collection[str], names: Names, source: Source) -> None:
    """Raise `ConfigError` where a table lacks a column to make codes of, or it is another's."""
    for name in coding.kinds:
        if name in (*names.texts, names.spans):
            raise ConfigError(
                f"the column {name!r} holds texts or spans, of which no codes are made",
                path=source.name,
                hint="Leave it out of --code-column",
            )
        if name not in columns:
            raise ConfigError(
                f"there is no column {name!r} to make codes of",
                path=source.name,
                hint=f"{suggest_column(name, columns)}The file has {describe_columns(columns)}",
            )
    if coding.ids and names.id is None:
        raise ConfigError(
            "the table has no column of ids to make codes of",
            path=source.name,
            hint=f"Name it with --id-column, or leave --code-ids out. The file has "
            f"{describe_columns(columns)}",
        )


def _require_columns(source: Input, option: str, named: Collection[str]) -> None:
    """Raise `ConfigError` where columns are named of what has none."""
    formats = source.formats()
    if named and formats.isdisjoint(WITH_COLUMNS):
        first, others = next(iter(named)), ", ".join(sorted(formats))
        raise ConfigError(
            f"{option} {first} means nothing for the format {others}, which has no columns",
            hint=f"Leave it out. It is for {', '.join(WITH_COLUMNS)}; where the input is one of "
            "these, name it with --format",
        )


def passing_keys(
    documents: Iterator[Document],
    patterns: tuple[str, ...],
    tell: Callable[[str], None],
) -> Iterator[Document]:
    """Yield documents as they come, and tell at the end of each pattern that fits no record's keys.

    Records have no header: each may lack a key, and only their end shows that all did.
    """
    idle, keys, number = dict.fromkeys(patterns), dict[str, None](), 0
    for document in documents:
        yield document
        if not is_record(document):
            continue
        number += 1
        columns = document.metadata.get(COLUMNS_KEY)
        new = [each for each in columns if each not in keys] if isinstance(columns, dict) else []
        keys |= dict.fromkeys(new)
        for pattern in [each for each in idle if fitting(new, (each,))]:
            del idle[pattern]
        if not idle or len(keys) > _MOST_KEYS:
            yield from documents
            return
    for pattern in idle if number else ():
        hint = suggest_column(pattern, keys, noun="keys")
        tell(
            f"none of {counted(number, 'record')} has a key {pattern!r} to keep. {hint}They "
            f"have {describe_columns(keys, noun='keys')} beside id and text"
        )


def passing_refused(
    documents: Iterator[Document], tell: Callable[[str], None]
) -> Iterator[Document]:
    """Yield documents as they come, and tell at the end why records among them are refused."""
    counts = Counter[str]()
    for document in documents:
        yield document
        if refused := document.metadata.get(REFUSED_KEY):
            counts[refused] += 1
    for refused, number in counts.most_common(_MOST_TOLD):
        tell(f"{refused}: {counted(number, 'record')} refused")


def require_restorable(
    formats: Iterable[str], policy: Policy, label_set: LabelSet, *, language: str
) -> None:
    """Raise `ConfigError` where a vault could not bring back messages and resources.

    A field of a date or an age is empty where the policy writes none, and nothing tells then where
    in a record it was.
    """
    bound = [name for name in formats if find_format(name).is_bound]
    if not bound:
        return
    label_of = labels_of_kinds(label_set)
    for kind, text, stays in (("date", "2020-06-15", _is_day), ("age", "50", str.isdigit)):
        document, whole = Document("", text), Span(0, len(text), label_of[kind])
        plan = policy.plan(document, [whole], patient="x", language=language)
        if not stays(apply_edits(text, plan).text):
            raise ConfigError(
                f"--vault with the policy {policy.name!r} and the format {bound[0]!r}: fields of "
                f"{kind}s would be empty, and scrubjay restore could not tell where they were",
                hint="Give a policy that writes dates and ages (surrogate, limited-dataset), or "
                "leave out --vault and keep the original files",
            )


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_record(document: Document) -> bool:
    """Tell whether a document is a record of keys, of which others may have more or fewer."""
    return NAMES_KEY in document.metadata and LAYOUT_KEY not in document.metadata


def require_keys(documents: Iterable[Document], names: Collection[str]) -> None:
    """Raise `ConfigError` where no record among these has one of the keys to make codes of."""
    missing, keys, number = dict.fromkeys(names), dict[str, None](), 0
    for document in filter(is_record, documents):
        number += 1
        columns = document.metadata.get(COLUMNS_KEY)
        found = [*columns] if isinstance(columns, Mapping) else []
        found += filter(None, [id_column(document)])
        for name in found:
            missing.pop(name, None)
        if not missing:
            return
        if len(keys) <= _MOST_KEYS:
            keys |= dict.fromkeys(found)
    if number:
        name = next(iter(missing))
        those = counted(number, "record") if number == 1 else f"the first {number:,} records"
        raise ConfigError(
            f"none of {those} has a key {name!r} to make codes of",
            hint=f"{suggest_column(name, keys, noun='keys')}They have "
            f"{describe_columns(keys, noun='keys')} beside the text. Where only later ones have "
            "it, give the first one the value null",
        )


def _columns(
    source: Source,
    format: str,
    options: dict[str, Any],
    coded: Collection[str] = (),
    code_ids: bool = False,
) -> tuple[tuple[str, ...], tuple[str, ...], Names]:
    """Return the columns of a table, those of its folders, and which of them make documents.

    Raises `FormatError` where one of `coded`, or with `code_ids` that of the ids, is of a type that
    no id has.
    """
    chosen: dict[str, Any] = {
        "text_column": options.get("text_column", "text"),
        "id_column": options.get("id_column"),
        "spans_column": None,
    }
    if format == "parquet":
        with open_parquet(source) as file:
            shape = shape_of(file, source.relative)
        names = columns_of_file(shape, source, **chosen)
        for name in (*coded, *([names.id] if code_ids and names.id else ())):
            shape.require_id(name, source)
        return tuple(shape.schema.names), tuple(shape.partitions), names
    delimiter = options.get("delimiter", "\t" if format == "tsv" else ",")
    header = read_header(source, encoding=options.get("encoding", "utf-8"), delimiter=delimiter)
    if not header:
        return (), (), Names()
    names = find_table_names(header, delimiter=delimiter, source=source, **chosen)
    return tuple(header), (), names


def _require_patient(key: str, columns: Collection[str], source: Source) -> None:
    if key and not key.startswith(ID_PATTERN) and key not in columns:
        raise ConfigError(
            f"there is no column {key!r} that could tell the patient",
            path=source.name,
            hint=f"{suggest_column(key, columns)}The file has {describe_columns(columns)}. Name "
            "one with --patient-column, or give --patient-key id:REGEX",
        )
