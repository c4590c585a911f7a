"""`scrubjay deid` decides the order of dates once for all documents that do not tell theirs."""

from __future__ import annotations

import io
import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from scrubjay.batch.date_look import look_at
from scrubjay.batch.input import Input
from scrubjay.batch.sampling import sample
from scrubjay.cli import main as cli
from scrubjay.corpora import read_corpus, write_corpus
from scrubjay.document import Document
from tests.corpora.hl7_messages import MESSAGE
from tests.corpora.test_fhir import OBSERVATION

KEY = "0123456789abcdef0123456789abcdef"
TELLING, OPEN, OTHER = "Seen 25/12/2020.", "Seen 3/4/2021 and 5/6/2021.", "Seen 12/25/2020."
EITHER = re.compile(r"([0-9]+)/([0-9]+)/([0-9]+)")


@pytest.fixture(autouse=True)
def place(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set a key, and let each document be a record, though all are of one patient."""
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    monkeypatch.setattr("scrubjay.deidentifier._RECORD_DOCUMENTS", 1)
    return place


def write(texts: list[str], folder: str = "in", *, name: str = "text") -> None:
    # All are of the patient p: their dates move by the same days.
    documents = [Document(f"p-{number:02d}", text) for number, text in enumerate(texts)]
    write_corpus(documents, folder, format=name)


def deid(*options: object, out: str = "out", code: int = 0) -> dict[str, Any]:
    """Run into a new folder and return the summary."""
    arguments = ["deid", "in", "--out", out, "--model", "toy", "--policy", "surrogate"]
    arguments += ["--patient-key", "id:(p)-.*", "--summary", "run.json", *map(str, options)]
    assert cli.run(arguments) == code
    summary: dict[str, Any] = json.loads(Path("run.json").read_text()) if code == 0 else {}
    return summary


def outputs(folder: str = "out") -> list[str]:
    return [document.text for document in read_corpus(folder)]


def days(text: str, *, day_first: bool) -> list[date]:
    found = []
    for one, two, year in EITHER.findall(text):
        day, month = (one, two) if day_first else (two, one)
        found.append(date(int(year), int(month), int(day)))
    return found


@pytest.mark.parametrize("name", ["text", "jsonl", "csv", "brat", "i2b2"])
def test_a_document_that_tells_nothing_is_read_as_the_others(name: str) -> None:
    write([*[TELLING] * 3, OPEN], name=name)
    summary = deid()
    told = {"looked": 4, "dmy": 3, "mdy": 0, "both": 0, "usual": "dmy"}
    assert summary["date_look"] == told
    assert summary["date_order"] is None
    assert summary["date_orders"] == {"dmy": 3, "open": 1}
    assert len(summary["date_orders_open"]) == 1
    texts = outputs()
    (christmas,) = days(texts[0], day_first=True)
    one, two = days(texts[3], day_first=True)
    assert (one - christmas).days == (date(2021, 4, 3) - date(2020, 12, 25)).days
    assert (two - one).days == (date(2021, 6, 5) - date(2021, 4, 3)).days


def test_a_record_tells_the_order_before_the_run_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.deidentifier._RECORD_DOCUMENTS", 256)
    write([TELLING, OPEN])
    summary = deid()
    assert summary["date_look"]["usual"] is None
    assert (summary["date_orders"], summary["date_orders_open"]) == ({"dmy": 2}, [])
    texts = outputs()
    (christmas,), (one, _) = (days(text, day_first=True) for text in texts)
    assert (one - christmas).days == (date(2021, 4, 3) - date(2020, 12, 25)).days


def test_the_same_comes_of_any_number_of_workers(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # workers are other processes, which know the models that ship, and no toy
    monkeypatch.chdir(place)
    monkeypatch.setenv("SCRUBJAY_KEY", KEY)
    telling, open_ = "Admitted on 25/12/2020.", "Admitted on 03/04/2021, home on 05/06/2021."
    write([*[telling] * 3, *[open_] * 9])
    for count in ("1", "2"):
        command = ["deid", "in", "--out", count, "--model", "en-fast", "--policy", "surrogate"]
        command += ["--workers", count, "--patient-key", "id:(p)-.*", "--summary", f"{count}.json"]
        assert cli.run(command) == 0
        assert json.loads(Path(f"{count}.json").read_text())["date_look"]["usual"] == "dmy"
    assert outputs("1") == outputs("2")
    (christmas,), (one, two) = (days(outputs("2")[place], day_first=True) for place in (0, 11))
    assert ((one - christmas).days, (two - one).days) == (99, 63)


def test_a_document_that_tells_for_itself_keeps_its_own() -> None:
    write([*[TELLING] * 9, OTHER + " Again 3/4/2021.", OPEN])
    assert deid()["date_look"]["usual"] == "dmy"
    mixed, open_ = outputs()[9:]
    first, second = days(mixed, day_first=False)
    assert (second - first).days == (date(2021, 3, 4) - date(2020, 12, 25)).days
    one, _ = days(open_, day_first=True)
    (christmas,) = days(outputs()[0], day_first=True)
    assert (one - christmas).days == (date(2021, 4, 3) - date(2020, 12, 25)).days


def test_it_is_told_what_dates_were_read_as(capsys: pytest.CaptureFixture[str]) -> None:
    write([*[TELLING] * 3, OPEN])
    deid()
    told = capsys.readouterr().err
    assert "warning: nothing tells what dates" not in told
    assert "read as day and month in 1 document of which nothing else tells it: of 4" in told
    write([*[TELLING] * 2, OPEN], folder="in2")
    arguments = ["deid", "in2", "--out", "out2", "--model", "toy", "--policy", "surrogate"]
    assert cli.run(arguments) == 0
    told = capsys.readouterr().err
    assert "nothing tells what dates such as 3/4/2012 are in 1 document" in told
    assert "of the others 2 put the day first" in told


@pytest.mark.parametrize("texts", [[TELLING] * 2, [TELLING, OTHER] * 5, []])
def test_where_it_is_not_clear_the_language_decides(texts: list[str]) -> None:
    write([*texts, OPEN])
    assert deid()["date_look"]["usual"] is None
    looked = outputs()
    assert deid("--date-order", "each", out="each")["date_look"] is None
    assert outputs("each") == looked


def test_what_is_set_wins_and_the_look_can_be_left_out() -> None:
    write([*[TELLING] * 3, OPEN])
    texts = {}
    for order in ("dmy", "mdy", "each"):
        summary = deid("--date-order", order, out=order)
        assert summary["date_look"] is None
        assert summary["date_order"] == order
        texts[order] = outputs(order)[3]
    deid()
    assert outputs()[3] == texts["dmy"] != texts["mdy"] == texts["each"]


@pytest.mark.parametrize(
    ("texts", "order", "warned"),
    [
        ([TELLING] * 3, "mdy", "3 put the day first"),
        ([OTHER] * 4, "dmy", "4 put the month first"),
        ([TELLING] * 3, "dmy", ""),
        ([TELLING] * 3, "each", ""),
        ([TELLING] * 2, "mdy", ""),  # too few
        ([TELLING] * 3 + [OTHER] * 2, "mdy", ""),  # they disagree
        ([OPEN] * 4, "mdy", ""),
    ],
)
def test_an_order_that_contradicts_the_documents_is_told_once(
    texts: list[str], order: str, warned: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(texts)
    deid("--date-order", order)
    told = capsys.readouterr().err
    assert told.count("--date-order") == (2 if warned else 0)
    assert warned in told


def test_a_wrong_order_is_told_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    write([TELLING])
    deid("--date-order", "ymd", code=2)
    told = capsys.readouterr().err
    assert "'--date-order': 'ymd' is not one of 'dmy', 'mdy', 'each'" in told


def test_nobody_looks_where_no_date_asks_for_it(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write([*[TELLING] * 3, OPEN])
    (place / "own.toml").write_text(
        'default = "placeholder"\n[kinds]\ndate = { operator = "surrogate", date-order = "mdy" }\n'
    )
    assert deid("--policy", "own.toml", out="own")["date_look"] is None
    assert deid("--policy", "mask", out="mask")["date_look"] is None
    text = json.dumps({"id": "p-1", "text": OPEN}).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    arguments = ["deid", "-", "--out", "piped", "--format", "jsonl", "--model", "toy"]
    arguments += ["--policy", "surrogate", "--summary", "piped.json"]
    assert cli.run(arguments) == 0
    assert json.loads(Path("piped.json").read_text())["date_look"] is None


def test_the_policy_is_the_same_whatever_the_documents_tell() -> None:
    write([*[TELLING] * 3, OPEN])
    assert deid()["policy_sha256"] == deid("--date-order", "each", out="each")["policy_sha256"]


def interrupted(*options: object) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("scrubjay.batch.sink.Sink.finish", interrupt)
        deid(*options, code=130)


def test_a_run_that_goes_on_decides_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    write([*[TELLING] * 3, OPEN])
    interrupted()
    deid("--resume", "--date-order", "each", code=2)
    assert "--date-order (it was not given, and is 'each')" in capsys.readouterr().err
    assert deid("--resume")["resumed"] == 4
    (christmas,) = days(outputs()[0], day_first=True)
    assert (days(outputs()[3], day_first=True)[0] - christmas).days == 99


def test_a_run_that_would_decide_otherwise_does_not_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write([*[TELLING] * 3, OPEN])
    interrupted()
    monkeypatch.setattr("scrubjay.batch.date_look.LEAST_TELLING", 10)  # as of another version
    deid("--resume", code=2)
    told = capsys.readouterr().err
    assert "what the documents tell of the order of their dates" in told
    assert "policy" not in told.partition("What differs")[2]


def test_messages_and_resources_are_looked_at(place: Path) -> None:
    (place / "in").mkdir()
    for number in range(3):
        text = MESSAGE.replace("BP 120", f"Seen 25/12/202{number} BP 120")
        (place / "in" / f"{number}.hl7").write_bytes(text.encode())
    assert look_at(sample(Input(("in",)))).usual == "dmy"
    (place / "fhir").mkdir()
    resource = {**OBSERVATION, "note": [{"text": OTHER}]}
    lines = "".join(json.dumps({**resource, "id": f"{n}"}) + "\n" for n in range(3))
    (place / "fhir" / "a.ndjson").write_text(lines)
    assert look_at(sample(Input(("fhir",)))).usual == "mdy"


def table(place: Path, value: str = "2019-05-03") -> None:
    (place / "in.csv").write_text(f"id,text,chartdate\np-1,Seen 3/4/2021.,{value}\n")


def test_a_kept_column_of_dates_is_told_once_where_dates_are_shifted(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["deid", "in.csv", "--out", "out", "--model", "toy", "--date-order", "dmy"]
    kept = ["--policy", "surrogate", "--keep-column", "chartdate"]

    def told(*options: str) -> list[str]:
        assert cli.run([*call, *options]) == 0
        lines = capsys.readouterr().err.splitlines()
        return [line for line in lines if "looks to hold dates" in line]

    table(place)
    (line,) = told(*kept)
    assert line.startswith("warning: the kept column 'chartdate' looks to hold dates (1 of 1 ")
    assert "2019" not in line
    assert told("--policy", "surrogate") == []  # nothing is kept
    table(place, "2019")
    assert told(*kept) == []
    call.remove("--date-order")
    call.remove("dmy")
    table(place)
    assert told("--policy", "mask", "--keep-column", "chartdate") == []  # shifts none
    (line,) = told("--policy", "safe-harbor", "--keep-column", "chartdate")
    assert "no more than the years of the texts' dates may stay" in line
    assert told("--policy", "limited-dataset", "--keep-column", "chartdate") == []  # dates may stay
    table(place, "2019")
    assert told("--policy", "safe-harbor", "--keep-column", "chartdate") == []


@pytest.mark.parametrize("policy", ["surrogate", "safe-harbor"])
def test_kept_columns_of_dates_in_a_stream_are_told_once(
    policy: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = "".join(f"p-{number},Seen 3/4/2021.,2019-05-03\n" for number in range(300))
    text = f"id,text,chartdate\n{lines}".encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    call = ["deid", "-", "--format", "csv", "--model", "toy", "--policy", policy, "--out", "out"]
    assert cli.run([*call, "--keep-column", "chartdate"]) == 0
    told = capfd.readouterr().err
    assert told.count("looks to hold dates (100 of 100 values") == 1
    assert len(list(read_corpus("out"))) == 300


@pytest.mark.parametrize("way", ["past", "future"])
def test_all_dates_move_in_the_direction_that_is_set(way: str) -> None:
    documents = [Document(f"{number}-1", "Seen 25/12/2020.") for number in range(12)]
    write_corpus(documents, "in", format="text")
    summary = deid("--date-direction", way, "--patient-key", "id:(.+)-1")
    assert summary["date_direction"] == way
    moved = [days(text, day_first=True)[0] for text in outputs()]
    assert len(set(moved)) > 6
    assert all((day < date(2020, 12, 25)) == (way == "past") for day in moved)


def test_a_direction_is_of_no_use_where_no_dates_are_shifted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write([OPEN])
    deid("--date-direction", "past", "--policy", "mask", code=2)
    assert "shifts no dates: to set their direction" in capsys.readouterr().err
