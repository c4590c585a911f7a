"""Throughput by stage, from files to files: where the time of a run goes.

    python benchmarks/stages.py [MODEL ...] [--real | --once] [--tokens 300000] [--passes 3]
                                [--workers N] [--note TEXT]

Each model reads dev notes of its language, repeated under other ids until there are enough tokens
(those of its own tokenizer), as JSON lines; it finds, propagates, makes surrogates, proves and
writes. Each stage runs over all batches before the next begins, in one process. `first` is the
first pass of a model just loaded, when every word is new; the others are the best of the passes
after it, by the clock and by the processor time of the process, which says more on a machine that
is shared. Where a process may use several cores, tagging does (docs/runs.md); with `--workers` the
whole is run once more by so many processes, as `scrubjay deid --workers` does, whose start is in no
figure. `file to file` is what `scrubjay deid` does, in one go: the run, its summary, its proofs
and files. Of an ensemble the stages up to `decode` are those of its first member that reads tokens,
and `patterns` are all the others; a pool seeks its path in `combine`, and no member does. The notes
of the project are dense (a mention in about ten words); `--real` takes real texts with identifiers
put back instead (English, one in about thirty). Notes that come again find much in caches: with
`--once` no note is read twice: each pass has notes of its own, written for this project, a third
of them for the stages inside of tagging, a third for tagging and what comes after it, a third for
the whole, so that the passes after the first tell what new notes cost. Writes results/stages.json
and results/stages.md.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from harness import CONSOLE, Results, read_split, write_table
from put_back import read_put_back

from scrubjay.batch.input import Input
from scrubjay.batch.loading import loading
from scrubjay.batch.proof import Pair
from scrubjay.batch.run import deidentify_corpus
from scrubjay.batch.setup import DeidSetup
from scrubjay.batch.sink import Output
from scrubjay.batch.work import DeidWork, Runner
from scrubjay.batch.workers import Workers
from scrubjay.corpora import read_corpora, write_corpus
from scrubjay.deidentifier import Deidentified, Deidentifier
from scrubjay.document import Document, Span
from scrubjay.garbage import seldom_collected
from scrubjay.known._many import split_ahead
from scrubjay.known.detector import LayeredDetector
from scrubjay.taggers._combining.candidates import Proposals
from scrubjay.taggers._recurrent.scores import WindowScorer
from scrubjay.taggers.bilstm import BilstmDetector, BilstmTagger
from scrubjay.taggers.crf import CrfDetector, CrfTagger
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.text.tokens import Tokens
from scrubjay.transform.edits import apply_edits
from scrubjay.windows import Windowed

#: model -> the corpora of its language.
MODELS = {
    "en-fast": "en-notes",
    "es-fast": "meddocan",
    "nl-fast": "nl-notes",
    "es": "meddocan",
    "nl-medium": "nl-notes",
    "nl": "nl-notes",
    "en-medium": "en-notes",
    "en": "en-notes",
}

#: Corpora of which others were written for this project, in the same language and conventions.
WRITTEN = {
    "en-notes": Path(__file__).parent.parent / "corpora" / "written-en",
    "nl-notes": Path(__file__).parent.parent / "corpora" / "written-nl",
    "meddocan": Path(__file__).parent.parent / "corpora" / "written-es",
}

#: The stages in order; the last one is all of them in one go.
STAGES = (
    "read", "tokenize", "features", "emissions", "decode", "patterns", "combine",
    "tokenize and tag", "propagate", "surrogates", "edits", "proof", "write", "file to file",
)  # fmt: skip

KEYS = ("first", "best", "best-work")

Batch = list[Document]

#: Where the notes of a pass are told apart: the stages inside of tagging, all others, the whole.
INSIDE, WHOLE = STAGES[1:7], "file to file"


@dataclass
class Clock:
    """Seconds by stage of one pass: by the clock on the wall, and of this process's work."""

    wall: dict[str, float] = field(default_factory=dict)
    work: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time(self, stage: str) -> Iterator[None]:
        """Add what happens inside to a stage."""
        wall, work = time.perf_counter(), time.process_time()
        yield
        self.wall[stage] = self.wall.get(stage, 0.0) + time.perf_counter() - wall
        self.work[stage] = self.work.get(stage, 0.0) + time.process_time() - work


def enlarge(documents: Sequence[Document], count: Callable[[str], int], tokens: int) -> Batch:
    """Return the documents, again and again under other ids, with at least so many tokens."""
    size = sum(count(document.text) for document in documents)
    rounds = max(1, -(-tokens // max(1, size)))
    return [
        Document(f"{number}-{place}", document.text)
        for number in range(rounds)
        for place, document in enumerate(documents)
    ]


def in_batches(deidentifier: Deidentifier, documents: Sequence[Document]) -> list[Batch]:
    """Return the documents as a run would batch them."""
    return [
        [document for record in batch for document in record]
        for batch in deidentifier.batches(documents)
    ]


def find_tagger(model: Any) -> Any:
    """Return the detector that reads tokens: the model itself, or its first member that does."""
    if isinstance(model, EnsembleDetector):
        return next(m.detector for m in model.members if hasattr(m.detector, "read_tokens"))
    return model


def without_windows(model: Any) -> Any:
    """Return the detector that a run gives windows of long texts to."""
    return model.detector if isinstance(model, Windowed) else model


def tag_crf(detector: CrfDetector, batch: Sequence[Tokens], clock: Clock) -> None:
    """Time the stages inside a CRF."""
    tagger: CrfTagger = detector.tagger
    with clock.time("features"):
        encoded = tagger.model.encoder.encode(batch)
    with clock.time("emissions"):
        scores = tagger._emissions.score(encoded)
    with clock.time("decode"):
        decoded = tagger._decoder.decode(scores, encoded.bounds)
        tagger._decoder.spans(decoded, batch, source="", scores=detector.scores)


def tag_network(detector: BilstmDetector, batch: Sequence[Tokens], clock: Clock) -> None:
    """Time the stages inside a recurrent network: features is its reading of words."""
    tagger: BilstmTagger = detector.tagger
    scorer: WindowScorer = tagger._scorer
    with clock.time("features"):
        scorer._inputs.encode(batch)
    with clock.time("emissions"):
        scores, bounds = scorer.score(batch)
    with clock.time("decode"):
        decoded = tagger._decoder.decode(scores, bounds)
        tagger._decoder.spans(decoded, batch, source="", scores=detector.scores)


def detect_by_stage(model: Any, batches: Sequence[Batch], clock: Clock) -> None:
    """Time the stages inside of what finds spans, part by part."""
    tagger = find_tagger(model)
    for batch in batches:
        with clock.time("tokenize"):
            tokens = [tagger.tokenizer.tokenize(document.text) for document in batch]
        if isinstance(tagger.tagger, CrfTagger):
            tag_crf(tagger, tokens, clock)
        else:
            tag_network(tagger, tokens, clock)
        if isinstance(model, EnsembleDetector):
            others = [m.detector for m in model.members if m.detector is not tagger]
            with clock.time("patterns"):
                for other in others:
                    other.detect(batch)
    if isinstance(model, EnsembleDetector):
        for batch in batches:
            proposals = Proposals(batch, *model._runner.find(batch))
            with clock.time("combine"):
                model.combiner.combine(proposals, dial=model.dial)


def replace_and_prove(
    work: DeidWork, batch: Batch, found: Sequence[tuple[Span, ...]], clock: Clock
) -> Batch:
    """Time the stages behind the tagger on a batch, and return its new documents."""
    deidentifier, prover = work.deidentifier, work.prover
    layers, policy = deidentifier.detector, deidentifier.policy
    assert isinstance(layers, LayeredDetector)
    assert layers.propagation is not None
    spread: list[tuple[Span, ...]] = []
    with clock.time("propagate"):
        pairs = zip(batch, found, strict=True)
        split_ahead(document.text for document, spans in pairs if spans)
        for document, each in zip(batch, found, strict=True):
            spread += layers.propagation.spread([document.text], [each])
    together = list(zip(batch, spread, strict=True))
    with clock.time("surrogates"):
        chosen = [(document, policy.select(spans), "") for document, spans in together]
        plans = policy.plan_all(chosen, language=deidentifier.language)
    with clock.time("edits"):
        for document, edits in zip(batch, plans, strict=True):
            assert not isinstance(edits, Exception)
            apply_edits(document.text, edits)
    records: list[list[Pair]] = []
    results = deidentifier.transform_records([[each] for each in together])
    for document, (result,) in zip(batch, results, strict=True):
        assert isinstance(result, Deidentified)
        records.append([(document, result)])
    with clock.time("proof"):
        prover.complete(records)
        prover.prove(records)
    return [result.document for ((_, result),) in records]


def one_pass(work: DeidWork, files: tuple[Path, Path], sources: Mapping[str, Path]) -> Clock:
    """Run every stage once over the documents of a file: `sources` by the stages that read them."""
    clock = Clock()
    layers = work.deidentifier.detector
    assert isinstance(layers, LayeredDetector)
    inside = list(read_corpora([str(sources["inside"])], format="jsonl"))
    model = without_windows(layers.model)
    detect_by_stage(model, in_batches(work.deidentifier, inside), clock)
    with clock.time("read"):
        documents = list(read_corpora([str(sources["all"])], format="jsonl"))
    batches = in_batches(work.deidentifier, documents)
    found = []
    for batch in batches:
        with seldom_collected(), clock.time("tokenize and tag"):  # as in a run
            found.append(list(model.detect(batch)))
    out: list[Document] = []
    for batch, spans in zip(batches, found, strict=True):
        out += replace_and_prove(work, batch, spans, clock)
    with clock.time("write"):
        write_corpus(out, files[0], format="jsonl")
    with clock.time(WHOLE):
        run_whole(work, sources["whole"], files[1])
    return clock


def run_whole(work: DeidWork, source: Path, out: Path, workers: Runner | None = None) -> None:
    """De-identify the documents of a file, as `scrubjay deid` does."""
    deidentify_corpus(
        Input((str(source),), "jsonl"),
        Output(out),
        work=work,
        model="stages",
        workers=workers,
    )


def with_workers(
    setup: DeidSetup, count: int, run: Callable[[Path, Path, Runner], None], sources: Sequence[Path]
) -> list[float]:
    """Return the seconds of so many processes for each file, from file to file."""
    seconds = []
    with tempfile.TemporaryDirectory() as folder, Workers(setup.make_work, count=count) as workers:
        for number, source in enumerate(sources):
            began = time.perf_counter()
            run(source, Path(folder) / str(number), workers)
            seconds.append(time.perf_counter() - began)
    return seconds


def measure(
    model: str, parts: Sequence[Mapping[str, Sequence[Document]]], tokens: int, *, workers: int = 0
) -> dict[str, Any]:
    """Return the figures of a model, in a pass over each part; the same notes may come again."""
    setup = DeidSetup(model, "surrogate", b"0123456789abcdef0123456789abcdef")
    with loading():
        work = setup.make_work()
    layers = work.deidentifier.detector
    assert isinstance(layers, LayeredDetector)
    tokenizer = find_tagger(without_windows(layers.model)).tokenizer

    def count(text: str) -> int:
        return len(tokenizer.tokenize(text))

    clocks, sizes = [], []
    wholes, by_workers = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number, part in enumerate(parts):
            sources, size = {}, {}
            for name, notes in part.items():
                bare = [replace(note, spans=(), metadata={}) for note in notes]
                documents = enlarge(bare, count, tokens)
                place = Path(folder) / f"in{number}-{name}"
                write_corpus(documents, place, format="jsonl")
                (sources[name],) = place.glob("*.jsonl")
                size[name] = sum(count(document.text) for document in documents)
            places = (Path(folder) / f"w{number}", Path(folder) / f"d{number}")
            clocks.append(one_pass(work, places, sources))
            sizes.append(size)
            wholes.append(sources["whole"])
        if workers:
            run = partial(run_whole, work)
            by_workers = with_workers(setup, workers, run, wholes)
    rows: dict[str, Any] = {}
    for stage in STAGES:
        part_of = "inside" if stage in INSIDE else "whole" if stage == WHOLE else "all"
        walls = [s[part_of] / c.wall[stage] for s, c in zip(sizes, clocks, strict=True)
                 if stage in c.wall]  # fmt: skip
        works = [s[part_of] / max(c.work[stage], 1e-9) for s, c in zip(sizes, clocks, strict=True)
                 if stage in c.work]  # fmt: skip
        if walls:
            rows[stage] = {
                "first": round(walls[0]),
                "best": round(max(walls[1:] or walls)),
                "best-work": round(max(works[1:] or works)),
            }
    if by_workers:
        speeds = [s["whole"] / seconds for s, seconds in zip(sizes, by_workers, strict=True)]
        best = round(max(speeds[1:] or speeds))
        rows[f"{WHOLE}, {workers} workers"] = {"first": round(speeds[0]), "best": best}
    return {"tokens": sizes[-1]["all"], "documents": len(documents), "stages": rows}


def notes_for(model: str, *, kind: str, passes: int) -> list[Mapping[str, Sequence[Document]]]:
    """Return the notes of each pass: dev notes or real texts again and again, or others each."""
    names = ("inside", "all", "whole")
    if kind != "once":
        notes = read_put_back("dev") if kind == "real" else read_split(MODELS[model], "dev")
        return [dict.fromkeys(names, notes)] * (passes + 1)
    folder = WRITTEN[MODELS[model]]
    written = list(read_corpora([str(folder / "train.jsonl")], format="jsonl"))
    step = len(names) * (passes + 1)
    return [
        {name: written[3 * number + place :: step] for place, name in enumerate(names)}
        for number in range(passes + 1)
    ]


def show(results: Results) -> None:
    """Write the table of the models measured so far."""
    rows = [
        (name, stage, *(f"{figures[key]:,}" if key in figures else "" for key in KEYS), row["note"])
        for name, row in results.rows.items()
        for stage, figures in row["stages"].items()
    ]
    head = (
        "model", "stage", "first pass", "best pass, tokens/s", "best pass, tokens per CPU second",
        "note",
    )  # fmt: skip
    write_table("stages", "Throughput by stage, one process, from file to file", head, rows)


def main() -> None:
    """Measure the models and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--real", action="store_true", help="Real texts, identifiers put back.")
    kinds.add_argument("--once", action="store_true", help="Notes that no other pass had.")
    parser.add_argument("--tokens", type=int, default=300_000)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--workers", type=int, default=0, help="Processes for the whole besides.")
    parser.add_argument("--note", default="", help="What else ran on the machine, for example.")
    parser.add_argument("--dry", action="store_true", help="Print, and save nothing.")
    options = parser.parse_args()
    kind = "real" if options.real else "once" if options.once else "dev"
    fitting = {"real": ["en-notes"], "once": list(WRITTEN), "dev": list(MODELS.values())}[kind]
    known = [name for name, corpus in MODELS.items() if corpus in fitting]
    if unknown := sorted(set(options.models) - set(known)):
        parser.error(f"no figures for {unknown[0]}; known: {', '.join(known)}")
    results = Results("stages")
    for model in options.models or known:
        name = model + {"real": ", real texts", "once": ", new notes", "dev": ""}[kind]
        parts = notes_for(model, kind=kind, passes=options.passes)
        tokens = 0 if options.once else options.tokens
        row = measure(model, parts, tokens, workers=options.workers)
        for stage, figures in row["stages"].items():
            shown = [f"{figures[key]:>12,}" if key in figures else "" for key in KEYS]
            CONSOLE.print(f"{name:8} {stage:18}", *shown, "tokens/s")
        if not options.dry:
            results.save(name, {**row, "note": options.note})
            show(results)


if __name__ == "__main__":
    main()
