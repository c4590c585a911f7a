"""The files of folders that a reader passes over, counted by the ends of their names."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath

from scrubjay.errors import counted

SHOWN = 8
_LONGEST = 8


class PassedOver:
    """Counts the files that it is told of, as `passed` of `scrubjay.corpora.read_corpora`.

    No name is kept, which may be a patient's: "Mr. Smith" has no suffix to show.
    """

    def __init__(self) -> None:
        self.suffixes: Counter[str] = Counter()

    def __call__(self, name: str) -> None:
        """Count a file by the last suffix of its name, in lower case; "" for none to show."""
        suffix = PurePosixPath(name).suffix.lower()
        plain = suffix[1:].isascii() and suffix[1:].isalnum() and len(suffix) <= _LONGEST
        self.suffixes[suffix if plain else ""] += 1

    def describe(self) -> str:
        """Return how many files were passed over, and of which kinds; "" where there are none."""
        if not (count := self.suffixes.total()):
            return ""
        kinds = sorted(self.suffixes.items(), key=lambda each: (-each[1], each[0]))
        told = [f"{number:,} {suffix or 'without a suffix'}" for suffix, number in kinds[:SHOWN]]
        if len(kinds) > SHOWN:
            told.append(f"{sum(number for _, number in kinds[SHOWN:]):,} others")
        which = "of another kind was" if count == 1 else "of other kinds were"
        return f"{counted(count, 'file')} {which} not read: {', '.join(told)}"
