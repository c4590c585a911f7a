"""Numbers, addresses of the net and telephones, in many shapes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from scrubjay.features.lexicons import fold_accents
from scrubjay.synthesis.people import Person
from scrubjay.synthesis.pools import split_list, word_tables

_CAPITALS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_ANY = "0123456789ABCDEFGHJKLMNPRSTUVWXYZ"
_PLAIN = re.compile(r"[^a-z0-9]")
_DOMAINS = (
    "gmail.com", "gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "aol.com", "icloud.com",
    "msn.com", "comcast.net", "verizon.net", "me.com", "live.com", "protonmail.com",
)  # fmt: skip
_TOPS = ("com", "org", "net", "edu", "gov", "co", "info", "us", "health", "io")


class Codes:
    """Makes numbers of a language, all anew at each call."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._shapes = {
            kind: split_list(text) for kind, text in word_tables(language)["codes"].items()
        }
        self._mail = split_list(word_tables(language)["codes"].get("mail", "")) or list(_DOMAINS)
        self._tops = split_list(word_tables(language)["codes"].get("tops", "")) or list(_TOPS)

    def has(self, kind: str) -> bool:
        """Tell whether there are shapes of that kind."""
        return kind in self._shapes

    def draw(self, kind: str, rng: Random, *, prefixes: Sequence[str] = (), year: int = 0) -> str:
        """Return a new number of a kind; `prefixes` are those of telephones of its place."""
        shapes = self._shapes[kind]
        shape = shapes[int(rng.random() * len(shapes))]
        return fill_shape(shape, rng, prefixes=prefixes, year=year)

    def email(self, rng: Random, person: Person, *, company: str) -> str:
        """Return an address with a person's name, at a provider or at a company's domain."""
        first, last = net_word(person.first), net_word(person.last)
        name = rng.choice((
            f"{first}.{last}", f"{first[:1]}{last}", f"{first}{last}", f"{last}{first[:1]}",
            f"{first}_{last}", f"{first}{rng.randint(1, 99)}", f"{last}{rng.randint(1940, 2009)}",
            f"{first[:1]}.{last}", f"{first}-{last}", f"{last}.{first}", last,
            f"{first}{last[:1]}{rng.randint(1, 999)}",
        ))  # fmt: skip
        if rng.random() < 0.45:
            return f"{name}@{rng.choice(self._mail)}"
        return f"{name}@{self._domain(company, rng)}"

    def url(self, rng: Random, company: str) -> str:
        """Return a web address of a company."""
        head = rng.choice(
            ("www.", "www.", "http://www.", "https://", "https://www.", "", "portal.")
        )
        tails = ("", "", "", "/", "/patients", "/portal", "/login", "/appointments", "/~info")
        return f"{head}{self._domain(company, rng)}{rng.choice(tails)}"

    def username(self, rng: Random, person: Person) -> str:
        """Return a login of a person: letters of the name, mostly with digits."""
        first, last = net_word(person.first), net_word(person.last)
        return rng.choice((
            f"{first[:1]}{last[:6]}{rng.randint(1, 99)}", f"{first[:1]}{last[:7]}",
            f"{last[:5]}{first[:1]}{rng.randint(1, 9)}",
            f"{first[:1]}{last[:1]}{rng.randint(10, 9999)}",
            f"{first[:2]}{last[:2]}{rng.randint(1, 99)}", f"{last}{rng.randint(1, 99)}",
            f"{first}.{last}", f"{first[:1].upper()}{last[:1].upper()}{rng.randint(1, 999):02d}",
            f"{first[:1]}{rng.choice('abcdefghjklmr')}{last[:1]}{rng.randint(1, 9999)}",
        ))  # fmt: skip

    def _domain(self, company: str, rng: Random) -> str:
        words = [net_word(word) for word in company.split()]
        words = [word for word in words if len(word) > 1] or ["clinic"]
        stem = "".join(words)
        if len(stem) > 18 and len(words) > 1:
            stem = words[0] + "".join(word[0] for word in words[1:])
        elif len(words) > 1 and rng.random() < 0.2:
            stem = "-".join(words[:2])
        return f"{stem}.{rng.choice(self._tops)}"


def net_word(text: str) -> str:
    """Return a word as logins and addresses of the net write it."""
    return _PLAIN.sub("", fold_accents(text).lower()) or "x"


def fill_shape(shape: str, rng: Random, *, prefixes: Sequence[str] = (), year: int = 0) -> str:
    """Return a shape with its signs replaced: 9 digit, 8 not zero, A a X letters, Y year, P prefix.

    A row of P is one prefix, and what stands between single quotes is as it is. `p` is a number
    up to 254 (addresses of the net).
    """
    made: list[str] = []
    place, size = 0, len(shape)
    while place < size:
        sign = shape[place]
        if sign == "9":
            made.append("0123456789"[int(rng.random() * 10)])
        elif sign == "8":
            made.append("123456789"[int(rng.random() * 9)])
        elif sign == "A":
            made.append(_CAPITALS[int(rng.random() * 23)])
        elif sign == "X":
            made.append(_ANY[int(rng.random() * 33)])
        elif sign == "a":
            made.append(_CAPITALS[int(rng.random() * 23)].lower())
        elif sign == "Y":
            made.append(f"{(year or rng.randint(2001, 2025)) % 100:02d}")
        elif sign == "p":
            made.append(str(rng.randint(1, 254)))
        elif sign == "P":
            while shape[place + 1 : place + 2] == "P":
                place += 1
            made.append(rng.choice(prefixes) if prefixes else str(rng.randint(201, 989)))
        elif sign == "'":
            end = shape.index("'", place + 1)
            made.append(shape[place + 1 : end])
            place = end
        else:
            made.append(sign)
        place += 1
    return "".join(made)
