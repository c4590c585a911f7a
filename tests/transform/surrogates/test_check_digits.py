"""Numbers with check digits: known valid ones are told, and what is repaired is valid."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.transform.surrogates._check_digits import SCHEMES, Scheme, find_scheme, luhn_digit

# Published examples of each scheme, none of a person.
VALID = {
    "iban": ["GB82WEST12345698765432", "NL91ABNA0417164300", "ES9121000418450200051332"],
    "vin": ["1M8GDM9AXKP042788", "11111111111111111"],
    "dea": ["AB1234563"],
    "dni": ["12345678Z"],
    "nie": ["X1234567L"],
    "bsn": ["111222333", "123456782"],
    "sin": ["046454286"],
    "nhs": ["9434765919"],
    "npi": ["1234567893"],
    "insz": ["85073003328"],
    "nuss": ["281234567840"],
    "luhn": ["4111111111111111", "490154203237518"],
    "rut": ["123456785", "11111111K"[:8] + "1"],
}
BY_NAME = {scheme.name: scheme for scheme in SCHEMES}


@pytest.mark.parametrize(("name", "code"), [(n, code) for n, row in VALID.items() for code in row])
def test_a_valid_number_is_told_and_a_changed_one_is_not(name: str, code: str) -> None:
    scheme = BY_NAME[name]
    assert scheme.holds(code)
    place = len(code) - 1 if code[-1].isdigit() else len(code) - 2
    changed = code[:place] + str((int(code[place]) + 1) % 10) + code[place + 1 :]
    assert not scheme.holds(changed)
    assert find_scheme(code) is not None


def test_every_scheme_has_an_example() -> None:
    assert sorted(VALID) == sorted(BY_NAME)


@settings(max_examples=200)
@given(st.sampled_from(SCHEMES), st.data())
def test_what_is_repaired_is_valid(scheme: Scheme, data: st.DataObject) -> None:
    code = data.draw(st.from_regex(scheme.form, fullmatch=True))
    new = scheme.repair(code)
    if new is not None:
        assert len(new) == len(code)
        assert scheme.holds(new)


@given(st.text("0123456789", min_size=1, max_size=18))
def test_luhn_agrees_with_its_definition(digits: str) -> None:
    code = digits + luhn_digit(digits)
    doubled = [int(d) * (1 + n % 2) for n, d in enumerate(reversed(code))]
    assert sum(sum(map(int, str(value))) for value in doubled) % 10 == 0


@pytest.mark.parametrize("code", ["", "1234", "ABC", "١٢٣٤٥٦٧٨٢", "A" * 40])
def test_other_texts_have_no_scheme(code: str) -> None:
    assert find_scheme(code) is None


@given(st.one_of(st.from_regex("[0-9]{7,20}", fullmatch=True), st.text("0189AXZK", max_size=20),
                 st.sampled_from([code for row in VALID.values() for code in row])))  # fmt: skip
def test_the_scheme_is_the_first_of_all_that_holds(code: str) -> None:
    first = next((scheme for scheme in SCHEMES if scheme.holds(code)), None)
    assert find_scheme(code) == (first if 8 <= len(code) <= 34 else None)
