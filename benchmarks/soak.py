"""A soak: many generated documents, a process that is killed again and again, nothing amiss.

    python benchmarks/soak.py [--documents 50000] [--kills 40] [--format jsonl]
        [--policy surrogate] [--vault] [--workers N] [--time-limit SECONDS]

A child process de-identifies the documents and is killed (SIGKILL) at random moments, then started
again with what `scrubjay deid --resume` does, until it has been killed so often and is let to end.
Its output must be, byte for byte, that of a run that nobody killed: no document lost, none twice,
none with an original left; each document that must fail has failed once. The detector is an oracle
that passes over some repeated mentions, raises on some documents, and takes a little time.

With `--vault` the run keeps a vault, which is killed with it: at the end it must hold one record of
each document that was written, and give back every original, character for character.

With `--workers` the oracle is in so many processes, and the run that nobody killed is in one. With
`--time-limit` the oracle hangs on some documents and kills its process on others: they fail, all
others do not, and no worker outlives its run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

from harness import CONSOLE, Results, write_table

from scrubjay.batch.input import Input
from scrubjay.batch.resume import WORK
from scrubjay.batch.run import deidentify_corpus
from scrubjay.batch.sink import Output
from scrubjay.batch.work import DeidWork
from scrubjay.batch.workers import TOGETHER, Workers
from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.deidentifier import Deidentifier
from scrubjay.document import Document, Span
from scrubjay.transform.policy import find_policy
from scrubjay.transform.restoring import restore_exactly
from scrubjay.transform.vault import VaultWriter, open_vault

KEY = b"a key that guards generated text"
VAULT_KEY = b"another key for the vault of it"
MARK = "SCRUBJAY_SOAK"  # in the environment of every process of a soak
MARKED = {**os.environ, MARK: f"soak {os.getpid()}"}
RECORD = 4  # documents of a patient
FIRST = ("Zaria", "Olvin", "Merrit", "Dasha", "Corwyn", "Ilka", "Torben", "Yusra", "Benedik")
SYLLABLES = (
    "bor", "lin", "quas", "tem", "vor", "ash", "dun", "grel", "mik", "sot", "wend", "yarr",
    "kos", "plim", "tra", "zeb",
)  # fmt: skip
FILLER = (
    "Came for review of cough and fatigue.", "Lungs clear, no wheeze.", "Plan: rest and fluids.",
    "Blood pressure 128/82.", "Continue metformin 500 mg twice daily.", "Denies chest pain.",
)  # fmt: skip


def _random(*what: object) -> random.Random:
    return random.Random(hashlib.sha256(repr(what).encode()).digest())


def make_document(number: int) -> tuple[Document, tuple[Span, ...]]:
    """Return a generated document with all its spans; those of one patient share a name."""
    own, patient = _random("document", number), _random("patient", number // RECORD)
    surname = "".join(patient.sample(SYLLABLES, 3)).capitalize()
    name = f"{patient.choice(FIRST)} {surname}"
    record = str(patient.randrange(10**7, 10**8))
    date = f"{own.randrange(1, 13):02d}/{own.randrange(1, 29):02d}/{own.randrange(2001, 2024)}"
    phone = f"{own.randrange(200, 999)}-555-{own.randrange(1000, 9999)}"
    values = {"PATIENT": name, "MEDICALRECORD": record, "DATE": date, "PHONE": phone}
    pieces: list[str] = [f"note {number}\r\n"]
    spans: list[Span] = []
    mentions = [*values.items(), *own.choices(list(values.items()), k=own.randrange(1, 6))]
    for label, value in mentions:
        before = f"{own.choice(FILLER)} {label.lower()}: "
        start = sum(map(len, pieces)) + len(before)
        shown = value.upper() if own.random() < 0.1 else value
        pieces += [before, shown, own.choice(["\n", ". ", "\r\n\r\n", "; "])]
        spans.append(Span(start, start + len(shown), label, score=0.9, source="oracle"))
    patient_id, note = divmod(number, RECORD)
    return Document(f"{patient_id:06d}-{note}", "".join(pieces)), tuple(spans)


def number_of(document: Document) -> int:
    """Return the number of a generated document."""
    patient, note = document.id.split("-")
    return int(patient) * RECORD + int(note)


def must_fail(number: int, limited: bool) -> bool:
    """Tell whether the oracle raises on a document or, in a worker, hangs or dies of it."""
    return number % 97 == 11 or (limited and number % 1009 in (7, 507))


@dataclass(frozen=True)
class Oracle:
    """Knows the spans of generated documents, save some repeated mentions, and is slow."""

    seconds: float = 0.0
    limited: bool = False
    labels: ClassVar[tuple[str, ...]] = ("PATIENT", "MEDICALRECORD", "DATE", "PHONE")

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, or raise with its text in the message."""
        return [self._detect(document) for document in documents]

    def _detect(self, document: Document) -> tuple[Span, ...]:
        number = number_of(document)
        if must_fail(number, self.limited):
            if number % 1009 == 7:
                time.sleep(86_400)
            if number % 1009 == 507:
                os.kill(os.getpid(), signal.SIGKILL)
            raise RuntimeError(document.text)
        if self.seconds:
            time.sleep(self.seconds)
        chance = _random("missed", number)
        spans = make_document(number)[1]
        return tuple(
            s for n, s in enumerate(spans) if n < len(self.labels) or chance.random() < 0.7
        )


def patient_of(document: Document) -> str:
    """Return the patient of a generated document."""
    return document.id.split("-")[0]


def make_deidentifier(policy: str, seconds: float, limited: bool) -> Deidentifier:
    """Return the de-identifier of a soak."""
    return Deidentifier(
        Oracle(seconds, limited),
        find_policy(policy, key=KEY),
        batch_characters=20_000,
        patient_of=patient_of,
        language="en",
    )


def make_work(policy: str, seconds: float, limited: bool, vault: bool) -> DeidWork:
    """Return the work of a soak, as each worker makes it."""
    return DeidWork(make_deidentifier(policy, seconds, limited), "replace", vault)


def run(
    folder: Path,
    out: Path,
    *,
    policy: str,
    format: str,
    seconds: float,
    time_limit: float | None = None,
    workers: int = 0,
    vault: Path | None = None,
) -> dict[str, Any]:
    """De-identify the documents, going on with an interrupted run, and return the summary."""
    limited = time_limit is not None
    shape = make_deidentifier(policy, seconds, limited)
    make = partial(make_work, policy, seconds, limited, vault is not None)
    store = VaultWriter(vault, VAULT_KEY, interrupted="resume") if vault else nullcontext()
    several = nullcontext()
    if workers or limited:
        several = Workers(make, count=workers or 1, seconds=time_limit)
        shape = replace(shape, batch_documents=TOGETHER) if limited else shape
    with several as processes, store as writer:
        summary = deidentify_corpus(
            Input((str(folder),), format=format), Output(out),
            work=DeidWork(shape, "replace", vault is not None), workers=processes, model="oracle",
            interrupted="resume", vault=writer,
        )  # fmt: skip
    return summary.to_json()


def generate(documents: int) -> Iterator[Document]:
    """Yield the documents of a soak."""
    for number in range(documents):
        yield make_document(number)[0]


def kill_often(command: list[str], out: Path, *, kills: int, step: int, seed: int) -> list[int]:
    """Kill the child at random moments; return the size of the journal after each, in bytes.

    A moment is a random time from the start (so that beginnings are hit, too), or when the
    journal has grown by a random number of bytes, at most `step`.
    """
    moments = random.Random(seed)
    journal = out / WORK / "journal"
    sizes = [0]
    while len(sizes) <= kills:
        latest = time.monotonic() + moments.uniform(0.0, 3.0)
        wanted = sizes[-1] + moments.randrange(step)
        by_time = moments.random() < 0.25
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=MARKED)
        while child.poll() is None:
            if time.monotonic() >= latest if by_time else _size(journal) >= wanted:
                child.send_signal(signal.SIGKILL)
            time.sleep(0.002)
        if child.returncode != -signal.SIGKILL:
            raise SystemExit(f"the child ended before kill {len(sizes)}: ask for fewer kills")
        sizes.append(_size(journal))
    return sizes


def workers_left() -> int:
    """Return how many processes of the soak go on, after the time in which they end themselves."""
    mark = f"{MARK}={MARKED[MARK]}".encode()
    end = time.monotonic() + 30
    while True:
        found = 0
        for place in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                found += mark in place.read_bytes()
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.5)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def verify(whole: Path, out: Path, *, expected: set[str], format: str) -> dict[str, int]:
    """Return how many documents are lost, doubled, leaking or different from the whole run."""
    seen: dict[str, int] = {}
    leaking = 0
    for document in read_corpus(out, format=format):
        seen[document.id] = seen.get(document.id, 0) + 1
        original, spans = make_document(number_of(document))
        secrets = {original.text[span.start : span.end].casefold() for span in spans}
        leaking += any(secret in document.text.casefold() for secret in secrets)
    files = {path.name: path.read_bytes() for path in sorted(whole.rglob("*")) if path.is_file()}
    killed = {path.name: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    return {
        "lost": len(expected - seen.keys()),
        "doubled": sum(count - 1 for count in seen.values()),
        "unexpected": len(seen.keys() - expected),
        "leaking": leaking,
        "different files": len(files.items() ^ killed.items()),
    }


def verify_vault(vault: Path, out: Path, *, expected: set[str], format: str) -> dict[str, int]:
    """Return how many records a vault lacks or has too many, and texts it does not give back."""
    wanted = Counter(expected)
    wrong = 0
    with open_vault(vault, VAULT_KEY) as opened:
        held = Counter(record.document_id for record in opened.records())
        for document in read_corpus(out, format=format):
            record = opened.find_for(document.id, document.text)
            original = make_document(number_of(document))[0].text
            wrong += (
                record is None or restore_exactly(document.text, record).edited.text != original
            )
    return {
        "records lost": (wanted - held).total(),
        "records too many": (held - wanted).total(),
        "not restored": wrong,
        "vaults left behind": len(list(vault.parent.iterdir())) - 1,
    }


def soak(options: argparse.Namespace, settings: dict[str, Any], folder: Path) -> dict[str, int]:
    """Run, kill, go on, and save the figures; return what is wrong, by its name."""
    source, whole, out = (folder / part for part in ("in", "whole", "out"))
    vault = folder / "vaults" / "vault"
    vault.parent.mkdir()
    write_corpus(generate(options.documents), source, format=options.format)
    begin = time.perf_counter()
    alone = {} if options.time_limit else {"workers": 0}
    run(source, whole, **settings | {"seconds": 0.0} | alone)
    seconds = time.perf_counter() - begin
    command = [sys.executable, *sys.argv, "--child", str(source), str(out), str(vault)]
    written = sum(path.stat().st_size for path in whole.rglob("*") if path.is_file())
    step = 2 * written // (options.kills + 3)
    sizes = kill_often(command, out, kills=options.kills, step=step, seed=options.seed)
    ended = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, env=MARKED)
    summary = json.loads(ended.stdout)
    numbers = range(options.documents)
    kept = [n for n in numbers if not must_fail(n, options.time_limit is not None)]
    expected = {make_document(number)[0].id for number in kept}
    wrong = verify(whole, out, expected=expected, format=options.format)
    if options.vault:
        wrong |= verify_vault(vault, out, expected=expected, format=options.format)
    if options.time_limit or options.workers:
        wrong["workers left behind"] = workers_left()
    wrong["failures amiss"] = abs(summary["failed"] - (options.documents - len(kept)))
    wrong["left behind"] = int((out / WORK).exists())
    row = {
        "documents": options.documents,
        "kills": options.kills,
        "kills after progress": sum(before < after for before, after in pairwise(sizes)),
        "failed as they must": summary["failed"],
        "searched": summary["proof"]["searched"],
        "documents/s": round(options.documents / seconds),
        **wrong,
    }
    save(options, row)
    CONSOLE.print(row)
    return wrong


def save(options: argparse.Namespace, row: dict[str, Any]) -> None:
    """Add the figures of a run, and write the table anew."""
    results = Results("soak")
    name = f"{options.policy} {options.format}{' with a vault' if options.vault else ''}"
    if options.time_limit or options.workers:
        name += f" in {options.workers} workers" if options.workers > 1 else " in a worker"
    results.save(name, row, seed=options.seed)
    head = list(dict.fromkeys(key for entry in results.rows.values() for key in entry))
    head.remove("run")
    rows = [
        [key, *(entry.get(column, "") for column in head)] for key, entry in results.rows.items()
    ]
    write_table("soak", "A run killed again and again", ["run", *head], rows)


def main() -> None:
    """Run the soak, or the child of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--format", default="jsonl")
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.0, help="time of the oracle, each")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", help="work in a worker")
    parser.add_argument("--workers", type=int, default=0, help="work in so many workers")
    parser.add_argument("--vault", action="store_true", help="keep a vault, too")
    parser.add_argument("--child", nargs=3, metavar=("IN", "OUT", "VAULT"))
    options = parser.parse_args()
    settings = {
        name: getattr(options, name)
        for name in ("policy", "format", "seconds", "time_limit", "workers")
    }
    if options.child:
        source, out, vault = map(Path, options.child)
        kept = vault if options.vault else None
        sys.stdout.write(json.dumps(run(source, out, **settings, vault=kept)))
        return
    with tempfile.TemporaryDirectory() as name:
        wrong = soak(options, settings, Path(name))
    if any(wrong.values()):
        raise SystemExit("the soak found faults")


if __name__ == "__main__":
    main()
