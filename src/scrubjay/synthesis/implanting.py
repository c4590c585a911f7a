"""Implanting: synthetic PHI put into text that has no annotations.

Placeholders and plain PHI are replaced, sentences get names, dates and places where they fit,
whole sentences, headers and signatures of the synthesis grammar come between paragraphs, and
what looks real but has no label is marked, so that training leaves it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from scrubjay.corpora.metadata import annotation_free
from scrubjay.corpora.regions import (
    Region,
    ignored_regions,
    join_regions,
    left_out,
    region_metadata,
)
from scrubjay.detectors import Detector
from scrubjay.document import Document, Span
from scrubjay.errors import ConfigError, InputError
from scrubjay.synthesis.filling import fill_nodes
from scrubjay.synthesis.grammar import Grammar, find_grammar
from scrubjay.synthesis.implant_tables import OPEN, Tables, find_tables, parse_piece
from scrubjay.synthesis.nodes import Call, Nodes, Slot
from scrubjay.synthesis.placeholders import Mention, find_known, find_placeholders, overlaps
from scrubjay.synthesis.pools import Half
from scrubjay.synthesis.residue import find_residue
from scrubjay.synthesis.scene import NEAR, Scene
from scrubjay.synthesis.sources import Sources, choose_sources
from scrubjay.transform.edits import Edit, apply_edits

_MARKS = {"\\1": "\ue001", "\\2": "\ue002"}
"""What stands for the groups of an anchor while its text is filled."""

_SAID_OFTEN = 8
"""Tries to find an anchor's other wording where the first does not fit its sentence."""


@dataclass(frozen=True, slots=True, repr=False)
class _Piece:
    """Text that takes the place of `[start, end)`, with the spans of its PHI from its begin."""

    start: int
    end: int
    text: str
    spans: tuple[Span, ...] = ()


def implant(
    documents: Iterable[Document],
    language: str,
    seed: int = 0,
    *,
    rate: float = 0.5,
    names: Half = "all",
    own: Mapping[str, tuple[str, ...]] | None = None,
    detector: Detector | None = None,
) -> Iterator[Document]:
    """Yield each document with synthetic PHI in it, annotated, and what must be ignored marked.

    The result follows from the seed, the id and the text. `rate` (0 to 1) is the chance that a
    place where PHI fits gets some; placeholders are replaced in any case. `names` and `own` are
    as in `generation.generate`. What `detector` finds beyond that is marked, too. Regions stand
    in the metadata as `corpora.regions` tells; those that a document has stay.

    Raises `ConfigError` for an unknown language, half or list, an empty list, and a rate outside
    of [0, 1] at once; while documents are read, `InputError` for one with annotations.
    """
    tables = find_tables(language)
    if not 0 <= rate <= 1:
        raise ConfigError(f"the rate must be from 0 to 1, not {rate:g}")
    sources = choose_sources(language, names, own)
    run = _Run(tables, find_grammar(language), sources, seed, rate, detector)
    return (run.implant(document) for document in documents)


@dataclass(frozen=True, slots=True, repr=False)
class _Run:
    """What all documents of a run have in common."""

    tables: Tables
    grammar: Grammar
    sources: Sources
    seed: int
    rate: float
    detector: Detector | None

    def implant(self, document: Document) -> Document:
        if document.spans:
            raise InputError(
                f"document {document.id!r} has {len(document.spans)} annotations, and PHI is "
                "implanted into text that has none",
                hint="Give the text alone, or train on it as it is",
            )
        text = document.text
        placed = find_placeholders(text, self.tables)
        known = [m for m in find_known(text, self.tables) if not overlaps(m.start, m.end, placed)]
        mentions = sorted([*placed, *known], key=lambda mention: mention.start)
        regions = self._regions(document, mentions)
        mentions = [m for m in mentions if m.kind.name != OPEN]
        rng = Random(f"{self.seed}:{document.id}")
        scene = Scene(self.sources, rng)
        ladies, men = (len(find.findall(text)) for find in (self.tables.female, self.tables.male))
        if ladies != men:
            scene.introduce("patient", "", female=ladies > men)
        self._settle(scene, text, mentions)
        writer = _Writer(self, scene, rng, text)
        pieces = [writer.replace(mention) for mention in mentions]
        marked = replace(document, metadata=region_metadata({}, regions))
        barred = [*left_out(marked), *((m.start, m.end) for m in mentions)]
        pieces += writer.anchor(barred, mentions)
        pieces += writer.insert(barred)
        return _assemble(document, pieces, regions)

    def _settle(self, scene: Scene, text: str, mentions: list[Mention]) -> None:
        """Let the patient be about as old as the text tells, by a number or by what it speaks of.

        A number that stands in a sentence of its own kin is somebody else's; the first one told
        is the patient's in nearly all notes.
        """
        ages = [m.kind.entity for m in mentions if m.kind.entity.startswith(NEAR)]
        told = int(ages[0].removeprefix(NEAR)) if ages else None
        child = bool(self.tables.child.search(text))
        if child == bool(self.tables.adult.search(text)):
            scene.settle(told, child=None if not child else False)
        else:
            scene.settle(told, child=child)

    def _regions(self, document: Document, mentions: list[Mention]) -> tuple[Region, ...]:
        """Return what is to be ignored: residual PHI that no mention covers, and open ones."""
        found: list[Region] = list(find_residue(document.text, self.tables))
        if self.detector is not None:
            bare = Document(document.id, document.text)
            found += [(span.start, span.end) for span in self.detector.detect([bare])[0]]
        filled = [mention for mention in mentions if mention.kind.name != OPEN]
        open_ = [(m.start, m.end) for m in mentions if m.kind.name == OPEN]
        text = document.text
        rest = [part for region in found for part in _without(region, filled, text)]
        trimmed = [(start, end) for start, end in rest if any(map(str.isalnum, text[start:end]))]
        return join_regions([*trimmed, *open_, *ignored_regions(document)])


def _without(region: Region, mentions: list[Mention], text: str) -> Iterator[Region]:
    """Yield what mentions leave of a region; small words before one are not worth a sentence."""
    start, end = region
    for mention in mentions:
        if mention.end <= start or end <= mention.start:
            continue
        if any(c.isdigit() or c.isupper() for c in text[start + 1 : mention.start]):
            yield start, mention.start
        start = max(start, mention.end)
    rest = text[start:end]
    if (start, end) == region or any(c.isdigit() or c.isupper() for c in rest) or len(rest) > 6:
        yield start, max(start, end)


class _Writer:
    """Writes the pieces of one document, all of one scene."""

    def __init__(self, run: _Run, scene: Scene, rng: Random, text: str) -> None:
        self._run, self._scene, self._rng, self._text = run, scene, rng, text
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._dates = 0

    def replace(self, mention: Mention) -> _Piece:
        """Return what takes the place of a mention."""
        kind = mention.kind
        entity = kind.entity
        if kind.name == "date" and not entity:
            self._dates += 1
            entity = f"p{self._dates}"
        slot = Slot(kind.name, entity, kind.form, 0)
        return self._fill((slot,), mention.start, mention.end)

    def anchor(self, barred: list[Region], mentions: list[Mention]) -> list[_Piece]:
        """Return pieces for words of sentences, one for a sentence at most.

        A sentence that tells a date, a hospital or a doctor gets no other one.
        """
        found: list[_Piece] = []
        taken: set[int] = set()
        for anchor in self._run.tables.anchors:
            for match in anchor.find.finditer(self._text):
                start, end = match.span()
                sentence = self._text.count(". ", 0, start) + self._text.count("\n", 0, start)
                if self._rng.random() >= self._run.rate or sentence in taken:
                    continue
                if any(a <= end and start <= b for a, b in barred):
                    continue
                said = self._said(start, end, mentions)
                puts = [put for put in anchor.put if not any(f"{{{name}" in put for name in said)]
                if puts:
                    taken.add(sentence)
                    found.append(self._say(puts, start, end, match.groups()))
        return found

    def _said(self, start: int, end: int, mentions: list[Mention]) -> set[str]:
        """Return which kinds of a sentence's usual one of each it has: date, hospital, doctor."""
        first = max(self._text.rfind(". ", 0, start), self._text.rfind("\n", 0, start))
        ends = (self._text.find(". ", end), self._text.find("\n", end))
        last = min((place for place in ends if place >= 0), default=len(self._text))
        names = {m.kind.name for m in mentions if first < m.start < last}
        return names & {"date", "hospital", "doctor"}

    def _say(self, puts: list[str], start: int, end: int, groups: tuple[str | None, ...]) -> _Piece:
        put = self._rng.choice(puts)
        ends = self._text[end : end + 1] in (".", ",", ";", "")
        for _ in range(_SAID_OFTEN):
            if not (put.endswith(",") and ends):
                break
            put = self._rng.choice(puts)
        if put.endswith(",") and ends:
            put = put.rstrip(",")
        for mark, sign in _MARKS.items():
            put = put.replace(mark, sign)
        piece = self._fill(_nodes(put, self._run.tables.language), start, end)
        text, spans = piece.text, piece.spans
        for sign, group in zip(_MARKS.values(), groups, strict=False):
            place = text.find(sign)
            if place >= 0:
                edited = apply_edits(text, [Edit(place, place + 1, group or "")])
                text, spans = edited.text, edited.moved(spans)
        return _Piece(start, end, text, spans)

    def insert(self, barred: list[Region]) -> list[_Piece]:
        """Return headers, signatures and sentences that stand between paragraphs."""
        tables, rng, rate = self._run.tables, self._rng, self._run.rate
        if not self._text.strip():
            return []
        found: list[_Piece] = []
        if rng.random() < rate:
            found += self._piece(tables.heads, 0, after="\n\n")
        for place in self._borders(barred):
            if rng.random() < rate / 3:
                found += self._piece(tables.sentences, place, after=self._gap(place))
        end = len(self._text)
        closed = self._text.endswith("\n")
        if rng.random() < rate:
            found += self._piece(tables.sentences, end, before="" if closed else "\n", after="\n")
            closed = closed or bool(found and found[-1].start == end)
        if rng.random() < rate:
            found += self._piece(tables.signs, end, before="\n" if closed else "\n\n", after="\n")
        return found

    def _borders(self, barred: list[Region]) -> list[int]:
        """Return where paragraphs begin: behind blank lines, or lines that end a sentence."""
        text = self._text.replace("\r\n", " \n")
        places = []
        place = text.find("\n")
        blank = "\n\n" in text or "\n \n" in text
        while 0 <= place < len(text) - 1:
            before, behind = text[:place].rstrip(" "), text[place + 1]
            fits = before.endswith("\n") if blank else before.endswith((".", ":", ";"))
            if fits and behind not in " \t\n" and not any(a <= place < b for a, b in barred):
                places.append(place + 1)
            place = text.find("\n", place + 1)
        return places

    def _gap(self, place: int) -> str:
        before = self._text[:place].replace("\r\n", "\n")
        return "\n\n" if before.endswith("\n\n") else "\n"

    def _piece(
        self, choices: tuple[Nodes, ...], place: int, *, before: str = "", after: str = ""
    ) -> list[_Piece]:
        """Return one of the choices as a piece; none where the grammar has none of them."""
        grammar = self._run.grammar
        usable = [
            nodes
            for nodes in choices
            if not isinstance(nodes[0], Call) or nodes[0].name in grammar.fragments
        ]
        if not usable:
            return []
        wrong = self._run.tables.child if self._scene.of_age else self._run.tables.adult
        for _ in range(_SAID_OFTEN):
            piece = self._fill(self._rng.choice(usable), place, place)
            if not wrong.search(piece.text):
                break
        else:
            return []
        text = before + piece.text + after
        spans = _shifted(piece.spans, len(before))
        if self._newline != "\n":
            ends = [n for n, sign in enumerate(text) if sign == "\n"]
            edited = apply_edits(text, [Edit(n, n + 1, self._newline) for n in ends])
            text, spans = edited.text, edited.moved(spans)
        return [_Piece(place, place, text, spans)]

    def _fill(self, nodes: Nodes, start: int, end: int) -> _Piece:
        text, spans = fill_nodes(nodes, self._run.grammar, self._scene, self._rng)
        return _Piece(start, end, text, spans)


@cache
def _nodes(put: str, language: str) -> Nodes:
    return parse_piece(put, language)


def _shifted(spans: Iterable[Span], by: int) -> tuple[Span, ...]:
    return tuple(replace(span, start=span.start + by, end=span.end + by) for span in spans)


def _assemble(document: Document, pieces: list[_Piece], regions: tuple[Region, ...]) -> Document:
    """Return the document with all pieces in their places."""
    ordered = sorted(pieces, key=lambda piece: (piece.start, piece.end))
    edits = [Edit(piece.start, piece.end, piece.text) for piece in ordered]
    edited = apply_edits(document.text, edits, empty="insert")
    spans = [
        span
        for piece, begin in zip(ordered, edited.offsets.new_starts, strict=True)
        for span in _shifted(piece.spans, begin)
    ]
    moved = [edited.offsets.interval(*region) for region in regions]
    metadata = region_metadata(annotation_free(document.metadata), moved)
    return Document(document.id, edited.text, tuple(spans), metadata)
