"""A Scrubjay model (name or folder, the first argument) on JSON lines.

One note at a time, or many as a run takes them. With `deid` as second argument many notes are
de-identified as `scrubjay deid` does it, surrogates and proof included, where nothing is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from protocol import Finder, Found, serve

NOTES_AT_ONCE = 128
KEY = bytes(32)


def load(name: str) -> Finder:
    """Return what finds spans."""
    from scrubjay.detectors import drop_scores
    from scrubjay.document import Document, Span
    from scrubjay.models import load_model

    model = load_model(name)
    fast = drop_scores(model)

    def one(text: str) -> Found:
        (spans,) = model.detect([Document("note", text)])
        return _pieces(spans)

    def many(texts: list[str]) -> Iterator[Found]:
        for first in range(0, len(texts), NOTES_AT_ONCE):
            some = texts[first : first + NOTES_AT_ONCE]
            documents = [Document(str(number), text) for number, text in enumerate(some)]
            yield from map(_pieces, fast.detect(documents))

    def _pieces(spans: Iterable[Span]) -> Found:
        return [(span.start, span.end, span.label) for span in spans]

    return Finder(one, many)


def load_run(name: str) -> Finder:
    """Return what de-identifies; its spans are those of the outputs."""
    from scrubjay.batch.setup import DeidSetup
    from scrubjay.batch.work import outcomes_of
    from scrubjay.document import Document

    work = DeidSetup(name, "surrogate", KEY).make_work()

    def many(texts: list[str]) -> Iterator[Found]:
        documents = (Document(str(number), text) for number, text in enumerate(texts))
        for outcome in outcomes_of(work, documents):
            if outcome.failure:
                raise RuntimeError(f"document {outcome.id}: {outcome.failure.code}")
            yield [(span.start, span.end, span.label) for span in outcome.spans]

    return Finder(lambda text: next(many([text])), many)


if __name__ == "__main__":
    serve(lambda: (load_run if "deid" in sys.argv[2:] else load)(sys.argv[1]))
