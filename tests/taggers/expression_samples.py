"""Regular expressions of any kind, each with a text that it may match."""

from __future__ import annotations

from hypothesis import strategies as st

Sample = tuple[str, str]

_ATOMS = st.sampled_from([
    ("a", "a"), ("B", "b"), ("[ab]", "A"), ("[^a]", "b"), (" ", " "), ("[ -]", "-"), ("\\d", "7"),
    ("\\s", "\x1c"), ("\\s", "\u2009"), ("(?s:.)", "\n"), ("é", "É"), ("\u017f", "s"),
    ("\u212a", "k"), ("İ", "i"), ("(?-i:s)", "s"), ("(?a:\\w)", "x"), ("[^\\S\\n]", "\x1f"),
    ("(?=a)", ""), ("(?!a|b\\d)", ""), ("(?<=[a7])", ""), ("(?<!\\w)", ""), ("\\b", ""), ("$", ""),
    ("\\A", ""), ("\\Z", ""), ("(?:)", ""), ("(?<![a-c][ ])", ""), ("(?= {0,2}[ab])", ""),
    ("[a-c]{0,25}", "abc"), ("(?!(?:ab|[ck])x)", ""), ("ß", "ẞ"), ("(?m:^)", ""), ("[’-]", "’"),
])  # fmt: skip


def _joined(parts: list[Sample]) -> Sample:
    return "".join(one for one, _ in parts), "".join(text for _, text in parts)


def _either(ways: list[Sample]) -> Sample:
    return f"(?:{'|'.join(one for one, _ in ways)})", ways[-1][1]


_FORMS = st.sampled_from([
    "(?:{})?", "(?:{}){{1,2}}+", "(?>{})", "(?-i:{})", "(?:{}|)", "(?:{}){{2,3}}", "(?=(?:{}))",
    "(?!{}x)", "(?:{}){{0,30}}",
])  # fmt: skip
EXPRESSIONS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(_joined),
        st.lists(inner, min_size=1, max_size=3).map(_either),
        st.tuples(inner, _FORMS).map(lambda two: (two[1].format(two[0][0]), two[0][1])),
    ),
    max_leaves=8,
)
