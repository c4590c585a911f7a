"""Clinical abbreviations in capitals that a tagger takes for names are spared.

"moeder CVA, vader MI" has the layout of "moeder Ans, vader Jo": a tagger, or a pattern that looks
for a capital after a relative, takes the diagnosis for the name, and every other place of it is
hidden with it. What is listed (`resources/abbreviations`) and stands in capitals where others do
not is no name, save where it could be one: a listed word of two letters, one that some list of
names has, or what was found as initials is spared only where the words around tell of a disease:
that a relative has it, or that it is looked for or found ("verdenking LE", "CT: geen PE").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from scrubjay.document import Span
from scrubjay.features.lexicons import find_lexicon, lexicon_names
from scrubjay.resources import load_table, table_names

_PLACES = frozenset({"HOSPITAL", "CARE_INSTITUTE", "ORGANIZATION_COMPANY", "INTERNAL_LOCATION"})
ABBREVIATED = _PLACES | {"NAME", "INITIALS"}
"""The labels of which a clinical abbreviation may be none: those of Trienes 2020."""

_LEAST, _LONGEST, _AROUND, _NEAR = 3, 40, 60, 150
"""Letters of what is no initials; characters of a mention, on each side of it, and near it."""

_KEPT = 4096

_EMPTY = re.compile(r"\n[ \t\r]*\n")
_WORD = re.compile(r"[^\W\d_]{2,}")
_CAPITALISED = re.compile(r"[ \t]+(?=([^\W\d_]+))(?-i:[A-ZÀ-ÖØ-Þ])")
_NUMBERED = re.compile(r"[ \t]*(?:\d|[A-Z]\b|(?:box|kamer|bed|poli|unit)\b)", re.IGNORECASE)
# The key of a history and what it lists on the line, up to a further item.
_AFTER_KEY = re.compile(
    r"(?<!\w)(?:(?:VG|vg|[Vv]oorgeschiedenis|VOORGESCHIEDENIS|[Vv]gs?\.)(?:[ ]?:[ ]?|[ ])|"
    r"D\.?D[x.]?[ ]?[:/][ ]?|(?:\A|[.:;,(][ ]?)D\.?D[x.]?[ ])"
    r"(?:[^\n.;:]{1,50}(?:,|/|\+|[ ]en)[ ]?)?\Z"
)
_STAGE = r"(?:[ \t](?i:gold|type|stadium|graad)[ \t]?(?:[0-4]|I{1,3}|IV)[A-D]?)?"
_SIGNS = r"[ \t]*[+†✝/:(=-]{0,3}[ \t]*"
_JOINS = r"(?:[ \t]*[/,+&][ \t]*|[ \t]+(?:en|of)[ \t]+)"


@dataclass(frozen=True, slots=True, eq=False)
class Abbreviations:
    """What a language has of clinical abbreviations, and the expressions that read around them.

    `findings` and `others` are in capitals, `doubtful` are those that could be names or initials.
    `whole` matches a mention of nothing else. `relative` matches up to the end of what stands
    before a finding of a relative, with the group `told` where a word says that it is one;
    `suspicion` up to the end of what stands before one that is looked for, or that a patient has;
    `after` matches what says so behind it, and `title` what makes a name of anything.
    """

    findings: frozenset[str]
    others: frozenset[str]
    doubtful: frozenset[str]
    relatives: frozenset[str]
    whole: re.Pattern[str]
    relative: re.Pattern[str]
    suspicion: re.Pattern[str]
    after: re.Pattern[str]
    head: re.Pattern[str]
    history: re.Pattern[str]
    title: re.Pattern[str]


def may_be_abbreviation(mention: str) -> bool:
    """Tell whether a mention may be some listed abbreviation or a part of one."""
    return mention[:2].isupper() and len(mention) <= _LONGEST


def is_abbreviation(text: str, span: Span, table: Abbreviations) -> bool:
    """Tell whether a span that may be one is an abbreviation, and no name where it stands.

    None is in a line in capitals, where names stand so too.
    """
    first, last = _whole_words(text, span)
    mention = text[first:last]
    if not _is_listed(mention, table):
        return False
    start = text.rfind("\n", 0, first) + 1
    end = text.find("\n", last)
    end = end if end >= 0 else len(text)
    before = text[max(start, first - _AROUND) : first]
    after = text[last : min(end, last + _AROUND)]
    if _goes_on(before, after) or table.title.search(before):
        return False
    words = _listed(mention, table)
    if _AFTER_KEY.search(before) and table.findings.issuperset(words):
        return not _precedes_name(after, table)
    if not _stands_out(before, after, table):
        return False
    sure = span.label != "INITIALS" and not any(word in table.doubtful for word in words)
    if sure:
        return span.label not in _PLACES or _NUMBERED.match(after) is None
    if not table.findings.issuperset(words) or span.label in _PLACES:
        return False
    if _precedes_name(after, table):
        return False
    if table.suspicion.search(before):
        return True
    told = table.relative.search(before)
    if told is None:
        return False
    names = [word for word in words if word in table.doubtful and _is_name(word)]
    return not names or bool(
        told["told"] or table.after.match(after) or _is_history(text, first, table)
    )


def _whole_words(text: str, span: Span) -> tuple[int, int]:
    """Return a span with the rest of the words that it cuts: "DM" of "DM2" as "DM2"."""
    start, end = span.start, span.end
    while start and text[start - 1].isalnum() and end - start < _LONGEST:
        start -= 1
    while text[end : end + 1].isalnum() and end - start < _LONGEST:
        end += 1
    return start, end


def _listed(mention: str, table: Abbreviations) -> list[str]:
    """Return the abbreviations of a mention: "OCD en GTS" has two, "COPD GOLD III" one."""
    words = re.findall(r"[A-Z]+[0-9]?[A-Z]?", mention)
    return [word for word in words if word in table.findings or word in table.others]


@lru_cache(_KEPT)
def _is_listed(mention: str, table: Abbreviations) -> bool:
    return table.whole.fullmatch(mention) is not None


def _goes_on(before: str, after: str) -> bool:
    """Tell whether a word goes on at either end: "CVA-zorg", "M.S."."""
    return bool(re.search(r"[\w.'’-]\Z", before) or re.match(r"\w|[-'’&]\w|\.\w", after))


def _stands_out(before: str, after: str, table: Abbreviations) -> bool:
    """Tell whether the nearest word on either side that is no abbreviation is in small letters."""
    for words in (reversed(_WORD.findall(before)), iter(_WORD.findall(after))):
        word = next((word for word in words if word not in table.findings | table.others), "")
        if word and not word.isupper():
            return True
    return False


def _precedes_name(after: str, table: Abbreviations) -> bool:
    """Tell whether a word with a capital follows, as the surname of initials does."""
    match = _CAPITALISED.match(after)
    if match is None:
        return False
    return match[1].lower() not in table.relatives and match[1] not in table.findings


def _is_history(text: str, place: int, table: Abbreviations) -> bool:
    """Tell whether the head of a family history, or another finding of a relative, stands near.

    An empty line is as far as it looks.
    """
    before = _EMPTY.split(text[max(0, place - _NEAR) : place])[-1]
    near = before + _EMPTY.split(text[place : place + _NEAR])[0]
    return table.head.search(before) is not None or any(
        match.start("finding") != len(before) and match["finding"] not in table.doubtful
        for match in table.history.finditer(near)
    )


def _is_name(word: str) -> bool:
    """Tell whether a relative may be called so: by a first name, or a surname but those of English.

    Of these there are so many that most of two letters are among them.
    """
    names = (*_lists("first-names"), *(name for name in _lists("surnames") if name[:3] != "en."))
    return any(word.lower() in find_lexicon(name) for name in names)


@cache
def find_abbreviations(language: str) -> Abbreviations | None:
    """Return the table of a language, None where there is none."""
    if language not in table_names("abbreviations"):
        return None
    table = load_table("abbreviations", f"{language}.toml")
    rows = {key: value.split() for key, value in table.items()}
    findings, others = frozenset(rows["findings"]), frozenset(rows["others"])
    relatives = frozenset({*find_lexicon(f"{language}.relatives"), *rows["relatives"]})
    relative = _any_of(relatives, "(?i:{})")
    suspicions = _any_of(word.replace("_", " ") for word in rows["suspicions"])
    told, between = _any_of(rows["told"]), _any_of(rows["between"])
    listed, finding = _any_of(findings | others), _any_of(findings)
    link = rf"{_SIGNS}(?<![^\W_])(?:(?i:(?P<told>{told})|{between})[ \t]+){{0,3}}"
    lead = rf"(?<!\w){relative}(?:[ \t]+(?:mz|vz))?{link}"
    titles = _any_of(find_lexicon(f"{language}.titles").keys() - relatives, "(?i:{})")
    return Abbreviations(
        findings, others, _doubtful(findings | others), relatives,
        whole=re.compile(rf"{listed}(?:{_JOINS}{listed})*{_STAGE}"),
        relative=re.compile(rf"{lead}(?:{finding}{_JOINS}){{0,4}}\Z"),
        suspicion=re.compile(rf"(?<![\w.])(?i:{suspicions})[ \t]+(?:{finding}{_JOINS}){{0,4}}\Z"),
        after=re.compile(rf"[ \t]+(?i:{_any_of(rows['after'])})(?!\w)"),
        head=re.compile(rf"(?<!\w)(?i:{_any_of(rows['heads'])})(?!\w)"),
        history=re.compile(rf"{lead}(?P<finding>{finding})(?!\w)"),
        title=re.compile(rf"(?<!\w){titles}\.?[ \t]*\Z"),
    )  # fmt: skip


def _any_of(words: Iterable[str], form: str = "{}") -> str:
    """Return an expression of any of the words, the longest first."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return form.format(f"(?:{'|'.join(map(re.escape, ordered))})")


def _doubtful(words: Iterable[str]) -> frozenset[str]:
    """Return which abbreviations could be initials or names."""
    lists = _lists("first-names") + _lists("surnames")
    return frozenset(
        word
        for word in words
        if len(word) < _LEAST or any(word.lower() in find_lexicon(name) for name in lists)
    )


@cache
def _lists(kind: str) -> tuple[str, ...]:
    return tuple(name for name in lexicon_names() if name.partition(".")[2] == kind)
