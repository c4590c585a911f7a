"""`scrubjay synth`: annotated notes out of a grammar of templates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scrubjay.cli._options import NamesHalf, OutputFormat, OwnLists, read_own_lists


def synth(
    language: Annotated[
        str | None, typer.Option(metavar="LANG", help="The language of the notes: en, es or nl.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write; a container may be a file.")
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", help="How many notes to write.")] = 100,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed, the same notes.")] = 0,
    format: OutputFormat = "brat",
    genre: Annotated[
        list[str] | None, typer.Option(metavar="GENRE", help="Only this genre; repeatable.")
    ] = None,
    noise: Annotated[
        str, typer.Option(metavar="FLOAT|TOML", help="How much noise, or the rate of each kind.")
    ] = "0",
    traps: Annotated[
        float, typer.Option(metavar="MEAN", help="Lines put into a note that are no PHI.")
    ] = 0.0,
    names: NamesHalf = "all",
    names_file: OwnLists = None,
    templates: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A folder of template files instead of those shipped."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only list what is wrong in the templates.")
    ] = False,
    list_genres: Annotated[
        bool, typer.Option("--list-genres", help="Only list the genres, and their templates.")
    ] = False,
) -> None:
    """Write annotated notes of many genres, filled with made-up PHI.

    The templates, their language, the lists and the kinds of noise are described in
    docs/synthesis.md.
    """
    from scrubjay.corpora import write_corpus
    from scrubjay.errors import ConfigError, counted
    from scrubjay.synthesis.generation import generate
    from scrubjay.synthesis.grammar import parse_grammar, read_templates
    from scrubjay.synthesis.languages import language_names
    from scrubjay.synthesis.noise import noise_rates

    if list_genres:
        _list_genres(language, templates)
    if language is None:
        raise ConfigError(
            "no language is named", hint=f"Give --language {' or '.join(language_names())}"
        )
    if check:
        _check(language, templates)
    if out is None:
        raise ConfigError(
            "there is no place to write", hint="Give --out DIR, --check or --list-genres"
        )
    own = read_own_lists(names_file or ())
    grammar = (
        parse_grammar(read_templates(language, templates), language=language)
        if templates is not None
        else None
    )
    documents = generate(
        language,
        count,
        seed,
        genres=genre,
        grammar=grammar,
        names=names,
        own=own,
        noise=noise_rates(noise),
        traps=traps,
    )
    written = write_corpus(documents, out, format=format, name="synth")
    typer.echo(f"{counted(written, 'note')} -> {out}", err=True)


def _list_genres(language: str | None, templates: Path | None) -> None:
    """List the genres with the number of templates of each, and leave; without one, all languages.

    Raises `ConfigError` for an unknown language, and for templates of one's own without any.
    """
    from collections import Counter

    from scrubjay.cli._output import show_table
    from scrubjay.errors import ConfigError
    from scrubjay.synthesis.grammar import parse_grammar, read_templates
    from scrubjay.synthesis.languages import find_language, language_names

    if language is not None:
        find_language(language)
    if language is None and templates is not None:
        raise ConfigError("the language of the templates is not named", hint="Give --language")
    for one in language_names() if language is None else (language,):
        grammar = parse_grammar(read_templates(one, templates), language=one)
        counts = Counter(block.name for block in grammar.documents)
        rows = [(genre, f"{counts[genre]:,}") for genre in grammar.genres]
        title = "genres" if language else f"genres, {one}"
        show_table(title, ["genre", "templates"], rows)
    raise typer.Exit(0)


def _check(language: str, templates: Path | None) -> None:
    """List every problem of the templates and leave, with exit code 2 where one is grave."""
    from scrubjay.synthesis.grammar import inspect_grammar, read_templates

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
