"""Proof of each output: what was found is gone, and nothing else was touched.

For each document, against the original:

- every mention that the policy replaces has exactly one edit, over exactly its characters;
- the text outside the edits is the same, character for character;
- placeholders, masks and fixed texts stand for themselves: a second run leaves them;
- no original mention of the record, and no known identifier of the patient, is left.

The last is a search without regard to case, accents and what stands between words. Mentions
that it does not search for are the declared exceptions (`EXCEPTIONS`), and are counted.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scrubjay.deidentifier import Deidentified, Failure
from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.errors import AlteredTextError, LeakError, LostMentionError, UnstableError
from scrubjay.known._words import Words, is_capitalised, split_words
from scrubjay.known.layers import overlay
from scrubjay.known.parts import cut_at_parts
from scrubjay.known.people import common_words
from scrubjay.known.terms import Terms
from scrubjay.labels import kind_of
from scrubjay.transform.edits import Edit
from scrubjay.transform.operators import Keep, Mask, Operator, Placeholder, Redact
from scrubjay.transform.policy import Policy
from scrubjay.transform.safe_harbor import SafeAge, SafeDate, SafeZip

EXCEPTIONS: Mapping[str, str] = {
    "kept": "the policy leaves the mention, or a part of it, where it stands; or it is what an "
    "earlier run put there",
    "short": "fewer than 4 letters and digits, or up to 4 digits alone",
    "common": "it is one everyday word of the language; of a name, where it is in small letters "
    "or begins a sentence or a line",
    "allowed": "the allow-list holds it",
    "chance": "it stands inside the replacement of another mention, or begins or ends there, where "
    "it may come by chance",
}
"""Why an original mention, or a known identifier, may be in an output."""

LEAST_CHARACTERS = 4
LEAST_DIGITS = 5
LEAST_JOINED = 7
_KEEPERS = (Keep, SafeAge, SafeDate, SafeZip)
_BLANK = (Placeholder, Mask, Redact)
_CODES = ("hash", "pseudonym")
# What a shift or a table of few values may turn into another value of the same document.
_DENSE = frozenset(["date", "age", "sex", "state", "country", "profession"])
_GAP = re.compile(r"[^\S\n\r]*[^\w\s]?[^\S\n\r]*(?:\r?\n[ \t]*)?")
_LONGEST_GAP = 8
_NAMES = frozenset(["name", "relative"])
_BEGINNING = re.compile(r"[.!?:;\n\r\-*\u2022\"'([/>]")

_BEFORE = "x "  # what stands before a piece of a text, so that it does not begin a sentence

Keys = tuple[str, ...]
Pair = tuple[Document, Deidentified]


@dataclass(frozen=True, slots=True)
class Proved:
    """A document that was proved, with counts: originals searched for, and `EXCEPTIONS` made."""

    result: Deidentified
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class _Originals:
    """The words of the mentions that were replaced: keys -> the gaps between the words, and the
    label of the first such mention.

    `words` are the keys that are everyday words, too: they count where they are written as names.
    """

    gaps: dict[Keys, set[tuple[str, ...]]] = field(default_factory=dict)
    labels: dict[Keys, str] = field(default_factory=dict)
    sizes: dict[str, set[int]] = field(default_factory=dict)
    words: set[Keys] = field(default_factory=set)

    def add(self, words: Words, label: str, *, common: bool) -> None:
        if common and words.keys not in self.gaps:
            self.words.add(words.keys)
        elif not common:
            self.words.discard(words.keys)
        gaps = tuple(words.gap(place) for place in range(len(words) - 1))
        self._note(words.keys, gaps, label)
        joined = "".join(words.keys)
        if (
            len(words) > 1
            and len(joined) >= LEAST_JOINED
            and len(set(map(str.isdigit, joined))) == 1
        ):
            # Written as one: ZaraQuill, 5551234.
            self._note((joined,), (), label)

    def _note(self, keys: Keys, gaps: tuple[str, ...], label: str) -> None:
        self.gaps.setdefault(keys, set()).add(gaps)
        self.labels.setdefault(keys, label)
        self.sizes.setdefault(keys[0], set()).add(len(keys))

    def update(self, other: _Originals) -> None:
        new = other.words - self.gaps.keys()
        self.words.difference_update(other.gaps.keys() - other.words)
        self.words.update(new)
        for keys, gaps in other.gaps.items():
            self.gaps.setdefault(keys, set()).update(gaps)
            self.labels.setdefault(keys, other.labels[keys])
            self.sizes.setdefault(keys[0], set()).add(len(keys))

    def find(self, words: Words) -> Iterator[tuple[int, int, Keys]]:
        """Yield start, end and keys of every occurrence, overlapping ones too."""
        known = self.sizes
        for first in [n for n, key in enumerate(words.keys) if key in known]:
            for size in known[words.keys[first]]:
                last = first + size - 1
                keys = words.keys[first : last + 1]
                if len(keys) != size or keys not in self.gaps:
                    continue
                if keys in self.words and not _is_written_as_name(words, first):
                    continue
                if self._joined(words, first, keys):
                    yield words.starts[first], words.ends[last], keys

    def _joined(self, words: Words, first: int, keys: Keys) -> bool:
        gaps = tuple(words.gap(first + place) for place in range(len(keys) - 1))
        return gaps in self.gaps[keys] or all(
            len(gap) <= _LONGEST_GAP and _GAP.fullmatch(gap) is not None for gap in gaps
        )


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
    )  # what `complete` examined just now, for `prove` to take

    def prove(self, record: Sequence[Pair]) -> list[Proved | Failure]:
        """Prove the documents of one record against all mentions of it, in order.

        A document that cannot be proved is a `Failure` with the class of the reason, and gives
        nothing out; what was found in it is looked for in the others all the same.
        """
        checked = [self._examine(original, result) for original, result in record]
        everything = _together(checked)
        return [self._conclude(examined, everything) for examined in checked]

    def complete(self, record: Sequence[Pair]) -> list[tuple[Span, ...]]:
        """Return the spans of each document with those that its record adds.

        What was found in any document of a record is found in all of them, so that nothing is
        left for `prove` to find outside the edits. New spans have the label of the first such
        mention, no score, and the source `record`.
        """
        checked = [self._examine(original, result) for original, result in record]
        everything = _together(checked)
        self._seen.clear()
        self._seen.update((id(examined.result), examined) for examined in checked)
        return [
            cut_at_parts(
                original,
                overlay(
                    original.text,
                    [*result.found, *_occurrences(original.text, everything, result.found)],
                ),
            )
            for original, result in record
        ]

    def _examine(self, original: Document, result: Deidentified) -> _Examined:
        """Note the mentions of a document, and the first reason why it cannot be proved."""
        seen = self._seen.pop(id(result), None)
        if seen is not None and seen.original is original and seen.result is result:
            return seen
        counts: Counter[str] = Counter()
        examined = _Examined(original, result, counts)
        new = {(edit.start, edit.end): edit.replacement for edit in result.edits}
        for span in result.found:
            mention = split_words(original.text[span.start : span.end])
            stays = new.get((span.start, span.end)) == mention.text
            reason = self._exception(span, mention, stays=stays)
            common = reason == "common" and self._is_name(span, mention)
            counts["searched" if common else reason or "searched"] += 1
            if common or not reason:
                examined.originals.add(mention, span.label, common=common)
        return examined

    def _exception(self, span: Span, mention: Words, *, stays: bool = False) -> str:
        """Return why a mention need not be searched for, "" where it must be."""
        operator = self.policy.operator(span.label)
        if isinstance(operator, Keep) or (stays and not _is_fake(operator)):
            # Left by the policy, or a placeholder of an earlier run.
            return "kept"
        size = sum(map(len, mention.keys))
        digits = all(map(str.isdigit, mention.keys))
        if size < (LEAST_DIGITS if digits else LEAST_CHARACTERS):
            return "short"
        if self.allow is not None and self.allow.holds(mention.text):
            return "allowed"
        common = len(mention) == 1 and mention.keys[0] in common_words(self.language)
        return "common" if common else ""

    def _is_name(self, span: Span, mention: Words) -> bool:
        kind = kind_of(self.policy.label_set or "", span.label)
        return kind in _NAMES and is_capitalised(mention.surface(0))

    def _conclude(self, examined: _Examined, everything: _Originals) -> Proved | Failure:
        original, result = examined.original, examined.result
        try:
            require_edits(result)
            require_same_text(original.text, result)
            self._require_stable(result)
            self._require_no_leak(examined, everything)
        except Exception as error:
            # An error of the proof itself is no proof either.
            return Failure(result.id, "prove", type(error).__name__)
        return Proved(result, dict(sorted(examined.counts.items())))

    def _require_stable(self, result: Deidentified) -> None:
        """Raise `UnstableError` where a second run over the replacements would change them."""
        blank = {
            span.label for span in result.found
            if isinstance(self.policy.operator(span.label), _BLANK)
        }  # fmt: skip
        document = result.document
        spans = [span for span in document.spans if span.label in blank]
        for edit in self.policy.plan(document.with_spans(()), spans):
            if document.text[edit.start : edit.end] != edit.replacement:
                raise UnstableError(f"[{edit.start}, {edit.end}) would not stay in a second run")

    def _require_no_leak(self, examined: _Examined, everything: _Originals) -> None:
        replaced = list(_replaced(examined.result))
        text = examined.result.document.text
        for start, end, keys in everything.find(split_words(text)):
            self._judge(start, end, keys, replaced, examined)
        if self.known is not None:
            probe = Document(examined.original.id, text, metadata=examined.original.metadata)
            for span in self.known.detect([probe])[0]:
                self._judge_known(span, replaced, examined)

    def _judge(
        self, start: int, end: int, keys: Keys, replaced: Sequence[_Replaced], examined: _Examined
    ) -> None:
        """Raise `LeakError` for an original mention at `[start, end)` that must not be there."""
        around = _around(start, end, replaced)
        if around is None:
            if not self._is_by_chance(start, end, replaced, examined):
                raise LeakError(f"an original mention is left at [{start}, {end})")
            examined.counts["chance"] += 1
            return
        operator = self.policy.operator(around.span.label)
        if isinstance(operator, _KEEPERS):
            examined.counts["kept"] += 1
        elif not _is_fake(operator):
            # Its text comes from the label or a digest: [PATIENT-1], XXXX.
            examined.counts["chance"] += 1
        elif self._is_telling(keys, around, examined):
            raise LeakError(f"a replacement is an original mention at [{start}, {end})")
        else:
            examined.counts["chance"] += 1

    def _is_by_chance(
        self, start: int, end: int, replaced: Sequence[_Replaced], examined: _Examined
    ) -> bool:
        """Tell whether a match that reaches into a replacement tells nothing of the original.

        The number of a placeholder is none of the original's: `[AGE-20]th` is no "20th". Else
        what was not written here must be too little to tell anything, as of a mention.
        """
        text = examined.result.document.text
        words = split_words(text[start:end])
        written = [_around(start + s, start + e, replaced) for s, e in _places(words)]
        if not any(written) or any(
            each is not None and isinstance(self.policy.operator(each.span.label), _KEEPERS)
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
        size, digits = sum(map(len, left)), all(map(str.isdigit, left))
        return size < (LEAST_DIGITS if digits else LEAST_CHARACTERS) or (
            len(left) == 1 and left[0] in common_words(self.language)
        )

    def _is_telling(self, keys: Keys, around: _Replaced, examined: _Examined) -> bool:
        """Tell whether an original inside a surrogate is no chance: the mention's own, or one of
        the document, which surrogates avoid."""
        own = examined.original.text[around.span.start : around.span.end]
        if split_words(own).keys == keys:
            return True
        kind = kind_of(self.policy.label_set or "", around.span.label)
        return kind not in _DENSE and keys in examined.originals.gaps

    def _judge_known(self, span: Span, replaced: Sequence[_Replaced], examined: _Examined) -> None:
        """Raise `LeakError` for a known identifier that must not be there."""
        around = _around(span.start, span.end, replaced)
        if around is None:
            raise LeakError(f"a known identifier is left at [{span.start}, {span.end})")
        if isinstance(self.policy.operator(around.span.label), _KEEPERS):
            examined.counts["kept"] += 1
            return
        own = examined.original.text[around.span.start : around.span.end]
        text = examined.result.document.text[span.start : span.end]
        if split_words(text).keys == split_words(own).keys and not self._exception(
            around.span, split_words(own)
        ):
            raise LeakError(f"a known identifier is left at [{span.start}, {span.end})")
        examined.counts["chance"] += 1


@dataclass(frozen=True, slots=True, repr=False)
class _Examined:
    """A document under proof, with the mentions of it that are searched for."""

    original: Document
    result: Deidentified
    counts: Counter[str]
    originals: _Originals = field(default_factory=_Originals)


def _is_written_as_name(words: Words, place: int) -> bool:
    """Tell whether a word has a capital that no beginning of a sentence or a line explains."""
    if not is_capitalised(words.surface(place)):
        return False
    before = words.text[words.ends[place - 1] if place else 0 : words.starts[place]]
    return bool(place) and _BEGINNING.search(before) is None


def _is_fake(operator: Operator) -> bool:
    """Tell whether what an operator gives may be taken for an original, as far as is known."""
    return not isinstance(operator, (*_KEEPERS, *_BLANK)) and operator.name not in _CODES


def _together(checked: Sequence[_Examined]) -> _Originals:
    everything = _Originals()
    for examined in checked:
        everything.update(examined.originals)
    return everything


def _occurrences(text: str, originals: _Originals, found: Sequence[Span]) -> list[Span]:
    places = list(originals.find(split_words(text)))
    for start, end in _pieces(text, found):
        # What was glued to a mention is a word of its own once that is replaced.
        shift = start - len(_BEFORE)
        places += [
            (first + shift, last + shift, keys)
            for first, last, keys in originals.find(split_words(_BEFORE + text[start:end]))
            if first >= len(_BEFORE)
        ]
    spans = {
        Span(start, end, originals.labels[keys], source="record") for start, end, keys in places
    }
    return sorted(spans, key=lambda span: (span.start - span.end, span))


def _pieces(text: str, found: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Yield what stands between mentions where one of them ends or begins inside a word."""
    edges = [0, *(edge for span in found for edge in (span.start, span.end)), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if start < end and (_is_inside(text, start) or _is_inside(text, end)):
            yield start, end


def _is_inside(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _places(words: Words) -> Iterator[tuple[int, int]]:
    return zip(words.starts, words.ends, strict=True)


@dataclass(frozen=True, slots=True)
class _Replaced:
    """Where a replacement stands in the output, and the span that it replaced."""

    start: int
    end: int
    span: Span


def require_edits(result: Deidentified) -> None:
    """Raise `LostMentionError` unless each mention has one edit, over its own characters."""
    wanted = [(span.start, span.end) for span in result.found]
    if wanted != [(edit.start, edit.end) for edit in result.edits]:
        raise LostMentionError(f"{len(wanted)} mentions and {len(result.edits)} edits differ")


def require_same_text(text: str, result: Deidentified) -> None:
    """Raise `AlteredTextError` unless the output is the text with the edits made, no more.

    It walks along both texts, without the code that made the output.
    """
    new = result.document.text
    old_place = new_place = 0
    for edit in (*result.edits, Edit(len(text), len(text), "")):
        kept = edit.start - old_place
        new_end = new_place + kept
        if kept < 0 or text[old_place : edit.start] != new[new_place:new_end]:
            raise AlteredTextError(f"[{old_place}, {edit.start}) of the original differs")
        new_place = new_end + len(edit.replacement)
        if new[new_end:new_place] != edit.replacement:
            raise AlteredTextError(f"the replacement of [{edit.start}, {edit.end}) differs")
        old_place = edit.end
    if new_place != len(new):
        raise AlteredTextError(f"the output has {len(new)} characters, not {new_place}")


def _replaced(result: Deidentified) -> Iterator[_Replaced]:
    shift = 0
    for span, edit in zip(result.found, result.edits, strict=True):
        start = edit.start + shift
        yield _Replaced(start, start + len(edit.replacement), span)
        shift += len(edit.replacement) - (edit.end - edit.start)


def _around(start: int, end: int, replaced: Sequence[_Replaced]) -> _Replaced | None:
    """Return the replacement that holds all of `[start, end)`, if there is one."""
    place = bisect_right(replaced, start, key=lambda each: each.start) - 1
    if place >= 0 and end <= replaced[place].end:
        return replaced[place]
    return None
