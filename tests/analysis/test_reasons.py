"""Why spans were found."""

from __future__ import annotations

from scrubjay.analysis.reasons import explain_spans
from scrubjay.deidentifier import load
from scrubjay.document import Document, Span
from scrubjay.taggers.regex import make_regex_detector
from tests.toys import DateDetector


def test_reasons_name_the_pattern() -> None:
    detector = make_regex_detector("en", "i2b2-2014")
    text = "Seen on 3/4/2019."
    (spans,) = detector.detect([Document("one", text)])
    (reason,) = explain_spans(detector, text, spans)
    (voice,) = reason.voices
    assert [(s.start, s.end, s.label) for s in voice.spans] == [(8, 16, "DATE")]
    assert voice.rules[0].startswith("pattern ")
    given = Span(0, 4, "NAME", source="propagation:x")
    assert "elsewhere" in explain_spans(detector, text, [given])[0].sentence


def test_the_members_of_a_model_are_heard_through_all_that_stands_around_it() -> None:
    model = load("en-fast", min_score=0.1, allow=["Foley"], detectors=[DateDetector()])
    text = "Seen by Dr. Ann Lee on 3/4/2019."
    (document,) = model.detect([text])
    assert isinstance(document, Document)
    name, date = explain_spans(model.detector, text, document.spans)
    assert [voice.member for voice in name.voices] == ["DateDetector", "crf", "patterns"]
    own, learned, patterns = date.voices
    assert [(s.start, s.end) for s in own.spans] == [(23, 31)]
    assert learned.labels[0][0] == "DATE"
    assert patterns.rules[0].startswith("pattern ")
