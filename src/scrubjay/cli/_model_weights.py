"""`scrubjay models weights`: what a CRF learned, feature by feature."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.cli._options import AsJson, ModelName
from scrubjay.cli._output import print_json, show_table


def weights(
    model: ModelName,
    label: Annotated[
        list[str] | None,
        typer.Option(help="Show the tags of this label alone; repeatable. O is no PHI."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Features for each tag, at most.")] = 20,
    moves: Annotated[
        bool, typer.Option("--moves", help="Show the moves from tag to tag in their place.")
    ] = False,
    member: Annotated[
        str, typer.Option(help="The CRF of an ensemble that has several, by its name.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show the features that weigh most for and against each tag of a CRF.

    A feature is written as in a configuration, with the value that it has: `lower@-1=dr` is the
    word "dr" before the token. Values may be words of the training data, and so PHI.
    """
    from scrubjay.analysis.weights import find_crf, strongest_features
    from scrubjay.analysis.weights import moves as moves_of
    from scrubjay.models import load_model

    crf, labels = find_crf(load_model(model), member).tagger.model, label or ()
    if moves:
        found = list(moves_of(crf, labels=labels))
        if as_json:
            print_json([{"from": m.source, "to": m.target, "weight": m.weight} for m in found])
            return
        rows = [(m.source, m.target, f"{m.weight:.4f}") for m in found]
        show_table(f"Moves of {model}", ("from", "to", "weight"), rows, text_columns=2)
        return
    features = list(strongest_features(crf, most=limit, labels=labels))
    if as_json:
        print_json([{"tag": f.tag, "parts": f.parts, "weight": f.weight} for f in features])
        return
    rows = [(f.tag, str(f), f"{f.weight:.4f}") for f in features]
    show_table(f"Features of {model}", ("tag", "feature", "weight"), rows, text_columns=2)
