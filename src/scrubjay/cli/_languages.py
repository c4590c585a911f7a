"""What `deid` and `annotate` tell of the language of a model and that of the documents."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from scrubjay.artifacts import Manifest
    from scrubjay.batch.input import Input
    from scrubjay.batch.summary import RunSummary, Tally
    from scrubjay.document import Document

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
    from scrubjay.text.languages import NAMES

    codes = set(languages)
    if found := _models_of(codes):
        return f"Give --model {' or '.join(found)}"
    told = " or ".join(NAMES[code] for code in sorted(codes))
    return f"No model that ships reads {told}; give a --model of your own that does"


def advise_alone(languages: Iterable[str], *, count: int) -> str:
    """Return how to run so many documents of these languages, which are a part of the input.

    Alone and into another folder: a model of their language would miss what is in the others.
    """
    from scrubjay.text.languages import NAMES

    codes = sorted(set(languages))
    found = {code: " or ".join(_models_of([code])) for code in codes}
    models = [
        (f"--model {names}" if (names := found[code]) else "a --model of your own")
        + (f" for {NAMES[code]}" if len(codes) > 1 or not names else "")
        for code in codes
    ]
    which = "it alone, not the others," if count == 1 else "those alone, not the others,"
    return f"Run {which} into another folder: with {', '.join(models)}"


def _models_of(languages: Collection[str]) -> list[str]:
    """Return the names of the models that ship and read one of these languages, best first."""
    from scrubjay.cli._model_figures import best_first
    from scrubjay.models import list_models

    models = best_first(each for each in list_models() if each.manifest.language in languages)
    return [each.manifest.name for each in models]


def require_language(context: typer.Context, source: Input, *, language: str) -> Input:
    """Raise `ConfigError` where the first documents are not in the language of the model.

    They are read once more for it. Where an input cannot be read again, the one that is returned
    raises it when a run reads it, before it gives a document out.
    """
    from scrubjay.batch.input import Input
    from scrubjay.batch.summary import LOOKED_AT

    if source.can_be_read_again():
        beginning = Input(source.paths, source.format, source.options).read()
        _require_beginning(context, islice(beginning, LOOKED_AT), language=language)
        return source

    def look(documents: Iterator[Document]) -> Iterator[Document]:
        first = list(islice(documents, LOOKED_AT))
        _require_beginning(context, first, language=language)
        return chain(first, documents)

    return replace(source, looks=(*source.looks, look))


def _require_beginning(
    context: typer.Context, documents: Iterable[Document], *, language: str
) -> None:
    """Raise `ConfigError` where these documents together are in another language."""
    from scrubjay.batch.summary import Tally
    from scrubjay.errors import ConfigError
    from scrubjay.text.languages import NAMES

    tally = Tally()
    for _ in tally.reading(documents):
        pass
    found = tally.first_language
    if not found or found == language or language not in NAMES:
        return
    if set(tally.languages) <= {found}:
        call = call_with(context, model_for(found))
        hint = f"Run: {call}" if call else advise([found])
    else:  # that call would have the others read by a model that is not theirs
        hint = advise_alone([found], count=tally.languages[found])
    raise ConfigError(
        f"the model reads {NAMES[language]}, and the first documents look to be in {NAMES[found]}; "
        "nothing was written",
        hint=hint,
    )


def tell_call(context: typer.Context, summary: RunSummary) -> None:
    """Tell on standard error how to run again, where all documents look to be in one language.

    That is the call as it was, with a model of their language; none is told where no such model
    ships, nor where a part is in another language, of which that model would miss the PHI.
    """
    from scrubjay.cli.main import printable

    language = summary.strange_whole
    if language and (call := call_with(context, model_for(language))):
        typer.echo(printable(f"run: {call}"), err=True)


def model_for(language: str) -> str:
    """Return the model that ships for a language, one that can run here; "" where there is none."""
    from scrubjay.models import list_models

    names = [each.manifest.name for each in list_models() if each.manifest.language == language]
    if language in names and find_spec("onnxruntime") is not None:
        return language
    fast = f"{language}-fast"
    return fast if fast in names else names[0] if names else ""


def call_with(context: typer.Context, model: str) -> str:
    """Return the command line of a call with another model, "" without one."""
    if not model:
        return ""
    words = [word for word in _words_of(context) if word]
    return shlex.join([*context.command_path.split(), *words, "--model", model])


def _words_of(context: typer.Context) -> Iterator[str]:
    """Yield the arguments and options that a call was given, its model left out."""
    options: list[str] = []
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if name == "model" or source is None or source.name != "COMMANDLINE":
            continue
        value: Any = context.params[name]
        if parameter.param_type_name == "argument":
            yield from map(str, value if isinstance(value, list | tuple) else [value])
        elif isinstance(value, bool):
            options.append(parameter.opts[0] if value else parameter.secondary_opts[0])
        else:
            for each in value if isinstance(value, list | tuple) else [value]:
                options += [parameter.opts[0], str(each)]
    yield from options
