"""A service for all tests of the room: one model, in a thread of this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from scrubjay.web.app import create_app
from scrubjay.web.service import Service, Settings


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """Return a service with the model `en-fast`, and a limit of 20,000 bytes."""
    settings = Settings(workers=0, max_body=20_000, time_limit=300.0)
    with Service(["en-fast"], ["placeholder"], settings=settings) as running:
        yield running


@pytest.fixture
def client(service: Service) -> Iterator[TestClient]:
    """Return a client of the service."""
    with TestClient(create_app(service), raise_server_exceptions=True) as client:
        yield client
