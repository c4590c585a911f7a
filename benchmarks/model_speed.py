"""Tokens per second of models, from text to scored spans, in one process and in two.

    python benchmarks/model_speed.py MODEL...

runs each model over MEDDOCAN dev: the first pass, when every word is new, and the best and the
middle one of five more. Two processes each take every second document, begin together, and the
slower one counts. Tokens are those of the tokenizer of `zhao2020-crf`, for every model alike.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import time
from collections.abc import Sequence
from multiprocessing.synchronize import Barrier
from typing import Any

from harness import CONSOLE, Results, read_split, write_table

from scrubjay.document import Document
from scrubjay.models import describe_model, load_model
from scrubjay.text.tokenizers import make_tokenizer

PASSES = 5


def run_passes(
    model: str, documents: Sequence[Document], together: Barrier | None = None
) -> list[float]:
    """Return the seconds of the first pass and of `PASSES` more."""
    detector = load_model(model)
    seconds = []
    for _ in range(PASSES + 1):
        if together is not None:
            together.wait()
        began = time.perf_counter()
        detector.detect(documents)
        seconds.append(time.perf_counter() - began)
    return seconds


def _run_apart(model: str, documents: Sequence[Document], together: Barrier, answers: Any) -> None:
    answers.put(run_passes(model, documents, together))


def run_two(model: str, documents: Sequence[Document]) -> list[float]:
    """Return the seconds of each pass of two processes that share the documents."""
    context = multiprocessing.get_context("spawn")
    together, answers = context.Barrier(2), context.Queue()
    workers = [
        context.Process(target=_run_apart, args=(model, documents[part::2], together, answers))
        for part in range(2)
    ]
    for worker in workers:
        worker.start()
    both = [answers.get() for _ in workers]
    for worker in workers:
        worker.join()
    return [max(seconds) for seconds in zip(*both, strict=True)]


def main() -> None:
    """Measure each model and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+")
    documents = [document.with_spans(()) for document in read_split("meddocan", "dev")]
    tokenizer = make_tokenizer("subword", uppercase="camel")
    tokens = sum(len(tokenizer.tokenize(document.text)) for document in documents)
    results = Results("model-speed")
    for model in parser.parse_args().models:
        name = describe_model(model).manifest.name
        for what, run in (("one process", run_passes), ("two processes", run_two)):
            first, *warm = run(model, documents)
            row = {
                "tokens": tokens,
                "first": round(tokens / first),
                "best": round(tokens / min(warm)),
                "middle": round(tokens / statistics.median(warm)),
            }
            results.save(f"{name}, {what}", row, seed=0)
            CONSOLE.print(f"{name}, {what}: {row['best']:,} tokens/s")
    rows = [
        (key, *(f"{row[figure]:,}" for figure in ("first", "middle", "best")), row["run"]["commit"])
        for key, row in results.rows.items()
    ]
    head = ("model", "first pass", "middle pass", "best pass, tokens/s", "commit")
    write_table("model-speed", "Tokens per second, text to scored spans", head, rows)


if __name__ == "__main__":
    main()
