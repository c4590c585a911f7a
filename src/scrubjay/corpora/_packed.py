"""Which program packed a file, told by its first bytes."""

from __future__ import annotations

import re

LOOKED_AT = 16
"""The first bytes of a file that tell it."""
_UNPACK = "Unpack it first"
_KINDS = {
    rb"\x1f\x8b": "packed by gzip",
    rb"\xfd7zXZ\0": "packed by xz",
    # Its properties, the size of its dictionary, and its length, which may be unknown.
    rb"]\0\0..(?:\xff{8}|.{5}\0{3})": "packed by lzma, the older form of xz",
    # A frame that is passed over, with a note of some program, may stand before the others.
    rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18": "packed by zstd",
    rb"\x04\x22\x4d\x18": "packed by lz4",
    rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)": "packed by bzip2",  # a note may begin with "BZh", too
    rb"7z\xbc\xaf\x27\x1c": "an archive of 7-Zip",
    rb"PK\x03\x04": "a ZIP archive, or a Word or Excel file",
    rb"PK\x05\x06": "a ZIP archive that is empty",
    rb"PK\x07\x08": "the first part of a ZIP archive",
}
_HINTS = {
    "a ZIP archive that is empty": "It holds no file: fetch it again, or leave it out",
    "the first part of a ZIP archive": "Put its parts together and unpack it",
}
_MARKS = [(re.compile(mark, re.DOTALL), kind) for mark, kind in _KINDS.items()]


def packed_head(head: bytes) -> tuple[str, str] | None:
    """Return what a packed file is that begins so, and what to do, or None."""
    for mark, kind in _MARKS:
        if mark.match(head):
            return kind, _HINTS.get(kind, _UNPACK)
    return None
