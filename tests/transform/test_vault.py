"""The vault: what comes out is what went in, under the right key alone."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, MissingExtraError, OutputError, VaultError
from scrubjay.spans import require_disjoint
from scrubjay.transform import _vault_file
from scrubjay.transform._vault_records import (
    VaultEntry,
    VaultRecord,
    decode_id,
    decode_record,
    encode_record,
    make_record,
    occurrences,
)
from scrubjay.transform.edits import Edited, apply_edits
from scrubjay.transform.policy import find_policy
from scrubjay.transform.vault import (
    Interrupted,
    VaultWriter,
    describe_vault,
    open_vault,
    read_vault_key,
    require_apart,
    rotate_vault,
)
from tests.strategies import texts

KEY = b"0123456789abcdef0123456789abcdef"
OTHER = b"fedcba9876543210fedcba9876543210"
TEXT = "Jane Roe was seen by Dr. Lee on 3/4/2019.\r\nROE, Jane went home."
REAL_COST = _vault_file.SCRYPT_COST
SPANS = (Span(0, 8, "PATIENT"), Span(25, 28, "DOCTOR"), Span(32, 40, "DATE"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stretch keys a little only."""
    monkeypatch.setattr(_vault_file, "SCRYPT_COST", 2)


def edit(text: str, spans: Iterable[Span], *, policy: str = "placeholder") -> Edited:
    found = tuple(spans)
    return apply_edits(text, find_policy(policy).plan(Document("note", text), found))


def write(
    path: Path, texts: dict[str, str], *, key: bytes = KEY, interrupted: Interrupted = "refuse"
) -> None:
    with VaultWriter(path, key, interrupted=interrupted) as writer:
        for name, text in texts.items():
            spans = SPANS if text == TEXT else ()
            writer.add(name, text, found=spans, edited=edit(text, spans))
        writer.commit()


def test_records_come_back(tmp_path: Path) -> None:
    write(tmp_path / "v", {"note-1": TEXT, "note-2": "nothing"})
    with open_vault(tmp_path / "v", KEY) as vault:
        assert len(vault) == 2
        (record,) = vault.find("note-1")
        assert [(e.start, e.replacement, e.original, e.label) for e in record.entries] == [
            (0, "[PATIENT-1]", "Jane Roe", "PATIENT"),
            (28, "[DOCTOR-1]", "Lee", "DOCTOR"),
            (42, "[DATE-1]", "3/4/2019", "DATE"),
        ]
        assert all(entry.alone for entry in record.entries)
        assert vault.find("note-2")[0].entries == ()
        assert vault.find("note-3") == ()
        assert [record.document_id for record in vault.records()] == ["note-1", "note-2"]


def test_nothing_can_be_read_without_the_key(tmp_path: Path) -> None:
    write(tmp_path / "v", {"note-1": TEXT})
    content = (tmp_path / "v").read_bytes()
    for word in ("Jane", "Roe", "note", "PATIENT", "3/4"):
        assert word.encode() not in content
    write(tmp_path / "w", {"note-1": TEXT})
    other = (tmp_path / "w").read_bytes()
    assert len(other) == len(content)
    assert other[16:] != content[16:]


@pytest.mark.skipif(os.name == "nt", reason="no POSIX permissions")
def test_only_the_owner_may_read_a_vault(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        write(tmp_path / "v", {"note-1": TEXT})
        rotate_vault(tmp_path / "v", old=KEY, new=OTHER)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "v").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


def test_a_wrong_key_opens_nothing(tmp_path: Path) -> None:
    write(tmp_path / "v", {"note-1": TEXT})
    before = (tmp_path / "v").read_bytes()
    with pytest.raises(VaultError, match="not the key"):
        open_vault(tmp_path / "v", OTHER)
    with pytest.raises(VaultError, match="not the key"), VaultWriter(tmp_path / "v", OTHER):
        raise AssertionError("the vault was opened")
    with pytest.raises(VaultError, match="not the key"):
        rotate_vault(tmp_path / "v", old=OTHER, new=KEY)
    assert (tmp_path / "v").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


def test_the_stretching_of_keys_has_its_real_cost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_vault_file, "SCRYPT_COST", REAL_COST)
    assert REAL_COST * 8 * 128 >= 2**27  # the bytes that each try takes
    write(tmp_path / "v", {"note-1": TEXT})
    with open_vault(tmp_path / "v", KEY) as vault:
        assert len(vault) == 1
    monkeypatch.setattr(_vault_file, "SCRYPT_COST", 2)
    with pytest.raises(VaultError, match="not the key"):
        open_vault(tmp_path / "v", KEY)


def test_a_vault_of_the_version_before_is_read_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_vault_file, "FORMAT_VERSION", 1)
    monkeypatch.setattr(_vault_file, "_OLD_COSTS", {1: 4})
    write(tmp_path / "v", {"note-1": TEXT})
    monkeypatch.setattr(_vault_file, "FORMAT_VERSION", 2)
    assert describe_vault(tmp_path / "v", KEY).version == 1
    write(tmp_path / "v", {"note-2": TEXT})
    facts = describe_vault(tmp_path / "v", KEY)
    assert (facts.version, facts.documents) == (2, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "not a vault"),
        (lambda data: b"{" + data[1:], "not a vault"),
        (lambda data: data[:14] + b"\0\3" + data[16:], "version 3, but this release reads 1 and 2"),
        (lambda data: data[:20], "truncated"),
        (lambda data: data[:64], "truncated"),
        (lambda data: data[:-1], "truncated"),
        (lambda data: data[: 64 + 1040], "truncated"),
        (lambda data: data[: 64 + 1040] + data[64 + 2 * 1040 :], "altered"),
        (lambda data: data[:20] + bytes([data[20] ^ 1]) + data[21:], "altered"),
        (lambda data: data[:50] + bytes([data[50] ^ 1]) + data[51:], "altered"),
        (lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:], "block 4 of 9"),
        (lambda data: data + data[64 : 64 + 1040], "altered"),
    ],
)
def test_a_damaged_vault_is_refused(tmp_path: Path, change: object, message: str) -> None:
    write(tmp_path / "v", {f"note-{number}": TEXT for number in range(32)})
    data = (tmp_path / "v").read_bytes()
    assert len(data) == 64 + 9 * 1040
    assert callable(change)
    (tmp_path / "v").write_bytes(change(data))
    with pytest.raises(VaultError, match=message):
        open_vault(tmp_path / "v", KEY)


def test_a_vault_that_is_absent_or_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "absent", tmp_path):
        with pytest.raises(VaultError, match="cannot be read"):
            open_vault(path, KEY)


def test_blocks_of_another_vault_are_refused(tmp_path: Path) -> None:
    for name in "vw":
        write(tmp_path / name, {"note-1": TEXT})
    data, other = ((tmp_path / name).read_bytes() for name in "vw")
    (tmp_path / "v").write_bytes(data[:64] + other[64:])
    with pytest.raises(VaultError, match="altered"):
        open_vault(tmp_path / "v", KEY)


def test_a_missing_or_short_key_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="is missing"):
        VaultWriter(tmp_path / "v", None)
    with pytest.raises(ConfigError, match="shorter than 16"):
        open_vault(tmp_path / "v", b"short")
    monkeypatch.setenv("SCRUBJAY_VAULT_KEY", KEY.decode())
    assert read_vault_key() == KEY
    monkeypatch.delenv("SCRUBJAY_VAULT_KEY")
    assert read_vault_key() is None
    (tmp_path / "key").write_bytes(KEY + b"\n")
    assert read_vault_key(tmp_path / "key") == KEY


def test_the_extra_is_named_where_it_is_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    with pytest.raises(MissingExtraError, match=r"scrubjay\[vault\]"):
        write(tmp_path / "v", {"note-1": TEXT})
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        write(tmp_path / "absent" / "v", {"note-1": TEXT})


def test_further_runs_add_records(tmp_path: Path) -> None:
    write(tmp_path / "v", {"note-1": TEXT, "note-2": "nothing"})
    write(tmp_path / "v", {"note-3": "new", "note-1": "other"})
    with open_vault(tmp_path / "v", KEY) as vault:
        assert len(vault) == 4
        assert [record.size for record in vault.find("note-1")] == [5, len(edit(TEXT, SPANS).text)]
        first = vault.find_for("note-1", edit(TEXT, SPANS).text)
        assert first is not None
        assert len(first.entries) == 3
        latest = vault.find_for("note-1", "edited")
        assert latest is not None
        assert latest.size == 5
    facts = describe_vault(tmp_path / "v", KEY)
    assert (facts.records, facts.documents) == (4, 3)
    assert facts.mentions == {"DATE": 1, "DOCTOR": 1, "PATIENT": 1}
    bare = describe_vault(tmp_path / "v").to_json()
    assert bare == {
        "format_version": 2,
        "bytes": 64 + 1040,
        "records": None,
        "documents": None,
        "mentions_per_label": None,
    }


def test_a_run_that_fails_leaves_the_vault_as_it_was(tmp_path: Path) -> None:
    write(tmp_path / "v", {"note-1": TEXT})
    before = (tmp_path / "v").read_bytes()
    with pytest.raises(VaultError), VaultWriter(tmp_path / "v", KEY) as writer:
        writer.add("note-2", TEXT + "?", found=SPANS, edited=edit(TEXT, SPANS))
    assert (tmp_path / "v").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


def kill(path: Path, names: list[str]) -> None:
    """Leave what a run leaves that is killed after the last name."""
    with suppress(KeyboardInterrupt), VaultWriter(path, KEY) as writer:
        for name in names:
            writer.add(name, TEXT, found=SPANS, edited=edit(TEXT, SPANS))
            writer.flush()
        writer.add("unsafe", TEXT, found=SPANS, edited=edit(TEXT, SPANS))
        raise KeyboardInterrupt


def names_in(path: Path) -> list[str]:
    with open_vault(path, KEY) as vault:
        return [record.document_id for record in vault.records()]


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    write(tmp_path / "v", {"note-0": TEXT})
    kill(tmp_path / "v", ["note-1", "note-2"])
    place = tmp_path / ".v.partial"
    place.write_bytes(place.read_bytes() + b"x" * 100)
    with pytest.raises(OutputError, match=r"being written.*--resume"):
        write(tmp_path / "v", {"note-3": TEXT})
    with pytest.raises(VaultError, match="not the key"):
        write(tmp_path / "v", {"note-3": TEXT}, key=OTHER, interrupted="resume")
    with pytest.raises(OutputError, match="being written"):
        write(tmp_path / "v", {"note-3": TEXT})
    new = edit(TEXT, SPANS)
    with VaultWriter(tmp_path / "v", KEY, interrupted="resume") as writer:
        writer.require("note-1", new.text)
        with pytest.raises(VaultError, match="nothing of document 'note-3'"):
            writer.require("note-3", new.text)
        with pytest.raises(VaultError, match="nothing of document 'note-1'"):
            writer.require("note-1", new.text + "x")
        for name in ("note-2", "note-3"):
            writer.add(name, TEXT, found=SPANS, edited=new)
        writer.commit()
    assert names_in(tmp_path / "v") == ["note-0", "note-1", "note-2", "note-3"]
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


def test_a_killed_run_can_begin_anew(tmp_path: Path) -> None:
    write(tmp_path / "v", {"note-0": TEXT})
    kill(tmp_path / "v", ["note-1"])
    write(tmp_path / "v", {"note-2": TEXT}, interrupted="restart")
    assert names_in(tmp_path / "v") == ["note-0", "note-2"]
    assert [path.name for path in tmp_path.iterdir()] == ["v"]


def test_a_run_killed_while_it_resumed_goes_on(tmp_path: Path) -> None:
    kill(tmp_path / "v", ["note-1"])
    (tmp_path / ".v.partial").rename(tmp_path / ".v.resumed")
    (tmp_path / ".v.partial").write_bytes(b"begun")
    write(tmp_path / "v", {"note-2": TEXT}, interrupted="resume")
    assert names_in(tmp_path / "v") == ["note-1", "note-2"]
    (tmp_path / ".w.partial").write_bytes(b"begun")
    write(tmp_path / "w", {"note-2": TEXT}, interrupted="resume")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["v", "w"]


def test_an_error_keeps_what_a_resumed_run_had(tmp_path: Path) -> None:
    kill(tmp_path / "v", ["note-1"])
    for _ in range(2):
        with pytest.raises(VaultError), VaultWriter(tmp_path / "v", KEY, interrupted="resume") as w:
            w.require("note-9", "")
    write(tmp_path / "v", {"note-2": TEXT}, interrupted="resume")
    assert names_in(tmp_path / "v") == ["note-1", "note-2"]


def test_two_runs_cannot_write_at_once(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    choices: tuple[Interrupted, ...] = ("refuse", "resume", "restart")
    with VaultWriter(tmp_path / "v", KEY) as writer:
        for choice in choices:
            message = "being written" if choice == "refuse" else "another run writes"
            with pytest.raises(OutputError, match=message):
                write(tmp_path / "v", {"note-1": TEXT}, interrupted=choice)
        writer.commit()
    assert names_in(tmp_path / "v") == []


def test_rotation_changes_the_key_and_keeps_the_records(tmp_path: Path) -> None:
    write(tmp_path / "v", {f"note-{number}": TEXT for number in range(30)})
    with open_vault(tmp_path / "v", KEY) as vault:
        before = list(vault.records())
    with pytest.raises(ConfigError, match="the old one"):
        rotate_vault(tmp_path / "v", old=KEY, new=KEY)
    assert rotate_vault(tmp_path / "v", old=KEY, new=OTHER) == 30
    with pytest.raises(VaultError, match="not the key"):
        open_vault(tmp_path / "v", KEY)
    with open_vault(tmp_path / "v", OTHER) as vault:
        assert list(vault.records()) == before


def test_records_larger_than_a_block_come_back(tmp_path: Path) -> None:
    names = {f"{'long ' * 3000}{number}": TEXT for number in range(3)}
    write(tmp_path / "v", names)
    with open_vault(tmp_path / "v", KEY) as vault:
        for name in names:
            assert [record.document_id for record in vault.find(name)] == [name]


def test_key_vault_and_output_lie_apart(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for vault, key, message in (
        (out / "v", tmp_path / "key", "the vault lies in the output folder"),
        (tmp_path / "v", out / "key", "the key of the vault lies in the output folder"),
        (tmp_path / "v", tmp_path / "key", "the key lies beside the vault"),
    ):
        with pytest.raises(ConfigError, match=message):
            require_apart(vault=vault, keys=[key], out=out)
    require_apart(vault=tmp_path / "v", keys=[tmp_path / "k" / "key", None], out=out)


def test_a_record_that_does_not_lead_back_is_refused() -> None:
    edited = edit(TEXT, SPANS)
    with pytest.raises(VaultError, match="'note': its replacements do not give"):
        make_record("note", TEXT + "x", found=SPANS, edited=edited)


def test_reprs_show_no_text() -> None:
    record = make_record("note", TEXT, found=SPANS, edited=edit(TEXT, SPANS))
    assert repr(record) == "VaultRecord('note', 3 entries)"
    assert repr(record.entries[0]) == "VaultEntry(0, 11, PATIENT)"


@given(
    st.text(),
    st.lists(st.tuples(st.integers(0, 99), st.text(), st.text(), st.text(), st.booleans())),
)
def test_lines_keep_records(name: str, rows: list[tuple[int, str, str, str, bool]]) -> None:
    entries = tuple(VaultEntry(s, r, o, label, "ab", alone) for s, r, o, label, alone in rows)
    record = VaultRecord(name, 7, "cd", entries, "ef")
    line = encode_record(record)
    assert line.count(b"\n") == 1
    assert decode_id(line) == name
    assert decode_record(line) == record


@given(texts(), st.data())
def test_every_policy_can_be_taken_back(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    spans = require_disjoint([Span(a, b, "PATIENT") for a, b in pairs], document_id="note")
    for policy in ("placeholder", "mask", "redact"):
        edited = edit(text, spans, policy=policy)
        record = make_record("note", text, found=spans, edited=edited)
        assert record.fits(edited.text)
        assert apply_edits(edited.text, record.edits(), empty="insert").text == text


@given(st.text("ab_ [1", max_size=30), st.sets(st.text("ab_ [1", max_size=4), max_size=5))
def test_occurrences_are_those_of_a_plain_search(text: str, wanted: set[str]) -> None:
    def word(place: int) -> bool:
        return 0 <= place < len(text) and (text[place].isalnum() or text[place] == "_")

    plain = [
        (start, value)
        for start in range(len(text))
        for value in sorted(wanted, key=len, reverse=True)
        if value and text.startswith(value, start)
        if not (word(start - 1) and word(start))
        if not (word(start + len(value) - 1) and word(start + len(value)))
    ]
    assert list(occurrences(text, wanted)) == plain
