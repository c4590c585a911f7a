from hypothesis import given
from hypothesis import strategies as st

from scrubjay.features.phrases import (
    compile_phrases,
    match_phrases,
    phrase_index,
    split_entry,
)

CITIES = compile_phrases(["new york", "york", "new york city", "st. john's", "leeds"])


def match(text: str, **settings: object) -> list[str]:
    words = split_entry(text.lower())
    return [" ".join(words[a:b]) for a, b in match_phrases(words, CITIES, **settings)]


def test_split_entry_cuts_words_numbers_and_marks():
    assert split_entry("st. john's 12b") == ["st", ".", "john", "'", "s", "12", "b"]


def test_the_longest_phrase_wins():
    assert match("from New York City to York") == ["new york city", "york"]
    assert match("New York") == ["new york"]
    assert match("new new york") == ["new york"]


def test_marks_are_part_of_a_phrase():
    assert match("in St. John's today") == ["st . john ' s"]
    assert match("in St John's") == []


def test_no_phrase_crosses_a_sentence():
    words = ["new", "york", "city"]
    assert match_phrases(words, CITIES, sentence_bounds=[0, 1, 3]) == [(1, 2)]
    assert match_phrases(words, CITIES, sentence_bounds=[0, 2, 3]) == [(0, 2)]
    assert match_phrases(words, CITIES, sentence_bounds=[0, 3]) == [(0, 3)]


def test_shortest_leaves_out_single_words():
    index = phrase_index("es.cities", shortest=2)
    words = split_entry("madrid y san sebastián de los reyes")
    assert match_phrases(words, index) == [(2, 7)]
    assert phrase_index("es.cities", shortest=2) is index


words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12)
entries = st.lists(
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=4).map(" ".join), max_size=8
)


def slow_match(tokens: list[str], phrases: set[tuple[str, ...]]) -> list[tuple[int, int]]:
    found, position = [], 0
    while position < len(tokens):
        ends = [
            end
            for end in range(len(tokens), position, -1)
            if tuple(tokens[position:end]) in phrases
        ]
        if ends:
            found.append((position, ends[0]))
        position = ends[0] if ends else position + 1
    return found


@given(words, entries)
def test_matches_those_of_the_oracle(tokens, listed):
    phrases = {tuple(entry.split()) for entry in listed}
    assert match_phrases(tokens, compile_phrases(listed)) == slow_match(tokens, phrases)


@given(st.lists(words, min_size=1, max_size=4), entries)
def test_sentences_are_matched_one_by_one(sentences, listed):
    index = compile_phrases(listed)
    tokens, bounds, wanted = [], [], []
    for sentence in sentences:
        found = match_phrases(sentence, index)
        wanted += [(first + len(tokens), last + len(tokens)) for first, last in found]
        tokens += sentence
        bounds.append(len(tokens))
    assert match_phrases(tokens, index, sentence_bounds=bounds) == wanted
