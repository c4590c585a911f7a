"""What the tests of the room share: a service with one model, a browser, a project on a service."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from scrubjay.review.project import Project
from scrubjay.web.app import create_app
from scrubjay.web.service import Service, Settings

if TYPE_CHECKING:
    from tests.web.browser import Served

# What stands in `browser` is imported by the fixtures: without a browser it skips whoever does.


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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return a browser for the tests of a module."""
    from tests.web.browser import running_browser

    with running_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Return a service that shows a project, for the tests of a module."""
    from tests.web.browser import make_project, running_service

    folder = tmp_path_factory.mktemp("service")
    with make_project(folder / "project") as project, running_service(folder, project) as served:
        yield served


@pytest.fixture
def project(tmp_path: Path, served: Served) -> Iterator[Project]:
    """Return a new project that the service shows."""
    from tests.web.browser import make_project

    with make_project(tmp_path / "project") as project:
        served.serve(project)
        yield project


@pytest.fixture
def base(served: Served, project: Project) -> str:
    """Return the address of a service that shows a new project."""
    return served.base
