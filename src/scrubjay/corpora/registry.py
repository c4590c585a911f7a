"""The table of corpus formats: a name -> where its `Format` is."""

from __future__ import annotations

import importlib
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


@cache
def find_format(name: str) -> Format:
    """Return the format of that name; raises `ConfigError` for an unknown one."""
    if name not in FORMATS:
        raise ConfigError(f"unknown format {name!r}", hint=f"Known: {', '.join(FORMATS)}")
    module, _, attribute = FORMATS[name].partition(":")
    found = getattr(importlib.import_module(module), attribute)
    assert isinstance(found, Format)
    return found
