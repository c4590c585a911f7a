"""brat standoff: a text in `.txt`, its annotations in the `.ann` beside it.

Source: https://brat.nlplab.org/standoff.html. Offsets count code points of the text file as it
is, line ends and a byte order mark included.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, pairwise

from scrubjay.corpora.encodings import encode_text
from scrubjay.corpora.format import Format, make_span, require_same_text
from scrubjay.corpora.regions import IGNORE_LABEL, ignored_regions, region_metadata
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, LabelError, require_choice

LINES_KEY = "brat.lines"
FRAGMENT_POLICIES = ("error", "cover", "split")
TEXT_CHECKS = ("error", "ignore")

_TEXT_BOUND = re.compile(r"(T\S*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*) *(?:\t(.*))?", re.DOTALL)
_OTHER = re.compile(r"[AMRENO#*]\S*\t.*", re.DOTALL)
_REFERENCE = re.compile(r"\b[TREAMN]\d+\b")

Key = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class _TextBound:
    """A T line: its id, label and fragments; `copy` is the file's copy of the mention."""

    id: str
    label: str
    fragments: tuple[tuple[int, int], ...]
    copy: str | None

    @property
    def header(self) -> str:
        """The line without the copy of the text."""
        offsets = ";".join(f"{start} {end}" for start, end in self.fragments)
        return f"{self.id}\t{self.label} {offsets}"

    def keys(self, policy: str) -> list[Key]:
        """Return the (start, end, label) of the spans that the line becomes under a policy."""
        if policy == "split":
            return [(start, end, self.label) for start, end in self.fragments]
        first = min(start for start, _ in self.fragments)
        return [(first, max(end for _, end in self.fragments), self.label)]


def _parse(line: str) -> _TextBound | None:
    found = _TEXT_BOUND.fullmatch(line)
    if found is None:
        return None
    pairs = (pair.split(" ") for pair in found[3].split(";"))
    fragments = tuple((int(start), int(end)) for start, end in pairs)
    return _TextBound(found[1], found[2], fragments, found[4])


def read(
    source: Source,
    *,
    encoding: str = "utf-8",
    fragments: str = "error",
    text_check: str = "error",
) -> Iterator[Document]:
    """Yield the document of one `.txt`; without an `.ann` beside it, it has no spans.

    A T line with several fragments becomes one span that covers them all with "cover", a span
    for each with "split", and a `FormatError` with "error" (the default), except that
    fragments with only white space between them, as brat writes across line ends, are covered.
    Where the lines are more than `T1`, `T2` ... in the order of the spans, all are kept, T
    lines without their copy of the text, in the metadata under "brat.lines". A copy that
    differs from the text is a `FormatError` unless `text_check` is "ignore". T lines of the type
    `SCRUBJAY-IGNORE` are regions to ignore (`corpora.regions`), which the metadata tell; what
    refers to them is dropped.
    """
    require_choice("fragments", fragments, FRAGMENT_POLICIES)
    require_choice("text_check", text_check, TEXT_CHECKS)
    if source.relative.lower().endswith(".ann"):
        _require_text_file(source)
        return
    annotations = source.sibling(".ann")
    if not annotations.exists():
        yield Document(source.stem, source.read_note(encoding))
        return
    text = source.read_text(encoding)
    spans: list[Span] = []
    kept: list[str] = []
    seen: set[str] = set()
    ignored: dict[str, list[Span]] = {}
    for number, line in _lines(annotations.read_text(encoding)):
        place = f"line {number}"
        bound = _parse(line)
        if bound is None:
            kept.append(_require_known(line, annotations, place))
            continue
        if bound.id in seen:
            raise FormatError(f"the id {bound.id} twice", path=annotations.name, place=place)
        seen.add(bound.id)
        if bound.label == IGNORE_LABEL:
            ignored[bound.id] = _spans(bound, text, annotations, place, "split", text_check)
            continue
        kept.append(bound.header)
        spans += _spans(bound, text, annotations, place, fragments, text_check)
    kept = _without_dangling(kept, set(ignored))
    numbered = enumerate(sorted(spans), start=1)
    plain = [_TextBound(f"T{n}", s.label, ((s.start, s.end),), None) for n, s in numbered]
    metadata = {LINES_KEY: kept} if kept != [bound.header for bound in plain] else {}
    regions = [(span.start, span.end) for found in ignored.values() for span in found]
    yield Document(source.stem, text, tuple(spans), region_metadata(metadata, regions))


def _require_text_file(source: Source) -> None:
    if not source.sibling(".txt").exists():
        raise FormatError("there is no .txt beside this .ann", path=source.name)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if line.strip():
            yield number, line


def _require_known(line: str, source: Source, place: str) -> str:
    if line.startswith("T"):
        raise FormatError(
            "a T line must read `T1<tab>LABEL 0 5<tab>text`", path=source.name, place=place
        )
    if not _OTHER.fullmatch(line):
        raise FormatError("not a line of brat's standoff format", path=source.name, place=place)
    return line


def _spans(
    bound: _TextBound, text: str, source: Source, place: str, policy: str, text_check: str
) -> list[Span]:
    place = f"{place}, {bound.id}"
    pieces = [
        make_span(start, end, bound.label, size=len(text), source=source, place=place)
        for start, end in bound.fragments
    ]
    if text_check == "error" and bound.copy is not None:
        found = "".join(text[piece.start : piece.end] for piece in pieces)
        require_same_text(bound.copy, found, source=source, place=place, span=pieces[0])
    if policy == "error" and not _spaces_between(pieces, text):
        raise FormatError(
            f"{len(pieces)} fragments",
            path=source.name,
            place=place,
            hint="Choose a policy: cover (one span over all) or split (one span for each), and "
            "where a command has no --fragments, convert first: scrubjay convert FOLDER "
            "--fragments cover --to jsonl --out OTHER",
        )
    return [Span(start, end, label) for start, end, label in bound.keys(policy)]


def _spaces_between(pieces: list[Span], text: str) -> bool:
    ordered = sorted(pieces)
    return not any(text[a.end : b.start].strip() for a, b in pairwise(ordered))


def encode(document: Document, *, encoding: str = "utf-8") -> Mapping[str, bytes]:
    """Return the `.txt` and the `.ann` of one document.

    Lines that the document came with keep their order and ids as long as their spans are
    still there; a line that refers to a T line that is gone goes, too. New spans follow, and
    after them the regions to ignore.
    """
    lines, left = _kept_lines(document)
    numbers = [int(line[1:].split("\t")[0]) for line in lines if re.match(r"T\d+\t", line)]
    regions = ((start, end, IGNORE_LABEL) for start, end in ignored_regions(document))
    new = chain(sorted(left.elements()), regions)
    for number, (start, end, label) in enumerate(new, max([0, *numbers]) + 1):
        if not re.fullmatch(r"\S+", label):
            raise LabelError(
                f"document {document.id!r}: the label {label!r} has white space, which brat "
                "cannot hold"
            )
        bound = _TextBound(f"T{number}", label, ((start, end),), None)
        lines.append(f"{bound.header}\t{_copy(bound, document.text)}")
    annotations = "".join(f"{line}\n" for line in lines)
    return {
        "": encode_text(document.text, encoding, document_id=document.id),
        ".ann": encode_text(annotations, encoding, document_id=document.id),
    }


def _kept_lines(document: Document) -> tuple[list[str], Counter[Key]]:
    """Return the lines that stay, and the spans that no line stands for yet."""
    left = Counter((span.start, span.end, span.label) for span in document.spans)
    kept: list[str] = []
    gone: set[str] = set()
    for line in map(str, document.metadata.get(LINES_KEY) or ()):
        bound = _parse(line)
        if bound is None:
            kept.append(line)
            continue
        wanted = next((w for w in map(bound.keys, ("cover", "split")) if _holds(left, w)), None)
        if wanted is None:
            gone.add(bound.id)
            continue
        left.subtract(wanted)
        kept.append(f"{line}\t{_copy(bound, document.text)}")
    return _without_dangling(kept, gone), +left


def _holds(left: Counter[Key], wanted: list[Key]) -> bool:
    return all(left[key] >= count for key, count in Counter(wanted).items())


def _without_dangling(lines: list[str], gone: set[str]) -> list[str]:
    """Drop the lines that refer, directly or through others, to an id that is gone."""
    while gone:
        broken = [line for line in lines if _refers(line, gone)]
        lines = [line for line in lines if not _refers(line, gone)]
        gone = {line.split("\t", 1)[0] for line in broken} - {"*"}
    return lines


def _refers(line: str, gone: set[str]) -> bool:
    if line.startswith("T"):
        return False
    fields = line.split("\t")
    return not gone.isdisjoint(_REFERENCE.findall(fields[1] if len(fields) > 1 else ""))


def _copy(bound: _TextBound, text: str) -> str:
    pieces = (text[start:end] for start, end in bound.fragments)
    return re.sub(r"[\t\n\r]", " ", " ".join(pieces))


FORMAT = Format(
    name="brat",
    suffixes=(".txt", ".ann"),
    read=read,
    encode=encode,
    # A pair of files, so detection looks for it by name.
    recognise=lambda head: False,
)
