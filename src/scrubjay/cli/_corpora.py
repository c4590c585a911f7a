"""What commands share to read two corpora, gold and predicted, as pairs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from scrubjay.evaluation.reading import PairedCorpora

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
EitherText = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="In tables, the column that holds the text, in gold and in the predicted corpus "
        "unless it has none of that name; may be repeated.",
    ),
]
EitherId = Annotated[
    str,
    typer.Option(metavar="NAME", help="The same for the column that holds the document's id."),
]
PredictedText = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="The column of the text in the predicted corpus alone."),
]
PredictedId = Annotated[
    str, typer.Option(metavar="NAME", help="The column of the id in the predicted corpus alone.")
]


def column_options(text_column: list[str] | None, id_column: str) -> dict[str, Any]:
    """Return the options of a reader that name columns: those of these that were given."""
    texts = text_column[0] if text_column and len(text_column) == 1 else text_column
    given = {"text_column": texts, "id_column": id_column}
    return {name: value for name, value in given.items() if value}


_OPTIONS = {"text_column": "--text-column", "id_column": "--id-column"}
_PREDICTED_OPTIONS = {
    "text_column": "--predicted-text-column", "id_column": "--predicted-id-column",
}  # fmt: skip
Corpus = tuple[Path, str]
"""The path of a corpus, and its format, "" for detection."""


def columns_of_both(
    gold: Corpus, predicted: Corpus, options: Mapping[str, Any], own: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return which options that name columns gold is read with, and which the predicted corpus.

    `own` are those of the predicted corpus alone. A corpus that lacks a column of `options` is read
    by the names that its format has, as what another command wrote is; texts that differ are an
    error later. Raises `InputError` for what is in neither, and where nothing is a table.
    """
    from scrubjay.errors import ConfigError, FormatError

    fixed = {name: value for name, value in options.items() if name in own}
    shared = {name: value for name, value in options.items() if name not in own}
    first, error = _columns_in(gold, shared, fixed)
    try:
        second, other = _columns_in(predicted, shared, own)
    except FormatError as raised:
        hint = (
            f"{raised.hint}. For this corpus alone, give --predicted-text-column or "
            "--predicted-id-column"
        )
        raise FormatError(raised.what, path=raised.path, place=raised.place, hint=hint) from None
    known, known_other = _read_options(gold), _read_options(predicted)
    of_gold, of_other = "of which gold is none", "of which the predicted corpus is none"
    for names, options_of, corpora, none in (
        (fixed, _OPTIONS, (known,), of_gold),
        (own, _PREDICTED_OPTIONS, (known_other,), of_other),
        (shared, _OPTIONS, (known, known_other), "and neither corpus is one"),
    ):
        for name in names:
            if not any(name in each for each in corpora):
                option = options_of[name]
                raise ConfigError(
                    f"{option} names a column of a table, {none}",
                    hint=f"Leave {option} out, or name the format (--format is that of gold, "
                    "--predicted-format that of the other)",
                )
    missing = [name for name in shared if name not in first and name not in second]
    wrong = error or other
    if missing and wrong is not None:
        raise wrong
    return first, second


def _read_options(corpus: Corpus) -> Collection[str]:
    from scrubjay.corpora import detect_format, find_format

    path, format = corpus
    return find_format(format or detect_format(path)).read_options()


def _columns_in(
    corpus: Corpus, options: Mapping[str, Any], fixed: Mapping[str, Any]
) -> tuple[dict[str, Any], Exception | None]:
    """Return `fixed` with those options that a corpus can be read with, and the error of all.

    Its first document is read for it; nothing is of a stream, which can be read but once. Raises
    `FormatError` where it cannot be read with any of them, nor without.
    """
    from scrubjay.corpora import read_corpus
    from scrubjay.errors import FormatError

    path, format = corpus
    known = _read_options(corpus)
    mine = {name: value for name, value in options.items() if name in known}
    if not mine or not (path.is_file() or path.is_dir()):
        return {**mine, **fixed}, None
    first: FormatError | None = None
    parts = [part for size in range(len(mine), -1, -1) for part in combinations(mine, size)]
    for part in parts:
        tried = {name: mine[name] for name in part} | dict(fixed)
        try:
            next(iter(read_corpus(path, format=format or None, **tried)), None)
        except FormatError as error:
            first = first or error
        else:
            return tried, first
    assert first is not None, "no options are a part, too"
    raise first


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
    from scrubjay.labels import parse_label_map

    return PairedCorpora(
        read_corpus(gold, format=format or None),
        read_corpus(predicted, format=predicted_format or None),
        label_set=label_set or None,
        label_map=parse_label_map(label_map),
        unpaired=require_unpaired(unpaired),
    )


def require_gold(
    gold: Path, *, documents: int, spans: int, left_out: int = 0, format: str = ""
) -> None:
    """Raise `InputError` where nothing was paired or gold has no span: figures would mean nothing.

    `left_out` are the spans that a label map left out, `format` that of gold where one was given.
    """
    from scrubjay.errors import InputError, counted

    if not documents:
        raise InputError(
            "no document of gold has its id in the predicted corpus, so nothing can be scored",
            path=gold,
            hint="Ids are those that the files tell, or the paths of files below the folder, "
            "without suffix (0001_gs and 0001 are two): rename the files of one corpus",
        )
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
