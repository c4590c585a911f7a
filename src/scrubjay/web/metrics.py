"""Counts of what the service did, for Prometheus: routes, statuses, times; nothing of anybody."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from scrubjay import __version__

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.015, 0.025, 0.05, 0.08, 0.15, 0.3, 0.6, 1.2, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The metrics of one service, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        to = self.registry
        self.in_flight = Gauge(
            "scrubjay_requests_in_flight", "Requests that run or wait", registry=to
        )
        self.waiting = Gauge("scrubjay_jobs_waiting", "Jobs that wait for a worker", registry=to)
        self.workers = Gauge("scrubjay_workers_ready", "Workers that can take a job", registry=to)
        self._requests = Counter(
            "scrubjay_requests", "Requests answered", ["method", "route", "status"], registry=to
        )
        self._seconds = Histogram(
            "scrubjay_request_seconds", "Time of a request", ["route"], buckets=SECONDS, registry=to
        )
        self._documents = Counter(
            "scrubjay_documents", "Documents processed", ["task", "outcome"], registry=to
        )
        self._failures = Counter(
            "scrubjay_document_failures", "Documents that failed", ["stage", "code"], registry=to
        )
        self._characters = Counter("scrubjay_characters", "Characters of documents", registry=to)
        self._spans = Counter("scrubjay_spans", "Spans found, by label", ["label"], registry=to)
        self._lost = Counter(
            "scrubjay_workers_lost", "Workers that were replaced", ["why"], registry=to
        )
        Gauge("scrubjay_info", "The version", ["version"], registry=to).labels(__version__).set(1)

    def note_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request by the template of its route."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def note_document(self, task: str, characters: int, labels: list[str]) -> None:
        """Count a document that went through, and its spans by label."""
        self._documents.labels(task, "done").inc()
        self._characters.inc(characters)
        for label in labels:
            self._spans.labels(label).inc()

    def note_failure(self, task: str, stage: str, code: str) -> None:
        """Count a document that failed."""
        self._documents.labels(task, "failed").inc()
        self._failures.labels(stage, code).inc()

    def note_lost(self, why: str) -> None:
        """Count a worker that was replaced."""
        self._lost.labels(why).inc()

    def render(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)
