"""The order of the numbers in dates, and where they move: set for a service, or by a request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from starlette.testclient import TestClient

from scrubjay.errors import ConfigError
from scrubjay.web.app import create_app
from scrubjay.web.service import Service, Settings

KEY = b"k" * 32
NOTE = "Admitted on 05/06/2021, discharged home on 08/07/2021."
SETTINGS = Settings(workers=0, time_limit=300.0)
DAYS = {"dmy": 33, "mdy": 93}


@pytest.fixture(scope="module", params=["", "dmy"])
def served(request: pytest.FixtureRequest) -> Iterator[tuple[str, TestClient]]:
    """Return the order of a service that makes surrogates, and a client of it."""
    order: str = request.param
    with Service(
        ["en-fast"], ["surrogate"], settings=SETTINGS, key=KEY, date_order=order
    ) as service:
        yield order, TestClient(create_app(service))


def days(text: str, order: str) -> int:
    """Return the days between the two dates of a text."""
    found = [tuple(map(int, each)) for each in re.findall(r"(\d+)/(\d+)/(\d+)", text)]
    (one, two) = (date(c, b, a) if order == "dmy" else date(c, a, b) for a, b, c in found)
    return (two - one).days


def answer(client: TestClient, **body: Any) -> Any:
    return client.post("/v1/deidentify", json={"text": NOTE, "patient": "p", **body})


def test_a_request_may_set_the_order(served: tuple[str, TestClient]) -> None:
    of_service, client = served
    texts = {}
    for order, apart in DAYS.items():
        texts[order] = answer(client, date_order=order).json()["text"]
        assert days(texts[order], order) == apart
        documents = [{"text": NOTE, "patient": "p"}] * 2
        body = {"documents": documents, "date_order": order}
        told = client.post("/v1/deidentify", json=body).json()
        assert [each["text"] for each in told["documents"]] == [texts[order]] * 2
    # Without one it is that of the service, else the language's, since nothing tells it.
    assert answer(client).json()["text"] == texts[of_service or "mdy"]
    assert answer(client, date_order=None).json()["text"] == texts[of_service or "mdy"]


def test_the_order_of_the_service_is_told_with_its_policies(
    served: tuple[str, TestClient],
) -> None:
    of_service, client = served
    policies = {each["name"]: each for each in client.get("/v1/policies").json()["policies"]}
    assert f"'date_order': '{of_service}'" in str(policies["surrogate"]["operators"])
    assert "date_order" not in str(policies["mask"]["operators"])
    schema = client.get("/openapi.json").json()["components"]["schemas"]["DeidentifyText"]
    assert schema["properties"]["date_order"]["anyOf"][0]["enum"] == ["dmy", "mdy"]


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"policy": "mask", "date_order": "dmy"}, "bad-value", "/date_order"),
        ({"date_order": "each"}, "invalid-request", "/date_order"),
        ({"date_order": ""}, "invalid-request", "/date_order"),
    ],
)
def test_an_order_of_no_use_is_refused(
    served: tuple[str, TestClient], body: dict[str, str], code: str, pointer: str
) -> None:
    refused = answer(served[1], **body)
    assert refused.status_code in (400, 422)
    assert refused.json()["code"] == code
    assert refused.json()["errors"][0]["pointer"] == pointer


def test_nothing_that_is_only_detected_has_an_order(served: tuple[str, TestClient]) -> None:
    refused = served[1].post("/v1/detect", json={"text": NOTE, "date_order": "dmy"})
    assert refused.json()["code"] == "invalid-request"


def test_a_policy_that_shifts_no_dates_is_served_beside_one_that_does(
    served: tuple[str, TestClient],
) -> None:
    assert "XX" in answer(served[1], policy="mask").json()["text"]


@pytest.mark.parametrize(("way", "sign"), [("past", -1), ("future", 1)])
def test_a_service_moves_all_dates_one_way(way: str, sign: int) -> None:
    with Service(
        ["en-fast"], ["surrogate"], settings=SETTINGS, key=KEY, date_direction=way
    ) as service:
        client = TestClient(create_app(service))
        for number in range(8):
            text = answer(client, patient=f"p{number}", date_order="mdy").json()["text"]
            month, day, year = map(int, re.findall(r"\d+", text)[:3])
            moved = (date(year, month, day) - date(2021, 5, 6)).days
            assert moved * sign > 0
            assert days(text, "mdy") == DAYS["mdy"]


def test_a_service_without_shifted_dates_takes_no_order() -> None:
    with pytest.raises(ConfigError, match="no policy that is served shifts dates"):
        Service(["en-fast"], settings=SETTINGS, date_order="dmy")
    with pytest.raises(ConfigError, match="no order 'ymd'"):
        Service(["en-fast"], settings=SETTINGS, key=KEY, date_order="ymd")
    with pytest.raises(ConfigError, match="to set their direction is of no use"):
        Service(["en-fast"], settings=SETTINGS, date_direction="past")
    with pytest.raises(ConfigError, match="no direction 'back'"):
        Service(["en-fast"], settings=SETTINGS, key=KEY, date_direction="back")
