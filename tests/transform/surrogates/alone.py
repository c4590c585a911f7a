"""Makers of many documents, asked for one."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.transform.operators import Record
from scrubjay.transform.surrogates.draw import Draw
from scrubjay.transform.surrogates.maker import Maker, ManyMaker


def alone(make_many: ManyMaker) -> Maker:
    """Return what gives the texts of one document, or raises what stands for them."""

    def make(
        mention_texts: Sequence[str], record: Record, draw: Draw, *, avoid: frozenset[str]
    ) -> list[str]:
        (found,) = make_many([(mention_texts, record, draw, avoid, ())])
        if isinstance(found, Exception):
            raise found
        return found

    return make
