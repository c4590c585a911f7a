"""Brill's loop on integers against the loop on strings, and against NLTK's trainer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.errors import ConfigError
from scrubjay.learning import _tbed_groups, _tbed_loop
from scrubjay.learning._tbed_compiled import CompiledScores
from scrubjay.learning._tbed_index import RuleIndex
from scrubjay.learning._tbed_scores import PlainScores
from scrubjay.taggers.rules import TAG
from scrubjay.tags import encode_tags, find_scheme
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import align_spans
from tests.corpus_samples import make_notes
from tests.oracles import tbed as oracle
from tests.rule_samples import (
    BRILL,
    NAMES,
    WORDS,
    index_rules,
    learn,
    make_tokens,
    read,
    rule_templates,
)

MIXED = (
    "word|lower@-1|all-upper|tag@-1|tag@1|tag@-2..-1|lower tag@1|tag@-1 word@1 tag@2|"
    "lower@-1..1|lower@-1..0 all-upper@0..1|tag@1..2 lower@-2..-1|tag@-1 tag@1 tag@-2 word|word"
)

Corpus = list[list[tuple[str, str, str]]]


@pytest.fixture(params=["plain", "compiled"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Force one kind of kernel."""
    use_kernel(request.param, monkeypatch)
    return str(request.param)


def use_kernel(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every batch run on numpy or on compiled loops."""
    if name == "compiled":
        pytest.importorskip("numba", reason="the compiled kernels need the extra `fast`")
    for module in (_tbed_loop, _tbed_groups):
        monkeypatch.setattr(module, "use_compiled", lambda size: name == "compiled")


def corpora() -> st.SearchStrategy[Corpus]:
    """Sentences of (word, first tag, right tag)."""
    token = st.tuples(st.sampled_from(WORDS), st.sampled_from(NAMES), st.sampled_from(NAMES))
    return st.lists(st.lists(token, min_size=1, max_size=8), min_size=1, max_size=6)


def tag_array(names: list[str], order: tuple[str, ...] = NAMES) -> Any:
    """Return tags as numbers."""
    return np.array([order.index(name) for name in names], dtype=np.int16)


@settings(max_examples=60)
@given(corpus=corpora(), scope=st.sampled_from(["sentence", "document"]), data=st.data())
def test_the_rules_are_those_of_the_plain_loop(corpus: Corpus, scope: str, data: Any) -> None:
    least = data.draw(st.integers(1, 3))
    accuracy = data.draw(st.sampled_from([0.0, 0.6, 1.0]))
    words, initial, gold = (
        [[token[part] for token in sentence] for sentence in corpus] for part in range(3)
    )
    batch = [make_tokens(words)]
    flat = [list(chain.from_iterable(rows)) for rows in (initial, gold)]
    if scope == "document":
        words, initial, gold = [list(chain.from_iterable(words))], [flat[0]], [flat[1]]
    templates = rule_templates(MIXED)
    expected = oracle.learn(
        words, initial, gold, templates, read, min_score=least, min_accuracy=accuracy
    )
    for name in ("plain", "compiled"):
        with pytest.MonkeyPatch.context() as monkeypatch:
            use_kernel(name, monkeypatch)
            index = index_rules(
                batch, tag_array(flat[1]), NAMES, templates=templates, scope=scope, least=least
            )
            rules = learn(index, tag_array(flat[0]), min_score=least, min_accuracy=accuracy)
        found = [(str(r.rule), r.rule.score, r.rule.fixed, r.rule.broken) for r in rules]
        assert found == expected, name


@settings(max_examples=40)
@given(corpus=corpora(), moves=st.lists(st.tuples(st.sets(st.integers(0, 47)), st.integers(0, 3))))
def test_scores_after_changes_are_those_of_a_new_count(corpus: Corpus, moves: Any) -> None:
    words = [[word for word, _, _ in sentence] for sentence in corpus]
    first = tag_array([tag for sentence in corpus for _, tag, _ in sentence])
    gold = tag_array([tag for sentence in corpus for _, _, tag in sentence])
    templates = rule_templates(MIXED)
    kept = [name for name in ("plain", "compiled") if name == "plain" or _has_numba()]
    for name in kept:
        make: Callable[[RuleIndex, Any], Any] = {
            "plain": PlainScores,
            "compiled": CompiledScores,
        }[name]
        index = index_rules(
            [make_tokens(words)], gold, NAMES, templates=templates, scope="document"
        )
        scores = make(index, first)
        for places, tag in moves:
            chosen = np.array(sorted(p for p in places if p < len(gold)), dtype=np.int64)
            if len(chosen):
                scores.change(chosen, tag)
            again = make(index, scores.tags)
            for accuracy in (0.0, 0.7):
                assert _ties(scores, accuracy) == _ties(again, accuracy)


def _has_numba() -> bool:
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def _ties(scores: Any, accuracy: float) -> Any:
    found = scores.best(min_score=1, min_accuracy=accuracy)
    if found is None:
        return None
    columns = (found.groups, found.sources, found.targets, found.fixed)
    return found.score, sorted(zip(*(column.tolist() for column in columns), strict=True))


def _note_corpus(seed: int, count: int, lower: bool) -> tuple[Any, Any, Any]:
    """Return tokens, gold tags and tag names of invented notes."""
    notes = make_notes(count, seed=seed)
    tokenizer = make_tokenizer("subword", sentences="line")
    labels = tuple(sorted({span.label for note in notes for span in note.spans}))
    scheme = find_scheme("BIO")
    batch = [tokenizer.tokenize(note.text.lower() if lower else note.text) for note in notes]
    gold = [
        encode_tags(align_spans(t, n.spans).ranges, len(t), scheme=scheme, labels=labels)
        for t, n in zip(batch, notes, strict=True)
    ]
    return batch, np.concatenate(gold), scheme.tag_names(labels)


def _nltk_rules(
    sentences: list[list[tuple[str, str]]],
    first: dict[str, str],
    templates: str,
    **settings: Any,
) -> list[str]:
    """Return what NLTK learns, as the text of our rules; `first` are the words' first tags."""
    pytest.importorskip("nltk", reason="the reference implementation is not installed")
    from nltk.tag import BrillTaggerTrainer, DefaultTagger, UnigramTagger
    from nltk.tag.brill import Pos, Word
    from nltk.tbl.template import Template

    from scrubjay.taggers.rules import Condition, Part, Rule

    kinds = {"word": Word, "tag": Pos}
    Template._cleartemplates()
    made = [
        Template(*(kinds[part.attribute](list(part.offsets)) for part in template.parts))
        for template in rule_templates(templates)
    ]
    tagger = UnigramTagger(model=first, backoff=DefaultTagger("O")) if first else DefaultTagger("O")
    trainer = BrillTaggerTrainer(tagger, made, deterministic=True)
    names = {Word: "word", Pos: TAG}
    return [
        str(
            Rule(
                rule.original_tag,
                rule.replacement_tag,
                tuple(
                    Condition(Part(names[type(f)], f.positions[0], f.positions[-1]), value)
                    for f, value in rule._conditions
                ),
            )
        )
        for rule in trainer.train(sentences, **settings).rules()
    ]


@pytest.mark.parametrize(
    ("seed", "lower", "templates", "settings"),
    [
        (1, False, BRILL, {"min_score": 1}),
        (2, True, BRILL, {"min_score": 2}),
        (3, False, "word|tag@-1|tag@1|word tag@-1|word@-1 word@1", {"min_score": 1}),
        (4, False, BRILL, {"min_score": 2, "min_acc": 0.9}),
        (5, True, "word@-3..-1|word@1..3|tag@-3..-1 word|word", {"min_score": 3}),
    ],
)
def test_the_rule_list_is_that_of_nltk(
    seed: int, lower: bool, templates: str, settings: dict[str, Any], kernel: str
) -> None:
    batch, gold, names = _note_corpus(seed, 15, lower)
    words = [word for tokens in batch for word in tokens.words()]
    # Some words begin with a wrong tag, as an initial-state annotator would give them.
    first = {word: names[1 + len(word) % (len(names) - 1)] for word in set(words[::17])}
    tags = tag_array([first.get(word, "O") for word in words], names)
    sentences, offset = [], 0
    for tokens in batch:
        bounds = (tokens.sentence_bounds() + offset).tolist()
        for begin, end in pairwise(bounds):
            right = [names[tag] for tag in gold[begin:end].tolist()]
            sentences.append(list(zip(words[begin:end], right, strict=True)))
        offset = bounds[-1]
    expected = _nltk_rules(sentences, first, templates, max_rules=40, **settings)
    least = settings["min_score"]
    index = index_rules(
        batch,
        gold,
        names,
        templates=rule_templates(templates),
        scope="sentence",
        least=least,
    )
    rules = learn(
        index, tags, min_score=least, min_accuracy=settings.get("min_acc", 0.0), max_rules=40
    )
    assert [str(rule.rule) for rule in rules] == expected
    assert len(rules) > 10


def test_nothing_is_learned_where_all_is_right(kernel: str) -> None:
    gold = tag_array(["O", "B-X", "O"])
    index = index_rules(
        [make_tokens([["a", "b", "a"]])],
        gold,
        NAMES,
        templates=rule_templates("word"),
        scope="document",
    )
    assert learn(index, gold) == []


def test_positions_are_those_that_the_rule_changed(kernel: str) -> None:
    gold = tag_array(["O", "B-X", "O", "B-X", "O"])
    index = index_rules(
        [make_tokens([["a", "b", "a", "b", "b"]])],
        gold,
        NAMES,
        templates=rule_templates("word@-1..1|word"),
        scope="document",
    )
    (rule, *_) = learn(index, np.zeros(5, dtype=np.int16))
    assert str(rule.rule) == "O -> B-X if word=b"
    assert rule.positions.tolist() == [1, 3, 4]
    assert rule.target == 1


def test_too_many_values_for_one_integer_are_refused() -> None:
    names = tuple(f"T{number}" for number in range(20_000))
    gold = np.zeros(3, dtype=np.int16)
    with pytest.raises(ConfigError, match="too many templates, tags and values"):
        index_rules(
            [make_tokens([["a", "b", "c"]])],
            gold,
            names,
            templates=rule_templates("tag@-1 tag@1 tag@2"),
            scope="document",
        )
