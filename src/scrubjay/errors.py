"""Every exception that Scrubjay raises on purpose.

    ScrubjayError
    ├── InputError               something that was given cannot be used (exit code 2)
    │   ├── FormatError          a file breaks its format: names the file and the place
    │   ├── EncodingError        bytes that are not text in the stated encoding
    │   ├── SpanError            offsets outside the text, overlapping or empty spans
    │   ├── LabelError           a label that the label set does not know
    │   ├── ConfigError          a configuration with an unknown or invalid setting
    │   ├── NoPatientError       a document tells no patient; in a run it is a failure
    │   ├── NoCodeError          a value to make a code of is none of an id; it is a failure
    │   ├── OutputError          an output place that cannot or must not be written
    │   │   ├── FileNameError    an id that no file name can hold; the document is a failure
    │   │   └── FullDiskError    there is no room where it is written; the run can be resumed
    │   └── MissingExtraError    an optional dependency is absent; names the install command
    ├── ArtifactError            a saved model is truncated, altered, or of another version
    ├── VaultError               a vault is truncated, altered, of another version, or another key's
    │   ├── UnknownDocumentError the vault holds nothing of a document
    │   └── EditedTextError      a text is not the one that the vault knows
    ├── ProjectError             a review project is damaged, altered, or not one
    │   ├── ProjectVersionError  a project of another version of its schema
    │   ├── NotFoundError        a project has no such document, annotator or run
    │   ├── ConflictError        an edit of marks that somebody changed in the meantime
    │   ├── BlindError           marks of others, asked for before everybody is done
    │   ├── StateError           the state of a document or a run does not allow it
    │   ├── ProjectBusyError     another process holds the project for too long
    │   └── SignatureError       a signed report was altered, or signed with another key
    ├── DetectionError           detection failed on one document; the document is a failure
    │   ├── UnknownPartError     a record has a part of which nothing is known; it is a failure
    │   └── StrangeLanguageError a document is in another language than the model's; a failure
    ├── WorkerError              a worker process was lost, or could not be started
    │   ├── TimeLimitError       a document took longer than it may; the document is a failure
    │   ├── MemoryLimitError     a document needs more memory than a worker may have; a failure
    │   └── WorkerDiedError      the worker died of a document; the document is a failure
    └── ProofError               an output could not be proved safe; the document is a failure
        ├── LeakError            a known identifier or an original mention is left in it
        ├── LostMentionError     a mention has no replacement of its own
        ├── AlteredTextError     text outside the replacements is not that of the original
        └── UnstableError        what replaced a mention would not stay in a second run

A message says what happened, where (file, line or offset, document id), and what to do. It
never holds text of a document: offsets, labels, ids and code points only.
"""

from __future__ import annotations

import errno
from collections.abc import Collection
from pathlib import Path
from typing import TypeVar

Choice = TypeVar("Choice", bound=str)

_INSTEAD = {"neural": ". Or take a model that needs nothing: en-fast, es-fast, nl-fast"}
"""What else can be done where the packages of an extra are absent."""


class ScrubjayError(Exception):
    """Base of every error that Scrubjay raises on purpose."""

    exit_code = 2


class InputError(ScrubjayError):
    """Something that the user gave cannot be used.

    `path` is the file concerned and `place` the spot in it ("line 3", "offset 120"); both
    become part of the message.
    """

    def __init__(
        self, what: str, *, path: Path | str | None = None, place: str = "", hint: str = ""
    ) -> None:
        where = ", ".join(part for part in (str(path) if path is not None else "", place) if part)
        message = f"{where}: {what}" if where else what
        super().__init__(f"{message}. {hint}" if hint else message)
        self.what = what
        self.path = str(path) if path is not None else None
        self.place = place
        self.hint = hint


class FormatError(InputError):
    """A file breaks the rules of its format."""


class EncodingError(InputError):
    """Bytes that are not text in the stated encoding."""


class SpanError(InputError):
    """Offsets outside the text, an empty span, or spans that overlap where none may."""


class LabelError(InputError):
    """A label that the label set does not know."""


class ConfigError(InputError):
    """A configuration with an unknown or invalid setting."""


class NoPatientError(InputError):
    """A document tells no patient by the key that was given; in a run it is a failure."""


class OutputError(InputError):
    """An output place that cannot, or must not, be written."""


class FileNameError(OutputError):
    """An id that is too long for a file name, or no text; in a run its document is a failure."""


class FullDiskError(OutputError):
    """There is no room left where something is written; what a run has done is not lost."""


class MissingExtraError(InputError):
    """An optional dependency is absent; the message names the exact install command.

    In a clone that is another than where Scrubjay came from a package index.
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"this needs the package {package!r}, which is not installed", hint=tell_install(extra)
        )
        self.extra = extra


def tell_install(extra: str) -> str:
    """Return how an extra is installed, and what can be done without it."""
    return (
        f"Install it, in a clone of Scrubjay, with: pip install -c constraints.txt '.[{extra}]' "
        f'(where Scrubjay came from a package index: pip install "scrubjay[{extra}]")'
        f"{_INSTEAD.get(extra, '')}"
    )


class ArtifactError(ScrubjayError):
    """A saved model is truncated, altered, of another version, or not a model."""


class VaultError(ScrubjayError):
    """A vault is truncated, altered, of another version, not one, or written with another key."""


class UnknownDocumentError(VaultError):
    """A vault holds nothing of a document: it was written with another one, or has another id."""


class EditedTextError(VaultError):
    """A text was edited since it was written, so that its replacements cannot all be told."""


class ProjectError(ScrubjayError):
    """A review project is damaged, was altered by hand, or is not one."""


class ProjectVersionError(ProjectError):
    """A project has another version of the schema than this release knows."""


class NotFoundError(ProjectError):
    """A project has no document, annotator or run of that name."""


class ConflictError(ProjectError):
    """Marks were changed since they were read; nothing was written.

    `expected` is the revision that the edit was made on, `revision` the one that there is.
    """

    def __init__(self, what: str, *, expected: int, revision: int) -> None:
        super().__init__(what)
        self.expected = expected
        self.revision = revision


class BlindError(ProjectError):
    """Somebody's marks were asked for before everybody is done with the document."""


class StateError(ProjectError):
    """The state of a document or of a run does not allow what was asked for."""


class ProjectBusyError(ProjectError):
    """Another process held the project for longer than is waited."""


class SignatureError(ProjectError):
    """A signed report was altered, or was signed with another key."""


class DetectionError(ScrubjayError):
    """Detection failed on a document; the document counts as a failure."""


class UnknownPartError(DetectionError):
    """A segment or a resource of which no table tells what may stay; the record is a failure."""


class NoCodeError(InputError):
    """A value that is to go out as a code is neither text nor a number; the document fails."""


class StrangeLanguageError(DetectionError):
    """A document looks to be in another language than the model's; where asked, it fails."""


class WorkerError(ScrubjayError):
    """A worker process was lost, or could not be started."""


class TimeLimitError(WorkerError):
    """A document took longer than it may, so its worker was killed; it counts as a failure."""


class MemoryLimitError(WorkerError):
    """A document needs more memory than its worker may have; it counts as a failure."""


class WorkerDiedError(WorkerError):
    """The worker died while it processed a document, which counts as a failure."""


class ProofError(ScrubjayError):
    """An output could not be proved safe; the document counts as a failure."""


class LeakError(ProofError):
    """A known identifier, or an original mention, is left in an output."""


class LostMentionError(ProofError):
    """A mention has no replacement of its own in an output."""


class AlteredTextError(ProofError):
    """Text outside the replacements is not, character for character, that of the original."""


class UnstableError(ProofError):
    """What replaced a mention would not stay as it is in a second run."""


_ROOM = {
    errno.ENOSPC: "The disk is full: make room, or choose another place",
    errno.EDQUOT: "Your share of the disk is used up: make room, or choose another place",
    errno.EFBIG: "Files may not become so large here (ulimit -f shows the limit): raise it, or "
    "choose another place",
}
"""What to do where there is no room left, by the number of the system's error."""


def unwritable(path: Path | str, error: OSError, *, what: str = "", hint: str = "") -> OutputError:
    """Return the error for a place that the system does not let be written, to be raised.

    `what` is what should have been written there, `hint` what to do where there is room.
    """
    kind = FullDiskError if is_full(error) else OutputError
    return kind(
        f"{what} cannot be written ({error.strerror or type(error).__name__})".strip(),
        path=path,
        hint=_ROOM.get(error.errno or 0, hint),
    )


_LEAVE = "Ask its owner for leave to read it"
_READ = {
    errno.ENOENT: "Give the path of a file that is there",
    errno.ENOTDIR: "Give the path of a file that is there",
    errno.EISDIR: "Give the path of a file",
    errno.EACCES: _LEAVE,
    errno.EPERM: _LEAVE,
}
"""What to do where something cannot be read, by the number of the system's error."""


def unreadable(
    path: Path | str, error: OSError, *, kind: type[InputError] | None = None, hint: str = ""
) -> InputError:
    """Return the error for what the system does not let be read, to be raised.

    It is an `InputError`, or of another `kind`. `hint` is what to do where the reader has leave.
    """
    kind = kind or InputError
    place = Path(path)
    if place.is_symlink() and not place.exists():
        return kind("is a link to nothing", path=path, hint="Remove the link")
    advice = _READ.get(error.errno or 0, "")
    return kind(
        f"cannot be read ({error.strerror or type(error).__name__})",
        path=path,
        hint=hint if hint and advice != _LEAVE else advice,
    )


def missing(path: Path | str) -> InputError:
    """Return the error for an input that is not there, to be raised."""
    if Path(path).is_symlink():
        return InputError("is a link to nothing", path=path, hint="Remove the link")
    wild = any(character in str(path) for character in "*?[")
    return InputError(
        "there is no such file or folder",
        path=path,
        hint="Give the folder itself: * and ? are for the shell, which fills in names where they "
        "stand outside of quotes and fit some"
        if wild
        else "",
    )


def is_full(error: OSError) -> bool:
    """Tell whether an error means that there is no room left."""
    return error.errno in _ROOM


def require_choice(setting: str, value: object, known: Collection[Choice]) -> Choice:
    """Return the value of a setting, or raise `ConfigError` that lists the known ones."""
    for one in known:
        if one == value:
            return one
    raise ConfigError(f"unknown {setting} {value!r}", hint=f"Known: {', '.join(known)}")


def told_type(value: object) -> str:
    """Return what a value is, never the value: "None", "an int", "a list"."""
    if value is None:
        return "None"
    if isinstance(value, bytes):
        return "bytes"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIO' else 'a'} {name}"


def counted(number: int, thing: str) -> str:
    """Return a number of things in words of a message: "1 group", "2,000 groups"."""
    return f"{number:,} {thing}{'s' * (number != 1)}"
