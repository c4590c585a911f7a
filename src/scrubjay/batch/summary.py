"""What a run did: its manifest, with no text, and ids of documents that need a look alone."""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scrubjay import __version__
from scrubjay.batch.gathering import PatientOf
from scrubjay.batch.outcome import (
    DATE_ORDER,
    KEPT_LABEL,
    OPEN_DATES,
    SHORT_NAME,
    TELLING_COLUMN,
    TELLING_ID,
)
from scrubjay.batch.rows import SLIGHT_SHARE, RowsRead
from scrubjay.batch.sought import EXCEPTIONS
from scrubjay.corpora.splits import ID_PATTERN
from scrubjay.deidentifier import Failure
from scrubjay.document import Document
from scrubjay.text.languages import NAMES, count_words, plain_language

STRANGE_SHARE = 0.05
"""The share of documents in another language than the model's that is worth a warning."""
LOOKED_AT = 20
"""How many documents at the beginning of a run are looked at together for their language."""
MOST_PATIENTS = 1_000_000
"""How many patients are remembered to tell whether one comes again; behind them none is."""
NAMED = 100
"""How many files that were passed over, and documents of a language or of open dates, are named;
all are counted."""


@dataclass(slots=True)
class Tally:
    """Counts documents as a run goes on; the one mutable thing of a run."""

    documents: int = 0
    characters: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    failure_names: dict[str, str] = field(default_factory=dict)
    proof: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    resumed_characters: int = 0
    with_ids: bool = False
    ids_stay: bool = False
    languages: Counter[str] = field(default_factory=Counter)
    language_ids: dict[str, list[str]] = field(default_factory=dict)
    open_dates: list[str] = field(default_factory=list)
    short_names: list[str] = field(default_factory=list)
    passed_over: int = 0
    passed_names: list[str] = field(default_factory=list)
    rows: RowsRead = field(default_factory=RowsRead)
    read: int = 0
    read_characters: int = 0
    behind: int = 0
    """How many documents of a batch that is done are still to be counted."""
    beginning: Counter[str] = field(default_factory=Counter)
    apart: int = 0
    patients: set[int] = field(default_factory=set, repr=False)
    last_patient: int | None = None

    def reading(
        self, documents: Iterable[Document], *, patient_of: PatientOf | None = None
    ) -> Iterator[Document]:
        """Pass on documents, counting the languages that are told, and the rows of tables.

        The ids of the first documents of each language are noted, up to `NAMED`. With `patient_of`,
        documents are counted, too, that come after another patient's, and whose own patient had
        documents before.
        """
        for document in documents:
            self.rows.note(document)
            if patient_of is not None:
                self._note_patient(document, patient_of)
            words = count_words(document.text)
            if language := plain_language(words):
                self.languages[language] += 1
                if len(ids := self.language_ids.setdefault(language, [])) < NAMED:
                    ids.append(document.id)
            if self.read < LOOKED_AT:
                self.beginning.update(words)
            self.read += 1
            self.read_characters += len(document.text)
            yield document

    def _note_patient(self, document: Document, patient_of: PatientOf) -> None:
        try:
            patient = patient_of(document)
        except Exception:  # that document will fail
            patient = ""
        told = hash(patient) if patient else None
        if told is not None and told != self.last_patient:
            self.apart += told in self.patients
            if len(self.patients) < MOST_PATIENTS:
                self.patients.add(told)
        self.last_patient = told

    @property
    def first_language(self) -> str:
        """Return the language of the first documents together, "" where it is not plain.

        Short ones that tell nothing alone may do so together.
        """
        return plain_language(self.beginning)

    def pass_over(self, name: str) -> None:
        """Count a file that was not read, and note the names of the first."""
        self.passed_over += 1
        if len(self.passed_names) < NAMED:
            self.passed_names.append(name)

    def take_over(self, size: int) -> None:
        """Note that a document of so many characters was done by a run that was interrupted."""
        self.resumed += 1
        self.resumed_characters += size

    def add(
        self, size: int, labels: Mapping[str, int], proof: Mapping[str, int], *, id: str = ""
    ) -> None:
        """Count a document that was written: its characters, the labels found, what was proved.

        Its id is noted where nothing told the order of its dates, and where a short name may stand
        in it, of each up to `NAMED`.
        """
        self.documents += 1
        self.characters += size
        # One by one: `update` takes longer to look at what it is given than at these few.
        for label, count in labels.items():
            self.labels[label] += count
        for name, count in proof.items():
            self.proof[name] += count
        if OPEN_DATES in proof and len(self.open_dates) < NAMED:
            self.open_dates.append(id)
        if SHORT_NAME in proof and len(self.short_names) < NAMED:
            self.short_names.append(id)

    def counts(self) -> dict[str, int]:
        """Return what a progress display shows: what is done."""
        return {
            "documents": self.documents,
            "characters": self.characters,
            "spans": self.labels.total(),
            "failures": len(self.failures),
        }

    def taken_over(self) -> dict[str, int]:
        """Return how much of the counts an interrupted run had done."""
        return {"documents": self.resumed, "characters": self.resumed_characters}

    def share_done(self) -> float | None:
        """Return the share of the characters read that is done; None in the middle of a batch."""
        if self.behind:
            return None
        return self.characters / self.read_characters if self.read_characters else 1.0

    def fail(self, size: int, failure: Failure, *, name: str = "") -> None:
        """Count a document of so many characters that failed, which may have another name."""
        if name:
            self.failure_names[failure.id] = name
        self.documents += 1
        self.characters += size
        self.failures.append(failure)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run did.

    `documents` and `characters` are all that were read, those of failed documents included;
    `labels` are the spans per label of the documents that were written. `seconds` is the wall time
    of reading, detecting and writing, and `startup_seconds` what came before: loading the model and
    tables, looks at the input; None where nobody told. `resumed` are the documents taken over from
    a run that was interrupted, with `resumed_characters`; rates are of the others. `with_ids` tells
    whether ids stand in columns or fields of the output, and `ids_stay` whether ids and references
    of FHIR resources stand there as they were. `proof`
    counts the original mentions that were searched for in the outputs, and the exceptions that
    were made (None where nothing was to be proved); `read_back` the documents whose files were
    read again and found equal. `facts` are what else the caller wants told, such as hashes of
    model and policy; `workers` the processes that worked at once. `language` is that of the
    model, "" where it has none, and `languages` counts the documents whose language could be
    told, None where nobody tried; `language_ids` are the ids of the first of each, up to `NAMED`,
    and `first_language` is that of the first documents together. `open_dates` are the ids of the
    first documents that do not tell the order of their dates, up to `NAMED`; `short_names` those in
    which a name may stand that is too short to be looked for.
    `passed_over` are the files below the folders that were not read, since their names are none of
    the format's: nothing was found or removed in them; `passed_names` are the first of them, up to
    `NAMED`. `other_files` are those in the output folder that were there and that the run has not
    written. `columns` are those of tables that were read (`scrubjay.batch.rows`), None where there
    was none, or nobody looked. `patients_apart` are the documents that do not follow the others of
    their patient, so that they are no record with them. `failure_names` tell how others refer to
    resources that failed, by their ids.
    """

    command: str
    documents: int
    characters: int
    labels: dict[str, int]
    failures: tuple[Failure, ...]
    seconds: float
    model: str
    policy: str | None
    output: str
    resumed: int = 0
    resumed_characters: int = 0
    with_ids: bool = False
    ids_stay: bool = False
    proof: Mapping[str, int] | None = None
    read_back: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    workers: int = 1
    language: str = ""
    languages: Mapping[str, int] | None = None
    language_ids: Mapping[str, Sequence[str]] = field(default_factory=dict)
    open_dates: Sequence[str] = ()
    short_names: Sequence[str] = ()
    passed_over: int = 0
    passed_names: tuple[str, ...] = ()
    other_files: int = 0
    columns: Mapping[str, Any] | None = None
    first_language: str = ""
    patients_apart: int = 0
    startup_seconds: float | None = None
    failure_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def strange(self) -> dict[str, int]:
        """Return how many documents look to be in another language than the model, by language.

        Nothing for a model of a language that is not among those that are told apart.
        """
        told = self.languages or {}
        others = {code: n for code, n in told.items() if code != self.language}
        return others if self.language in NAMES else {}

    @property
    def strange_ids(self) -> dict[str, list[str]]:
        """Return the ids of the first of those documents, by language, of each up to `NAMED`."""
        return {code: list(self.language_ids.get(code, ())) for code in sorted(self.strange)}

    @property
    def much_is_strange(self) -> bool:
        """Tell whether such documents are one in twenty or more of those that could be told."""
        strange = sum(self.strange.values())
        return strange > 0 and strange >= STRANGE_SHARE * sum((self.languages or {}).values())

    @property
    def most_is_strange(self) -> bool:
        """Tell whether more than half of the documents look to be in another language.

        More than half of those that could be told; where most tell nothing alone, the first ones
        together.
        """
        if self.language in NAMES and 2 * self.untold > self.documents:
            return self.first_language not in ("", self.language)
        return 2 * sum(self.strange.values()) > sum((self.languages or {}).values())

    @property
    def strange_whole(self) -> str:
        """Return the one other language that the whole input looks to be in; "" if a part does not.

        Fewer than one in twenty of the documents that could be told are in any other, and the first
        ones together look to be in none; where most tell nothing alone, they look to be in this.
        """
        told = self.languages or {}
        most = max(told, key=lambda code: (told[code], code), default=self.first_language)
        others = sum(told.values()) - told.get(most, 0)
        mixed = others > 0 and others >= STRANGE_SHARE * sum(told.values())
        agrees = self.first_language == most or (
            not self.first_language and 2 * self.untold <= self.documents
        )
        is_strange = most != self.language and self.language in NAMES
        return most if is_strange and agrees and not mixed else ""

    @property
    def untold(self) -> int:
        """Return how many documents do not tell their language by themselves."""
        return self.documents - sum((self.languages or {}).values())

    @property
    def slight(self) -> int:
        """Return how many rows have hardly a text, if nearly all that were read are so; else 0."""
        if self.columns is None or self.columns["slight"] < SLIGHT_SHARE * self.columns["rows"]:
            return 0
        return int(self.columns["slight"])

    @property
    def telling_ids(self) -> int | None:
        """Return how many ids show a mention of their own text; None for `annotate`."""
        return None if self.proof is None else self.proof.get(TELLING_ID, 0)

    @property
    def telling_columns(self) -> dict[str, int] | None:
        """Return how many rows have a value in a kept column that shows a mention of their text.

        They are counted by the name of the column, or the pattern that kept it where that is no
        name to show (`scrubjay.batch.metadata.kept_values`). None for `annotate`.
        """
        return self._counted(TELLING_COLUMN)

    @property
    def kept_labels(self) -> dict[str, int] | None:
        """Return how many mentions the policy keeps, by their labels; None for `annotate`."""
        return self._counted(KEPT_LABEL)

    @property
    def date_orders(self) -> dict[str, int] | None:
        """Return how many documents tell which order of the numbers in their dates.

        "dmy", "mdy", or "open" where nothing told it though a date may be either. Documents that
        do not matter, since no such date is shifted or the order is set, are not counted. None for
        `annotate`.
        """
        return self._counted(DATE_ORDER)

    def _counted(self, prefix: str) -> dict[str, int] | None:
        if self.proof is None:
            return None
        return {
            name.removeprefix(prefix): count
            for name, count in self.proof.items()
            if name.startswith(prefix) and count
        }

    @property
    def exit_code(self) -> int:
        """Return 0; 1 where a document failed, or its PHI may stand in most outputs of `deid`."""
        return 1 if self.failures or (self.proof is not None and self.most_is_strange) else 0

    def to_json(self) -> dict[str, Any]:
        """Return the summary as plain JSON values."""
        return {
            "command": self.command,
            "version": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "model": self.model,
            "policy": self.policy,
            **self.facts,
            "output": self.output,
            "documents": self.documents,
            "failed": len(self.failures),
            "failures": [
                {"id": failure.id, "stage": failure.stage, "code": failure.code}
                | ({"resource": name} if (name := self.failure_names.get(failure.id)) else {})
                for failure in self.failures
            ],
            "passed_over": self.passed_over,
            "passed_names": list(self.passed_names),
            "other_files": self.other_files,
            "characters": self.characters,
            "phi": sum(self.labels.values()),
            "phi_per_label": self.labels,
            "proof": self._proof(),
            "kept_per_label": self.kept_labels,
            "ids_stay": self.ids_stay,
            "telling_ids": self.telling_ids,
            "telling_columns": self.telling_columns,
            "date_orders": self.date_orders,
            "date_orders_open": list(self.open_dates),
            "short_names": list(self.short_names),
            "columns": self._columns(),
            "patients_apart": self.patients_apart,
            "resumed": self.resumed,
            "languages": None if self.languages is None else dict(self.languages),
            "other_languages": self.strange_ids,
            "workers": self.workers,
            "startup_seconds": None
            if self.startup_seconds is None
            else round(self.startup_seconds, 3),
            "seconds": round(self.seconds, 3),
            "documents_per_second": _rate(self.documents - self.resumed, self.seconds),
            "characters_per_second": _rate(self.characters - self.resumed_characters, self.seconds),
        }

    def _proof(self) -> dict[str, Any] | None:
        """Return what was proved of all documents that were written; None for `annotate`."""
        if self.proof is None:
            return None
        counts = dict(self.proof)
        return {
            "documents": self.documents - len(self.failures),
            "read_back": self.read_back,
            "searched": counts.pop("searched", 0),
            "exceptions": {name: counts.get(name, 0) for name in EXCEPTIONS},
        }

    def _columns(self) -> dict[str, Any] | None:
        """Return the columns that were read, with that of the patient if one was named."""
        if self.columns is None:
            return None
        patient = str(self.facts.get("patient_key") or "")
        named = [patient] if patient and not patient.startswith(ID_PATTERN) else []
        return {**self.columns, "patient": named}

    def to_text(self) -> str:
        """Return the summary as JSON text with a line end."""
        return dump_summary(self.to_json())


def dump_summary(values: Mapping[str, Any]) -> str:
    """Return a summary as JSON text that any encoding of Unicode can write, with a line end.

    Half of a character in the id of a failed document becomes an escape of JSON.
    """
    text = json.dumps(values, ensure_ascii=False, indent=1) + "\n"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _rate(count: int, seconds: float) -> float | None:
    return round(count / seconds, 1) if seconds > 0 else None
