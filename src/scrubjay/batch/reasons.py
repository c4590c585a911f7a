"""Why a document failed: every code of a failure with what it means and what can be done.

A failure tells a stage and the class name of an error and no more, since messages of errors may
name what is in a document. The same table stands in docs/runs.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scrubjay.deidentifier import Failure

_LINK = re.compile(r"\[([^]]+)]\(([^)]+)\)")


@dataclass(frozen=True, slots=True)
class Reason:
    """What a code means, and what to do about it."""

    cause: str
    action: str


REASONS: Mapping[str, Reason] = {
    "NoPatientError": Reason(
        "its id, or its columns, tell no patient by `--patient-key`",
        "give a pattern that matches whole ids (`'id:(.+)-[^-]+'` takes 17 from 17-03), or a "
        "column that no row leaves empty; a pattern begins with `id:`",
    ),
    "UnknownPatientError": Reason(
        "its patient is not in the file of `--identifiers`",
        "correct that file or `--patient-key`, or leave such documents to the model: "
        "`--unknown-patient pass`",
    ),
    "NoCodeError": Reason(
        "its id under `--code-ids`, or a value under `--code-column`, is neither text nor a "
        "number: true, a list, an object",
        "make a text or a number of it, or make no codes of its key",
    ),
    "StrangeLanguageError": Reason(
        "it, or a piece of it, looks to be in another language than the model's, and "
        "`--strict-language` lets no such document through",
        "run such documents alone, into another folder, with a `--model` of their language "
        "(`scrubjay models list`)",
    ),
    "UnknownPartError": Reason(
        "an HL7 segment or a FHIR resource that no table knows, or a file in one that nothing "
        "looks into (a PDF, RTF, an image)",
        "`--unknown-parts drop` leaves it out; `text` searches it as free text, but for files in a "
        "resource",
    ),
    "TimeLimitError": Reason(
        "it took longer than `--time-limit`",
        "give it more time, or look what it holds: a note of many megabytes, a picture as text",
    ),
    "MemoryLimitError": Reason(
        "it needs more memory than `--memory-limit`",
        "give it more memory, or fewer `--workers`",
    ),
    "WorkerDiedError": Reason(
        "the process died of it twice: mostly the system ended it for its memory",
        "fewer `--workers`, or a machine with more memory",
    ),
    "MemoryError": Reason(
        "there was no memory left", "fewer `--workers`, or a machine with more memory"
    ),
    "LeakError": Reason(
        "what was found in the record, or is known of the patient, would still stand in the new "
        "text; or a surrogate is itself a name, place or number of the note",
        "leave `--no-propagate` out; with surrogates take another key, or another policy; else "
        "name what is left in `--deny`, or blacken the note by hand",
    ),
    "LostMentionError": Reason(
        "a mention that was found has no replacement of its own",
        "this is an error of Scrubjay, or of an operator of your own: report it",
    ),
    "AlteredTextError": Reason(
        "text outside the replacements was changed, or the file, read back, holds another text",
        "write another format (`scrubjay convert` to `jsonl` first)",
    ),
    "UnstableError": Reason(
        "what replaced a mention would be changed by a second run",
        "report it; another policy may do",
    ),
    "FileNameError": Reason(
        "no file can be named after its id: too long, or half of a character",
        "rename the file, or give another column as the id",
    ),
    "FormatError": Reason(
        "its format cannot hold it: a character that XML or a table of text cannot have, fields "
        "that the first row lacks, or a row without an id",
        "write another format (`scrubjay convert` to `jsonl` first)",
    ),
    "EncodingError": Reason(
        "the encoding of the output has no such character", "leave `--encoding` out: UTF-8 has all"
    ),
    "LabelError": Reason(
        "its format cannot write a label: one with a blank, or one that the label set lacks",
        "write another format, or map the labels (`scrubjay convert --label-map`)",
    ),
    "SpanError": Reason(
        "spans that overlap, or that end beyond the text: of the model, or of a detector of "
        "your own",
        "this is an error of the model or of Scrubjay: report it",
    ),
    "DetectionError": Reason(
        "the model gave no answer for it, or its fields need what only `scrubjay deid` has",
        "from Python, take `scrubjay.batch.setup.DeidSetup`; else report it",
    ),
    "ConfigError": Reason(
        "no surrogate is left for a mention: the note holds all that the tables have",
        "give its label another operator, such as `placeholder`, in [a policy of yours]"
        "(policies.md)",
    ),
    "InputError": Reason(
        "something that it needs cannot be read", "try it alone: `scrubjay deid FILE`"
    ),
    "VaultError": Reason(
        "the vault cannot hold it, or is damaged, so that it could not be restored",
        "`scrubjay vault info` tells whether it is whole: then report it, else take its copy",
    ),
    "UnknownDocumentError": Reason(
        "the vault holds nothing of it: another vault, or another id",
        "name files as they were, and give the vault that was written with them",
    ),
    "EditedTextError": Reason(
        "it was edited since, so that its replacements cannot all be told",
        "`--edited partial` restores what is certain",
    ),
}
"""Code -> its reason, those that can be mended first."""

OTHER = Reason(
    "an error that nobody foresaw, in Scrubjay or in a library",
    "report stage, code and version, and nothing of the note; try it alone, or with another model",
)
"""What is said of every other code: the name of a class of Python or of a library."""


def reason_of(code: str) -> Reason:
    """Return what a code means and what to do, `OTHER` for one that is in no table."""
    return REASONS.get(code, OTHER)


def explain(failures: Iterable[Failure]) -> Iterator[str]:
    """Yield a line for each code of some failures, the most frequent first, without Markdown."""
    counts = Counter(failure.code for failure in failures)
    for code, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
        reason = reason_of(code)
        line = f"{code}: {reason.cause}. What to do: {reason.action}"
        yield _LINK.sub(r"\1 (docs/\2)", line).replace("`", "")
