"""What requests and responses look like: fields, limits and examples, for OpenAPI too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    RootModel,
    Tag,
    create_model,
)
from pydantic_core import PydanticCustomError

from scrubjay.detectors import GREATEST_DIAL
from scrubjay.known.reading import COLUMNS, PATIENT_COLUMN

MOST_DOCUMENTS = 256
MOST_SPANS = 10_000
MOST_TERMS = 1_000
MOST_VALUES = 100
LONGEST_VALUE = 500
LONGEST_NAME = 200

Offsets = Literal["code-points", "utf-16"]
DateOrder = Literal["dmy", "mdy"]
Score = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Dial = Annotated[float, Field(ge=-GREATEST_DIAL, le=GREATEST_DIAL, allow_inf_nan=False)]
Value = Annotated[str, Field(min_length=1, max_length=LONGEST_VALUE)]
Name = Annotated[str, Field(max_length=LONGEST_NAME)]
GREATEST_PLACE = 2**31 - 1


def _require_characters(text: str) -> str:
    """Refuse half a surrogate pair, which JSON can write and no text holds."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise PydanticCustomError("string_unicode", "not characters alone") from None
    return text


def _whole(number: Any) -> Any:
    """Take 3.0 for 3, which JSON does not tell apart."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


Place = Annotated[int, Field(ge=0, le=GREATEST_PLACE), BeforeValidator(_whole)]
Text = Annotated[str, AfterValidator(_require_characters)]
_NOTE = "Seen by Dr. Ann Lee on 3/4/2019 in Boston."


class Strict(BaseModel):
    """A part of a request: unknown fields are refused, and no type is taken for another."""

    model_config = ConfigDict(
        strict=True, extra="forbid", hide_input_in_errors=True, frozen=True, protected_namespaces=()
    )


def _known_fields() -> dict[str, Any]:
    values = Annotated[list[Value], Field(max_length=MOST_VALUES)]
    return {
        column: (values, Field(default_factory=list))
        for column in COLUMNS
        if column != PATIENT_COLUMN
    }


Known = create_model("Known", __base__=Strict, **_known_fields())
Known.__doc__ = "What a register knows of the patient; always removed. Dates are `YYYY-MM-DD`."


class GivenSpan(Strict):
    """A span that is always removed, whatever the model finds: `[start, end)` and its label."""

    start: Place
    end: Place
    label: Name


class DenyTerm(Strict):
    """A term that is always removed; without a label it gets that of other identifiers."""

    term: Value
    label: Name | None = None


class DocumentIn(Strict):
    """A document: its text, and what is known of it."""

    text: Text = Field(description="The text. It is never normalised: offsets are those of it.")
    id: Name | None = Field(None, description="Comes back in the response. Unique in a request.")
    patient: Name | None = Field(
        None, description="The key of the patient: surrogates agree over the patient's documents."
    )
    known: Known | None = Field(None, description="Known identifiers of the patient.")  # type: ignore[valid-type]
    spans: Annotated[list[GivenSpan], Field(max_length=MOST_SPANS)] = Field(
        default_factory=list, description="Spans that are removed besides, disjoint."
    )


class Options(Strict):
    """How documents are read; a field that is left out is as the service was started."""

    model: Name | None = Field(None, description="A name of `/v1/models`.")
    dial: Dial | None = Field(None, description="In place of the model's own; more finds more.")
    min_score: Score | None = Field(None, description="Leave out spans with a lower probability.")
    thresholds: dict[str, Score] = Field(
        default_factory=dict, description="The least probability by label."
    )
    allow: Annotated[list[Value], Field(max_length=MOST_TERMS)] = Field(
        default_factory=list, description="Terms that the model may not remove."
    )
    deny: Annotated[list[DenyTerm], Field(max_length=MOST_TERMS)] = Field(
        default_factory=list, description="Terms that are always removed."
    )
    propagate: bool = Field(True, description="Find everywhere what was found once in a record.")
    offsets: Offsets = Field("code-points", description="How offsets count, in and out.")


class DetectText(Options, DocumentIn):
    """One document in which PHI is to be found."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": _NOTE}]})


class DetectDocuments(Options):
    """Several documents in which PHI is to be found, each for itself."""

    documents: Annotated[list[DocumentIn], Field(min_length=1, max_length=MOST_DOCUMENTS)]


_POLICY = "A name of `/v1/policies`."
_DATE_ORDER = "What 3/4/2012 is where dates are shifted: the 3rd of April, or the 4th of March."


class DeidentifyText(DetectText):
    """One document that is to be de-identified."""

    policy: Name | None = Field(None, description=_POLICY)
    date_order: DateOrder | None = Field(None, description=_DATE_ORDER)


class DeidentifyDocuments(DetectDocuments):
    """Several documents; neighbours of one patient are a record, and are proved together."""

    policy: Name | None = Field(None, description=_POLICY)
    date_order: DateOrder | None = Field(None, description=_DATE_ORDER)


_ONE, _MANY = "#one", "#many"


def _form(body: Any) -> str:
    return _MANY if isinstance(body, Mapping) and "documents" in body else _ONE


class DetectBody(
    RootModel[
        Annotated[
            Annotated[DetectText, Tag(_ONE)] | Annotated[DetectDocuments, Tag(_MANY)],
            Discriminator(_form),
        ]
    ]
):
    """One document, or several under `documents`."""

    model_config = ConfigDict(strict=True, hide_input_in_errors=True)


class DeidentifyBody(
    RootModel[
        Annotated[
            Annotated[DeidentifyText, Tag(_ONE)] | Annotated[DeidentifyDocuments, Tag(_MANY)],
            Discriminator(_form),
        ]
    ]
):
    """One document, or several under `documents`."""

    model_config = ConfigDict(strict=True, hide_input_in_errors=True)


TAGS = frozenset([_ONE, _MANY])
"""What stands in the place of an error for the form of the body, beside names of fields."""


class SpanOut(BaseModel):
    """A span that was found: `[start, end)`, and who found it (`model:member`, `known`, ...)."""

    start: int
    end: int
    label: str
    score: float | None = Field(description="Its probability, null where nobody told one.")
    source: str


class ReplacedSpan(SpanOut):
    """A span with start and end of what replaced it in the new text; equal where that is empty."""

    new_start: int
    new_end: int


class FailureOut(BaseModel):
    """Why a document failed: in which stage, and of what class the error was."""

    stage: str
    code: str


class DetectedDocument(BaseModel):
    """What was found in a document; `failure` stands in the place of the spans if it failed."""

    id: str | None
    spans: list[SpanOut] | None
    failure: FailureOut | None = None


class DeidentifiedDocument(BaseModel):
    """A de-identified document; of one that failed there is no text, only `failure`."""

    id: str | None
    text: str | None
    spans: list[ReplacedSpan] | None
    failure: FailureOut | None = None


class DetectedOne(BaseModel):
    """What was found in one document."""

    id: str | None
    spans: list[SpanOut]
    model: str
    offsets: Offsets


class DetectedMany(BaseModel):
    """What was found in each document, in order."""

    documents: list[DetectedDocument]
    failed: int
    model: str
    offsets: Offsets


class DeidentifiedOne(BaseModel):
    """One document, de-identified."""

    id: str | None
    text: str
    spans: list[ReplacedSpan]
    model: str
    policy: str
    offsets: Offsets


class DeidentifiedMany(BaseModel):
    """Each document de-identified, in order, or its failure."""

    documents: list[DeidentifiedDocument]
    failed: int
    model: str
    policy: str
    offsets: Offsets


class ModelOut(BaseModel):
    """A model that requests can name."""

    name: str
    default: bool
    language: str
    label_set: str
    labels: list[str]
    dial: bool = Field(description="Whether it has a recall dial.")


class ModelsOut(BaseModel):
    """The models that are served."""

    models: list[ModelOut]


class PolicyOut(BaseModel):
    """A policy; one that is not available needs a key that the service was not given."""

    name: str
    default: bool
    available: bool
    description: str
    operators: dict[str, Any] | None = Field(description="What replaces which label.")


class PoliciesOut(BaseModel):
    """The policies that are served."""

    policies: list[PolicyOut]


class HealthOut(BaseModel):
    """How the service is."""

    status: Literal["alive", "ready"]


class ReadyOut(HealthOut):
    """How the service is, and how many workers can take a job."""

    workers: int


class FaultOut(BaseModel):
    """One thing that is wrong in a request: where (a JSON pointer), and what."""

    pointer: str
    message: str


class ProblemOut(BaseModel):
    """A problem by RFC 9457. It never holds anything of the request but places and numbers."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    hint: str | None = None
    errors: list[FaultOut] | None = None
