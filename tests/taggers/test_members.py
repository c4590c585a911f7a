"""Members asked side by side: each document gets what each member found in it, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from scrubjay.artifacts import Manifest
from scrubjay.cores import Begun
from scrubjay.document import Document, Span
from scrubjay.errors import DetectionError
from scrubjay.taggers._combining.combiners import Union
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.members import Member, MemberRunner
from tests.taggers.ensemble_samples import Parrot

SIZES = [0, 1, 2, 5, 6, 7, 12, 13, 40]


def numbered(size: int) -> list[Document]:
    return [Document(str(number), "a" * 50) for number in range(size)]


def span_of(document: Document) -> Span:
    return Span(int(document.id), int(document.id) + 1, "A")


@dataclass(frozen=True)
class Plain:
    """Finds one span in each document, at its number; `more` results than there are documents."""

    more: int = 0
    labels: tuple[str, ...] = ("A",)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = [(span_of(document),) for document in documents]
        return [*found, *[()] * self.more][: max(0, len(documents) + self.more)]

    def files(self) -> dict[str, bytes]:
        return {}


@dataclass(frozen=True)
class Lazy(Plain):
    """The same, begun with and finished one document after another."""

    cancelled: list[bool] = field(default_factory=list)

    def begin(self, documents: Sequence[Document]) -> Begun[list[tuple[Span, ...]]]:
        begun = Begun(self.detect, [documents])
        cancel = begun.cancel

        def note() -> None:
            self.cancelled.append(True)
            cancel()

        begun.cancel = note  # type: ignore[method-assign]
        return begun

    def finish(self, begun: Iterable[list[tuple[Span, ...]]]) -> Any:
        def walk() -> Iterator[tuple[Span, ...]]:
            for found in begun:
                yield from found

        return walk()


class Listing(Lazy):
    """The same, finished all at once."""

    def finish(self, begun: Iterable[list[tuple[Span, ...]]]) -> Any:
        return [spans for found in begun for spans in found]


def runner(*detectors: Any) -> MemberRunner:
    return MemberRunner(members(*detectors), asked="spans")


def manifest(name: str, kind: str = "regex") -> Manifest:
    return Manifest(
        name=name, kind=kind, language="en", label_set="", labels=("A",), stores_words=False
    )


def members(*detectors: Any) -> list[Member]:
    return [
        Member(f"m{number}", detector, manifest(f"m{number}"))
        for number, detector in enumerate(detectors)
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kinds", [(Plain,), (Lazy,), (Listing,), (Lazy, Plain, Listing, Lazy)])
def test_every_document_gets_what_was_found_in_it(
    size: int, kinds: Sequence[Callable[[], Any]]
) -> None:
    documents = numbered(size)
    asked = runner(*(kind() for kind in kinds))
    parts = list(asked.find_parts(documents))
    assert [document for part in parts for document in part.documents] == documents
    assert all(part.documents for part in parts) or not documents
    assert min(size, 1) <= len(parts) <= max(1, min(size, 6))
    for part in parts:
        expected = [(span_of(document),) for document in part.documents]
        assert part.found == [expected] * len(kinds)
    whole = [(span_of(document),) for document in documents]
    assert asked.find(documents) == ([whole] * len(kinds), [None] * len(kinds))


@pytest.mark.parametrize("size", SIZES)
def test_what_is_done_meanwhile_is_done_once_before_the_first_part(size: int) -> None:
    done: list[str] = []

    class Noting(Lazy):
        def begin(self, documents: Sequence[Document]) -> Begun[list[tuple[Span, ...]]]:
            done.append("begun")
            return super().begin(documents)

    asked = runner(Noting(), Noting(), Plain())
    for _ in asked.find_parts(numbered(size), meanwhile=lambda: done.append("meanwhile")):
        done.append("part")
    assert done[:3] == ["begun", "begun", "meanwhile"]
    assert set(done[3:]) == {"part"}


def test_an_error_meanwhile_leaves_nobody_at_work() -> None:
    detectors = [Lazy(), Lazy()]

    def fail() -> None:
        raise DetectionError("no cues")

    with pytest.raises(DetectionError, match="no cues"):
        next(runner(*detectors).find_parts(numbered(3), meanwhile=fail))
    assert all(each.cancelled for each in detectors)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("more", [-1, 1, 7])
@pytest.mark.parametrize("kind", [Plain, Lazy, Listing])
def test_a_member_that_gives_too_many_results_or_too_few_is_told_of(
    size: int, more: int, kind: type[Plain]
) -> None:
    if size + more < 0:
        return
    for detectors in ([kind(more), Lazy()], [Lazy(), kind(more)]):
        with pytest.raises(DetectionError, match=rf"gave {size + more} results for {size} doc"):
            runner(*detectors).find(numbered(size))
        assert all(d.cancelled for d in detectors if isinstance(d, Lazy))


def test_where_combining_fails_nothing_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    lazy, calls = Lazy(), count()
    combine = Union.combine

    def fail(self: Union, *given: Any, **told: Any) -> Any:
        if next(calls) == 2:
            raise MemoryError
        return combine(self, *given, **told)

    monkeypatch.setattr(Union, "combine", fail)
    asked, whole = members(lazy, Parrot()), manifest("both", "ensemble")
    both = EnsembleDetector(asked, Union(("m0", "m1")), manifest=whole)
    with pytest.raises(MemoryError):
        both.detect(numbered(40))
    assert lazy.cancelled
    assert [len(spans) for spans in both.detect(numbered(40))] == [1] * 40
