"""What to say of a corpus without a span: often its texts have tags in them, and nobody said so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from scrubjay.corpora.inline import LABEL
from scrubjay.corpora.reading import FORMAT_KEY
from scrubjay.document import Document

TAGS = "<NAME>...</NAME>"
"""What tags in a text look like."""

_TAGGED = re.compile(rf"<({LABEL})>[^<]+</\1>")
_LOOKED_AT = 100


def is_tagged(document: Document) -> bool:
    """Tell whether a document was read as plain text and has tags around words of it."""
    return document.metadata.get(FORMAT_KEY) == "text" and bool(_TAGGED.search(document.text))


def hint_spans(documents: Iterable[Document], *, option: str = "--format") -> str:
    """Return what to do where these documents have no spans since they are plain text, else "".

    The first of them are looked at. `option` is the one that names their format.
    """
    first = list(islice(documents, _LOOKED_AT))
    if any(map(is_tagged, first)):
        return f"It was read as plain text, and has tags in it such as {TAGS}: give {option} inline"
    if any(document.metadata.get(FORMAT_KEY) == "text" for document in first):
        return (
            f"It was read as plain text, which holds no spans: give another corpus, or its format "
            f"({option}); texts with tags in them such as {TAGS} are {option} inline"
        )
    return ""
