"""What is remembered of texts, and what is not for long: long ones."""

from scrubjay.caching import LONGEST_KEPT, forget_long, text_cache


def test_short_texts_are_remembered_and_a_long_one_goes_with_the_next_text() -> None:
    met: list[str] = []

    @text_cache(3)
    def size_of(text: str, *, more: int = 0) -> int:
        met.append(text)
        return len(text) + more

    longest, too_long, longer = (c * (LONGEST_KEPT + n) for n, c in enumerate("abc"))
    for _ in range(2):
        assert size_of(longest) == LONGEST_KEPT
    for _ in range(2):
        assert size_of(too_long, more=1) == LONGEST_KEPT + 2
    assert met == [longest, too_long]
    assert size_of(longer) == LONGEST_KEPT + 2
    assert size_of(too_long, more=1) == LONGEST_KEPT + 2
    assert met == [longest, too_long, longer, too_long]


def test_a_long_text_stays_while_more_is_asked_of_it() -> None:
    met: list[int] = []

    @text_cache(3)
    def size_of(text: str, more: int) -> int:
        met.append(more)
        return len(text) + more

    long = "x" * (LONGEST_KEPT + 1)
    for more in (1, 2, 1, 2):
        size_of(long, more)
    assert met == [1, 2]
    size_of("short", 3)
    size_of(long, 1)
    assert met == [1, 2, 3, 1]


def test_only_so_many_are_remembered() -> None:
    met: list[str] = []

    @text_cache(1)
    def plain(text: str) -> str:
        met.append(text)
        return text

    for text in "aabba":
        plain(text)
    assert met == ["a", "b", "a"]


def test_long_texts_are_forgotten_when_one_is_done_with_them() -> None:
    met: list[str] = []

    @text_cache(4)
    def plain(text: str) -> str:
        met.append(text)
        return text

    plain("short")
    forget_long()
    plain("short")
    assert met == ["short"]  # nothing long was there
    long = "x" * (LONGEST_KEPT + 1)
    plain(long)
    forget_long()
    plain(long)
    assert met == ["short", long, long]
