"""Surrogates of e-mail and web addresses, net addresses and logins.

Layout stays: "https://" does, and private net addresses stay private. Domains of e-mail and web
addresses are nobody's: they end in ".example" (RFC 2606), in which the names of providers that
everybody has stay ("gmail.example").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from scrubjay.features.lexicons import fold_accents
from scrubjay.transform.surrogates._address_names import AddressNames, address_names
from scrubjay.transform.surrogates._fresh import LONGER, Characters, Fresh, may_stay
from scrubjay.transform.surrogates._initials import is_taken
from scrubjay.transform.surrogates._tables import (
    find_first_names,
    find_surnames,
    find_words,
    language_of,
)
from scrubjay.transform.surrogates.draw import Draw, fold

if TYPE_CHECKING:
    from scrubjay.transform.operators import Record
    from scrubjay.transform.surrogates.maker import Maker

_Make = Callable[[str, str, Draw, int, frozenset[str]], str]
_RUN = re.compile(r"[^\W\d_]+|\d+")
_IPV4 = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(.*)", re.ASCII | re.DOTALL)
_ADDRESS = re.compile(r"(?:[1-9][0-9]{0,2}|0)(?:\.(?:[1-9][0-9]{0,2}|0)){3}")
_HEX = re.compile(r"[0-9A-Fa-f]+")
_COLONS = re.compile(r"[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,}(?:[%/].*)?")
_URL = re.compile(r"((?:[A-Za-z][A-Za-z0-9+.-]*://)?)((?:[^/@\s]*@)?)([^/:?#\s]*)(.*)", re.DOTALL)
# Labels of domains that tell the kind of address, not whose it is.
_DOMAINS = frozenset({
    "www", "com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "io", "co", "ac", "nhs",
    "example", "local", "test", "invalid", "localhost", "me", "app", "dev", "law", "health", "care",
    "es", "nl", "uk", "us", "ca", "au", "ie", "nz", "be", "de", "fr", "mx", "ar", "cl", "pe", "eu",
    "cu", "it", "pt", "br", "ve", "ec", "uy", "cat", "gal", "eus", "bo", "py", "cr", "gt", "in",
})  # fmt: skip
_GENERIC = _DOMAINS | {
    "http", "https", "ftp", "portal", "my", "mail", "webmail", "login", "index", "html", "htm",
    "php", "asp", "aspx", "pdf", "img", "image", "docs", "doc", "forms", "form", "secure", "home",
    "web", "app", "api", "id", "case", "visit", "visits", "results", "nieuws", "inicio",
}  # fmt: skip
_NOBODYS = "example"
"""A top-level domain that is never given to anybody (RFC 2606, RFC 6761)."""

_RESERVED = re.compile(
    r"\.(?:example(?:\.(?:com|net|org))?|invalid|test|localhost)\Z", re.IGNORECASE
)
_LAST_LABEL = re.compile(r"(?<=\.)[^.]+(?=\.*\Z)")
_MIN_WORD = 3
_TWO_NAMES = 10
_STEPS = 8


def _addresses(make: _Make, *, of_names: bool = False) -> Maker:
    """Return the maker of a kind of addresses; with `of_names` they are built of the new names."""

    def make_all(
        mention_texts: Sequence[str], record: Record, draw: Draw, *, avoid: frozenset[str]
    ) -> list[str]:
        fresh = Fresh(draw, avoid)
        language = language_of(record.language)
        own = _named(make, mention_texts, record, draw, avoid) if of_names else make

        def attempt_at(core: str, attempt: int, told: frozenset[str]) -> str:
            new = own(core, language, draw, attempt, told)
            if attempt < LONGER and fold(new) != fold(core):
                return new
            characters = Characters(draw, "longer", core, str(attempt))
            return new + characters.filler(1 + attempt // LONGER)

        return [fresh.inside(text, attempt_at) for text in mention_texts]

    return make_all


def _named(
    make: _Make, texts: Sequence[str], record: Record, draw: Draw, avoid: frozenset[str]
) -> _Make:
    """Return a function that builds addresses of the names of the record, where it may."""
    names = address_names(texts, record, draw, avoid)

    def named(text: str, language: str, draw: Draw, attempt: int, told: frozenset[str]) -> str:
        new = make(text, language, draw, attempt, told)
        if attempt:
            return new
        local, at, _ = text.rpartition("@")
        old = local if at else text
        if not at and make is not _local:
            return new
        host = new[new.rindex("@") :] if at else ""
        return _of_names(old, new.removesuffix(host), names) + host

    return named


def _of_names(old: str, new: str, names: AddressNames) -> str:
    """Return the new part before the at sign, with names in it that follow those of persons."""
    runs = _RUN.findall(old)
    drawn = _RUN.findall(new)
    words = iter(names.replaced([run for run in runs if not run[0].isdecimal()]))
    if len(drawn) != len(runs):
        return new
    pieces = iter(
        made if run[0].isdecimal() else next(words) or made
        for run, made in zip(runs, drawn, strict=True)
    )
    return _RUN.sub(lambda match: next(pieces), old)


def _email(text: str, language: str, draw: Draw, attempt: int, told: frozenset[str]) -> str:
    local, at, domain = text.rpartition("@")
    if not at:
        return _url(text, language, draw, attempt, told)
    keep = domain.lower() in find_words(language).mail and may_stay(domain, told)
    new = _as_nobodys(domain) if keep else _host(domain, language, draw, attempt, told)
    return _local(local, language, draw, attempt, told) + at + new


def _local(text: str, language: str, draw: Draw, attempt: int, told: frozenset[str]) -> str:
    return _words(text, language, draw, attempt, kept=frozenset())


def _host(text: str, language: str, draw: Draw, attempt: int, told: frozenset[str]) -> str:
    labels = text.split(".")
    new = [
        label
        if label.lower() in _GENERIC
        and (place or len(labels) > 2 or label.lower() == "www")
        and may_stay(label, told)
        else _words(label, language, draw, attempt, kept=frozenset())
        for place, label in enumerate(labels)
    ]
    return _as_nobodys(".".join(new))


def _as_nobodys(domain: str) -> str:
    """Return a domain under one that nobody can have, in its case; a lone label is none."""
    if _RESERVED.search(domain):
        return domain
    return _LAST_LABEL.sub(
        lambda label: _NOBODYS.upper() if label[0].isupper() else _NOBODYS, domain
    )


def _url(text: str, language: str, draw: Draw, attempt: int, told: frozenset[str]) -> str:
    if _IPV4.fullmatch(text) or _COLONS.fullmatch(text):
        return _ip(text, language, draw, attempt, told)
    if "@" in text and "/" not in text:
        return _email(text, language, draw, attempt, told)
    match, kept = _URL.fullmatch(text), _GENERIC - told
    if match is None:
        return _words(text, language, draw, attempt, kept=kept)
    scheme, user, host, rest = match.groups()
    numeric = _IPV4.fullmatch(host) is not None
    make = _ip if numeric else _host
    new = make(host, language, draw, attempt, told)
    return (
        scheme
        + _words(user, language, draw, attempt, kept=frozenset())
        + new
        + _words(rest, language, draw, attempt, kept=kept)
    )


def _ip(text: str, language: str, draw: Draw, attempt: int, told: frozenset[str]) -> str:
    characters = Characters(draw, "net address", text.lower(), str(attempt))
    four = _IPV4.fullmatch(text)
    if four is not None:
        rest = re.sub(
            r"(?<=:)\d+", lambda match: characters.digit_run(match.group()), four.group(5)
        )
        first, second = int(four.group(1)), int(four.group(2))
        if not may_stay(f"{first}.{second}", told):
            first = second = 10
        return ".".join(map(str, _four(first, second, characters))) + rest
    if ":" in text or "-" in text:
        return _six(text, characters, told)
    if any(c.isdigit() for c in text):
        return re.sub(r"[^\W_]", lambda match: characters.like(match.group()), text)
    return _words(text, language, draw, attempt, kept=frozenset())


def other_address(text: str, draw: Draw, attempt: int, told: frozenset[str]) -> str | None:
    """Return another net address of version 4 for one that a text surely is, else None.

    Surely: no part is above 255 or begins with 0, and one has three digits ("95.48.42.206").
    """
    if _ADDRESS.fullmatch(text) is None or not 100 <= max(map(int, text.split("."))) <= 255:
        return None
    return _ip(text, "", draw, attempt, told)


def _four(first: int, second: int, characters: Characters) -> tuple[int, int, int, int]:
    """Return another address of the same range: private, loop-back, link-local or public."""
    last = characters.below(256), 1 + characters.below(254)
    if first in (10, 127):
        return first, characters.below(256), *last
    if (first, second) in ((192, 168), (169, 254)):
        return first, second, *last
    if first == 172 and 16 <= second < 32:
        return first, 16 + characters.below(16), *last
    new = 11 + characters.below(180)
    return new + (new in (127, 169, 172)), characters.below(256), *last


def _six(text: str, characters: Characters, told: frozenset[str]) -> str:
    """Return other hexadecimal digits; the kind of range at the start stays ("fe80", "2001")."""
    groups = 0
    upper = any(c.isupper() for c in text)

    def other(match: re.Match[str]) -> str:
        nonlocal groups
        groups += 1
        run = match.group()
        known = run.lower().startswith(("fe8", "fd", "fc", "ff")) or run == "2001"
        if groups == 1 and known and may_stay(run, told):
            return run
        drawn = "".join("0123456789abcdef"[characters.below(16)] for _ in run)
        if groups == 1 and len(run) == 4:
            drawn = run[0] + drawn[1:]
        return drawn.upper() if upper else drawn

    return _HEX.sub(other, text)


def _words(text: str, language: str, draw: Draw, attempt: int, *, kept: frozenset[str]) -> str:
    """Return the text with its words and numbers replaced, but for words of `kept`."""

    def other(match: re.Match[str]) -> str:
        run = match.group()
        if run.lower() in kept:
            return run
        characters = Characters(draw, "word", run.lower(), str(attempt))
        if run[0].isdecimal():
            return characters.digit_run(run)
        if len(run) < _MIN_WORD or not run.isascii():
            return "".join(map(characters.like, run))
        return _name_like(run, language, characters)

    return _RUN.sub(other, text)


def _name_like(run: str, language: str, characters: Characters) -> str:
    """Return plain letters of one name or two for a run of letters, in its case."""
    surnames, first = find_surnames(language), find_first_names(language)
    word = surnames[characters.below(len(surnames))]
    if len(run) >= _TWO_NAMES:
        word = first[characters.below(len(first))] + word
    elif len(run) == _MIN_WORD:
        for _ in range(_STEPS):
            if not is_taken(fold_accents(word[:_MIN_WORD])):
                break
            word = surnames[characters.below(len(surnames))]
        word = word[:_MIN_WORD]
    word = fold_accents(word)
    if run.isupper():
        return word.upper()
    return word.capitalize() if run[0].isupper() else word


MAKERS: Mapping[str, Maker] = {
    "email": _addresses(_email, of_names=True),
    "url": _addresses(_url),
    "ip": _addresses(_ip),
    "username": _addresses(_local, of_names=True),
}
"""Kind of label (`scrubjay.labels.KINDS`) -> maker."""
