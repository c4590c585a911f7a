"""What a run reads, and what it reads ahead to meet errors early."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from scrubjay.batch import input as inputs
from scrubjay.batch.input import Input
from scrubjay.cli import main as cli
from scrubjay.errors import FormatError
from tests.toys import ship_toy_model

BAD = {
    "an id that comes twice": b"id,text\n1,a\n2,b\n1,c\n",
    "broken quotes": b'id,text\n1,a\n2,"b\n3,c\n',
    "too many fields": b"id,text\n1,a\n2,b,c\n",
    "bytes of another encoding": "id,text\n1,José\n2,Zoë\n3,ñ”\n".encode() + b"4,\xe9\n",
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("command", ["deid", "annotate"])
def test_what_is_wrong_at_the_end_ends_a_run_before_its_first_document(
    command: str,
    case: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ship_toy_model(monkeypatch, tmp_path / "shipped")

    def never(*arguments: object, **options: object) -> None:
        raise AssertionError("the run has begun")

    monkeypatch.setattr("scrubjay.cli._run.open_work", never)
    (tmp_path / "a.csv").write_bytes(BAD[case])
    out = tmp_path / "out"
    assert cli.run([command, str(tmp_path / "a.csv"), "--out", str(out), "--model", "toy"]) == 2
    assert "a.csv" in capsys.readouterr().err
    assert not out.exists()


def test_what_is_large_or_a_stream_is_not_read_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_bytes(BAD["an id that comes twice"])
    source = Input((str(tmp_path / "a.csv"),))
    folder = Input((str(tmp_path),))
    for each in (source, folder):
        with pytest.raises(FormatError, match="a second document"):
            each.read_ahead()
    monkeypatch.setattr(inputs, "AHEAD_BYTES", 4)
    source.read_ahead()
    monkeypatch.undo()
    monkeypatch.setattr(inputs, "AHEAD_FILES", 0)
    folder.read_ahead()
    monkeypatch.undo()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"text")))
    Input(("-",)).read_ahead()
    os.mkfifo(tmp_path / "pipe.csv")
    Input((str(tmp_path / "pipe.csv"),)).read_ahead()


def test_what_was_read_ahead_is_no_part_of_the_share_that_was_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"id,text\n1,a\n2,b\n")
    source = Input((str(tmp_path / "a.csv"),))
    source.read_ahead()
    assert source.fraction_read() is None
    assert len(list(source.read())) == 2
    assert source.fraction_read() == 1
