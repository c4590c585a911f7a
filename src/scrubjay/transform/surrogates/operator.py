"""The operator `surrogate`: realistic fakes for all mentions of a document together.

Each kind of label has a maker (`maker.Maker`); mentions of kinds without one get numbered
placeholders. Of relatives names and ages are replaced, as mentions like others, and words of
kinship stay (`_kinship`). Draws are keyed by the patient, so a patient's documents fit together and
nothing ties the surrogates of two patients; a document without a patient is a patient of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import ClassVar, Literal, cast

from scrubjay.caching import forget_long
from scrubjay.document import Span
from scrubjay.errors import ConfigError
from scrubjay.labels import kind_of
from scrubjay.languages import LANGUAGES
from scrubjay.transform.operators import Mention, Placeholder, Record
from scrubjay.transform.surrogates import ages, names
from scrubjay.transform.surrogates._age_reading import other_unit
from scrubjay.transform.surrogates._date_order import DateOrder
from scrubjay.transform.surrogates._fresh import Fresh, is_telling, shows, whole_originals
from scrubjay.transform.surrogates._kinship import (
    RELATIVE,
    Join,
    join_relatives,
    read_relative,
    split_relatives,
)
from scrubjay.transform.surrogates._phrase_pieces import is_firm
from scrubjay.transform.surrogates._scene import Scene
from scrubjay.transform.surrogates._tables import language_of
from scrubjay.transform.surrogates._told_ages import share_ages
from scrubjay.transform.surrogates.calendar_words import words_of
from scrubjay.transform.surrogates.case import restyle
from scrubjay.transform.surrogates.dates import DateMaker
from scrubjay.transform.surrogates.draw import Draw, fold, fold_known
from scrubjay.transform.surrogates.maker import DENSE, Maker, ManyMaker, Wanted

_NAMES = "names:make_many"
_AGES = "ages:make_many"
_PACKAGE = "scrubjay.transform.surrogates."
MAKERS: Mapping[str, str] = {
    "name": _NAMES,
    "initials": _NAMES,
    "age": _AGES,
    **dict.fromkeys(("hospital", "organization", "profession"), "organizations"),
    **dict.fromkeys(
        ("street", "address", "city", "state", "country", "zip", "territory", "place"), "places"
    ),
    "phone": "phones:make",
    **dict.fromkeys(("email", "url", "ip", "username"), "net_addresses"),
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
_TURNS = {
    entry: "contacts" if entry.startswith(("phones:", "net_addresses:")) else entry
    for entry in _ENTRIES.values()
}
"""What a maker is found by -> its turn; telephones and addresses of the net have one, in the order
of the text: what they draw of names is drawn from the same names."""


_TOWNS = frozenset(["city", "territory"])
_UNIT = "unit"
"""The kind of a unit of an age that was taken for a name: it has no maker."""
_GAPS = ("", " ", "-")
_INSTITUTIONS = frozenset(["hospital", "organization", "place"])
"""Kinds of mentions that may hold the name of a town."""

UsualOrder = Literal["", "dmy", "mdy"]


@dataclass(frozen=True, slots=True)
class Surrogate:
    """Replaces mentions by realistic fakes in their own form, the same under one key.

    `language` ("en", "es", "nl") is that of documents which do not tell theirs. Dates shift by
    up to `max_days`, by whole weeks with `keep_weekday`, and to "past" or "future" alone where that
    is the `date_direction`; `date_order` ("dmy", "mdy") tells what
    3/4/2012 means, which else each document tells, and `usual_order` where that does not: it is
    what a run saw in its documents, and no setting of a policy. No surrogate is empty, its own
    original or, dates apart, another original of the document, but for ages that dates tell
    (`_told_ages`). None holds its own original as whole
    words, or another one but for kinds of few values (`maker.DENSE`); where a maker gives such a
    one, the mention gets a placeholder. Raises `ConfigError` for a missing or short key, for an
    unknown language or order, and for a shift that is too short.
    """

    key: bytes = field(default=b"", repr=False)
    language: str = ""
    keep_weekday: bool = False
    max_days: int = 1095
    date_order: str = ""
    date_direction: str = ""
    usual_order: UsualOrder = field(default="", repr=False)
    name: ClassVar[str] = "surrogate"

    def __post_init__(self) -> None:
        Draw(self.key, "")
        self._date_maker()
        if self.language not in ("", *LANGUAGES):
            raise ConfigError(
                f"the operator 'surrogate' has no tables for the language {self.language!r}",
                hint=f"Known: {', '.join(LANGUAGES)}",
            )

    def replace_all(self, mentions: Sequence[Mention], record: Record) -> list[str]:
        """Return the surrogate of each mention, in order; `mentions` are sorted by their spans.

        Raises `ConfigError` where the originals leave no surrogate for one of them.
        """
        (found,) = self.replace_many([(mentions, record)])
        if isinstance(found, Exception):
            raise found
        return found

    def replace_many(
        self, records: Sequence[tuple[Sequence[Mention], Record]]
    ) -> list[list[str] | Exception]:
        """Return what `replace_all` gives for each document, or the exception that it raises.

        One maker after the other works on all documents: code and tables of one maker are then at
        hand, which saves a fifth of the time. Each is as if it were alone, but that a person has
        the names that any document of its record tells (`_record_names`).
        """
        tasks = [self._begin(mentions, record) for mentions, record in records]
        _share_towns(tasks)
        self._share_ages(tasks)
        turns: dict[str, list[tuple[_Task, str, list[int]]]] = {}
        for task in tasks:
            for entry, places in task.groups.items():
                turns.setdefault(_TURNS[entry], []).append((task, entry, places))
        # Names first: addresses are built of them.
        _make_many(names.make_many, turns.pop(_NAMES, []))
        for turn in sorted(turns):
            if turn in (_DATES, _AGES):
                many = self._date_maker().make_many if turn == _DATES else ages.make_many
                _make_many(many, turns[turn])
                continue
            for task, entry, places in turns[turn]:
                if task.error is None:
                    task.work(find_maker(entry), places)
        for task in tasks:
            if task.error is None:
                self._finish(task)
            task.draw.end()
        forget_long()
        return [task.outcome() for task in tasks]

    def date_order_of(self, texts: Sequence[str], record: Record) -> DateOrder:
        """Return the order of the numbers in the dates of a document, which `texts` are."""
        if not record.language and self.language:
            record = replace(record, language=self.language)
        return self._date_maker().order_of(texts, record)

    def keeps(self, text: str, kind: str, language: str) -> bool:
        """Tell whether a mention of a kind may stay as it is.

        It holds words of kinship alone, or is an age, which stays where dates tell it.
        """
        if kind == "age":
            return True
        return kind == RELATIVE and read_relative(text, self.language or language) == ()

    def _begin(self, mentions: Sequence[Mention], record: Record) -> _Task:
        if not record.language and self.language:
            record = replace(record, language=self.language)
        patient = f"patient {record.patient}" if record.patient else f"text {record.document_id}"
        return _Task(list(map(Mention.meant, mentions)), record, Draw(self.key, patient))

    def _share_ages(self, tasks: Sequence[_Task]) -> None:
        """Let the documents of each record know the ages that its births and dates tell."""
        maker = self._date_maker()
        likely = [task for task in tasks if task.record.shared >= 0 or "date" in task.kinds]
        for together in _records(likely):
            notes = [_Note(task, maker) for task in together]
            for task, told in zip(together, share_ages(notes), strict=True):
                if told:
                    task.record = replace(task.record, ages=told)

    def _finish(self, task: _Task) -> None:
        """Give placeholders to the mentions whose surrogates may not stand."""
        try:
            bad = self._unfit(task)
            if bad:
                mentions = [task.mentions[place] for place in bad]
                task.put(bad, Placeholder().replace_all(mentions, task.record))
        except Exception as error:
            task.error = error

    def _date_maker(self) -> DateMaker:
        return _date_maker(
            self.keep_weekday, self.max_days, self.date_order, self.usual_order, self.date_direction
        )

    def _unfit(self, task: _Task) -> list[int]:
        """Return the places of the surrogates that may not stand: they become placeholders."""
        bad: list[int] = []
        folds, sound = task.draw.folds, task.draw.sound
        refused = task.draw.refused(task.avoid)
        originals = whole_originals(task.draw, task.avoid)
        three = zip(task.new, task.old, task.kinds, strict=True)
        for place, (new, old, kind) in enumerate(three):
            if old in sound and sound[old] == new:  # as most are
                continue
            if not new or new.isspace():
                bad.append(place)
            elif kind == "date":
                # Shifted dates may meet other dates of the record: intervals come first. A weekday
                # on its own stays, where weekdays are to stay.
                if not self.keep_weekday and fold(new) == fold_known(old):
                    bad.append(place)
            else:
                folded = folds[new] if new in folds else fold(new)
                if folded in refused or (
                    is_telling(old) and shows(folded, old)
                    if kind in DENSE
                    else originals.any_in(folded)  # its own original is one of them
                ):
                    bad.append(place)
        return bad


class _Task:
    """A document at work: `groups` are the places of its mentions by what their maker is found by.

    `error` is what a maker raised; the document is then left as it is. `joins` tells how relatives
    are put together again, none where there are none.
    """

    __slots__ = (
        "avoid", "draw", "error", "groups", "joins", "kinds", "mentions", "new", "old", "record",
    )  # fmt: skip

    def __init__(self, mentions: Sequence[Mention], record: Record, draw: Draw) -> None:
        language = language_of(record.language) if record.language[:2] in LANGUAGES else ""
        self.kinds = [mention.kind or _kind(mention, language) for mention in mentions]
        self.joins: list[Join] = []
        if RELATIVE in self.kinds:
            split = split_relatives(mentions, self.kinds, record.language)
            mentions, self.kinds, self.joins = split
        self.mentions, self.record, self.draw = mentions, record, draw
        self.old = old = [mention.text for mention in mentions]
        self.avoid = frozenset(old)
        self.new = [""] * len(old)
        self._rename_units()
        self.error: Exception | None = None
        self.groups: dict[str, list[int]] = {}  # blank mentions are in none
        groups = self.groups
        for place, (kind, text) in enumerate(zip(self.kinds, old, strict=True)):
            entry = _ENTRIES.get(kind)
            if entry is None or not text or text.isspace():
                continue
            if entry in groups:
                groups[entry].append(place)
            else:
                groups[entry] = [place]

    def _rename_units(self) -> None:
        """Give units that were taken for names other words: the "MO" of "WELL CHILD 15 MO"."""
        for place in range(1, len(self.kinds)):
            if self.kinds[place] == "name" and self.kinds[place - 1] == "age":
                before, own = self.mentions[place - 1].span, self.mentions[place].span
                unit = other_unit(self.old[place], words_of(self.record.language))
                gap = self.record.text[before.end : own.start]
                if unit and gap in _GAPS and unit not in self.avoid:
                    self.kinds[place] = _UNIT
                    self.new[place] = restyle(unit, self.old[place])

    def outcome(self) -> list[str] | Exception:
        """Return one text for each mention, or what was raised."""
        if self.error is not None:
            return self.error
        return join_relatives(self.new, self.joins) if self.joins else self.new

    def work(self, make: Maker, places: Sequence[int]) -> None:
        """Note what a maker gives for its mentions, or what it raises."""
        mine = [self.old[place] for place in places]
        try:
            self.put(places, make(mine, self.record, self.draw, avoid=self.avoid))
        except Exception as error:
            self.error = error

    def wanted(self, places: Sequence[int]) -> Wanted:
        """Return what a maker of many documents is given for mentions of this one."""
        spans = [self.mentions[place].span for place in places]
        return [self.old[place] for place in places], self.record, self.draw, self.avoid, spans

    def put(self, places: Sequence[int], texts: Sequence[str] | Exception) -> None:
        """Note new texts at their places, or the error that stands for them."""
        if isinstance(texts, Exception):
            self.error = texts
            return
        new = self.new
        for place, text in zip(places, texts, strict=True):
            new[place] = text


def _share_towns(tasks: Sequence[_Task]) -> None:
    """Let the documents of each record know the towns that any of them names, and their areas."""
    for together in _records(tasks):
        if together[0].record.shared < 0 and _INSTITUTIONS.isdisjoint(together[0].kinds):
            continue
        towns: dict[str, str] = {}
        for task in together:
            pairs = zip(task.old, task.kinds, strict=True)
            names = dict.fromkeys(text for text, kind in pairs if kind in _TOWNS and text.strip())
            if names:
                scene = Scene(task.record, Fresh(task.draw, task.avoid))
                for key, area in scene.told_towns(names).items():
                    towns[key] = towns.get(key) or area
        if towns:
            for task in together:
                task.record = replace(task.record, towns=towns)


def _records(tasks: Sequence[_Task]) -> list[list[_Task]]:
    """Return the documents of each record in one language; those that stand alone by themselves."""
    records: dict[tuple[int, str], list[_Task]] = {}
    for number, task in enumerate(tasks):
        own = task.record.shared if task.record.shared >= 0 else -1 - number
        records.setdefault((own, task.record.language), []).append(task)
    return list(records.values())


class _Note:
    """A document as `_told_ages` has to know it."""

    __slots__ = ("_maker", "_task")

    def __init__(self, task: _Task, maker: DateMaker) -> None:
        self._task, self._maker = task, maker

    @property
    def kinds(self) -> Sequence[str]:
        return self._task.kinds

    @property
    def old(self) -> Sequence[str]:
        return self._task.old

    @property
    def record(self) -> Record:
        return self._task.record

    @property
    def spans(self) -> Sequence[Span]:
        return [mention.span for mention in self._task.mentions]

    @property
    def days(self) -> int:
        return self._maker.days(self._task.draw)

    def order_of(self, texts: Sequence[str]) -> DateOrder:
        return self._maker.order_of(texts, self._task.record)


def _make_many(make: ManyMaker, waiting: Sequence[tuple[_Task, str, list[int]]]) -> None:
    """Note what a maker of many documents gives for their mentions, or what it raises."""
    left = [(task, places) for task, _, places in waiting if task.error is None]
    made = make([task.wanted(places) for task, places in left])
    for (task, places), texts in zip(left, made, strict=True):
        task.put(places, texts)


def _kind(mention: Mention, language: str) -> str:
    """Return the kind of a mention; a firm that was taken for a person is an organization."""
    kind = kind_of("", mention.span.label)
    return "organization" if kind == "name" and is_firm(mention.text, language) else kind


@cache
def _date_maker(
    keep_weekday: bool, max_days: int, order: str, usual: str, direction: str
) -> DateMaker:
    return DateMaker(
        keep_weekday=keep_weekday, max_days=max_days, order=order, usual=usual, direction=direction
    )


@cache
def find_maker(entry: str) -> Maker:
    """Return a maker by its entry: `names:make`, or `places:city` for `MAKERS["city"]`."""
    module_name, _, attribute = entry.partition(":")
    module = import_module(_PACKAGE + module_name)
    table: Mapping[str, Callable[..., list[str]]] = getattr(module, "MAKERS", {})
    return cast("Maker", table[attribute] if attribute in table else getattr(module, attribute))
