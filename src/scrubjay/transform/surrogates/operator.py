"""The operator `surrogate`: realistic fakes for all mentions of a document together.

Each kind of label has a maker (`maker.Maker`); mentions of kinds without one get numbered
placeholders. Draws are keyed by the patient, so a patient's documents fit together and nothing
ties the surrogates of two patients; a document without a patient is a patient of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import ClassVar, cast

from scrubjay.errors import ConfigError
from scrubjay.labels import kind_of
from scrubjay.transform.operators import Mention, Placeholder, Record
from scrubjay.transform.surrogates._fresh import (
    Originals,
    is_telling,
    shows,
    whole_originals,
)
from scrubjay.transform.surrogates.dates import DateMaker
from scrubjay.transform.surrogates.draw import (
    Draw,
    fold,
    fold_known,
    forget_long,
    row_of_fold,
)
from scrubjay.transform.surrogates.maker import DENSE, Maker

_NAMES = "names:make"
_PACKAGE = "scrubjay.transform.surrogates."
MAKERS: Mapping[str, str] = {
    "name": _NAMES,
    "initials": _NAMES,
    "age": "ages:make",
    **dict.fromkeys(("hospital", "organization", "profession"), "organizations"),
    **dict.fromkeys(
        ("street", "address", "city", "state", "country", "zip", "territory", "place"), "places"
    ),
    **dict.fromkeys(("phone", "email", "url", "ip", "username"), "contacts"),
    **dict.fromkeys(("id", "ssn"), "ids"),
}
"""Kind of label -> `module:maker` of this package, or the module whose `MAKERS` has the kind.

Kinds with the same entry get one call per document: names and initials are of the same people.
Dates (kind "date") are made by the `DateMaker` of the operator.
"""


_DATES = "dates"
_ENTRIES = {
    "date": _DATES,
    **{kind: entry if ":" in entry else f"{entry}:{kind}" for kind, entry in MAKERS.items()},
}
"""Kind of label -> what its maker is found by."""


@dataclass(frozen=True, slots=True)
class Surrogate:
    """Replaces mentions by realistic fakes in their own form, the same under one key.

    `language` ("en", "es", "nl") is that of documents which do not tell theirs. Dates shift by
    up to `max_days`, by whole weeks with `keep_weekday`. No surrogate is empty, its own original
    or, dates apart, another original of the document. None holds its own original as whole words,
    or another one but for kinds of few values (`maker.DENSE`); where a maker gives such a one, the
    mention gets a placeholder. Raises `ConfigError`
    for a missing or short key, for an unknown language and for a shift that is too short.
    """

    key: bytes = field(default=b"", repr=False)
    language: str = ""
    keep_weekday: bool = False
    max_days: int = 1095
    name: ClassVar[str] = "surrogate"

    def __post_init__(self) -> None:
        Draw(self.key, "")
        DateMaker(keep_weekday=self.keep_weekday, max_days=self.max_days)
        if self.language not in ("", "en", "es", "nl"):
            raise ConfigError(
                f"the operator 'surrogate' has no tables for the language {self.language!r}",
                hint="Known: en, es, nl",
            )

    def replace(self, mention: Mention) -> str:
        """Return the surrogate of a mention on its own."""
        record = Record(mention.document_id, mention.patient, mention.text, self.language)
        return self.replace_all([mention], record)[0]

    def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
        """Return the surrogate of each mention, in order; `mentions` are sorted by their spans.

        Raises `ConfigError` where the originals leave no surrogate for one of them.
        """
        if not record.language and self.language:
            record = Record(record.document_id, record.patient, record.text, self.language)
        patient = f"patient {record.patient}" if record.patient else f"text {record.document_id}"
        draw = Draw(self.key, patient)
        old = [mention.text for mention in mentions]
        kinds = list(map(_kind, mentions))
        avoid = frozenset(old)
        new = [""] * len(old)
        for make, places in self._groups(old, kinds):
            mine = [old[place] for place in places]
            for place, text in zip(places, make(mine, record, draw, avoid=avoid), strict=True):
                new[place] = text
        bad = self._unfit(new, old, kinds, whole_originals(draw, avoid), draw.refused(avoid))
        if bad:
            new_texts = Placeholder().replace_all([mentions[place] for place in bad], record)
            for place, text in zip(bad, new_texts, strict=True):
                new[place] = text
        forget_long(old)
        return new

    def _groups(self, texts: Sequence[str], kinds: Sequence[str]) -> list[tuple[Maker, list[int]]]:
        """Return each maker with the places of its mentions; blank mentions are in none."""
        groups: dict[str, list[int]] = {}
        for place, kind in enumerate(kinds):
            entry = _ENTRIES.get(kind)
            if entry is None or not texts[place] or texts[place].isspace():
                continue
            if entry in groups:
                groups[entry].append(place)
            else:
                groups[entry] = [place]
        # Names first: addresses are built of them.
        order = sorted(groups, key=lambda entry: entry != _NAMES)
        return [(self._maker(entry), groups[entry]) for entry in order]

    def _maker(self, entry: str) -> Maker:
        if entry == _DATES:
            return DateMaker(keep_weekday=self.keep_weekday, max_days=self.max_days)
        return find_maker(entry)

    def _unfit(
        self,
        new_texts: Sequence[str],
        old_texts: Sequence[str],
        kinds: Sequence[str],
        originals: Originals,
        refused: frozenset[str],
    ) -> list[int]:
        """Return the places of the surrogates that may not stand: they become placeholders."""
        bad: list[int] = []
        for place, (new, old, kind) in enumerate(zip(new_texts, old_texts, kinds, strict=True)):
            if not new or new.isspace():
                bad.append(place)
            elif kind == "date":
                # Shifted dates may meet other dates of the record: intervals come first. A weekday
                # on its own stays, where weekdays are to stay.
                if not self.keep_weekday and fold(new) == fold_known(old):
                    bad.append(place)
            else:
                folded = fold(new)
                own = folded in refused or (shows(folded, old) and is_telling(old))
                if own or (kind not in DENSE and originals.any_in(row_of_fold(folded))):
                    bad.append(place)
        return bad


def _kind(mention: Mention) -> str:
    return mention.kind or kind_of("", mention.span.label)


@cache
def find_maker(entry: str) -> Maker:
    """Return a maker by its entry: `names:make`, or `places:city` for `MAKERS["city"]`."""
    module_name, _, attribute = entry.partition(":")
    module = import_module(_PACKAGE + module_name)
    table: Mapping[str, Callable[..., list[str]]] = getattr(module, "MAKERS", {})
    return cast("Maker", table[attribute] if attribute in table else getattr(module, attribute))
