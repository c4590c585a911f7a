-- The tables of a review project, version 1.
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE annotators (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    added TEXT NOT NULL
);

CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    text BLOB NOT NULL,
    size INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    added TEXT NOT NULL,
    compared TEXT
);

CREATE TABLE assignments (
    document INTEGER NOT NULL REFERENCES documents,
    annotator INTEGER NOT NULL REFERENCES annotators,
    PRIMARY KEY (document, annotator)
) WITHOUT ROWID;

CREATE TABLE suggestions (
    document INTEGER PRIMARY KEY REFERENCES documents,
    model TEXT NOT NULL,
    spans TEXT NOT NULL,
    shown INTEGER NOT NULL CHECK (shown IN (0, 1)),
    made TEXT NOT NULL
);

CREATE TABLE versions (
    document INTEGER NOT NULL REFERENCES documents,
    annotator INTEGER NOT NULL REFERENCES annotators,
    revision INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('in progress', 'done')),
    spans TEXT NOT NULL,
    base TEXT NOT NULL,
    model TEXT NOT NULL,
    suggested TEXT NOT NULL,
    shown INTEGER NOT NULL CHECK (shown IN (0, 1)),
    seconds REAL NOT NULL DEFAULT 0,
    begun TEXT NOT NULL,
    finished TEXT,
    PRIMARY KEY (document, annotator)
) WITHOUT ROWID;

CREATE TABLE journal (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    annotator INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    action TEXT NOT NULL,
    target INTEGER,
    removed TEXT NOT NULL,
    added TEXT NOT NULL,
    batch TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (document, annotator, revision),
    FOREIGN KEY (document, annotator) REFERENCES versions
);

CREATE INDEX journal_batch ON journal (batch) WHERE batch <> '';

CREATE TRIGGER journal_keeps_what_it_holds BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is only ever added to'); END;

CREATE TRIGGER journal_loses_nothing BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is only ever added to'); END;

CREATE TABLE decisions (
    document INTEGER NOT NULL REFERENCES documents,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    choice TEXT NOT NULL,
    spans TEXT NOT NULL,
    sides TEXT NOT NULL,
    decider TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (document, start, "end")
) WITHOUT ROWID;

CREATE TABLE gold (
    document INTEGER PRIMARY KEY REFERENCES documents,
    spans TEXT NOT NULL,
    decider TEXT NOT NULL,
    at TEXT NOT NULL
);

CREATE TABLE scores (
    document INTEGER NOT NULL REFERENCES documents,
    model TEXT NOT NULL,
    disagreement REAL NOT NULL,
    margin REAL NOT NULL,
    features BLOB NOT NULL,
    PRIMARY KEY (document, model)
) WITHOUT ROWID;

CREATE TABLE queue (
    place INTEGER PRIMARY KEY,
    document INTEGER NOT NULL UNIQUE REFERENCES documents
);

CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL
        CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
    stage TEXT NOT NULL,
    share REAL NOT NULL,
    stop INTEGER NOT NULL DEFAULT 0,
    base TEXT NOT NULL,
    request TEXT NOT NULL,
    train TEXT NOT NULL,
    dev TEXT NOT NULL,
    model TEXT NOT NULL DEFAULT '',
    metrics TEXT NOT NULL DEFAULT '{}',
    error TEXT NOT NULL DEFAULT '',
    made TEXT NOT NULL,
    ended TEXT
);

CREATE TABLE sample (
    document INTEGER PRIMARY KEY REFERENCES documents,
    number INTEGER NOT NULL UNIQUE,
    stratum TEXT NOT NULL,
    stratum_documents INTEGER NOT NULL,
    predicted INTEGER NOT NULL
);
