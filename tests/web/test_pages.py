"""The pages without a browser: signing in, headers, and what bad requests are answered."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the service is an extra")
pytest.importorskip("httpx", reason="the client of the tests")

from starlette.testclient import TestClient

from scrubjay.document import Document, Span
from scrubjay.labels import find_label_set
from scrubjay.review.project import Project
from scrubjay.taggers.regex import save_regex_model
from scrubjay.web.app import create_app
from scrubjay.web.engine import Answer, Job
from scrubjay.web.projects import paragraphs
from scrubjay.web.rendering import label_looks
from scrubjay.web.service import Service, Settings
from scrubjay.web.tokens import TokenFile, new_token

HTML = {"Accept": "text/html"}
PLAYED = '{"text": "a", "model": "patterns", "policy": "redact", "dial": %s, "min_score": %s}'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, str, Project]]:
    folder = tmp_path_factory.mktemp("pages")
    save_regex_model(folder / "patterns", "en", label_set="i2b2-2014")
    token, _ = new_token(folder / "tokens.json", "eva")
    project = Project.create(folder / "project")
    project.import_documents([Document("one", "Seen on 3/4/2019.", (Span(8, 16, "DATE"),))])
    service = Service(
        [str(folder / "patterns")],
        settings=Settings(workers=0),
        tokens=TokenFile(folder / "tokens.json"),
    )
    with project, service, TestClient(create_app(service, project=project)) as client:
        yield client, token, project


def test_pages_ask_for_a_token_and_take_its_name(made: tuple[TestClient, str, Project]) -> None:
    client, token, project = made
    client.cookies.clear()
    assert str(client.get("/project", headers=HTML).url).endswith("/sign-in")
    wrong = client.post("/sign-in", data={"token": "sjt_wrong"})
    assert wrong.status_code == 401
    assert "not a token of this service" in wrong.text
    assert "sjt_wrong" not in wrong.text
    assert client.post("/sign-in", data={"token": token}).url.path == "/"
    page = client.get("/project", headers=HTML)
    assert page.status_code == 200
    assert "You are <strong>eva</strong>" in page.text
    assert project.annotators() == ("eva",)
    # Another name cannot be taken: marks are those of who has the token.
    client.post("/project/name", data={"name": "ben"})
    assert project.annotators() == ("eva",)
    client.post("/sign-out")
    assert str(client.get("/project", headers=HTML).url).endswith("/sign-in")


@pytest.mark.parametrize("in_front", [True, False])
def test_cookies_are_kept_to_tls_where_it_ends_in_front(
    made: tuple[TestClient, str, Project], tmp_path: Path, in_front: bool
) -> None:
    client, _, project = made
    models = [client.app.state.service.places["patterns"]]  # type: ignore[attr-defined]
    settings = Settings(workers=0, tls_in_front=in_front)
    token, _ = new_token(tmp_path / "tokens.json", "eva")
    headers = {"X-Forwarded-Proto": "https"}  # anybody may write it, so that it tells nothing
    for tokens in (TokenFile(tmp_path / "tokens.json"), None):
        service = Service(models, settings=settings, tokens=tokens)
        path, form = ("/project/name", {"name": "eva"}) if tokens is None else ("/sign-in", {})
        with service, TestClient(create_app(service, project=project)) as other:
            data = {**form, "token": token}
            answer = other.post(path, data=data, headers=headers, follow_redirects=False)
        assert answer.status_code == 303
        assert ("secure" in answer.headers["set-cookie"].lower().split("; ")) == in_front


def test_an_export_lies_in_no_folder_of_all_users(
    made: tuple[TestClient, str, Project], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service: Service = made[0].app.state.service  # type: ignore[attr-defined]
    seen: list[Path] = []
    export = Project.export

    def watch(self: Project, out: Path, **options: Any) -> int:
        seen.append(out.parent)
        return export(self, out, **options)

    monkeypatch.setattr(Project, "export", watch)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with Project.create(tmp_path / "project") as project:
        project.import_documents([Document("one", "Seen on 3/4/2019.")])
        project.add_annotator("eva")
        version = project.begin("one", "eva")
        project.finish("one", "eva", revision=version.revision)
        before = sorted(project.folder.iterdir())
        client = TestClient(create_app(service, project=project))
        headers = {"Authorization": f"Bearer {made[1]}"}
        answer = client.get("/project/export?whose=eva", headers=headers)
        assert answer.status_code == 200
        assert [folder.parent for folder in seen] == [project.folder]
        assert sorted(project.folder.iterdir()) == before


def test_a_token_for_the_api_alone_opens_no_project(
    made: tuple[TestClient, str, Project], tmp_path: Path
) -> None:
    client, _, project = made
    token, _ = new_token(tmp_path / "tokens.json", "lab", api_only=True)
    service = Service(
        [client.app.state.service.places["patterns"]],  # type: ignore[attr-defined]
        settings=Settings(workers=0),
        tokens=TokenFile(tmp_path / "tokens.json"),
    )
    known = project.annotators()
    with service, TestClient(create_app(service, project=project)) as other:
        headers = {"Authorization": f"Bearer {token}"}
        body = {"text": "Seen on 3/4/2019."}
        assert other.post("/v1/detect", json=body, headers=headers).status_code == 200
        for path in ("/project", "/project/export?whose=accepted&format=jsonl", "/project/next"):
            answer = other.get(path, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed"), path
        page = other.get("/", headers=headers | HTML)
        assert "/project" not in page.text
    assert project.annotators() == known


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/playground/run", "not JSON", "bad-json"),
        ("/playground/run", "{}", "invalid-request"),
        ("/playground/run", PLAYED % ("NaN", "0"), "bad-json"),
        ("/playground/run", PLAYED % ("9" * 400, "0"), "invalid-request"),
        ("/playground/run", PLAYED % ("0", "1e999"), "invalid-request"),
        ("/playground/run", PLAYED % ("0", "true"), "invalid-request"),
        ("/project/documents/1/edit", "[]", "invalid-request"),
        ("/project/documents/1/edit", '{"action": "burn", "revision": 0}', "invalid-request"),
        ("/project/documents/1/undo", '{"revision": true}', "invalid-request"),
        ("/project/documents/1/undo", '{"revision": 77}', "conflict"),
        ("/project/documents/1/seconds", '{"seconds": -1}', "invalid-request"),
        ("/project/documents/1/seconds", '{"seconds": %s}' % ("9" * 400), "invalid-request"),
        ("/project/documents/1/edit", "[" * 15_000, "bad-json"),
        ("/project/documents/77/undo", '{"revision": 0}', "not-found"),
        ("/project/documents/1/dance", "{}", "not-found"),
        (
            "/project/documents/1/edit",
            '{"action": "add", "start": 8, "end": 99, "label": "DATE", "revision": 0}',
            "bad-offsets",
        ),
        (
            "/project/documents/1/edit",
            '{"action": "add", "start": 1, "end": 2, "label": "SECRET", "revision": 0}',
            "unknown-label",
        ),
    ],
)
def test_bad_requests_are_problems(
    made: tuple[TestClient, str, Project], path: str, body: str, code: str
) -> None:
    client, token, _ = made
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    client.get("/project/documents/1/text", headers=headers)
    answer = client.post(path, content=body, headers=headers)
    assert answer.json()["code"] == code
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("turned", [0, 0.5, -1.5])
def test_the_dial_of_the_page_is_counted_from_the_model_s_own(
    turned: float, client: TestClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = service.models["en-fast"].manifest.config["recall-dial"]
    assert own > 0
    asked: list[float | None] = []
    running = service.run

    def noted(job: Job) -> Awaitable[Answer]:
        asked.append(job.dial)
        return running(job)

    monkeypatch.setattr(service, "run", noted)
    body = {"text": "Seen on 3/4/2019.", "model": "en-fast", "policy": "placeholder"}
    answer = client.post("/playground/run", json={**body, "dial": turned, "min_score": 0.0})
    assert [span[2] for span in answer.json()["spans"]] == ["DATE"]
    assert asked == [own + turned if turned else None]


def test_text_is_data_in_pages_never_markup(made: tuple[TestClient, str, Project]) -> None:
    client, token, project = made
    project.import_documents([Document("</script><b>", "<b>x</b>")])
    headers = {"Authorization": f"Bearer {token}"} | HTML
    page = client.get("/project", headers=headers).text
    assert "</script><b>" not in page
    assert "&lt;/script&gt;&lt;b&gt;" in page


def test_each_label_has_a_key_of_its_own() -> None:
    looks = label_looks(find_label_set("i2b2-2014"))
    keys = [look.key for look in looks]
    assert len(set(keys)) == len(keys) == 31
    assert not set(keys) & set("jkux")
    assert {look.name: look.key for look in looks}["PATIENT"] == "p"
    many: list[Any] = [f"L{number}" for number in range(60)]
    rest = label_looks(find_label_set("binary"), many)
    assert [look.key for look in rest][-1] == ""


def test_guidelines_are_read_as_plain_parts() -> None:
    told = paragraphs("# Head\nText *of*\ntwo lines\n\n- one `item`\n  goes on\n- two")
    assert told == [
        ("head", "Head"),
        ("text", "Text of two lines"),
        ("item", "one item goes on"),
        ("item", "two"),
    ]
