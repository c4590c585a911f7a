"""`scrubjay models`: list, describe, audit, dial, probe, weights, and those that change one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.cli import _model_weights, _models_changing
from scrubjay.cli._options import AsJson, CorpusFormat, ModelName
from scrubjay.cli._output import print_json, show_table
from scrubjay.cli._report import HtmlOption, JsonOption
from scrubjay.cli._run_options import DEFAULT_MODEL

if TYPE_CHECKING:
    from scrubjay.analysis.probe_sets import ProbeSet
    from scrubjay.analysis.probe_terms import TermReport
    from scrubjay.artifacts import Manifest
    from scrubjay.cli._model_figures import Figures
    from scrubjay.detectors import Detector
    from scrubjay.models import ModelAudit, ModelDescription

app = typer.Typer()


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the models that ship with this installation: by language, the best one first.

    Strict F1, token recall, false positives among 1,000 tokens that are no PHI and tokens a second
    are as they were measured; what each model needs and which is the default stand beside them, and
    scrubjay models info tells more.
    """
    from scrubjay.cli._model_figures import MEASURED, best_first, figures_of
    from scrubjay.models import has_packages, list_models

    models = best_first(list_models())
    if as_json:
        print_json([_facts(model) for model in models])
        return
    from scrubjay.errors import tell_install

    header = (
        "model", "language", "needs", "label set", "default",
        "strict F1", "token recall", "false positives", "tokens/s",
    )  # fmt: skip
    rows = [
        (
            model.manifest.name,
            model.manifest.language,
            model.extra or "-",
            model.manifest.label_set,
            "yes" if model.manifest.name == DEFAULT_MODEL else "-",
            *_figure_cells(figures_of(model)),
        )
        for model in models
    ]
    show_table("Shipped models", header, rows, text_columns=4)
    if any(figures_of(model) for model in models):
        typer.echo(f"note: {MEASURED}", err=True)
    for extra in sorted({model.extra for model in models} - {""}):
        told = "is installed" if has_packages(extra) else f"is not installed. {tell_install(extra)}"
        typer.echo(f"note: the extra {extra!r} {told}", err=True)


def _figure_cells(figures: Figures | None) -> tuple[str, str, str, str]:
    if figures is None:
        return "-", "-", "-", "-"
    speed = f"{figures.tokens_per_second:,}" if figures.tokens_per_second else "-"
    return (
        f"{figures.f1:.4f}", f"{figures.token_recall:.4f}", f"{figures.false_positives:.1f}", speed
    )  # fmt: skip


@app.command()
def info(
    model: ModelName,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Tell each member, training and figure of it, too."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what a model is: its labels, what it learned from, figures, size, licence, card.

    Its files are verified first; a truncated or altered model is refused. With --all all labels,
    and tokenizer, features and training data of each member of an ensemble are told; with --json
    all of its manifest and those of its members, and the hashes of their files.
    """
    from scrubjay.models import describe_model, member_manifests, verify_model

    verify_model(model)
    description, members = describe_model(model), member_manifests(model)
    if as_json:
        told = {name: _manifest_facts(manifest) for name, manifest in members.items()}
        print_json(_facts(description) | {"members": told})
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from scrubjay.cli._model_card import describe_card
    from scrubjay.cli._model_facts import describe_in_words

    table = Table(show_header=False, box=None)
    describe = describe_in_words if everything else describe_card
    for name, value in describe(description, members):
        table.add_row(Text(name), Text(value, overflow="fold"))
    Console(highlight=False).print(table)


@app.command()
def audit(
    model: ModelName,
    corpus: Annotated[
        Path | None,
        typer.Option(help="Count how many words of the gold spans of this corpus are stored."),
    ] = None,
    format: CorpusFormat = "",
    words: Annotated[
        bool, typer.Option("--words", help="Print the stored words, one a line. They may be PHI.")
    ] = False,
) -> None:
    """Verify a model's files and tell which words of its training data they hold.

    Prints counts as JSON, or the words themselves with --words. The exit code is 1 where the
    files hold words and the manifest does not say so.
    """
    from scrubjay.models import audit_model

    documents = None
    if corpus is not None:
        from scrubjay.corpora import read_corpus

        documents = read_corpus(corpus, format=format or None)
    result = audit_model(model, corpus=documents)
    if words:
        for word in result.words:
            typer.echo(word)
    else:
        print_json(_counts(result, with_corpus=corpus is not None))
    if not result.consistent:
        typer.echo("error: the model holds words that its manifest does not declare", err=True)
        raise typer.Exit(1)


@app.command()
def dial(
    model: ModelName,
    gold: Annotated[Path, typer.Argument(help="A corpus with gold spans.", show_default=False)],
    at: Annotated[
        str, typer.Option(metavar="X,X,...", help="The positions of the recall dial.")
    ] = "-4,-2,-1,0,1,2,3,4,6,8,12",
    json_file: JsonOption = "",
    html: HtmlOption = None,
    format: CorpusFormat = "",
) -> None:
    """Show what each position of a model's recall dial finds, and how often it is wrong.

    Counts are those of binary tokens: letters and digits, without regard to labels. Positions
    are those of deid --recall-dial; `scrubjay models info` shows the model's own.
    """
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.corpora import read_corpus
    from scrubjay.detectors import turn_recall_dial
    from scrubjay.learning.dial import measure, require_gold
    from scrubjay.models import load_model
    from scrubjay.reports.curves import DialPoint, compose_dial, dial_table

    positions = _read_positions(at)
    files = plan_report(json_file, html, inputs=(gold,))
    detector = load_model(model)
    turned = [turn_recall_dial(detector, position) for position in positions]
    documents = list(read_corpus(gold, format=format or None))
    require_gold(documents)
    points = [
        DialPoint(position, measure(one, documents))
        for position, one in zip(positions, turned, strict=True)
    ]
    facts = (("model", Path(model).name), ("gold", gold.name), ("documents", str(len(documents))))
    write_report(
        files,
        figures=lambda: {
            "format_version": 1,
            **dict(facts),
            "documents": len(documents),
            "points": [point.record() for point in points],
        },
        page=lambda: compose_dial(points, facts=facts),
        tables=lambda: [dial_table(points)],
    )


def _read_positions(text: str) -> list[float]:
    from scrubjay.errors import ConfigError

    try:
        return sorted({float(piece) for piece in text.split(",")})
    except ValueError:
        raise ConfigError(
            f"not a list of numbers: {text!r}", hint="Give positions such as 0,2,4"
        ) from None


@app.command()
def probe(
    model: ModelName,
    language: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE", help="The probes to run (those of the model's language)."
        ),
    ] = "",
    corpus: Annotated[
        Path | None,
        typer.Option(help="Count the terms outside the gold spans of this corpus, too."),
    ] = None,
    format: CorpusFormat = "",
    sentences: Annotated[
        int, typer.Option(min=0, help="Sentences with names, for each origin; 0 for none.")
    ] = 240,
    protected: Annotated[
        int,
        typer.Option(min=0, help="Sentences with protected terms, for each kind; 0 for none."),
    ] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Decides which names and terms are drawn.")] = 0,
    every_miss: Annotated[
        bool, typer.Option("--list", help="Show every probe that went wrong, too.")
    ] = False,
    json_file: JsonOption = "",
    html: HtmlOption = None,
) -> None:
    """Run a model over clinical terms that must stay, and over names of many origins.

    All texts are our own, so that they may be shown; of a corpus only the terms of our lists are
    shown. Every figure is defined in docs/probes.md.
    """
    from scrubjay.analysis.origin_probes import probe_origins
    from scrubjay.analysis.probe_sets import find_probes
    from scrubjay.analysis.probes import run_probes
    from scrubjay.analysis.protected_probes import probe_protected
    from scrubjay.cli._report import plan_report, write_report
    from scrubjay.evaluation.intervals import require_statistics
    from scrubjay.models import describe_model, load_model
    from scrubjay.reports.probes import compose_probes, probe_tables

    require_statistics()
    files = plan_report(json_file, html, inputs=(corpus,) if corpus is not None else ())
    manifest = describe_model(model).manifest
    probes = find_probes(language or manifest.language)
    detector = load_model(model)
    report = run_probes(detector, probes)
    terms = _count_terms(detector, probes, corpus, format) if corpus is not None else None
    origins = None
    if sentences:
        origins = probe_origins(detector, probes, draws=sentences, seed=seed)
    listed = None
    if protected and probes.carriers:
        listed = probe_protected(detector, probes, draws=protected, seed=seed)
    facts = [("model", manifest.name), ("kind", manifest.kind)]
    if corpus is not None:
        facts.append(("corpus", str(corpus)))
    write_report(
        files,
        figures=lambda: {
            "format_version": 1,
            "model": manifest.name,
            "probes": report.record(),
            "origins": origins.record() if origins is not None else None,
            "terms": terms.record() if terms is not None else None,
            "protected": listed.record() if listed is not None else None,
        },
        page=lambda: compose_probes(
            report, origins=origins, terms=terms, protected=listed, facts=facts
        ),
        tables=lambda: probe_tables(
            report, origins=origins, terms=terms, protected=listed, every_miss=every_miss
        ),
    )


def _count_terms(detector: Detector, probes: ProbeSet, corpus: Path, format: str) -> TermReport:
    from scrubjay.analysis.probe_terms import count_terms
    from scrubjay.analysis.probes import detect_all
    from scrubjay.corpora import read_corpus
    from scrubjay.evaluation.pairs import labelled_pair

    detected = detect_all(detector, read_corpus(corpus, format=format or None))
    pairs = (labelled_pair(gold, gold.with_spans(spans)) for gold, spans in detected)
    return count_terms(pairs, probes)


def _facts(model: ModelDescription) -> dict[str, Any]:
    from scrubjay.cli._model_figures import figures_of
    from scrubjay.models import SHIPPED, has_packages

    figures = figures_of(model)
    facts: dict[str, Any] = {
        "folder": str(model.folder),
        "bytes": model.size,
        "figures": None if figures is None else asdict(figures),
        "default": model.folder == SHIPPED / DEFAULT_MODEL,
        "extra": model.extra or None,
        "runs_here": has_packages(model.extra),
        "recall_dial": model.manifest.config.get("recall-dial"),
    }
    return facts | _manifest_facts(model.manifest)


def _manifest_facts(manifest: Manifest) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(manifest).items()
    }


def _counts(result: ModelAudit, *, with_corpus: bool) -> dict[str, Any]:
    counts: dict[str, Any] = {
        "model": result.name,
        "stores_words": result.declared,
        "stored_words": len(result.words),
        "consistent": result.consistent,
    }
    if with_corpus:
        counts["mention_words"] = dict(result.mention_words)
        counts["stored_mention_words"] = dict(result.stored_mention_words)
    return counts


app.command()(_model_weights.weights)
_models_changing.add_to(app)
