"""The service without its routes: settings, models, tokens, metrics and workers in one place."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scrubjay.artifacts import Manifest
from scrubjay.deidentifier import Failure
from scrubjay.errors import ConfigError
from scrubjay.known.detector import OnUnknown
from scrubjay.labels import LabelSet
from scrubjay.models import describe_model, label_set_of
from scrubjay.transform.date_orders import set_shifted_dates, shifts_dates
from scrubjay.transform.policy import POLICIES, Policy, find_policy, policy_path
from scrubjay.web.engine import Answer, EngineSetup, Job
from scrubjay.web.metrics import Metrics
from scrubjay.web.tokens import Sessions, TokenFile
from scrubjay.web.work import Pool


@dataclass(frozen=True, slots=True)
class Settings:
    """How the service treats requests; sizes are bytes.

    `hosts` are the names that a `Host` header may have, None for any. `tls_in_front` says that all
    who ask come over TLS, though it ends before this service: browsers keep cookies to that.
    """

    hosts: frozenset[str] | None = None
    max_body: int = 1_000_000
    max_upload: int = 100_000_000
    body_seconds: float = 30.0
    time_limit: float = 30.0
    queue: int = 64
    workers: int = 1
    tls_in_front: bool = False


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that requests can name: its manifest, label set and every label that it may give."""

    name: str
    manifest: Manifest
    label_set: LabelSet
    labels: frozenset[str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServedPolicy:
    """A policy that requests can name; None in the place of the policy where it needs a key."""

    name: str
    policy: Policy | None
    description: str = ""


class Service:
    """Everything that routes and pages need; used in a `with` statement, which runs the workers.

    `models` and `policies` are names, or paths of folders and TOML files; the first of each is
    the one that a request gets that names none. Raises `ConfigError` for what is unknown, for
    two of the same name, for a default policy that needs a key that was not given, and for a
    `date_order` or `date_direction` where no policy shifts dates.
    """

    def __init__(
        self,
        models: Sequence[str] = ("en",),
        policies: Sequence[str] = ("placeholder",),
        *,
        settings: Settings | None = None,
        tokens: TokenFile | None = None,
        key: bytes | None = None,
        known: Path | None = None,
        unknown_patient: OnUnknown = "fail",
        date_order: str = "",
        date_direction: str = "",
    ) -> None:
        self.settings = settings or Settings()
        self.models = _serve_models(models)
        self.policies = _serve_policies(
            policies, key=key, order=date_order, direction=date_direction
        )
        self.default_model = next(iter(self.models))
        self.default_policy = next(iter(self.policies))
        _check_policies(self.policies, self.models, policies)
        self.tokens = tokens
        self.sessions = Sessions(tokens)
        self.metrics = Metrics()
        self.draining = False
        self.places = dict(zip(self.models, models, strict=True))
        usable = {
            name: places
            for name, places in _places(policies).items()
            if self.policies[name].policy is not None
        }
        setup = EngineSetup(
            self.places, usable, key, known, unknown_patient, date_order, date_direction
        )
        self.pool = Pool(
            setup,
            self.metrics,
            workers=self.settings.workers,
            waiting=self.settings.queue,
            seconds=self.settings.time_limit,
        )

    def __enter__(self) -> Service:
        self.pool.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.draining = True
        self.pool.stop()

    def has_dial(self, model: str) -> bool:
        """Tell whether a model has a recall dial; known once the workers are ready."""
        return model in self.pool.facts.dialled

    async def run(self, job: Job) -> Answer:
        """Return what comes of the documents of a job, and count it; raises `Problem`."""
        answer = await self.pool.run(job)
        for given, each in zip(job.documents, answer, strict=True):
            if isinstance(each, Failure):
                self.metrics.note_failure(job.task, each.stage, each.code)
            else:
                labels = [span.label for span in each.spans]
                self.metrics.note_document(job.task, len(given.text), labels)
        return answer


def usual_workers() -> int:
    """Return how many workers serve where nobody said: two, one on a single core."""
    return min(2, os.cpu_count() or 1)


def _serve_models(models: Sequence[str]) -> Mapping[str, ServedModel]:
    served: dict[str, ServedModel] = {}
    for given in models:
        manifest = describe_model(given).manifest
        label_set = label_set_of(manifest)
        labels = frozenset([*manifest.labels, *label_set.labels])
        if manifest.name in served:
            raise ConfigError(
                f"two models are named {manifest.name!r}", hint="Requests tell them by their names"
            )
        served[manifest.name] = ServedModel(manifest.name, manifest, label_set, labels)
    if not served:
        raise ConfigError("a service needs a model", hint="Give --model NAME")
    return served


def _places(policies: Sequence[str]) -> dict[str, str]:
    """Return name -> name or path: what was given first, by its file, then what ships."""
    places: dict[str, str] = {}
    for given in (*policies, *POLICIES):
        name = given if given in POLICIES else Path(given).stem
        if places.setdefault(name, given) != given:
            raise ConfigError(
                f"two policies are named {name!r}", hint="Requests tell them by their names"
            )
    return places


def _serve_policies(
    policies: Sequence[str], *, key: bytes | None, order: str, direction: str
) -> Mapping[str, ServedPolicy]:
    served: dict[str, ServedPolicy] = {}
    for name, place in _places(policies).items():
        try:
            policy = set_shifted_dates(
                find_policy(place, key=key), order=order, direction=direction
            )
        except ConfigError:
            if place in policies or key is not None:
                raise
            served[name] = ServedPolicy(name, None, "needs the key that this service lacks")
            continue
        served[name] = ServedPolicy(name, policy, policy.description)
    found = [each.policy for each in served.values() if each.policy is not None]
    if (order or direction) and not any(map(shifts_dates, found)):
        what = "order" if order else "direction"
        raise ConfigError(
            f"no policy that is served shifts dates: to set their {what} is of no use",
            hint="The policy 'surrogate' does, with a key: --key-file, or SCRUBJAY_KEY",
        )
    return served


def _check_policies(
    policies: Mapping[str, ServedPolicy], models: Mapping[str, ServedModel], given: Sequence[str]
) -> None:
    """Raise `LabelError` where a policy that was asked for names a label that no model knows."""
    known = frozenset[str]().union(*(model.labels for model in models.values()))
    for name, place in _places(given).items():
        policy = policies[name].policy
        if place in given and policy is not None:
            policy.require_labels(known, path=policy_path(place))
