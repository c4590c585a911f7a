"""What `deid` and `annotate` tell of the language of a model and that of the documents."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from scrubjay.artifacts import Manifest
    from scrubjay.batch.summary import Tally

EARLY_SECONDS = 5.0
"""A run that takes longer is told of a strange language before its end, too."""


def tell_default(context: typer.Context, manifest: Manifest) -> None:
    """Tell on standard error which model is taken where none was named."""
    from scrubjay.text.languages import NAMES

    source = context.get_parameter_source("model")
    if source is not None and source.name == "DEFAULT":
        language = NAMES.get(manifest.language, manifest.language or "any language")
        typer.echo(
            f"note: the model is {manifest.name}, for {language}, since --model names none "
            "(scrubjay models list shows others)",
            err=True,
        )


def warning_early(report: Callable[[Tally], None], *, language: str) -> Callable[[Tally], None]:
    """Return a report that warns once, in a long run, where its first documents look strange.

    `language` is that of the model.
    """
    begin = time.monotonic()
    waits = True

    def both(tally: Tally) -> None:
        nonlocal waits
        if waits and time.monotonic() - begin >= EARLY_SECONDS:
            waits = False
            if told := describe_beginning(tally.first_language, language=language):
                typer.echo(told, err=True)
        report(tally)

    return both


def describe_beginning(found: str, *, language: str) -> str:
    """Return a warning where the first documents are not in the language of the model, else ""."""
    from scrubjay.text.languages import NAMES

    if not found or found == language or language not in NAMES:
        return ""
    return (
        f"warning: the model reads {NAMES[language]}, and the first documents look to be in "
        f"{NAMES[found]}: most of their PHI may be missed. {advise([found])}"
    )


def advise(languages: Iterable[str]) -> str:
    """Return which models that ship read these languages."""
    from scrubjay.models import list_models
    from scrubjay.text.languages import NAMES

    codes = set(languages)
    found = [each.manifest.name for each in list_models() if each.manifest.language in codes]
    if found:
        return f"Give --model {' or '.join(found)}"
    told = " or ".join(NAMES[code] for code in sorted(codes))
    return f"No model that ships reads {told}; give a --model of your own that does"
