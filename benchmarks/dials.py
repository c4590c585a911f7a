"""What the recall dial of shipped models gives and costs, over the dev notes of each language.

    python benchmarks/dials.py [MODEL ...] [--only-pictures]

Each model reads notes that were set aside, with its dial at 0, 0.5, 1, 1.5, 2 and 2.5 and as it
ships: the dev split of its corpus (but not `es`, a network of which was trained on it), the dev
notes of `corpora`, and for English the real texts with identifiers put back. Adds a row of JSON for
each dial and source to results/dials.json, and writes results/dials.md and a picture for each
language anew: results/dials-en.svg, -es.svg, -nl.svg. Rows that are there are not measured again;
without a model all are asked, the slow ones last.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from harness import CONSOLE, CORPORA, RESULTS, ROOT, Results, read_split, write_table
from out_of_the_box import measure
from put_back import read_put_back
from svg import Curve, write_curves

from scrubjay.analysis.probes import detect_all
from scrubjay.corpora import read_corpus
from scrubjay.document import Document
from scrubjay.evaluation.pairs import pair_found
from scrubjay.models import load_model

DIALS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5)

#: model -> the corpus of its language, the slow ones last.
MODELS = {
    "es-fast": "meddocan",
    "nl-fast": "nl-notes",
    "en-fast": "en-notes",
    "es": "meddocan",
    "nl-medium": "nl-notes",
    "en-medium": "en-notes",
    "nl": "nl-notes",
    "en": "en-notes",
}

#: Models that were trained on the dev split of their corpus.
SEEN = frozenset({"es"})

LANGUAGES = {"en": "English", "es": "Spanish", "nl": "Dutch"}

#: Of a row, in the order of the table.
FIGURES = ("f1", "precision", "recall", "binary-token-recall")
HEAD = (
    "model", "source", "dial", "strict F1", "precision", "recall", "token recall",
    "false positives per 1,000",
)  # fmt: skip


def read_sources(corpus: str) -> Iterator[tuple[str, list[Document]]]:
    """Yield what dials are judged by, by name: the dev split, written notes, real texts."""
    language = CORPORA[corpus][3]
    yield f"{corpus} dev", read_split(corpus, "dev")
    yield "written notes dev", list(read_corpus(ROOT / f"corpora/written-{language}/dev.jsonl"))
    if language == "en":
        yield "real texts", read_put_back("dev")


def run(name: str, results: Results) -> None:
    """Measure a model at all dials that have no row yet."""
    model: Any = load_model(name)
    shipped = float(model.manifest.config.get("recall-dial", 0.0))
    corpus = MODELS[name]
    for source, documents in read_sources(corpus):
        if name in SEEN and source.startswith(corpus):
            continue
        for dial in sorted({*DIALS, shipped}):
            key = f"{name}: {source}, {dial:g}"
            if key in results:
                continue
            found = (spans for _, spans in detect_all(model.with_dial(dial), documents))
            row = measure(list(pair_found(documents, found)), CORPORA[corpus][2])
            facts = {"model": name, "source": source, "dial": dial, "ships": dial == shipped}
            results.save(key, {**facts, **row})
            CONSOLE.print(f"{key}: strict F1 {row['f1']:.4f}")


def tabulate(rows: Sequence[dict[str, Any]]) -> None:
    """Write the table of all rows; the dial that ships is bold."""
    write_table(
        "dials",
        "Shipped models over the recall dial",
        HEAD,
        [
            [
                row["model"],
                row["source"],
                f"**{row['dial']:g}**" if row["ships"] else f"{row['dial']:g}",
                *(f"{row[figure]:.4f}" for figure in FIGURES),
                f"{row['false-positives-per-1000']:.1f}",
            ]
            for row in rows
        ],
    )


def draw(rows: Sequence[dict[str, Any]]) -> None:
    """Write a picture for each language: a colour for each model, dashes for each source."""
    for language, title in LANGUAGES.items():
        models = [name for name in reversed(MODELS) if CORPORA[MODELS[name]][3] == language]
        mine = [row for row in rows if row["model"] in models]
        sources = _sources(MODELS[models[0]])
        curves = {}
        for model in models:
            for source in sources:
                own = [row for row in mine if (row["model"], row["source"]) == (model, source)]
                if own:
                    look = (models.index(model), sources.index(source))
                    curves[f"{model}, {source}"] = _curve(own, *look)
        if curves:
            write_curves(
                RESULTS / f"dials-{language}.svg",
                f"{title}: token recall over false positives, by recall dial; rings: as it ships",
                curves,
                x="words taken for PHI among 1,000 that are none",
                y="token recall",
                log_x=True,
            )


def _curve(rows: Sequence[dict[str, Any]], colour: int, dash: int) -> Curve:
    rows = sorted(rows, key=lambda row: row["dial"])
    points = [(row["false-positives-per-1000"], row["binary-token-recall"]) for row in rows]
    return Curve(
        points,
        colour=colour,
        dash=dash,
        names=[f"{row['model']}, {row['source']}, dial {row['dial']:g}" for row in rows],
        ringed=[point for point, row in zip(points, rows, strict=True) if row["ships"]],
    )


def _sources(corpus: str) -> tuple[str, ...]:
    """Return the names of what dials are judged by, in order."""
    return f"{corpus} dev", "written notes dev", "real texts"


def _place(row: dict[str, Any]) -> tuple[str, int, float]:
    """Return where a row stands in the table: by model, source and dial."""
    return row["model"], _sources(MODELS[row["model"]]).index(row["source"]), row["dial"]


def main() -> None:
    """Measure what is missing, and write table and pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL", choices=(*MODELS, []))
    parser.add_argument("--only-pictures", action="store_true", help="measure nothing")
    options = parser.parse_args()
    results = Results("dials")
    if not options.only_pictures:
        for name in options.models or MODELS:
            run(name, results)
    rows = sorted(results.rows.values(), key=_place)
    tabulate(rows)
    draw(rows)


if __name__ == "__main__":
    main()
