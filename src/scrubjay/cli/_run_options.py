"""The options of the commands that go through many documents: `deid`, `annotate`, `restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Inputs = Annotated[
    list[str],
    typer.Argument(metavar="INPUT", help="Files or folders; - is standard input."),
]


def _folder(name: str) -> Path:
    """Return the path of a folder; refuse an empty name, which would be the folder one is in."""
    if not name:
        raise typer.BadParameter("the name is empty: was a variable of the shell not set?")
    return Path(name)


Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        parser=_folder,
        help="The output folder. Without it, INPUT is - alone.",
    ),
]
DEFAULT_MODEL = "en"
"""The model of a run where none is named."""
ModelOption = Annotated[
    str, typer.Option(metavar="NAME|DIR", help="A shipped model, or the folder of one.")
]
FormatOption = Annotated[str, typer.Option(help="The format of the input (auto-detected).")]
EncodingOption = Annotated[
    str, typer.Option(help="The encoding of the input (utf-8), such as latin-1 or cp1252.")
]
TextColumn = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="The column or key that holds the text; repeated, the texts of a row are one "
        "document.",
    ),
]
IdColumn = Annotated[
    str, typer.Option(metavar="NAME", help="The column or key that holds the document's id.")
]
Delimiter = Annotated[
    str,
    typer.Option(
        metavar="CHAR",
        help="What separates the columns of a CSV, in and out: ; or tab (a comma).",
    ),
]
RecallDial = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="The recall dial, -20 to 20, useful from 0 to 3: a greater number finds more, a "
        "smaller one less (default: the model's own, which scrubjay models info shows).",
    ),
]
MinScore = Annotated[
    float | None,
    typer.Option(metavar="P", help="Leave out spans with a lower probability (0 to 1)."),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", help="Fail a document that takes longer, or crashes the process."
    ),
]
WorkersOption = Annotated[
    int,
    typer.Option(
        "--workers", metavar="N", help="Work in so many processes; 1 is this one, 0 one a core."
    ),
]
MemoryLimit = Annotated[
    str,
    typer.Option(
        metavar="SIZE", help="Fail a document that needs more memory in a worker, such as 2G."
    ),
]
ExistingOption = Annotated[
    Literal["replace", "error"],
    typer.Option(help="What to do with output files that are there already."),
]
SummaryOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the summary there, as JSON; - is standard output."),
]
