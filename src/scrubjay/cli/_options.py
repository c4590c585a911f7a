"""Options and arguments that several commands have: one wording for one meaning."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import typer

CorpusFormat = Annotated[str, typer.Option(help="The format of the corpus (auto-detected).")]
Overwrite = Annotated[bool, typer.Option(help="Replace a model that is already there.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
OutputFormat = Annotated[str, typer.Option(metavar="FORMAT", help="The format to write.")]
Confidence = Annotated[float, typer.Option(help="The confidence of intervals and bounds.")]
NewModel = Annotated[Path, typer.Option(help="Folder of the new model.")]
TrainingFormat = Annotated[
    str | None, typer.Option("--format", help="Format of the corpora; else detected.")
]
ModelName = Annotated[
    str, typer.Argument(metavar="MODEL", help="A shipped model, or the folder of one.")
]
SampleSize = Annotated[
    int, typer.Option(metavar="N", help="How many documents to draw.", show_default=False)
]
MarkLabels = Annotated[
    str, typer.Option(metavar="NAME|FILE.toml", help="The labels that marks may have.")
]
SampleSeed = Annotated[int, typer.Option(min=0, help="Another seed, another sample.")]
NewName = Annotated[str | None, typer.Option(help="Name of the model; else the folder's.")]
InputFormat = Annotated[
    str, typer.Option("--from", metavar="FORMAT", help="The format to read (auto-detected).")
]
Existing = Annotated[
    Literal["replace", "error"], typer.Option(help="What to do with files that exist.")
]
Permissions = Annotated[
    Literal["private", "umask"],
    typer.Option(help="Who may read new files: the owner alone, or whoever the umask lets."),
]
NewFolder = Annotated[Path, typer.Option(metavar="DIR", help="A new folder.", show_default=False)]
KnownFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Known identifiers of patients: CSV or FHIR JSON."),
]
UnknownPatient = Annotated[
    Literal["fail", "pass"],
    typer.Option(help="What to do with a document whose patient has no identifiers."),
]
Language = Annotated[
    str, typer.Option(help="Language of lexicons, clusters and patterns: en, es or nl.")
]
RequiredLabelSet = Annotated[
    str | None, typer.Option(help="Label set that every label must belong to.")
]
NamesHalf = Annotated[
    Literal["all", "train", "dev"], typer.Option(help="The half of the names to draw from.")
]
OwnLists = Annotated[
    list[str] | None,
    typer.Option(metavar="KIND=FILE", help="A list of one's own; repeatable."),
]
PatientKey = Annotated[
    str,
    typer.Option(
        metavar="KEY|id:REGEX",
        help="Metadata entry or column of the patient, or a pattern for the id whose first "
        "group is the patient (default: what stands before the last hyphen of each id; deid has no "
        "such default).",
    ),
]


def read_own_lists(values: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the lists of KIND=FILE; a file without a kind is one of surnames."""
    from scrubjay.errors import ConfigError
    from scrubjay.files import read_text
    from scrubjay.synthesis.pools import own_list

    lists = {}
    for value in values:
        kind, equals, name = value.partition("=")
        if not equals:
            kind, name = "surnames", value
        text = read_text(Path(name), kind=ConfigError, newlines=True)
        lists[kind] = own_list(text.split("\n"), name=name)
    return lists
