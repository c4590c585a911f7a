"""The rule tagger: an ordered list of transformation rules over an initial-state annotator.

Tags begin as the initial annotator gives them (regular expressions, or `O` everywhere), and each
rule in turn changes them where its conditions hold (Brill 1995; Zhao 2020, Rule-Based Approach).
See `rules.py` for the text of rules and `learning/tbed.py` for learning them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from scrubjay.artifacts import Artifact, Manifest, encode_json
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError, FormatError
from scrubjay.features.encoder import Encoder
from scrubjay.features.resources import resource_fingerprints, warn_of_changed_resources
from scrubjay.features.templates import Template
from scrubjay.taggers._decoding.chain import split_tags
from scrubjay.taggers._matching import Firings, TokenIndex, apply_rules, number_rules
from scrubjay.taggers._stored import MISFITS, merge_words, misfit, read_tokenizer_and_dial
from scrubjay.taggers.patterns import read_records
from scrubjay.taggers.regex import RegexDetector, RegexTagger
from scrubjay.taggers.rules import TAG, Rule, read_rules, write_rules
from scrubjay.tags import TagArray, decode_tags, find_scheme
from scrubjay.text.entities import reading_entities
from scrubjay.text.tokenizers import Tokenizer
from scrubjay.text.tokens import Tokens

KIND = "tbed"
RULES_FILE = "rules.jsonl"
CURVE_FILE = "curve.json"
_SETTINGS_FILE = "tagger.json"

#: What the source of a span names where no rule changed a token of it.
INITIAL = "initial"


class Annotator(Protocol):
    """What gives tokens their first tags."""

    def tag(self, batch: Sequence[Tokens]) -> list[TagArray]:
        """Return the tags of each text, int16 arrays of its length."""


@dataclass(frozen=True, slots=True)
class TbedModel:
    """What a rule tagger is made of, and an artifact stores.

    `scope` says whether a condition sees over the border of the sentence ("document") or not
    ("sentence"). `dictionaries` are those that attributes `dictionary:LABEL` look words up in.
    `initial` is None where every token begins as `O`.
    """

    rules: tuple[Rule, ...]
    scheme: str
    labels: tuple[str, ...]
    scope: str = "document"
    dictionaries: Mapping[str, frozenset[str]] = field(default_factory=dict)
    initial: RegexDetector | None = None


@dataclass(frozen=True, slots=True)
class Firing:
    """One change: rule `rule` (from 1) gave the token `[start, end)` another tag."""

    rule: int
    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one text got its tags: `initial` tags other than `O`, then `firings` in order."""

    initial: tuple[tuple[int, int, str], ...]
    firings: tuple[Firing, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tagging:
    """The tags of a batch, one text after another, and how they came about.

    `makers` hold for each token the number of the rule that changed it last, from 1; 0 for none.
    """

    initial: TagArray
    tags: TagArray
    firings: Firings
    makers: Any


class TbedTagger:
    """Tags tokens by ordered rules; immutable."""

    def __init__(self, model: TbedModel) -> None:
        self.model = model
        self.scheme = find_scheme(model.scheme)
        self.labels = model.labels
        self.tag_names = self.scheme.tag_names(model.labels)
        self._initial = make_annotator(model)
        self.encoder = make_encoder(model.rules, scope=model.scope, dictionaries=model.dictionaries)
        self._table = number_rules(model.rules, self.encoder.alphabets, self.tag_names)

    def __reduce__(self) -> tuple[Any, ...]:
        return (TbedTagger, (self.model,))

    def tag(self, batch: Sequence[Tokens]) -> list[TagArray]:
        """Return the tags of each text, int16 arrays of its length."""
        return split_tags(self.apply(batch).tags, batch)

    def tag_spans(self, batch: Sequence[Tokens]) -> list[tuple[Span, ...]]:
        """Return the spans of each text.

        The source of a span names the rules that made it, by their numbers from 1: "tbed:12,57".
        "initial" stands there for tokens that are as the initial annotator tagged them.
        """
        tagging = self.apply(batch)
        tags, makers = split_tags(tagging.tags, batch), split_tags(tagging.makers, batch)
        return [self._make_spans(*each) for each in zip(batch, tags, makers, strict=True)]

    def explain(self, tokens: Tokens) -> Explanation:
        """Return which rules changed which tokens of a text, in order."""
        tagging = self.apply([tokens])
        starts, ends = tokens.starts.tolist(), tokens.ends.tolist()
        tags = tagging.initial.tolist()
        begun = tuple(
            (starts[token], ends[token], self.tag_names[tag])
            for token, tag in enumerate(tags)
            if tag
        )
        firings = []
        for rule, token in zip(
            tagging.firings.rules.tolist(), tagging.firings.tokens.tolist(), strict=True
        ):
            after = int(self._table.rules[rule, 1])
            before, tags[token] = tags[token], after
            names = self.tag_names[before], self.tag_names[after]
            firings.append(Firing(rule + 1, starts[token], ends[token], *names))
        spans = self._make_spans(tokens, tagging.tags, tagging.makers)
        return Explanation(begun, tuple(firings), spans)

    def apply(self, batch: Sequence[Tokens]) -> Tagging:
        """Return the tags of a batch and what every rule did to them."""
        empty = np.zeros(0, dtype=np.int16)
        initial = np.concatenate([empty, *self._initial.tag(batch)])
        tags = initial.copy()
        with self.encoder.lock:
            encoded = self.encoder.encode(batch)
            index = TokenIndex(self.encoder, encoded, self._table.attributes)
        firings = apply_rules(index, self._table, tags)
        makers = np.zeros(len(tags), dtype=np.int64)
        makers[firings.tokens] = firings.rules + 1  # the last of equal tokens stays
        return Tagging(initial, tags, firings, makers)

    def _make_spans(self, tokens: Tokens, tags: TagArray, makers: Any) -> tuple[Span, ...]:
        spans = []
        for first, last, label in decode_tags(tags, scheme=self.scheme, labels=self.labels):
            numbers = sorted(set(makers[first:last].tolist()))
            names = ",".join(str(number) if number else INITIAL for number in numbers)
            start, end = int(tokens.starts[first]), int(tokens.ends[last - 1])
            spans.append(Span(start, end, label, source=f"{KIND}:{names}"))
        return tuple(spans)


class _AllOutside:
    """Tags every token `O`."""

    def tag(self, batch: Sequence[Tokens]) -> list[TagArray]:
        return [np.zeros(len(tokens), dtype=np.int16) for tokens in batch]


def make_annotator(model: TbedModel) -> Annotator:
    """Return the initial annotator of a model."""
    if model.initial is None:
        return _AllOutside()
    return RegexTagger(model.initial, scheme=find_scheme(model.scheme), labels=model.labels)


def make_encoder(
    rules: Sequence[Rule], *, scope: str, dictionaries: Mapping[str, frozenset[str]]
) -> Encoder:
    """Return an encoder that knows the attributes and values of rules, and no other."""
    alphabets: dict[str, dict[str, int]] = {}
    for rule in rules:
        for condition in rule.conditions:
            if condition.part.attribute != TAG:
                alphabet = alphabets.setdefault(condition.part.attribute, {})
                alphabet.setdefault(condition.value, len(alphabet) + 1)
    templates = [Template(((name, 0),)) for name in alphabets]
    return Encoder(templates, alphabets, scope=scope, dictionaries=dictionaries)


class TbedDetector:
    """Finds PHI in documents with one tokenizer and one rule tagger.

    `curve` is the learning curve of its training (see `learning/tbed.py`), {} without one.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        tagger: TbedTagger,
        *,
        manifest: Manifest,
        curve: Mapping[str, Any] | None = None,
    ) -> None:
        self.tokenizer = tokenizer
        self.tagger = tagger
        self.manifest = manifest
        self.curve = dict(curve or {})
        self.labels = tagger.labels

    @reading_entities
    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Return the spans of each document, sorted and disjoint; they have no score."""
        return self.detect_tokens([self.tokenizer.tokenize(d.text) for d in documents])

    def detect_tokens(self, batch: Sequence[Tokens]) -> list[tuple[Span, ...]]:
        """Return what `detect` does, of texts that its tokenizer has cut already."""
        return self.tagger.tag_spans(batch)

    def explain(self, text: str) -> Explanation:
        """Return which rules changed which tokens of a text, in order."""
        return self.tagger.explain(self.tokenizer.tokenize(text))

    def with_rules(self, rules: Sequence[Rule]) -> TbedDetector:
        """Return the detector with other rules; the figures of the old ones go."""
        tagger = TbedTagger(replace(self.tagger.model, rules=tuple(rules)))
        manifest = replace(self.manifest, metrics={}, notes="Rules changed after training.")
        return TbedDetector(self.tokenizer, tagger, manifest=manifest)

    def files(self) -> dict[str, bytes]:
        """Return the files of an artifact: rules as JSON lines, everything else as JSON."""
        model = self.tagger.model
        patterns = None
        if model.initial is not None:
            used = model.initial.only(model.labels)
            records = [pattern.record() for pattern in used.patterns]
            patterns = {"labels": used.table, "patterns": records}
        settings = {
            "scope": model.scope,
            "dictionaries": {name: sorted(words) for name, words in model.dictionaries.items()},
            "initial": patterns,
            "resources": resource_fingerprints(self.tagger.encoder.alphabets),
        }
        return {
            RULES_FILE: write_rules(model.rules).encode("utf-8"),
            _SETTINGS_FILE: encode_json(settings),
            CURVE_FILE: encode_json(self.curve),
        }


def load_tbed(artifact: Artifact) -> TbedDetector:
    """Return the detector of an artifact of the kind "tbed".

    Raises `ArtifactError` where its parts do not fit together, naming file and line for a rule.
    """
    tokenizer, _ = read_tokenizer_and_dial(artifact)
    try:
        tagger = TbedTagger(_read_model(artifact))
        curve = artifact.read_json(CURVE_FILE)
    except (ConfigError, FormatError) as error:
        raise ArtifactError(f"{artifact.folder}: {error}. Train the model again") from error
    except MISFITS as error:
        raise misfit(artifact, error) from error
    return TbedDetector(tokenizer, tagger, manifest=artifact.manifest, curve=curve)


def _read_model(artifact: Artifact) -> TbedModel:
    manifest = artifact.manifest
    names = find_scheme(manifest.scheme).tag_names(manifest.labels)
    text = artifact.read(RULES_FILE).decode("utf-8")
    rules = read_rules(text, origin=RULES_FILE, tags=names)
    settings = artifact.read_json(_SETTINGS_FILE)
    attributes = {c.part.attribute for rule in rules for c in rule.conditions}
    warn_of_changed_resources(manifest.name, settings["resources"], attributes)
    if settings["scope"] not in ("document", "sentence"):
        raise ValueError("an unknown scope")
    return TbedModel(
        rules=rules,
        scheme=manifest.scheme,
        labels=tuple(manifest.labels),
        scope=settings["scope"],
        dictionaries={
            str(name): frozenset(word.lower() for word in words)
            for name, words in settings["dictionaries"].items()
        },
        initial=_read_initial(settings["initial"], manifest.labels),
    )


def _read_initial(record: Mapping[str, Any] | None, labels: Sequence[str]) -> RegexDetector | None:
    if record is None:
        return None
    table = {str(kind): str(label) for kind, label in record["labels"].items()}
    if not set(table.values()) <= set(labels):
        raise ValueError("patterns of a label that the model does not have")
    return RegexDetector(read_records(record["patterns"], origin=_SETTINGS_FILE), table)


def stored_words(artifact: Artifact) -> Iterator[str]:
    """Yield every value of a condition and every dictionary word that the artifact stores, sorted.

    The merges of a byte pair encoding are pieces of training words, too.
    """
    rules = read_rules(artifact.read(RULES_FILE).decode("utf-8"), origin=RULES_FILE)
    found = {
        condition.value
        for rule in rules
        for condition in rule.conditions
        if condition.part.attribute != TAG
    }
    for words in artifact.read_json(_SETTINGS_FILE)["dictionaries"].values():
        found.update(words)
    found.update(merge_words(artifact))
    yield from sorted(found)
