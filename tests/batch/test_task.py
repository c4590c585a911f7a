"""The work of a task: the driver's model or none, and a limit of time where one is set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrubjay.batch.arrow import process_batches
from scrubjay.batch.setup import DeidSetup
from scrubjay.batch.task import ready_work, require_limit, run_facts
from scrubjay.errors import ConfigError

arrow = pytest.importorskip("pyarrow")

SETUP = DeidSetup("en-fast", "hash", b"a secret key of more than 16 bytes")


def model_hash() -> str:
    found: str = run_facts(SETUP, "", None)["told"]["model_sha256"]
    return found


def test_facts_hold_no_key() -> None:
    facts = run_facts(SETUP, "pat", 60.0)
    assert "secret" not in str(facts)
    assert facts["told"]["patient_key"] == "pat"
    assert facts["told"]["time_limit"] == 60.0
    assert facts["told"]["date_order"] is None
    surrogates = DeidSetup("en-fast", "surrogate", SETUP.key, date_order="dmy")
    assert run_facts(surrogates, "pat", None)["told"]["date_order"] == "dmy"


def test_another_model_than_the_driver_s_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"not that of the driver.*delivery"):
        ready_work(SETUP, "0" * 64, None)
    with pytest.raises(ConfigError, match=r"cannot be read on an executor.*delivery"):
        ready_work(DeidSetup(str(tmp_path / "none")), model_hash(), None)


@pytest.mark.parametrize(("limit", "code"), [(None, None), (600.0, None), (1e-9, "TimeLimitError")])
def test_a_limit_of_time_fails_documents_alone(limit: float | None, code: str | None) -> None:
    batch = arrow.record_batch({"id": ["1", "2"], "text": ["Seen by Dr. Ortega.", ""]})
    deidentifier, runner = ready_work(SETUP, model_hash(), limit)
    try:
        (done,) = process_batches([batch], deidentifier, runner=runner)
    finally:
        stop(runner)
        ready_work.cache_clear()
    found = done.to_pylist()
    assert [row["failure"] and row["failure"]["code"] for row in found] == [code, code]
    assert all("Ortega" not in (row["text"] or "") for row in found)
    assert (found[1]["text"] is None) == (code is not None)


def stop(runner: Any) -> None:
    if hasattr(runner, "__exit__"):
        runner.__exit__(None, None, None)


def test_a_limit_that_cannot_be_is_told() -> None:
    require_limit(None)
    require_limit(1.0)
    with pytest.raises(ConfigError, match="above 0"):
        require_limit(float("nan"))
