"""`scrubjay corpus`: describe and split corpora; copies with other PHI or other capitals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli._corpora import IdColumn, TextColumn
from scrubjay.cli._options import (
    CorpusFormat,
    NewFolder,
    OutputFormat,
    PatientKey,
    Permissions,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scrubjay.corpora.splits import Split
    from scrubjay.corpora.statistics import CorpusStatistics
    from scrubjay.document import Document
    from scrubjay.evaluation.tables import Table
    from scrubjay.labels import LabelSet

app = typer.Typer()

Corpus = Annotated[
    Path, typer.Argument(metavar="PATH", help="A corpus: a file or folder.", show_default=False)
]
JsonFile = Annotated[
    str, typer.Option("--json", metavar="FILE", help="Write the counts there; - is the screen.")
]


@app.command()
def stats(
    path: Corpus,
    format: CorpusFormat = "",
    tokenizer: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Count the tokens of this one (all); may be repeated."),
    ] = None,
    label_set: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="The label set (guessed from the labels).")
    ] = "",
    json_file: JsonFile = "",
    text_column: TextColumn = None,
    id_column: IdColumn = "",
) -> None:
    """Count documents, tokens, vocabulary and PHI, and the PHI that tokenizers tear.

    A PHI is torn where it begins or ends inside a token: no tagger over these tokens can find
    it exactly. Nothing of the text is shown.
    """
    from scrubjay.cli._corpora import column_options
    from scrubjay.cli._output import tell_passed
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.corpora import read_corpus
    from scrubjay.corpora.passed import PassedOver
    from scrubjay.corpora.statistics import describe_corpus
    from scrubjay.corpora.unmarked import passing_tags
    from scrubjay.labels import find_label_set
    from scrubjay.text.tokenizers import TOKENIZERS, make_tokenizer

    files = plan_report(json_file, None, inputs=[path])
    passed = PassedOver()
    columns = column_options(text_column, id_column)
    documents = read_corpus(path, format=format or None, passed=passed, **columns)
    found = describe_corpus(
        documents if format else passing_tags(documents, _tell_tags),
        {name: make_tokenizer(name) for name in tokenizer or TOKENIZERS},
        label_set=find_label_set(label_set) if label_set else None,
    )
    write_report(files, figures=found.to_json, tables=lambda: _statistics_tables(found))
    tell_passed(passed)


@app.command()
def split(
    path: Corpus,
    out: NewFolder,
    parts: Annotated[
        str, typer.Option(metavar="NAME=SHARE,...", help="The parts and their shares.")
    ] = "train=0.6,dev=0.2,test=0.2",
    by: Annotated[
        str,
        typer.Option(
            metavar="patient|document", help="What stays together; a patient never is parted."
        ),
    ] = "patient",
    seed: Annotated[int, typer.Option(help="Another seed, another split.")] = 0,
    patient_key: PatientKey = "",
    together: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Tab-separated lines with ids of documents that stay together, such as "
            "near-duplicates.",
        ),
    ] = None,
    format: CorpusFormat = "",
    permissions: Permissions = "private",
) -> None:
    """Split a corpus into folders of the same format, the same way on every machine.

    Beside the folders, split.json lists the ids of each part.
    """
    from scrubjay.cli._output import tell_passed
    from scrubjay.corpora.passed import PassedOver
    from scrubjay.corpora.splits import (
        parse_parts,
        read_together,
        require_split_unit,
        split_corpus,
    )

    passed = PassedOver()
    made = split_corpus(
        path,
        out,
        parts=parse_parts(parts),
        by=require_split_unit(by),
        seed=seed,
        patient_key=patient_key or None,
        together=read_together(together) if together is not None else (),
        format=format or None,
        permissions=permissions,
        passed=passed,
    )
    _show_split(made)
    tell_passed(passed)


@app.command()
def swap(
    path: Corpus,
    out: NewFolder,
    copies: Annotated[int, typer.Option(min=1, help="Copies of each document.")] = 1,
    language: Annotated[str, typer.Option(help="Language of the names: en, es or nl.")] = "en",
    label_set: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="The label set; else each label's own kind.")
    ] = "",
    seed: Annotated[int, typer.Option(help="Another seed, other PHI.")] = 0,
    to: OutputFormat = "jsonl",
    format: CorpusFormat = "",
    permissions: Permissions = "private",
) -> None:
    """Write copies of labelled documents with other names, places, dates and numbers.

    They are meant to train on, beside the corpus: spans stay exact, and the text between them
    stays as it was. To de-identify, use `scrubjay deid`.
    """
    from scrubjay.learning.copies import only_copies

    def make(documents: Sequence[Document], labels: LabelSet | None) -> Iterable[Document]:
        return only_copies(documents, copies, language=language, label_set=labels, seed=seed)

    # Copies of notes without labels would be those notes, and look as if their PHI were another's.
    _write_copies(
        make, path, out, label_set=label_set, format=format, to=to, permissions=permissions,
        lacking="there is nothing to swap",
        hint="Give a labelled corpus; to find and replace PHI use scrubjay deid",
    )  # fmt: skip


@app.command()
def recase(
    path: Corpus,
    out: NewFolder,
    copies: Annotated[int, typer.Option(min=1, help="Copies of each document.")] = 1,
    share: Annotated[
        float, typer.Option(min=0, max=1, help="The chance that a document is copied.")
    ] = 1.0,
    label_set: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="The label set; else each label's own kind.")
    ] = "",
    seed: Annotated[int, typer.Option(help="Another seed, other capitals.")] = 0,
    to: OutputFormat = "jsonl",
    format: CorpusFormat = "",
    permissions: Permissions = "private",
) -> None:
    """Write copies of labelled documents with other capitals: none, all, or some.

    They are meant to train on, beside the corpus: spans stay exact. Half of the copies are in
    lower case, a quarter has its names, places and professions so, and the rest has lines in
    lower or upper case, or all in upper case.
    """
    from scrubjay.corpora.recasing import recased_copies

    def make(documents: Sequence[Document], labels: LabelSet | None) -> Iterable[Document]:
        return recased_copies(documents, copies, seed=seed, share=share, label_set=labels)

    _write_copies(
        make, path, out, label_set=label_set, format=format, to=to, permissions=permissions,
        lacking="a tagger can learn nothing from copies", hint="Give a labelled corpus",
    )  # fmt: skip


def _write_copies(
    make: Callable[[Sequence[Document], LabelSet | None], Iterable[Document]],
    path: Path,
    out: Path,
    *,
    label_set: str,
    format: str,
    to: str,
    permissions: Permissions,
    lacking: str,
    hint: str,
) -> None:
    """Write what is made of a corpus; raises `InputError` where no document of it has a span."""
    from scrubjay.cli._output import tell_passed
    from scrubjay.corpora import read_corpus, write_corpus
    from scrubjay.corpora.passed import PassedOver
    from scrubjay.corpora.unmarked import hint_spans, is_tagged
    from scrubjay.errors import InputError, counted
    from scrubjay.labels import find_label_set

    passed = PassedOver()
    documents = list(read_corpus(path, format=format or None, passed=passed))
    if not any(document.spans for document in documents):
        told = hint_spans(documents) if any(map(is_tagged, documents)) else hint
        raise InputError(f"no document has a span, so {lacking}", path=path, hint=told)
    made = make(documents, find_label_set(label_set) if label_set else None)
    written = write_corpus(
        made, out, format=to, inputs=[path], existing="error", permissions=permissions
    )
    typer.echo(f"{counted(written, 'document')} -> {out}", err=True)
    tell_passed(passed)


def _tell_tags() -> None:
    from scrubjay.corpora.unmarked import TAGS

    typer.echo(
        f"warning: there are tags in what was read as plain text, such as {TAGS}: they count as "
        "text and not as PHI. If they mark spans, give --format inline",
        err=True,
    )


def _statistics_tables(found: CorpusStatistics) -> list[Table]:
    from scrubjay.evaluation.tables import Table

    general = [
        ("documents", f"{found.documents}"),
        ("documents without PHI", f"{found.documents_without_phi}"),
        ("characters", f"{found.characters}"),
        ("PHI", f"{found.phi}"),
        ("unique PHI", f"{found.unique_phi}"),
        ("label set", found.label_set or "none that is known"),
    ]
    labels: list[tuple[str, ...]] = []
    for category in found.categories:
        for count in (category.total, *category.labels):
            name = (count.name, "") if count is category.total else ("", count.name)
            labels.append((*name, f"{count.phi}", f"{count.unique}", f"{count.documents}"))
    tokenizers: list[tuple[str, ...]] = []
    for one in found.tokenizers:
        share = one.misaligned_share
        torn = "-" if share is None else f"{share:.2%}"
        figures = (one.tokens, one.vocabulary, one.sentences, one.misaligned)
        tokenizers.append((one.name, *map(str, figures), torn))
    headers = (
        ("category", "label", "PHI", "unique", "documents"),
        ("tokenizer", "tokens", "vocabulary", "sentences", "torn PHI", "share of PHI"),
    )
    return [
        Table("Corpus", ("figure", "value"), tuple(general)),
        Table("PHI by main category and label", headers[0], tuple(labels), text_columns=2),
        Table("Tokenizers", headers[1], tuple(tokenizers)),
    ]


def _show_split(made: Split) -> None:
    from scrubjay.cli._output import show_table

    total = sum(len(part.ids) for part in made.parts)
    rows = [
        (part.name, f"{len(part.ids)}", f"{part.groups}", f"{len(part.ids) / total:.1%}")
        for part in made.parts
    ]
    units = "patients" if made.by == "patient" else "documents apart"
    show_table("Split", ("part", "documents", units, "share"), rows)
