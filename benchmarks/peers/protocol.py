"""What every adapter shares: JSON lines on stdin and stdout, text in, spans out.

Standard library only, since it runs in the peer's own environment. The adapter sends
`{"ready": true, "seconds": S}` when its peer is loaded, then answers each line
`{"text": "..."}` with `{"spans": [[start, end, type], ...], "seconds": S}`. Offsets are in
characters (code points) of the text, `seconds` is CPU time. Whatever a peer prints goes to stderr.
A line `{"texts": ["...", ...]}` is answered with a list of spans for each text, and the seconds of
all: by the peer's own way of taking many texts where it has one, else one after another.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Found = Iterable[tuple[int, int, str]]
Find = Callable[[str], Found]


@dataclass(frozen=True)
class Finder:
    """Finds spans in one text, and in many in the peer's own way, if it has one."""

    one: Find
    many: Callable[[list[str]], Iterable[Found]] | None = None


def serve(load: Callable[[], Find | Finder]) -> None:
    """Load the peer, then answer each line of stdin until it ends."""
    answers = sys.stdout
    sys.stdout = sys.stderr
    loaded = load()
    finder = loaded if isinstance(loaded, Finder) else Finder(loaded)
    _send(answers, {"ready": True, "seconds": time.process_time()})
    for line in sys.stdin:
        asked = json.loads(line)
        began = time.process_time()
        if "text" in asked:
            spans: Any = _plain(finder.one(asked["text"]))
        else:
            many = finder.many or (lambda texts: map(finder.one, texts))
            spans = [_plain(found) for found in many(asked["texts"])]
        _send(answers, {"spans": spans, "seconds": time.process_time() - began})


def _plain(found: Found) -> list[list[Any]]:
    return [[int(start), int(end), str(kind)] for start, end, kind in found]


def _send(answers: Any, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()
