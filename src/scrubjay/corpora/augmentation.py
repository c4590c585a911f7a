"""Training documents with other PHI: the same text around other names, places and numbers.

A tagger that has seen a note with many names learns the note, not the names. Each mention is
replaced by another value of its label in the same form, so the spans stay exact and the text
between them stays as it was. The values are meant for training: they may be names of real
people and places, and dates keep no intervals. To de-identify, use `scrubjay.transform`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Literal

from scrubjay.corpora._swap_codes import (
    swap_age,
    swap_code,
    swap_date,
    swap_digits,
    swap_ip,
    swap_net_name,
)
from scrubjay.corpora._swap_lists import SwapLists, make_swap_lists
from scrubjay.corpora._swap_names import NameSwapper
from scrubjay.corpora._swap_places import PlaceSwapper
from scrubjay.corpora.metadata import annotation_free
from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.labels import LabelSet, find_label_set, label_set_names
from scrubjay.spans import require_disjoint
from scrubjay.transform.edits import Edit, apply_edits
from scrubjay.transform.surrogates._kinship import read_relative

__all__ = ["KINDS", "Kind", "SwapLists", "augment", "kinds_of", "make_swap_lists", "swap_phi"]

Kind = Literal[
    "person", "initials", "date", "age", "digits", "code", "postcode", "net", "ip", "city",
    "region", "country", "territory", "street", "address", "place", "facility", "profession",
    "relative", "keep",
]  # fmt: skip

# How the values of each kind of label (`scrubjay.labels.KINDS`) are replaced.
_SWAPS: Mapping[str, Kind] = {
    "name": "person", "initials": "initials", "username": "net", "profession": "profession",
    "age": "age", "date": "date", "hospital": "facility", "organization": "facility",
    "street": "street", "address": "address", "city": "city", "state": "region",
    "country": "country", "zip": "postcode", "territory": "territory", "place": "place",
    "phone": "digits", "email": "net", "url": "net", "ip": "ip", "ssn": "digits", "id": "code",
    "relative": "relative", "sex": "keep", "other": "keep",
}  # fmt: skip

_TRIES = 5


def kinds_of(label_set: LabelSet) -> dict[str, Kind]:
    """Return the way in which the values of each label are replaced."""
    return {label.name: _SWAPS[label.kind] for label in label_set.definitions}


KINDS: Mapping[str, Kind] = {
    label: kind
    for name in label_set_names()
    for label, kind in kinds_of(find_label_set(name)).items()
}
"""`kinds_of` over the label sets that ship with the package."""


def swap_phi(
    document: Document,
    *,
    lists: SwapLists,
    rng: Random,
    labels: Collection[str] | Mapping[str, Kind] | None = None,
    share: float = 1.0,
) -> Document:
    """Return the document with its mentions replaced by others of the same label and form.

    `labels` names the labels to replace, or maps each to its kind (`kinds_of`); by default all
    that `KINDS` knows. Labels of kind "keep" and labels that nothing knows stay. `share` (0 to
    1) is the chance that a value is replaced at all; a value keeps its lot, and its
    replacement, through the document: the same string becomes the same string, and a part of a
    name the same part. Replacements come from `lists` and `rng` alone, so equal seeds give
    equal documents in any process.

    Raises `SpanError` where spans overlap and `ConfigError` for a share outside [0, 1].
    """
    if not 0 <= share <= 1:
        raise ConfigError(f"the share must be from 0 to 1, not {share}")
    spans = require_disjoint(document.spans, document_id=document.id)
    swapper = _Swapper(lists, rng, share)
    chosen = [(span, _kind(span.label, labels)) for span in spans]
    swapper.learn_names(
        name
        for span, kind in chosen
        for name in _names_in(document.text[span.start : span.end], kind)
    )
    edits = []
    for span, kind in chosen:
        old = document.text[span.start : span.end]
        new = swapper.swap(old, span.label, kind)
        if new != old:
            edits.append(Edit(span.start, span.end, new))
    edited = apply_edits(document.text, edits)
    return Document(
        document.id,
        edited.text,
        edited.moved(spans),
        annotation_free(document.metadata),
    )


def augment(
    documents: Iterable[Document],
    *,
    lists: SwapLists,
    seed: int,
    copies: int = 1,
    labels: Collection[str] | Mapping[str, Kind] | None = None,
) -> Iterator[Document]:
    """Yield each document followed by `copies` of it with other PHI, as `ID~1`, `ID~2` ...

    The result depends on the seed, the ids and the texts, not on the order of the documents.
    """
    for document in documents:
        yield document
        for number in range(1, copies + 1):
            rng = Random(f"{seed}:{document.id}:{number}")
            copy = swap_phi(document, lists=lists, rng=rng, labels=labels)
            yield replace(copy, id=f"{document.id}~{number}")


def _kind(label: str, labels: Collection[str] | Mapping[str, Kind] | None) -> Kind:
    if isinstance(labels, Mapping):
        return labels.get(label, "keep")
    if labels is not None and label not in labels:
        return "keep"
    return KINDS.get(label, "keep")


def _names_in(text: str, kind: Kind) -> list[str]:
    """Return the names of persons in a mention: all of it, or those of relatives."""
    if kind == "relative":
        pieces = read_relative(text, "") or ()
        return [text[piece.start : piece.end] for piece in pieces if piece.kind == "name"]
    return [text] if kind == "person" else []


class _Swapper:
    """The replacements of one document, remembered by kind and string."""

    def __init__(self, lists: SwapLists, rng: Random, share: float) -> None:
        self._rng, self._share = rng, share
        self._names = NameSwapper(lists, rng, share=share)
        self._places = places = PlaceSwapper(lists, rng)
        self._known: dict[tuple[Kind, str], str] = {}
        self._functions: Mapping[Kind, Callable[[str], str]] = {
            "date": lambda text: swap_date(text, lists, rng),
            "age": lambda text: swap_age(text, rng),
            "digits": lambda text: swap_digits(text, rng),
            "code": lambda text: swap_code(text, rng),
            "net": lambda text: swap_net_name(text, lists, rng),
            "ip": lambda text: swap_ip(text, rng),
            "postcode": places.postcode,
            "city": places.city,
            "region": places.region,
            "country": places.country,
            "territory": places.territory,
            "street": places.street,
            "address": places.address,
            "place": places.place,
            "profession": places.profession,
        }

    def learn_names(self, mentions: Iterable[str]) -> None:
        self._names.learn(mentions)

    def swap(self, text: str, label: str, kind: Kind) -> str:
        """Return what replaces a mention; never empty, the mention itself where it stays."""
        if kind == "keep" or not text.strip():
            return text
        if kind == "person":
            return self._names.swap(text)
        if kind == "relative":
            return self._relative(text, label)
        if kind == "initials":
            small = text.islower()
            return "".join(self._names.letter(c) if small or c.isupper() else c for c in text)
        key = (kind, text)
        if key not in self._known:
            self._known[key] = self._decide(text, label, kind)
        return self._known[key]

    def _relative(self, text: str, label: str) -> str:
        """Return a mention of relatives with other names and ages; the words of kinship stay."""
        new, place = "", 0
        for start, end, kind in read_relative(text, "") or ():
            new += text[place:start]
            new += self.swap(text[start:end], label, "person" if kind == "name" else "age")
            place = end
        return new + text[place:]

    def _decide(self, text: str, label: str, kind: Kind) -> str:
        if self._rng.random() >= self._share:
            return text
        before = text[: len(text) - len(text.lstrip())]
        core = text.strip()
        after = text[len(before) + len(core) :]
        new = core
        for _ in range(_TRIES):  # a short number may come out as it was
            facility = kind == "facility"
            new = self._places.facility(core, label) if facility else self._functions[kind](core)
            if new and new != core:
                break
        return before + (new or core) + after
