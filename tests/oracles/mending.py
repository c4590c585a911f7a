"""Mending step by step: each over all spans of a text, by its own look at each of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from scrubjay.document import Span
from scrubjay.taggers._mending.age_ends import without_finding
from scrubjay.taggers._mending.borders import mend_borders
from scrubjay.taggers._mending.boxed_days import mend_boxed
from scrubjay.taggers._mending.column_gaps import part_columns
from scrubjay.taggers._mending.coordinates import add_coordinates
from scrubjay.taggers._mending.day_lists import may_be_day_list, part_days
from scrubjay.taggers._mending.days_alike import LABELS as ALIKES
from scrubjay.taggers._mending.days_alike import add_days_alike
from scrubjay.taggers._mending.dialled import LANGUAGES as DIALLING
from scrubjay.taggers._mending.dialled import widen_dialled
from scrubjay.taggers._mending.dose_weeks import spare_doses
from scrubjay.taggers._mending.half_dates import LANGUAGES as HALVING
from scrubjay.taggers._mending.half_dates import complete_dates
from scrubjay.taggers._mending.health_centres import label_centre
from scrubjay.taggers._mending.institutions import add_institutions
from scrubjay.taggers._mending.key_letters import spare_key_letters
from scrubjay.taggers._mending.label_groups import DATES, PERSONS
from scrubjay.taggers._mending.line_ends import join_line_ends
from scrubjay.taggers._mending.list_cells import LABELS as CELLS
from scrubjay.taggers._mending.list_cells import add_list_cells
from scrubjay.taggers._mending.long_numbers import add_long_numbers
from scrubjay.taggers._mending.markup import mend_markup
from scrubjay.taggers._mending.misread import mend_misread
from scrubjay.taggers._mending.number_keys import label_numbers
from scrubjay.taggers._mending.numbered_rooms import add_numbered_rooms
from scrubjay.taggers._mending.people.bare_surnames import add_bare_surnames
from scrubjay.taggers._mending.people.glued import add_glued
from scrubjay.taggers._mending.people.initials import add_initials
from scrubjay.taggers._mending.people.keyed import add_keyed_at, find_keyed
from scrubjay.taggers._mending.people.last_initials import widen_last_initials
from scrubjay.taggers._mending.people.leading_initials import widen_initials
from scrubjay.taggers._mending.people.listed import LABELS as LISTING
from scrubjay.taggers._mending.people.listed import add_listed
from scrubjay.taggers._mending.people.namesakes import agree_namesakes
from scrubjay.taggers._mending.people.nicknames import add_nicknames
from scrubjay.taggers._mending.people.own_initials import LABELS as OWN
from scrubjay.taggers._mending.people.own_initials import add_own_initials
from scrubjay.taggers._mending.people.persons import agree_persons
from scrubjay.taggers._mending.people.repeated import add_repeated
from scrubjay.taggers._mending.people.sentence_ends import may_go_over, part_sentences
from scrubjay.taggers._mending.people.speakers import mend_speakers
from scrubjay.taggers._mending.people.spelled import add_spelled
from scrubjay.taggers._mending.people.whose_ages import tell_whose_ages
from scrubjay.taggers._mending.people.writers import add_writers
from scrubjay.taggers._mending.postal_codes import LABELS as POSTAL
from scrubjay.taggers._mending.postal_codes import add_postal_codes
from scrubjay.taggers._mending.row_rooms import add_row_rooms
from scrubjay.taggers._mending.said import widen_said
from scrubjay.taggers._mending.sign_ins import add_sign_ins, widen_user_names
from scrubjay.taggers._mending.sparing.capitals import (
    ABBREVIATED,
    find_abbreviations,
    is_abbreviation,
    may_be_abbreviation,
)
from scrubjay.taggers._mending.sparing.clock_logs import (
    BARE,
    is_bare_log_time,
    is_log_time,
    may_be_bare_time,
    may_be_log_time,
)
from scrubjay.taggers._mending.sparing.headers import HEADED, is_header, may_be_header
from scrubjay.taggers._mending.sparing.homonyms import (
    CALLED_BY_PLACE,
    may_be_homonym,
    spare_homonym,
)
from scrubjay.taggers._mending.sparing.lookalike_search import (
    Compiled,
    compile_look_alike,
    has_shape,
    is_let_go,
)
from scrubjay.taggers._mending.sparing.lookalikes import find_look_alikes
from scrubjay.taggers._mending.sparing.named_after import NAMED, is_named_after
from scrubjay.taggers._mending.sparing.outlines import is_outline
from scrubjay.taggers._mending.sparing.spared import (
    is_doubtful,
    is_in_term,
    is_introduced,
    is_mother,
)
from scrubjay.taggers._mending.staff_titles import may_have_title, without_title
from scrubjay.taggers._mending.states import add_states
from scrubjay.taggers._mending.streets import LABEL as STREET
from scrubjay.taggers._mending.streets import mend_street
from scrubjay.taggers._mending.tables.reading import read_tables


def mend_by_steps(text: str, spans: Sequence[Span], language: str) -> tuple[Span, ...]:
    """Return what mending gives, each step over all spans and each look through all of the text."""
    everywhere = range(len(text))
    spans = mend_misread(text, mend_markup(text, spans, language), language)
    spans = mend_boxed(text, spans, language)
    if language == "es":
        spans = part_columns(text, spans)
    rows: Iterable[Span] = spare_terms(text, spans, language=language)
    rows = spare_abbreviations(text, rows, language=language)
    if language == "es":
        rows = spare_titles(text, rows)
    rows = spare_headers(text, rows, language=language)
    rows = spare_look_alikes(text, rows, spans, language)
    if language in ("nl", "es"):
        rows = spare_outlines(text, rows, language=language)
    rows = spare_bare_times(text, rows)
    if language in ("en", "nl"):
        rows = spare_amounts(text, rows)
    if language == "es":
        rows = spare_named_after(text, rows)
        rows = mend_streets(text, rows)
        rows = part_dates(text, rows)
        rows = [label_centre(text, span) for span in rows]
    rows = [without_finding(text, span) for span in part_persons(text, rows, language)]
    if language == "en":
        rows = spare_homonyms(text, rows)
    rows = add_sign_ins(text, tuple(rows), language, everywhere)
    rows = widen_user_names(text, rows, language)
    if language == "es":
        rows = widen_said(text, rows)
        rows = mend_speakers(text, rows, language)
        rows = widen_initials(text, add_repeated(text, rows, language))
        rows = agree_namesakes(text, rows)
        rows = label_numbers(text, add_long_numbers(text, tell_whose_ages(text, rows)))
    if language == "en":
        rows = add_repeated(text, agree_persons(text, mend_borders(text, rows)), language)
        rows = mend_speakers(text, rows, language)
        rows = add_glued(text, rows, everywhere)
        rows = add_bare_surnames(text, rows, everywhere)
        rows = add_initials(text, rows, pairs=everywhere, keys=everywhere)
        rows = add_states(text, widen_last_initials(text, rows))
    rows = add_keyed(text, rows, language=language)
    if language == "en":
        rows = add_nicknames(text, rows, everywhere)
    if language == "nl":
        rows = mend_speakers(text, tuple(add_writers(text, rows)), language)
        rows = add_repeated(text, rows)
        rows = add_row_rooms(text, add_numbered_rooms(text, rows))
    if language == "es":
        rows = add_institutions(text, tuple(spare_key_letters(text, rows)))
    if language in OWN:
        rows = add_own_initials(text, tuple(rows), language)
    if language in LISTING:
        rows = add_listed(text, tuple(rows), language)
    if language in CELLS:
        rows = add_list_cells(text, tuple(rows), language)
    rows = add_spelled(text, tuple(rows), language)
    rows = add_coordinates(text, rows, language)
    if language in POSTAL:
        rows = add_postal_codes(text, rows, language)
    if language in DIALLING:
        rows = widen_dialled(text, rows, language)
    rows = join_line_ends(text, tuple(rows), language)
    if language in HALVING:
        rows = complete_dates(text, rows, language)
    if language in ALIKES:
        rows = add_days_alike(text, tuple(rows), language)
    return spare_doses(text, read_tables(text, rows, language), language)


def add_keyed(
    text: str, spans: Iterable[Span], *, language: str, labels: Collection[str] | None = None
) -> tuple[Span, ...]:
    """Return what `add_keyed_at` does, with every place where keys, titles and names may stand."""
    known = find_keyed(language, labels)
    if known is None:
        return tuple(spans)
    keys = [place for place, sign in enumerate(text) if sign in ":|"]
    titles = [place for place in range(len(text)) if text.startswith(known.titles, place)]
    names = [place for place, sign in enumerate(text) if sign == " " and place]
    return add_keyed_at(text, tuple(spans), known, keys=keys, titles=titles, names=names)


@cache
def _find_entries(language: str) -> list[Compiled]:
    return [compile_look_alike(entry) for entry in find_look_alikes(language)]


def spare_look_alikes(
    text: str, spans: Iterable[Span], given: Sequence[Span], language: str
) -> Iterator[Span]:
    """Yield the spans that no entry of the look-alikes lets go; `given` are those before all steps.

    Each entry is asked of each span, whatever stands before it.
    """
    entries = _find_entries(language)
    for span in spans:
        ends = [one.end for one in given if one.label in PERSONS and one.end <= span.start]
        person = max(ends, default=0)
        mention = text[span.start : span.end]
        if not any(
            span.label in one.entry.labels
            and has_shape(one, mention)
            and is_let_go(one, text, span, person=person)
            for one in entries
        ):
            yield span


def spare_abbreviations(text: str, spans: Iterable[Span], *, language: str) -> Iterator[Span]:
    """Yield the spans of a text but those that are clinical abbreviations in capitals.

    A language without a table loses none. Nor does a line in capitals, where names stand so too.
    """
    table = find_abbreviations(language)
    for span in spans:
        may_be = span.label in ABBREVIATED and may_be_abbreviation(text[span.start : span.end])
        if not (table and may_be and is_abbreviation(text, span, table)):
            yield span


def spare_headers(text: str, spans: Iterable[Span], *, language: str) -> Iterator[Span]:
    """Yield the spans but those that are heads of columns."""
    for span in spans:
        may_be = span.label in HEADED and may_be_header(text[span.start : span.end], language)
        if not (may_be and is_header(text, span, language)):
            yield span


def spare_outlines(text: str, spans: Iterable[Span], *, language: str) -> Iterator[Span]:
    """Yield the spans but those that are headings of an outline."""
    for span in spans:
        if span.label not in PERSONS or not is_outline(text, span, language):
            yield span


def spare_homonyms(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans but falls that are no season, and what is no name for what stands beside it.

    Everyday words in capitals between "a" and the age or sex of somebody are none, nor are strains
    of a germ that are called by a place, and the titles that portals give to messages.
    """
    for span in spans:
        mention = text[span.start : span.end]
        if may_be_homonym(mention, span.label) or span.label in CALLED_BY_PLACE:
            yield from spare_homonym(text, span)
        else:
            yield span


def spare_amounts(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of a Dutch or English text but times of a log."""
    for span in spans:
        mention, is_date = text[span.start : span.end], span.label == "DATE"
        if is_date and may_be_log_time(mention) and is_log_time(text, span):
            continue
        yield span


def spare_bare_times(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of a text but times of a log that have no sign."""
    for span in spans:
        may_be = span.label in BARE and may_be_bare_time(text[span.start : span.end])
        if not (may_be and is_bare_log_time(text, span)):
            yield span


def spare_titles(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of a Spanish text, persons without a title and the year of a residency."""
    for span in spans:
        has_title = may_have_title(text[span.start : span.end], span.label)
        yield without_title(text, span) if has_title else span


def mend_streets(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of a Spanish text but values, and each quarter behind a street for itself."""
    for span in spans:
        yield from mend_street(text, span) if span.label == STREET else (span,)


def part_persons(text: str, spans: Iterable[Span], language: str) -> Iterator[Span]:
    """Yield the spans of a text, persons who go over the end of a sentence in parts."""
    for span in spans:
        if span.label in PERSONS and may_go_over(text[span.start : span.end]):
            yield from part_sentences(text, span, language)
        else:
            yield span


def part_dates(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans of a Spanish text, days that share a month each for itself."""
    for span in spans:
        if span.label in DATES and may_be_day_list(text[span.start : span.end]):
            yield from part_days(text, span)
        else:
            yield span


def spare_named_after(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans but names and places after which a scale, a sign or the like is called."""
    for span in spans:
        if not (span.label in NAMED and is_named_after(text, span)):
            yield span


def spare_terms(text: str, spans: Iterable[Span], *, language: str = "en") -> Iterator[Span]:
    """Yield the spans but those that are not sure and lie within a term that is no PHI."""
    for span in spans:
        may_be = is_doubtful(span, language) and is_in_term(text, span, language)
        is_told = language == "es" and (is_introduced(text, span) or is_mother(text, span))
        if is_told or not may_be:
            yield span
