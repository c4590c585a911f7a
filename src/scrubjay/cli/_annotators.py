"""What the commands about annotators share: their corpora, by path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.errors import InputError

if TYPE_CHECKING:
    from scrubjay.evaluation.annotators import Annotator, Panel

AnnotatorArguments = Annotated[
    list[Path],
    typer.Argument(
        metavar="A B [C...]",
        help="The same documents as two or more annotators marked them.",
        show_default=False,
    ),
]
LabelSetOption = Annotated[
    str,
    typer.Option(metavar="NAME|FILE", help="The label set; other labels are errors (any label)."),
]
LabelMapOption = Annotated[
    str,
    typer.Option(metavar="SOURCE:TARGET|FILE", help="Map the labels of all annotators first."),
]


def name_annotators(paths: Sequence[Path]) -> tuple[str, ...]:
    """Return a name for each path: its last part, or the whole where that is not enough.

    Raises `InputError` for fewer than two paths, and for one that is given twice.
    """
    from scrubjay.evaluation.annotators import require_annotators

    seen: dict[Path, Path] = {}
    for path in paths:
        place = path.resolve()
        if place in seen:
            raise InputError(
                "this annotator is given twice", path=path, hint="Give each annotator once"
            )
        seen[place] = path
    short = [path.resolve().name for path in paths]
    sizes = Counter(short)
    names = [
        name if name and sizes[name] == 1 else str(path)
        for name, path in zip(short, paths, strict=True)
    ]
    return require_annotators(names)


def open_panel(
    paths: Sequence[Path],
    *,
    format: str = "",
    label_set: str = "",
    label_map: str = "",
    unpaired: str = "error",
    can_skip: bool = True,
) -> Panel:
    """Return the panel of the annotators, read while it is iterated; "" is an option not given.

    `can_skip` tells whether the command has `--unpaired`, for the advice in errors.
    """
    from scrubjay.corpora import read_corpus
    from scrubjay.evaluation.annotators import Annotator, Panel
    from scrubjay.evaluation.pairs import require_unpaired
    from scrubjay.evaluation.reading import named_label_set
    from scrubjay.labels import parse_label_map

    found = parse_label_map(label_map)
    annotators: list[Annotator] = [
        Annotator(name, read_corpus(path, format=format or None))
        for name, path in zip(name_annotators(paths), paths, strict=True)
    ]
    return Panel(
        annotators,
        label_set=named_label_set(label_set or None, found),
        label_map=found,
        unpaired=require_unpaired(unpaired),
        can_skip=can_skip,
    )
