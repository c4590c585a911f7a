"""Runs on Spark: a frame of notes in, a frame of de-identified notes out.

    notes = spark.read.parquet("notes")
    deidentify(notes, "en-fast", text_column="note_text").write.parquet("done")
    done = spark.read.parquet("done")
    summarize(done).to_json()
    passed(done).write.parquet("released")

Each task does what a local run does, with the same proof of each output, and each Python worker
loads the model once. What a row needs is in the row, so that a task which is done again, since
its worker was killed, changes nothing. Needs pyspark.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from scrubjay.batch.arrow import (
    COUNTS,
    FAILURE,
    ID,
    PATIENT,
    TEXT,
    Codes,
    process_batches,
)
from scrubjay.batch.coding import Kinds, read_kinds
from scrubjay.batch.counting import ByPartition, Counts, Stages, TaskCounter, add_up
from scrubjay.batch.frame import FACTS, Columns, quote
from scrubjay.batch.parcels import Parcel, files_of, pack, place_files
from scrubjay.batch.setup import DeidSetup
from scrubjay.batch.summary import NAMED, RunSummary
from scrubjay.batch.task import ready_work, require_limit, run_facts
from scrubjay.cores import leave_cores
from scrubjay.deidentifier import Failure
from scrubjay.errors import (
    ConfigError,
    InputError,
    MissingExtraError,
    OutputError,
)
from scrubjay.known.detector import OnUnknown
from scrubjay.models import verify_model
from scrubjay.transform.codes import Coder

if TYPE_CHECKING:
    from pyspark.accumulators import Accumulator
    from pyspark.sql import Column, DataFrame, SparkSession


Delivery = Literal["shared", "ship"]
"""How files reach the executors: they are in the same place there, or Spark takes them there."""


def deidentify(
    frame: DataFrame,
    model: str = "en",
    *,
    policy: str = "placeholder",
    key: bytes | None = None,
    text_column: str = "text",
    id_column: str = "id",
    patient_column: str = "",
    keep_columns: Sequence[str] = (),
    code_columns: Sequence[str] = (),
    spans_column: str = "",
    identifiers: Path | None = None,
    unknown_patient: OnUnknown = "fail",
    allow: Path | None = None,
    deny: Path | None = None,
    propagate: bool = True,
    recall_dial: float | None = None,
    min_score: float | None = None,
    date_order: str = "",
    date_direction: str = "",
    time_limit: float | None = None,
    delivery: Delivery = "shared",
    metrics: Metrics | None = None,
) -> DataFrame:
    """Return a frame with a de-identified row for each row; nothing runs before it is used.

    It has the columns of id and text and those to keep, as they were, and no other but those of
    `code_columns` ("NAME" or "NAME=KIND", as `--code-column` has them), which hold codes made by
    the key. `failure` is
    null, or says in which stage and by which error a document failed, whose text is null then.
    `counts` holds what `summarize` sums up, and `spans_column` names a column for the spans of
    the new text, if there is to be one. The other settings are those of `scrubjay deid`.

    With `patient_column` the rows of a patient are brought together, in the order of their ids,
    as the record that they are; this moves every note once through the network. Without it, each
    row is a record of its own and stays where it is.

    Warns of columns to keep that are of a type of days, where the dates of texts are shifted or
    no more than their years stay; strings are not looked at.

    Raises, before any job begins: `FormatError` for a column that is not there or not of its
    type; `ConfigError` for an unknown model or policy, a policy or codes without a key, and columns
    of one name; `ArtifactError` for a damaged model; `MissingExtraError` without pyspark, or
    what the model needs.
    """
    functions, types = _load_spark()
    if delivery not in get_args(Delivery):
        raise ConfigError(f"unknown delivery {delivery!r}", hint="Known: shared, ship")
    kinds = read_kinds(code_columns, patient_key=patient_column)
    columns = Columns(
        text_column,
        id_column,
        patient_column,
        tuple(keep_columns),
        spans_column,
        kinds,
        types,
    )
    columns.require(frame)
    setup = DeidSetup(
        model, policy, key, PATIENT if patient_column else "", identifiers, unknown_patient,
        allow, deny, propagate, recall_dial, min_score, date_order=date_order, code_columns=kinds,
        date_direction=date_direction,
        code_ids=id_column in dict(kinds),
    )  # fmt: skip
    setup.coding()  # it raises where there is no key for it
    facts = run_facts(setup, patient_column, time_limit, keep_columns)
    for told in columns.days(frame, setup.find_policy()):
        warnings.warn(told, stacklevel=2)
    require_limit(time_limit)
    verify_model(model)
    # The model is loaded here once, too: what it lacks is better told now than by each task.
    setup.make()
    parcels = _ship(frame.sparkSession, setup) if delivery == "ship" else {}
    there = place_files(setup, files_of(setup))
    sha256 = facts["told"]["model_sha256"]
    kept = columns.kept()
    task = _Task(
        there, parcels, sha256, bool(spans_column), kept, columns.coded(), time_limit, metrics
    )
    ready = _gathered(columns.renamed(frame, functions), functions, patient_column)
    done = ready.mapInArrow(task.run, columns.schema(ready))
    return done.select(*columns.restored(frame, functions, facts))


def passed(frame: DataFrame) -> DataFrame:
    """Return the rows of a de-identified frame that did not fail, without what is about the run.

    These are the rows and columns that a local run writes.
    """
    return frame.where(f"{FAILURE} IS NULL").drop(FAILURE, COUNTS)


def summarize(frame: DataFrame, *, output: str = "-", seconds: float = 0.0) -> RunSummary:
    """Return the summary of a run, counted in what it wrote.

    `frame` is the written output of `deidentify`, read again from Parquet or another format that
    keeps the metadata of columns. `output` is where it lies and `seconds` how long it took, if
    that is to be told. The failures are collected with their ids, the rest is summed up where it
    lies. Raises `InputError` for a frame that is none, and `OutputError` where a text is not the
    one that was proved.
    """
    functions, _ = _load_spark()
    facts = _facts_of(frame)
    text, counts = functions.col(quote(facts["text_column"])), functions.col(COUNTS)
    same = functions.crc32(text).eqNullSafe(counts.crc32)
    failed = functions.col(FAILURE).isNotNull()
    (total,) = frame.agg(
        functions.count("*").alias("documents"),
        functions.sum(counts.characters).alias("characters"),
        functions.count_if(~same).alias("altered"),
        functions.count_if(same & ~failed).alias("read_back"),
    ).collect()
    if total.altered:
        raise OutputError(
            f"{total.altered} of {total.documents} texts are not those that were proved",
            hint="Do not release them; run it again",
        )
    names = functions.col(quote(facts["id_column"])).cast("string")
    rows = frame.where(failed).select(names, f"{FAILURE}.stage", f"{FAILURE}.code").collect()
    failures = sorted((row[0] or "", row[1], row[2]) for row in rows)
    languages, own = _count_languages(frame), facts["told"]["language"] or ""
    return RunSummary(
        command="deid",
        documents=total.documents,
        characters=total.characters or 0,
        labels=_sum_map(frame, "labels"),
        failures=tuple(Failure(*each) for each in failures),
        seconds=seconds,
        model=facts["model"],
        policy=facts["policy"],
        output=output,
        proof=_sum_map(frame, "proof"),
        read_back=total.read_back,
        with_ids=facts["id_column"] not in facts["told"]["code_columns"],
        facts=facts["told"],
        language=own,
        languages=languages,
        language_ids={code: _first_ids(frame, names, code) for code in languages if code != own},
    )


def require_complete(
    source: DataFrame, frame: DataFrame, *, id_column: str = "id", key: bytes | None = None
) -> None:
    """Raise `OutputError` unless a frame has each id as often as its source has it.

    It looks at the ids of both, which it brings together in one job. Where those of the frame are
    codes, it needs the `key` to make the same of the others, and raises `ConfigError` without it.
    """
    functions, _ = _load_spark()
    ids = functions.col(quote(id_column))
    ours = theirs = ids.cast("string")
    if kind := _code_columns(frame).get(id_column):
        make = partial(Coder(key or b"").code_value, kind=kind)
        theirs = functions.udf(make, "string", useArrow=False)(ids)
    sides = [
        each.select(ids.alias(ID), functions.lit(sign).alias("n"))
        for each, ids, sign in ((source, theirs, 1), (frame, ours, -1))
    ]
    balance = sides[0].unionAll(sides[1]).groupBy(ID).agg(functions.sum("n").alias("n"))
    (row,) = balance.agg(
        functions.count_if(functions.col("n") > 0).alias("lost"),
        functions.count_if(functions.col("n") < 0).alias("added"),
    ).collect()
    if row.lost or row.added:
        raise OutputError(
            f"the output lacks documents of {row.lost} ids, and has too many of {row.added}",
            hint="Was the source changed meanwhile? Run it again",
        )


class Metrics:
    """Counts of a run while it is under way, by an accumulator of Spark.

    A task adds its counts when it ends, under the number of its partition: one that is done twice,
    since its worker was lost or a stage is repeated, is counted once. An action that computes the
    frame anew begins anew. For one frame; what is to be relied on is counted in the output, by
    `summarize`. Needs a classic session; Spark Connect has no accumulators.
    """

    def __init__(self, session: SparkSession) -> None:
        context = session.sparkContext
        self._stages: Accumulator[Stages] = context.accumulator({}, ByPartition())

    def counts(self) -> Counts:
        """Return the sums over the tasks that ended."""
        stages = self._stages.value
        return add_up(stages[max(stages)].values()) if stages else Counts()

    def add(self, counts: Counts) -> None:
        """Note the counts of a whole task; called in that task, once."""
        from pyspark import TaskContext

        context = TaskContext.get()
        if context is not None:
            self._stages.add({context.stageId(): {context.partitionId(): counts}})


@dataclass(frozen=True, slots=True, repr=False)
class _Task:
    """What a task does; it is sent to the executors, with the key of the policy."""

    setup: DeidSetup
    parcels: Mapping[str, Parcel]
    model_sha256: str
    spans: bool
    kept: Mapping[str, str]
    coded: Kinds
    time_limit: float | None
    metrics: Metrics | None

    def run(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Yield the outcomes of the batches of one partition."""
        leave_cores()
        setup = _arrived(self.setup, self.parcels)
        deidentifier, runner = ready_work(setup, self.model_sha256, self.time_limit)
        counter = TaskCounter()
        coding = setup.coding()
        codes = Codes(coding.coder, dict(self.coded)) if coding is not None else None
        yield from process_batches(
            batches, deidentifier, runner=runner, spans=self.spans, kept=self.kept, codes=codes,
            note=counter.note,
        )  # fmt: skip
        if self.metrics is not None:
            self.metrics.add(counter.counts())


def _ship(session: SparkSession, setup: DeidSetup) -> dict[str, Parcel]:
    """Have Spark take the files of a setup to the executors, and return their parcels."""
    from pyspark import SparkFiles

    context = session.sparkContext
    # Spark removes this folder when the session ends.
    folder = Path(SparkFiles.getRootDirectory())
    parcels = {name: pack(path, folder) for name, path in files_of(setup).items()}
    for parcel in parcels.values():
        context.addArchive(f"{parcel.archive}#{parcel.name}")
    return parcels


def _arrived(setup: DeidSetup, parcels: Mapping[str, Parcel]) -> DeidSetup:
    """Return a setup with the files of the parcels, where they are on an executor."""
    if not parcels:
        return setup
    from pyspark import SparkFiles

    return place_files(
        setup,
        {name: each.unpacked(Path(SparkFiles.get(each.name))) for name, each in parcels.items()},
    )


def _gathered(frame: DataFrame, functions: Any, patient_column: str) -> DataFrame:
    """Return a frame with the rows of each patient in one partition, in the order of their ids.

    Rows without a patient are spread by their ids; those of one id are sorted by their texts, so
    that nothing depends on the order in which they came.
    """
    if not patient_column:
        return frame
    known = functions.coalesce(*(functions.col(name).cast("string") for name in (PATIENT, ID)))
    return frame.repartition(known).sortWithinPartitions(PATIENT, ID, TEXT)


def _load_spark() -> tuple[Any, Any]:
    try:
        from pyspark.sql import functions, types
    except ImportError:
        raise MissingExtraError("pyspark", "spark") from None
    return functions, types


def _code_columns(frame: DataFrame) -> Mapping[str, str]:
    """Return the columns of a frame that hold codes; none of one that tells nothing of its run."""
    try:
        return dict(_facts_of(frame)["told"]["code_columns"])
    except (InputError, KeyError):
        return {}


def _facts_of(frame: DataFrame) -> Mapping[str, Any]:
    for each in frame.schema.fields:
        if each.name == COUNTS and FACTS in each.metadata:
            facts: Mapping[str, Any] = each.metadata[FACTS]
            return facts
    raise InputError(
        "this is no output of a run on Spark, or of a format without metadata of columns",
        hint="Write the output of deidentify as Parquet, and read that",
    )


def _count_languages(frame: DataFrame) -> dict[str, int]:
    """Return how many documents looked to be in which language, of those that could be told."""
    rows = frame.groupBy(f"{COUNTS}.language").count().collect()
    return {language: count for language, count in sorted(map(tuple, rows), key=str) if language}


def _first_ids(frame: DataFrame, names: Column, language: str) -> list[str]:
    """Return the first ids, in their own order, of documents that looked to be in a language."""
    functions, _ = _load_spark()
    rows = frame.where(functions.col(f"{COUNTS}.language") == language).select(names.alias(ID))
    return [row[0] or "" for row in rows.orderBy(ID).limit(NAMED).collect()]


def _sum_map(frame: DataFrame, name: str) -> dict[str, int]:
    functions, _ = _load_spark()
    pairs = frame.select(functions.explode(f"{COUNTS}.{name}").alias("name", "count"))
    rows = pairs.groupBy("name").agg(functions.sum("count")).collect()
    return {label: count for label, count in sorted(map(tuple, rows)) if count}
