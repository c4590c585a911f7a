"""Sentences in clinical layout: golden cases in three languages, and the bounds they keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings

from scrubjay.errors import ConfigError
from scrubjay.text.sentences import LONGEST_SENTENCE, line_offsets, require_sentence_mode
from scrubjay.text.tokenizers import make_tokenizer
from tests.strategies import texts

ENGLISH = [
    "Seen by Dr. Vincent today. ¶He left.",
    "Mrs. Brandvold and Mr. J. Ruiz came in. ¶They were well.",
    "Follow up with Prof. A. B. Stone, M.D. on 3/4. ¶Bring records.",
    "Room No. 12 was cold. ¶Was it? ¶Yes.",
    "Answer: no. ¶Next visit in May.",
    "BP 120.5/80. stable on exam",
    "Given 0.5 ms. ¶No pacing at 10 V.",
    "Hepatitis B. ¶Patient was told.",
    "Seen by J. Smith. ¶Stable.",
    'He said "I am fine." ¶Then he left.',
    "Pain (mild.) ¶No fever! ¶Call back… ¶Done.",
    "Pt. Smith c/o pain, e.g. Mondays, vs. none, approx. 3 times. ¶Ok.",
    "Brought in by St. Mary's Fire Dept. Engine 4. ¶Stable.",
    "Plan: 1. Aspirin daily. ¶Then stop.",
    "PSA of 2. ¶The rest is normal.",
    "Seen at 5 p.m. by Ann Lee, R.N. She agreed.",
]
SPANISH = [
    "Médico: Dr. D. Ignacio Navarro NºCol: 28 28 70973. ¶Informe clínico.",
    "Remitido por: Dra. Dña. Ana Ruiz c/ del Abedul 5-7, 2º dcha. 28036 Madrid. ¶Fin.",
    "La Sra. López y el Sr. Gil acuden. ¶Viven en Ctra. de Toledo s/n.",
    "PSA de 1.16 ng/ml. ¶Las citologías son sospechosas. ¶¿Dolor? ¶¡No! ¶Se va.",
    "Hepatitis C. ¶Se inicia tratamiento, p. ej. ribavirina, aprox. 6 meses.",
    "Domicilio: Avda. Constitución nº. 12, pág. 3. ¶Sin alergias: no. ¶Alta.",
    "Dn\u0303a. Ana Pe\u0301rez. ¶Alta.",
]
DUTCH = [
    "Gezien door dhr. Jansen en mevr. De Vries. ¶Zij gaan naar huis.",
    "Mw. G.H. Wolterink-ten Brinke belt m.b.t. Thuiszorg, d.w.z. de pillen. ¶Akkoord.",
    "Overleg met prof. dr. A. Bakker, i.v.m. koorts. ¶Controle o.a. Maandag.",
    "Polisnr. 6620.41.883 en tel. 0570-884213. ¶Huisarts gebeld.",
    "Dochter Ria (58), woont in Raalte. ¶'s Ochtends hulp.",
]
LAYOUT = [
    """\
HISTORY OF PRESENT ILLNESS
¶Patient is 40.
¶MEDICATIONS:
¶aspirin 81 mg
¶lisinopril 10 mg
""",
    """\
Plan:
¶1. Aspirin 81 mg daily
¶2. Metoprolol
¶- stop smoking
¶* call Dr. Lee
¶• follow up
""",
    """\
Datos del paciente.
¶Nombre:  Ernesto.
¶Apellidos: Rivera Bueno.
¶Edad: 70 años Sexo: H.
¶País: España.
""",
    """\
Naam             : mw. G.H. Brinke
¶Roepnaam         : Dinie
¶BSN              : 374419205
¶1. Persoonsgegevens
¶Eerste: dochter Ria, zij is kapster.
""",
    "Na   138    140    142\n¶K    4.1    4.0    3.9\n¶Cl   101    102    100",
    "Name\tAge\tWard\n¶Ann Lee\t44\tB",
    "Assessment: stable\r\n\r\n¶Signed\r\n¶Dr. Lee\r\n",
    "one\x0b¶two\x0c¶three\x1c¶four\x85¶five\u2028¶six",
    "first paragraph without a stop\n \n¶second paragraph",
]
WRAPPED = [
    # a fixed width of 44: only the stop ends the sentence
    """\
The patient is a 77 year old retired farmer
who was admitted with chest pain from the St
Vincent clinic. ¶He was seen there by a young
doctor who started aspirin.
¶PLAN OF CARE
¶1. aspirin 81 mg daily for the long run now
¶Follow-up: in two weeks
""",
    """\
Varón de 70 años de edad, minero jubilado,
sin alergias conocidas, que presenta como
antecedentes un accidente laboral antiguo en
Toledo y una operación de la mano. ¶Acude por
dolor.
""",
    """\
Mevrouw is op zondag thuisgekomen uit het
ziekenhuis na een val. ¶Nu is er hulp nodig
bij het wassen en aankleden. ¶Huisarts Bannink
heeft de aanvraag gedaan.
""",
    # lines broken by eye, of similar length
    """\
57 yo on dialysis at Redwillow Kidney Center
since 8/98, the last run was on a Tuesday
first, road closed by all the snow from New Year on
and family ran out of wood.

¶0430 awake
""",
    # short lines are no wrapped prose
    "charcoal no\n¶crisis paged 2240\n¶mother called\n¶went home",
    # one wrapped line in a short note
    """\
Short note
¶He was brought in by his daughter who had found him on the floor
of the kitchen.
""",
    # whatever the width
    "seen by on-call Dr.\nVincent at night. ¶He left.",
    "Remitido por el Dr.\nNavarro Cuéllar. ¶Alta.",
    "known hemi-\nparesis on the left",
    "allergic to penicillin,\nsulfa and latex",
    # but no title joins what stands apart
    "12 Main St.\n¶Phone: 555 0100",
    "signed by the Dr.\n¶--------",
]


@pytest.mark.parametrize("marked", [*ENGLISH, *SPANISH, *DUTCH, *LAYOUT, *WRAPPED])
@pytest.mark.parametrize("tokenizer", ["whitespace", "wi-deid", "jiang", "subword"])
def test_golden_sentences(marked: str, tokenizer: str) -> None:
    parts = marked.split("¶")
    expected = [sum(map(len, parts[:number])) for number in range(len(parts))]
    tokens = make_tokenizer(tokenizer).tokenize("".join(parts))
    found = tokens.starts[tokens.sentence_starts].tolist()
    bounds = zip(found, [*found[1:], len(tokens.text)], strict=True)
    assert [tokens.text[start:end] for start, end in bounds] == parts
    assert found == expected


def test_a_line_is_a_sentence() -> None:
    tokens = make_tokenizer("whitespace", sentences="line").tokenize("a b. C\r\n\r\nd\u2029e\x0bf")
    assert tokens.sentence_starts.tolist() == [0, 3, 4, 5]
    assert line_offsets("a\r\nb") == [0, 3, 4]


def test_no_sentences_is_one_sentence() -> None:
    tokens = make_tokenizer("whitespace", sentences="none").tokenize("a. B\n\nC " * 200)
    assert tokens.sentence_starts.tolist() == [0]
    assert make_tokenizer("subword", sentences="none").tokenize(" ").sentence_starts.tolist() == []


def test_a_paragraph_joins_wrapped_lines_and_is_not_cut_inside() -> None:
    text = "seen by on-call Dr.\nVincent at night. He left.\nPlan:\nRest. Fluids."
    tokens = make_tokenizer("whitespace", sentences="paragraph").tokenize(text)
    begins = tokens.starts[tokens.sentence_starts].tolist()
    assert begins == [0, text.index("Plan"), text.index("Rest")]


@pytest.mark.parametrize("mode", ["clinical", "paragraph", "line"])
def test_a_long_sentence_is_parted_after_a_comma(mode: str) -> None:
    text = "a b c d e f g h i, " * 100
    tokens = make_tokenizer("whitespace", sentences=mode).tokenize(text)
    sizes = np.diff(tokens.sentence_bounds())
    assert sizes.max() <= LONGEST_SENTENCE
    assert sizes[:-1].min() > LONGEST_SENTENCE // 2
    assert all(first % 9 == 0 for first in tokens.sentence_starts.tolist())


def test_a_long_sentence_is_parted_at_space_before_anywhere() -> None:
    spaced = make_tokenizer("subword").tokenize("12/12/2016 " * 100)
    assert len(spaced.sentence_starts) > 1
    assert all(first % 5 == 0 for first in spaced.sentence_starts.tolist())
    solid = make_tokenizer("subword").tokenize("-" * 1000)
    assert np.diff(solid.sentence_bounds()).tolist() == [LONGEST_SENTENCE] * 5


@given(text=texts(max_pieces=30))
@example(text="." * 50)
@example(text="Dr.\nDr.\n Dr. Dr.\u2028")
@example(text="\ufeffa. B\n\u0301. C")
@settings(max_examples=100)
def test_sentences_begin_after_white_space(text: str) -> None:
    tokens = make_tokenizer("subword").tokenize(text)
    starts = tokens.starts[tokens.sentence_starts].tolist()
    assert all(start == 0 or text[start - 1].isspace() for start in starts[1:])
    plain = make_tokenizer("whitespace").tokenize(text)
    assert plain.starts[plain.sentence_starts].tolist() == starts


def test_an_unknown_mode_names_the_known() -> None:
    with pytest.raises(ConfigError, match="clinical, paragraph, line, none"):
        require_sentence_mode("stanza")
