"""How messages speak of the columns or keys of a file without quoting it.

A table without a header has its first row for names, and a row can be the text of a note. So only
names that are well known are ever shown; of the others, their number.
"""

from __future__ import annotations

from collections.abc import Iterable

_NAMES = """
    annotations content data date doc_id document document_id encounter_id entities file
    filename id label labels meta metadata name note note_id note_text note_type patient
    patient_id record_id report row_id scrubjay_id sentence site source spans subject_id tags
    text title type ward
"""

_SHOWN = 40

WELL_KNOWN = frozenset(_NAMES.split())
"""The names that may stand in a message, in any case."""

TEXT_ADVICE = (
    "Call the one with the text 'text', or name it with --text-column where the command has that"
)
"""What to do where the column of the text is not found; few commands can name another."""


def describe_columns(names: Iterable[object], *, noun: str = "columns", show: bool = False) -> str:
    """Return how many names there are, and the well-known ones: `3 columns (well known: 'id')`.

    No other name is part of it, unless with `show`: where a schema names the columns.
    """
    found = [str(name) for name in names]
    if show:
        listed = ", ".join(map(repr, found[:_SHOWN])) + (", ..." if len(found) > _SHOWN else "")
        return f"{len(found)} {noun if len(found) != 1 else noun.removesuffix('s')}: {listed}"
    shown = ", ".join(repr(name) for name in found if name.lower() in WELL_KNOWN)
    counted = f"{len(found)} {noun if len(found) != 1 else noun.removesuffix('s')}"
    return f"{counted} ({f'well known: {shown}' if shown else 'none of a well-known name'})"
