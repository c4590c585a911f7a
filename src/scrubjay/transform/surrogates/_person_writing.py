"""Mentions of persons written anew: their parts are new, what lies between them stays."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.errors import ConfigError
from scrubjay.transform.name_words import name_key
from scrubjay.transform.person_names import NAME_ROLES, NamePart, PersonName
from scrubjay.transform.surrogates._initials import are_initials, is_taken, widened
from scrubjay.transform.surrogates._name_layout import (
    NAME,
    Piece,
    kept_words,
    layout_of,
    style_of,
    styled,
)
from scrubjay.transform.surrogates._people import TRIES, People, Step, lists_for
from scrubjay.transform.surrogates._person_profile import Profile, is_rather_given
from scrubjay.transform.surrogates.case import display_known
from scrubjay.transform.surrogates.draw import fold, fold_known, row_known

_SHORT = {2: ("ch", "fr", "ph", "sj", "st", "th"), 3: ("alb", "chr", "ger", "jac", "joh", "wil")}
"""Initials of several letters, by how many."""


def render(people: People, text: str, name: PersonName, person: Profile) -> str:
    """Return a mention with all its parts new; what lies between them stays."""
    steps = steps_of(text, name, person)
    if steps:
        new = people.written(steps)
        key = people.draw.folds[new] = fold(new)
        free = key and key not in people.refused and key != fold_known(text)
        if free and not (person.keeps_words and people.whole.any_in(key)):
            return new
    layout = layout_of(text, name)
    same, alone, has_kept = fold_known(text), are_initials(name), kept_words(layout)
    for attempt in range(TRIES):
        new = _rendered(people, text, name, layout, person, attempt)
        if alone and is_taken(new):
            new = widened(new, lambda at: people.letter(text, "between", at))
        key = people.draw.folds[new] = fold(new)
        if key and key not in people.refused and key != same:
            told = people.whole.words_in(key) if has_kept else None
            if not told:
                return new
            layout = _without_kept(layout, told)
    for attempt in range(TRIES):
        # Initials that are all taken: longer ones are free.
        extra = "".join(people.letter(text, "longer", str(attempt), str(i)) for i in range(3))
        if extra not in people.refused and same != extra:
            return extra if text.islower() else extra.upper()
    raise ConfigError(
        "no surrogate is left for a name: the originals of the record hold all",
        hint="Give the label of names another operator, such as placeholder",
    )


def _rendered(
    people: People,
    text: str,
    name: PersonName,
    layout: Sequence[Piece],
    person: Profile,
    attempt: int,
) -> str:
    if not name.parts:
        return _without_letters(people, text, attempt)
    new: list[str] = []
    for old, part, style in layout:
        if part is None:
            new.append(_digits(people, old, attempt) if style else old)
        elif part.role != "initial":
            made = _new_part(people, part, person)
            new.append(display_known(made) if style == NAME else styled(made, old, style))
        else:
            short = _SHORT.get(len(part.key), ()) if style == NAME else ()
            letters = [
                _initial(people, letter, at, part, name, person, attempt)
                for at, letter in enumerate(name_key(old) if not short else "")
            ] or [_short(people, part.key, short, attempt)]
            new.append(styled("".join(letters), old, style))
    return "".join(new)


def _new_part(people: People, part: NamePart, person: Profile) -> str:
    """Return the new part, in lower case, for a part that is a name."""
    old, short, right, hint = person.part(part)
    if short:
        new = people.given(old[1], old[2], short=short, origin=hint)
    else:
        new = people.part(old, hint)
    if right == part.key:
        return new
    if part.key == right + "s":  # "two Featherstones": no slip, but several
        return new if new.endswith("s") else new + "s"
    return _misspelled(people, new, part.key)


def _misspelled(people: People, new: str, old: str) -> str:
    """Return the new name with two neighbours swapped: a slip, as in the old one."""
    places = [i for i in range(1, len(new) - 1) if new[i] != new[i + 1]]
    if not places:
        return new
    place = places[people.draw.whole(0, len(places) - 1, "slip", old)]
    return new[:place] + new[place + 1] + new[place] + new[place + 2 :]


def _initial(
    people: People,
    letter: str,
    at: int,
    part: NamePart,
    name: PersonName,
    person: Profile,
    attempt: int,
) -> str:
    """Return the new letter for one of the letters of an initial."""
    alone = not any(other.role in NAME_ROLES for other in name.parts)
    ends = alone and (part is name.parts[-1] and at == len(part.key) - 1) and (
        len(name.parts) > 1 or len(part.key) > 1
    )  # fmt: skip
    if not attempt:
        spoken = {other.key for other in name.parts}
        sides = (person.lasts, person.givens) if ends else (person.givens, person.lasts)
        for side in sides:
            for key in side:
                if key[:1] == letter and key not in spoken:
                    given = side is person.givens
                    new = people.first_of(person, key) if given else people.last(key)
                    return name_key(new)[0]
    return people.letter(letter, *((str(attempt),) if attempt else ()))


def _short(people: People, old: str, listed: Sequence[str], attempt: int) -> str:
    """Return another initial of several letters: "Chr" for "Joh", "Th" for "Ph"."""
    free = [one for one in listed if one[0] != old[0]]
    return people.draw.choose(free, "short", old, *((str(attempt),) if attempt else ()))


def _without_letters(people: People, text: str, attempt: int) -> str:
    if any(c.isdigit() for c in text):
        return _digits(people, text, attempt)
    return people.nameless(text, str(attempt))


def _digits(people: People, text: str, attempt: int) -> str:
    if text in ("", " ") or not any(c.isdigit() for c in text):
        return text
    what = ("digits", text, str(attempt))
    return "".join(
        str(people.draw.whole(0, 9, *what, str(place))) if c.isdigit() else c
        for place, c in enumerate(text)
    )


def steps_of(text: str, name: PersonName, person: Profile) -> Sequence[Step]:
    """Return how a mention is made anew where nothing but its parts is to be drawn, else ().

    That is so without initials, short forms, slips and digits. It is worked out once for a
    mention that tells all that is known of the person, as most are.
    """
    if person is not name.profile:
        return ()
    found: Sequence[Step] | None = person.steps
    if found is None:
        found = _read_steps(text, name, person)
        person.keeps_words = kept_words(layout_of(text, name))
        # Last: other threads have the same profile, and ask for the words after the steps.
        person.steps = found
    return found


def _read_steps(text: str, name: PersonName, person: Profile) -> Sequence[Step]:
    steps: list[Step] = []
    for piece, part, style in layout_of(text, name):
        if part is None:
            if style:
                return ()
            steps.append((piece, None, (), b"", 0))
            continue
        if part.role == "initial":
            return ()
        old, short, right, hint = person.part(part)
        if short or right != part.key:
            return ()
        lists, head = lists_for(old[1], old[0], old[2], hint, person.language)
        steps.append((piece, old, lists, head, style))
    return tuple(steps) if name.parts else ()


def _without_kept(layout: Sequence[Piece], told: frozenset[str]) -> Sequence[Piece]:
    """Return the pieces of a mention with the words among those told as names: none is kept."""
    return [
        (piece[0], _as_name(piece[0]), style_of(piece[0]))
        if piece[1] is None and row_known(piece[0]).strip() in told
        else piece
        for piece in layout
    ]


def _as_name(word: str) -> NamePart:
    """Return a word beside names, a title or a particle, as a part that is a name."""
    key = name_key(word)
    return NamePart(0, len(word), key, "given" if is_rather_given(key) else "last")
