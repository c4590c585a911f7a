"""Mending what a model found by the rest of the document, where its manifest asks for it.

A tagger sees some words around each token. What a whole document tells besides is put right here,
by the steps in `_mending`: first those that take each mention for itself, in one pass, then those
that take the mentions of a text together. `mending_models` tells which models mend, and of which
mentions that needs the score.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from scrubjay.caching import forget_long
from scrubjay.document import Span
from scrubjay.taggers._mending.age_ends import without_finding
from scrubjay.taggers._mending.borders import mend_borders
from scrubjay.taggers._mending.boxed_days import mend_boxed
from scrubjay.taggers._mending.column_gaps import part_columns
from scrubjay.taggers._mending.coordinates import LABELS as PLACED
from scrubjay.taggers._mending.coordinates import add_coordinates
from scrubjay.taggers._mending.cues import Cues, find_cues
from scrubjay.taggers._mending.day_lists import part_days, part_dutch
from scrubjay.taggers._mending.days_alike import LABELS as ALIKES
from scrubjay.taggers._mending.days_alike import add_days_alike
from scrubjay.taggers._mending.dialled import widen_dialled
from scrubjay.taggers._mending.dose_weeks import LABELS as DOSED
from scrubjay.taggers._mending.dose_weeks import spare_doses
from scrubjay.taggers._mending.half_dates import complete_dates
from scrubjay.taggers._mending.health_centres import label_centre
from scrubjay.taggers._mending.institutions import LABEL as INSTITUTION
from scrubjay.taggers._mending.institutions import add_institutions
from scrubjay.taggers._mending.key_letters import spare_key_letters
from scrubjay.taggers._mending.label_groups import STAFF_AND_PATIENTS
from scrubjay.taggers._mending.line_ends import join_line_ends
from scrubjay.taggers._mending.list_cells import LABELS as CELLS
from scrubjay.taggers._mending.list_cells import add_list_cells
from scrubjay.taggers._mending.long_numbers import LABELS as NUMBERED
from scrubjay.taggers._mending.long_numbers import add_long_numbers
from scrubjay.taggers._mending.markup import mend_markup
from scrubjay.taggers._mending.mention_looks import (
    ABBREVIATION,
    AGE,
    BORDER,
    CENTRE,
    DAY_LIST,
    DIALLED,
    FINDING,
    HALF,
    HOMONYM,
    INITIALS,
    LISTED,
    NUMBER,
    PERSON,
    SAID,
    SENTENCES,
    SHORT_DAY,
    SIGNER,
    STEPS,
    STRAIN,
    STREET,
    TITLE,
    YEAR,
    find_look,
)
from scrubjay.taggers._mending.misread import mend_misread
from scrubjay.taggers._mending.number_keys import label_numbers
from scrubjay.taggers._mending.numbered_rooms import LABELS as ROOMS
from scrubjay.taggers._mending.numbered_rooms import add_numbered_rooms
from scrubjay.taggers._mending.odd_forms import INSTITUTED, add_odd_forms
from scrubjay.taggers._mending.odd_forms import LABELS as ODD
from scrubjay.taggers._mending.people.bare_surnames import LABELS as BARE_LABELS
from scrubjay.taggers._mending.people.bare_surnames import add_bare_surnames
from scrubjay.taggers._mending.people.glued import add_glued
from scrubjay.taggers._mending.people.initials import LABELS as SIGNED
from scrubjay.taggers._mending.people.initials import add_initials
from scrubjay.taggers._mending.people.keyed import add_keyed_at, find_keyed
from scrubjay.taggers._mending.people.last_initials import widen_last_initials
from scrubjay.taggers._mending.people.leading_initials import widen_initials
from scrubjay.taggers._mending.people.listed import LABELS as LISTING
from scrubjay.taggers._mending.people.listed import add_listed
from scrubjay.taggers._mending.people.named_days import name_days
from scrubjay.taggers._mending.people.namesakes import NAMES, agree_namesakes
from scrubjay.taggers._mending.people.nicknames import add_nicknames
from scrubjay.taggers._mending.people.own_initials import LABELS as OWN
from scrubjay.taggers._mending.people.own_initials import add_own_initials
from scrubjay.taggers._mending.people.person_keys import Telling
from scrubjay.taggers._mending.people.person_labels import tell_persons
from scrubjay.taggers._mending.people.persons import agree_persons
from scrubjay.taggers._mending.people.repeated import LABEL as NAME
from scrubjay.taggers._mending.people.repeated import add_repeated
from scrubjay.taggers._mending.people.sentence_ends import part_sentences
from scrubjay.taggers._mending.people.speakers import LABELS as SPEAKERS
from scrubjay.taggers._mending.people.speakers import mend_speakers
from scrubjay.taggers._mending.people.spelled import LABELS as SPELLERS
from scrubjay.taggers._mending.people.spelled import add_spelled
from scrubjay.taggers._mending.people.whose_ages import tell_whose_ages
from scrubjay.taggers._mending.people.writers import LABELS as WRITERS
from scrubjay.taggers._mending.people.writers import add_writers
from scrubjay.taggers._mending.postal_codes import LABELS as POSTAL
from scrubjay.taggers._mending.postal_codes import add_postal_codes
from scrubjay.taggers._mending.rare_steps import (
    BOXED,
    DOSES,
    MARKUP,
    MISREAD,
    PLACES,
    SPELLED,
    TABLES,
    TALK,
)
from scrubjay.taggers._mending.row_rooms import add_row_rooms
from scrubjay.taggers._mending.said import widen_said
from scrubjay.taggers._mending.segments import read_segments
from scrubjay.taggers._mending.sign_ins import add_sign_ins, sign_in_labels, widen_user_names
from scrubjay.taggers._mending.sparing.capitals import find_abbreviations, is_abbreviation
from scrubjay.taggers._mending.sparing.homonyms import (
    may_be_strain,
    spare_homonym,
    tells_of_strains,
)
from scrubjay.taggers._mending.sparing.spared import (
    WITH_TERMS,
    is_doubtful,
    is_in_term,
    is_introduced,
    is_mother,
)
from scrubjay.taggers._mending.sparing.steps import SPARES, SPARING
from scrubjay.taggers._mending.staff_titles import without_title
from scrubjay.taggers._mending.states import LABEL as STATE
from scrubjay.taggers._mending.states import MARK as MARYLAND
from scrubjay.taggers._mending.states import add_states
from scrubjay.taggers._mending.streets import mend_street
from scrubjay.taggers._mending.tables.reading import read_tables

_ENGLISH, _DUTCH, _SPANISH = "en", "nl", "es"


def mend(
    text: str, spans: Iterable[Span], language: str, *, labels: Collection[str] | None = None
) -> tuple[Span, ...]:
    """Return the spans of a text without doubtful ones within a clinical term of the language.

    `spans` are sorted and disjoint, and so are those that are returned. What else changes depends
    on the language: those of English have mended borders and labels, too, and names in capitals
    that are glued to a title are among them.
    """
    return mend_all([text], [tuple(spans)], language, labels=labels)[0]


def mend_all(
    texts: Sequence[str],
    found: Sequence[tuple[Span, ...]],
    language: str,
    *,
    labels: Collection[str] | None = None,
    cues: Sequence[Cues] | None = None,
    trust: float | None = None,
) -> list[tuple[Span, ...]]:
    """Return what `mend` does of each text, in less time.

    With a `trust` persons have their labels by all of a text besides (`person_labels`). `cues` are
    what `find_cues` gives for the texts, where somebody has asked it already.
    """
    known = find_keyed(language, labels)
    asked = None if labels is None else frozenset(labels)
    cues = find_cues(texts, language) if cues is None else cues
    try:
        mended = [
            _mend_one(text, spans, language, own, known, asked)
            for text, spans, own in zip(texts, found, cues, strict=True)
        ]
        return mended if trust is None else tell_persons(texts, mended, language, trust=trust)
    finally:
        forget_long()


def _mend_one(
    text: str,
    spans: tuple[Span, ...],
    language: str,
    cues: Cues,
    known: Telling | None,
    labels: frozenset[str] | None,
) -> tuple[Span, ...]:
    rare = cues.rare_steps
    if rare & MARKUP:
        spans = mend_markup(text, spans, language)
    if rare & MISREAD:
        spans = mend_misread(text, spans, language, labels)
    if rare & BOXED:
        spans = mend_boxed(text, spans, language)
    if language == _SPANISH:
        spans = part_columns(text, spans)
    looked, bits = _without_others(text, spans, language)
    rows = looked
    if (cues.beside or bits & YEAR) and _has(labels, sign_in_labels(language)):
        rows = add_sign_ins(text, rows, language, cues.beside)
        if bits & YEAR:
            rows = widen_user_names(text, rows, language)
    if language == _ENGLISH:
        rows = _in_english(text, rows, cues, bits, labels)
    elif language == _SPANISH:
        rows = _in_spanish(text, rows, rare, bits, labels)
    if known is not None:  # late, since what it adds has no say in who is a patient
        rows = add_keyed_at(text, rows, known, keys=cues.keys, titles=cues.titles, names=cues.names)
        if cues.quotes:
            rows = add_nicknames(text, rows, cues.quotes)
    if language == _SPANISH:
        rows = tuple(spare_key_letters(text, rows))
        if cues.odd_parts & INSTITUTED and _has(labels, {INSTITUTION}):
            rows = add_institutions(text, rows)
    if language == _DUTCH:
        rows = _in_dutch(text, rows, rare, labels)
    if language in OWN and (bits & SIGNER or rows != looked) and _has(labels, {OWN[language]}):
        rows = add_own_initials(text, rows, language)
    if bits & LISTED and _has(labels, {LISTING[language]}):
        rows = add_listed(text, rows, language)
    if bits & PERSON and language in CELLS and _has(labels, CELLS[language]):
        rows = add_list_cells(text, rows, language)
    if rare & SPELLED and language in SPELLERS and _has(labels, {SPELLERS[language]}):
        rows = add_spelled(text, rows, language)
    if rare & PLACES and language in PLACED and _has(labels, {PLACED[language]}):
        rows = add_coordinates(text, rows, language)
    if language in POSTAL and _has(labels, {POSTAL[language]}):
        rows = add_postal_codes(text, rows, language)
    if bits & DIALLED:
        rows = widen_dialled(text, rows, language)
    rows = join_line_ends(text, rows, language)
    if bits & HALF:
        rows = complete_dates(text, rows, language)
    if bits & SHORT_DAY and language in ALIKES and _has(labels, {ALIKES[language]}):
        rows = add_days_alike(text, rows, language)
    if language in ODD and _has(labels, ODD[language]):
        rows = add_odd_forms(text, rows, language, cues.odd_parts)
    if rare & TABLES:
        rows = read_tables(text, rows, language, labels)
    if "|" in text:
        rows = read_segments(text, rows, language, labels)
    if rare & DOSES and language in DOSED and _has(labels, {DOSED[language]}):
        rows = spare_doses(text, rows, language)
    return rows


def _without_others(
    text: str, spans: tuple[Span, ...], language: str
) -> tuple[tuple[Span, ...], int]:
    """Return what is left of the spans by the steps that take each for itself.

    With them come the bits of all (`mention_looks`).
    """
    look, steps = find_look(language), STEPS
    with_terms = language in WITH_TERMS
    if language == _ENGLISH and tells_of_strains(text):
        steps |= STRAIN
    rows: list[Span] = []
    all_bits = person = 0
    for span in spans:
        start, end = span.start, span.end
        bits = look(text[start:end], span.label)
        all_bits |= bits
        own = bits & steps
        if bits & STRAIN and may_be_strain(text, start, end):
            own |= STRAIN
        in_doubt = with_terms and is_doubtful(span, language)
        if own in SPARES and not in_doubt:  # one step, as for all names in Spanish
            if not SPARES[own](text, span, person, language):
                rows.append(span)
        elif own or in_doubt:
            if _is_term(text, span, bits, language, in_doubt=in_doubt):
                continue
            left = _mended(text, span, own, language, person)
            for one in left:
                if one is not span:
                    all_bits |= look(text[one.start : one.end], one.label)
            rows += left
        else:
            rows.append(span)
        if bits & PERSON:
            person = end
    return tuple(rows), all_bits


def _is_term(text: str, span: Span, bits: int, language: str, *, in_doubt: bool) -> bool:
    """Tell whether a span is a doubtful one within a clinical term, or an abbreviation."""
    if (
        in_doubt
        and is_in_term(text, span, language)
        and not (language == _SPANISH and (is_introduced(text, span) or is_mother(text, span)))
    ):
        return True
    table = find_abbreviations(language) if bits & ABBREVIATION else None
    return table is not None and is_abbreviation(text, span, table)


def _mended(text: str, span: Span, bits: int, language: str, person: int) -> tuple[Span, ...]:
    """Return what the steps after those leave of a span; `bits` tell which may change it.

    `person` is the end of the last person before it.
    """
    if bits & TITLE:
        name = without_title(text, span)
        if name is not span:
            span = name
            bits = find_look(language)(text[name.start : name.end], name.label) & STEPS & ~TITLE
    if _is_spared(text, span, bits, language, person):
        return ()
    if bits & FINDING:
        return (without_finding(text, span),)
    if bits & CENTRE:
        return (label_centre(text, span),)
    if bits & SENTENCES:
        look = find_look(language)
        return tuple(
            part
            for part in part_sentences(text, span, language)
            if part is span
            or not _is_spared(
                text, part, look(text[part.start : part.end], part.label), language, person
            )
        )
    if bits & DAY_LIST:
        return tuple((part_dutch if language == _DUTCH else part_days)(text, span))
    if bits & STREET:
        return tuple(mend_street(text, span))
    return spare_homonym(text, span) if bits & (HOMONYM | STRAIN) else (span,)


def _is_spared(text: str, span: Span, bits: int, language: str, person: int) -> bool:
    """Tell whether one of the steps of `bits` lets a mention go."""
    sparing = bits & SPARING
    while sparing:
        bit = sparing & -sparing
        if SPARES[bit](text, span, person, language):
            return True
        sparing ^= bit
    return False


def _in_english(
    text: str, rows: tuple[Span, ...], cues: Cues, bits: int, labels: frozenset[str] | None
) -> tuple[Span, ...]:
    """Return the spans of an English text with mended borders and labels, and names besides."""
    if bits & BORDER:
        look = find_look(_ENGLISH)
        rows = mend_borders(text, rows, may_be=lambda *mention: look(*mention) & BORDER)
    rows = agree_persons(text, rows)
    if _has(labels, STAFF_AND_PATIENTS):
        rows = add_repeated(text, rows, _ENGLISH)
    if cues.rare_steps & TALK and _has(labels, SPEAKERS[_ENGLISH]):
        rows = mend_speakers(text, rows, _ENGLISH)
    if cues.capitals:
        rows = add_glued(text, rows, cues.capitals)
    if (cues.beside or bits & AGE) and _has(labels, BARE_LABELS):
        rows = add_bare_surnames(text, rows, cues.beside)
    if (bits & INITIALS or cues.beside or cues.pairs) and _has(labels, SIGNED):
        rows = add_initials(text, rows, keys=cues.beside, pairs=cues.pairs)
    if bits & PERSON:
        rows = widen_last_initials(text, rows)
    return add_states(text, rows) if MARYLAND in text and _has(labels, {STATE}) else rows


def _in_spanish(
    text: str, rows: tuple[Span, ...], rare: int, bits: int, labels: frozenset[str] | None
) -> tuple[Span, ...]:
    """Return the spans of a Spanish text with labels by the rest of it, and what else it tells."""
    if bits & SAID:
        rows = widen_said(text, rows)
    if _has(labels, NAMES):
        if rare & TALK:
            rows = mend_speakers(text, rows, _SPANISH)
        rows = widen_initials(text, name_days(text, add_repeated(text, rows, _SPANISH)))
    rows = agree_namesakes(text, rows)
    if bits & AGE:
        rows = tell_whose_ages(text, rows)
    count = len(rows)
    if _has(labels, NUMBERED):
        rows = add_long_numbers(text, rows)
    return label_numbers(text, rows, labels) if bits & NUMBER or len(rows) > count else rows


def _in_dutch(
    text: str, rows: tuple[Span, ...], rare: int, labels: frozenset[str] | None
) -> tuple[Span, ...]:
    """Return the spans of a Dutch text with who wrote it, names that come again, and rooms."""
    if _has(labels, WRITERS):
        rows = add_writers(text, rows)
    if _has(labels, {NAME}):
        if rare & TALK:
            rows = mend_speakers(text, rows, _DUTCH)
        rows = add_repeated(text, rows)
    return add_row_rooms(text, add_numbered_rooms(text, rows)) if _has(labels, ROOMS) else rows


def _has(labels: frozenset[str] | None, asked: Collection[str]) -> bool:
    """Tell whether a model has the labels that a step gives; None are all."""
    return labels is None or labels.issuperset(asked)
