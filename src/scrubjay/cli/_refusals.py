"""What a call is told that names no command, or gives an option what it cannot take."""

from __future__ import annotations

import re
from typing import Any

SYNONYMS = {
    "adapt": "finetune fine-tune transfer tune",
    "agreement": "iaa kappa",
    "compile": "precompile warm-up warmup",
    "annotate": "detect find label ner predict tag",
    "deid": "anonymise anonymize clean de-id de-identify deidentify mask pseudonymise "
    "pseudonymize redact remove run scrub",
    "evaluate": "eval f1 measure score test",
    "models": "list-models",
    "restore": "re-identify reidentify undo",
    "serve": "api gui playground server ui web",
    "synth": "generate synthesise synthesize",
    "train": "fit learn teach",
}
"""Command -> words by which others call what it does."""

_COMMAND_OF = {word: command for command, words in SYNONYMS.items() for word in words.split()}

_PYTHON_ERROR = "Value error, "
"""What Typer puts before the message of a value that is none of the choices."""
_KINDS = (
    (re.compile(r"\bvalid integer\b"), "a whole number", "2"),
    (re.compile(r"\bvalid (?:number|float)\b"), "a number", "0.5"),
)
_BOUNDS = (
    (re.compile(r"should be greater than or equal to (\S+)$"), "too small: the least is {}"),
    (re.compile(r"should be less than or equal to (\S+)$"), "too great: the most is {}"),
)
_LONGEST = 40


def suggest_command(name: str, known: Any) -> str:
    """Return the command that a word is another one for, or is but for its case; "" for none."""
    word = name.casefold().replace("_", "-")
    found = word if word in known else _COMMAND_OF.get(word, "")
    return found if found in known else ""


def plain_refusal(error: Any) -> str:
    """Return the message of an option's wrong value: what was given, what it takes, and its help.

    Messages of other kinds come back as they are, without the name of an error of Python.
    """
    message: str = error.message.removeprefix(_PYTHON_ERROR)
    given = _given(error)
    told = ""
    for pattern, what, example in _KINDS:
        if pattern.search(message):
            told = f"{given} is not {what}. Give {what} in digits, such as {example}"
    for pattern, what in _BOUNDS:
        if found := pattern.search(message):
            told = f"{given} is {what.format(found[1])}"
    if not told:
        return message
    parameter = getattr(error, "param", None)
    explained = getattr(parameter, "help", None)
    names = getattr(parameter, "opts", None)
    return f"{told}. {names[-1]}: {explained}" if explained and names else told


def _given(error: Any) -> str:
    """Return the value that was given, where the error behind the message tells it."""
    try:
        value = error.__cause__.errors()[0]["input"]
    except (AttributeError, IndexError, KeyError, TypeError):
        return "this"
    shown = value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else value
    return repr(shown) if len(str(shown)) <= _LONGEST else "this"
