"""Noise: spans stay exact, and PHI stays apart from what is none."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, FormatError
from scrubjay.features.lexicons import fold_accents
from scrubjay.spans import require_disjoint
from scrubjay.synthesis.noise import KINDS, add_noise, noise_rates

LAYOUT = ("join-lines", "glue", "bullets", "indents", "spaces", "wrap", "crlf")
CASE = ("upper-document", "lower-document", "upper-lines", "upper-phi", "lower-phi", "mixed-case")
PIECES = st.lists(
    st.tuples(st.text(alphabet="Abc dé.lI0rn-'\nß 5", min_size=1, max_size=14), st.booleans()),
    min_size=1,
    max_size=12,
)


def build(pieces: list[tuple[str, bool]]) -> Document:
    text, spans = "", []
    for piece, phi in pieces:
        start = len(text)
        text += piece
        core = piece.strip()
        if phi and core:
            start += len(piece) - len(piece.lstrip())
            spans.append(Span(start, start + len(core), "DATE"))
    return Document("d", text, tuple(spans))


def plain(text: str, kind: str) -> str:
    return re.sub(r"[\s\-*•>·#–o]|\d+[.)]" if kind == "bullets" else r"\s", "", text)


@given(pieces=PIECES, seed=st.integers(0, 10_000), kind=st.sampled_from(LAYOUT))
@settings(max_examples=80)
def test_layout_moves_no_letter_into_or_out_of_phi(
    pieces: list[tuple[str, bool]], seed: int, kind: str
) -> None:
    before = build(pieces)
    after = add_noise(before, {kind: 1.0}, Random(seed))
    assert len(after.spans) == len(before.spans)
    for old, new in zip(before.spans, after.spans, strict=True):
        mention = after.text[new.start : new.end]
        assert mention == mention.strip()
        assert "".join(mention.split()) == "".join(before.text[old.start : old.end].split())
    assert plain(outside(after), kind) == plain(outside(before), kind)


@given(pieces=PIECES, seed=st.integers(0, 10_000), kind=st.sampled_from((*CASE, "accents")))
@settings(max_examples=100)
def test_case_and_accents_move_nothing(
    pieces: list[tuple[str, bool]], seed: int, kind: str
) -> None:
    before = build(pieces)
    after = add_noise(before, {kind: 1.0}, Random(seed))
    assert after.spans == before.spans
    assert fold_accents(after.text).lower() == fold_accents(before.text).lower()


@given(pieces=PIECES, seed=st.integers(0, 10_000))
@settings(max_examples=80)
def test_all_noise_together_keeps_every_mention(pieces: list[tuple[str, bool]], seed: int) -> None:
    before = build(pieces)
    after = add_noise(before, dict.fromkeys(KINDS, 1.0), Random(seed))
    require_disjoint(after.spans, document_id="d")
    assert len(after.spans) == len(before.spans)
    for span in after.spans:
        mention = after.text[span.start : span.end]
        assert mention == mention.strip() != ""


def test_slips_stay_on_their_side_of_a_border() -> None:
    text = "aaaabbbb" * 30
    spans = tuple(Span(start, start + 4, "DATE") for start in range(0, len(text), 8))
    for seed in range(200):
        after = add_noise(Document("d", text, spans), {"typos": 1.0, "ocr": 1.0}, Random(seed))
        assert all("b" not in after.text[s.start : s.end] for s in after.spans)


def outside(document: Document) -> str:
    kept, position = [], 0
    for span in document.spans:
        kept.append(document.text[position : span.start])
        position = span.end
    return "".join([*kept, document.text[position:]])


def test_each_kind_does_something() -> None:
    words = "Seen by Dr. José O'Neill on 3/4 at clinic with mild pain in left calf, room 5. "
    document = Document("d", f"{words * 6}\n{words}\n{words}", (Span(12, 23, "DOCTOR"),))
    for kind in KINDS:
        texts = {add_noise(document, {kind: 1.0}, Random(seed)).text for seed in range(40)}
        assert texts - {document.text}, kind


def test_what_was_done_stands_in_the_metadata() -> None:
    done = add_noise(Document("d", "a b\n"), {"crlf": 1.0}, Random(0))
    assert (done.text, done.metadata["synth.noise"]) == ("a b\r\n", "crlf")
    assert add_noise(Document("d", "a"), {}, Random(0)).metadata == {}


def test_rates_from_a_number_and_from_a_file(tmp_path: Path) -> None:
    assert noise_rates("0") == {}
    assert noise_rates("2")["typos"] == pytest.approx(2 * noise_rates(1.0)["typos"])
    assert max(noise_rates("10").values()) == 1
    file = tmp_path / "rates.toml"
    file.write_text("wrap = 1\ntypos = 0.25\n")
    assert noise_rates(str(file)) == {"typos": 0.25, "wrap": 1.0}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("wrapp = 1", "no kind of noise 'wrapp'"),
        ("wrap = 2", "wrap: must be a number from 0 to 1"),
        ("wrap = true", "must be a number"),
        ("wrap =", "not valid TOML"),
    ],
)
def test_bad_rates(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "rates.toml"
    file.write_text(content)
    with pytest.raises((ConfigError, FormatError), match=message):
        noise_rates(str(file))


def test_bad_factors() -> None:
    with pytest.raises(ConfigError, match="from 0 to 10"):
        noise_rates("-1")
    with pytest.raises(ConfigError, match="Noise is a number or a TOML file"):
        noise_rates("much")
