"""What a project tells of the audit of a run: how far it is, its result, and its signed report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrubjay.review.store import Store

if TYPE_CHECKING:
    from scrubjay.analysis.audit import Audit
    from scrubjay.review.audit import AuditProgress, SignedReport


class Auditing:
    """The part of a project that is about an audit (`Project.auditing`)."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def progress(self, *, confidence: float = 0.95) -> AuditProgress:
        """Return what the reviewed part of the sample shows so far, with intervals."""
        from scrubjay.review.audit import measure_audit

        return measure_audit(self._store, confidence=confidence)

    def result(self, *, confidence: float = 0.95) -> Audit:
        """Return the result of the whole sample, as `audit read` does; `StateError` before."""
        from scrubjay.review.audit import read_audit

        return read_audit(self._store, confidence=confidence)

    def sign(self, signer: Any, *, confidence: float = 0.95) -> SignedReport:
        """Return the signed report of an audit; `signer` is one of `review.signing`."""
        from scrubjay.review.audit import sign_audit

        return sign_audit(self._store, signer, confidence=confidence)
