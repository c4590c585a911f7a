"""Parcels: content arrives as it was, equal content once."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from scrubjay.batch.parcels import files_of, pack, place_files
from scrubjay.batch.setup import DeidSetup
from scrubjay.errors import ConfigError


def test_a_folder_arrives_as_it_was(tmp_path: Path) -> None:
    model = tmp_path / "my model"
    (model / "part").mkdir(parents=True)
    (model / "manifest.json").write_text("{}")
    (model / "part" / "weights.npy").write_bytes(bytes(range(256)))
    (tmp_path / "out").mkdir()
    parcel = pack(model, tmp_path / "out")
    assert stat.S_IMODE(parcel.archive.stat().st_mode) == 0o600
    with zipfile.ZipFile(parcel.archive) as archive:
        archive.extractall(tmp_path / "there")
    arrived = parcel.unpacked(tmp_path / "there")
    assert arrived.name == "my model"
    assert (arrived / "manifest.json").read_text() == "{}"
    assert (arrived / "part" / "weights.npy").read_bytes() == bytes(range(256))
    assert [each.name for each in (tmp_path / "out").iterdir()] == [parcel.archive.name]


def test_equal_content_has_one_name_and_other_content_another(tmp_path: Path) -> None:
    file = tmp_path / "allow.txt"
    file.write_text("Foley")
    first = pack(file, tmp_path)
    assert pack(file, tmp_path) == first
    file.write_text("Foley\nBell")
    assert pack(file, tmp_path).name != first.name


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be packed"):
        pack(tmp_path / "missing", tmp_path)


def test_files_of_a_setup_are_those_that_the_package_has_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert files_of(DeidSetup("en-fast", "surrogate", b"k")) == {}
    setup = DeidSetup("mine", "own.toml", allow=Path("allow.txt"))
    files = files_of(setup)
    assert files == {
        "model": tmp_path / "mine",
        "policy": tmp_path / "own.toml",
        "allow": tmp_path / "allow.txt",
    }
    placed = place_files(setup, files)
    assert placed == DeidSetup(
        str(tmp_path / "mine"), str(tmp_path / "own.toml"), allow=tmp_path / "allow.txt"
    )
