"""Proof of each output: what was found is gone, and nothing else was touched.

For each document, against the original:

- every mention that the policy replaces has exactly one edit, over exactly its characters, and
  over blanks behind it at most;
- the text outside the edits is the same, character for character;
- placeholders, masks and fixed texts stand for themselves: a second run leaves them;
- no original mention of the record, and no known identifier of the patient, is left.

The last is a search without regard to case, accents and what stands between words, with a second
look for words in disguise (`text.disguises`). Mentions that it does not search for are the declared
exceptions (`sought.EXCEPTIONS`), and are counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from scrubjay.batch._eponyms import names_among, stands_in_term
from scrubjay.batch.edited import (
    Replaced,
    holder_of,
    original_place,
    replaced_of,
    replacements_of,
    require_edits,
    require_same_text,
)
from scrubjay.batch.originals import Keys, Originals, begins_or_is_small
from scrubjay.batch.outcome import SHORT_NAME
from scrubjay.batch.sought import BLANK, KEEPERS, SoughtMentions, is_fake, is_short
from scrubjay.deidentifier import Deidentified, Failure
from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.errors import LeakError, UnstableError
from scrubjay.features.lexicons import is_listed
from scrubjay.features.protected import protected_terms
from scrubjay.known._allowed import stays_listed
from scrubjay.known._many import split_ahead
from scrubjay.known.eponyms import Placed
from scrubjay.known.layers import overlay
from scrubjay.known.parts import cut_at_parts
from scrubjay.known.people import common_words
from scrubjay.known.terms import Terms
from scrubjay.known.words import Words, split_words
from scrubjay.labels import kind_of
from scrubjay.text.disguises import read_disguises
from scrubjay.transform.operators import Placeholder
from scrubjay.transform.person_names import NAME_ROLES, parse_name
from scrubjay.transform.policy import Policy
from scrubjay.transform.surrogates.maker import DENSE

_MOST_SEEN = 512

_SHORT = re.compile(r"(?<![\w'’-])[^\W\d_a-zß-ÿ][a-zß-ÿ]{1,2}(?![\w-])")
"""A name of two or three letters, as names are written: no initials, which stand for much else."""
_INITIALS = re.compile(r"(?<![\w'’-])[^\W\d_a-zß-ÿ]{2,3}(?![\w-])")
Pair = tuple[Document, Deidentified]


@dataclass(frozen=True, slots=True)
class Proved:
    """A document that was proved, with counts: originals searched for, and exceptions made.

    `kept` are the spans of the original that stand in the output, by the policy.
    """

    result: Deidentified
    counts: Mapping[str, int] = field(default_factory=dict)
    kept: Sequence[Span] = ()


@dataclass(frozen=True, slots=True)
class Prover:
    """Proves outputs of one policy.

    `known` finds the known identifiers of a document's patient, `allow` holds terms that may
    stay, and `language` tells everyday words.
    """

    policy: Policy
    language: str = "en"
    known: Detector | None = None
    allow: Terms | None = None
    _seen: dict[int, _Examined] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )  # what `complete` examined, for `prove` to take
    _sought: SoughtMentions = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_sought", SoughtMentions(self.policy, self.language, self.allow))

    def prove(self, records: Sequence[Sequence[Pair]]) -> list[list[Proved | Failure]]:
        """Prove the documents of each record against all mentions of it, in order.

        A document that cannot be proved is a `Failure` with the class of the reason, and gives
        nothing out; what was found in it is looked for in the others all the same. Each check is
        made of all documents in turn, so that its code is at hand.
        """
        checked = [[self._examine(*pair) for pair in record] for record in records]
        judged: list[_Judged] = []
        for record in checked:
            everything = _together(record, self.language)
            judged += [_Judged(examined, everything) for examined in record]
        _look_ahead(judged)
        for check in (_check_edits, _check_text, self._require_stable, self._require_no_leak):
            for each in judged:
                if each.failed is None:
                    try:
                        check(each)
                    except Exception as error:
                        # An error of the proof itself is no proof either.
                        each.failed = Failure(
                            each.examined.result.id, "prove", type(error).__name__
                        )
        for each in judged:
            if each.failed is None and self._has_short_name(each.examined):
                each.examined.counts[SHORT_NAME] += 1
        outcomes = iter([each.outcome() for each in judged])
        return [[next(outcomes) for _ in record] for record in checked]

    def complete(self, records: Sequence[Sequence[Pair]]) -> list[list[tuple[Span, ...]]]:
        """Return the spans of each document with those that its record adds.

        What was found in any document of a record is found in all of them, so that nothing is
        left for `prove` to find outside the edits; what a new span leaves of another, too. New
        spans have the label of the first such mention, no score, and the source `record`. Many
        records together are faster.
        """
        checked = [[self._examine(*pair) for pair in record] for record in records]
        return [self._complete(*each) for each in zip(records, checked, strict=True)]

    def _complete(
        self, record: Sequence[Pair], checked: Sequence[_Examined]
    ) -> list[tuple[Span, ...]]:
        everything = _together(checked, self.language)
        found = [result.found for _, result in record]
        changed = True
        while changed:  # what a round leaves of mentions is shorter, so there is a last one
            fresh, before = Originals(language=self.language), found
            found = [
                self._with_occurrences(original, everything, spans)
                for (original, _), spans in zip(record, before, strict=True)
            ]
            for (original, _), spans, old in zip(record, found, before, strict=True):
                for span in sorted(set(spans).difference(old)) if spans != old else ():
                    self._sought.note(fresh, original.text, span)
            changed = bool(fresh.gaps) and everything.update(fresh)
        if all(spans == result.found for (_, result), spans in zip(record, found, strict=True)):
            self._remember(checked)
        return found

    def _with_occurrences(
        self, document: Document, originals: Originals, found: tuple[Span, ...]
    ) -> tuple[Span, ...]:
        text = document.text
        places = originals.spans_in(text, found)
        if (seen := read_disguises(text)) is not None:
            again = originals.spans_in(seen.text, seen.forth(found))
            places += [piece for span in again for piece in seen.back(span)]
        names = names_among(places, text, self.language, found=found) if places else ()
        new = [span for span in places if span in names and not self._stays(span, text, found)]
        return cut_at_parts(document, overlay(text, [*found, *new]) if new else found)

    def _stays(self, place: Placed, text: str, found: Sequence[Span]) -> bool:
        """Tell whether the allow-list means what stands at a place of the original."""
        return self.allow is not None and stays_listed(
            text, place.start, place.end, self.allow, self.language, outside=found
        )

    def _remember(self, checked: Sequence[_Examined]) -> None:
        """Keep what was examined until `prove` takes it; a batch completes all its records first.

        What nobody proves goes when there is more of it than a batch can hold.
        """
        if len(self._seen) + len(checked) > _MOST_SEEN:
            self._seen.clear()
        self._seen.update((id(examined.result), examined) for examined in checked)

    def _examine(self, original: Document, result: Deidentified) -> _Examined:
        """Note the mentions of a document, and the first reason why it cannot be proved."""
        seen = self._seen.pop(id(result), None)
        if seen is not None and seen.original is original and seen.result is result:
            return seen
        originals, text = Originals(language=self.language), original.text
        outcomes = [
            self._sought.note(originals, text, span, stays=new == text[span.start : span.end])
            for span, new in zip(result.found, replacements_of(text, result), strict=True)
        ]
        kept = [span for span, told in zip(result.found, outcomes, strict=True) if told == "kept"]
        return _Examined(original, result, Counter(outcomes), originals, kept)

    def _require_stable(self, judged: _Judged) -> None:
        """Raise `UnstableError` where a second run over the replacements would change them."""
        result = judged.examined.result
        labels = {span.label for span in result.found}
        blank = {label for label in labels if isinstance(self._sought.operator(label), BLANK)}
        if not blank:
            return
        document = result.document
        spans = [span for span in document.spans if span.label in blank]
        for edit in self.policy.plan(document, spans) if spans else ():
            if document.text[edit.start : edit.end] != edit.replacement:
                raise UnstableError(f"[{edit.start}, {edit.end}) would not stay in a second run")

    def _require_no_leak(self, judged: _Judged) -> None:
        """Raise `LeakError` where an original mention or a known identifier is left."""
        examined = judged.examined
        text = examined.result.document.text
        places = list(judged.everything.find(split_words(text))) if judged.is_doubtful else []
        places += _places_in_disguise(judged.everything, text)
        known: Sequence[Span] = ()
        if self.known is not None:
            probe = Document(examined.original.id, text, metadata=examined.original.metadata)
            known = self.known.detect([probe])[0]
        if not places and not known:
            return
        replaced = list(replaced_of(examined.result))
        for start, end, keys in places:
            self._judge(start, end, keys, replaced, judged)
        for span in known:
            self._judge_known(span, replaced, examined)

    def _has_short_name(self, examined: _Examined) -> bool:
        """Tell whether a name of too few letters to be looked for stands outside the edits.

        It is written as it was found, or as a part of a longer name was ("Big Ed" Kowalczyk), or is
        initials that were found as a mention by themselves ("KD" in a column of who signs).
        """
        text, original = examined.result.document.text, examined.original.text
        mentions = {
            original[span.start : span.end]
            for span in examined.result.found
            if kind_of(self.policy.label_set or "", span.label) == "name"
        }
        names = {
            mention[part.start : part.end]
            for mention in mentions
            if _SHORT.search(mention) is not None
            for part in parse_name(mention, self.language).parts
            if part.role in NAME_ROLES and _SHORT.fullmatch(mention, part.start, part.end)
        }
        names |= {mention for mention in mentions if _are_initials(mention, self.language)}
        if not any(name in text for name in names):
            return False
        replaced = list(replaced_of(examined.result))
        return any(
            found[0] in names and holder_of(*found.span(), replaced) is None
            for pattern in (_SHORT, _INITIALS)
            for found in pattern.finditer(text)
        )

    def _judge(
        self, start: int, end: int, keys: Keys, replaced: Sequence[Replaced], judged: _Judged
    ) -> None:
        """Raise `LeakError` for an original mention at `[start, end)` that must not be there."""
        examined, around = judged.examined, holder_of(start, end, replaced)
        if around is None:
            if self._is_by_chance(start, end, replaced, examined):
                examined.counts["chance"] += 1
            elif self._is_left_eponym(start, end, replaced, examined):
                examined.counts["term"] += 1
            elif self._is_left_term(start, end, replaced, examined):
                examined.counts["allowed"] += 1
            elif keys in judged.everything.words and self._is_left_word(
                start, end, replaced, examined
            ):
                examined.counts["common"] += 1
            else:
                raise LeakError(f"an original mention is left at [{start}, {end})")
            return
        operator = self.policy.operator(around.span.label)
        if isinstance(operator, KEEPERS):
            examined.keep(around.span)
        elif self._is_left_own(around, examined):
            examined.counts["kept"] += 1
        elif not is_fake(operator):
            # Its text comes from the label or a digest: [PATIENT-1], XXXX.
            examined.counts["chance"] += 1
        elif self._is_telling(keys, around, examined):
            raise LeakError(
                f"a replacement is an original mention at [{start}, {end}); another key gives "
                "other replacements"
            )
        else:
            examined.counts["chance"] += 1

    def _is_left_own(self, around: Replaced, examined: _Examined) -> bool:
        """Tell whether a surrogate left a mention as it was, which it may."""
        own = examined.original.text[around.span.start : around.span.end]
        new = examined.result.document.text[around.start : around.end]
        return new == own and self._sought.keeps(own, around.span.label)

    def _is_left_eponym(
        self, start: int, end: int, replaced: Sequence[Replaced], examined: _Examined
    ) -> bool:
        """Tell whether what is left at `[start, end)` was an eponym in the original, as `complete`
        sees it: beside a mask or a surrogate it may look otherwise."""
        place = original_place(start, end, replaced)
        text, found = examined.original.text, examined.result.found
        return place is not None and stands_in_term(text, *place, self.language, found=found)

    def _is_left_term(
        self, start: int, end: int, replaced: Sequence[Replaced], examined: _Examined
    ) -> bool:
        """Tell whether the allow-list means what is left at `[start, end)`, by the original."""
        place = original_place(start, end, replaced)
        found = examined.result.found
        return place is not None and self._stays(Span(*place, ""), examined.original.text, found)

    def _is_left_word(
        self, start: int, end: int, replaced: Sequence[Replaced], examined: _Examined
    ) -> bool:
        """Tell whether an everyday word left at `[start, end)` was no name in the original, as
        `complete` sees it: where a mention went with its full stop, it begins no sentence now."""
        place = original_place(start, end, replaced)
        return place is not None and begins_or_is_small(
            examined.original.text, *place, self.language
        )

    def _is_by_chance(
        self, start: int, end: int, replaced: Sequence[Replaced], examined: _Examined
    ) -> bool:
        """Tell whether a match that reaches into a replacement tells nothing of the original.

        The number of a placeholder is none of the original's: `[AGE-20]th` is no "20th". Else
        what was not written here must be too little to tell anything, as of a mention.
        """
        text = examined.result.document.text
        words = split_words(text[start:end])
        written = [holder_of(start + s, start + e, replaced) for s, e in _places(words)]
        if not any(written) or any(
            each is not None and isinstance(self.policy.operator(each.span.label), KEEPERS)
            for each in written
        ):
            return False
        if all(
            each is None
            or (key.isdigit() and isinstance(self.policy.operator(each.span.label), Placeholder))
            for key, each in zip(words.keys, written, strict=True)
        ):
            return True
        left = [key for key, each in zip(words.keys, written, strict=True) if each is None]
        return is_short(left) or (len(left) == 1 and left[0] in common_words(self.language))

    def _is_telling(self, keys: Keys, around: Replaced, examined: _Examined) -> bool:
        """Tell whether an original inside a surrogate is no chance: the mention's own, or one of
        the document, which surrogates avoid."""
        own = examined.original.text[around.span.start : around.span.end]
        if split_words(own).keys == keys:
            return True
        kind = kind_of(self.policy.label_set or "", around.span.label)
        return kind not in DENSE and keys in examined.originals.gaps

    def _judge_known(self, span: Span, replaced: Sequence[Replaced], examined: _Examined) -> None:
        """Raise `LeakError` for a known identifier that must not be there."""
        around = holder_of(span.start, span.end, replaced)
        if around is None:
            raise LeakError(f"a known identifier is left at [{span.start}, {span.end})")
        if isinstance(self.policy.operator(around.span.label), KEEPERS):
            examined.keep(around.span)
            return
        own = examined.original.text[around.span.start : around.span.end]
        text = examined.result.document.text[span.start : span.end]
        if split_words(text).keys == split_words(own).keys and not self._sought.exception(
            around.span.label, split_words(own).keys
        ):
            raise LeakError(f"a known identifier is left at [{span.start}, {span.end})")
        examined.counts["chance"] += 1


@dataclass(frozen=True, slots=True, repr=False)
class _Examined:
    """A document under proof, with the mentions of it that are searched for."""

    original: Document
    result: Deidentified
    counts: Counter[str]
    originals: Originals = field(default_factory=Originals)
    kept: list[Span] = field(default_factory=list)

    def keep(self, span: Span) -> None:
        """Note that a span stays, or a part of it does; each counts once."""
        if span not in self.kept:
            self.kept.append(span)
            self.counts["kept"] += 1


@dataclass(slots=True, repr=False)
class _Judged:
    """A document under proof, with the mentions of its record, and its failure if there is one.

    `is_doubtful` tells that a mention may stand in the output, by a first look at its words.
    """

    examined: _Examined
    everything: Originals
    failed: Failure | None = None
    is_doubtful: bool = True

    def outcome(self) -> Proved | Failure:
        """Return what came of the proof."""
        examined = self.examined
        counts = dict(sorted(examined.counts.items()))
        return self.failed or Proved(examined.result, counts, examined.kept)


def _look_ahead(judged: Sequence[_Judged]) -> None:
    """Note in which outputs no mention can stand, and split the others together.

    Where that fails each is looked at by itself, so that a failure is that of one document alone.
    """
    with suppress(Exception):
        for each in judged:
            each.is_doubtful = each.everything.may_stand_in(each.examined.result.document.text)
        split_ahead(each.examined.result.document.text for each in judged if each.is_doubtful)


def _check_edits(judged: _Judged) -> None:
    require_edits(judged.examined.original.text, judged.examined.result)


def _check_text(judged: _Judged) -> None:
    require_same_text(judged.examined.original.text, judged.examined.result)


def _places_in_disguise(originals: Originals, text: str) -> list[tuple[int, int, Keys]]:
    """Return the places of mentions as `find` does, those that are in disguise alone."""
    seen = read_disguises(text)
    if seen is None or not originals.gaps:
        return []
    plain = set(originals.find(split_words(text)))
    found = [
        (piece.start, piece.end, keys)
        for start, end, keys in originals.find(split_words(seen.text))
        for piece in seen.back(Span(start, end, originals.labels[keys]))
    ]
    return [each for each in found if each not in plain]


def _are_initials(mention: str, language: str) -> bool:
    """Tell whether a mention is initials alone, and no degree, term or everyday word ("MD")."""
    if _INITIALS.fullmatch(mention) is None:
        return False
    key = mention.lower()
    if key in common_words(language) or key in protected_terms(language):
        return False
    return not is_listed(key, "en.credentials", f"{language}.titles", f"{language}.id-words")


def _places(words: Words) -> Iterator[tuple[int, int]]:
    return zip(words.starts, words.ends, strict=True)


def _together(checked: Sequence[_Examined], language: str) -> Originals:
    if len(checked) == 1:
        return checked[0].originals
    everything = Originals(language=language)
    for examined in checked:
        everything.update(examined.originals)
    return everything
