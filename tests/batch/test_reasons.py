"""Why documents fail: every code has a reason, on the screen and in the documentation."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

import scrubjay
from scrubjay.batch.reasons import OTHER, REASONS, explain, reason_of
from scrubjay.deidentifier import Failure

SOURCE = Path(scrubjay.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "runs.md"

NEVER_A_CODE = {
    # Others are raised; these are what they have in common.
    "ScrubjayError", "WorkerError", "ProofError",
    # They end a run, or keep it from beginning.
    "ArtifactError", "FullDiskError", "MissingExtraError", "OutputError",
    # Of review projects and their pages, which have no runs.
    "BlindError", "ConflictError", "NotFoundError", "ProjectBusyError", "ProjectError",
    "ProjectVersionError", "SignatureError", "StateError",
    # The service answers a whole request with a status of HTTP.
    "LostProcessError", "SlowJobError",
}  # fmt: skip


def _classes() -> Iterator[tuple[str, list[str]]]:
    """Yield each class of the source with the names of its bases."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield node.name, [base.id for base in node.bases if isinstance(base, ast.Name)]


def _own_errors() -> set[str]:
    """Return the names of all classes below `ScrubjayError`, wherever they are."""
    classes = list(_classes())
    found = {"ScrubjayError"}
    while more := {name for name, bases in classes if found & {*bases}} - found:
        found |= more
    return found


def test_every_error_has_a_reason_or_is_no_code() -> None:
    known = _own_errors()
    assert known - {*REASONS} - NEVER_A_CODE == set()
    assert {*REASONS} & NEVER_A_CODE == set()
    assert known >= NEVER_A_CODE
    assert {code for code in REASONS if not hasattr(builtins, code)} <= known


def test_the_page_has_the_same_table() -> None:
    rows = [(f"`{code}`", reason) for code, reason in REASONS.items()]
    rows.append(("any other", OTHER))
    table = "".join(f"| {code} | {reason.cause} | {reason.action} |\n" for code, reason in rows)
    head = "| code | what happened to the document | what to do |\n|---|---|---|\n"
    assert head + table + "\n" in PAGE.read_text(encoding="utf-8")


def test_each_code_is_explained_once_the_most_frequent_first() -> None:
    codes = ["LeakError", "KeyError", "LeakError", "ConfigError"]
    lines = list(explain(Failure(str(n), "prove", code) for n, code in enumerate(codes)))
    assert [line.split(":")[0] for line in lines] == ["LeakError", "ConfigError", "KeyError"]
    assert not any("`" in line for line in lines)
    assert lines[1].endswith("such as placeholder, in a policy of yours (docs/policies.md)")
    assert lines[2] == f"KeyError: {OTHER.cause}. What to do: {OTHER.action}"
    assert list(explain([])) == []


def test_a_class_of_python_is_an_error_that_nobody_foresaw() -> None:
    assert reason_of("ZeroDivisionError") is OTHER
