"""Speed and memory of the rule learner and the rule tagger.

    python benchmarks/tbed_speed.py nltk [--tokens 160000] [--rules 50]
    python benchmarks/tbed_speed.py tokens|templates|memory|tagging

`nltk` learns rules on the same tokens and templates with NLTK's
`BrillTaggerTrainer(deterministic=True)` and here, one after the other in one process, and checks
that the rule lists are identical. `tokens` and `templates` plot the cost of training over both.
`memory` is the peak of a whole training of `zhao2020-tbed` on a million tokens. `tagging` applies
learned rules to dev texts, from tokens to tags. Tokens are those of MEDDOCAN's training split, and
beyond it of copies with other PHI.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import numpy as np
from harness import CONSOLE, RESULTS, Results, read_split, write_table
from svg import write_plot

from scrubjay.corpora.augmentation import augment, kinds_of, make_swap_lists
from scrubjay.document import Document
from scrubjay.features.encoder import fit_encoder
from scrubjay.features.templates import FeatureConfig, Template
from scrubjay.labels import find_label_set
from scrubjay.learning._tbed_index import Values, build_index
from scrubjay.learning._tbed_loop import learn_rules
from scrubjay.learning.configs import find_config
from scrubjay.learning.tbed import TbedLearner
from scrubjay.learning.tbed_config import TbedConfig
from scrubjay.taggers.rules import (
    TAG,
    Condition,
    Part,
    Rule,
    RuleTemplate,
    parse_rule_template,
)
from scrubjay.taggers.tbed import TbedTagger
from scrubjay.tags import encode_tags, find_scheme
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens, align_spans

#: Templates over words and tags that both can have: Brill (1995) and those of fnTBL.
SHARED = (
    *("word", "word@-1", "word@1", "word@-2", "word@2", "word@-2..-1", "word@1..2"),
    *("word@-3..-1", "word@1..3", "tag@-1", "tag@1", "tag@-2", "tag@2", "tag@-2..-1", "tag@1..2"),
    *("tag@-1 tag@1", "tag@-2 tag@-1", "tag@1 tag@2", "word@-1 word", "word word@1"),
    *("word@-1 word@1", "word tag@-1", "word tag@1", "word tag@2", "word tag@-2", "word@-1 tag@-1"),
    *("word@1 tag@1", "word@-1 word tag@-1", "word word@1 tag@1", "word@-1 word word@1"),
    "word word@1 word@2",
)
TEMPLATES = tuple(map(parse_rule_template, SHARED))


class Sample:
    """So many tokens of documents, with gold tags; sentences are lines."""

    def __init__(self, documents: Iterable[Document], tokens: int) -> None:
        tokenizer = make_tokenizer("subword", uppercase="camel", sentences="line")
        self.batch: list[Tokens] = []
        self.documents: list[Document] = []
        self.size = 0
        for document in documents:
            found = tokenizer.tokenize(document.text)
            if self.batch and self.size + len(found) > tokens:
                break
            self.batch.append(found)
            self.documents.append(document)
            self.size += len(found)
        self.labels = tuple(sorted({s.label for d in self.documents for s in d.spans}))
        scheme = find_scheme("BIO")
        self.names = scheme.tag_names(self.labels)
        ranges = (
            align_spans(t, d.spans).ranges for t, d in zip(self.batch, self.documents, strict=True)
        )
        self.gold = np.concatenate(
            [
                encode_tags(found, len(tokens), scheme=scheme, labels=self.labels)
                for found, tokens in zip(ranges, self.batch, strict=True)
            ]
        )


def stream_documents(tokens: int) -> list[Document]:
    """Return documents of about so many tokens: MEDDOCAN, then copies with other PHI."""
    documents = read_split("meddocan", "train")
    copies = max(0, -(-tokens // 250_000) - 1)
    if not copies:
        return documents
    lists = make_swap_lists("es", documents)
    kinds = kinds_of(find_label_set("meddocan"))
    found = list(augment(documents, lists=lists, seed=0, copies=copies, labels=kinds))
    originals = {document.id for document in documents}
    return [*documents, *(document for document in found if document.id not in originals)]


def learn(
    sample: Sample, templates: Sequence[RuleTemplate], rules: int, *, scope: str = "sentence"
) -> tuple[list[str], dict[str, float]]:
    """Learn rules from tokens; return them and the seconds of each step."""
    began = time.perf_counter()
    names = dict.fromkeys(p.attribute for t in templates for p in t.parts if p.attribute != TAG)
    features = FeatureConfig({"all": tuple(Template(((name, 0),)) for name in names)}, scope)
    encoder, encoded = fit_encoder(features, sample.batch)
    read = time.perf_counter()
    index = build_index(
        templates, Values(encoder, encoded), gold=sample.gold, tag_names=sample.names, least=2
    )
    indexed = time.perf_counter()
    start = np.zeros(sample.size, dtype=np.int16)
    found = [str(r.rule) for r in islice(learn_rules(index, start, min_score=2), rules)]
    ended = time.perf_counter()
    return found, {
        "features": read - began,
        "index": indexed - read,
        "rules": ended - indexed,
        "seconds": ended - began,
    }


def learn_with_nltk(sample: Sample, rules: int) -> tuple[list[str], float]:
    """Learn rules with NLTK; return them as ours are written, and the seconds."""
    from nltk.tag import BrillTaggerTrainer, DefaultTagger
    from nltk.tag.brill import Pos, Word
    from nltk.tbl.template import Template as NltkTemplate

    kinds = {"word": Word, TAG: Pos}
    NltkTemplate._cleartemplates()
    made = [
        NltkTemplate(*(kinds[part.attribute](list(part.offsets)) for part in template.parts))
        for template in TEMPLATES
    ]
    sentences, offset = [], 0
    for tokens in sample.batch:
        words = tokens.words()
        for begin, end in pairwise(tokens.sentence_bounds().tolist()):
            tags = sample.gold[offset + begin : offset + end].tolist()
            sentences.append(
                [
                    (word, sample.names[tag])
                    for word, tag in zip(words[begin:end], tags, strict=True)
                ]
            )
        offset += len(tokens)
    trainer = BrillTaggerTrainer(DefaultTagger("O"), made, deterministic=True)
    began = time.perf_counter()
    learned = trainer.train(sentences, max_rules=rules, min_score=2).rules()
    seconds = time.perf_counter() - began
    return [_as_ours(rule, {Word: "word", Pos: TAG}) for rule in learned], seconds


def _as_ours(rule: Any, names: dict[type, str]) -> str:
    conditions = (
        Condition(Part(names[type(f)], f.positions[0], f.positions[-1]), value)
        for f, value in rule._conditions
    )
    return str(Rule(rule.original_tag, rule.replacement_tag, tuple(conditions)))


def run_nltk(tokens: int, rules: int, results: Results) -> None:
    """Compare with NLTK in one run."""
    sample = Sample(stream_documents(tokens), tokens)
    learn(sample, TEMPLATES, 2)  # the compiled loops are loaded once
    ours, steps = min((learn(sample, TEMPLATES, rules) for _ in range(3)), key=_seconds)
    CONSOLE.print(f"here {steps['seconds']:.2f} s", highlight=False)
    theirs, seconds = learn_with_nltk(sample, rules)
    row = {
        "tokens": sample.size,
        "templates": len(SHARED),
        "rules": len(ours),
        "identical": ours == theirs,
        "seconds": round(steps["seconds"], 3),
        "nltk-seconds": round(seconds, 2),
        "times-faster": round(seconds / steps["seconds"], 1),
    }
    results.save(f"nltk {tokens} tokens {rules} rules", row)
    CONSOLE.print(row)


def _seconds(found: tuple[list[str], dict[str, float]]) -> float:
    return found[1]["seconds"]


def run_tokens(results: Results) -> None:
    """Plot the cost of training over tokens."""
    documents = stream_documents(1_000_000)
    shipped = expanded("es", ("FECHAS",))
    lines: dict[str, list[tuple[float, float]]] = {}
    for name, templates, scope in (
        (f"{len(SHARED)} templates", TEMPLATES, "sentence"),
        (f"zhao2020-tbed ({len(shipped)})", shipped, "document"),
    ):
        learn(
            Sample(documents, 30_000), templates, 2, scope=scope
        )  # compiled loops are loaded once
        for tokens in (50_000, 100_000, 200_000, 400_000, 1_000_000):
            sample = Sample(documents, tokens)
            _, steps = learn(sample, templates, 50, scope=scope)
            results.save(f"tokens {tokens} {name}", {"tokens": sample.size, **_rounded(steps)})
            lines.setdefault(name, []).append((sample.size, steps["seconds"]))
            CONSOLE.print(name, sample.size, _rounded(steps), highlight=False)
    write_plot(
        RESULTS / "tbed-tokens.svg",
        "Training 50 rules",
        lines,
        x="tokens",
        y="seconds",
        logarithmic=True,
    )


def run_templates(results: Results) -> None:
    """Plot the cost of training over templates."""
    sample = Sample(stream_documents(160_000), 160_000)
    templates = expanded("es", sample.labels)
    line: list[tuple[float, float]] = []
    learn(sample, templates, 2)  # compiled loops are loaded once
    order = np.random.default_rng(0).permutation(len(templates))
    for count in (10, 20, 40, 80, len(templates)):
        chosen = [templates[number] for number in sorted(order[:count].tolist())]
        _, steps = learn(sample, chosen, 50, scope="document")
        results.save(f"templates {count}", {"templates": count, **_rounded(steps)})
        line.append((count, steps["seconds"]))
        CONSOLE.print(count, _rounded(steps), highlight=False)
    write_plot(
        RESULTS / "tbed-templates.svg",
        "Training 50 rules on 160,000 tokens",
        {"zhao2020-tbed": line},
        x="templates",
        y="seconds",
        logarithmic=True,
    )


def expanded(language: str, labels: Sequence[str]) -> tuple[RuleTemplate, ...]:
    """Return the templates of the shipped configuration."""
    return shipped_config().templates.expand(language=language, labels=labels)


def shipped_config() -> TbedConfig:
    """Return the configuration `zhao2020-tbed`."""
    config = find_config("zhao2020-tbed")
    assert isinstance(config, TbedConfig)
    return config


def run_memory(results: Results) -> None:
    """Train on a million tokens and note the peak memory of this process."""
    sample = Sample(stream_documents(1_000_000), 1_000_000)
    documents, size = sample.documents, sample.size
    del sample
    before = _peak()
    config = shipped_config()
    config = replace(config, training=replace(config.training, max_rules=200))
    began = time.perf_counter()
    TbedLearner(config, language="es", label_set="meddocan").fit(documents)
    row = {
        "tokens": size,
        "rules": 200,
        "seconds": round(time.perf_counter() - began, 1),
        "peak-mb": round(_peak()),
        "peak-mb-before": round(before),
    }
    results.save("memory", row)
    CONSOLE.print(row)


def _peak() -> float:
    scale = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale


def run_tagging(results: Results) -> None:
    """Apply rules to dev texts, from tokens to tags: encoder and initial annotator included."""
    for initial in ("none", "regex"):
        config = replace(shipped_config(), initial=initial)
        learner = TbedLearner(config, language="es", label_set="meddocan")
        detector = learner.fit(read_split("meddocan", "train"))
        documents = read_split("meddocan", "dev")
        batch = [detector.tokenizer.tokenize(document.text) for document in documents]
        size = sum(map(len, batch))
        row = {"rules": len(detector.tagger.model.rules), "tokens": size}
        for documents_at_once in (len(batch), 16):
            parts = [
                batch[first : first + documents_at_once]
                for first in range(0, len(batch), documents_at_once)
            ]
            seconds = min(_time_tagging(detector.tagger, parts) for _ in range(6))
            row[f"tokens-per-second-by-{documents_at_once}-documents"] = round(size / seconds)
        results.save(f"tagging initial {initial}", row)
        CONSOLE.print(row)


def _time_tagging(tagger: TbedTagger, parts: Sequence[Sequence[Tokens]]) -> float:
    began = time.perf_counter()
    for part in parts:
        tagger.tag(part)
    return time.perf_counter() - began


def _rounded(steps: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in steps.items()}


def main() -> None:
    """Run one measurement and save its rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("nltk", "tokens", "templates", "memory", "tagging"))
    parser.add_argument("--tokens", type=int, default=160_000)
    parser.add_argument("--rules", type=int, default=50)
    options = parser.parse_args()
    results = Results("tbed-speed")
    RESULTS.mkdir(exist_ok=True)
    if options.what == "nltk":
        run_nltk(options.tokens, options.rules, results)
    else:
        {
            "tokens": run_tokens,
            "templates": run_templates,
            "memory": run_memory,
            "tagging": run_tagging,
        }[options.what](results)
    rows = [(key, _facts(row)) for key, row in results.rows.items()]
    title = "The rule learner: speed and memory (`python benchmarks/tbed_speed.py ...`)"
    write_table("tbed-speed", title, ("measurement", "figures"), rows)


def _facts(row: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in row.items() if name != "run")


if __name__ == "__main__":
    main()
