"""What is remembered of texts, and what is not: long ones."""

from scrubjay.transform.remembering import LONGEST_LASTING, lasting


def test_short_texts_are_remembered_and_long_ones_are_not() -> None:
    met: list[str] = []

    @lasting(2)
    def size_of(text: str, *, more: int = 0) -> int:
        met.append(text)
        return len(text) + more

    longest, too_long = "a" * LONGEST_LASTING, "a" * (LONGEST_LASTING + 1)
    for _ in range(2):
        assert size_of(longest) == LONGEST_LASTING
        assert size_of(too_long, more=1) == LONGEST_LASTING + 2
    assert met == [longest, too_long, too_long]


def test_only_so_many_are_remembered() -> None:
    met: list[str] = []

    @lasting(1)
    def plain(text: str) -> str:
        met.append(text)
        return text

    for text in "aabba":
        plain(text)
    assert met == ["a", "b", "a"]
