"""Peers are asked over JSON lines, and what they find is mapped and counted fairly; no network."""

from __future__ import annotations

import importlib
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError
from scrubjay.evaluation.pairs import Pair
from scrubjay.labels import find_label_set

TOY = """
from protocol import serve

def load():
    print("noise on stdout")
    def find(text):
        if "stop" in text:
            raise ValueError("stop")
        start = text.find("Lee")
        if start >= 0:
            yield start, start + 3, "PERSON"
        if "far" in text:
            yield 0, len(text) + 1, "PERSON"
    return find

serve(load)
"""
MODULES = ("harness", "shipped", "peer_declarations", "peer_process", "peer_scores", "peers")


@pytest.fixture(scope="module")
def room() -> Iterator[dict[str, Any]]:
    """Return the modules of the benchmark, which are no part of the package."""
    folder = str(Path(__file__).resolve().parent.parent / "benchmarks")
    sys.path.insert(0, folder)
    try:
        yield {name: importlib.import_module(name) for name in MODULES}
    finally:
        sys.path.remove(folder)
        for name in MODULES:
            sys.modules.pop(name, None)


@pytest.fixture
def toy(tmp_path: Path, root: Path) -> list[str]:
    """Return the command of a toy adapter, which stands beside the real protocol."""
    source = (root / "benchmarks" / "peers" / "protocol.py").read_text("utf-8")
    (tmp_path / "protocol.py").write_text(source, encoding="utf-8")
    (tmp_path / "run_toy.py").write_text(TOY, encoding="utf-8")
    return [sys.executable, str(tmp_path / "run_toy.py")]


def test_a_peer_answers_each_text_in_characters(room: dict[str, Any], toy: list[str]) -> None:
    texts = ["Dr. Lee", "𝒳 é\r\nLee", "nobody", ""]
    answers = room["peer_process"].ask(toy, texts, limit=60)
    assert answers.spans == (((4, 7, "PERSON"),), ((5, 8, "PERSON"),), (), ())
    assert answers.load_seconds > 0
    assert answers.clock > 0


@pytest.mark.parametrize("text", ["please stop", "too far"])
def test_a_peer_that_fails_is_named_without_text(
    room: dict[str, Any], toy: list[str], text: str
) -> None:
    process = room["peer_process"]
    with pytest.raises(process.PeerError, match="note 1") as caught:
        process.ask(toy, ["Dr. Lee", text], limit=60)
    assert text not in str(caught.value)


MANY = TOY.replace("import serve", "import Finder, serve").replace(
    "    return find\n", "    return Finder(find, lambda texts: [list(find('Lee'))] * len(texts))\n"
)


@pytest.mark.parametrize("many", [False, True])
def test_many_texts_go_the_way_of_the_peer(
    room: dict[str, Any], toy: list[str], *, many: bool
) -> None:
    if many:
        Path(toy[1]).write_text(MANY, "utf-8")
    parts = [["Dr. Lee"], ["Lee", "nobody", ""]]
    answers = room["peer_process"].ask_many(toy, parts, limit=60)
    assert [answer.spans for answer in answers] == ([1, 3] if many else [1, 1])
    assert all(answer.clock > 0 for answer in answers)


def test_many_texts_of_which_one_fails_are_named_without_text(
    room: dict[str, Any], toy: list[str]
) -> None:
    process = room["peer_process"]
    with pytest.raises(process.PeerError, match="part 1") as caught:
        process.ask_many(toy, [["Lee"], ["Lee", "please stop"]], limit=60)
    assert "please" not in str(caught.value)


def test_a_peer_that_hangs_is_ended(room: dict[str, Any]) -> None:
    process = room["peer_process"]
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    with pytest.raises(process.PeerError, match="its start"):
        process.ask(command, ["text"], limit=0.3)


def test_every_declaration_is_whole(room: dict[str, Any]) -> None:
    peers = room["peer_declarations"].read_peers()
    assert {peer.name for peer in peers} >= {"presidio", "deduce", "philter", "pydeid"}
    for peer in peers:
        if peer.unavailable:
            continue
        assert Path(peer.command[0]).exists()
        pins = peer.requirements.read_text("utf-8").splitlines()
        assert all(line.startswith("#") or "==" in line for line in pins)
        named = {pin.partition("==")[0].lower().replace("_", "-") for pin in pins}
        assert peer.package.lower().replace("_", "-") in named
        assert not set(peer.never) & set(peer.types.values()) - {"LOCATION", "NAME"}


def test_a_declaration_needs_reasons(room: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    head = (
        'title="X"\npackage="x"\nlanguage="en"\nlicence="MIT"\nrequirements="x"\nadapter="x.py"\n'
    )
    read = room["peer_declarations"].read_peer
    path.write_text(head + '[types]\nA = { category = "NAME", reason = "" }\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="reason"):
        read(path)
    path.write_text(head + 'colour = "red"\n[types]\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="colour"):
        read(path)
    path.write_text(
        head + '[types]\nA = { category = "NAME", reason = "people" }\n'
        'B = { category = "", reason = "no PHI here" }\n',
        encoding="utf-8",
    )
    peer = read(path)
    assert peer.map_spans([(4, 7, "A"), (4, 7, "A"), (0, 2, "B")]) == (Span(4, 7, "NAME"),)
    with pytest.raises(ConfigError, match="'C'"):
        peer.map_spans([(0, 1, "C")])


def test_the_label_sets_of_the_corpora_have_a_category_for_each_label(
    room: dict[str, Any],
) -> None:
    coarse = room["peer_declarations"].coarse_labels()
    for name in ("i2b2-2014", "trienes-2020"):
        assert set(find_label_set(name).main_categories) <= set(coarse.labels)


def pair(text: str, gold: list[Span], found: list[Span]) -> Pair:
    document = Document("a", text, tuple(gold))
    return Pair(document, document.with_spans(found))


def test_figures_by_hand(room: dict[str, Any]) -> None:
    # 8 runs of letters and digits, 3 of them PHI; one found, one wrong, "Lee" under a wrong name.
    text = "Dr Lee saw Ann on Monday at noon"
    gold = [Span(3, 6, "NAME"), Span(11, 14, "NAME"), Span(18, 24, "DATE")]
    found = [Span(3, 6, "LOCATION"), Span(18, 24, "DATE"), Span(28, 32, "DATE")]
    figures = room["peer_scores"].score([pair(text, gold, found)])
    assert figures["strict"]["recall"] == pytest.approx(1 / 3)
    assert figures["blind-strict"]["recall"] == pytest.approx(2 / 3)
    assert figures["token"]["precision"] == pytest.approx(2 / 3)
    assert figures["plain-tokens"] == 5
    assert figures["false-positives-per-1000"] == pytest.approx(200)
    assert (figures["documents-with-phi"], figures["documents-clean"]) == (1, 0)


def test_a_system_without_types_has_no_labelled_figures(room: dict[str, Any]) -> None:
    figures = room["peer_scores"].score(
        [pair("Ann", [Span(0, 3, "NAME")], [Span(0, 3, "UNNAMED")])], labelled=False
    )
    assert figures["strict"] is None
    assert figures["relaxed"] is None
    assert figures["token"]["f1"] == 1.0


def test_what_is_left_out_charges_nobody(room: dict[str, Any]) -> None:
    text = "Ann, 45, a nurse in Rome"
    gold = [Span(0, 3, "NAME"), Span(5, 7, "AGE"), Span(11, 16, "PROFESSION")]
    found = [Span(0, 3, "NAME"), Span(5, 7, "DATE"), Span(20, 24, "LOCATION")]
    left = room["peer_scores"].leave_out(pair(text, gold, found), {"AGE", "PROFESSION"})
    assert left.gold.spans == (Span(0, 3, "NAME"),)
    assert left.predicted.spans == (Span(0, 3, "NAME"), Span(20, 24, "LOCATION"))


def test_a_toy_peer_from_notes_to_page(room: dict[str, Any], toy: list[str]) -> None:
    declarations, peers = room["peer_declarations"], room["peers"]
    peer = declarations.Peer(
        "toy", "Toy", "toy", "en", "none", command=tuple(toy[1:]), types={"PERSON": "NAME"}
    )
    documents = [
        Document("a", "Dr. Lee called", (Span(4, 7, "DOCTOR"),)),
        Document("b", "Rome again", (Span(0, 4, "CITY"),)),
    ]
    before = [Document("c", "Dr. Lee again")] * 3
    notes = peers.Notes("toys", documents, documents, before, "i2b2-2014", "en")
    row, _ = peers.measure(peer, toy[0], notes, Namespace(seconds=60, seed=0, warm_up=2))
    assert (row["notes"], row["warm-up-notes"]) == (2, 2)
    assert row["strict"] == {"precision": 1.0, "recall": 0.5, "f1": pytest.approx(2 / 3)}
    assert row["share-clean"] == 0.5
    gone = {"corpus": "toys", "system": "Gone", "licence": "none", "unavailable": "empty package"}
    page = peers.render({"toy": row | {"version": "1"}, "gone": gone})
    assert "| Toy | no | 1.000 | 0.500 | 0.667 |" in page
    assert "**not run**: empty package." in page


def test_an_environment_that_cannot_be_made_is_begun_anew(
    room: dict[str, Any], tmp_path: Path, toy: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    process = room["peer_process"]
    pins = tmp_path / "toy.txt"
    pins.write_text("# nothing\n", encoding="utf-8")
    made: list[Path] = []

    def create(place: Path, with_pip: bool) -> None:
        made.append(place)
        (place / "bin").mkdir(parents=True)
        (place / "bin" / "python").symlink_to(sys.executable)
        (place / "lib" / "python3" / "site-packages" / "toy" / "data").mkdir(parents=True)

    def fail(python: Path, requirements: Path) -> None:
        raise process.PeerError("pip failed")

    monkeypatch.setattr(process.venv, "create", create)
    monkeypatch.setattr(process, "_install", fail)
    arguments = (tmp_path / "envs", pins, ["toy/data"], toy[1:])
    with pytest.raises(process.PeerError):
        process.prepare_environment(*arguments)
    monkeypatch.setattr(process, "_install", lambda python, requirements: None)
    python = process.prepare_environment(*arguments)
    assert not list(python.parent.parent.glob("lib/*/site-packages/toy/data"))
    assert process.prepare_environment(*arguments) == python
    assert len(made) == 2
