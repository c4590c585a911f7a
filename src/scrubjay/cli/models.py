"""`scrubjay models`: list, describe, audit and quantize models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from scrubjay.models import ModelAudit, ModelDescription

app = typer.Typer(
    help="List, describe, audit and quantize models.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)

ModelName = Annotated[
    str, typer.Argument(metavar="MODEL", help="A shipped model, or the folder of one.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the models that ship with this installation."""
    from scrubjay.models import list_models

    models = list_models()
    if as_json:
        _print_json([_facts(model) for model in models])
        return
    from scrubjay.cli._output import show_table

    header = ("model", "language", "kind", "label set", "labels", "size")
    rows = [
        (
            model.manifest.name,
            model.manifest.language,
            model.manifest.kind,
            model.manifest.label_set,
            str(len(model.manifest.labels)),
            _size(model.size),
        )
        for model in models
    ]
    show_table("Shipped models", header, rows, text_columns=4)


@app.command()
def info(model: ModelName, as_json: AsJson = False) -> None:
    """Show what a model says about itself: labels, training data, figures, configuration."""
    from scrubjay.models import describe_model

    facts = _facts(describe_model(model))
    if as_json:
        _print_json(facts)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None)
    for name, value in facts.items():
        table.add_row(name.replace("_", " "), Text(_show(name, value)))
    Console(highlight=False).print(table)


@app.command()
def audit(
    model: ModelName,
    corpus: Annotated[
        Path | None,
        typer.Option(help="Count how many words of the gold spans of this corpus are stored."),
    ] = None,
    format: Annotated[str, typer.Option(help="The format of the corpus (auto-detected).")] = "",
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
        _print_json(_counts(result, with_corpus=corpus is not None))
    if not result.consistent:
        typer.echo("error: the model holds words that its manifest does not declare", err=True)
        raise typer.Exit(1)


@app.command()
def quantize(
    model: ModelName,
    out: Annotated[Path, typer.Option(help="Folder of the new model.")],
    overwrite: Annotated[bool, typer.Option(help="Replace a model that is already there.")] = False,
) -> None:
    """Write a recurrent model with 8-bit weights: smaller, faster, a little less exact."""
    from scrubjay.artifacts import require_place, save_artifact
    from scrubjay.learning.neural.quantization import quantize as make_small
    from scrubjay.models import describe_model, load_model

    require_place(out, overwrite=overwrite)
    made = make_small(load_model(model))
    save_artifact(out, made.manifest, files=made.files(), overwrite=overwrite)
    sizes = (_size(describe_model(one).size) for one in (model, out))
    typer.echo(f"{made.manifest.name}: {' -> '.join(sizes)}", err=True)


def _facts(model: ModelDescription) -> dict[str, Any]:
    from dataclasses import asdict

    facts: dict[str, Any] = {"folder": str(model.folder), "bytes": model.size}
    return facts | {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(model.manifest).items()
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


def _print_json(value: Any) -> None:
    import json

    typer.echo(json.dumps(value, ensure_ascii=False, indent=1))


def _show(name: str, value: Any) -> str:
    import json

    if name == "bytes":
        return _size(value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, indent=1) if value else "-"
    return "-" if value in ("", None) else str(value)


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.1f} kB"
