"""scrubadub on JSON lines: its detectors for the United States, and dates of birth.

Its name detector of its own stays out: it needs a corpus that NLTK downloads.
"""

from __future__ import annotations

from collections.abc import Callable

from protocol import Found, serve


def load() -> Callable[[str], Found]:
    """Return the function that finds spans."""
    import scrubadub
    from scrubadub.detectors.date_of_birth import DateOfBirthDetector

    scrubber = scrubadub.Scrubber(locale="en_US")
    scrubber.add_detector(DateOfBirthDetector)

    def find(text: str) -> Found:
        # Merged filth has no type of its own: its parts have.
        for filth in scrubber.iter_filth(text):
            parts = getattr(filth, "filths", None)
            yield filth.beg, filth.end, (parts[0] if parts else filth).type

    return find


if __name__ == "__main__":
    serve(load)
