"""Spanish first names of several words: "María del Carmen", "José de Jesús", "Juan de Dios".

The particle and what follows it are one part of the name, and a first name: a surrogate for
"María del Carmen Ruiz" is no "Rosa del Moya Cruz". Of words that are surnames behind the same
particle ("Juan del Valle", "Ana de la Cruz"), those alone count that stand between María and
another name.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scrubjay.transform.name_words import NameWord, Role

_FIRST_NAME = 5
"""The class up to which a word is a first name."""

_OF_MARY = {
    "del": (
        "carmen pilar mar rosario rocio consuelo sagrario socorro amparo milagro cielo coro henar "
        "pino perpetuo transito refugio buensuceso"
    ),
    "de": "jesus lourdes fatima guadalupe gracia begona montserrat africa aranzazu",
    "de la": (
        "concepcion encarnacion asuncion soledad esperanza almudena paloma caridad fuensanta salud "
        "visitacion consolacion merced purificacion candelaria paz luz"
    ),
    "de los": "angeles dolores remedios milagros desamparados llanos reyes",
    "de las": "nieves mercedes angustias virtudes victorias candelas maravillas",
}  # fmt: skip
_DOUBTFUL = {
    "del": "valle prado camino castillo sol puerto rio monte olmo campo",
    "de": "leon",
    "de la": "cruz o torre vega pena cabeza fuente iglesia",
    "de los": "santos",
    "de las": "heras",
}
"""What is a surname, too, and behind María a first name where another name follows."""
_OF_OTHERS = {"del": "carmen pilar", "de": "jesus dios", "de los": "angeles"}
_SURE = {key: frozenset(words.split()) for key, words in _OF_MARY.items()}
_BEFORE_A_NAME = {key: frozenset(words.split()) for key, words in _DOUBTFUL.items()}
_BEHIND_OTHERS = {key: frozenset(words.split()) for key, words in _OF_OTHERS.items()}
_FIRST_PARTICLES = frozenset(["del", "de"])
_MARIES = frozenset(["maria", "mari", "ma"])


def join_devotions(
    mention: str,
    spans: Sequence[tuple[int, int]],
    words: Sequence[NameWord],
    roles: Sequence[Role | None],
) -> tuple[list[tuple[int, int]], list[NameWord], list[Role | None]]:
    """Return spans, words and roles with each devotion and its particle as one first name.

    The names around are told with it: those behind it are surnames, and those before it first
    names where they may be.
    """
    new_spans, new_words, new_roles = list(spans), list(words), list(roles)
    found = -1
    place = 1
    while place < len(new_spans) - 1:
        end = _end_of_devotion(mention, new_spans, new_words, new_roles, place)
        if end:
            new_spans[place:end] = [(new_spans[place][0], new_spans[end - 1][1])]
            new_words[place:end] = [new_words[end - 1]]
            new_roles[place:end] = ["given"]
            found = place
        place += 1
    if found < 0 or "," in mention:
        return new_spans, new_words, new_roles
    for place, role in enumerate(new_roles):
        if role is None:
            word = new_words[place]
            is_first = place < found and word.first <= min(_FIRST_NAME, word.last)
            new_roles[place] = "given" if is_first else "last"
    return new_spans, new_words, new_roles


def _end_of_devotion(
    mention: str,
    spans: Sequence[tuple[int, int]],
    words: Sequence[NameWord],
    roles: Sequence[Role | None],
    place: int,
) -> int:
    """Return the place behind the devotion whose particle begins at one, 0 where there is none."""
    before = words[place - 1]
    if words[place].key not in _FIRST_PARTICLES or roles[place - 1] not in (None, "given"):
        return 0
    last = place + 1  # "DEL" may be a first name elsewhere, and here is none
    while last + 1 < len(roles) and roles[last] == "particle":
        last += 1
    if roles[last] is not None:
        return 0
    particle = " ".join(word.key for word in words[place:last])
    key = words[last].key
    row = spans[place - 1 : last + 1]
    if any(mention[one[1] : other[0]] != " " for one, other in pairwise(row)):
        return 0
    if before.key in _MARIES:
        follows = last + 1 < len(roles) and roles[last + 1] in (None, "particle")
        is_one = key in _SURE.get(particle, ()) or (
            follows and key in _BEFORE_A_NAME.get(particle, ())
        )
    else:
        is_one = before.first <= _FIRST_NAME and key in _BEHIND_OTHERS.get(particle, ())
    return last + 1 if is_one else 0
