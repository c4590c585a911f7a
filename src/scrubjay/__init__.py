"""Scrubjay finds protected health information in clinical text and removes or replaces it.

    import scrubjay

    model = scrubjay.load("en")
    for result in model.pipe(scrubjay.read_corpus("notes")):
        print(result)

Importing the package loads nothing else; each public name is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrubjay.corpora import open_writer, read_corpus
    from scrubjay.deidentifier import Deidentified, Deidentifier, Failure, load
    from scrubjay.detectors import Detector
    from scrubjay.document import Document, Span
    from scrubjay.errors import ScrubjayError
    from scrubjay.models import list_models, load_model
    from scrubjay.transform.policy import Policy, find_policy

__version__ = "0.1.0"

__all__ = [
    "Deidentified",
    "Deidentifier",
    "Detector",
    "Document",
    "Failure",
    "Policy",
    "ScrubjayError",
    "Span",
    "__version__",
    "find_policy",
    "list_models",
    "load",
    "load_model",
    "open_writer",
    "read_corpus",
]

_PLACES = {
    "Deidentified": "scrubjay.deidentifier",
    "Deidentifier": "scrubjay.deidentifier",
    "Detector": "scrubjay.detectors",
    "Document": "scrubjay.document",
    "Failure": "scrubjay.deidentifier",
    "Policy": "scrubjay.transform.policy",
    "ScrubjayError": "scrubjay.errors",
    "Span": "scrubjay.document",
    "find_policy": "scrubjay.transform.policy",
    "list_models": "scrubjay.models",
    "load": "scrubjay.deidentifier",
    "load_model": "scrubjay.models",
    "open_writer": "scrubjay.corpora",
    "read_corpus": "scrubjay.corpora",
}
"""Public name -> the module that holds it."""


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'scrubjay' has no attribute {name!r}")
    value = getattr(importlib.import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
