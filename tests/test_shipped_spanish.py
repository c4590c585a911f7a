"""What models had not learned, the shipped Spanish ones find by their patterns, and spare."""

from __future__ import annotations

import pytest

from tests.shipped_models import find_mentions

pytest.importorskip("onnxruntime", reason="es needs the extra `neural`")
MODELS = ["es", "es-fast"]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("text", "mention"),
    [
        (
            "vive en Astorga punto Teléfono seis cinco cinco once veintidós treinta y tres punto",
            "seis cinco cinco once veintidós treinta y tres",
        ),
        (
            "Número de historia siete cuatro cuatro uno nueve ocho punto Fumador",
            "siete cuatro cuatro uno nueve ocho",
        ),
        ("Hab 312-2: agitada, avisado Dr Montalvo (busca 4417), haloperidol 5 mg im.", "4417"),
        ("FEVI previa. Ecocardiograma (6/11): FEVI 38 %.", "6/11"),
        ("se cayo en casa. avisado dr carballeira de trauma. revision mañana", "carballeira"),
        ("Sra. Iris, 45 años", "Iris"),
        ("su hija Iris la acompaña", "Iris"),
        ("PACIENTE DE 66 AÑOS, VECINO DE ARANDA DE DUERO, FUMADOR.", "ARANDA DE DUERO"),
        ("Vereda El Salvial, municipio de Cómbita. Bishop 6.", "Cómbita"),
        ("Pacient: Montserrat Vila, CIP PUVI 0 470312 004, 78 anys. Filla: Núria.", "78 anys"),
        ("Plan: 3x10 sentadillas. Instagram @julicabezas10.", "@julicabezas10"),
        (
            "coma doctor Paredes coma dieciséis de octubre de dos mil veinticinco punto Paciente",
            "dieciséis de octubre de dos mil veinticinco",
        ),
        (
            "punto Paciente Rogelio Cifuentes Andrade de sesenta y siete años que acude a consulta",
            "sesenta y siete años",
        ),
    ],
)
def test_what_people_say_or_write_in_a_hurry_is_found(name: str, text: str, mention: str) -> None:
    assert mention in find_mentions(name, text)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    "text",
    [
        "Dieta de 2000 kcal, se busca 1200 ml de diuresis. Dolor EVA (7/10).",
        "Fumador de veinte cigarrillos al día desde hace diez años, toma dos comprimidos.",
        "avisado dr de guardia, dra responsable de planta y dr adjunto de cardiologia",
        "VECINO DE CAMA CON TOS. ALTA A DOMICILIO.",
        "Ganglios (3/12). Insulina 10-8-12. Prednisona 20-30-10. MEC 28/35.",
    ],
)
def test_nothing_is_found_in_clinical_words_beside_those(name: str, text: str) -> None:
    assert find_mentions(name, text) == []


@pytest.mark.parametrize("name", MODELS)
def test_a_title_alone_is_nobody(name: str) -> None:
    found = find_mentions(
        name, "agitada, haloperidol 5 mg im. Su hija va. Firma: Enf. Puri Castaño"
    )
    assert "Enf" not in found
    assert "Puri Castaño" in found


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("spoil", ["latin-1", "cp1252", "escape", "lost"])
def test_names_whose_letters_were_spoiled(name: str, spoil: str) -> None:
    text = "Paciente: José Ángel Muñoz Ibáñez. Visto por la Dra. Begoña Núñez."
    if spoil == "escape":
        spoiled = text.encode("unicode_escape").decode()
    elif spoil == "lost":
        spoiled = text.encode("latin-1").decode("utf-8", "replace")
    else:
        spoiled = text.encode().decode(spoil, "replace")
    first, second = find_mentions(name, spoiled)
    assert first[:3] == "Jos"
    assert first[-2:] == "ez"
    assert second[-2:] == "ez"
