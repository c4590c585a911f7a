"""Names that were met already."""

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.corpora._seen import Seen


@given(st.lists(st.text(st.characters(), max_size=3)))
def test_it_is_a_set(names: list[str]) -> None:
    seen, plain = Seen(), set[str]()
    for name in names:
        assert (name in seen) == (name in plain)
        assert seen.add(name) == (name not in plain)
        plain.add(name)
        assert len(seen) == len(plain)


def test_it_grows() -> None:
    seen = Seen()
    assert all(seen.add(f"note-{number}") for number in range(5_000))
    assert not any(seen.add(f"note-{number}") for number in range(5_000))
    assert "note-5000" not in seen
