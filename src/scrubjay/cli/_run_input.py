"""What `deid`, `annotate` and `restore` read: the input of a run, with warnings of odd files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from scrubjay.batch.input import Input


def make_input(
    paths: list[str],
    *,
    format: str,
    encoding: str,
    text_column: list[str] | None,
    id_column: str,
    delimiter: str = "",
) -> Input:
    """Return the input of a run; options that were not given are left to the reader."""
    from scrubjay.batch.input import Input
    from scrubjay.cli._corpora import column_options
    from scrubjay.corpora.unmarked import passing_rtf, passing_tables, passing_tags

    given = {"encoding": encoding, "delimiter": delimiter}
    options: dict[str, Any] = {name: value for name, value in given.items() if value}
    options |= column_options(text_column, id_column)
    looks = [partial(passing_rtf, tell=_tell_rtf)]
    if not format:
        looks += [partial(passing_tags, tell=_tell_tags), partial(passing_tables, tell=_tell_table)]
    source = Input(tuple(paths), format=format or None, options=options, looks=tuple(looks))
    if options:
        _require_known(options, source.formats())
    return source


def gather_patients(source: Input, *, patient_key: str) -> Input:
    """Return an input whose documents come by patient, and say what that does to the output.

    Raises `ConfigError` where nothing tells the patients, or they cannot be brought together.
    """
    from scrubjay.corpora import find_format
    from scrubjay.corpora.splits import patient_finder
    from scrubjay.errors import ConfigError

    if not patient_key:
        raise ConfigError(
            "--gather-patients needs to know the patients",
            hint="Give --patient-column NAME, or --patient-key 'id:REGEX'",
        )
    bound = [name for name in sorted(source.formats()) if find_format(name).is_bound]
    if bound:
        raise ConfigError(
            f"--gather-patients means nothing for the format {bound[0]!r}",
            hint="Messages and resources stay where they stand in their files",
        )
    if not source.can_be_read_again():
        raise ConfigError(
            "--gather-patients reads its input several times, which a stream does not allow",
            hint="Give a file or a folder",
        )
    if any(find_format(name).is_container for name in source.formats()):
        typer.echo(
            "note: the documents of each patient stand together in the output, file by file, and "
            "not in the order of the input",
            err=True,
        )
    return replace(source, gather=patient_finder(patient_key))


def _tell_rtf() -> None:
    typer.echo(
        "warning: texts are RTF, in which letters with accents and the looks of words are written "
        "as codes: names with such codes in them are not found. Make plain text of them first",
        err=True,
    )


def _tell_table() -> None:
    typer.echo(
        "warning: what was read as plain text begins like a table, and all of its rows are one "
        "document: patients are not told apart. If it is a table, call it .csv (.tsv with tabs), "
        "or give a single one with --format csv or tsv (if it is a note, --format text)",
        err=True,
    )


def _tell_tags() -> None:
    from scrubjay.corpora.unmarked import TAGS

    typer.echo(
        f"warning: there are tags in what was read as plain text, such as {TAGS}: they stay in the "
        "output, and so does what is in them where nothing finds it. If they mark spans, give "
        "--format inline (and if they belong to the text, --format text)",
        err=True,
    )


def _require_known(options: Iterable[str], formats: Iterable[str]) -> None:
    """Raise `ConfigError` for an option, as it is called here, that no reader of a format has."""
    from scrubjay.corpora import FORMATS, find_format
    from scrubjay.errors import ConfigError

    for name in sorted(formats):
        for option in sorted(set(options) - set(find_format(name).read_options())):
            known = [other for other in FORMATS if option in find_format(other).read_options()]
            few = len(known) <= len(FORMATS) / 2
            raise ConfigError(
                f"--{option.replace('_', '-')} means nothing for the format {name!r}",
                hint=(f"It is for {', '.join(known)}. " if few else "")
                + "Leave it out, or name the format of the input with --format",
            )
