"""Why a span was found: the rule behind it, what each member says, what else it might have been.

The reasons are for the eyes of who gave the text: they hold patterns and rules, but no word of
the text itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from scrubjay.detectors import Detector, ScoreFilter
from scrubjay.document import Document, Span
from scrubjay.known.detector import LayeredDetector
from scrubjay.known.layers import Joined
from scrubjay.taggers._decoding.chain import Reading
from scrubjay.taggers.ensemble import EnsembleDetector
from scrubjay.taggers.regex import RegexDetector
from scrubjay.taggers.tbed import INITIAL, TbedDetector
from scrubjay.text.entities import Meant, read_entities
from scrubjay.text.tokenizers import Tokenizer
from scrubjay.text.tokens import Tokens
from scrubjay.windows import Windowed

RUNNERS_UP = 3
"""How many labels are told beside the one that was given."""

_LEAST = 0.001
_FOUND_ELSEWHERE = {
    "propagation": "The same words were found elsewhere in the note.",
    "deny": "The words stand in a list of what must always be removed.",
    "known": "The words are among what is known of the patient.",
}


@runtime_checkable
class _Readable(Protocol):
    tokenizer: Tokenizer

    @property
    def labels(self) -> Sequence[str]: ...
    def read_tokens(self, batch: Sequence[Tokens]) -> Reading: ...


@dataclass(frozen=True, slots=True)
class Voice:
    """What one member of a model says about a span.

    `spans` are those that it proposes there; `labels` are the probabilities that it gives to
    labels for exactly the borders of the span; `rules` the text of the rules behind its spans.
    """

    member: str
    spans: tuple[Span, ...]
    labels: tuple[tuple[str, float], ...] = ()
    rules: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the voice as JSON."""
        return {
            "member": self.member,
            "spans": [[s.start, s.end, s.label, s.score] for s in self.spans],
            "labels": [[label, share] for label, share in self.labels],
            "rules": list(self.rules),
        }


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a span was found: a sentence, where one can be told, and the voices of the members."""

    sentence: str
    voices: tuple[Voice, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the reason as JSON."""
        return {"sentence": self.sentence, "voices": [voice.to_json() for voice in self.voices]}


def explain_spans(detector: Detector, text: str, spans: Sequence[Span]) -> list[Reason]:
    """Return the reason of each span, in order; the detector looks at the text once more.

    It is one of `scrubjay.load_model`, or that of a `scrubjay.Deidentifier`, whose lists and
    propagation are told by the source of a span alone.
    """
    meant = read_entities(text) or Meant(text, ())
    asked = [
        replace(span, start=meant.forth(span.start), end=meant.forth(span.end)) for span in spans
    ]
    heard = [_Heard(name, one, meant, asked) for name, one in _members(detector)]
    return [
        Reason(_sentence(span), tuple(each.about(number, span) for each in heard))
        for number, span in enumerate(asked)
    ]


def _members(detector: Detector) -> list[tuple[str, Any]]:
    if isinstance(detector, LayeredDetector):
        return _members(detector.model)
    if isinstance(detector, Windowed | ScoreFilter):
        return _members(detector.detector)
    if isinstance(detector, Joined):
        return [member for each in detector.detectors for member in _members(each)]
    if isinstance(detector, EnsembleDetector):
        return [(member.name, member.detector) for member in detector.members]
    manifest = getattr(detector, "manifest", None)
    return [(getattr(manifest, "name", "") or type(detector).__name__, detector)]


def _sentence(span: Span) -> str:
    return _FOUND_ELSEWHERE.get(span.source.partition(":")[0], "")


class _Heard:
    """One member, after it looked at the text."""

    def __init__(self, name: str, detector: Any, meant: Meant, asked: Sequence[Span]) -> None:
        self._name = name
        self._meant = meant
        self._detector = detector
        self._shares: list[tuple[tuple[str, float], ...]] = [()] * len(asked)
        self._rules = _rules_of(detector)
        if isinstance(detector, _Readable):
            reading = detector.read_tokens([detector.tokenizer.tokenize(meant.text)])
            self._spans = reading.spans(source=name)[0]
            self._shares = _shares(reading, detector.labels, asked)
        else:
            self._spans = detector.detect([Document("text", meant.text)])[0]

    def about(self, number: int, span: Span) -> Voice:
        """Return what the member says about one of the spans asked for, of the text as it is."""
        near = tuple(s for s in self._spans if s.start < span.end and span.start < s.end)
        rules = dict.fromkeys(self._rules[name] for name in _names(near) if name in self._rules)
        return Voice(self._name, self._meant.back(near), self._shares[number], tuple(rules))


def _shares(
    reading: Reading, labels: Iterable[str], asked: Sequence[Span]
) -> list[tuple[tuple[str, float], ...]]:
    """Return the most probable labels for the borders of each span."""
    known = tuple(labels)
    wanted = [Span(span.start, span.end, label) for span in asked for label in known]
    values = reading.probabilities([wanted])[0]
    shares = []
    for number in range(len(asked)):
        own = values[number * len(known) : (number + 1) * len(known)]
        ranked = sorted(zip(known, own, strict=True), key=lambda pair: (-pair[1], pair[0]))
        shares.append(
            tuple(
                (label, round(share, 4))
                for label, share in ranked[: RUNNERS_UP + 1]
                if share >= _LEAST
            )
        )
    return shares


def _rules_of(detector: Any) -> Mapping[str, str]:
    """Return name -> text of every rule of a member that has rules."""
    if isinstance(detector, RegexDetector):
        return {pattern.name: _describe(pattern) for pattern in detector.patterns}
    if isinstance(detector, TbedDetector):
        rules = enumerate(detector.tagger.model.rules, start=1)
        return {str(number): f"rule {number}: {rule}" for number, rule in rules} | {
            INITIAL: "a pattern that the rules begin with"
        }
    return {}


def _describe(pattern: Any) -> str:
    example = pattern.examples[0] if pattern.examples else ""
    return f"pattern {pattern.name}" + (f", such as {example}" if example else "")


def _names(spans: Iterable[Span]) -> list[str]:
    """Return the names of rules in the sources of spans: "regex:date", "tbed:12,57"."""
    return [name for span in spans for name in span.source.partition(":")[2].split(",")]
