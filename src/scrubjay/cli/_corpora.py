"""What commands share to read two corpora, gold and predicted, as pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from scrubjay.evaluation.reading import PairedCorpora
    from scrubjay.labels import LabelMap

GoldArgument = Annotated[
    Path, typer.Argument(help="The corpus with gold spans.", show_default=False)
]
PredictedArgument = Annotated[
    Path, typer.Argument(help="The same corpus as a system labelled it.", show_default=False)
]
FormatOption = Annotated[str, typer.Option(help="The format of gold (auto-detected).")]
PredictedFormatOption = Annotated[
    str, typer.Option(help="The format of the predicted corpus (auto-detected).")
]
LabelSetOption = Annotated[
    str, typer.Option(metavar="NAME|FILE", help="The label set (guessed from the labels).")
]
LabelMapOption = Annotated[
    str,
    typer.Option(metavar="SOURCE:TARGET|FILE", help="Map the labels of both corpora first."),
]
UnpairedOption = Annotated[
    str,
    typer.Option(
        metavar="error|skip", help="What to do with documents that stand in one corpus alone."
    ),
]


TextColumn = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", help="In tables, the column that holds the text; may be repeated."
    ),
]
IdColumn = Annotated[
    str, typer.Option(metavar="NAME", help="In tables, the column that holds the document's id.")
]


def column_options(
    text_column: list[str] | None, id_column: str, *, path: Path | None = None, format: str = ""
) -> dict[str, Any]:
    """Return the options of a reader that name columns: those given, and with `path` those of
    them that the format of the corpus knows."""
    from scrubjay.corpora import detect_format, find_format

    texts = text_column[0] if text_column and len(text_column) == 1 else text_column
    given = {"text_column": texts, "id_column": id_column}
    options = {name: value for name, value in given.items() if value}
    if path is None or not options:
        return options
    known = find_format(format or detect_format(path)).read_options()
    return {name: value for name, value in options.items() if name in known}


def read_pairs(
    gold: Path,
    predicted: Path,
    *,
    format: str = "",
    predicted_format: str = "",
    label_set: str = "",
    label_map: str = "",
    unpaired: str = "error",
) -> PairedCorpora:
    """Return the pairs of two corpora, read while they are iterated; "" is an option not given."""
    from scrubjay.corpora import read_corpus
    from scrubjay.evaluation.pairs import require_unpaired
    from scrubjay.evaluation.reading import PairedCorpora

    return PairedCorpora(
        read_corpus(gold, format=format or None),
        read_corpus(predicted, format=predicted_format or None),
        label_set=label_set or None,
        label_map=find_map(label_map),
        unpaired=require_unpaired(unpaired),
    )


def require_gold(
    gold: Path, *, documents: int, spans: int, left_out: int = 0, format: str = ""
) -> None:
    """Raise `InputError` where gold has no span: whatever were measured would mean nothing.

    `left_out` are the spans that a label map left out, `format` that of gold where one was given.
    """
    from scrubjay.errors import InputError, counted

    if not spans:
        raise InputError(
            f"gold has no spans in {counted(documents, 'document')}, so nothing can be scored",
            path=gold,
            hint="Check --label-map: it leaves spans out"
            if left_out
            else hint_format(gold, format)
            or "Give the annotated corpus first, in a format that holds spans (--format)",
        )


def hint_format(path: Path, format: str, *, option: str = "--format") -> str:
    """Return which format to name where a corpus has no spans since it was read as text, or ""."""
    from scrubjay.corpora import read_corpus
    from scrubjay.corpora.unmarked import hint_spans

    if not (path.is_file() or path.is_dir()):  # a stream cannot be read again
        return ""
    return hint_spans(read_corpus(path, format=format or None), option=option)


def warn_without_spans(what: str, *, documents: int, so: str, hint: str = "") -> None:
    """Tell on standard error that a corpus has no spans, what comes of it, and what to do."""
    from scrubjay.errors import counted

    where = counted(documents, "document")
    todo = f". {hint}" if hint else ""
    typer.echo(f"warning: {what} has no spans in {where}, so {so}{todo}", err=True)


def find_map(named: str) -> LabelMap | None:
    """Return the label map of SOURCE:TARGET or a TOML file, None for "".

    Raises `ConfigError` for a name of another form.
    """
    from scrubjay.errors import ConfigError
    from scrubjay.labels import find_label_map, load_label_map

    if not named:
        return None
    if named.endswith(".toml") and ":" not in named:
        return load_label_map(named)
    source, colon, target = named.partition(":")
    if not (source and colon and target):
        raise ConfigError(
            f"not a label map: {named!r}",
            hint="Give SOURCE:TARGET, such as meddocan:i2b2-2014, or a TOML file",
        )
    return find_label_map(source, target)
