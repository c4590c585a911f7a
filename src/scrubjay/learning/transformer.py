"""Training of transformer taggers: a pre-trained encoder, tuned and exported as a graph.

What needs torch stands in `learning/neural`: `encoders.py` loads a folder, `loop.py` is the
loop, `tuned_encoder.py` joins them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.artifacts import Manifest
from scrubjay.document import Document
from scrubjay.features.subtokens import SubtokenEncoder
from scrubjay.learning._network_facts import identify_training, make_network_manifest
from scrubjay.learning.epochs import report_epochs
from scrubjay.learning.preparation import Prepared, Progress, measurable, prepare, silent
from scrubjay.learning.requirements import require_trainer
from scrubjay.learning.transformer_config import TransformerConfig
from scrubjay.taggers._decoding.chain import split_tags
from scrubjay.taggers.transformer import TransformerDetector, TransformerModel, TransformerTagger
from scrubjay.tags import find_scheme

if TYPE_CHECKING:
    from scrubjay.learning.neural.encoders import PretrainedEncoder
    from scrubjay.learning.neural.tuned_encoder import TunedEncoder


@dataclass(frozen=True, slots=True)
class TransformerLearner:
    """Frozen configuration that tunes a transformer detector.

    `language` and `label_set` (a name or a TOML file) are recorded. `device` is "auto", "cpu" or
    "cuda". With a `checkpoint` the state is written there after each epoch, and a later fit goes on
    from it. Tuning on a CPU gives the same model for the same seed and number of threads; an
    accelerator may round otherwise from run to run.
    """

    config: TransformerConfig
    language: str
    label_set: str = ""
    name: str = ""
    checkpoint: Path | None = None
    device: str = "auto"

    def fit(
        self,
        documents: Sequence[Document],
        *,
        dev: Sequence[Document] = (),
        seed: int = 0,
        progress: Progress = silent,
    ) -> TransformerDetector:
        """Return a detector trained on documents with gold spans.

        Strict F1 on `dev` stops the training and chooses the epoch that is kept; nothing is
        learned from it. What cannot end well is refused before the first epoch: an encoder that
        cannot be loaded or exported, or windows that it cannot read.

        Raises `InputError` for a corpus without documents or without PHI on any token,
        `ConfigError` for an encoder or a device that cannot be used, for the checkpoint of another
        training and where memory runs out, `MissingExtraError` without the extra `transformers`.
        """
        require_trainer(self.config)
        from scrubjay.learning.neural.encoders import load_encoder

        progress("encoder", 0.0)
        encoder = load_encoder(self.config.encoder.path)
        subtokens = encoder.subtokens(self.config.encoder)
        progress("tokenize", 0.0)
        data = prepare(documents, self.config.tokenizer, align=self.config.training.align)
        tuned = self._tune(encoder, subtokens, data, dev=dev, seed=seed, progress=progress)
        model = TransformerModel(
            network=tuned.network,
            subtokens=subtokens,
            transitions=tuned.transitions,
            bias=tuned.bias,
            scheme=self.config.scheme,
            labels=data.labels,
        )
        manifest = self._manifest(data, encoder, tuned, seed)
        return TransformerDetector(data.tokenizer, TransformerTagger(model), manifest=manifest)

    def _tune(
        self,
        encoder: PretrainedEncoder,
        subtokens: SubtokenEncoder,
        data: Prepared,
        *,
        dev: Sequence[Document],
        seed: int,
        progress: Progress,
    ) -> TunedEncoder:
        from scrubjay.learning.neural.state_files import StateFile
        from scrubjay.learning.neural.tuned_encoder import DevTexts, TrainTexts, tune_encoder

        gold = split_tags(data.gold_tags(find_scheme(self.config.scheme)), data.batch)
        measured = measurable(dev)
        progress("train", 0.0)
        return tune_encoder(
            encoder,
            subtokens,
            TrainTexts(data.batch, gold, data.labels),
            config=self.config,
            seed=seed,
            device=self.device,
            dev=DevTexts(
                [data.tokenizer.tokenize(document.text) for document in measured],
                [document.spans for document in measured],
            ),
            states=StateFile(self.checkpoint, self._identity(data, dev, encoder, seed)),
            report=report_epochs(progress, most=self.config.training.epochs),
        )

    def _identity(
        self, data: Prepared, dev: Sequence[Document], encoder: PretrainedEncoder, seed: int
    ) -> dict[str, str]:
        others = {"encoder": encoder.fingerprint.encode()}
        return identify_training(self.config, data, dev=dev, seed=seed, others=others)

    def _manifest(
        self, data: Prepared, encoder: PretrainedEncoder, tuned: TunedEncoder, seed: int
    ) -> Manifest:
        manifest = make_network_manifest(
            self, data, seed=seed, epochs=tuned.epochs, kept=tuned.kept
        )
        table = self.config.table()
        table["encoder"] |= {"sha256": encoder.fingerprint}
        # The vocabulary is the encoder's own, from before the training; merges are not.
        return replace(manifest, config=table, stores_words=bool(manifest.tokenizer.get("merges")))
