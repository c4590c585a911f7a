"""Runs on Spark: rows as those of a local run, with two executors, and with what is killed.

Skipped where pyspark or Java is missing; `.ci/run` has a step for them.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, cast

import pytest

from scrubjay.batch.input import Input
from scrubjay.batch.run import deidentify_corpus
from scrubjay.batch.setup import DeidSetup
from scrubjay.batch.sink import Output
from scrubjay.batch.spark import Metrics, deidentify, passed, require_complete, summarize
from scrubjay.batch.summary import RunSummary
from scrubjay.errors import (
    ArtifactError,
    ConfigError,
    FormatError,
    InputError,
    LabelError,
    OutputError,
)
from scrubjay.models import find_model
from scrubjay.transform.codes import Coder
from tests.toys import CANARY

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

sql = pytest.importorskip("pyspark.sql")
arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("needs Java", allow_module_level=True)

MASTER = "local-cluster[2,1,1024]"
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # these processes do not live long
LONG = 600.0  # seconds; no test waits for a time, but for what a busy machine does at last
MODEL = "en-fast"
KEY = b"a secret key of more than 16 bytes"
PATIENTS = 12
NOTES = 4  # of each patient

TEMPLATES = (
    "Progress note for Mr. {given} {family}, seen 3/{day}/2019 by Dr. Marisol Ortega.\n"
    "She was here with her father, and is not on any of the drugs that were named.\n",
    "{family} was discharged on March {day}, 2019. Call 555-010-01{day}.\n",
    "No complaints today. Blood pressure 120/80.\n",
    "Dear Dr. Ortega, thank you for seeing {given} {family} of 48 Marlow Street, Port Ellery.\n",
)
GIVEN = ("Ada", "Bruno", "Carmen", "Dieter", "Elena", "Farid")
FAMILY = ("Tranter", "Quill", "Hollowell", "Okafor", "Bergstrom", "Lindqvist")


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """Return a session on two executors of one core each, in processes of their own."""
    before = os.environ.get("PYSPARK_PYTHON")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master(MASTER).appName("scrubjay")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": QUICK,
        "spark.executor.extraJavaOptions": QUICK,
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "5",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
    if before is None:
        del os.environ["PYSPARK_PYTHON"]
    else:
        os.environ["PYSPARK_PYTHON"] = before


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a Parquet file of the notes of some patients, one after another."""
    rows = []
    for patient in range(PATIENTS):
        names = {"given": GIVEN[patient % 6], "family": FAMILY[(patient * 5) % 6]}
        for number in range(NOTES):
            text = TEMPLATES[(patient + number) % 4].format(**names, day=10 + patient)
            rows.append(
                {
                    "note_id": 1000 + patient * NOTES + number,
                    "text": None if (patient, number) == (3, 1) else text,
                    "pat.no": f"p{patient:02}",
                    "ward": f"w{patient % 3}",
                    "weight": 50.5 + patient,
                    "who": names["family"] if number else "unknown",
                }
            )
    path = tmp_path_factory.mktemp("notes") / "notes.parquet"
    parquet.write_table(arrow.Table.from_pylist(rows), path)
    return path


def run_locally(notes: Path, out: Path, setup: DeidSetup) -> tuple[RunSummary, list[Any]]:
    """Return the summary and the rows of `scrubjay deid` on the same file."""
    summary = deidentify_corpus(
        Input((str(notes),), options={"text_column": "text", "id_column": "note_id"}),
        Output(out),
        work=replace(setup, keep_columns=("ward", "weight", "who")).make_work(),
        model=MODEL,
    )
    return summary, parquet.read_table(out / notes.name).to_pylist()


def write(frame: DataFrame, place: Path) -> DataFrame:
    """Return a frame written and read again."""
    frame.write.parquet(str(place))
    return frame.sparkSession.read.parquet(str(place))


def rows_of(frame: DataFrame) -> list[dict[str, Any]]:
    return sorted((row.asDict() for row in frame.collect()), key=lambda row: row["note_id"])


def write_identifiers(path: Path) -> Path:
    lines = ["patient,given,family"]
    lines += [f"p{n:02},{GIVEN[n % 6]},{FAMILY[(n * 5) % 6]}" for n in range(PATIENTS)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("how", ["shared", "ship"])
def test_rows_are_those_of_a_local_run(
    how: str, spark: SparkSession, notes: Path, tmp_path: Path
) -> None:
    shipped = how == "ship"
    identifiers = write_identifiers(tmp_path / "known.csv") if shipped else None
    model = shutil.copytree(find_model(MODEL), tmp_path / "copied") if shipped else MODEL
    policy = "surrogate"
    order = "dmy" if shipped else ""
    setup = DeidSetup(str(model), policy, KEY, "pat.no", identifiers, date_order=order)
    local, wanted = run_locally(notes, tmp_path / "local", setup)
    frame = spark.read.parquet(str(notes)).repartition(3)
    metrics = Metrics(spark)
    done = deidentify(
        frame, str(model), policy=policy, key=KEY, id_column="note_id", patient_column="pat.no",
        keep_columns=["ward", "weight", "who"], identifiers=identifiers, metrics=metrics,
        date_order=order, delivery=cast(Any, how),
    )  # fmt: skip
    assert metrics.counts().documents == 0  # nothing ran yet
    written = write(done, tmp_path / "done")
    assert rows_of(passed(written)) == wanted
    assert list(passed(written).columns) == list(wanted[0])
    require_complete(frame, written, id_column="note_id")
    summary = summarize(written, output="done")
    assert summary.failures == local.failures == ()
    assert local.languages == {"en": PATIENTS - 1}  # one such note is null
    for name in (
        "documents", "characters", "labels", "proof", "policy", "command", "read_back",
        "language", "languages", "telling_columns",
    ):  # fmt: skip
        assert getattr(summary, name) == getattr(local, name), name
    assert (local.telling_columns or {}).keys() == {"who"}
    told, known = summary.to_json(), local.to_json()
    assert known.keys() <= told.keys()
    assert KEY.decode() not in json.dumps(told)
    counts = metrics.counts()
    assert (counts.documents, counts.labels) == (local.documents, local.labels)
    assert counts.characters == local.characters
    if not shipped:  # computed anew, counted anew
        assert done.count() == local.documents
        assert metrics.counts() == counts


@pytest.mark.parametrize("id_column", ["note_id", "pat.no"])
def test_codes_are_those_of_a_local_run(
    id_column: str, spark: SparkSession, notes: Path, tmp_path: Path
) -> None:
    coder = Coder(KEY)
    frame = spark.read.parquet(str(notes)).repartition(2)
    if id_column == "pat.no":  # one text a patient, whose number is its id
        frame = frame.where("note_id % 4 = 0").drop("note_id")
    kinds = {"weight": "weight", "who": "person", "pat.no": "patient", id_column: "note_id"}
    kinds["pat.no"] = "patient"
    given = ["weight", "who=person", *dict.fromkeys((id_column, "pat.no"))]
    done = deidentify(
        frame, MODEL, key=KEY, id_column=id_column, patient_column="pat.no",
        keep_columns=["ward"], code_columns=given,
    )  # fmt: skip
    written = write(done, tmp_path / "done")
    types = {each.name: each.dataType.simpleString() for each in written.schema}
    assert {types[name] for name in kinds} == {"string"}
    source = {coder.code(str(row[id_column]), kinds[id_column]): row for row in frame.collect()}
    rows = written.collect()
    assert {row[id_column] for row in rows} == source.keys()
    for row in rows:
        old = source[row[id_column]]
        assert [row[name] for name in kinds] == [
            coder.code_value(old[name], kind) for name, kind in kinds.items()
        ]
        assert row["ward"] == old["ward"]
    require_complete(frame, written, id_column=id_column, key=KEY)
    with pytest.raises(ConfigError, match="codes need a key"):
        require_complete(frame, written, id_column=id_column)
    with pytest.raises(OutputError, match="lacks documents"):
        require_complete(frame, written, id_column=id_column, key=KEY[::-1])
    told = summarize(written).to_json()
    assert told["code_columns"] == kinds
    assert told["telling_ids"] == 0


def test_codes_need_a_key_and_columns_that_are_there(spark: SparkSession, notes: Path) -> None:
    frame = spark.read.parquet(str(notes))
    with pytest.raises(ConfigError, match="codes need a key"):
        deidentify(frame, MODEL, id_column="note_id", code_columns=["ward"])
    with pytest.raises(FormatError, match="no column 'nobody'"):
        deidentify(frame, MODEL, id_column="note_id", key=KEY, code_columns=["nobody"])
    with pytest.raises(ConfigError, match="as it is and as a code"):
        deidentify(
            frame, MODEL, id_column="note_id", key=KEY, code_columns=["ward"], keep_columns=["ward"]
        )
    with pytest.raises(ConfigError, match="nor be a code"):
        deidentify(frame, MODEL, id_column="note_id", key=KEY, code_columns=["text"])


def test_failures_are_rows_with_a_code_and_no_text(spark: SparkSession, tmp_path: Path) -> None:
    rows = [
        ("1", "Seen by Dr. Ortega.", "p00"),
        ("2", f"{CANARY} one", None),
        (None, f"{CANARY} two", "p00"),
        ("4", f"{CANARY} three", "nobody"),
        ("5", "Mr. Ada Tranter was seen.", "p00"),
    ]
    frame = spark.createDataFrame(rows, "id string, text string, patient string")
    broken = frame.sparkSession.sql(
        "SELECT '6' AS id, CAST(x'FF51' AS STRING) AS text, 'p00' AS patient"
    )
    identifiers = write_identifiers(tmp_path / "known.csv")
    metrics = Metrics(spark)
    done = deidentify(
        frame.unionAll(broken), MODEL, patient_column="patient", identifiers=identifiers,
        spans_column="phi", metrics=metrics,
    )  # fmt: skip
    written = write(done, tmp_path / "done")
    found = {row.id: row for row in written.collect()}
    codes = {name: row.failure and row.failure.code for name, row in found.items()}
    assert codes == {
        "1": None, "2": "NoPatientError", None: "FormatError", "4": "UnknownPatientError",
        "5": None, "6": "EncodingError",
    }  # fmt: skip
    assert all(row.text is None and row.phi is None for row in found.values() if row.failure)
    assert "Tranter" not in found["5"].text
    assert [(s.start, s.end, s.label) for s in found["1"].phi] == [(12, 22, "DOCTOR")]
    assert CANARY not in str(written.collect())
    summary = summarize(written)
    assert (summary.documents, summary.exit_code) == (6, 1)
    assert [each.id for each in summary.failures] == ["", "2", "4", "6"]
    assert summary.to_json()["proof"]["documents"] == summary.read_back == 2
    assert metrics.counts().failures == {
        "EncodingError": 1, "FormatError": 1, "NoPatientError": 1, "UnknownPatientError": 1,
    }  # fmt: skip
    assert sorted(row.id for row in passed(written).collect()) == ["1", "5"]


def test_documents_in_another_language_are_listed(spark: SparkSession, tmp_path: Path) -> None:
    spanish = "La paciente fue vista por el lunes. Se le explica durante la visita y no ha ido más."
    english = "The patient was seen for pain and has no fever. She is on the ward."
    rows = [("s2", spanish), ("e", english), ("s1", spanish), ("n", "67")]
    done = deidentify(spark.createDataFrame(rows, "id string, text string"), MODEL)
    summary = summarize(write(done, tmp_path / "done"))
    assert summary.languages == {"en": 1, "es": 2}
    assert summary.to_json()["other_languages"] == {"es": ["s1", "s2"]}


def test_a_killed_python_worker_loses_and_doubles_nothing(
    spark: SparkSession, notes: Path, tmp_path: Path
) -> None:
    metrics, mark = Metrics(spark), tmp_path / "killed"

    class Deadly:
        """Kills its worker at the end of the first task, with all of its rows sent."""

        def add(self, counts: Any) -> None:
            metrics.add(counts)
            try:
                mark.touch(exist_ok=False)
            except FileExistsError:
                return
            os.kill(os.getpid(), signal.SIGKILL)

    frame = spark.read.parquet(str(notes)).repartition(4)
    done = deidentify(frame, MODEL, id_column="note_id", metrics=cast(Metrics, Deadly()))
    written = write(done, tmp_path / "done")
    assert mark.exists()
    require_nothing_lost(written, frame, metrics)


def test_a_killed_executor_loses_and_doubles_nothing(
    spark: SparkSession, notes: Path, tmp_path: Path
) -> None:
    metrics, folder = Metrics(spark), tmp_path / "gate"
    folder.mkdir()
    frame = spark.read.parquet(str(notes)).select("note_id", "text").repartition(4)
    gated = frame.mapInArrow(make_gate(folder), frame.schema)
    done = deidentify(gated, MODEL, id_column="note_id", metrics=metrics)
    written: list[DataFrame] = []
    run = Thread(target=lambda: written.append(write(done, tmp_path / "done")), daemon=True)
    run.start()
    try:
        waiting = wait_for(lambda: [int(each.name) for each in folder.glob("[0-9]*")])
        executor = next(each for each in ancestors(waiting[0]) if is_executor(each))
        os.kill(executor, signal.SIGKILL)
        wait_for(
            lambda: not Path(f"/proc/{executor}/cmdline").exists() or not is_executor(executor)
        )
    finally:
        (folder / "open").touch()
    run.join(timeout=LONG)
    assert written, "the run did not end"
    require_nothing_lost(written[0], frame, metrics)


def require_nothing_lost(written: DataFrame, frame: DataFrame, metrics: Metrics) -> None:
    require_complete(frame, written, id_column="note_id")
    summary, counts = summarize(written), metrics.counts()
    assert summary.documents == counts.documents == PATIENTS * NOTES
    assert summary.labels == counts.labels
    assert summary.labels["PATIENT"] > 0
    assert summary.characters == counts.characters
    assert not summary.failures


def make_gate(folder: Path) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return a function of batches that tells its process and waits after its first batch."""

    def gate(batches: Iterator[Any]) -> Iterator[Any]:
        end = time.monotonic() + LONG
        for number, batch in enumerate(batches):
            if number == 1:
                (folder / str(os.getpid())).touch()
            while number and not (folder / "open").exists() and time.monotonic() < end:
                time.sleep(0.05)
            yield batch

    return gate


def wait_for(look: Callable[[], Any]) -> Any:
    end = time.monotonic() + LONG
    while not (found := look()):
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)
    return found


def ancestors(process: int) -> Iterator[int]:
    """Yield the processes above one, up to this one."""
    while process not in (0, 1, os.getpid()):
        status = Path(f"/proc/{process}/stat").read_text()
        process = int(status.rpartition(")")[2].split()[1])
        yield process


def is_executor(process: int) -> bool:
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
    return b"CoarseGrainedExecutorBackend" in command


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"text_column": "note"}, FormatError, "there is no column 'note'"),
        ({"text_column": "weight"}, FormatError, "of type double, not string"),
        ({"id_column": "weight"}, FormatError, "not string or integral"),
        ({"patient_column": "born"}, FormatError, "there is no column 'born'"),
        ({"keep_columns": ["nothing"]}, FormatError, "there is no column 'nothing'"),
        ({"keep_columns": ["text"]}, ConfigError, "cannot be kept"),
        ({"spans_column": "WARD", "keep_columns": ["ward"]}, ConfigError, "two columns of one"),
        ({"model": "nothing"}, ConfigError, "unknown model 'nothing'"),
        ({"policy": "nothing"}, ConfigError, "unknown policy 'nothing'"),
        ({"policy": "surrogate"}, ConfigError, "key"),
        ({"policy": "own.toml"}, LabelError, "unknown label"),
        ({"model": "damaged"}, ArtifactError, "damaged"),
        ({"identifiers": Path("known.csv")}, ConfigError, "patient of each document"),
        ({"deny": Path("missing.txt")}, InputError, "missing.txt"),
        ({"delivery": "post"}, ConfigError, "unknown delivery"),
        ({"time_limit": 0.0}, ConfigError, "must be above 0"),
    ],
)
def test_bad_settings_are_told_before_a_job_begins(
    settings: dict[str, Any],
    error: type[Exception],
    message: str,
    spark: SparkSession,
    notes: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_identifiers(tmp_path / "known.csv")
    (tmp_path / "own.toml").write_text('default = "mask"\n[labels]\nNOTHING = "mask"\n')
    if settings.get("model") == "damaged":
        shutil.copytree(find_model(MODEL), "damaged")
        largest = max(Path("damaged").rglob("*"), key=lambda each: each.stat().st_size)
        largest.write_bytes(largest.read_bytes()[:-1])
    frame = spark.read.parquet(str(notes))
    given = {"model": MODEL, "id_column": "note_id", **settings}
    tracker = spark.sparkContext.statusTracker()
    before = tracker.getJobIdsForGroup()
    with pytest.raises(error, match=message):
        deidentify(frame, **given)
    assert tracker.getJobIdsForGroup() == before


def test_kept_days_are_told_before_a_job_begins(spark: SparkSession, notes: Path) -> None:
    frame = spark.read.parquet(str(notes)).selectExpr(
        "note_id", "text", "ward", "date'2019-05-03' AS born", "timestamp'2019-05-03' AS seen"
    )
    kept = ["born", "seen", "ward"]

    def told(policy: str, *, key: bytes | None = None, keep: list[str] = kept) -> list[str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            deidentify(frame, MODEL, policy=policy, key=key, id_column="note_id", keep_columns=keep)
        return [str(one.message) for one in caught if "kept column" in str(one.message)]

    first, second = told("safe-harbor")
    assert first.startswith("the kept column 'born' is of type date, and its days go out")
    assert "no more than the years" in first
    assert "'seen' is of type timestamp" in second
    first, _ = told("surrogate", key=KEY)
    assert "by how many days" in first
    assert told("limited-dataset") == told("safe-harbor", keep=["ward"]) == []


@pytest.mark.parametrize(("limit", "codes"), [(LONG, {None}), (1e-9, {"TimeLimitError"})])
def test_a_limit_of_time_fails_documents_alone(
    limit: float, codes: set[str | None], spark: SparkSession, notes: Path
) -> None:
    frame = spark.read.parquet(str(notes)).limit(2).coalesce(1)
    rows = deidentify(frame, MODEL, id_column="note_id", time_limit=limit).collect()
    assert {row.failure and row.failure.code for row in rows} == codes
    plain = [row.text for row in deidentify(frame, MODEL, id_column="note_id").collect()]
    assert [row.text for row in rows] == (plain if limit == LONG else [None, None])


def test_what_was_not_proved_or_is_missing_is_told(
    spark: SparkSession, notes: Path, tmp_path: Path
) -> None:
    frame = spark.read.parquet(str(notes)).limit(6).coalesce(1)
    written = write(deidentify(frame, MODEL, id_column="note_id"), tmp_path / "done")
    changed = written.withColumns(
        {"text": written["text"].substr(1, 5), "counts": written["counts"]}
    )
    with pytest.raises(OutputError, match="are not those that were proved"):
        summarize(changed)
    with pytest.raises(OutputError, match="lacks documents of 1 ids, and has too many of 0"):
        require_complete(frame, written.where("note_id <> 1002"), id_column="note_id")
    with pytest.raises(OutputError, match="lacks documents of 0 ids, and has too many of 6"):
        require_complete(frame, written.unionAll(written), id_column="note_id")
    with pytest.raises(InputError, match="no output of a run on Spark"):
        summarize(frame)
