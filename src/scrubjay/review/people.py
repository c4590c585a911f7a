"""Who marks what: the annotators of a project, and the documents that each is given."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from scrubjay.errors import ConfigError, InputError, NotFoundError, StateError
from scrubjay.review.store import Row, Store, now

RESERVED = ("adjudicated", "accepted", "all", "own", "none")
"""What else stands where the name of an annotator can stand."""

_NAME = re.compile(r"\w(?:[\w .@-]{0,62}[\w@-])?")


def add_annotator(store: Store, name: str) -> None:
    """Add an annotator; one that is there already stays.

    Documents that everybody had, and that all have finished, stay with those who finished them:
    a newcomer does not make them unfinished.

    Raises `InputError` for a name that could not be a folder's or has another meaning.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            "a name of an annotator has 1 to 64 letters, digits, spaces and . _ @ -",
            hint="It begins with a letter or a digit",
        )
    if name.casefold() in RESERVED:
        raise InputError(f"an annotator cannot be called {name!r}", hint="Choose another name")
    with store.write():
        if name in annotator_names(store):
            return
        for row in store.all("SELECT name FROM annotators"):
            if row["name"] != name and row["name"].casefold() == name.casefold():
                raise InputError(
                    f"the annotator {row['name']!r} differs from {name!r} in case alone",
                    hint="Use one spelling",
                )
        _keep_finished(store)
        store.run("INSERT INTO annotators (name, added) VALUES (?, ?)", name, now())


def remove_annotator(store: Store, name: str) -> None:
    """Remove an annotator who has begun no document; others keep what they were given.

    Raises `NotFoundError` for an unknown name and `StateError` for one who has begun some or has
    documents alone, and in an audit, whose reviewers stay.
    """
    with store.write():
        if store.setting("kind") == "audit":
            raise StateError("the reviewers of an audit stay")
        number = annotator_number(store, name)
        alone = store.one(
            "SELECT COUNT(*) FROM assignments AS a WHERE annotator = ? AND NOT EXISTS (SELECT 1 "
            "FROM assignments AS b WHERE b.document = a.document AND b.annotator != a.annotator)",
            number,
        )[0]
        if alone:
            raise StateError(
                f"documents are assigned to {name!r} alone ({alone}); assign them to others first"
            )
        begun = store.one("SELECT COUNT(*) FROM versions WHERE annotator = ?", number)[0]
        if begun:
            raise StateError(
                f"{name!r} has begun documents ({begun}), and what they marked stays; "
                "scrubjay project assign gives those that are open to others"
            )
        store.run("DELETE FROM assignments WHERE annotator = ?", number)
        store.run("DELETE FROM annotators WHERE number = ?", number)


def _keep_finished(store: Store) -> None:
    """Assign the documents that everybody has finished, or that are decided, to those who did."""
    store.run(
        "INSERT INTO assignments SELECT v.document, v.annotator FROM versions AS v "
        "WHERE v.document NOT IN (SELECT document FROM assignments) AND v.state = 'done' AND "
        "(SELECT COUNT(*) FROM versions AS w WHERE w.document = v.document AND w.state = 'done') "
        "= (SELECT COUNT(*) FROM annotators)"
    )


def annotator_names(store: Store) -> tuple[str, ...]:
    """Return the names in the order in which they were added."""
    return tuple(row[0] for row in store.all("SELECT name FROM annotators ORDER BY number"))


def annotator_number(store: Store, name: str) -> int:
    """Return the number of an annotator, or raise `NotFoundError`."""
    row = store.find("SELECT number FROM annotators WHERE name = ?", name)
    if row is None:
        raise NotFoundError(
            f"the project has no annotator {name!r}. Known: "
            f"{', '.join(annotator_names(store)) or 'none'}"
        )
    return int(row[0])


def document_row(store: Store, document: str) -> Row:
    """Return the row of a document (without its text), or raise `NotFoundError`."""
    row = store.find("SELECT number, id, size, compared FROM documents WHERE id = ?", document)
    if row is None:
        raise NotFoundError(f"the project has no document {document!r}")
    return row


def holders(store: Store, document: int) -> tuple[str, ...]:
    """Return who has to mark a document: those it was assigned to, else everybody."""
    rows = store.all(
        "SELECT name FROM assignments JOIN annotators ON number = annotator "
        "WHERE document = ? ORDER BY number",
        document,
    )
    return tuple(row[0] for row in rows) or annotator_names(store)


def assign(
    store: Store,
    annotators: Sequence[str],
    *,
    documents: Sequence[str] | None = None,
    per_document: int | None = None,
) -> int:
    """Give documents to annotators and return how many assignments are new.

    Without `per_document` each document goes to all of them; with it, to so many, who take
    turns in an order that the ids of the documents decide, so that each gets about as many.
    Documents that somebody has been given already are passed over unless they are named.
    """
    if not annotators:
        raise ConfigError("nobody is named to assign documents to")
    count = len(annotators) if per_document is None else per_document
    if not 1 <= count <= len(annotators):
        raise ConfigError(f"{count} of {len(annotators)} annotators cannot be given a document")
    with store.write():
        numbers = [annotator_number(store, name) for name in dict.fromkeys(annotators)]
        if documents is None:
            rows = store.all(
                "SELECT number, id FROM documents WHERE number NOT IN "
                "(SELECT document FROM assignments) ORDER BY number"
            )
            chosen = [(int(row["number"]), str(row["id"])) for row in rows]
        else:
            chosen = [(int(document_row(store, one)["number"]), one) for one in documents]
        chosen.sort(key=lambda pair: (_place(pair[1]), pair[1]))
        pairs = [
            (document, numbers[(turn * count + step) % len(numbers)])
            for turn, (document, _) in enumerate(chosen)
            for step in range(count)
        ]
        before = store.one("SELECT COUNT(*) FROM assignments")[0]
        store.run_many("INSERT OR IGNORE INTO assignments VALUES (?, ?)", pairs)
        return int(store.one("SELECT COUNT(*) FROM assignments")[0] - before)


def _place(document: str) -> bytes:
    return hashlib.sha256(document.encode("utf-8", "surrogatepass")).digest()
