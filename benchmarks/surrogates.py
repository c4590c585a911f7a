"""Speed of surrogates: mentions per second over the gold spans of each corpus, one process.

    python benchmarks/surrogates.py [--repeat 5] [--documents 250]

Each document goes through the operator `surrogate` whole, with its own patient, so tables are
warm and nothing else is remembered from run to run. A figure is the best of `--repeat` runs, in
processor time; `kinds` gives the microseconds per mention of each kind of label alone.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

from harness import CORPORA, Results, read_split, write_table

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
    options = parser.parse_args()
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
