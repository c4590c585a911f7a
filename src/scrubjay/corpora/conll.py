r"""CoNLL columns with offsets: token, start, end, tag; one token a line, tabs between.

    # newdoc id = "note-1"
    # text = "Seen by Dr. Lee"
    Seen	0	4	O
    by	5	7	O
    Dr.	8	11	B-DOCTOR
    Lee	12	15	I-DOCTOR

A blank line ends a sentence. The id and the text are JSON strings, so that every character of
the text, white space included, comes back. In the first column `\`, line ends, tabs and other
control characters are written as in JSON.

Files of words and tags alone, without texts and offsets, as of CoNLL 2003, are read with
`text="joined"`.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Protocol

from scrubjay.corpora._claimed import claimed_metadata
from scrubjay.corpora._json import dump_json, json_metadata, parse_json
from scrubjay.corpora.encodings import encode_text
from scrubjay.corpora.format import Create, Format, make_span, require_scalar_text
from scrubjay.corpora.source import Source
from scrubjay.document import Document, Span
from scrubjay.errors import FormatError, LabelError, require_choice
from scrubjay.spans import require_disjoint
from scrubjay.tags import Scheme, find_scheme
from scrubjay.text.tokens import Tokens

_COMMENT = re.compile(r"# (newdoc id|text|metadata) = (.*)")
_WORD = re.compile(r"\w+|[^\w\s]")
_BEGINS = frozenset("BUS")
_ENDS = frozenset("EULS")

TEXTS = ("stated", "joined")
_DOCUMENT = "-DOCSTART-"

Bounds = tuple[int, int]
_Row = tuple[str, str, int]


class Tokenizer(Protocol):
    """What the writer asks of a tokenizer (see `scrubjay.text.tokenizers`)."""

    def tokenize(self, text: str) -> Tokens:
        """Return the tokens of a text, with sentences."""
        ...


def read(source: Source, *, encoding: str = "utf-8", text: str = "stated") -> Iterator[Document]:
    """Yield the documents of one file, whatever the scheme of the tags (BIO, BIOEU, BILOU).

    With `text="joined"` the file has no texts: the first column, of those between tabs or blanks,
    is a word, the last its tag, a line `-DOCSTART-` begins a document, and what a text is made of
    are its words with a blank between them and a line end between sentences.

    Raises `FormatError` by line where the columns, the offsets or the words do not fit the
    text.
    """
    if require_choice("text", text, TEXTS) == "joined":
        yield from _read_joined(source, encoding)
        return
    building: _Building | None = None
    for number, line in enumerate(source.lines(encoding, newline="\n"), start=1):
        line = line.removesuffix("\n").removesuffix("\r")
        fields = line.split("\t")
        if len(fields) == 1 and (not line.strip() or line.startswith("#")):
            comment = _COMMENT.fullmatch(line)
            if comment and comment[1] == "newdoc id":
                if building:
                    yield building.document()
                building = _Building(source, number, comment[2])
            elif comment and building:
                building.describe(comment[1], comment[2], number)
            continue
        if building is None or len(fields) != 4:
            raise FormatError(
                "expected `# newdoc id = ...` and then the columns token, start, end, tag",
                path=source.name,
                place=f"line {number}",
                hint="Words and tags alone are read by scrubjay convert --from conll --option "
                "text=joined, with a blank between the words",
            )
        building.add(fields, number)
    if building:
        yield building.document()


def _read_joined(source: Source, encoding: str) -> Iterator[Document]:
    sentences: list[list[_Row]] = [[]]
    count = 0
    for number, line in enumerate(source.lines(encoding, newline="\n"), start=1):
        fields = line.strip().split()
        if not fields:
            sentences.append([])
        elif fields[0] == _DOCUMENT:
            if any(sentences):
                count += 1
                yield _join(source, count, sentences)
            sentences = [[]]
        elif len(fields) == 1:
            raise FormatError(
                "expected a word and its tag", path=source.name, place=f"line {number}"
            )
        else:
            sentences[-1].append((fields[0], fields[-1], number))
    if any(sentences):
        yield _join(source, count + 1, sentences)


def _join(source: Source, number: int, sentences: list[list[_Row]]) -> Document:
    """Return the document of some sentences, its words with blanks and line ends between them."""
    told = [sentence for sentence in sentences if sentence]
    building = _Building(source, told[0][0][2], dump_json(f"{source.stem}-{number}"))
    text = "\n".join(" ".join(word for word, _, _ in sentence) for sentence in told)
    building.describe("text", dump_json(text), told[0][0][2])
    start = 0
    for sentence in told:
        for word, tag, line in sentence:
            end = start + len(word)
            building.add([_escape(word), str(start), str(end), tag], line)
            start = end + 1
        building.end_sentence()
    return building.document()


class _Building:
    """A document while its lines are read."""

    def __init__(self, source: Source, line: int, name: str) -> None:
        self._source = source
        self._line = line
        self._id = str(self._json(name, line))
        self._text: str | None = None
        self._metadata: dict[str, Any] = {}
        self._spans: list[Span] = []
        self._closed = True

    def describe(self, what: str, value: str, line: int) -> None:
        """Take the text or the metadata from a comment line."""
        parsed = self._json(value, line)
        if what == "text" and isinstance(parsed, str):
            place = f"line {line}"
            self._text = require_scalar_text(parsed, path=self._source.name, place=place)
        elif what == "metadata" and isinstance(parsed, dict):
            self._metadata = parsed
        else:
            raise self._fault(f"the {what} has the wrong JSON type", line)

    def _json(self, value: str, line: int) -> Any:
        return parse_json(value, path=self._source.name, place=f"line {line}")

    def _fault(self, what: str, line: int) -> FormatError:
        return FormatError(what, path=self._source.name, place=f"line {line}")

    def _require_text(self) -> str:
        if self._text is None:
            raise self._fault("a document without its `# text = ...` line", self._line)
        return self._text

    def add(self, fields: list[str], line: int) -> None:
        """Take a token line."""
        word, first, last, tag = fields
        text = self._require_text()
        if not (first.isdecimal() and last.isdecimal()):
            raise self._fault("the offsets must be whole numbers", line)
        place = f"line {line}"
        token = make_span(
            int(first), int(last), tag, size=len(text), source=self._source, place=place
        )
        if _escape(text[token.start : token.end]) != word:
            raise self._fault(f"the word is not the text at [{first}, {last})", line)
        self._take(token, line)

    def _take(self, token: Span, line: int) -> None:
        prefix, _, label = token.label.partition("-")
        if token.label == "O":
            self._closed = True
            return
        if not label or prefix not in (*_BEGINS, *_ENDS, "I"):
            raise self._fault("a tag is `O` or a prefix of BIO or BIOEU, `-` and a label", line)
        if self._closed or prefix in _BEGINS or self._spans[-1].label != label:
            self._spans.append(replace(token, label=label))
        else:
            self._spans[-1] = replace(self._spans[-1], end=token.end)
        self._closed = prefix in _ENDS

    def end_sentence(self) -> None:
        """Let no span go on behind the tokens so far."""
        self._closed = True

    def document(self) -> Document:
        """Return the finished document."""
        text, place = self._require_text(), f"line {self._line}"
        metadata = claimed_metadata(self._metadata, text, source=self._source, place=place)
        return Document(self._id, text, tuple(self._spans), metadata)


class _Encoder:
    def __init__(self, create: Create, encoding: str, scheme: Scheme, tokenizer: Any) -> None:
        self._file = create("")
        self._encoding = encoding
        self._scheme = scheme
        self._tokenizer: Tokenizer | None = tokenizer

    def add(self, document: Document) -> None:
        lines = [
            f"# newdoc id = {dump_json(document.id)}",
            f"# text = {dump_json(document.text)}",
        ]
        if metadata := json_metadata(document):
            lines.append(f"# metadata = {dump_json(metadata)}")
        for word, start, end, tag, opens in tag_tokens(
            document, scheme=self._scheme, tokenizer=self._tokenizer
        ):
            lines += ["", f"{word}\t{start}\t{end}\t{tag}"][not opens :]
        lines.append("")
        rows = "".join(f"{line}\n" for line in lines)
        self._file.write(encode_text(rows, self._encoding, document_id=document.id))

    def finish(self) -> None:
        pass


def tag_tokens(
    document: Document, *, scheme: Scheme, tokenizer: Tokenizer | None
) -> Iterator[tuple[str, int, int, str, bool]]:
    """Yield the rows of a document: word, start, end, tag, and whether a sentence begins.

    Tokens are cut, or widened over white space, so that every span begins and ends with a
    token. Raises `SpanError` for overlapping spans, `LabelError` for a label with white space.
    """
    spans = require_disjoint(document.spans, document_id=document.id)
    for span in spans:
        if not re.fullmatch(r"\S+", span.label):
            raise LabelError(f"document {document.id!r}: the label {span.label!r} has white space")
    tokens, openings = _tokens(document.text, tokenizer)
    for start, end, tag in _fit(deque(tokens), spans, scheme):
        opens = False
        while openings and openings[0] < end:
            openings.popleft()
            opens = True
        yield _escape(document.text[start:end]), start, end, tag, opens


def _tokens(text: str, tokenizer: Tokenizer | None) -> tuple[list[Bounds], deque[int]]:
    """Return the bounds of the tokens, and where sentences but the first begin."""
    if tokenizer is not None:
        found = tokenizer.tokenize(text)
        bounds = list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))
        return bounds, deque(bounds[first][0] for first in found.sentence_starts.tolist()[1:])
    bounds = [word.span() for word in _WORD.finditer(text)]
    openings = [
        after[0] for before, after in pairwise(bounds) if "\n" in text[before[1] : after[0]]
    ]
    return bounds, deque(openings)


def _fit(
    tokens: deque[Bounds], spans: tuple[Span, ...], scheme: Scheme
) -> Iterator[tuple[int, int, str]]:
    """Yield the bounds and tags of the tokens, cut and widened at the borders of the spans."""
    for span in spans:
        while tokens and tokens[0][1] <= span.start:
            yield *tokens.popleft(), "O"
        if tokens and tokens[0][0] < span.start:
            first, last = tokens.popleft()
            yield first, span.start, "O"
            tokens.appendleft((span.start, last))
        inside: list[Bounds] = []
        while tokens and tokens[0][0] < span.end:
            first, last = tokens.popleft()
            if last > span.end:
                tokens.appendleft((span.end, last))
            inside.append((first, min(last, span.end)))
        inside = inside or [(span.start, span.end)]
        inside[0] = (span.start, inside[0][1])
        inside[-1] = (inside[-1][0], span.end)
        for number, (first, last) in enumerate(inside):
            yield first, last, f"{_prefix(scheme, number, len(inside))}-{span.label}"
    for first, last in tokens:
        yield first, last, "O"


def _prefix(scheme: Scheme, number: int, size: int) -> str:
    if number == 0:
        return scheme.prefixes[scheme.only if size == 1 else scheme.first]
    return scheme.prefixes[scheme.last if number == size - 1 else scheme.inner]


def _escape(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)[1:-1].replace('\\"', '"')


def start(
    create: Create,
    *,
    encoding: str = "utf-8",
    scheme: str = "BIO",
    tokenizer: Any = None,
) -> _Encoder:
    """Open a container. `tokenizer` is one of `scrubjay.text.tokenizers` or its name.

    Without one the tokens are runs of word characters and single marks, the sentences lines.
    """
    if isinstance(tokenizer, str):
        from scrubjay.text.tokenizers import make_tokenizer

        tokenizer = make_tokenizer(tokenizer)
    return _Encoder(create, encoding, find_scheme(scheme), tokenizer)


FORMAT = Format(name="conll", suffixes=(".conll", ".bio"), read=read, start=start)
