"""What a project tells: frozen records, which `to_json` turns into plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

from scrubjay.review.marks import Marks

VersionState = Literal["open", "in progress", "done"]
"""Of one annotator's marks: not begun, begun, finished."""

DocumentState = Literal["open", "in progress", "done", "adjudicated"]
"""Of a document: begun by nobody, by some, finished by all who have it, decided on."""

RunState = Literal["waiting", "running", "done", "failed", "cancelled", "interrupted"]
"""Of a retraining; "interrupted" is one whose process is gone, which can be resumed."""

Kind = Literal["annotation", "audit"]

Shown = Literal["all", "none", "half"]
"""To which documents suggestions are shown; "half" draws lots by their ids."""


@dataclass(frozen=True, slots=True)
class ProjectInfo:
    """What a project is: its settings, and how much is in it."""

    id: str
    name: str
    kind: Kind
    label_set: str
    language: str
    made: str
    model: str
    """The model of the suggestions: a shipped name, a folder, or "" where there is none."""
    annotators: tuple[str, ...]
    documents: int


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did.

    `metadata_dropped` counts entries that a database cannot hold, `repeated` the documents whose
    text is that of another one, in the import or in the project before it.
    """

    documents: int
    suggestions: int
    metadata_dropped: int = 0
    repeated: int = 0


@dataclass(frozen=True, slots=True)
class Prelabelled:
    """What a model suggested: in how many documents, how many marks, and where it failed.

    Documents that it failed on keep the suggestions that they had; in `replaced` others they gave
    way to the model's.
    """

    model: str
    documents: int
    suggestions: int
    replaced: int
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A line of the list of documents. `mine` is the state for the annotator who asked, if any."""

    number: int
    id: str
    size: int
    state: DocumentState
    accepted: bool
    """Whether its marks are final: decided on, or finished by all who have it without dispute."""
    annotators: tuple[str, ...]
    """Who has to mark it."""
    done: tuple[str, ...]
    mine: VersionState | None
    shown: bool
    """Whether the suggestions are shown to whoever begins it."""
    suggestions: int


@dataclass(frozen=True, slots=True)
class Version:
    """The marks of one annotator in one document.

    `revision` grows with each change and must be given back with the next one. `suggested` are
    the suggestions that were shown when the document was begun, empty where none were. Before
    that (state "open") the marks are what the annotator would begin with, at revision 0.
    """

    document: str
    annotator: str
    revision: int
    state: VersionState
    marks: Marks
    suggested: Marks = ()
    shown: bool = False
    model: str = ""
    seconds: float = 0.0
    can_undo: bool = False
    can_redo: bool = False


@dataclass(frozen=True, slots=True)
class Applied:
    """What treating all same strings alike did.

    `changed` documents got `places` marks; `skipped` places have marks with other borders, and
    `closed` documents were finished already. `batch` names the change, to be undone whole.
    """

    batch: str
    documents: tuple[str, ...]
    places: int
    skipped: int
    closed: int


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One line of the journal; `target` is the revision that an undo or a redo is about."""

    revision: int
    action: str
    target: int | None
    removed: Marks
    added: Marks
    batch: str
    at: str


@dataclass(frozen=True, slots=True)
class Savings:
    """What became of suggestions in finished documents, and the time that it took.

    `accepted` suggestions stand as they were, `changed` ones got other borders or labels,
    `deleted` ones are gone, and `added` marks had no suggestion. `seconds_with` and
    `seconds_without` are medians per 1000 characters, over documents with suggestions shown and
    without; None where there is no such document with time. `saved` is the share of the time that
    suggestions save, None where either median is.
    """

    documents: int
    accepted: int = 0
    changed: int = 0
    deleted: int = 0
    added: int = 0
    seconds: float = 0.0
    timed_with: int = 0
    timed_without: int = 0
    seconds_with: float | None = None
    seconds_without: float | None = None
    saved: float | None = None


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """How far an annotator is."""

    name: str
    assigned: int
    in_progress: int
    done: int
    marks: int
    savings: Savings


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a project is: documents by state, and the same for each annotator."""

    documents: int
    open: int
    in_progress: int
    done: int
    adjudicated: int
    accepted: int
    disputed: int
    """Documents that are done, and about which their annotators disagree."""
    annotators: tuple[AnnotatorProgress, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """What one annotator marked in a difference; without marks nothing."""

    annotator: str
    marks: Marks


@dataclass(frozen=True, slots=True)
class Difference:
    """A stretch of a document over which annotators disagree, and what was decided about it.

    `choice` is the name of the annotator whose marks stand, "own" (then `marks` stand), "none",
    or "" while nothing is decided. A difference is known by document, start and end.
    """

    document: str
    start: int
    end: int
    kind: str
    sides: tuple[Side, ...]
    choice: str = ""
    marks: Marks = ()
    decider: str = ""


@dataclass(frozen=True, slots=True)
class Gold:
    """The final marks of a document, and who decided on them."""

    document: str
    marks: Marks
    decider: str
    at: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document to do, and why.

    `place` is that in the ranking, 0 for one that is begun or without a ranking. `disagreement`
    and `margin` tell how unsure models are of it, 0 to 1 each, None where it has not been looked
    at.
    """

    document: str
    number: int
    place: int
    disagreement: float | None = None
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One retraining: how far it is, and what came of it.

    `train` and `dev` count the accepted documents that it learns from and is measured on.
    `model` is the folder of the new model; it is the project's own only once it is chosen.
    """

    number: int
    state: RunState
    stage: str
    share: float
    base: str
    train: int
    dev: int
    made: str
    ended: str | None = None
    model: str = ""
    chosen: bool = False
    metrics: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of the dev curve: a model measured on the accepted documents held out.

    Run 0 is the model before any retraining. The figures are strict ones of spans, and the
    recall of tokens without regard to labels; None where undefined.
    """

    run: int
    train: int
    dev: int
    precision: float | None
    recall: float | None
    f1: float | None
    token_recall: float | None


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of the whole project found; it is sound where there are no faults."""

    documents: int
    versions: int
    entries: int
    faults: tuple[str, ...] = ()


def to_json(record: Any) -> Any:
    """Return a record as JSON values; marks become objects with start, end, label and so on."""
    if is_dataclass(record) and not isinstance(record, type):
        return {one.name: to_json(getattr(record, one.name)) for one in fields(record)}
    if isinstance(record, Mapping):
        return {str(name): to_json(value) for name, value in record.items()}
    if isinstance(record, Sequence) and not isinstance(record, str):
        return [to_json(value) for value in record]
    return record
