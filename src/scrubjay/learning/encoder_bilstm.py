"""Training of recurrent taggers over an encoder that is tuned with them.

What comes out is a tagger of the kind "bilstm" that carries its encoder; see
`encoder_bilstm_config.py`. What needs torch stands in `learning/neural`: `encoded_fit.py` is the
way in, `loop.py` the loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.document import Document
from scrubjay.learning._bilstm_inputs import fit_inputs
from scrubjay.learning._network_facts import identify_training, make_network_manifest
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.epochs import report_epochs
from scrubjay.learning.preparation import Prepared, Progress, measurable, prepare, silent
from scrubjay.learning.requirements import require_trainer
from scrubjay.learning.starts import (
    describe_start,
    find_teacher,
    keeps_encoder,
    start_identity,
)
from scrubjay.taggers.bilstm import KIND, BilstmDetector, BilstmModel, BilstmTagger
from scrubjay.tags import find_scheme

if TYPE_CHECKING:
    from scrubjay.learning.neural.encoded_fit import EncodedTask, FittedEncoder
    from scrubjay.learning.neural.encoders import PretrainedEncoder
    from scrubjay.learning.neural.head_fit import HeadTask, StoredEncoder
    from scrubjay.learning.neural.starting import Start


@dataclass(frozen=True, slots=True)
class EncoderBilstmLearner:
    """Frozen configuration that fits a recurrent detector and the encoder below it.

    `language` chooses lexicons and clusters; `label_set` (a name or a TOML file) is recorded.
    `device` is "auto", "cpu" or "cuda". With a `checkpoint` the state is written there after
    each epoch, and a later fit goes on from it. `start_from` is what the training begins with in
    place of chance and of the encoder's own weights: a file of weights, or a model (its name or
    folder, and `start_member` for one of an ensemble's networks); features and labels are numbered
    as they were there, and the manifest tells what it was. From a model and without an encoder in
    the configuration, what stands above the encoder of the model is fitted alone: the encoder
    stays as it is stored. `teacher` is such a file of weights,
    too, of a network over at least as many layers of the same encoder: its scores are learned
    beside the gold tags (`neural/distillation.py`), all is numbered as it was there, and without
    `start_from` the training begins with what of it fits.
    `save_weights` is where such a file is written at the end. On a CPU the same seed and number
    of threads give the same model.
    """

    config: EncoderBilstmConfig
    language: str
    label_set: str = ""
    name: str = ""
    checkpoint: Path | None = None
    device: str = "auto"
    start_from: str | Path | None = None
    teacher: Path | None = None
    save_weights: Path | None = None
    start_member: str = ""

    def fit(
        self,
        documents: Sequence[Document],
        *,
        dev: Sequence[Document] = (),
        seed: int = 0,
        progress: Progress = silent,
    ) -> BilstmDetector:
        """Return a detector trained on documents with gold spans.

        Strict F1 on `dev`, where it has spans, stops the training and chooses the epoch that is
        kept; nothing is learned from it. Raises like `TransformerLearner.fit`, and `ConfigError`
        for features that the language has nothing for, and for weights to start from, or of a
        teacher, that do not fit.
        """
        require_trainer(self.config, start_from=self.start_from)
        from scrubjay.learning.neural.recovering import find_weights
        from scrubjay.learning.neural.starting import save_start

        start = find_weights(
            self.start_from, self.config, language=self.language, member=self.start_member
        )
        teacher = self._load_teacher()
        kinds = {self.config.kind}
        origin = {
            name: describe_start(*place, kinds=kinds) for name, place in self._origins().items()
        }
        progress("encoder", 0.0)
        encoder = self._find_encoder()
        progress("tokenize", 0.0)
        data = prepare(documents, self.config.tokenizer, align=self.config.training.align)
        self._require_fit(start, teacher, data, encoder.fingerprint)
        numbered = start or teacher
        if numbered is not None:
            data = replace(data, labels=numbered.labels)
        progress("features", 0.0)
        task = self._task(encoder, data, start=start, teacher=teacher, seed=seed)
        fitted = self._fit(task, data, dev=dev, progress=progress)
        if self.save_weights is not None:
            facts = {**data.facts(), **origin}
            kept = fitted.start(task)
            save_start(
                self.save_weights, replace(kept, config=self.config.table(), training_data=facts)
            )
        return self._detector(task, data, fitted, origin=origin)

    def _origins(self) -> dict[str, tuple[str | Path, str]]:
        """Return the weights of other trainings that this one knows, by what they are for.

        Each with the member that is meant, "" where none is named.
        """
        origins: dict[str, tuple[str | Path, str]] = {}
        if self.start_from is not None:
            origins["start"] = (self.start_from, self.start_member)
        if self.teacher is not None:
            origins["teacher"] = (find_teacher(self.teacher), "")
        return origins

    def _load_teacher(self) -> Start | None:
        from scrubjay.learning.neural.starting import TEACHER, load_start

        if self.teacher is None:
            return None
        return load_start(find_teacher(self.teacher), role=TEACHER)

    def _find_encoder(self) -> PretrainedEncoder | StoredEncoder:
        """Return the encoder that is tuned, or that of the model to start from, which is not."""
        from scrubjay.learning.neural.encoders import load_encoder
        from scrubjay.learning.neural.head_fit import find_stored_encoder

        if self.start_from is not None and keeps_encoder(self.config, self.start_from):
            return find_stored_encoder(
                self.start_from, kind=self.config.kind, member=self.start_member
            )
        return load_encoder(self.config.encoder.path)

    def _task(
        self,
        encoder: PretrainedEncoder | StoredEncoder,
        data: Prepared,
        *,
        start: Start | None,
        teacher: Start | None,
        seed: int,
    ) -> EncodedTask | HeadTask:
        """Return what is fitted, with the inputs of the start or teacher if there is one."""
        from scrubjay.learning.neural.encoded_fit import EncodedTask
        from scrubjay.learning.neural.encoders import PretrainedEncoder
        from scrubjay.learning.neural.head_fit import HeadTask

        config, numbered = self.config, start or teacher
        if not isinstance(encoder, PretrainedEncoder):
            assert start is not None
            return HeadTask(config, encoder, start, data.labels, seed, self.device)
        inputs = (
            fit_inputs(config.network, data, language=self.language).encoder
            if numbered is None
            else numbered.inputs
        )
        subtokens = encoder.subtokens(config.encoder)
        return EncodedTask(
            config, encoder, inputs, subtokens, data.labels, seed, self.device, start, teacher
        )

    def _require_fit(
        self, start: Start | None, teacher: Start | None, data: Prepared, encoder: str
    ) -> None:
        """Raise `ConfigError` for weights of other labels, tags or encoders, or numbered apart."""
        for weights, place in ((start, self.start_from), (teacher, self.teacher)):
            if weights is not None and place is not None:
                weights.require(
                    labels=data.labels,
                    scheme=self.config.scheme,
                    encoder=encoder,
                    path=Path(place),
                )
        if start is not None and teacher is not None and self.teacher is not None:
            teacher.require_same(start, self.teacher)

    def _fit(
        self,
        task: EncodedTask | HeadTask,
        data: Prepared,
        *,
        dev: Sequence[Document],
        progress: Progress,
    ) -> FittedEncoder:
        from scrubjay.learning.neural.encoded_fit import EncodedTask, fit_encoder_network
        from scrubjay.learning.neural.head_fit import fit_head
        from scrubjay.learning.neural.state_files import StateFile

        measured = measurable(dev)
        progress("train", 0.0)
        tags = data.gold_tags(find_scheme(self.config.scheme))
        settings: dict[str, Any] = {
            "dev": measured,
            "dev_batch": [data.tokenizer.tokenize(document.text) for document in measured],
            "states": StateFile(self.checkpoint, self._identity(task, data, dev)),
            "report": report_epochs(progress, most=self.config.training.epochs),
        }
        if isinstance(task, EncodedTask):
            return fit_encoder_network(task, data.batch, tags, **settings)
        return fit_head(task, data.batch, tags, **settings)

    def _identity(
        self, task: EncodedTask | HeadTask, data: Prepared, dev: Sequence[Document]
    ) -> dict[str, str]:
        """Return a fingerprint of each thing that decides how the training goes."""
        others = {
            "encoder": task.encoder.fingerprint.encode(),
            "language": self.language.encode(),
        }
        others |= {name: start_identity(*place) for name, place in self._origins().items()}
        return identify_training(self.config, data, dev=dev, seed=task.seed, others=others)

    def _detector(
        self,
        task: EncodedTask | HeadTask,
        data: Prepared,
        fitted: FittedEncoder,
        *,
        origin: Mapping[str, Any],
    ) -> BilstmDetector:
        windows = self.config.network.windows
        model = BilstmModel(
            task.inputs,
            fitted.words,
            fitted.sequence,
            fitted.transitions,
            self.config.scheme,
            data.labels,
            window_size=windows.size,
            window_context=windows.context,
            contextual=fitted.encoder,
        )
        manifest = make_network_manifest(
            self, data, seed=task.seed, epochs=fitted.epochs, kept=fitted.kept
        )
        table = self.config.table()
        table["encoder"] |= {"sha256": task.encoder.fingerprint}
        notes = manifest.notes
        if not self.config.encoder.path:
            notes += ". The encoder is that of the model it started from: it was not trained"
        manifest = replace(
            manifest,
            kind=KIND,
            config=table,
            training_data={**manifest.training_data, **origin},
            notes=notes,
        )
        return BilstmDetector(data.tokenizer, BilstmTagger(model), manifest=manifest)
