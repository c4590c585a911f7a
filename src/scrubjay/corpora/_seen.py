"""Names that were met already, by the million, in little memory."""

from __future__ import annotations

from array import array
from hashlib import blake2b

_FIRST_SLOTS = 1 << 10


class Seen:
    """A set of names that keeps of each a digest of 64 bits, and no name.

    It takes 13 to 27 bytes for each. That one of ten million names is taken for another one by
    chance happens in one of 350,000 such sets; then a run says so, and stops.
    """

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * _FIRST_SLOTS))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, name: str) -> bool:
        """Add a name, and tell whether it is a new one."""
        slot, digest = self._find(name)
        if self._slots[slot] == digest:
            return False
        self._slots[slot] = digest
        self._count += 1
        if self._count * 5 > len(self._slots) * 3:
            self._grow()
        return True

    def __contains__(self, name: str) -> bool:
        slot, digest = self._find(name)
        return self._slots[slot] == digest

    def _find(self, name: str) -> tuple[int, int]:
        """Return the slot of a name, or the free one where it would go, and its digest."""
        data = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        digest = int.from_bytes(data, "little") or 1  # 0 is a free slot
        return self._slot(digest), digest

    def _slot(self, digest: int) -> int:
        slots, last = self._slots, len(self._slots) - 1
        slot = digest & last
        while slots[slot] not in (0, digest):
            slot = (slot + 1) & last
        return slot

    def _grow(self) -> None:
        old, self._slots = self._slots, array("Q", bytes(16 * len(self._slots)))
        for digest in old:
            if digest:
                self._slots[self._slot(digest)] = digest
