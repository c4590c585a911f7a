"""Words that follow gender or language."""

import pytest

from scrubjay.synthesis.wording import agree, write_drug


@pytest.mark.parametrize(
    ("man", "woman"),
    [
        ("técnico de laboratorio", "técnica de laboratorio"),
        ("médico jubilado", "médica jubilada"),
        ("conductor de autobús", "conductora de autobús"),
        ("empleado de hogar", "empleada de hogar"),
        ("psicólogo", "psicóloga"),
        ("actor", "actriz"),
        ("periodista", "periodista"),
        ("albañil", "albañil"),
        ("piloto", "piloto"),
    ],
)
def test_spanish_jobs_have_gender(man: str, woman: str) -> None:
    assert agree(man, female=True) == woman
    assert agree(woman, female=False) == man
    assert agree(man, female=False) == man
    assert agree(woman, female=True) == woman


def test_drugs_are_written_in_the_language() -> None:
    assert write_drug("pyridoxine", "es") == "piridoxina"
    assert write_drug("rabeprazole", "nl") == "rabeprazol"
    assert write_drug("pyridoxine", "en") == "pyridoxine"
    assert write_drug("sintrom", "es") == "sintrom"
