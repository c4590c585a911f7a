"""What every adapter shares: JSON lines on stdin and stdout, text in, spans out.

Standard library only, since it runs in the peer's own environment. The adapter sends
`{"ready": true, "seconds": S}` when its peer is loaded, then answers each line
`{"text": "..."}` with `{"spans": [[start, end, type], ...], "seconds": S}`. Offsets are in
characters (code points) of the text, `seconds` is CPU time. Whatever a peer prints goes to stderr.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

Found = Iterable[tuple[int, int, str]]


def serve(load: Callable[[], Callable[[str], Found]]) -> None:
    """Load the peer, then answer each line of stdin until it ends."""
    answers = sys.stdout
    sys.stdout = sys.stderr
    find = load()
    _send(answers, {"ready": True, "seconds": time.process_time()})
    for line in sys.stdin:
        text = json.loads(line)["text"]
        began = time.process_time()
        spans = [[int(start), int(end), str(kind)] for start, end, kind in find(text)]
        _send(answers, {"spans": spans, "seconds": time.process_time() - began})


def _send(answers: Any, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()
