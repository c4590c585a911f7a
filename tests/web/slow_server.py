"""A server whose worker answers `wait` once a file is there: `python -m ... FILE`."""

from __future__ import annotations

import sys

from scrubjay.web.metrics import Metrics
from scrubjay.web.server import Address, serve
from scrubjay.web.service import Service, Settings
from scrubjay.web.work import Pool
from tests.web.engines import GateSetup


def main(file: str) -> None:
    service = Service(["en-fast"], settings=Settings(workers=0))
    service.pool = Pool(GateSetup(file), Metrics(), workers=0)
    serve(service, Address(port=0), started=lambda url: print(f"at {url}", file=sys.stderr))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
