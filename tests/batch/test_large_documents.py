"""One very long document: the work on it grows with its length, not with its mentions besides."""

from __future__ import annotations

import pytest

from scrubjay.batch.proof import Proved, Prover
from scrubjay.deidentifier import Deidentified, Deidentifier
from scrubjay.document import Document, Span
from scrubjay.known import words as splitting
from scrubjay.known.propagation import Propagation
from scrubjay.transform.operators import Placeholder
from scrubjay.transform.policy import Policy
from tests.batch.test_proof import Terms

FILLER = "seen on the ward this morning, slept well, no pain, drains out, home soon. " * 20
MENTIONS = 400


def test_a_text_too_long_to_keep_is_not_split_again_for_each_mention(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"Wexcombe{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(MENTIONS)]
    text = FILLER.join(names)
    assert len(text) > splitting._CHARACTERS_KEPT
    spans = [Span(text.index(name), text.index(name) + len(name), "PATIENT") for name in names]
    document, policy = Document("a", text), Policy("plain", Placeholder())
    sizes: list[int] = []
    real = splitting.split_words_anew

    def counting(part: str) -> splitting.Words:
        sizes.append(len(part))
        return real(part)

    monkeypatch.setattr(splitting, "split_words_anew", counting)
    (spread,) = Propagation(lambda label: "name", "en").spread([text], [spans])
    ((result,),) = Deidentifier(Terms(), policy).transform_records([[(document, spread)]])
    assert isinstance(result, Deidentified)
    prover = Prover(policy)
    prover.complete([[(document, result)]])
    ((proved,),) = prover.prove([[(document, result)]])
    assert isinstance(proved, Proved)
    assert sum(sizes) < MENTIONS // 10 * len(text)
