from __future__ import annotations

import re

import pytest

from scrubjay.document import Span
from scrubjay.taggers._mending.people.rosters import part_rosters
from scrubjay.taggers.mending import mend

_MARKED = re.compile(r"\[(\w+) ([^\]]+)\]")


def _read(marked: str) -> tuple[str, tuple[Span, ...]]:
    """Return the text of "[DATE Wed Rivera] covers", and its spans."""
    text, spans, last = "", [], 0
    for match in _MARKED.finditer(marked):
        text += marked[last : match.start()]
        spans.append(Span(len(text), len(text) + len(match[2]), match[1], score=0.9))
        text += match[2]
        last = match.end()
    return text + marked[last:], tuple(spans)


def _write(text: str, spans: tuple[Span, ...]) -> str:
    for span in reversed(spans):
        mention = f"[{span.label} {text[span.start : span.end]}]"
        text = text[: span.start] + mention + text[span.end :]
    return text


def _part(marked: str, language: str = "en") -> str:
    text, spans = _read(marked)
    return _write(text, part_rosters(text, spans, language))


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("[DATE Wed Rivera] away", "en", "[DATE Wed] [DOCTOR Rivera] away"),
        ("[DATE Mon Baker] covers", "en", "[DATE Mon] [DOCTOR Baker] covers"),
        (
            "[DATE Mon] Baker, [DATE Wed Rivera], [DATE Thu Day]",
            "en",
            "[DATE Mon] [DOCTOR Baker], [DATE Wed] [DOCTOR Rivera], [DATE Thu] [DOCTOR Day]",
        ),
        (
            "[DATE Mon]: Baker\n[DATE Tue]: [DOCTOR Smith]\n[DATE Thu]: Day\n",
            "en",
            "[DATE Mon]: [DOCTOR Baker]\n[DATE Tue]: [DOCTOR Smith]\n[DATE Thu]: [DOCTOR Day]\n",
        ),
        (
            "[DATE Fri] (K. Hale), [DOCTOR Sun Lee]",
            "en",
            "[DATE Fri] ([DOCTOR K. Hale]), [DATE Sun] [DOCTOR Lee]",
        ),
        (
            "[DATE Wed Rivera Thu Day] [DATE Fri] Long",
            "en",
            "[DATE Wed] [DOCTOR Rivera] [DATE Thu] [DOCTOR Day] [DATE Fri] [DOCTOR Long]",
        ),
        (
            "[DATE WED] RIVERA / [DATE THU DAY]",
            "en",
            "[DATE WED] [DOCTOR RIVERA] / [DATE THU] [DOCTOR DAY]",
        ),
        ("[DATE di Bakker]", "nl", "[DATE di] [NAME Bakker]"),
        ("[DATE di de Vries], wo", "nl", "[DATE di] [NAME de Vries], wo"),
        (
            "[DATE vr] De Wit, [DATE ma] Jansen",
            "nl",
            "[DATE vr] [NAME De Wit], [DATE ma] [NAME Jansen]",
        ),
        (
            "[FECHAS mar López], jue",
            "es",
            "[FECHAS mar] [NOMBRE_PERSONAL_SANITARIO López], jue",
        ),
    ],
)
def test_names_behind_weekdays(marked: str, language: str, expected: str) -> None:
    assert _part(marked, language) == expected


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("Seen [DATE Thu Day], well", "en"),  # nobody else on another day
        ("[DATE Thu Day] shift, [DATE Wed] Rivera", "en"),
        ("[DATE Mon] AM labs, [DATE Wed] PM clinic, [DATE Fri Morning]", "en"),
        ("Pulled [DATE Mon] Foley, placed [DATE Wed] Foley", "en"),
        ("[DATE Mon] Labs. [DATE Tue] Clinic. [DATE Wed] Echo.", "en"),
        ("[DATE Mon Walk], [DATE Tue Swim], [DATE Wed Gym]", "en"),
        ("[HOSPITAL Sun Valley Clinic], [HOSPITAL Mon General Hospital]", "en"),
        ("[PATIENT Sun Lee] is here", "en"),
        ("[DATE Mon] and [DATE Wed], Baker seen", "en"),
        ("[DATE Monday], [DATE Tuesday 3/4]", "en"),
        ("[DATE Tues Jan 14], [DATE Wed] Rivera", "en"),
        ("[DATE Tues Tuesday] returns", "en"),
        ("[DATE vr mei], [DATE di] Bakker", "nl"),
        ("[DATE ma] Koken, [DATE di] Zwemmen, [DATE wo] Fysio", "nl"),
        ("[FECHAS lunes] Tarde, [FECHAS martes] Noche", "es"),
        ("[DATE Mon Baker]", "de"),
    ],
)
def test_what_is_left_as_it_is(marked: str, language: str) -> None:
    text, spans = _read(marked)
    kept = part_rosters(text, spans, language)
    names = [span for span in kept if span.source == "roster"]
    assert not names
    assert kept == spans


def test_mending_parts_them() -> None:
    text, spans = _read("[DATE Mon] Baker, [DATE Wed Rivera], [DATE Thu Day]")
    expected = "[DATE Mon] [DOCTOR Baker], [DATE Wed] [DOCTOR Rivera], [DATE Thu] [DOCTOR Day]"
    assert _write(text, mend(text, spans, "en")) == expected
