import pytest

from scrubjay.analysis.probe_sets import find_probes, parse_probes
from scrubjay.analysis.protected_probes import carry_terms, probe_protected, write_term
from scrubjay.document import Span
from scrubjay.errors import ConfigError, FormatError
from scrubjay.features.protected import PROTECTED_KINDS, protected_terms


class Takes:
    """Finds PHI in the whole text, or nothing."""

    labels = ("NAME",)

    def __init__(self, whole):
        self.whole = whole

    def detect(self, documents):
        size = [len(document.text) if self.whole else 0 for document in documents]
        return [(Span(0, n, "NAME"),) if n else () for n in size]


@pytest.mark.parametrize("language", ["en", "es", "nl"])
def test_every_kind_has_carriers_and_terms(language):
    probes = find_probes(language)
    assert set(probes.carriers) == set(PROTECTED_KINDS)
    terms = protected_terms(language)
    for kind in PROTECTED_KINDS:
        for document in carry_terms(probes, kind, draws=12):
            (span,) = document.spans
            assert "{" not in document.text
            assert terms[document.text[span.start : span.end].lower()] == kind


@pytest.mark.parametrize(("whole", "share"), [(True, 1.0), (False, 0.0)])
def test_hits_are_counted_by_kind(whole, share):
    report = probe_protected(Takes(whole), find_probes("en"), draws=3)
    assert [one.hit.of for one in report.kinds] == [3] * len(PROTECTED_KINDS)
    assert report.hit.ratio == share
    assert sum(count for one in report.kinds for _, count in one.terms) == report.hit.count


def test_the_seed_decides_the_terms():
    probes = find_probes("en")
    drawn = [[d.text for d in carry_terms(probes, "drug", draws=5, seed=n)] for n in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize(
    ("term", "kind", "written"),
    [
        ("bell's palsy", "eponym", "Bell's palsy"),
        ("brca1", "gene", "BRCA1"),
        ("mg/dl", "unit", "mg/dl"),
        ("gcs", "test", "GCS"),
        ("family history", "heading", "Family history"),
        ("metformin", "drug", "metformin"),
    ],
)
def test_terms_are_written_as_clinicians_do(term, kind, written):
    assert write_term(term, kind, "en") == written


def test_probes_without_carriers_are_refused():
    text = 'language = "en"\n[x]\ntitle = "X"\nkeep = ["<KEEP>a</KEEP>"]\n'
    probes = parse_probes(text.encode(), path="p.toml")
    with pytest.raises(ConfigError, match="no carriers"):
        probe_protected(Takes(False), probes)
    with pytest.raises(ConfigError, match="at least one"):
        probe_protected(Takes(False), find_probes("en"), draws=0)


@pytest.mark.parametrize(
    ("carriers", "message"),
    [
        ('drug = ["no place"]', "no carrier"),
        ('drug = ["{term} and {TERM}"]', "no carrier"),
        ('pills = ["{term}"]', "unknown kind"),
        ("drug = []", "has no carriers"),
        ("drug = 3", "no list"),
    ],
)
def test_faulty_carriers_are_refused(carriers, message):
    text = f'language = "en"\n[carriers]\n{carriers}\n[x]\ntitle = "X"\nkeep = ["<KEEP>a</KEEP>"]\n'
    with pytest.raises(FormatError, match=message):
        parse_probes(text.encode(), path="p.toml")
