"""Where the metadata of documents hold what, and what of it may follow a text that has changed.

What a format alone writes and reads again is named in its own file (`brat.lines`), and what the
rooms below read, too, in `known/parts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PATH_KEY = "source.path"
"""The path of the file that a document came from, below the folder that was read."""
FORMAT_KEY = "source.format"
COLUMNS_KEY = "columns"
"""The fields of a record beside its text, id and spans, by name."""
LAYOUT_KEY = "source.columns"
"""The names of all columns of a table, in their order."""
NAMES_KEY = "source.names"
"""Which fields of a record hold the text, the id and the spans."""
NULL_KEY = "source.null_text"
TEXTS_KEY = "source.texts"
"""The columns of a row with several text columns in which there is a text, not null."""
FILE_KEY = "source.file"
"""How the file of a table is written, where it is not as most are: its mark and line ends."""
ID_VALUE_KEY = "source.id"
"""The id of a record of JSON as it stands there, where it is neither a text nor a whole number."""
RECORD_KEY = "source.record"
"""How others refer to a resource, such as "DiagnosticReport/dr-1"; of a person its type alone."""
SKELETON_KEY = "source.skeleton"
"""What is left of a message or a resource without its texts (`scrubjay.corpora._skeleton`)."""
SEPARATOR_KEY = "source.separator"
"""What stands between the parts of a text that was joined of several."""
PATIENT_KEY = "patient"
"""The key of the patient that a message or a resource names."""
IGNORE_KEY = "scrubjay.ignore"
"""The regions of a text to ignore; see `scrubjay.corpora.regions`."""

_ABOUT_SPANS = ("brat.lines", "xml.tags", "label-studio.results", IGNORE_KEY)


def annotation_free(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata without what describes spans of the old text.

    Annotation lines, tag attributes and comments hold offsets into that text, and comments may
    quote it, so a de-identified document must not carry them. Where the document came from,
    and the other columns of its table, stay.
    """
    return {key: value for key, value in metadata.items() if key not in _ABOUT_SPANS}
