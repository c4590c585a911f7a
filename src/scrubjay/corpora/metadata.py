"""What of a document's metadata may follow it when its text has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

IGNORE_KEY = "scrubjay.ignore"
"""Where the metadata of a document hold its regions to ignore; see `scrubjay.corpora.regions`."""

_ABOUT_SPANS = ("brat.lines", "xml.tags", "label-studio.results", IGNORE_KEY)


def annotation_free(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata without what describes spans of the old text.

    Annotation lines, tag attributes and comments hold offsets into that text, and comments may
    quote it, so a de-identified document must not carry them. Where the document came from,
    and the other columns of its table, stay.
    """
    return {key: value for key, value in metadata.items() if key not in _ABOUT_SPANS}
