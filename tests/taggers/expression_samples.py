"""Regular expressions of any kind, each with a text that it may match."""

from __future__ import annotations

from hypothesis import strategies as st

Sample = tuple[str, str]

_ATOMS = [
    ("a", "a"), ("B", "b"), ("[ab]", "A"), ("[^a]", "b"), (" ", " "), ("[ -]", "-"), ("\\d", "7"),
    ("\\s", "\x1c"), ("\\s", "\u2009"), ("(?s:.)", "\n"), ("é", "É"), ("\u017f", "s"),
    ("\u212a", "k"), ("İ", "i"), ("(?-i:s)", "s"), ("(?a:\\w)", "x"), ("[^\\S\\n]", "\x1f"),
    ("(?=a)", ""), ("\\b", ""), ("$", ""), ("(?:)", ""),
]  # fmt: skip
_MORE_ATOMS = [
    ("(?!a|b\\d)", ""), ("(?<=[a7])", ""), ("(?<!\\w)", ""), ("\\A", ""), ("\\Z", ""),
    ("(?<![a-c][ ])", ""), ("(?= {0,2}[ab])", ""), ("[a-c]{0,25}", "abc"),
    ("(?!(?:ab|[ck])x)", ""), ("ß", "ẞ"), ("(?m:^)", ""), ("[’-]", "’"),
]  # fmt: skip


def _joined(parts: list[Sample]) -> Sample:
    return "".join(one for one, _ in parts), "".join(text for _, text in parts)


def _either(ways: list[Sample]) -> Sample:
    return f"(?:{'|'.join(one for one, _ in ways)})", ways[-1][1]


def _expressions(atoms: list[Sample], *more: str) -> st.SearchStrategy[Sample]:
    """Return expressions made of atoms in the usual forms and `more`, "{}" being what is within."""
    forms = st.sampled_from([
        "(?:{})?", "(?:{}){{1,2}}+", "(?>{})", "(?-i:{})", "(?:{}|)", *more,
    ])  # fmt: skip
    return st.recursive(
        st.sampled_from(atoms),
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map(_joined),
            st.lists(inner, min_size=1, max_size=3).map(_either),
            st.tuples(inner, forms).map(lambda two: (two[1].format(two[0][0]), two[0][1])),
        ),
        max_leaves=8,
    )


PLAIN_EXPRESSIONS = _expressions(_ATOMS)
EXPRESSIONS = _expressions(
    [*_ATOMS, *_MORE_ATOMS], "(?:{}){{2,3}}", "(?=(?:{}))", "(?!{}x)", "(?:{}){{0,30}}"
)
