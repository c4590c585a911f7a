"""The domain of each document: by a file, by its folder, its id or its metadata."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from scrubjay.corpora.metadata import PATH_KEY
from scrubjay.corpora.splits import key_finder
from scrubjay.document import Document
from scrubjay.errors import FormatError, InputError
from scrubjay.files import read_text
from scrubjay.learning.experiments.data import ExperimentData

FOLDER = "folder"
_HINTS = (
    "Give another pattern: the first group is the domain",
    "Give a file with the columns document and domain, folder, or id:REGEX",
)


def find_domains(rule: str, data: ExperimentData) -> dict[int, str]:
    """Return the domain of every document by its number.

    `rule` is the path of a tab-separated file with the columns `document` and `domain`,
    "folder" for the first folder below the corpus, `id:` and a regular expression whose first
    group is the domain, or the name of a metadata entry or column. Raises `InputError` for a
    document without a domain, by its id, `FormatError` for a file without these columns.
    """
    path = Path(rule)
    if path.suffix.lower() in (".tsv", ".txt") or path.is_file():
        table = read_domain_file(path)
        found = {
            number: _from_file(document, table, path)
            for number, document in enumerate(data.documents)
        }
    elif rule == FOLDER:
        found = {n: _from_folder(document) for n, document in enumerate(data.documents)}
    else:
        find = key_finder(rule, what="domain", setting="the rule for domains", hints=_HINTS)
        found = {number: find(document) for number, document in enumerate(data.documents)}
    return found


def read_domain_file(path: Path) -> dict[str, str]:
    """Return document id -> domain; other columns are passed over."""
    rows = list(csv.reader(read_text(path).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    header = rows[0] if rows else []
    if not {"document", "domain"} <= set(header):
        raise FormatError(
            "the first line must name the columns document and domain, between tabs", path=path
        )
    document, domain = header.index("document"), header.index("domain")
    found: dict[str, str] = {}
    for number, row in enumerate(rows[1:], start=2):
        if not row:
            continue
        if len(row) <= max(document, domain) or not row[domain]:
            raise FormatError("there is no domain", path=path, place=f"line {number}")
        if found.setdefault(row[document], row[domain]) != row[domain]:
            raise FormatError(
                f"document {row[document]!r} has two domains", path=path, place=f"line {number}"
            )
    return found


def _from_file(document: Document, table: Mapping[str, str], path: Path) -> str:
    # Readers name documents of subfolders by their path; the file may have the last part alone.
    for name in (document.id, PurePosixPath(document.id).name):
        if name in table:
            return table[name]
    raise InputError(f"document {document.id!r} has no domain", path=path, hint="Add its line")


def _from_folder(document: Document) -> str:
    parts = PurePosixPath(str(document.metadata.get(PATH_KEY, ""))).parts
    if len(parts) < 2:
        raise InputError(
            f"document {document.id!r} is in no folder below the corpus, so its domain is unknown",
            hint="Give --domains: a file with the columns document and domain, or id:REGEX",
        )
    return parts[0]
