"""What the routes answer: spans, new texts, lists, and problems without a word of the request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from scrubjay.web.problems import KINDS
from scrubjay.web.service import Service

NOTE = "Seen by Dr. Ann Lee on 3/4/2019."
CANARY = "Zebulon Quackenbush"


def post(client: TestClient, task: str, **body: Any) -> Any:
    answer = client.post(f"/v1/{task}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: TestClient, code: str, **body: Any) -> Any:
    answer = client.post("/v1/deidentify", json=body)
    assert (answer.status_code, answer.json()["code"]) == (KINDS[code].status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.json()


def test_detect_tells_spans_of_the_text(client: TestClient) -> None:
    told = post(client, "detect", text=NOTE, id="n1")
    assert told["id"] == "n1"
    assert told["model"] == "en-fast"
    found = {(NOTE[span["start"] : span["end"]], span["label"]) for span in told["spans"]}
    assert ("3/4/2019", "DATE") in found
    assert "text" not in told


def test_deidentify_tells_where_each_replacement_stands(client: TestClient) -> None:
    told = post(client, "deidentify", text=NOTE)
    assert "3/4/2019" not in told["text"]
    for span in told["spans"]:
        new = told["text"][span["new_start"] : span["new_end"]]
        assert new.startswith(f"[{span['label']}")


def test_the_answer_that_the_page_shows_is_the_one_that_comes(client: TestClient) -> None:
    page = (Path(__file__).parents[2] / "docs" / "service.md").read_text("utf-8")
    shown = json.loads(page.split("```json\n")[1].split("```")[0])
    told = post(client, "deidentify", text=json.loads(page.split(" -d '")[1].split("'")[0])["text"])
    assert shown["spans"].pop() == "..."
    assert shown["spans"] == told["spans"][:1]
    assert shown | {"spans": told["spans"]} == told


def test_several_documents_come_back_in_order(client: TestClient) -> None:
    told = post(client, "deidentify", documents=[{"text": "a"}, {"text": NOTE, "id": "x"}])
    assert [document["id"] for document in told["documents"]] == [None, "x"]
    assert told["documents"][0]["text"] == "a"
    assert told["failed"] == 0


def test_given_spans_are_removed_whatever_the_model_says(client: TestClient) -> None:
    span = {"start": 0, "end": 4, "label": "CITY"}
    told = post(client, "deidentify", text="zork of old", spans=[span])
    assert told["text"].startswith("[CITY-1]")
    assert told["spans"][0]["source"] == "given"


def test_an_output_that_still_holds_a_mention_is_not_given_out(client: TestClient) -> None:
    span = {"start": 0, "end": 9, "label": "CITY"}
    options = {"spans": [span], "propagate": False}
    problem = refused(client, "document-failed", text="metformin and metformin", **options)
    assert problem["detail"] == "LeakError in stage prove"


def test_offsets_count_utf_16_both_ways(client: TestClient) -> None:
    text = "😀😀 zork"
    span = {"start": 5, "end": 9, "label": "CITY"}
    told = post(client, "deidentify", text=text, spans=[span], offsets="utf-16")
    (found,) = [each for each in told["spans"] if each["source"] == "given"]
    assert (found["start"], found["end"]) == (5, 9)
    assert (found["new_start"], found["new_end"]) == (5, 13)
    problem = refused(
        client, "bad-offsets", text=text, offsets="utf-16",
        spans=[{"start": 1, "end": 9, "label": "CITY"}],
    )  # fmt: skip
    assert problem["errors"][0]["pointer"] == "/spans/0"


def test_known_identifiers_of_a_request_are_removed(client: TestClient) -> None:
    told = post(client, "deidentify", text="seen: zorblatt", known={"name": ["Ada Zorblatt"]})
    assert "zorblatt" not in told["text"]
    assert told["spans"][0]["source"].startswith("known")


def test_deny_and_allow_lists(client: TestClient) -> None:
    deny = [{"term": "zork", "label": "CITY"}]
    assert "zork" not in post(client, "deidentify", text="a zork b", deny=deny)["text"]
    spans = post(client, "detect", text=NOTE, allow=["3/4/2019"])["spans"]
    assert "DATE" not in {span["label"] for span in spans}
    problem = refused(client, "bad-value", text="a", allow=["zork"], deny=deny)
    assert "zork" not in json.dumps(problem)


def test_a_policy_by_name(client: TestClient) -> None:
    told = post(client, "deidentify", text=NOTE, policy="mask")
    assert len(told["text"]) == len(NOTE)
    assert told["policy"] == "mask"


def test_models_and_policies_are_listed(client: TestClient, service: Service) -> None:
    (model,) = client.get("/v1/models").json()["models"]
    assert model["name"] == "en-fast"
    assert model["dial"] is service.has_dial("en-fast")
    policies = {each["name"]: each for each in client.get("/v1/policies").json()["policies"]}
    assert policies["placeholder"]["default"]
    assert not policies["hash"]["available"]
    assert policies["hash"]["operators"] is None


@pytest.mark.parametrize(
    ("code", "body"),
    [
        ("invalid-request", {}),
        ("invalid-request", {"text": 1}),
        ("invalid-request", {"text": "a", CANARY: CANARY}),
        ("invalid-request", {"documents": [{"text": "a", CANARY: 1}]}),
        ("invalid-request", {"text": "a", "thresholds": {CANARY: 7}}),
        ("invalid-request", {"text": "a", "offsets": CANARY}),
        ("invalid-request", {"documents": [], "text": CANARY}),
        ("bad-value", {"documents": [{"text": "a", "id": CANARY}, {"text": "b", "id": CANARY}]}),
        ("bad-value", {"text": "a", "known": {"birth_date": [CANARY]}}),
        ("bad-value", {"text": "a", "deny": [{"term": "..."}]}),
        ("bad-offsets", {"text": CANARY, "spans": [{"start": 0, "end": 99, "label": "CITY"}]}),
        ("bad-offsets", {"text": CANARY, "spans": [{"start": 3, "end": 3, "label": "CITY"}]}),
        ("bad-offsets", {"text": CANARY, "spans": [{"start": 0, "end": 5, "label": "CITY"}] * 2}),
        ("unknown-label", {"text": "a", "spans": [{"start": 0, "end": 1, "label": CANARY}]}),
        ("unknown-label", {"text": "a", "thresholds": {CANARY: 0.5}}),
        ("unknown-model", {"text": "a", "model": CANARY}),
        ("unknown-policy", {"text": "a", "policy": CANARY}),
        ("policy-needs-key", {"text": CANARY, "policy": "hash"}),
    ],
)
def test_a_bad_request_is_refused_without_a_word_of_it(
    client: TestClient, code: str, body: dict[str, Any]
) -> None:
    problem = refused(client, code, **body)
    told = json.dumps(problem)
    assert not any(word in told for word in CANARY.split())
    assert problem["type"].endswith(code)


def test_an_unknown_field_is_told_by_its_number_with_the_nearest_name(client: TestClient) -> None:
    documents = [{"text": "a"}, {"text": "b", "pateint": "x"}]
    (fault,) = refused(client, "invalid-request", documents=documents)["errors"]
    assert fault["pointer"] == "/documents/1"
    assert fault["message"] == "field number 2 is not known. Did you mean 'patient'?"


@pytest.mark.parametrize(
    ("body", "pointer", "told"),
    [
        ({"text": "a", "policy": "mask"}, "", "number 2 is not known. 'policy' belongs to /v1/dei"),
        ({"documents": [{"text": "a"}], "policy": "mask"}, "", "belongs to /v1/deidentify."),
        (
            {"documents": [{"text": "a", "dial": 1}]},
            "/documents/0",
            "'dial' belongs to another part of a request.",
        ),
    ],
)
def test_a_field_in_the_wrong_place_is_told_where_it_belongs(
    client: TestClient, body: dict[str, Any], pointer: str, told: str
) -> None:
    answer = client.post("/v1/detect", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-request")
    (fault,) = answer.json()["errors"]
    assert fault["pointer"] == pointer
    assert told in fault["message"]


@pytest.mark.parametrize(
    ("code", "content"),
    [
        ("bad-json", b"{"),
        ("bad-json", b'{"text": NaN}'),
        ("bad-json", b'{"text": "a", "text": "b"}'),
        ("bad-json", b'{"text": "\xff"}'),
        ("bad-json", b'{"dial": ' + b"9" * 5000 + b"}"),
        ("bad-json", b"[" * 15_000),
        ("bad-text", b'{"text": "\\ud800"}'),
        ("invalid-request", b"null"),
        ("invalid-request", b""),
        ("invalid-request", b'{"text": "a", "dial": 1e400}'),
    ],
)
def test_a_body_that_is_not_good_json(client: TestClient, code: str, content: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post("/v1/detect", content=content, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (KINDS[code].status, code)


def test_one_document_and_several_at_once_are_told_apart(client: TestClient) -> None:
    body = {"text": "a", "documents": [{"text": "b"}]}
    told = client.post("/v1/detect", json=body).json()
    assert [fault["message"] for fault in told["errors"]] == [
        "A request has either `documents` or the fields of one document."
    ]


def test_health_can_be_asked_for_by_its_head(client: TestClient) -> None:
    for path in ("/healthz", "/readyz"):
        answer = client.head(path)
        assert (answer.status_code, answer.content) == (200, b"")


def test_a_body_that_is_no_json_at_all(client: TestClient) -> None:
    answer = client.post("/v1/detect", content=b"text=a", headers={"Content-Type": "text/plain"})
    assert (answer.status_code, answer.json()["code"]) == (415, "bad-content-type")


def test_a_document_that_fails_gives_nothing_out(
    client: TestClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scrubjay.deidentifier import Failure
    from scrubjay.web.engine import Answer, Job

    async def run(job: Job) -> Answer:
        return tuple(Failure("x", "detect", "ValueError") for _ in job.documents)

    monkeypatch.setattr(service.pool, "run", run)
    problem = refused(client, "document-failed", text=CANARY)
    assert problem["detail"] == "ValueError in stage detect"
    told = post(client, "deidentify", documents=[{"text": CANARY, "id": "x"}])
    assert told["failed"] == 1
    assert told["documents"] == [
        {
            "id": "x", "text": None, "spans": None,
            "failure": {"stage": "detect", "code": "ValueError"},
        }
    ]  # fmt: skip


def test_health_and_metrics_tell_no_text(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "alive"}
    assert client.get("/readyz").json()["workers"] == 1
    post(client, "deidentify", text=f"Seen by Dr. {CANARY}.")
    client.get(f"/{CANARY}?text={CANARY}")
    told = client.get("/metrics").text
    assert 'scrubjay_requests_total{method="POST",route="/v1/deidentify",status="200"}' in told
    assert 'route="-",status="404"' in told
    assert not any(word in told for word in CANARY.split())


def test_openapi_names_what_is_served_and_every_problem(client: TestClient) -> None:
    told = client.get("/openapi.json").json()
    schemas = told["components"]["schemas"]
    assert schemas["DetectText"]["properties"]["model"]["anyOf"][0]["enum"] == ["en-fast"]
    assert "hash" not in json.dumps(schemas["DeidentifyText"]["properties"]["policy"])
    responses = told["paths"]["/v1/deidentify"]["post"]["responses"]
    examples = [
        code
        for answer in responses.values()
        for code in answer["content"].get("application/problem+json", {}).get("examples", {})
    ]
    assert {"queue-full", "time-limit", "bad-offsets", "token-expired"} <= set(examples)
    assert set(examples) <= set(KINDS)
    assert "HTTPValidationError" not in json.dumps(told)
