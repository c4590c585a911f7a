"""Whatever is sent: no crash, no answer that OpenAPI does not tell, nothing good refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from scrubjay.web.app import create_app
from scrubjay.web.service import Service, Settings

CONFIG = Path(__file__).resolve().parents[2] / "schemathesis.toml"
SERVICE = Service(["en-fast"], settings=Settings(workers=0))
APP = create_app(SERVICE)
SCHEMA = schemathesis.openapi.from_asgi(
    "/openapi.json", APP, config=SchemathesisConfig.from_path(CONFIG)
)


@pytest.fixture(scope="module", autouse=True)
def running() -> Iterator[None]:
    """Run the workers of the service, of which the module made only the routes."""
    with SERVICE:
        yield


@SCHEMA.parametrize()
@settings(max_examples=15, suppress_health_check=list(HealthCheck), derandomize=True)
def test_every_answer_is_foreseen(case: schemathesis.Case) -> None:
    case.call_and_validate()
