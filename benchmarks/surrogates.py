"""Speed of surrogates: mentions per second over the gold spans of each corpus, one process.

    python benchmarks/surrogates.py [--repeat 5] [--documents 250] [--once]

Each document goes through the operator `surrogate` whole, with its own patient, so tables are
warm and nothing else is remembered from run to run. A figure is the best of `--repeat` runs, in
processor time; `kinds` gives the microseconds per mention of each kind of label alone.

What a mention tells is remembered, so these are figures of mentions that were met before. With
`--once` each document is met for the first time: a process that has gone through the training
documents goes once through the others, and `--repeat` such processes are started anew. It prints
the microseconds per mention, and those of a second time, the best of the processes each, and
saves nothing.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from harness import CONSOLE, CORPORA, Results, read_split, write_table

from scrubjay.document import Document
from scrubjay.labels import kind_of
from scrubjay.transform.operators import Mention, Record
from scrubjay.transform.surrogates.operator import Surrogate

#: A key for measurements alone.
KEY = b"benchmarks of surrogates, no secret"

Work = list[tuple[list[Mention], Record]]


def work_of(documents: Sequence[Document], language: str) -> Work:
    """Return the mentions of each document with its record."""
    work: Work = []
    for document in documents:
        mentions = [
            Mention(span, document.text[span.start : span.end], document.id)
            for span in document.spans
        ]
        work.append((mentions, Record(document.id, "", document.text, language)))
    return work


def by_kind(work: Work) -> dict[str, Work]:
    """Return the same work apart for each kind of label."""
    apart: dict[str, Work] = defaultdict(list)
    for mentions, record in work:
        groups: dict[str, list[Mention]] = defaultdict(list)
        for mention in mentions:
            groups[kind_of("", mention.span.label)].append(mention)
        for kind, group in groups.items():
            apart[kind].append((group, record))
    return dict(sorted(apart.items()))


def seconds_of(work: Work, language: str, repeat: int) -> float:
    """Return the least processor time of the runs, after one that warms the tables."""
    operator = Surrogate(KEY, language)

    def run() -> None:
        for mentions, record in work:
            operator.replace_all(mentions, record)

    run()
    return min(timed(run) for _ in range(repeat))


def times_of_first_and_second(corpus: str, documents: int) -> tuple[float, float]:
    """Return the microseconds per mention of documents met for the first time, and again.

    For a process of its own: what it does once is the first time no longer.
    """
    language = CORPORA[corpus][3]
    operator = Surrogate(KEY, language)

    def run(work: Work) -> None:
        for mentions, record in work:
            operator.replace_all(mentions, record)

    run(work_of(read_split(corpus, "train"), language))
    work = work_of(read_split(corpus, "dev")[:documents], language)
    each = 1e6 / sum(len(mentions) for mentions, _ in work)
    first = timed(lambda: run(work))
    return first * each, timed(lambda: run(work)) * each


def print_once(repeat: int, documents: int) -> None:
    """Print what documents cost that are met for the first time, in each corpus."""
    for corpus in CORPORA:
        # A new process for each measurement, and one at a time.
        with ProcessPoolExecutor(
            1, mp_context=get_context("spawn"), max_tasks_per_child=1
        ) as processes:
            tasks = [
                processes.submit(times_of_first_and_second, corpus, documents)
                for _ in range(repeat)
            ]
            firsts, seconds = zip(*[task.result() for task in tasks], strict=True)
        CONSOLE.print(
            f"{corpus}: {min(firsts):.1f} us a mention at first, {min(seconds):.1f} again"
        )


def timed(function: Callable[[], None]) -> float:
    """Return the processor time of one call, in seconds."""
    began = time.process_time()
    function()
    return time.process_time() - began


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--documents", type=int, default=250)
    parser.add_argument("--once", action="store_true")
    options = parser.parse_args()
    if options.once:
        print_once(options.repeat, options.documents)
        return
    results = Results("surrogates")
    for corpus, (_, _, _, language) in CORPORA.items():
        if corpus in results:
            continue
        work = work_of(read_split(corpus, "dev")[: options.documents], language)
        mentions = sum(len(group) for group, _ in work)
        kinds = {
            kind: round(
                1e6 * seconds_of(part, language, options.repeat) / sum(len(g) for g, _ in part), 1
            )
            for kind, part in by_kind(work).items()
        }
        row = {
            "documents": len(work),
            "mentions": mentions,
            "mentions-per-second": round(mentions / seconds_of(work, language, options.repeat)),
            "kinds": kinds,
        }
        results.save(corpus, row)
    rows = [
        (corpus, row["documents"], row["mentions"], row["mentions-per-second"])
        for corpus, row in results.rows.items()
    ]
    head = ("corpus", "documents", "mentions", "mentions per second")
    write_table("surrogates", "Surrogates for gold mentions, one process", head, rows)


if __name__ == "__main__":
    main()
