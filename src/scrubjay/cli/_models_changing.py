"""The commands of `scrubjay models` that make another: quantize, prune, merge, mend, turn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.cli._options import ModelName, Overwrite
from scrubjay.cli._output import show_size

if TYPE_CHECKING:
    from scrubjay.artifacts import Manifest

Out = Annotated[Path, typer.Option(help="Folder of the new model, which gives it its name.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands to the group."""
    app.command()(quantize)
    app.command()(prune)
    app.command()(merge)
    app.command()(mend)
    app.command()(turn)


def quantize(model: ModelName, out: Out, overwrite: Overwrite = False) -> None:
    """Write a recurrent model with 8-bit weights: smaller, and a little less exact."""
    from scrubjay.learning.neural.quantization import quantize as make_small

    _write(model, out, make_small, overwrite=overwrite)


def prune(
    model: ModelName,
    out: Out,
    least: Annotated[
        float, typer.Option(min=0.0, help="The smallest weight, by its size, that is kept.")
    ] = 0.03,
    overwrite: Overwrite = False,
) -> None:
    """Write a CRF, or an ensemble with one, without its smallest weights: smaller, and faster."""
    from scrubjay.learning.pruning import prune as make_small

    said = f"weights below {least:g} were left out, and the figures are those before"
    _write(model, out, partial(make_small, least=least), said=said, overwrite=overwrite)


def merge(model: ModelName, out: Out, overwrite: Overwrite = False) -> None:
    """Write a pool with its CRFs made into one: the same spans, in less time.

    The CRFs must have the same features and labels.
    """
    from scrubjay.learning.merging import merge as make_one

    _write(model, out, make_one, overwrite=overwrite)


def mend(
    model: ModelName,
    out: Out,
    trust: Annotated[
        float | None,
        typer.Option(
            help="Choose labels of persons by all that a text tells of them, too, in English and "
            "Spanish: how much the label counts that the model gave, in log-odds, as 1.5. It helps "
            "models of a CRF and rules alone."
        ),
    ] = None,
    capitals: Annotated[
        bool,
        typer.Option(
            "--capitals",
            help="Read texts and lines that lack capitals, or are all in capitals, with those that "
            "they would have: a pool by its CRFs, any other model as a whole.",
        ),
    ] = False,
    overwrite: Overwrite = False,
) -> None:
    """Write a model that mends what it finds by the rest of the document.

    In English, Spanish and Dutch doubtful spans within a clinical term that is no PHI are left
    out, and so are results and heads of sections; persons are found whom only a key or a title
    tells from a disease, and passwords by their keys. In English and Dutch scores, values of the
    laboratory and settings are no dates either, in Dutch abbreviations and diseases no names. In
    English and Spanish column gaps set borders, in English brackets, glued keys and ranges of
    dates, too; there listed names in capitals glued to a title or a relative are found, and a
    person has one label.
    """
    from scrubjay.taggers.mending_models import mending_manifest

    def change(detector: Any) -> Any:
        turns = capitals and hasattr(detector, "with_capitals")
        return detector.with_capitals() if turns else detector

    _write(model, out, change, partial(mending_manifest, trust=trust), overwrite=overwrite)


def turn(
    model: ModelName,
    out: Out,
    recall_dial: Annotated[
        float,
        typer.Option(help="Where the dial of the new model stands: above 0 it finds more."),
    ],
    overwrite: Overwrite = False,
) -> None:
    """Write a model with its recall dial at another place: what deid --recall-dial does, for good.

    `scrubjay models dial` tells what each place of the dial costs on notes of your own.
    """
    from dataclasses import replace

    from scrubjay.detectors import turn_recall_dial

    def turned(detector: Any) -> Manifest:
        config = {**detector.manifest.config, "recall-dial": recall_dial}
        turn_recall_dial(detector, recall_dial)  # refuses what has none
        manifest: Manifest = replace(detector.manifest, config=config)
        return manifest

    said = f"the recall dial was turned to {recall_dial:g}: the figures are those before"
    _write(model, out, lambda detector: detector, turned, said=said, overwrite=overwrite)


def _write(
    model: str,
    out: Path,
    change: Callable[[Any], Any],
    manifest_of: Callable[[Any], Manifest] = attrgetter("manifest"),
    *,
    said: str = "",
    overwrite: bool,
) -> None:
    """Write what `change` makes of a model, with its manifest and what is `said` of the change."""
    from dataclasses import replace

    from scrubjay.artifacts import is_private, require_place, save_artifact
    from scrubjay.models import describe_model, find_model, load_model

    require_place(out, overwrite=overwrite)
    before = describe_model(model).size
    made = change(load_model(model))
    manifest = manifest_of(made)
    notes = "\n".join(filter(None, [manifest.notes, said]))
    manifest = replace(manifest, name=out.resolve().name, notes=notes)
    private = is_private(find_model(model))
    save_artifact(out, manifest, files=made.files(), overwrite=overwrite, private=private)
    sizes = (show_size(size) for size in (before, describe_model(out).size))
    typer.echo(f"{manifest.name}: {' -> '.join(sizes)}", err=True)
