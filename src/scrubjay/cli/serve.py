"""`scrubjay serve`: the service, and the pages, on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scrubjay.cli._dates import DateDirection
from scrubjay.cli._options import KnownFile, UnknownPatient

if TYPE_CHECKING:
    from scrubjay.web.service import Service


def serve(
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|DIR", help="A model that requests may name (may be repeated) [en]."
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|FILE", help="A policy; the first is the default [placeholder]."),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 is everywhere.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 is any that is free.")
    ] = 8000,
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The tokens that are let in (scrubjay token new)."),
    ] = None,
    token: Annotated[
        bool,
        typer.Option("--token/--no-token", help="Whether a token is needed beyond this machine."),
    ] = True,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name that requests may ask for (may be repeated)."),
    ] = None,
    max_body: Annotated[
        int, typer.Option(min=1, metavar="BYTES", help="The greatest body of a request.")
    ] = 1_000_000,
    time_limit: Annotated[
        float,
        typer.Option(min=0.01, metavar="SECONDS", help="How long a request may run, and wait."),
    ] = 30.0,
    queue: Annotated[int, typer.Option(min=1, help="How many requests may wait.")] = 64,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Processes that work side by side [2, or 1 on one core]."),
    ] = None,
    known: KnownFile = None,
    unknown_patient: UnknownPatient = "fail",
    key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The secret key of policies, else $SCRUBJAY_KEY."),
    ] = None,
    date_order: Annotated[
        Literal["dmy", "mdy"] | None,
        typer.Option(
            help="What 3/4/2012 is where dates are shifted and a request does not say: the 3rd of "
            "April or the 4th of March (default: as each document tells)."
        ),
    ] = None,
    date_direction: DateDirection = None,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A certificate, to serve over TLS.")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The key of the certificate.")
    ] = None,
    tls_in_front: Annotated[
        bool,
        typer.Option(
            "--tls-in-front",
            help="A proxy in front ends TLS: browsers send their cookies over TLS alone.",
        ),
    ] = False,
    project: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A project whose documents are reviewed.")
    ] = None,
) -> None:
    """Serve detection and de-identification over HTTP until Ctrl-C.

    Beyond this machine a token is needed, unless --no-token says otherwise. Nothing that is
    sent is kept or logged. OpenAPI is at /openapi.json; docs/service.md shows every route.
    """
    from scrubjay.cli._keys import warn_of_open_keys, warn_of_open_tokens
    from scrubjay.cli._progress import waiting
    from scrubjay.compiling import are_kept, has_numba
    from scrubjay.errors import ConfigError
    from scrubjay.transform.operators import read_key
    from scrubjay.web import require_extra

    require_extra()
    from scrubjay.web.server import Address, open_tokens, require_tls
    from scrubjay.web.server import serve as run
    from scrubjay.web.service import Service, Settings, usual_workers

    if (tls_cert is None) != (tls_key is None):
        raise ConfigError("--tls-cert and --tls-key belong together", hint="Give both")
    address = Address(host, port, tls_cert, tls_key)
    require_tls(address)
    settings = Settings(
        hosts=address.hosts(allowed_host or []),
        max_body=max_body,
        time_limit=time_limit,
        queue=queue,
        workers=workers or usual_workers(),
        tls_in_front=tls_in_front,
    )
    tokens = open_tokens(token_file, wanted=token, address=address)
    service = Service(
        model or ["en"],
        policy or ["placeholder"],
        settings=settings,
        tokens=tokens,
        key=read_key(key_file),
        known=known,
        unknown_patient=unknown_patient,
        date_order=date_order or "",
        date_direction=date_direction or "",
    )
    warn_of_open_keys(key_file, tls_key)
    warn_of_open_tokens(token_file)
    asked = "a token is needed" if tokens is not None else "no token is needed"

    def started(url: str) -> None:
        names = ", ".join(service.models)
        typer.echo(f"serving {names} at {url} ({asked}); Ctrl-C ends it", err=True)

    waits = has_numba() and not are_kept()
    kernels = ", and compiling kernels, which later starts need not (some 30 s)" if waits else ""
    typer.echo(f"loading {_loaded(service)}{kernels} ...", err=True)

    def ready() -> str:
        return f"workers that are ready: {service.pool.ready} of {settings.workers}"

    with waiting("still loading", ready) as over:

        def show(url: str) -> None:
            over()
            started(url)

        run(service, address, project=project, started=show)


def _loaded(service: Service) -> str:
    """Return what is loaded before the service answers: the models, each in every worker."""
    names, count = ", ".join(service.models), service.settings.workers
    return f"{names} in {count} {'process' if count == 1 else 'processes'}"
