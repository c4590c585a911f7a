"""Without pyspark, both the function and the example say how to install it."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from scrubjay.batch.spark import deidentify
from scrubjay.errors import MissingExtraError


@pytest.fixture(autouse=True)
def _no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*sys.modules]:
        if name.partition(".")[0] == "pyspark":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)


def test_the_function_names_the_command() -> None:
    with pytest.raises(MissingExtraError, match=r'pip install "scrubjay\[spark\]"'):
        deidentify(cast(Any, object()))


def test_the_example_names_the_command(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["spark_deid.py", "notes", "out"])
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(root / "examples" / "spark_deid.py"), run_name="__main__")
    assert left.value.code == 2
    assert 'pip install "scrubjay[spark]"' in capsys.readouterr().err
