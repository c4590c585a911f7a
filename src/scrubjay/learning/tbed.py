"""Transformation-based error-driven learning of tagging rules (Brill 1995; Zhao 2020, TBED).

From the tags of an initial-state annotator, the rule that corrects the most is learned, applied
to the training data, and the next one is learned from what is left. `_tbed_index.py` numbers what
rules can look at, `_tbed_scores.py` keeps the scores of all candidates, `_tbed_loop.py` is the
greedy loop.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from scrubjay.artifacts import Manifest, encode_json
from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.features.encoder import Encoder, fit_encoder
from scrubjay.features.resources import resource_fingerprints
from scrubjay.features.templates import FeatureConfig, Template
from scrubjay.learning._tbed_checkpoint import Checkpoint
from scrubjay.learning._tbed_index import RuleIndex, Values, build_index
from scrubjay.learning._tbed_loop import learn_rules
from scrubjay.learning._tbed_watch import Watch, replay_rules
from scrubjay.learning.label_sets import tell_unknown
from scrubjay.learning.preparation import (
    Prepared,
    Progress,
    make_manifest,
    prepare,
    silent,
    training_dictionaries,
)
from scrubjay.learning.tbed_config import TbedConfig
from scrubjay.taggers.regex import RegexDetector, make_regex_detector
from scrubjay.taggers.rules import TAG, Rule, RuleTemplate
from scrubjay.taggers.tbed import TbedDetector, TbedModel, TbedTagger, make_annotator
from scrubjay.tags import TagArray, find_scheme


@dataclass(frozen=True, slots=True)
class TbedLearner:
    """Frozen configuration that fits a rule detector.

    `language` chooses patterns, lexicons and clusters, `label_set` (a name or a TOML file) the
    labels of the patterns. Learning has no randomness: the seed is recorded and nothing else. With
    a `checkpoint` each rule is written there as soon as it is learned, and a later fit goes on
    from it.
    """

    config: TbedConfig
    language: str
    label_set: str = ""
    name: str = ""
    checkpoint: Path | None = None

    def fit(
        self,
        documents: Sequence[Document],
        *,
        dev: Sequence[Document] = (),
        seed: int = 0,
        progress: Progress = silent,
    ) -> TbedDetector:
        """Return a detector trained on documents with gold spans.

        F1 on `dev` becomes part of the learning curve, and stops the learning where the
        configuration has a `patience`; nothing is learned from it. Raises `InputError` for a
        corpus without documents or without PHI on any token, `ConfigError` for templates that
        the language has nothing for, and for a checkpoint of another training.
        """
        config = self.config
        progress("tokenize", 0.0)
        data = prepare(documents, config.tokenizer, align=config.training.align)
        start = TbedModel(
            rules=(),
            scheme=config.scheme,
            labels=data.labels,
            scope=config.templates.scope,
            initial=self._initial([*documents, *dev]),
        )
        progress("features", 0.0)
        encoder, index, tags = self._index(data, start)
        watch = Watch(data, dev, start=start, encoder=encoder, tags=tags)
        identity = self._identity(data, start, encoder, watch) if self.checkpoint else ""
        with Checkpoint(self.checkpoint, identity) as saved:
            known = saved.rules[: config.training.max_rules]
            for rule, positions in replay_rules(
                known, data, start=start, encoder=encoder, tags=tags
            ):
                watch.apply(rule, positions)
            rules = [*known, *self._learn(index, tags, saved, watch, progress)]
        kept = watch.best_round() if config.training.patience and dev else len(rules)
        model = replace(
            start,
            rules=tuple(rules[:kept]),
            dictionaries=_asked_dictionaries(rules[:kept], encoder),
        )
        return TbedDetector(
            data.tokenizer,
            TbedTagger(model),
            manifest=self._manifest(data, seed, kept),
            curve={**watch.curve, "kept": kept},
        )

    def _learn(
        self,
        index: RuleIndex,
        tags: TagArray,
        saved: Checkpoint,
        watch: Watch,
        progress: Progress,
    ) -> Iterator[Rule]:
        """Yield new rules, noting each, until no rule is good enough or it is time to stop."""
        training = self.config.training
        learned = learn_rules(
            index, tags, min_score=training.min_score, min_accuracy=training.min_accuracy
        )
        while watch.rounds < training.max_rules and not watch.is_over(training.patience):
            found = next(learned, None)
            if found is None:
                return
            saved.add(found.rule)
            watch.apply(found.rule, found.positions)
            progress("rules", watch.share())
            yield found.rule

    def _initial(self, documents: Iterable[Document]) -> RegexDetector | None:
        if self.config.initial == "none":
            return None
        if not self.label_set:
            raise ConfigError(
                "the initial annotator 'regex' needs a label set that is known"
                + tell_unknown(documents),
                hint="Correct the labels, give --label-set, or write "
                'initial = "none" in the configuration',
            )
        return make_regex_detector(self.language, self.label_set)

    def _index(self, data: Prepared, start: TbedModel) -> tuple[Encoder, RuleIndex, TagArray]:
        """Return the encoder, the numbered groups of the training tokens, and their first tags."""
        table = self.config.templates
        templates = table.expand(language=self.language, labels=data.labels)
        if not templates:
            raise ConfigError(f"none of the templates exists for language {self.language!r}")
        features = FeatureConfig(
            {"all": _attribute_templates(templates)}, table.scope, table.dictionary_documents
        )
        dictionaries = training_dictionaries(data.batch, data.aligned, features)
        encoder, encoded = fit_encoder(features, data.batch, dictionaries=dictionaries)
        scheme = find_scheme(self.config.scheme)
        index = build_index(
            templates,
            Values(encoder, encoded),
            gold=data.gold_tags(scheme),
            tag_names=scheme.tag_names(data.labels),
            least=self.config.training.min_score,
        )
        return encoder, index, np.concatenate(make_annotator(start).tag(data.batch))

    def _identity(self, data: Prepared, start: TbedModel, encoder: Encoder, watch: Watch) -> str:
        """Return a sha256 of everything that decides which rules are learned, and when to stop."""
        patterns = start.initial.patterns if start.initial else ()
        facts = [
            self.config.table(),
            self.language,
            data.facts(),
            watch.dev_fingerprint,
            [pattern.record() for pattern in patterns],
            start.initial.table if start.initial else {},
            resource_fingerprints(encoder.alphabets),
        ]
        return hashlib.sha256(encode_json(facts)).hexdigest()

    def _manifest(self, data: Prepared, seed: int, rules: int) -> Manifest:
        manifest = make_manifest(self, data, seed=seed)
        return replace(manifest, config={**manifest.config, "rules": rules})


def _attribute_templates(templates: Sequence[RuleTemplate]) -> tuple[Template, ...]:
    """Return a template of one attribute for each that some rule template names."""
    names = (p.attribute for template in templates for p in template.parts if p.attribute != TAG)
    return tuple(Template(((name, 0),)) for name in dict.fromkeys(names))


def _asked_dictionaries(rules: Sequence[Rule], encoder: Encoder) -> dict[str, frozenset[str]]:
    """Return the training dictionaries that some rule looks words up in."""
    asked = {c.part.attribute for rule in rules for c in rule.conditions}
    return {
        label: words
        for label, words in encoder.dictionaries.items()
        if f"dictionary:{label}" in asked
    }
