"""`scrubjay synth`: annotated notes out of a grammar of templates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def synth(
    language: Annotated[str, typer.Option(metavar="LANG", help="The language of the notes.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write; a container may be a file.")
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", help="How many notes to write.")] = 100,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed, the same notes.")] = 0,
    format: Annotated[str, typer.Option(metavar="FORMAT", help="The format to write.")] = "brat",
    genre: Annotated[
        list[str] | None, typer.Option(metavar="GENRE", help="Only this genre; repeatable.")
    ] = None,
    templates: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A folder of template files instead of those shipped."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only list what is wrong in the templates.")
    ] = False,
) -> None:
    """Write annotated notes of many genres, filled with made-up PHI.

    The templates, their language and the kinds of noise are described in docs/synthesis.md.
    """
    from scrubjay.corpora import write_corpus
    from scrubjay.errors import ConfigError
    from scrubjay.synthesis.generation import generate
    from scrubjay.synthesis.grammar import inspect_grammar, parse_grammar, read_templates

    if check:
        files = read_templates(language, templates)
        grammar, problems = inspect_grammar(files, language=language)
        for problem in problems:
            typer.echo(str(problem))
        grave = sum(problem.grave for problem in problems)
        typer.echo(
            f"{len(files)} files, {len(grammar.documents)} templates in "
            f"{len(grammar.genres)} genres, {len(grammar.fragments)} names of fragments, "
            f"{grave} errors, {len(problems) - grave} warnings",
            err=True,
        )
        raise typer.Exit(2 if grave else 0)
    if out is None:
        raise ConfigError("there is no place to write", hint="Give --out DIR, or --check")
    grammar = None
    if templates is not None:
        grammar = parse_grammar(read_templates(language, templates), language=language)
    documents = generate(language, count, seed, genres=genre, grammar=grammar)
    written = write_corpus(documents, out, format=format, name="synth")
    typer.echo(f"{written:,} notes -> {out}", err=True)
