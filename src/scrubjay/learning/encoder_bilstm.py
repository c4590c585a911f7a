"""Training of recurrent taggers over an encoder that is tuned with them.

What comes out is a tagger of the kind "bilstm" that carries its encoder; see
`encoder_bilstm_config.py`. What needs torch stands in `learning/neural`: `encoded_fit.py` is the
way in, `finetuning.py` the loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.document import Document
from scrubjay.features.encoders import GRAPH, write_subtokens
from scrubjay.features.subtokens import SubtokenEncoder
from scrubjay.learning._bilstm_inputs import fit_inputs
from scrubjay.learning._network_facts import identify_training, make_network_manifest
from scrubjay.learning.encoder_bilstm_config import EncoderBilstmConfig
from scrubjay.learning.epochs import Epoch, describe_epochs
from scrubjay.learning.preparation import Prepared, Progress, prepare, silent
from scrubjay.learning.requirements import require_trainer
from scrubjay.learning.starts import describe_start, find_start, start_identity
from scrubjay.taggers.bilstm import KIND, BilstmDetector, BilstmModel, BilstmTagger
from scrubjay.tags import find_scheme

if TYPE_CHECKING:
    from scrubjay.learning.neural.encoded_fit import EncodedTask, FittedEncoder


@dataclass(frozen=True, slots=True)
class EncoderBilstmLearner:
    """Frozen configuration that fits a recurrent detector and the encoder below it.

    `language` chooses lexicons and clusters; `label_set` (a name or a TOML file) is recorded.
    `device` is "auto", "cpu" or "cuda". With a `checkpoint` the state is written there after
    each epoch, and a later fit goes on from it. `start_from` is what the training begins with in
    place of chance and of the encoder's own weights: a file of weights, or a model (its name or
    folder); features and labels are numbered as they were there, and the manifest tells what it
    was. `save_weights` is where such a file is written at the end. On a CPU the same seed and
    number of threads give the same model.
    """

    config: EncoderBilstmConfig
    language: str
    label_set: str = ""
    name: str = ""
    checkpoint: Path | None = None
    device: str = "auto"
    start_from: str | Path | None = None
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

        Strict F1 on `dev`, where it has spans, stops the training and chooses the epoch that is
        kept; nothing is learned from it. Raises like `TransformerLearner.fit`, and `ConfigError`
        for features that the language has nothing for, and for weights to start from that do not
        fit.
        """
        require_trainer(self.config)
        from scrubjay.learning.neural.encoded_fit import EncodedTask
        from scrubjay.learning.neural.encoders import load_encoder
        from scrubjay.learning.neural.recovering import recover_start
        from scrubjay.learning.neural.starting import load_start, save_start

        settings = self.config.encoder
        start, origin = None, {}
        if self.start_from is not None:
            place = find_start(self.start_from)
            origin = {"start": describe_start(self.start_from)}
            if place.is_file():
                start = load_start(place)
            else:
                start = recover_start(place, self.config, language=self.language)
        progress("encoder", 0.0)
        encoder = load_encoder(settings.path)
        subtokens = SubtokenEncoder(
            encoder.definition,
            window=settings.window,
            overlap=settings.overlap,
            pieces=settings.pieces,
        )
        progress("tokenize", 0.0)
        data = prepare(documents, self.config.tokenizer, align=self.config.training.align)
        if start is not None and self.start_from is not None:
            start.require(
                labels=data.labels,
                scheme=self.config.scheme,
                encoder=encoder.fingerprint,
                path=Path(self.start_from),
            )
            data = replace(data, labels=start.labels)
        progress("features", 0.0)
        inputs = (
            fit_inputs(self.config.network, data, language=self.language).encoder
            if start is None
            else start.inputs
        )
        task = EncodedTask(
            self.config, encoder, inputs, subtokens, data.labels, seed, self.device, start
        )
        fitted = self._fit(task, data, dev=dev, progress=progress)
        if self.save_weights is not None:
            save_start(self.save_weights, fitted.start(task))
        return self._detector(task, data, fitted, origin=origin)

    def _fit(
        self,
        task: EncodedTask,
        data: Prepared,
        *,
        dev: Sequence[Document],
        progress: Progress,
    ) -> FittedEncoder:
        from scrubjay.learning.neural.encoded_fit import fit_encoder_network
        from scrubjay.learning.neural.state_files import StateFile

        def report(epochs: Sequence[Epoch], share: float) -> None:
            most = self.config.training.epochs
            progress(describe_epochs(epochs, most=most) if epochs else "train", share)

        # Without gold spans nothing can be measured.
        measured = dev if any(document.spans for document in dev) else ()
        progress("train", 0.0)
        return fit_encoder_network(
            task,
            data.batch,
            data.gold_tags(find_scheme(self.config.scheme)),
            dev=measured,
            dev_batch=[data.tokenizer.tokenize(document.text) for document in measured],
            states=StateFile(self.checkpoint, self._identity(task, data, dev)),
            report=report,
        )

    def _identity(
        self, task: EncodedTask, data: Prepared, dev: Sequence[Document]
    ) -> dict[str, str]:
        """Return a fingerprint of each thing that decides how the training goes."""
        others = {
            "encoder": task.encoder.fingerprint.encode(),
            "language": self.language.encode(),
        }
        if self.start_from is not None:
            others["start"] = start_identity(self.start_from)
        return identify_training(self.config, data, dev=dev, seed=task.seed, others=others)

    def _detector(
        self,
        task: EncodedTask,
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
            contextual={GRAPH: fitted.encoder, **write_subtokens(task.subtokens)},
        )
        manifest = make_network_manifest(
            self, data, seed=task.seed, epochs=fitted.epochs, kept=fitted.kept
        )
        table = self.config.table()
        table["encoder"] |= {"sha256": task.encoder.fingerprint}
        manifest = replace(
            manifest, kind=KIND, config=table, training_data={**manifest.training_data, **origin}
        )
        return BilstmDetector(data.tokenizer, BilstmTagger(model), manifest=manifest)
