"""The hand-written cases of co-reference."""

from pathlib import Path

import pytest

from scrubjay.document import Span
from scrubjay.transform.coreference import cluster
from scrubjay.transform.operators import Mention

LINES = Path(__file__).with_name("coreference.txt").read_text("utf-8").split("\n")


def read_cases() -> dict[str, list[tuple[int, str, str]]]:
    cases: dict[str, list[tuple[int, str, str]]] = {}
    for line in LINES:
        if line.startswith("== "):
            rows = cases.setdefault(line.removeprefix("== "), [])
        elif line and not line.startswith("#"):
            number, label, text = line.split(" ", 2)
            rows.append((int(number), label, text.replace("\\n", "\n")))
    return cases


CASES = read_cases()


def test_there_are_sixty_cases() -> None:
    assert len(CASES) == 60


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("known", ["language", "no language"])
def test_mentions_are_of_the_persons_that_the_case_says(name: str, known: str) -> None:
    rows = CASES[name]
    mentions, position = [], 0
    for _, label, text in rows:
        mentions.append(Mention(Span(position, position + len(text), label), text, "d"))
        position += len(text) + 1
    found = cluster(mentions, language=name[:2] if known == "language" else "")
    numbers: dict[int, int] = {}
    assert found == [numbers.setdefault(number, len(numbers)) for number, _, _ in rows]
