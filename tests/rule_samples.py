"""What the tests of rules share: tokens out of lists of words, and learning on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np

from scrubjay.features.encoder import fit_encoder
from scrubjay.features.templates import FeatureConfig, Template
from scrubjay.learning._tbed_index import RuleIndex, Values, build_index
from scrubjay.learning._tbed_loop import LearnedRule, learn_rules
from scrubjay.taggers.rules import TAG, RuleTemplate, parse_rule_template
from scrubjay.tags import TagArray
from scrubjay.text.tokens import Tokens
from tests.oracles.features import word_value

NAMES = ("O", "B-X", "I-X", "B-'Y")
"""Tags whose order by representation is not that of their numbers."""

WORDS = ("a", "b", "A", "'", '"', "bA")

#: The templates of Brill (1995) over words and tags, in the order in which NLTK lists them.
BRILL = (
    "tag@-1|tag@1|tag@-2|tag@2|tag@-2..-1|tag@1..2|tag@-3..-1|tag@1..3|tag@-1 tag@1|"
    "tag@-2 tag@-1|tag@1 tag@2|word@-1|word@1|word@-2|word@2|word@-2..-1|word@1..2|word@-1..0|"
    "word@0..1|word@0|word@-1 tag@-1|word@1 tag@1|word@0 word@-1 tag@-1|word@0 word@1 tag@1"
)


def read(name: str, words: list[str], token: int) -> str | None:
    """Return the value of an attribute of a word, for the plain loops of `oracles.tbed`."""
    return word_value(name, words[token])


def rule_templates(text: str) -> tuple[RuleTemplate, ...]:
    """Return templates written with `|` between."""
    return tuple(map(parse_rule_template, text.split("|")))


def make_tokens(sentences: Iterable[Sequence[str]]) -> Tokens:
    """Return the tokens of sentences given as words; the text has a space between words."""
    sentences = [list(sentence) for sentence in sentences if sentence]
    words = [word for sentence in sentences for word in sentence]
    sizes = np.array([len(word) for word in words], dtype=np.int32)
    ends = (np.cumsum(sizes + 1) - 1).astype(np.int32)
    starts = np.cumsum([0, *map(len, sentences)])[:-1] if sentences else []
    return Tokens(" ".join(words), ends - sizes, ends, np.array(starts, dtype=np.int32))


def index_rules(
    batch: Sequence[Tokens],
    gold: TagArray,
    tag_names: Sequence[str],
    *,
    templates: Sequence[RuleTemplate],
    scope: str,
    least: int = 1,
) -> RuleIndex:
    """Return the index of training tokens for templates."""
    names = dict.fromkeys(p.attribute for t in templates for p in t.parts if p.attribute != TAG)
    ones = tuple(Template(((name, 0),)) for name in names) or (Template((("word", 0),)),)
    encoder, encoded = fit_encoder(FeatureConfig({"all": ones}, scope), batch)
    return build_index(
        templates, Values(encoder, encoded), gold=gold, tag_names=tag_names, least=least
    )


def learn(
    index: RuleIndex,
    tags: TagArray,
    *,
    min_score: int = 1,
    min_accuracy: float = 0.0,
    max_rules: int = 50,
) -> list[LearnedRule]:
    """Return the first rules that are learned."""
    found = learn_rules(index, tags, min_score=min_score, min_accuracy=min_accuracy)
    return list(islice(found, max_rules))
