"""Identifiers in forms that taggers hardly know, and what only looks like one."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers._mending.odd_forms import add_odd_forms
from scrubjay.taggers.mending import mend


def _mended(marked: str, language: str = "en") -> list[str]:
    document = parse_inline(marked)
    rows = add_odd_forms(document.text, document.spans, language)
    assert set(rows) <= set(mend(document.text, document.spans, language))
    return [f"{row.label} {document.text[row.start : row.end]}" for row in rows]


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("to j.roe [at] lake [dot] org.", "en", "EMAIL j.roe [at] lake [dot] org"),
        ("to <PATIENT>j.roe</PATIENT> (at) lake.org, ok", "en", "EMAIL j.roe (at) lake.org"),
        ("a <NAME>j.roe</NAME>[arroba]lago[punto]es", "es",
         "CORREO_ELECTRONICO j.roe[arroba]lago[punto]es"),
        ("MAC <IDNUM>00:1B:44</IDNUM>:11:3a:b7 on", "en", "DEVICE 00:1B:44:11:3a:b7"),
        ("MAC-adres 00-1B-44-11-3A-B7", "nl", "ID 00-1B-44-11-3A-B7"),
        ("INR <DATE>2023</DATE>-W14, ok", "en", "DATE 2023-W14"),
        ("control 2024-W20-3.", "es", "FECHAS 2024-W20-3"),
        ("(son) b. 7 iv 29.", "en", "DATE 7 iv 29"),
        ("geb. 12 xi 1931", "nl", "DATE 12 xi 1931"),
        ("nacido 1.v.1940 en", "es", "FECHAS 1.v.1940"),
        ("operado en '92, bien", "es", "FECHAS '92"),
        ("promoción del ’74.", "es", "FECHAS ’74"),
        ("Class of '92, USMC", "en", "DATE '92"),
        ("lichting '74", "nl", "DATE '74"),
        ("dialyzes MWF at", "en", "DATE MWF"),
        ("HD TTS via", "en", "DATE TTS"),
        ("turno LXV, 2 comp", "es", "FECHAS LXV"),
        ("see cxr_20230411.pdf", "en", "DATE 20230411"),
        ("zie rx_20230411_2.jpg", "nl", "DATE 20230411"),
        ("Пациент: Иванова Мария, ok", "en", "PATIENT Иванова Мария"),
        ("contact: محمد العلي, tel", "nl", "NAME محمد العلي"),
        ("Greek: <HOSPITAL>Γιώργος</HOSPITAL> Λάμπρου.", "en", "PATIENT Γιώργος Λάμπρου"),
        ("at 10:04 Session 0a1b2c3d-4a55-11ec Host", "en", "IDNUM 0a1b2c3d-4a55-11ec"),
        ("sessie-id: 0a1b2c3d-4a55-41ec-8d3d-0242ac130003", "nl",
         "ID 0a1b2c3d-4a55-41ec-8d3d-0242ac130003"),
        ("Workstation: LAKEWS-07   IP", "en", "IDNUM LAKEWS-07"),
        ("werkplek POLI3-PC-22.", "nl", "ID POLI3-PC-22"),
        ("on Southwest flt 1882 tonight", "en", "IDNUM 1882"),
        ("vuelo IB 3124 a Lugo", "es", "OTRO_NUMERO_IDENTIF IB 3124"),
        ("ROE PARK, ANA   083Y   Pet.", "es", "EDAD_SUJETO_ASISTENCIA 083Y"),
        ("11APR1987   F 038Y   H", "en", "AGE 038"),
        ("ADM: 102823   DC: 110123", "en", "DATE 110123"),
        ("Vacunas: Bexsero 24-8, Prevenar", "es", "FECHAS 24-8"),
        ("doorgebeld aan co-ass. Blij om", "nl", "NAME Blij"),
        ("Cc: Roe, Maria <mroe@lake.org>", "en", "DOCTOR Roe, Maria"),
        ("De: María de Roe <mroe@lago.es>", "es", "NOMBRE_PERSONAL_SANITARIO María de Roe"),
    ],
)  # fmt: skip
def test_a_form_of_identifiers_is_found(marked: str, language: str, expected: str) -> None:
    assert _mended(marked, language) == [expected]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("pain (at) rest", "en"), ("sat [at] 4 L", "en"), ("MAC 3 blade 10:11:12", "en"),
        ("drip 2010-W99 x", "en"), ("rib. 7 iv 29 mg", "en"), ("lasix 20 iv 29", "en"),
        ("b. 7 iv fluids", "en"), ("code_20231411.pdf", "en"), ("lot_20230411 x", "en"),
        ("TNF-α and β2, Δ 3, κλ", "en"), ("µg/L → 5", "nl"), ("Ключ: 5", "en"),
        ("session 12-4 done", "en"), ("workstation user nroe3", "en"), ("in-flight 1200 m", "en"),
        ("flight 300 feet", "en"), ("flight 2019, DVT", "en"), ("vlucht 800 m", "nl"),
        ("Workstation note: A", "en"), ("lot 083YT", "en"), ("DC: 110123", "en"),
        ("Bexsero 2-4, Nimenrix 4-12", "es"), ("Bexsero 24-8 m", "es"), ("co-ass. te laat", "nl"),
        ("Catapres TTS 2", "en"), ("MWFS", "en"), ("firmado LMV", "es"), ("HD TTSA", "en"),
        ("en '10' minutos", "es"), ("in '921", "en"), ("tot '5 uur", "nl"), ("is '10", "en"),
        ("Lab Results <lab@lake.org>", "en"), ("<mroe@lake.org>", "en"), ("EF <35 Maria@", "en"),
    ],
)  # fmt: skip
def test_what_only_looks_so_is_none(text: str, language: str) -> None:
    assert add_odd_forms(text, (), language) == ()


def test_what_reaches_beyond_a_form_stays() -> None:
    document = parse_inline("<USERNAME>x MAC 00:1B:44:11:3A:B7 y</USERNAME>")
    assert add_odd_forms(document.text, document.spans, "en") == document.spans
