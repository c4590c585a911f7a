"""Originals as whole words of other values: the index finds what a look at each one finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.transform.surrogates._fresh import Characters, Fresh, WholeOriginals, is_telling
from scrubjay.transform.surrogates.draw import Draw, fold, row
from tests.transform.surrogates.holding import holds

TEXTS = st.lists(
    st.sampled_from(["Aetna", "aétna", "Cedar", "12345", "123", "Lee", "-", "Ridge7", "", "ſ"]),
    max_size=4,
).map(" ".join)


@given(st.sets(TEXTS), TEXTS)
def test_the_index_holds_what_some_original_holds(texts: set[str], new: str) -> None:
    found, held = WholeOriginals(texts), [t for t in texts if is_telling(t) and holds(new, t)]
    assert found.any_in(fold(new)) == bool(held)
    words = {word for text in held for word in row(fold(text)).split()}
    assert found.words_in(fold(new)) == words


@given(st.lists(st.integers(0, 40), max_size=6), st.text("0123456789x", max_size=40))
def test_digits_drawn_together_are_those_drawn_one_by_one(counts: list[int], run: str) -> None:
    draw = Draw(b"0123456789abcdef", "p")
    together, single = Characters(draw, "x"), Characters(draw, "x")
    for count in counts:
        assert together.below(7) == single.below(7)
        assert together.digits(count) == "".join(str(single.below(10)) for _ in range(count))
    rest = run.lstrip("0")
    new = together.digit_run(run) if rest[:1].isdecimal() else ""
    if new:
        plain = str(1 + single.below(9)) + "".join(map(single.like, rest[1:]))
        assert new == run[: len(run) - len(rest)] + plain


def test_no_value_with_a_digit_goes_to_two_originals_while_there_are_others() -> None:
    fresh = Fresh(Draw(b"0123456789abcdef", "p"), {"K3", "K4", "k3"})
    made = [fresh.until(old, lambda attempt, _: f"K{5 + attempt}") for old in ("K3", "K4", "k3")]
    assert made == ["K5", "K6", "K5"]
    assert fresh.until("K4 ", lambda attempt, _: "K5") == "K5"
    assert [fresh.until(old, lambda attempt, _: "Oak") for old in ("Elm", "Ash")] == ["Oak"] * 2
