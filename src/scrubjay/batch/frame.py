"""The columns of a frame that a run on Spark reads and writes, by the names that users have.

It knows no Spark: what it needs of that is handed to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrubjay.batch.arrow import COUNTS, FAILURE, ID, PATIENT, SPANS, TEXT
from scrubjay.batch.coding import Kinds
from scrubjay.batch.kept_dates import describe_type, why_no_days
from scrubjay.corpora.columns import describe_columns
from scrubjay.errors import ConfigError, FormatError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructType

    from scrubjay.transform.policy import Policy

FACTS = "scrubjay"
"""The entry of the metadata of COUNTS with the facts of the run."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a run by the names that the user's frames have for them."""

    text: str
    id: str
    patient: str
    keep: tuple[str, ...]
    spans: str
    codes: Kinds
    types: Any
    """The module of Spark's types, of which nothing is known here but their names."""

    def require(self, frame: DataFrame) -> None:
        """Raise `FormatError` or `ConfigError` where a frame has not what is needed."""
        types = self.types
        texts, whole = types.StringType, types.IntegralType
        self._require_type(frame, self.text, "text_column", (texts,))
        self._require_type(frame, self.id, "id_column", (texts, whole))
        if self.patient:
            self._require_type(frame, self.patient, "patient_column", (texts, whole))
        for name in self.keep:
            self._require_type(frame, name, "keep_columns", (types.DataType,))
        types_of_ids = (texts, whole, types.FractionalType, types.NullType)
        for name, _ in self.codes:
            self._require_type(frame, name, "code_columns", types_of_ids)
        if self.text in (*self.keep, *dict(self.codes)):
            raise ConfigError("the column of the texts cannot be kept as it is, nor be a code")
        if both := sorted({*self.keep} & {*dict(self.codes)}):
            raise ConfigError(f"the column {both[0]!r} cannot go out as it is and as a code")
        names = [*self.output(frame), FAILURE, COUNTS, *([self.spans] if self.spans else [])]
        twice = sorted(name for name, count in Counter(map(str.lower, names)).items() if count > 1)
        if twice:
            raise ConfigError(
                f"the output would have two columns of one name: {describe_columns(twice)}",
                hint=f"It adds {FAILURE!r}, {COUNTS!r} and spans_column; rename those of the input",
            )

    def _require_type(
        self, frame: DataFrame, name: str, setting: str, types: tuple[type, ...]
    ) -> None:
        found = [each for each in frame.schema.fields if each.name == name]
        if len(found) != 1:
            raise FormatError(
                f"there {'are several columns' if found else 'is no column'} {name!r}",
                hint=f"The frame has {describe_columns(frame.columns)}. Name one by {setting}",
            )
        if not isinstance(found[0].dataType, types):
            wanted = " or ".join(each.__name__.removesuffix("Type").lower() for each in types)
            raise FormatError(
                f"the column {name!r} is of type {found[0].dataType.simpleString()}, not {wanted}",
                hint=f"Cast it, or name another one by {setting}",
            )

    def days(self, frame: DataFrame, rules: Policy) -> Iterator[str]:
        """Yield a warning of each column to keep whose days tell more than the texts may."""
        types = self.types
        if (reason := why_no_days(rules)) is None:
            return
        days = (types.DateType, types.TimestampType, types.TimestampNTZType)
        for each in frame.schema.fields:
            if each.name in self.keep and isinstance(each.dataType, days):
                yield describe_type(each.name, each.dataType.simpleString(), reason)

    def output(self, frame: DataFrame) -> list[str]:
        """Return the columns of a frame that the output has, in the same order."""
        wanted = {self.text, self.id, *self.keep, *dict(self.codes)}
        return [name for name in frame.columns if name in wanted]

    def _inside(self, name: str) -> str:
        """Return the name of a column inside a task, where users' names may stand for no other."""
        own = {self.text: TEXT, self.id: ID}
        own = {name: f"code{place}" for place, (name, _) in enumerate(self.codes)} | own
        return own.get(name) or f"keep{self.keep.index(name)}"

    def coded(self) -> tuple[tuple[str, str], ...]:
        """Return the columns that go out as codes, as a task calls them, with their kinds."""
        return tuple((self._inside(name), kind) for name, kind in self.codes)

    def kept(self) -> dict[str, str]:
        """Return the columns to keep, but the id: the name inside a task -> the user's."""
        return {self._inside(name): name for name in self.keep if name != self.id}

    def renamed(self, frame: DataFrame, functions: Any) -> DataFrame:
        """Return the columns of a frame that are needed, by the names that a task knows."""
        wanted = [
            functions.col(quote(name)).alias(self._inside(name)) for name in self.output(frame)
        ]
        if self.patient:
            wanted.append(functions.col(quote(self.patient)).alias(PATIENT))
        return frame.select(*wanted)

    def schema(self, ready: DataFrame) -> StructType:
        """Return the schema of what a task gives for a frame that is renamed."""
        types = self.types
        text, whole = types.StringType(), types.LongType()
        counted = types.MapType(text, whole)
        offset, score = types.IntegerType(), types.DoubleType()
        spans = types.StructType().add("start", offset).add("end", offset).add("label", text)
        spans = spans.add("score", score).add("source", text)
        failure = types.StructType().add("stage", text).add("code", text)
        counts = types.StructType().add("characters", whole).add("labels", counted)
        counts = counts.add("proof", counted).add("crc32", whole).add("language", text)
        schema = types.StructType()
        texts = {TEXT, *dict(self.coded())}
        for each in ready.schema.fields:
            if each.name != PATIENT:
                schema.add(each.name, text if each.name in texts else each.dataType)
        if self.spans:
            schema.add(SPANS, types.ArrayType(spans))
        return schema.add(FAILURE, failure).add(COUNTS, counts)

    def restored(
        self, frame: DataFrame, functions: Any, facts: Mapping[str, Any]
    ) -> Iterator[Column]:
        """Yield the columns of the output by the user's names, the facts of the run with them."""
        for name in self.output(frame):
            yield functions.col(self._inside(name)).alias(name)
        if self.spans:
            yield functions.col(SPANS).alias(self.spans)
        yield functions.col(FAILURE)
        names = {"text_column": self.text, "id_column": self.id}
        yield functions.col(COUNTS).alias(COUNTS, metadata={FACTS: {**facts, **names}})


def quote(name: str) -> str:
    """Return the name of a column as Spark's expressions have it, whatever is in it."""
    return "`" + name.replace("`", "``") + "`"
