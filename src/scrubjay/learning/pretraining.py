"""Learning from raw text: word vectors and character language models, before any tagger.

Raw text is any text of the kind that will be tagged; spans, if there are any, are not looked at.
"""

from __future__ import annotations

import re
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scrubjay.artifacts import Manifest, require_place, save_artifact
from scrubjay.corpora import read_corpora
from scrubjay.corpora.writing import require_apart
from scrubjay.document import Document
from scrubjay.errors import ConfigError, InputError
from scrubjay.features.contextual import KIND as CHARLM
from scrubjay.features.vectors import KIND as VECTORS
from scrubjay.features.vectors import WordVectors, vector_files
from scrubjay.learning.charlm_config import CharLMConfig, CharLMRun
from scrubjay.learning.preparation import Progress, fingerprint, require_packages, silent
from scrubjay.text.tokenizers import make_tokenizer
from scrubjay.text.tokens import Tokens

if TYPE_CHECKING:
    from scrubjay.learning.neural.charlm import Measurement

_LANGUAGE = re.compile(r"[a-z]{2,3}")

CHARLM_NOTES = (
    "Character language models. They hold characters of their training text, not words; yet a "
    "language model may have learned stretches of it by heart, and what it knows of them can be "
    "probed. Treat a model of confidential text as confidential."
)
_MEMORY = "Read fewer streams at once (--batch), or make the models smaller (--hidden)"
VECTOR_NOTES = (
    "Word vectors. They hold the words of their training text that occur often enough, names "
    "among them. Treat vectors of confidential text as confidential."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawText:
    """Where raw text is and where what was learned from it goes.

    `paths` are read by `read_corpora`; `name` None means the name of the folder `out`.
    """

    paths: tuple[Path, ...]
    out: Path
    language: str
    format: str | None = None
    name: str | None = None
    overwrite: bool = False

    def __post_init__(self) -> None:
        if not _LANGUAGE.fullmatch(self.language):
            raise ConfigError(
                f"{self.language!r} is no language code", hint="Give one such as en, es or nl"
            )

    def read(self) -> list[Document]:
        """Return the documents that hold text; raises `InputError` where there is none.

        The place of the result is looked at first.
        """
        require_place(self.out, overwrite=self.overwrite)
        require_apart(self.out, self.paths)
        documents = [
            document
            for document in read_corpora(self.paths, format=self.format)
            if document.text.strip()
        ]
        if not documents:
            raise InputError("there is no text to learn from", path=self.paths[0])
        return documents


@dataclass(frozen=True, slots=True)
class TrainedCharLM:
    """A pair of character language models: the files of their artifact, and how it went."""

    files: dict[str, bytes]
    characters: int
    fingerprint: str
    history: tuple[Measurement, ...]
    bits: dict[str, float]
    ended: str


@dataclass(frozen=True, slots=True)
class Pretrained:
    """Where the result is, what it says about itself, and how long it took."""

    folder: Path
    manifest: Manifest
    seconds: float


def train_charlm(
    texts: Sequence[str],
    config: CharLMConfig,
    run: CharLMRun | None = None,
    *,
    progress: Progress = silent,
    report: Callable[[Measurement], None] | None = None,
) -> TrainedCharLM:
    """Train a forward and a backward character language model on texts.

    `progress` is told the shares of "forward" and "backward", `report` each measurement on
    held-out text; both may be called from other threads. On one machine, with as many threads
    and without a time limit, the same texts and settings give the same models, interrupted or
    not.

    Raises `InputError` for too little text, `ConfigError` for a checkpoint of another training,
    a device that is not there, a loss that is no number any more and where memory runs out, and
    `MissingExtraError` without torch or onnx.
    """
    run = run or CharLMRun()
    require_packages("torch", "onnx", "onnxruntime", extra="train")
    from scrubjay.learning.neural.charlm_data import prepare_texts
    from scrubjay.learning.neural.charlm_pair import pair_files, train_pair
    from scrubjay.learning.neural.devices import memory_advice

    if run.checkpoint is not None:
        run.checkpoint.mkdir(parents=True, exist_ok=True)
    prepared = prepare_texts(texts, config)
    with memory_advice(_MEMORY):
        trained = train_pair(
            prepared, config, run, progress=progress, report=report or (lambda _: None)
        )
    ends = {direction.ended for direction in trained.values()}
    return TrainedCharLM(
        files=pair_files(prepared, trained),
        characters=prepared.characters,
        fingerprint=prepared.fingerprint,
        history=tuple(point for direction in trained.values() for point in direction.history),
        bits={name: direction.bits for name, direction in trained.items()},
        ended="time" if "time" in ends else min(ends),
    )


def pretrain_charlm(
    raw: RawText,
    config: CharLMConfig,
    run: CharLMRun,
    *,
    progress: Progress = silent,
    report: Callable[[Measurement], None] | None = None,
) -> Pretrained:
    """Train character language models on raw text and save them (kind "charlm").

    Raises what `RawText.read` and `train_charlm` raise.
    """
    began = time.monotonic()
    require_packages("torch", "onnx", "onnxruntime", extra="train")
    documents = raw.read()
    texts = [document.text for document in documents]
    trained = train_charlm(texts, config, run, progress=progress, report=report)
    manifest = Manifest(
        name=raw.name or raw.out.name,
        kind=CHARLM,
        language=raw.language,
        label_set="",
        labels=(),
        # Characters are stored, no words; what may be learned by heart, the notes say.
        stores_words=False,
        config={"network": asdict(config), "ended": trained.ended},
        seed=config.seed,
        training_data={
            "documents": len(documents),
            "characters": trained.characters,
            "fingerprint": fingerprint(documents),
        },
        metrics={"held-out-bits-per-character": trained.bits},
        notes=CHARLM_NOTES,
    )
    saved = save_artifact(raw.out, manifest, files=trained.files, overwrite=raw.overwrite)
    if run.checkpoint is not None and trained.ended != "time":
        for direction in trained.bits:
            (run.checkpoint / f"{direction}.state").unlink(missing_ok=True)
        with suppress(OSError):  # the folder may hold other things
            run.checkpoint.rmdir()
    return Pretrained(raw.out, saved, time.monotonic() - began)


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorConfig:
    """Skip-gram with negative sampling (Mikolov et al. 2013): sizes and passes.

    Words seen less than `min_count` times get no vector; a word predicts its neighbours up to
    `window` words away.
    """

    dimension: int = 100
    window: int = 5
    epochs: int = 10
    min_count: int = 3
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("dimension", "window", "epochs", "min_count"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name.replace('_', '-')} must be 1 or more")
        if self.seed < 0:
            raise ConfigError("seed must not be negative")


def train_vectors(
    sentences: Sequence[Sequence[str]], config: VectorConfig, *, progress: Progress = silent
) -> WordVectors:
    """Train word vectors on sentences of words by skip-gram, ignoring case (Jiang 2017).

    Words come out in lower case, the most frequent first. In one thread, so that the same
    sentences, settings and seed give the same vectors. Raises `InputError` where no word is
    frequent enough and `MissingExtraError` without gensim.
    """
    require_packages("gensim", extra="train")
    from gensim.models import Word2Vec

    lowered = [[word.lower() for word in sentence] for sentence in sentences if sentence]
    counts = Counter(word for sentence in lowered for word in sentence)
    if not any(count >= config.min_count for count in counts.values()):
        raise InputError(
            f"no word occurs {config.min_count} times, so there is nothing to learn vectors of",
            hint="Give more text, or lower the least count",
        )
    progress("vectors", 0.0)
    model = Word2Vec(
        vector_size=config.dimension,
        window=config.window,
        min_count=config.min_count,
        sg=1,
        workers=1,
        seed=config.seed,
        hashfxn=_stable_hash,
    )
    model.build_vocab(lowered)
    total = sum(counts.values()) * config.epochs
    model.train(
        _Passes(lowered, total, progress), total_examples=len(lowered), epochs=config.epochs
    )
    words = sorted(model.wv.index_to_key, key=lambda word: (-counts[word], word))
    progress("vectors", 1.0)
    return WordVectors(tuple(words), np.stack([model.wv[word] for word in words]))


class _Passes:
    """Sentences that tell how far their reading is, pass after pass."""

    def __init__(self, sentences: Sequence[list[str]], total: int, progress: Progress) -> None:
        self._sentences = sentences
        self._total = total
        self._progress = progress
        self._read = 0

    def __iter__(self) -> Iterator[list[str]]:
        for number, sentence in enumerate(self._sentences):
            self._read += len(sentence)
            if number % 1000 == 0:
                self._progress("vectors", min(1.0, self._read / self._total))
            yield sentence


def _stable_hash(text: str) -> int:
    """Return a hash that does not change from process to process, unlike `hash`."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def sentences_of(batch: Iterable[Tokens]) -> list[list[str]]:
    """Return the words of each sentence of some tokenized texts, for `train_vectors`."""
    sentences = []
    for tokens in batch:
        words, bounds = tokens.words(), tokens.sentence_bounds().tolist()
        sentences += [words[first:last] for first, last in pairwise(bounds)]
    return sentences


def pretrain_vectors(
    raw: RawText, config: VectorConfig, *, tokenizer: str = "subword", progress: Progress = silent
) -> Pretrained:
    """Train word vectors on raw text and save them (kind "vectors").

    Raises what `RawText.read` and `train_vectors` raise, and `ConfigError` for an unknown
    tokenizer.
    """
    began = time.monotonic()
    require_packages("gensim", extra="train")
    cutter = make_tokenizer(tokenizer)
    documents = raw.read()
    batch = [cutter.tokenize(document.text) for document in documents]
    vectors = train_vectors(sentences_of(batch), config, progress=progress)
    manifest = Manifest(
        name=raw.name or raw.out.name,
        kind=VECTORS,
        language=raw.language,
        label_set="",
        labels=(),
        stores_words=True,
        tokenizer={"name": cutter.name, **cutter.parameters()},
        config=asdict(config),
        seed=config.seed,
        training_data={
            "documents": len(documents),
            "tokens": sum(map(len, batch)),
            "vocabulary": len(vectors),
            "fingerprint": fingerprint(documents),
        },
        notes=VECTOR_NOTES,
    )
    files = vector_files(vectors)
    saved = save_artifact(raw.out, manifest, files=files, overwrite=raw.overwrite)
    return Pretrained(raw.out, saved, time.monotonic() - began)
