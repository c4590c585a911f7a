"""Processes that write to a project, for tests that kill them or let them meet.

python -m tests.review.writers FOLDER ANNOTATOR COUNT ID...
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from scrubjay.errors import ConflictError
from scrubjay.review.marks import Add, Delete
from scrubjay.review.project import Project


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def write_marks(folder: str, annotator: str, count: int, documents: list[str]) -> None:
    """Edit documents in turn, and acknowledge each edit in a line as soon as it is made."""
    chance = random.Random(annotator)
    with Project.open(Path(folder)) as project:
        (mode,) = project._store.one("PRAGMA synchronous")
        _say("ready", mode)
        for number in range(count):
            document = documents[number % len(documents)]
            version = project.begin(document, annotator)
            start = chance.randrange(60)
            mark = next((one for one in version.marks if one.start == start), None)
            action = Add(start, start + 1, "AGE") if mark is None else Delete(mark)
            try:
                version = project.edit(document, annotator, action, revision=version.revision)
            except ConflictError:
                _say("conflict")
                continue
            marks = ",".join(str(one.start) for one in version.marks)
            _say("edit", document, version.revision, marks or "-")


if __name__ == "__main__":
    write_marks(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
