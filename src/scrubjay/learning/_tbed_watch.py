"""What is watched while rules are learned: strict F1 on train and dev after each rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from scrubjay.document import Document
from scrubjay.features.encoder import Encoder
from scrubjay.learning._tbed_curve import SpanCounter
from scrubjay.learning.preparation import Prepared, fingerprint
from scrubjay.taggers._matching import LongArray, TokenIndex, apply_rules, number_rules
from scrubjay.taggers.rules import Rule
from scrubjay.taggers.tbed import TbedModel, make_annotator, make_encoder
from scrubjay.tags import TagArray, find_scheme
from scrubjay.text.tokens import align_spans


class Watch:
    """The learning curve as it grows.

    `curve` holds lists with one entry before the first rule and one after each: strict F1 on
    `train`, on `dev` where there is any, and the wrong tags of the training data (`errors`). A
    gold span that no tokens fit counts as missed.
    """

    def __init__(
        self,
        data: Prepared,
        dev: Sequence[Document],
        *,
        start: TbedModel,
        encoder: Encoder,
        tags: TagArray,
    ) -> None:
        self._scheme, self._labels = find_scheme(start.scheme), start.labels
        self._tag_names = self._scheme.tag_names(start.labels)
        self._gold = data.gold_tags(self._scheme)
        self._encoder = encoder
        self._train = SpanCounter(
            data.batch,
            data.aligned,
            tags,
            scheme=self._scheme,
            labels=self._labels,
            gold_spans=sum(len(document.spans) for document in data.documents),
        )
        self.dev_fingerprint = fingerprint(dev) if dev else ""
        self._dev: SpanCounter | None = None
        if dev:
            batch = [data.tokenizer.tokenize(document.text) for document in dev]
            self._dev_index = TokenIndex(encoder, encoder.encode(batch), tuple(encoder.alphabets))
            self._dev = SpanCounter(
                batch,
                [align_spans(t, d.spans) for t, d in zip(batch, dev, strict=True)],
                np.concatenate(make_annotator(start).tag(batch)),
                scheme=self._scheme,
                labels=self._labels,
                gold_spans=sum(len(document.spans) for document in dev),
            )
        self.curve: dict[str, Any] = {"train": [], "errors": []}
        if self._dev:
            self.curve["dev"] = []
        self._note()

    def apply(self, rule: Rule, positions: LongArray) -> None:
        """Note a rule that changed the training tokens at `positions`."""
        target = self._tag_names.index(rule.target)
        if len(positions):
            self._train.change(positions, target)
        if self._dev:
            table = number_rules([rule], self._encoder.alphabets, self._tag_names)
            found = self._dev_index.matching(table, 0, self._dev.tags)
            if len(found):
                self._dev.change(found, target)
        self._note()

    @property
    def rounds(self) -> int:
        """The number of rules so far."""
        return len(self.curve["train"]) - 1

    def share(self) -> float:
        """Return the share of the first wrong tags that rules have corrected so far."""
        errors: list[int] = self.curve["errors"]
        return 1.0 - errors[-1] / max(1, errors[0])

    def best_round(self) -> int:
        """Return the number of rules after which F1 on dev was highest, the fewest of equals."""
        dev = self.curve.get("dev", [0.0])
        return int(np.argmax(dev))

    def is_over(self, patience: int) -> bool:
        """Tell whether F1 on dev has not risen for `patience` rules; never without dev data."""
        if not patience or not self._dev:
            return False
        return self.rounds - self.best_round() >= patience

    def _note(self) -> None:
        self.curve["train"].append(round(self._train.f1(), 6))
        self.curve["errors"].append(int(np.count_nonzero(self._train.tags != self._gold)))
        if self._dev:
            self.curve["dev"].append(round(self._dev.f1(), 6))


def replay_rules(
    rules: Sequence[Rule], data: Prepared, *, start: TbedModel, encoder: Encoder, tags: TagArray
) -> Iterator[tuple[Rule, LongArray]]:
    """Apply rules that were learned before, changing `tags`; yield the tokens that each changed."""
    small = make_encoder(rules, scope=start.scope, dictionaries=encoder.dictionaries)
    index = TokenIndex(small, small.encode(data.batch), tuple(small.alphabets))
    names = find_scheme(start.scheme).tag_names(start.labels)
    fired = apply_rules(index, number_rules(rules, small.alphabets, names), tags)
    bounds = np.searchsorted(fired.rules, np.arange(len(rules) + 1)).tolist()
    for number, rule in enumerate(rules):
        yield rule, fired.tokens[bounds[number] : bounds[number + 1]]
