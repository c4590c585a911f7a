"""The public names: a guarded list, loaded only when they are used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import scrubjay

PUBLIC = [
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


def test_the_public_names_are_these() -> None:
    assert scrubjay.__all__ == PUBLIC
    assert {name for name in dir(scrubjay) if name in PUBLIC} == set(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_each_public_name_can_be_used(name: str) -> None:
    assert getattr(scrubjay, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        scrubjay.lod  # noqa: B018


def test_importing_the_package_loads_nothing_else() -> None:
    code = (
        "import sys; before = set(sys.modules); import scrubjay; "
        "print(sorted({name.partition('.')[0] for name in set(sys.modules) - before}), "
        "sorted(name for name in sys.modules if name.startswith('scrubjay.')))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    loaded = set(eval(shown.partition("] ")[0] + "]"))
    assert not loaded & {"numpy", "typer", "rich", "lxml", "pyarrow", "numba", "spacy"}
    assert shown.endswith(" []\n")
