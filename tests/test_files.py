"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scrubjay import files
from scrubjay.errors import ConfigError, OutputError
from scrubjay.files import is_device, make_folders, read_toml, replacing, write_whole


def test_a_file_is_what_it_was_until_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with replacing(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_closed_stream_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr(files, "standard_stream", lambda _: 1)  # another file may have the number
    with pytest.raises(OutputError), replacing(Path(os.devnull)) as stream:
        stream.write(b"new")


def test_a_block_that_raises_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), replacing(path) as stream:
        stream.writelines([b"new", "no bytes"])  # type: ignore[list-item]
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_private_file_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        for private, mode in ((True, 0o600), (False, 0o644)):
            with replacing(tmp_path / "file", private=private) as stream:
                stream.write(b"x")
            assert (tmp_path / "file").stat().st_mode & 0o777 == mode
            write_whole(tmp_path / "text", "x", private=private)
            assert (tmp_path / "text").stat().st_mode & 0o777 == mode
            write_whole(tmp_path / str(private) / "a" / "text", "x", private=private)
            folders = [tmp_path / str(private), tmp_path / str(private) / "a"]
            made = 0o700 if private else 0o755
            assert [each.stat().st_mode & 0o777 for each in folders] == [made, made]
    finally:
        os.umask(before)


@pytest.mark.parametrize(("private", "mode"), [(True, 0o700), (False, 0o750)])
def test_folders_that_were_made_are_told_and_others_left(
    tmp_path: Path, private: bool, mode: int
) -> None:
    (tmp_path / "there").mkdir(mode=0o755)
    before, made = os.umask(0o027), [Path("before")]
    try:
        make_folders(tmp_path / "there" / "a" / "b", made, private=private)
        make_folders(tmp_path / "there" / "a" / "b", made, private=private)
    finally:
        os.umask(before)
    new = [tmp_path / "there" / "a", tmp_path / "there" / "a" / "b"]
    assert made == [Path("before"), *new]
    assert [each.stat().st_mode & 0o777 for each in new] == [mode, mode]
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"."):
        make_folders(tmp_path / "file" / "c", made, private=private)
    assert len(made) == 3


def test_what_cannot_be_written_is_told_by_its_name(tmp_path: Path) -> None:
    with (
        pytest.raises(OutputError, match="the key cannot be written"),
        replacing(tmp_path / "nowhere" / "file", what="the key"),
    ):
        pass


def test_a_text_is_written_with_the_folders_that_it_lies_in(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b", "\u00e9\n")
    assert (tmp_path / "a" / "b").read_bytes() == b"\xc3\xa9\n"
    with pytest.raises(OutputError):
        write_whole(tmp_path / "a" / "b" / "c", "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "x\n", private=True)
        assert os.read(reader, 10) == b"x\n"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="no such device")
def test_devices_and_streams_are_told_from_files(tmp_path: Path) -> None:
    # Nothing is written: where this fails, root would lose the device.
    (tmp_path / "there").touch()
    (tmp_path / "link").symlink_to(tmp_path / "there")
    (tmp_path / "null").symlink_to("/dev/null")
    names = ("there", "link", "new", "", "/dev/new-file", "null", "/dev/null", "/dev/stdout")
    found = [name for name in names if is_device(tmp_path / name)]
    assert found == ["null", "/dev/null", "/dev/stdout"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no such folder")
def test_a_stream_that_is_a_file_is_written_to(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as stream:
        write_whole(Path(f"/proc/self/fd/{stream.fileno()}"), "x\n")
    assert (tmp_path / "out").read_bytes() == b"x\n"
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


def test_settings_are_read_or_what_is_wrong_is_told(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b'\xef\xbb\xbfname = "a"\n')
    assert read_toml(path) == {"name": "a"}
    for content, wrong in ((b"a = \xe9", "byte 4: not UTF-8"), (b"a =", "not valid TOML")):
        path.write_bytes(content)
        with pytest.raises(ConfigError, match=wrong):
            read_toml(path)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_toml(tmp_path / "none.toml")
