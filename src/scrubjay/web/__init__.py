"""The service: detection and de-identification over HTTP, and the pages of the review."""

from __future__ import annotations

from importlib.util import find_spec

from scrubjay.errors import MissingExtraError


def require_extra() -> None:
    """Raise `MissingExtraError` where the packages of the service are not installed."""
    for package in ("fastapi", "prometheus_client", "uvicorn"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "serve")
