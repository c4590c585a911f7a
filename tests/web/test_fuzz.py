"""Whatever is sent: no crash, no answer that OpenAPI does not tell, nothing good refused."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from scrubjay.web.app import create_app
from scrubjay.web.service import Service, Settings

CONFIG = Path(__file__).resolve().parents[2] / "schemathesis.toml"
SERVICE = Service(["en-fast"], settings=Settings(workers=0))
APP = create_app(SERVICE)


def shortened(described: dict[str, Any]) -> dict[str, Any]:
    """Return the description with two columns of identifiers: the others are all alike."""
    short = deepcopy(described)
    known = short["components"]["schemas"]["Known"]["properties"]
    short["components"]["schemas"]["Known"]["properties"] = {
        name: known[name] for name in ("name", "birth_date")
    }
    return short


SCHEMA = schemathesis.openapi.from_dict(
    shortened(APP.openapi()), config=SchemathesisConfig.from_path(CONFIG)
)
SCHEMA.app = APP


@pytest.fixture(scope="module", autouse=True)
def running() -> Iterator[None]:
    """Run the workers of the service, of which the module made only the routes."""
    with SERVICE:
        yield


@SCHEMA.parametrize()
@settings(max_examples=15, suppress_health_check=list(HealthCheck), derandomize=True)
def test_every_answer_is_foreseen(case: schemathesis.Case) -> None:
    case.call_and_validate()
