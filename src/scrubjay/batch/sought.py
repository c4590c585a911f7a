"""Mentions that are looked for in the outputs of a record, and the reasons why others are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrubjay.batch.originals import Keys, Originals, Sought, seek
from scrubjay.document import Span
from scrubjay.known.people import common_words
from scrubjay.known.terms import Terms
from scrubjay.known.words import Words, is_capitalised, split_words, without_hyphenation
from scrubjay.labels import kind_of
from scrubjay.transform.operators import Keep, Mask, Operator, Placeholder, Redact
from scrubjay.transform.policy import Policy
from scrubjay.transform.safe_harbor import SafeAge, SafeDate, SafeZip
from scrubjay.transform.surrogates.operator import Surrogate

EXCEPTIONS: Mapping[str, str] = {
    "kept": "the policy leaves the mention, or a part of it, where it stands; or it is an age that "
    "moved dates tell, or what an earlier run put there",
    "short": "fewer than 4 letters and digits, or up to 4 digits alone",
    "common": "it is one everyday word of the language; of a name, where it is in small letters "
    "or begins a sentence or a line, or where all around it is in capitals",
    "allowed": "the allow-list holds it",
    "term": "it is part of a listed clinical term, as in `Wilson disease`",
    "chance": "it stands inside the replacement of another mention, or begins or ends there, where "
    "it may come by chance",
}
"""Why an original mention, or a known identifier, may be in an output."""

_LEAST_CHARACTERS, _LEAST_DIGITS = 4, 5
_MOST_TOLD, _LONGEST_TOLD = 8192, 500
KEEPERS = (Keep, SafeAge, SafeDate, SafeZip)
"""Operators that may leave a mention, or a part of it, where it stands."""
BLANK = (Placeholder, Mask, Redact)
"""Operators whose replacements stand for themselves: a second run leaves them."""
_CODES = ("hash", "pseudonym")
_NAMES = frozenset(["name", "relative"])


class SoughtMentions:
    """Tells which mentions are searched for where a policy replaces them.

    `allow` holds terms that may stay, and `language` tells everyday words.
    """

    def __init__(self, policy: Policy, language: str, allow: Terms | None) -> None:
        self._policy = policy
        self._language = language
        self._allow = allow
        self._operators: dict[str, Operator] = {}  # those of the labels met so far
        # What was told of the last mentions: many are in several documents.
        self._told: dict[tuple[str, str, bool], tuple[Sought | None, str, bool]] = {}

    def note(self, originals: Originals, text: str, span: Span, *, stays: bool = False) -> str:
        """Add a mention to the originals unless it is an exception; tell which, or `searched`.

        One with a word that a hyphen cuts at a line end is searched for with that word whole, too.
        """
        mention = text[span.start : span.end]
        whole = without_hyphenation(mention)
        if whole != mention:
            self._note(originals, whole, span.label, stays)
        return self._note(originals, mention, span.label, stays)

    def _note(self, originals: Originals, mention: str, label: str, stays: bool) -> str:
        key = mention, label, stays
        known = self._told.get(key)
        if known is None:
            if len(self._told) >= _MOST_TOLD:
                self._told.clear()
            known = self._tell(mention, label, stays)
            if len(mention) <= _LONGEST_TOLD:
                self._told[key] = known
        sought, reason, common = known
        if sought is None:
            return reason
        originals.add(sought, label, common=common)
        return "searched"

    def _tell(self, text: str, label: str, stays: bool) -> tuple[Sought | None, str, bool]:
        """Return what is searched for of a mention, else why nothing is, and whether it is a name
        that is also an everyday word, which is searched for all the same."""
        # By itself: a text too long to keep is split each time.
        if stays and self.keeps(text, label):
            return None, "kept", False
        sought = seek(text)
        reason = self.exception(label, sought.keys, stays=stays)
        if not reason:
            return sought, "", False
        if reason == "common" and self._is_name(label, split_words(text)):
            return sought, reason, True
        return None, reason, False

    def keeps(self, text: str, label: str) -> bool:
        """Tell whether surrogates may leave a mention: words of kinship, an age that dates tell."""
        operator = self.operator(label)
        kind = kind_of(self._policy.label_set or "", label)
        return isinstance(operator, Surrogate) and operator.keeps(text, kind, self._language)

    def operator(self, label: str) -> Operator:
        """Return what the policy does with a label."""
        if label not in self._operators:
            self._operators[label] = self._policy.operator(label)
        return self._operators[label]

    def exception(self, label: str, keys: Keys, *, stays: bool = False) -> str:
        """Return why a mention need not be searched for, "" where it must be."""
        operator = self._operators.get(label) or self.operator(label)
        if stays and not is_fake(operator):
            # Left by the policy, or a placeholder of an earlier run.
            return "kept"
        if is_short(keys):
            return "short"
        if self._allow is not None and self._allow.holds_words(keys):
            return "allowed"
        common = len(keys) == 1 and keys[0] in common_words(self._language)
        return "common" if common else ""

    def _is_name(self, label: str, mention: Words) -> bool:
        kind = kind_of(self._policy.label_set or "", label)
        return kind in _NAMES and is_capitalised(mention.surface(0))


def is_fake(operator: Operator) -> bool:
    """Tell whether what an operator gives may be taken for an original, as far as is known."""
    return not isinstance(operator, (*KEEPERS, *BLANK)) and operator.name not in _CODES


def is_short(keys: Sequence[str]) -> bool:
    """Tell whether a mention has so few letters and digits that it tells nothing."""
    size = sum(map(len, keys))
    return size < _LEAST_CHARACTERS or (size < _LEAST_DIGITS and all(map(str.isdigit, keys)))
