"""The XML of i2b2 2014 (`<deIdi2b2>`) and N-GRID 2016 (`<NGRID_deId>`), with standoff TAGS.

Source: Stubbs et al. 2015, "Automated systems for the de-identification of longitudinal
clinical narratives"; but for the root, the files of both tasks have one shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from scrubjay.corpora import _xml
from scrubjay.corpora.format import Format
from scrubjay.corpora.source import Source
from scrubjay.document import Document
from scrubjay.labels import find_label_set

UNKNOWN_CATEGORY = "OTHER"
DEFAULT_SETS = ("i2b2-2014", "ngrid-2016")

_STYLE = _xml.StandoffStyle(
    roots=("deIdi2b2", "NGRID_deId"),
    declaration='<?xml version="1.0" encoding="UTF-8" ?>',
    text_indent="",
    tag_indent="",
    tag_close=" />",
    id_prefix="P",
    first_id=0,
)


def read(
    source: Source, *, encoding: str | None = None, text_check: str = "error"
) -> Iterator[Document]:
    """Yield the document of one file.

    `encoding` overrules the one that the file declares. A `text` attribute that differs from
    the text at its offsets is a `FormatError`, unless `text_check` is "ignore".
    """
    category = category_finder(DEFAULT_SETS)
    return _xml.read_standoff(source, _STYLE, category, encoding=encoding, text_check=text_check)


def encode(document: Document, *, label_set: str | None = None) -> Mapping[str, bytes]:
    """Return the file of one document.

    The element of a tag is the main category of its label: that of `label_set`, by default of
    i2b2-2014 and ngrid-2016, and OTHER where the label is in neither.
    """
    names = (label_set,) if label_set else DEFAULT_SETS
    return {"": _xml.encode_standoff(document, _STYLE, category_finder(names))}


@cache
def category_finder(names: tuple[str, ...]) -> Callable[[str], str]:
    """Return a function from a label to its main category in the first set that has it.

    A label that is itself a main category stands for itself; any other becomes OTHER.
    """
    sets = [find_label_set(name) for name in names]
    categories = {name: name for found in sets for name in found.main_categories}
    for found in reversed(sets):
        categories |= found.categories
    return lambda label: categories.get(label, UNKNOWN_CATEGORY)


FORMAT = Format(
    name="i2b2",
    suffixes=(".xml",),
    read=read,
    encode=encode,
    recognise=lambda head: _xml.root_name(head) in _STYLE.roots,
)
