"""What the documents of a record tell together of a person: lone names, gender, short forms.

"Mr. Hollis" in one document tells that "Hollis", which is a first name, too, is a surname in the
next, and "his wife Robin" which Robin she is. What a document tells itself comes first: where it
has persons apart that the record has as one, or the other way round, it keeps its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.transform.coreference import cluster_names
from scrubjay.transform.person_names import PersonName
from scrubjay.transform.surrogates._person_profile import Profile


def profiles_of(
    documents: Sequence[Sequence[PersonName]], language: str
) -> list[list[Profile | None]]:
    """Return for each name of each document of a record what all of it tells of its person.

    None stands for a person of whom the record has one telling alone, and for a name without
    letters. Each distinct name is of one person of the record, by its first place in it: so a lone
    name means the same in all documents that do not tell otherwise themselves.
    """
    places: dict[object, int] = {}
    distinct: list[PersonName] = []
    told: list[list[int]] = []
    for names in documents:
        mine: list[int] = []
        for name in names:
            # Not by identity: which names are one object depends on what a cache has kept.
            key = name.parts, name.gender, name.relative
            if key not in places:
                places[key] = len(distinct)
                distinct.append(name)
            mine.append(places[key])
        told.append(mine)
    persons = cluster_names(distinct)
    tellings: dict[int, int] = {}
    for person in persons:
        tellings[person] = tellings.get(person, 0) + 1
    members: dict[int, list[PersonName]] = {}
    for mine in told:
        for place in mine:
            members.setdefault(persons[place], []).append(distinct[place])
    profiles = {
        person: Profile.of(names, language)
        for person, names in members.items()
        if person >= 0 and tellings[person] > 1
    }
    return [[profiles.get(persons[place]) for place in mine] for mine in told]
