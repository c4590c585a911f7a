"""What a task of a cluster is made of: the work of a run, and the facts that its summary tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from scrubjay import __version__
from scrubjay.artifacts import hash_manifest
from scrubjay.batch.setup import DeidSetup
from scrubjay.batch.work import Here, work_facts
from scrubjay.batch.workers import TOGETHER, Workers
from scrubjay.deidentifier import Deidentifier
from scrubjay.errors import ArtifactError, ConfigError
from scrubjay.models import describe_model

_KEPT = 2
_SHIP = 'Install the same version on all machines, or give delivery="ship"'


@lru_cache(maxsize=_KEPT)
def ready_work(
    setup: DeidSetup, sha256: str, time_limit: float | None
) -> tuple[Deidentifier, Here | Workers]:
    """Return what does the work, kept for the tasks that follow in the same Python worker.

    With a limit of time it is a process beside this one, and ends with it.
    """
    try:
        same = hash_manifest(describe_model(setup.model).folder) == sha256
    except (ConfigError, ArtifactError) as error:
        raise ConfigError(
            f"the model cannot be read on an executor: {str(error).rstrip('.')}", hint=_SHIP
        ) from None
    if not same:
        raise ConfigError(
            f"the model {setup.model!r} on an executor is not that of the driver", hint=_SHIP
        )
    if time_limit is None:
        work = setup.make_work()
        return work.deidentifier, Here(work)
    workers = Workers(setup.make_work, seconds=time_limit)
    workers.__enter__()
    shape = setup.shape_work().deidentifier
    return replace(shape, batch_documents=TOGETHER), workers


def require_limit(time_limit: float | None) -> None:
    """Raise `ConfigError` for a limit of time that cannot be."""
    if time_limit is not None:
        Workers.require(seconds=time_limit)


def run_facts(
    setup: DeidSetup,
    patient_column: str,
    time_limit: float | None,
    keep_columns: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the summary of a run tells of it, and no key."""
    rules, manifest = setup.find_policy(), describe_model(setup.model).manifest
    told = {
        **work_facts(rules, keep_columns, setup.coding()),
        **setup.facts(),
        "patient_key": patient_column or None,
        "gather_patients": bool(patient_column),
        "date_look": None,
        "time_limit": time_limit,
        "memory_limit": None,
    }
    return {"model": manifest.name, "policy": rules.name, "version": __version__, "told": told}
