"""`scrubjay convert`: a corpus in another format, with other labels."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from scrubjay.cli._options import Existing, InputFormat, OutputFormat, Permissions


def convert(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="INPUT", help="Files or folders; - is standard input."),
    ],
    to: OutputFormat,
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Where to write; a container may be a file.")
    ],
    source_format: InputFormat = "",
    label_map: Annotated[
        str, typer.Option(metavar="SOURCE:TARGET|FILE", help="Map the labels to another set.")
    ] = "",
    unmapped: Annotated[
        Literal["error", "drop"], typer.Option(help="What becomes of labels outside the map.")
    ] = "error",
    fragments: Annotated[
        str, typer.Option(metavar="cover|split|error", help="What brat's fragments become.")
    ] = "",
    encoding: Annotated[str, typer.Option(help="The encoding of the input (utf-8).")] = "",
    text_column: Annotated[str, typer.Option(help="The column or key that holds the text.")] = "",
    id_column: Annotated[str, typer.Option(help="The column or key that holds the id.")] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Another option of the reader; repeatable."),
    ] = None,
    out_option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the writer; repeatable."),
    ] = None,
    existing: Existing = "replace",
    permissions: Permissions = "private",
) -> None:
    """Convert a corpus to another format or label set.

    Text and offsets stay exact. Nothing is written where any document cannot be converted.
    The formats and their options are described in docs/formats.md.
    """
    from scrubjay.cli._output import tell_passed
    from scrubjay.cli._summary import NOTHING
    from scrubjay.corpora.conversion import convert_corpus
    from scrubjay.corpora.passed import PassedOver
    from scrubjay.errors import counted
    from scrubjay.labels import parse_label_map

    named = {
        "fragments": fragments,
        "encoding": encoding,
        "text_column": text_column,
        "id_column": id_column,
    }
    options = {name: value for name, value in named.items() if value} | _pairs(option)
    passed = PassedOver()
    summary = convert_corpus(
        inputs,
        out,
        to=to,
        source_format=source_format or None,
        label_map=parse_label_map(label_map),
        unmapped=unmapped,
        existing=existing,
        permissions=permissions,
        options=options,
        out_options=_pairs(out_option),
        passed=passed,
    )
    counts = (
        counted(summary.documents, "document"),
        counted(sum(summary.spans.values()), "span"),
        counted(len(summary.spans), "label"),
    )
    typer.echo(f"{', '.join(counts)} -> {out}", err=True)
    if summary.unmapped:
        listing = ", ".join(f"{label} {count:,}" for label, count in summary.unmapped.items())
        typer.echo(f"spans dropped, outside the label map: {listing}", err=True)
    if summary.spans_left_out:
        left_out = counted(summary.spans_left_out, "span")
        typer.echo(f"{left_out} left out: {to} has no place for spans", err=True)
    if not summary.documents:
        typer.echo(f"warning: {NOTHING}", err=True)
    elif not (summary.spans or source_format or options) and "-" not in inputs:
        _tell_tags(inputs)
    tell_passed(passed)


def _tell_tags(inputs: list[str]) -> None:
    """Warn of texts with tags that nobody has read: there were no spans in what was converted."""
    from itertools import islice

    from scrubjay.corpora import read_corpora
    from scrubjay.corpora.unmarked import LOOKED_AT, TAGS, is_tagged

    if any(map(is_tagged, islice(read_corpora(inputs), LOOKED_AT))):
        typer.echo(
            f"warning: there are tags in what was read as plain text, such as {TAGS}: no span came "
            "of them. If they mark spans, give --from inline",
            err=True,
        )


def _pairs(values: list[str] | None) -> dict[str, str]:
    from scrubjay.errors import ConfigError

    pairs = {}
    for value in values or ():
        name, equals, setting = value.partition("=")
        if not equals or not name:
            raise ConfigError(f"an option must read NAME=VALUE, not {value!r}")
        pairs[name.replace("-", "_")] = setting
    return pairs
