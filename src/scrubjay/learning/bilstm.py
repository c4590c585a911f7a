"""Training of recurrent taggers: BLSTM-CRFs over words, characters, features and context.

Zhao 2020 (BLSTM-CNNs-CRF), Jiang 2017 (section 5) and Trienes 2020 (section 4.3) by
configuration. `_bilstm_inputs.py` numbers what the network reads; what needs torch stands in
`learning/neural`, where `fitting.py` is the way in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.document import Document
from scrubjay.errors import ConfigError
from scrubjay.learning._bilstm_inputs import FittedInputs, known_inputs
from scrubjay.learning._bilstm_vectors import (
    embed_texts,
    find_embedder,
    find_word_vectors,
    fit_word_inputs,
    lay_out_vectors,
)
from scrubjay.learning._network_facts import identify_training, make_network_manifest
from scrubjay.learning.bilstm_config import BilstmConfig
from scrubjay.learning.charlm_config import CharLMRun
from scrubjay.learning.epochs import report_epochs
from scrubjay.learning.learners import require_start, side_checkpoint
from scrubjay.learning.preparation import Prepared, Progress, measurable, prepare, silent
from scrubjay.learning.requirements import require_trainer
from scrubjay.learning.starts import describe_start, start_identity
from scrubjay.taggers.bilstm import BilstmDetector, BilstmModel, BilstmTagger
from scrubjay.tags import TagArray, find_scheme
from scrubjay.text.tokens import Tokens

if TYPE_CHECKING:
    from scrubjay.features.contextual import ContextualEmbedder
    from scrubjay.learning.neural.fitting import FittedNetwork, Task
    from scrubjay.learning.neural.starting import Start


@dataclass(frozen=True, slots=True)
class BilstmLearner:
    """Frozen configuration that fits a recurrent detector.

    `language` chooses lexicons and clusters; `label_set` (a name or a TOML file) is recorded.
    `device` is "auto", "cpu" or "cuda", `threads` bounds torch's own (0: as many as it likes). With
    a `checkpoint` the state is written there after each epoch, and a later fit goes on from it. On
    a CPU the same seed and number of threads give the same model; a GPU may round otherwise.

    `start_from` is what the training begins with in place of chance: a file of weights, or a model
    (its name or folder, and `start_member` for one of an ensemble's networks). Words, characters,
    features and labels are numbered as they were there, other words being unknown ones, and the
    manifest tells what it was. `save_weights` is where such a file is written at the end.
    """

    config: BilstmConfig
    language: str
    label_set: str = ""
    name: str = ""
    checkpoint: Path | None = None
    device: str = "auto"
    threads: int = 0
    start_from: str | Path | None = None
    start_member: str = ""
    save_weights: Path | None = None

    def fit(
        self,
        documents: Sequence[Document],
        *,
        dev: Sequence[Document] = (),
        seed: int = 0,
        progress: Progress = silent,
    ) -> BilstmDetector:
        """Return a detector trained on documents with gold spans.

        Strict F1 on `dev`, where it has spans, stops the training early and chooses the epoch
        that is kept; nothing is learned from it. Raises `InputError` for a corpus without
        documents or without PHI on any token, `ConfigError` for features that the language has
        nothing for, a device that is not there, the checkpoint of another training, weights to
        start from that do not fit and where memory runs out, `MissingExtraError` without the extra
        `train`.
        """
        require_trainer(self.config)
        from scrubjay.learning.neural.devices import choose_device
        from scrubjay.learning.neural.fitting import Task
        from scrubjay.learning.neural.recovering import find_weights
        from scrubjay.learning.neural.starting import save_start

        device = choose_device(self.device)
        config = self.config
        require_start(config, self.start_from, self.save_weights, member=self.start_member)
        start = find_weights(
            self.start_from, config, language=self.language, member=self.start_member
        )
        origin = self._origin()
        progress("tokenize", 0.0)
        data = prepare(documents, config.tokenizer, align=config.training.align)
        if start is not None:
            self._require_fit(start, data)
            data = replace(data, labels=start.labels)
        task = Task(config, data.labels, seed, device, self.threads, start=start)
        task, inputs = self._inputs(task, data, progress=progress)
        embedder = find_embedder(
            config, data, seed=seed, run=self._language_models(), progress=progress
        )
        fitted = self._fit(task, data, inputs, embedder=embedder, dev=dev, progress=progress)
        if self.save_weights is not None:
            facts = {**data.facts(), **origin}
            kept = fitted.start(task, inputs)
            save_start(self.save_weights, replace(kept, config=config.table(), training_data=facts))
        return self._detector(data, inputs, fitted, embedder=embedder, seed=seed, origin=origin)

    def _origin(self) -> dict[str, dict[str, Any]]:
        """Return what the manifest tells of the weights that the training begins with."""
        if self.start_from is None:
            return {}
        kinds = {self.config.kind}
        return {"start": describe_start(self.start_from, self.start_member, kinds=kinds)}

    def _require_fit(self, start: Start, data: Prepared) -> None:
        """Raise `ConfigError` for weights of other labels, tags or inputs."""
        path, config = Path(self.start_from or ""), self.config
        start.require(labels=data.labels, scheme=config.scheme, encoder="", path=path)
        inputs = start.inputs
        if (inputs.form, inputs.longest) != (config.words.form, config.characters.longest):
            raise ConfigError(
                "form in [words] or longest in [characters] is not that of the weights to start "
                "from",
                path=path,
                hint="Give the configuration that they were trained with",
            )

    def _inputs(
        self, task: Task, data: Prepared, *, progress: Progress
    ) -> tuple[Task, FittedInputs]:
        """Return what the network reads, and the task with the vectors of words, if there are."""
        if task.start is not None:
            return task, known_inputs(task.start.inputs)
        config = self.config
        vectors = find_word_vectors(config, data, seed=task.seed, progress=progress)
        progress("features", 0.0)
        inputs = fit_word_inputs(config, data, vectors, language=self.language)
        if vectors is not None:
            vocabulary = inputs.encoder.vocabulary
            task = replace(task, vectors=lay_out_vectors(vectors, config.words, vocabulary))
        return task, inputs

    def _detector(
        self,
        data: Prepared,
        inputs: FittedInputs,
        fitted: FittedNetwork,
        *,
        embedder: ContextualEmbedder | None,
        seed: int,
        origin: Mapping[str, Any],
    ) -> BilstmDetector:
        model = BilstmModel(
            inputs.encoder,
            fitted.words,
            fitted.sequence,
            fitted.transitions,
            self.config.scheme,
            data.labels,
            window_size=self.config.windows.size,
            window_context=self.config.windows.context,
            contextual=embedder.files() if embedder else None,
        )
        manifest = make_network_manifest(
            self, data, seed=seed, epochs=fitted.epochs, kept=fitted.kept
        )
        facts = {**manifest.training_data, **origin}
        manifest = replace(manifest, training_data=facts)
        return BilstmDetector(data.tokenizer, BilstmTagger(model), manifest=manifest)

    def _language_models(self) -> CharLMRun:
        """Return how language models are trained, where they are: with checkpoints of their own."""
        place = side_checkpoint(self.checkpoint) if self.checkpoint else None
        return CharLMRun(threads=self.threads, device=self.device, checkpoint=place)

    def _fit(
        self,
        task: Task,
        data: Prepared,
        inputs: FittedInputs,
        *,
        embedder: ContextualEmbedder | None,
        dev: Sequence[Document],
        progress: Progress,
    ) -> FittedNetwork:
        from scrubjay.learning.neural.fitting import Texts, fit_network
        from scrubjay.learning.neural.state_files import StateFile

        def texts(batch: Sequence[Tokens], tags: TagArray | None = None) -> Texts:
            return Texts(batch, tags, embed_texts(embedder, batch) if embedder else None)

        measured = measurable(dev)
        dev_batch = [data.tokenizer.tokenize(document.text) for document in measured]
        progress("train", 0.0)
        return fit_network(
            task,
            inputs,
            texts(data.batch, data.gold_tags(find_scheme(self.config.scheme))),
            dev=texts(dev_batch) if measured else None,
            dev_documents=measured,
            states=StateFile(self.checkpoint, self._identity(task, data, embedder, dev)),
            report=report_epochs(progress, most=self.config.training.epochs),
        )

    def _identity(
        self,
        task: Task,
        data: Prepared,
        embedder: ContextualEmbedder | None,
        dev: Sequence[Document],
    ) -> dict[str, str]:
        """Return a fingerprint of each thing that decides how the training goes."""
        named = self.config.words.vectors not in ("random", "skip-gram")
        vectors = task.vectors.tobytes() if named and task.vectors is not None else b""
        models = embedder.files() if embedder and self.config.contextual.models != "train" else {}
        others = {
            "language": self.language.encode(),
            "word vectors": vectors,
            "language models": b"".join(models[name] for name in sorted(models)),
        }
        if self.start_from is not None:
            others["start"] = start_identity(self.start_from, self.start_member)
        return identify_training(self.config, data, dev=dev, seed=task.seed, others=others)
