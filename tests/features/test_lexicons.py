import unicodedata

import pytest

from scrubjay.errors import ConfigError
from scrubjay.features.lexicons import (
    find_lexicon,
    fold_accents,
    lexicon_names,
    look_up,
    normal_word,
    shipped_lexicons,
)

KINDS = (
    "first-names surnames cities regions professions months weekdays date-words titles relatives "
    "street-words facility-words hospitals eponyms particles organization-words id-words demonyms "
    "common"
)


def test_every_kind_is_there_for_every_language():
    names = set(lexicon_names())
    wanted = {f"{language}.{kind}" for language in ("en", "es", "nl") for kind in KINDS.split()}
    wanted -= {"en.eponyms"}  # those of English are the world's
    assert wanted | {"world.countries", "world.eponyms", "world.drugs"} <= names


@pytest.mark.parametrize("name", lexicon_names())
def test_entries_are_normal_and_classes_small(name):
    lexicon = find_lexicon(name)
    assert len(lexicon) > 9
    assert not [e for e in lexicon if e != normal_word(e) or e != " ".join(e.split())]
    classes = 12 if name.endswith(".protected") else 8  # kinds of terms, or classes of frequency
    assert set(lexicon.values()) <= set(range(classes))


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("en.surnames", "smith"),
        ("en.surnames", "okonkwo"),
        ("en.first-names", "siobhan"),
        ("world.first-names", "fatima"),
        ("es.surnames", "garcía"),
        ("es.first-names", "maría"),
        ("nl.surnames", "van den berg"),
        ("nl.surnames", "berg"),
        ("en.cities", "minneapolis"),
        ("es.cities", "san sebastián de los reyes"),
        ("nl.cities", "'s-hertogenbosch"),
        ("en.regions", "north dakota"),
        ("es.regions", "cantabria"),
        ("world.countries", "españa"),
        ("es.professions", "ama de casa"),
        ("en.professions", "civil engineer"),
        ("world.eponyms", "parkinson"),
        ("world.drugs", "metformin"),
    ],
)
def test_well_known_entries(name, entry):
    assert entry in find_lexicon(name)


def test_frequent_names_have_lower_classes():
    surnames = find_lexicon("en.surnames")
    assert surnames["smith"] == 1
    assert surnames["smith"] < surnames["kowalczyk"]
    assert find_lexicon("en.common")["the"] == 1
    assert find_lexicon("es.cities")["madrid"] == 1


def test_names_are_not_common_words():
    assert "maria" not in find_lexicon("en.common")
    assert "madrid" not in find_lexicon("es.common")


def test_look_up_folds_case_accents_and_composition():
    surnames = find_lexicon("es.surnames")
    wanted = surnames["garcía"]
    for word in ("García", "GARCIA", "GARCÍA", unicodedata.normalize("NFD", "García")):
        assert look_up(surnames, word) == wanted
    assert look_up(surnames, "Xyzzy") is None
    assert look_up(find_lexicon("world.first-names"), "Michaël") is not None
    assert fold_accents("Ñandú") == "Nandu"


def test_lists_that_a_language_lacks_are_left_out():
    found = shipped_lexicons("nl", "cities", "no-such-kind", "first-names")
    assert found == (find_lexicon("nl.cities"), find_lexicon("nl.first-names"))
    assert shipped_lexicons("fr", "cities") == ()


def test_lexicons_are_read_only_and_loaded_once():
    lexicon = find_lexicon("en.months")
    assert find_lexicon("en.months") is lexicon
    with pytest.raises(TypeError):
        lexicon["x"] = 1


@pytest.mark.parametrize("name", ["en.nothing", "../ORIGIN", ""])
def test_an_unknown_lexicon_names_the_known(name):
    with pytest.raises(ConfigError, match=r"en\.surnames"):
        find_lexicon(name)
