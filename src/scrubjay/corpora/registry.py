"""The table of corpus formats: a name -> where its `Format` is."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from functools import cache

from scrubjay.corpora.format import Format
from scrubjay.errors import ConfigError

FORMATS: dict[str, str] = {
    "i2b2": "scrubjay.corpora.i2b2:FORMAT",
    "i2b2-2006": "scrubjay.corpora.i2b2_2006:FORMAT",
    "meddocan-xml": "scrubjay.corpora.meddocan:FORMAT",
    "brat": "scrubjay.corpora.brat:FORMAT",
    "conll": "scrubjay.corpora.conll:FORMAT",
    "fhir": "scrubjay.corpora.fhir:FORMAT",
    "doccano": "scrubjay.corpora.doccano:FORMAT",
    "jsonl": "scrubjay.corpora.jsonl:FORMAT",
    "label-studio": "scrubjay.corpora.label_studio:FORMAT",
    "csv": "scrubjay.corpora.table:CSV",
    "tsv": "scrubjay.corpora.table:TSV",
    "parquet": "scrubjay.corpora.parquet:FORMAT",
    "nursing": "scrubjay.corpora.nursing:FORMAT",
    "hl7": "scrubjay.corpora.hl7:FORMAT",
    "text": "scrubjay.corpora.text:FORMAT",
    "inline": "scrubjay.corpora.inline:FORMAT",
}
"""In the order in which detection asks them, where two read files with the same suffix."""


_OTHER_NAMES: Mapping[str, str] = {
    "text": "txt plain plaintext plain-text note notes",
    "inline": "tags tagged",
    "brat": "ann standoff",
    "tsv": "tab",
    "parquet": "pq",
    "csv": "table",
    "jsonl, fhir, doccano or label-studio": "json ndjson",
    "i2b2, i2b2-2006 or meddocan-xml": "xml",
    "conll": "bio iob iob2",
}
_NO_TEXT: Mapping[str, str] = {
    "save the sheet as CSV UTF-8 first, which is csv": "xls xlsx xlsm ods excel",
    "make plain text of it first, which is text": "doc docx odt rtf word pdf html",
    "unpack it first": "zip gz tar 7z",
}


def _meant(name: str) -> str:
    """Return what to say of a name that a format has elsewhere, or nearly has here; else ""."""
    told = name.strip().lower().removeprefix(".")
    for others, start, end in (
        (_OTHER_NAMES, "Did you mean ", "? "),
        (_NO_TEXT, "There is none for it: ", ". "),
    ):
        for what, names in others.items():
            if told in names.split():
                return f"{start}{what}{end}"
    near = difflib.get_close_matches(told.replace("_", "-"), FORMATS, n=1)
    return f"Did you mean {near[0]}? " if near else ""


@cache
def find_format(name: str) -> Format:
    """Return the format of that name; raises `ConfigError` for an unknown one."""
    if name not in FORMATS:
        known = f"Known: {', '.join(FORMATS)}"
        raise ConfigError(f"unknown format {name!r}", hint=f"{_meant(name)}{known}")
    module, _, attribute = FORMATS[name].partition(":")
    found = getattr(importlib.import_module(module), attribute)
    assert isinstance(found, Format)
    return found
