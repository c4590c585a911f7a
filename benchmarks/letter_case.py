"""What models find in notes whose capitals are lost, and in damaged ones.

    python benchmarks/letter_case.py [MODEL ...]

The written notes set aside (`corpora/written-*/dev.jsonl`) as they are, in small letters alone, in
capitals alone, and with the noise of `scrubjay synth --noise 1` (seed 5). Then capitals that are
lost in part: of all PHI in a random half of the notes, where it begins no sentence ("names"); of
all lines but the first three, or the first third if that is less ("body"); and one random paragraph
of eight words in capitals, or line where there are no paragraphs ("paragraph"). Saves strict F1,
token recall and false positives per 1,000 words that are no PHI, in results/letter-case.json and
its table.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from harness import CONSOLE, Results, write_table
from out_of_the_box import measure

from scrubjay.analysis.probes import detect_all
from scrubjay.corpora import read_corpus
from scrubjay.corpora.recasing import lower_case, upper_case
from scrubjay.document import Document
from scrubjay.evaluation.pairs import pair_found
from scrubjay.models import load_model
from scrubjay.synthesis.noise import add_noise, noise_rates

LABEL_SETS = {"en": "i2b2-2014", "es": "meddocan", "nl": "trienes-2020"}
MODELS = ("en", "en-medium", "en-fast", "es", "es-fast", "nl", "nl-medium", "nl-fast")
CORPORA = Path(__file__).parents[1] / "corpora"
SEED = 5
HEAD, WORDS, HALF, NEAR = 3, 8, 0.5, 6
BEGIN = re.compile(r"(?:\A|\n|[.!?:])[^\w\n]*\Z")
LINE, PARAGRAPH = re.compile(r"[^\n]+"), re.compile(r"(?:[^\n]+\n?)+")


def _in_capitals(document: Document) -> Document:
    return replace(document, text=upper_case(document.text))


def _in_small_letters(document: Document) -> Document:
    return replace(document, text=lower_case(document.text))


def _with_small_names(documents: Sequence[Document]) -> list[Document]:
    rng = Random(SEED)
    return [_small_names(one) if rng.random() < HALF else one for one in documents]


def _small_names(document: Document) -> Document:
    text = document.text
    letters = list(text)
    for span in document.spans:
        begins = BEGIN.search(text[max(0, span.start - NEAR) : span.start]) is not None
        letters[span.start + begins : span.end] = lower_case(text[span.start + begins : span.end])
    return replace(document, text="".join(letters))


def _small_body(document: Document) -> Document:
    lines = [line.end() for line in LINE.finditer(document.text)]
    head = lines[min(HEAD, max(1, len(lines) // HEAD)) - 1] if lines else 0
    return replace(document, text=document.text[:head] + lower_case(document.text[head:]))


def _with_paragraph(documents: Sequence[Document]) -> list[Document]:
    rng = Random(SEED)
    return [_paragraph_in_capitals(one, rng) for one in documents]


def _paragraph_in_capitals(document: Document, rng: Random) -> Document:
    text = document.text
    parts = [part.span() for part in PARAGRAPH.finditer(text)]
    if len(parts) == 1:
        parts = [line.span() for line in LINE.finditer(text)]
    long = [part for part in parts if len(text[slice(*part)].split()) >= WORDS]
    start, end = rng.choice(long or parts)
    return replace(document, text=text[:start] + upper_case(text[start:end]) + text[end:])


def _damaged(documents: Sequence[Document]) -> list[Document]:
    rng, rates = Random(SEED), noise_rates(1)
    return [add_noise(document, rates, rng) for document in documents]


FORMS: dict[str, Callable[[Sequence[Document]], list[Document]]] = {
    "as they are": list,
    "small letters": lambda documents: list(map(_in_small_letters, documents)),
    "capitals": lambda documents: list(map(_in_capitals, documents)),
    "noise": _damaged,
    "names": _with_small_names,
    "body": lambda documents: list(map(_small_body, documents)),
    "paragraph": _with_paragraph,
}


def main() -> None:
    """Measure models, save the figures and write the table of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=MODELS)
    results = Results("letter-case")
    for name in parser.parse_args().models:
        language = name.partition("-")[0]
        notes = list(read_corpus(CORPORA / f"written-{language}" / "dev.jsonl"))
        model, rows = load_model(name), {}
        for form, change in FORMS.items():
            gold = change(notes)
            pairs = list(pair_found(gold, (spans for _, spans in detect_all(model, gold))))
            figures = measure(pairs, LABEL_SETS[language])
            keys = ("f1", "binary-token-recall", "false-positives-per-1000")
            rows[form] = {key: figures[key] for key in keys}
            CONSOLE.print(name, form, rows[form])
        results.save(name, {"forms": rows})
    table = [
        (name, *(_show(results.rows[name]["forms"][form]) for form in FORMS))
        for name in MODELS
        if name in results.rows
    ]
    title = "Notes whose capitals are lost, and damaged ones: strict F1, token recall, "
    write_table("letter-case", f"{title}false positives per 1,000", ("model", *FORMS), table)


def _show(figures: dict[str, float]) -> str:
    f1, recall, false = figures.values()
    return f"{f1:.4f}, {recall:.4f}, {false:.1f}"


if __name__ == "__main__":
    main()
