"""How many are called by a name; what is listed without a class is no frequent name."""

from __future__ import annotations

import pytest

from scrubjay.taggers._mending.people.person_names import is_first, is_often, rank_of


def test_a_name_without_a_class_comes_after_all_others() -> None:
    assert rank_of("surnames", "smith", "en") == 1
    assert rank_of("surnames", "have", "en") > rank_of("surnames", "kowalczyk", "en") > 1
    assert rank_of("surnames", "xqzv", "en") == 0


@pytest.mark.parametrize("word", ["have", "name", "tres", "seven"])
def test_everyday_words_of_the_list_of_the_world_are_no_frequent_surnames(word: str) -> None:
    assert not is_often("surnames", word, "en", most=4)


def test_what_a_language_lists_without_a_class_may_be_frequent() -> None:
    assert is_often("surnames", "wit", "nl", most=3)
    assert is_often("surnames", "Hess", "en", most=3)
    assert not is_often("surnames", "Hess", "en", most=2)


def test_everyday_words_without_a_class_are_no_first_names() -> None:
    assert not is_first("numbers", "en")
    assert not is_first("Pueblo", "es")
    assert is_first("Will", "en")
