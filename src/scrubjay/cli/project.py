"""`scrubjay project`: several people mark documents, decide on them, and a model learns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.cli import _project_audit, _project_learning
from scrubjay.cli._options import AsJson, Existing, MarkLabels, OutputFormat
from scrubjay.cli._project import Folder, Shown, print_json, show_facts
from scrubjay.cli._report import HtmlOption, JsonOption
from scrubjay.errors import counted

if TYPE_CHECKING:
    from scrubjay.review.records import Savings

app = typer.Typer()


@app.command()
def create(
    project: Folder,
    label_set: MarkLabels = "i2b2-2014",
    annotator: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="An annotator; repeatable.")
    ] = None,
    guidelines: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Guidelines for annotators, Markdown.")
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the project; else the folder's.")] = "",
) -> None:
    """Make an empty project in a new folder, which its owner alone may read."""
    from scrubjay.files import read_text
    from scrubjay.review.project import Project

    text = "" if guidelines is None else read_text(guidelines, newlines=True)
    with Project.create(project, labels=label_set, name=name, guidelines=text) as made:
        for one in annotator or []:
            made.add_annotator(one)
        info = made.info()
    typer.echo(f"made {project}: labels {info.label_set}, annotators: {_names(info.annotators)}")


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none yet"


@app.command()
def annotators(
    project: Folder,
    add: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Add an annotator; repeatable.")
    ] = None,
    remove: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Remove one who has begun nothing; repeatable."),
    ] = None,
) -> None:
    """List the annotators of a project, add some, or remove some."""
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        for one in add or []:
            opened.add_annotator(one)
        for one in remove or []:
            opened.remove_annotator(one)
        for name in opened.annotators():
            typer.echo(name)


@app.command("import")
def import_(
    project: Folder,
    corpora: Annotated[
        list[Path], typer.Argument(metavar="CORPUS...", help="Documents, in any format.")
    ],
    format: Annotated[str, typer.Option(help="The format of the corpora (auto-detected).")] = "",
    drop_spans: Annotated[
        bool, typer.Option("--drop-spans", help="Leave the spans of the documents out.")
    ] = False,
) -> None:
    """Add documents of any format, all of them or none; their spans become suggestions."""
    from scrubjay.cli._output import tell_passed
    from scrubjay.corpora.passed import PassedOver
    from scrubjay.review.project import Project

    passed = PassedOver()
    with Project.open(project) as opened:
        found = opened.import_corpus(
            corpora, format=format or None, spans="drop" if drop_spans else "suggest",
            passed=passed,
        )  # fmt: skip
    tell_passed(passed)
    typer.echo(
        f"{counted(found.documents, 'document')} with {counted(found.suggestions, 'suggestion')}"
    )
    if found.repeated:
        typer.echo(f"{found.repeated} repeat the text of another document", err=True)
    if found.metadata_dropped:
        typer.echo(f"{found.metadata_dropped} entries of metadata could not be kept", err=True)


@app.command()
def assign(
    project: Folder,
    annotator: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="To whom; all, if none is named.")
    ] = None,
    per_document: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="How many mark each document.")
    ] = None,
    document: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Which documents; else those nobody was given yet."),
    ] = None,
) -> None:
    """Give documents to annotators; what nobody was given is everybody's."""
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        count = opened.assign(
            annotator or opened.annotators(), documents=document, per_document=per_document
        )
    typer.echo(counted(count, "new assignment"))


@app.command()
def prelabel(
    project: Folder,
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A shipped model, or a folder.")],
    shown: Shown = "all",
) -> None:
    """Let a model suggest marks in all documents that nobody has begun.

    What was suggested there before, spans that were imported too, gives way to it.
    """
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        found = opened.prelabel(model, shown=shown)
    typer.echo(
        f"{counted(found.suggestions, 'suggestion')} in {counted(found.documents, 'document')}"
    )
    if found.replaced:
        typer.echo(
            f"in {found.replaced} of them they took the place of suggestions that were there",
            err=True,
        )
    if found.failures:
        typer.echo(
            f"the model failed on {len(found.failures)} documents: {', '.join(found.failures)}",
            err=True,
        )
        raise typer.Exit(1)


@app.command()
def show(
    project: Folder,
    documents: Annotated[list[str], typer.Argument(metavar="ID...", help="Which documents.")],
    hide: Annotated[bool, typer.Option("--hide", help="Hide them instead.")] = False,
) -> None:
    """Show the suggestions of documents to those who begin them, or hide them."""
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        opened.set_shown(documents, shown=not hide)


@app.command()
def status(project: Folder, as_json: AsJson = False) -> None:
    """Tell how far a project is, for each annotator, and what suggestions have saved."""
    from scrubjay.cli._output import show_table
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        info, found, all_ = opened.info(), opened.progress(), opened.savings()
    if as_json:
        print_json({"project": info, "progress": found, "savings": all_})
        return
    names = ("documents", "open", "in_progress", "done", "adjudicated", "accepted", "disputed")
    facts = [(name.replace("_", " "), getattr(found, name)) for name in names]
    show_facts(info.name, [("labels", info.label_set), ("model", info.model or "-"), *facts])
    typer.echo()
    header = ("annotator", "assigned", "in progress", "done", "marks", *_SAVINGS)
    show_table(
        "Annotators",
        header,
        [
            (one.name, *map(str, (one.assigned, one.in_progress, one.done, one.marks)),
             *_savings(one.savings))
            for one in found.annotators
        ],
    )  # fmt: skip
    typer.echo()
    show_table("Suggestions", ("of", *_SAVINGS), [("all", *_savings(all_))])


_SAVINGS = ("accepted", "changed", "deleted", "added", "minutes", "time saved")


def _savings(one: Savings) -> tuple[str, ...]:
    saved = "-" if one.saved is None else f"{one.saved:.0%}"
    counts = (one.accepted, one.changed, one.deleted, one.added)
    return (*map(str, counts), f"{one.seconds / 60.0:.1f}", saved)


@app.command("next")
def next_(
    project: Folder,
    annotator: Annotated[str, typer.Argument(metavar="NAME", help="For whom.")],
    rank: Annotated[
        bool, typer.Option("--rank", help="Order the documents by what teaches most, first.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Tell which document an annotator should do next; nothing where all are done."""
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        if rank:
            typer.echo(f"looked at {counted(opened.rank(), 'document')} anew", err=True)
        found = opened.next(annotator)
    if as_json:
        print_json(found)
    elif found is not None:
        typer.echo(found.document)


@app.command()
def agreement(project: Folder, json_file: JsonOption = "", html: HtmlOption = None) -> None:
    """Measure how far annotators agree on the documents that all have finished."""
    from scrubjay.analysis.disagreements import CaseCounter
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.evaluation.agreement import to_json
    from scrubjay.reports.agreement import agreement_tables, compose_agreement
    from scrubjay.review.project import Project

    files = plan_report(json_file, html, inputs=(project,))
    with Project.open(project) as opened:
        report = opened.deciding.agreement()
    write_report(
        files,
        figures=lambda: to_json(report),
        page=lambda: compose_agreement(report, CaseCounter(), {}, most=0),
        tables=lambda: agreement_tables(report, CaseCounter(), {}, most=0),
    )


@app.command()
def adjudicate(
    project: Folder,
    decider: Annotated[str, typer.Option(metavar="NAME", help="Who decides.", show_default=False)],
    document: Annotated[str, typer.Option(metavar="ID", help="Which document.")] = "",
    start: Annotated[int, typer.Option(help="Where the difference begins.")] = -1,
    end: Annotated[int, typer.Option(help="Where it ends.")] = -1,
    choice: Annotated[
        str, typer.Option(metavar="NAME|none", help="Whose marks stand; no one's with none.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """List the differences of a document, decide one, or make its marks final.

    Without a document, every document of which all differences are decided becomes final. The
    differences that are listed are open to whoever reads them: the document cannot be reopened.
    """
    from scrubjay.cli._output import show_table
    from scrubjay.errors import ConfigError, StateError
    from scrubjay.review.project import Project

    if bool(choice) != (start >= 0 and end >= 0) or (choice and not document):
        raise ConfigError("a decision needs --document, --start, --end and --choice")
    with Project.open(project) as opened:
        if not document:
            final = 0
            for row in opened.documents(state="done"):
                try:
                    opened.deciding.adjudicate(row.id, decider=decider)
                except StateError:
                    continue  # undecided differences: told below
                final += 1
            left = len(opened.documents(state="done"))
            typer.echo(f"{final} documents are final now, {left} have differences to decide")
            return
        if choice:
            found = opened.deciding.decide(document, start, end, choice, decider=decider)
        else:
            found = opened.deciding.differences(document)
    if as_json:
        print_json(found)
        return
    rows = []
    for one in found:
        sides = "; ".join(
            f"{side.annotator}: {', '.join(mark.label for mark in side.marks) or '-'}"
            for side in one.sides
        )
        rows.append((one.kind, sides, one.choice or "-", str(one.start), str(one.end)))
    show_table(document, ("kind", "sides", "decided", "start", "end"), rows, text_columns=3)


@app.command()
def export(
    project: Folder,
    out: Annotated[Path, typer.Option(help="Folder, or file of a container format.")],
    to: OutputFormat = "jsonl",
    whose: Annotated[
        str,
        typer.Option(
            metavar="NAME|adjudicated|accepted|all",
            help="Whose marks: an annotator's, the final ones, these and what all agree on, or "
            "a folder for each.",
        ),
    ] = "accepted",
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Documents that are not finished, too.")
    ] = False,
    existing: Existing = "error",
) -> None:
    """Write documents with marks as a corpus of any format."""
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        count = opened.export(
            out,
            format=to,
            whose=whose,
            unfinished=unfinished,
            existing=existing,
        )
    typer.echo(f"{counted(count, 'document')} in {out}")


@app.command()
def check(project: Folder, as_json: AsJson = False) -> None:
    """Verify a project: the file is sound, and the journal gives the marks that there are."""
    from scrubjay.review.project import Project

    with Project.open(project) as opened:
        found = opened.check()
    if as_json:
        print_json(found)
    else:
        typer.echo(
            f"{counted(found.documents, 'document')}, {counted(found.versions, 'version')}, "
            f"{counted(found.entries, 'change')}: "
            f"{'sound' if not found.faults else counted(len(found.faults), 'fault')}"
        )
        for fault in found.faults:
            typer.echo(fault, err=True)
    if found.faults:
        raise typer.Exit(1)


_project_learning.add_to(app)
_project_audit.add_to(app)
