"""What every learner does first: tokens, gold spans on tokens, and the facts of the manifest."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from scrubjay.artifacts import Manifest
from scrubjay.corpora.regions import without_ignored
from scrubjay.corpora.unmarked import hint_spans
from scrubjay.document import Document
from scrubjay.errors import ConfigError, InputError, MissingExtraError, require_choice, told_type
from scrubjay.features.templates import FeatureConfig
from scrubjay.labels import find_label_set
from scrubjay.learning.sections import HasCommon
from scrubjay.tags import Scheme, TagArray, encode_tags
from scrubjay.text.tokenizers import Tokenizer, make_tokenizer
from scrubjay.text.tokens import Alignment, AlignmentMode, Tokens, align_spans

Progress = Callable[[str, float], None]

#: Where networks can be trained; "auto" is a GPU where there is one.
DEVICES = ("auto", "cpu", "cuda")

#: The modules of packages that have another name.
_MODULES = {"python-crfsuite": "pycrfsuite", "scikit-learn": "sklearn"}


def silent(stage: str, share: float) -> None:
    """Report nothing."""


def require_paths(corpora: Sequence[Path], dev: Sequence[Path], *, out: Path) -> None:
    """Raise `ConfigError` where the places of a training are no paths, or one stands for several.

    A string in the place of several paths would be taken for its letters.
    """
    for name, places in (("corpora", corpora), ("dev", dev)):
        if not isinstance(places, tuple | list) or not all(isinstance(p, Path) for p in places):
            raise ConfigError(
                f"{name} must be a tuple of pathlib.Path", hint=f'Give {name}=(Path("notes"),)'
            )
    if not isinstance(out, Path):
        raise ConfigError(f"out is {told_type(out)}, no pathlib.Path")


def require_packages(*names: str, extra: str) -> None:
    """Raise `MissingExtraError` for the first package of an extra that is not installed.

    No package is imported. Names are those by which packages are installed.
    """
    for name in names:
        if importlib.util.find_spec(_MODULES.get(name, name)) is None:
            raise MissingExtraError(name, extra)


def require_device_name(name: str) -> str:
    """Return the name of a device, or raise `ConfigError` for one that is none of `DEVICES`."""
    return require_choice("device", name, DEVICES)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Training documents as a learner sees them; `labels` are those of their spans, sorted."""

    documents: tuple[Document, ...]
    labels: tuple[str, ...]
    tokenizer: Tokenizer
    batch: tuple[Tokens, ...]
    aligned: tuple[Alignment, ...]

    def gold_tags(self, scheme: Scheme) -> TagArray:
        """Return the gold tags of all tokens, one document after another."""
        tags = (
            encode_tags(alignment.ranges, len(tokens), scheme=scheme, labels=self.labels)
            for tokens, alignment in zip(self.batch, self.aligned, strict=True)
        )
        return np.concatenate(list(tags))

    def facts(self) -> dict[str, Any]:
        """Return what a manifest tells of the training data: counts and a fingerprint."""
        return {
            "documents": len(self.documents),
            "tokens": sum(len(tokens) for tokens in self.batch),
            "spans": sum(len(document.spans) for document in self.documents),
            "misaligned": sum(len(alignment.misaligned) for alignment in self.aligned),
            "collided": sum(len(alignment.collided) for alignment in self.aligned),
            "empty": sum(len(alignment.empty) for alignment in self.aligned),
            "fingerprint": fingerprint(self.documents),
        }


def training_labels(documents: Sequence[Document]) -> tuple[str, ...]:
    """Return the labels of the spans of training documents, sorted; raises `InputError` for none.

    They are documents as they are learned from: without what they tell to ignore.
    """
    labels = tuple(sorted({span.label for document in documents for span in document.spans}))
    if not labels:
        raise InputError(
            "the training corpus has no PHI: no document has a span",
            hint=hint_spans(documents),
        )
    return labels


def prepare(
    documents: Sequence[Document], tokenizer: Mapping[str, Any], *, align: AlignmentMode
) -> Prepared:
    """Tokenize training documents and lay their spans on the tokens.

    `tokenizer` are the settings of a configuration; with `train-merges` a byte pair encoding is
    trained on the documents. What documents tell to ignore is left out, with the sentences around
    it (`corpora.regions`). Raises `InputError` for a corpus without documents or without PHI on
    any token.
    """
    if not documents:
        raise InputError("the training corpus has no documents")
    documents = [without_ignored(document) for document in documents]
    labels = training_labels(documents)
    cutter = _fit_tokenizer(tokenizer, documents)
    batch = tuple(cutter.tokenize(document.text) for document in documents)
    aligned = tuple(
        align_spans(tokens, document.spans, mode=align)
        for tokens, document in zip(batch, documents, strict=True)
    )
    if not any(alignment.ranges for alignment in aligned):
        raise InputError(
            "the training corpus has no PHI: no span covers a token",
            hint="Check the tokenizer and the setting `align`",
        )
    return Prepared(tuple(documents), labels, cutter, batch, aligned)


def measurable(dev: Sequence[Document]) -> Sequence[Document]:
    """Return dev data, or nothing where no document has a span, since nothing can be measured."""
    return dev if any(document.spans for document in dev) else ()


def known_tokenizer(table: Mapping[str, Any]) -> Tokenizer | None:
    """Return the tokenizer of the settings of a configuration; None where it is learned."""
    return None if table.get("train-merges") else _fit_tokenizer(table, ())


def _fit_tokenizer(table: Mapping[str, Any], documents: Sequence[Document]) -> Tokenizer:
    settings = dict(table)
    merges = settings.pop("train-merges", 0)
    name = settings.pop("name", "subword")
    if merges:
        from scrubjay.text.bpe import train_merges

        plain = make_tokenizer(name, **settings)
        words = (word for document in documents for word in plain.tokenize(document.text).words())
        settings["merges"] = train_merges(words, merges)
    return make_tokenizer(name, **settings)


class Configured(HasCommon, Protocol):
    """A configuration of a tagger, as manifests keep it."""

    def table(self) -> dict[str, Any]:
        """Return the configuration as plain values."""


class TaggerLearner(Protocol):
    """What a learner of taggers knows before it sees documents."""

    @property
    def config(self) -> Configured: ...
    @property
    def language(self) -> str: ...
    @property
    def label_set(self) -> str: ...
    @property
    def name(self) -> str: ...


def make_manifest(learner: TaggerLearner, data: Prepared, *, seed: int) -> Manifest:
    """Return what a manifest says of every tagger; it stores words of its training data."""
    config = learner.config
    return Manifest(
        name=learner.name or config.name,
        kind=config.kind,
        language=learner.language,
        label_set=find_label_set(learner.label_set).name if learner.label_set else "",
        labels=data.labels,
        scheme=config.scheme,
        tokenizer={"name": data.tokenizer.name, **data.tokenizer.parameters()},
        config=config.table(),
        seed=seed,
        training_data=data.facts(),
        stores_words=True,
    )


def fingerprint(documents: Sequence[Document]) -> str:
    """Return a sha256 over ids, texts and spans: the same corpus gives the same one."""
    digest = hashlib.sha256()
    for document in sorted(documents, key=lambda document: document.id):
        marks = "".join(f"{span.start},{span.end},{span.label};" for span in document.spans)
        for part in (document.id, document.text, marks):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def training_dictionaries(
    batch: Sequence[Tokens], aligned: Sequence[Alignment], features: FeatureConfig
) -> dict[str, frozenset[str]]:
    """Return per label the lower-cased words of its mentions (He 2015, section 2.2).

    Only labels that a template asks for; a word needs `dictionary_documents` documents.
    """
    wanted = {
        name.partition(":")[2]
        for template in features.templates()
        for name, _ in template.parts
        if name.startswith("dictionary:")
    }
    seen: dict[str, dict[str, int]] = {label: {} for label in sorted(wanted)}
    for tokens, alignment in zip(batch, aligned, strict=True):
        words = tokens.words() if wanted else []
        found = {
            (label, word.lower())
            for first, last, label in alignment.ranges
            if label in wanted
            for word in words[first:last]
            if word[0].isalnum()
        }
        for label, word in found:
            seen[label][word] = seen[label].get(word, 0) + 1
    least = features.dictionary_documents
    return {
        label: frozenset(word for word, count in counts.items() if count >= least)
        for label, counts in seen.items()
    }
