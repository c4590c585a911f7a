"""Tuning transformers: the graph is the network, runs resume, and bad folders are refused."""

from __future__ import annotations

import json
import pickle
import shutil
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from scrubjay.document import Document
from scrubjay.errors import ConfigError, FormatError, InputError, MissingExtraError
from scrubjay.features.subtokens import SubtokenEncoder
from scrubjay.learning.transformer import TransformerLearner
from scrubjay.learning.transformer_config import TransformerConfig
from scrubjay.taggers.transformer import TransformerDetector, TransformerModel, TransformerTagger
from scrubjay.tags import find_scheme
from scrubjay.text.tokenizers import make_tokenizer
from tests.corpus_samples import LABELS, make_notes
from tests.tiny_transformer import (
    PowerCutError,
    cut_power,
    require_packages,
    save_weights,
    small_encoder,
    tiny_definition,
    tiny_encoder,
    tiny_transformer,
    write_encoder,
)

require_packages()

import torch  # noqa: E402

from scrubjay.learning.neural import tuned_encoder  # noqa: E402
from scrubjay.learning.neural.encoders import load_encoder  # noqa: E402
from scrubjay.learning.neural.token_classifier import (  # noqa: E402
    TokenClassifier,
    collate,
    make_windows,
)
from scrubjay.learning.neural.token_classifier_export import (  # noqa: E402
    export_classifier,
    require_classifier_graph,
)

pytestmark = pytest.mark.usefixtures("one_torch_thread", "exports_tried_once")

NOTES = make_notes(8, seed=1)
DEV = make_notes(4, seed=2)
TAGS = len(find_scheme("BIO").tag_names(LABELS))


def fit(
    config: TransformerConfig, *, dev: Any = (), checkpoint: Path | None = None, **options: Any
) -> TransformerDetector:
    learner = TransformerLearner(
        config, language="en", name="tiny", device="cpu", checkpoint=checkpoint
    )
    return learner.fit(options.pop("notes", NOTES), dev=dev, **options)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of an encoder that a test may copy and break."""
    return write_encoder(tmp_path_factory.mktemp("encoders") / "tiny-bert")


@pytest.fixture
def broken(encoder: Path, tmp_path: Path) -> Path:
    """A copy of the folder."""
    return Path(shutil.copytree(encoder, tmp_path / "encoder"))


@pytest.mark.parametrize("source", ["tiny", "real"])
def test_the_graph_tags_as_the_network(source: str) -> None:
    path, window = (tiny_encoder(), 40) if source == "tiny" else (small_encoder(), 96)
    pretrained = load_encoder(str(path))
    torch.manual_seed(3)
    classifier = TokenClassifier(
        pretrained.module, pretrained.dimension, TAGS, dropout=0.1, crf=True
    ).eval()
    torch.nn.init.normal_(classifier.head.weight, std=0.3)
    torch.nn.init.normal_(classifier.head.bias)
    subtokens = SubtokenEncoder(pretrained.definition, window=window, overlap=8, pieces="mean")
    tagger = TransformerTagger(
        TransformerModel(
            export_classifier(classifier, window=window),
            subtokens,
            classifier.transitions(),
            classifier.head.bias.detach().numpy(),
            "BIO",
            LABELS,
        )
    )
    odd = Document("odd", "\ufeffDr.\u200b e\u0301 \U0001f468\u200d\u2695\ufe0f\r\n" * 40)
    cut = [make_tokenizer("subword").tokenize(note.text) for note in (*NOTES[:3], odd)]
    plain = [_plain_scores(classifier, subtokens, tokens) for tokens in cut]
    for tokens, expected in zip(cut, plain, strict=True):
        np.testing.assert_allclose(tagger.emissions(tokens), expected, atol=2e-4)
    tags = tagger.tag(cut)
    tagger.emissions = lambda tokens: plain[cut.index(tokens)]  # type: ignore[method-assign]
    for one, other in zip(tags, tagger.tag(cut), strict=True):
        assert one.tolist() == other.tolist()


def _plain_scores(classifier: TokenClassifier, subtokens: SubtokenEncoder, tokens: Any) -> Any:
    """Return the scores of the network in torch, all windows in one padded batch."""
    windows = make_windows(subtokens, subtokens.encode(tokens), np.zeros(len(tokens), np.int16))
    batch = collate(windows, padding=0)
    with torch.inference_mode():
        found = classifier.emissions(batch)
    return found[batch.mask].double().numpy()


def test_a_graph_tells_nothing_of_the_machine() -> None:
    pretrained = load_encoder(str(tiny_encoder()))
    classifier = TokenClassifier(pretrained.module, 32, TAGS, dropout=0.0, crf=False)
    classifier.train()
    graph = export_classifier(classifier, window=40)
    assert classifier.training
    for trace in (b".py", b"site-packages", str(Path.home()).encode(), b"stack_trace"):
        assert trace not in graph
    assert (classifier.transitions() == 0).all()


def test_an_interrupted_training_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    config = tiny_transformer(tiny_encoder(), epochs=3, patience=0)
    whole = fit(config, dev=DEV)
    place = tmp_path / "state"

    with pytest.raises(PowerCutError):
        fit(config, dev=DEV, checkpoint=place, progress=cut_power)
    assert place.is_file()
    stages: list[str] = []
    resumed = fit(
        config, dev=DEV, checkpoint=place, progress=lambda stage, share: stages.append(stage)
    )
    trained = [stage for stage in stages if "epoch" in stage]
    assert "epoch 1 of 3" in trained[0]
    assert "epoch 3 of 3" in trained[-1]
    assert resumed.files() == whole.files()
    assert resumed.manifest == whole.manifest
    epochs = whole.manifest.metrics["epochs"]
    assert [epoch["number"] for epoch in epochs] == [1, 2, 3]
    best = max(epochs, key=lambda epoch: (epoch["dev"], -epoch["number"]))
    assert whole.manifest.metrics["epoch-kept"] == best["number"]
    assert list(tmp_path.iterdir()) == [place]

    with pytest.raises(ConfigError, match="another training: its configuration"):
        fit(tiny_transformer(tiny_encoder(), epochs=5), dev=DEV, checkpoint=place)
    with pytest.raises(ConfigError, match="another training: its seed"):
        fit(config, dev=DEV, checkpoint=place, seed=1)
    place.write_bytes(place.read_bytes()[:-100])
    with pytest.raises(FormatError, match="not the checkpoint of a training"):
        fit(config, dev=DEV, checkpoint=place)


def test_training_stops_when_dev_gets_no_better(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.learning.neural.tuned_encoder._DevScore.__call__", lambda *_: 0.5)
    config = tiny_transformer(tiny_encoder(), epochs=9, patience=2)
    softmax = replace(
        config, encoder=replace(config.encoder, decoder="softmax", pieces="mean", dropout=0.2)
    )
    found = fit(softmax, dev=DEV, notes=NOTES[:4])
    assert len(found.manifest.metrics["epochs"]) == 3
    assert found.manifest.metrics["epoch-kept"] == 1
    seen = np.isfinite(found.tagger.model.transitions)
    assert (found.tagger.model.transitions[seen] == 0).all()


def test_dev_f1_is_that_of_the_saved_model() -> None:
    found = fit(tiny_transformer(tiny_encoder(), epochs=8, patience=0), dev=DEV)
    right = predicted = gold = 0
    for note, spans in zip(DEV, found.detect(DEV), strict=True):
        right += len(set(spans) & set(note.spans))
        predicted, gold = predicted + len(spans), gold + len(note.spans)
    best = max(epoch["dev"] for epoch in found.manifest.metrics["epochs"])
    assert right > 0
    assert 2 * right / (predicted + gold) == pytest.approx(best, abs=1e-6)


def test_a_real_encoder_is_tuned_without_any_network(monkeypatch: pytest.MonkeyPatch) -> None:
    path = small_encoder()

    def refuse(*_: Any) -> NoReturn:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    config = tiny_transformer(path, learning_rate=5e-5, epochs=1)
    found = fit(config, notes=NOTES[:3])
    assert found.manifest.config["encoder"]["path"] == "model"
    assert str(path) not in json.dumps(dict(found.manifest.config))
    assert len(found.detect(DEV)) == len(DEV)
    assert not found.manifest.stores_words


def _remove(*names: str) -> Callable[[Path], None]:
    return lambda folder: [(folder / name).unlink() for name in names] and None


def _truncate(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-500])


def _change_config(**settings: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        file = folder / "config.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | settings))

    return change


def _drop_weights(folder: Path) -> None:
    from safetensors.torch import load_file

    weights = load_file(folder / "model.safetensors")
    kept = {name: value for name, value in weights.items() if "attention" not in name}
    save_weights(kept, folder / "model.safetensors")


class _Bomb:
    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("code of a weights file was run",))


def _arm(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(_Bomb()))


def _remote_code(folder: Path) -> None:
    (folder / "own.py").write_text("print('code of a folder was run')\n")
    _change_config(model_type="own", auto_map={"AutoModel": "own.Own", "AutoConfig": "own.C"})(
        folder
    )


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (shutil.rmtree, "no such folder.*never downloaded"),
        (_remove("config.json"), "no config.json"),
        (_remove("model.safetensors"), "no weights"),
        (_remove("tokenizer.json", "tokenizer_config.json"), "no tokenizer"),
        (lambda f: (f / "tokenizer.json").write_text("{}"), "tokenizer .* cannot be read"),
        (lambda f: (f / "tokenizer.json").write_text("oh"), "tokenizer .* cannot be read"),
        (_truncate, "cannot be loaded"),
        (_drop_weights, "not those of the configuration"),
        (_change_config(hidden_size=64), "cannot be loaded|not those of the configuration"),
        (_change_config(model_type="unheard"), "cannot be (loaded|read)"),
        (_remote_code, "cannot be (loaded|read)"),
        (_arm, "cannot be loaded"),
        (_change_config(max_position_embeddings=32), "cannot be loaded|not those|windows of 48"),
    ],
)
def test_folders_that_cannot_be_used(
    broken: Path,
    spoil: Callable[[Path], Any],
    message: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    spoil(broken)
    with pytest.raises(ConfigError, match=message):
        fit(tiny_transformer(broken))
    assert capfd.readouterr() == ("", "")


def test_windows_longer_than_the_encoder_reads(encoder: Path) -> None:
    config = tiny_transformer(encoder)
    with pytest.raises(ConfigError, match="cannot read windows of 65 sub-tokens"):
        fit(replace(config, encoder=replace(config.encoder, window=65)))
    with pytest.raises(ConfigError, match="cannot overlap by 46"):
        fit(replace(config, encoder=replace(config.encoder, overlap=46)))


def test_a_tokenizer_of_other_weights(broken: Path) -> None:
    table = json.loads(tiny_definition())
    table["model"]["vocab"]["unheard"] = len(table["model"]["vocab"])
    (broken / "tokenizer.json").write_text(json.dumps(table))
    with pytest.raises(ConfigError, match="but the encoder knows"):
        load_encoder(str(broken))


def test_pickled_weights_are_read_as_tensors_alone(broken: Path) -> None:
    from safetensors.torch import load_file

    safe = load_encoder(str(broken))
    weights = load_file(broken / "model.safetensors")
    (broken / "model.safetensors").unlink()
    torch.save(weights, broken / "pytorch_model.bin")
    old = load_encoder(str(broken))
    for name, value in safe.module.state_dict().items():
        assert torch.equal(value, old.module.state_dict()[name])
    assert old.fingerprint != safe.fingerprint


def test_a_folder_with_a_vocabulary_alone(broken: Path) -> None:
    vocabulary = json.loads((broken / "tokenizer.json").read_text())["model"]["vocab"]
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (broken / name).unlink()
    (broken / "vocab.txt").write_text("".join(f"{word}\n" for word in vocabulary))
    found = SubtokenEncoder(load_encoder(str(broken)).definition, window=40, overlap=8)
    cut = make_tokenizer("subword").tokenize(NOTES[0].text)
    expected = SubtokenEncoder(tiny_definition(), window=40, overlap=8).encode(cut)
    assert found.encode(cut).ids.tolist() == expected.ids.tolist()


def test_what_else_is_refused(encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tiny_transformer(encoder)
    with pytest.raises(ConfigError, match=r"no encoder is given.*--encoder"):
        fit(replace(config, encoder=replace(config.encoder, path="")))
    with pytest.raises(InputError, match="has no PHI"):
        fit(config, notes=[Document("a", "nothing")])
    with pytest.raises(ConfigError, match="training came apart"):
        fit(tiny_transformer(encoder, learning_rate=1e30, head_rate=1e30, clip=0.0))
    for package in ("torch", "transformers", "onnxscript"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, package, None)
            with pytest.raises(MissingExtraError, match=r'pip install "scrubjay\[transformers\]"'):
                fit(config)


def test_what_cannot_be_exported_is_refused_before_it_is_trained(
    encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> NoReturn:
        raise RuntimeError("no such operator")

    monkeypatch.setattr(torch.onnx, "export", fail)
    monkeypatch.setattr(tuned_encoder, "require_classifier_graph", require_classifier_graph)
    monkeypatch.setattr(TokenClassifier, "loss", lambda *_: pytest.fail("it was trained"))
    with pytest.raises(ConfigError, match="cannot be exported as an ONNX graph"):
        fit(tiny_transformer(encoder))


def test_out_of_memory_comes_with_advice(encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(*_: Any) -> NoReturn:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(TokenClassifier, "loss", run_out)
    with pytest.raises(ConfigError, match=r"Lower training\.batch or encoder\.window"):
        fit(tiny_transformer(encoder))
