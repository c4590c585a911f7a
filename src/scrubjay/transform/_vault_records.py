"""Records of a vault: what was replaced in one document, and enough to know the new text again."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scrubjay.document import Span
from scrubjay.errors import VaultError
from scrubjay.transform.edits import Edit, Edited, apply_edits

_GAP = 16  # hexadecimal digits: what lies between two replacements is told apart, no more


@dataclass(frozen=True, slots=True, repr=False)
class VaultEntry:
    """One replacement: from `start` on, the new text has `replacement` in place of `original`.

    White space at the ends of either is layout (line ends, blanks before a column): `value` is the
    replacement without it.
    `gap` is a digest of the new text between the entry before and this one; `alone` says that
    the new text holds the replacement nowhere but where it stands for a mention.
    """

    start: int
    replacement: str
    original: str
    label: str
    gap: str
    alone: bool

    @property
    def end(self) -> int:
        """Return where the replacement ends in the new text."""
        return self.start + len(self.replacement)

    @property
    def value(self) -> str:
        """Return what replaced the mention, by which it is known in a text that was edited."""
        return self.replacement.strip()

    def __repr__(self) -> str:
        return f"VaultEntry({self.start}, {self.end}, {self.label})"


@dataclass(frozen=True, slots=True, repr=False)
class VaultRecord:
    """What was replaced in one document; `size` and `digest` are those of its new text.

    The entries are sorted and disjoint. `tail` is the digest of what follows the last one.
    """

    document_id: str
    size: int
    digest: str
    entries: tuple[VaultEntry, ...]
    tail: str

    def __repr__(self) -> str:
        return f"VaultRecord({self.document_id!r}, {len(self.entries)} entries)"

    def fits(self, text: str) -> bool:
        """Tell whether this is the new text, character for character."""
        return len(text) == self.size and text_digest(text) == self.digest

    def edits(self) -> list[Edit]:
        """Return the edits that make the original text of the new one; some may be empty."""
        return [Edit(entry.start, entry.end, entry.original) for entry in self.entries]


def make_record(
    document_id: str, text: str, *, found: Sequence[Span], edited: Edited
) -> VaultRecord:
    """Return the record of a document: `text` as it was, `edited` as it is written.

    `found` are the spans of the edits, one for each, in order. Mentions that stay as they were
    have no entry. Raises `VaultError` where the record would not give the text back.
    """
    new, offsets = edited.text, edited.offsets
    pieces = [
        (start, new[start:end], text[old_start:old_end], span.label)
        for span, old_start, old_end, start, end in zip(
            found,
            offsets.starts,
            offsets.ends,
            offsets.new_starts,
            offsets.new_ends,
            strict=True,
        )
        if new[start:end] != text[old_start:old_end]
    ]
    uses = Counter(replacement.strip() for _, replacement, _, _ in pieces)
    seen = Counter(value for _, value in occurrences(new, uses))
    entries: list[VaultEntry] = []
    position = 0
    for start, replacement, original, label in pieces:
        gap = gap_digest(new[position:start])
        value = replacement.strip()
        alone = seen[value] == uses[value]
        entries.append(VaultEntry(start, replacement, original, label, gap, alone))
        position = entries[-1].end
    tail = gap_digest(new[position:])
    record = VaultRecord(document_id, len(new), text_digest(new), tuple(entries), tail)
    if apply_edits(new, record.edits(), empty="insert").text != text:
        raise VaultError(f"document {document_id!r}: its replacements do not give its text back")
    return record


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text as hexadecimal digits."""
    # surrogatepass, since a text may hold a lone surrogate.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def gap_digest(text: str) -> str:
    """Return a digest of the text between two replacements."""
    return text_digest(text)[:_GAP]


def occurrences(text: str, wanted: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield start and value of each place where one of `wanted` stands as whole words.

    At one start the longest comes first; places may overlap. The time grows with the text and
    the number of different lengths, not with the number of values.
    """
    lengths: dict[str, set[int]] = {}
    for value in wanted:
        if value:
            lengths.setdefault(value[0], set()).add(len(value))
    if not lengths:
        return
    longest_first = {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
    starts = re.compile("[" + "".join(map(re.escape, sorted(lengths))) + "]")
    known = frozenset(wanted)
    for match in starts.finditer(text):
        start = match.start()
        if start and _is_word(text[start]) and _is_word(text[start - 1]):
            continue
        for size in longest_first[text[start]]:
            value = text[start : start + size]
            whole = len(value) == size and not _runs_on(text, start + size)
            if whole and value in known:
                yield start, value


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _runs_on(text: str, end: int) -> bool:
    """Tell whether a word goes on over `end`."""
    return end < len(text) and _is_word(text[end]) and _is_word(text[end - 1])


def encode_record(record: VaultRecord) -> bytes:
    """Return a record as one line: its id, a tab, and the rest; both are JSON in ASCII."""
    body = [
        record.size,
        record.digest,
        record.tail,
        [
            [each.start, each.replacement, each.original, each.label, each.gap, each.alone]
            for each in record.entries
        ],
    ]
    line = f"{json.dumps(record.document_id)}\t{json.dumps(body, separators=(',', ':'))}\n"
    return line.encode("ascii")


def decode_id(line: bytes) -> str:
    """Return the id of the document of a line."""
    name: Any = json.loads(line.partition(b"\t")[0])
    if not isinstance(name, str):
        raise ValueError("an id is a string")
    return name


def decode_record(line: bytes) -> VaultRecord:
    """Return the record of a line that `encode_record` made."""
    size, digest, tail, entries = json.loads(line.partition(b"\t")[2])
    return VaultRecord(
        decode_id(line), size, digest, tuple(VaultEntry(*entry) for entry in entries), tail
    )
