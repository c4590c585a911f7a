"""De-identify a table of notes on Spark.

    spark-submit examples/spark_deid.py notes.parquet done --model en-fast --text-column note_text

reads the table (Parquet, or another format that Spark knows), and writes below the output folder

    checked/       a row for each note: new text or failure, and counts; for you alone
    released/      the notes that did not fail, without what is about the run
    summary/       what was done, counted in `checked`, as JSON

Nothing is released where the summary does not agree with the input. The exit code is 0 only if no
note failed. The key of the policy comes from --key-file or $SCRUBJAY_KEY on the driver.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from scrubjay.batch.spark import deidentify, passed, require_complete, summarize
from scrubjay.batch.summary import dump_summary
from scrubjay.errors import MissingExtraError, ScrubjayError
from scrubjay.transform.operators import read_key


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return the options of a call."""
    parser = argparse.ArgumentParser(
        description="De-identify a table of notes on Spark.", allow_abbrev=False
    )
    parser.add_argument("source", help="the table, as any path or URL that Spark reads")
    parser.add_argument("out", help="an output folder that is not there yet")
    parser.add_argument("--format", default="parquet", help="the format of the table")
    parser.add_argument("--model", default="en", help="a shipped model, or the folder of one")
    parser.add_argument("--policy", default="placeholder", help="a policy, or its TOML file")
    parser.add_argument("--key-file", type=Path, help="the secret key of the policy")
    parser.add_argument("--text-column", default="text")
    parser.add_argument("--id-column", default="id")
    parser.add_argument("--patient-column", default="", help="brings notes of a patient together")
    parser.add_argument("--keep-column", action="append", default=[], help="may be repeated")
    parser.add_argument(
        "--code-column", action="append", default=[], help="NAME or NAME=KIND; may be repeated"
    )
    parser.add_argument("--spans-column", default="", help="adds the spans of the new text")
    parser.add_argument("--identifiers", type=Path, help="known identifiers of patients")
    parser.add_argument("--allow", type=Path, help="terms that the model may not remove")
    parser.add_argument("--deny", type=Path, help="terms that are always removed")
    parser.add_argument(
        "--ship", action="store_true", help="take the files named here to the executors"
    )
    parser.add_argument("--date-order", choices=["dmy", "mdy"], default="", help="of shifted dates")
    parser.add_argument("--date-direction", choices=["past", "future"], default="")
    parser.add_argument("--time-limit", type=float, help="seconds for each note")
    parser.add_argument("--partitions", type=int, help="spread the notes over so many tasks")
    return parser.parse_args(arguments)


def main() -> int:
    """Run, and return the exit code."""
    options = parse()
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        sys.stderr.write(f"error: {MissingExtraError('pyspark', 'spark')}\n")
        return 2
    try:
        spark = SparkSession.builder.appName("scrubjay deid").getOrCreate()
        return run(spark, options)
    except ScrubjayError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code


def run(spark: Any, options: argparse.Namespace) -> int:
    """De-identify, check, release, and return the exit code."""
    source = spark.read.format(options.format).load(options.source)
    notes = source.repartition(options.partitions) if options.partitions else source
    key = read_key(options.key_file)
    begin = time.perf_counter()
    done = deidentify(
        notes,
        options.model,
        policy=options.policy,
        key=key,
        text_column=options.text_column,
        id_column=options.id_column,
        patient_column=options.patient_column,
        keep_columns=options.keep_column,
        code_columns=options.code_column,
        spans_column=options.spans_column,
        identifiers=options.identifiers,
        allow=options.allow,
        deny=options.deny,
        date_order=options.date_order,
        date_direction=options.date_direction,
        time_limit=options.time_limit,
        delivery="ship" if options.ship else "shared",
    )
    # Written once and read again: what is counted and released is what lies there.
    done.write.parquet(f"{options.out}/checked")
    checked = spark.read.parquet(f"{options.out}/checked")
    seconds = time.perf_counter() - begin
    require_complete(source, checked, id_column=options.id_column, key=key)
    summary = summarize(checked, output=options.out, seconds=seconds)
    passed(checked).write.parquet(f"{options.out}/released")
    text = dump_summary(summary.to_json())
    lines = spark.createDataFrame([(text,)], "value string").coalesce(1)
    lines.write.text(f"{options.out}/summary")
    sys.stdout.write(text)
    return summary.exit_code


if __name__ == "__main__":
    sys.exit(main())
