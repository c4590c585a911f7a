"""What to say of texts that are not what they were read as: tagged ones, RTF, whole tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from scrubjay.corpora._standard_input import is_header
from scrubjay.corpora.inline import LABEL
from scrubjay.corpora.metadata import FORMAT_KEY
from scrubjay.document import Document

TAGS = "<NAME>...</NAME>"
"""What tags in a text look like."""

_TAGGED = re.compile(rf"<({LABEL})>[^<]+</\1>")
_OF_PAGES = """
    a b big blockquote body br center code dd div dl dt em font footer form h1 h2 h3 h4 h5 h6 head
    header hr html i img li main mark nav ol option p pre q s section select small span strong style
    sub sup table tbody td textarea tfoot th thead tr tt u ul
"""
_HTML = frozenset(_OF_PAGES.split())
"""Tags of web pages, but for those that are called like PHI, such as `address`."""
_RTF = "{\\rtf"
LOOKED_AT = 100
"""Documents that are looked at, the first of all."""
_HEAD = 4000


def is_tagged(document: Document) -> bool:
    """Tell whether a document was read as plain text and has tags around words of it."""
    return document.metadata.get(FORMAT_KEY) == "text" and bool(_TAGGED.search(document.text))


def passing_tags(documents: Iterable[Document], tell: Callable[[], None]) -> Iterator[Document]:
    """Yield documents as they come; tell once, before the first with tags that nobody has read.

    It was read as plain text, and its tags are not those of web pages. The first of all documents
    are looked at.
    """
    return _passing(documents, _has_tags, tell)


def passing_rtf(documents: Iterable[Document], tell: Callable[[], None]) -> Iterator[Document]:
    """Yield documents as they come; tell once, before the first whose text is RTF.

    The first of all documents are looked at.
    """
    return _passing(documents, lambda document: document.text.startswith(_RTF), tell)


def passing_tables(documents: Iterable[Document], tell: Callable[[], None]) -> Iterator[Document]:
    """Yield documents as they come; tell once, before the first that is a table read as plain text.

    The first of all documents are looked at.
    """
    return _passing(documents, _is_table, tell)


def _is_table(document: Document) -> bool:
    if document.metadata.get(FORMAT_KEY) != "text":
        return False
    lines = document.text[:_HEAD].lstrip("\ufeff").splitlines()
    return len(lines) > 1 and is_header(lines[0].encode("utf-8", "replace"))


def _has_tags(document: Document) -> bool:
    return document.metadata.get(FORMAT_KEY) == "text" and any(
        found[1].lower() not in _HTML for found in _TAGGED.finditer(document.text)
    )


def _passing(
    documents: Iterable[Document], strange: Callable[[Document], bool], tell: Callable[[], None]
) -> Iterator[Document]:
    passing = iter(documents)
    for document in islice(passing, LOOKED_AT):
        if strange(document):
            tell()
            yield document
            break
        yield document
    yield from passing


def hint_spans(documents: Iterable[Document], *, option: str = "--format") -> str:
    """Return what to do where these documents have no spans since they are plain text, else "".

    The first of them are looked at. `option` is the one that names their format.
    """
    first = list(islice(documents, LOOKED_AT))
    if any(map(is_tagged, first)):
        return f"It was read as plain text, and has tags in it such as {TAGS}: give {option} inline"
    if any(document.metadata.get(FORMAT_KEY) == "text" for document in first):
        return (
            f"It was read as plain text, which holds no spans: give another corpus, or its format "
            f"({option}); texts with tags in them such as {TAGS} are {option} inline"
        )
    return ""
