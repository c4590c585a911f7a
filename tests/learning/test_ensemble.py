"""Training an ensemble: cross-fitting without leaks, resuming, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from scrubjay.artifacts import Manifest, load_artifact, save_artifact
from scrubjay.cli import main as cli
from scrubjay.document import Document, Span
from scrubjay.errors import ArtifactError, ConfigError, InputError, OutputError
from scrubjay.learning import _crossfit, learners
from scrubjay.learning._folds import Folds, make_folds
from scrubjay.learning.configs import build_config
from scrubjay.learning.dial import measure
from scrubjay.learning.ensemble import EnsembleLearner
from scrubjay.learning.learners import has_dial, make_learner, stops_by_dev
from scrubjay.learning.preparation import Progress
from scrubjay.learning.training import TrainingRequest, train_model
from scrubjay.models import audit_model, load_model
from scrubjay.taggers._combining.combiners import PerLabel, Votes
from scrubjay.taggers._combining.stacker import Stacker
from scrubjay.taggers.regex import save_regex_model
from tests.corpus_samples import LABELS, make_notes, write_notes
from tests.tiny_ensemble import tiny_ensemble, tiny_table
from tests.tiny_tbed import TINY_RULES

pytest.importorskip("pycrfsuite", reason="training needs the extra `train`")
pytest.importorskip("sklearn", reason="training needs the extra `train`")

NOTES = make_notes(24, seed=1)


def _learner(method: str = "svm", **settings: Any) -> EnsembleLearner:
    return EnsembleLearner(tiny_ensemble(method), language="en", label_set="i2b2-2014", **settings)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A work folder that the tests of one module share, for speed."""
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="module")
def stacked(work: Path) -> Any:
    """The tiny ensemble, stacked."""
    return _learner(checkpoint=work).fit(NOTES)


def test_it_finds_phi_and_says_how_well_unseen(stacked: Any) -> None:
    assert stacked.labels == LABELS
    assert isinstance(stacked.combiner, Stacker)
    fresh = make_notes(10, seed=2)
    assert (measure(stacked, fresh).f1 or 0) > 0.9
    figures = stacked.manifest.metrics["crossfit"]
    assert set(figures["members"]) == {"rules", "crf", "patterns"}
    assert figures["ensemble"]["f1"] >= max(m["f1"] for m in figures["members"].values())
    assert figures["ensemble"]["recall"] <= figures["reachable-recall"] <= 1
    facts = stacked.manifest.training_data
    assert (facts["documents"], facts["crossfit"]["by"]) == (24, "document")
    assert stacked.manifest.stores_words


def test_members_that_can_are_asked_for_opinions(stacked: Any, work: Path) -> None:
    assert stacked.combiner.layout.opining == ("crf",)
    learner = _learner(checkpoint=work)
    combiner = replace(learner.config.combiner, opinions=False)
    quiet: Any = replace(learner, config=replace(learner.config, combiner=combiner)).fit(NOTES)
    assert quiet.combiner.layout.opining == ()
    assert quiet.combiner.machine.mean.shape[0] == stacked.combiner.machine.mean.shape[0] - 2


def test_the_work_folder_holds_models_of_members_alone(stacked: Any, work: Path) -> None:
    kinds = [load_artifact(path).manifest.kind for path in sorted(work.iterdir())]
    assert sorted(kinds) == ["crf"] * 4 + ["tbed"] * 4  # three folds, and the finished one


def test_other_combiners_take_members_from_the_work_folder(
    stacked: Any, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*arguments: object, **settings: object) -> None:
        raise AssertionError("a member was trained again")

    monkeypatch.setattr(_crossfit, "run_task", never)
    again = _learner(checkpoint=work).fit(NOTES)
    assert again.files() == stacked.files()
    assert again.manifest == stacked.manifest
    weighted = _learner("weighted", checkpoint=work).fit(NOTES).combiner
    assert isinstance(weighted, Votes)
    figures = stacked.manifest.metrics["crossfit"]["members"]
    assert weighted.weights == tuple(figures[name]["f1"] for name in weighted.members)
    chosen = _learner("per-label", checkpoint=work).fit(NOTES).combiner
    assert isinstance(chosen, PerLabel)
    assert set(chosen.choice) == set(LABELS)
    assert len(set(chosen.choice.values())) > 1
    for method in ("majority", "union", "intersection"):
        found = _learner(method, checkpoint=work).fit(NOTES).detect(NOTES)
        assert any(found)


def test_another_corpus_or_a_seed_that_matters_is_another_training(
    stacked: Any, work: Path
) -> None:
    before = {path.name for path in work.iterdir()}
    learner = _learner("union", checkpoint=work)
    learner.fit(NOTES[1:])
    added = {path.name for path in work.iterdir()} - before
    assert len(added) == 2  # two members
    learner.fit(NOTES, seed=1)  # neither of which draws anything
    assert {path.name for path in work.iterdir()} == before | added
    replace(learner, swap_copies=1).fit(NOTES, seed=1)  # copies do
    assert len({path.name for path in work.iterdir()} - before - added) == 2


def test_a_training_that_was_interrupted_goes_on(
    stacked: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    real = _crossfit.run_task

    def sometimes(task: Any, work: Path, progress: Progress) -> None:
        if len(done) == 4:
            raise KeyboardInterrupt
        done.append(task.shown)
        real(task, work, progress)

    monkeypatch.setattr(_crossfit, "run_task", sometimes)
    shares: list[float] = []
    with pytest.raises(KeyboardInterrupt):
        _learner(checkpoint=tmp_path).fit(NOTES, progress=lambda stage, share: shares.append(share))
    assert shares == sorted(shares)
    monkeypatch.setattr(_crossfit, "run_task", real)
    ended = _learner(checkpoint=tmp_path).fit(NOTES)
    assert ended.files() == stacked.files()
    assert not [path for path in tmp_path.iterdir() if "partial" in path.name]


def test_a_combiner_serves_members_that_are_trained_on_more(
    stacked: Any, work: Path, tmp_path: Path
) -> None:
    save_artifact(tmp_path / "first", stacked.manifest, files=stacked.files())
    learner = _learner(checkpoint=work)

    def take(name: str, **changes: Any) -> EnsembleLearner:
        combiner = replace(learner.config.combiner, model=name)
        return replace(learner, config=replace(learner.config, combiner=combiner, **changes))

    more = [*NOTES, *make_notes(6, seed=5)]
    again: Any = take(str(tmp_path / "first")).fit(more)
    assert again.combiner.record() == stacked.combiner.record()
    assert again.manifest.metrics == stacked.manifest.metrics
    assert again.manifest.training_data["documents"] == 30
    assert "crossfit" not in again.manifest.training_data
    with pytest.raises(ConfigError, match=r"combines other members \(rules, crf, patterns\)"):
        take(str(tmp_path / "first"), members=learner.config.members[::-1]).fit(more)
    crf = next(m for m in stacked.members if m.name == "crf")
    save_artifact(tmp_path / "crf", crf.manifest, files=crf.detector.files())
    with pytest.raises(ConfigError, match="is no ensemble"):
        take(str(tmp_path / "crf")).fit(more)
    odd = [Document(f"odd-{n}", f"in Ghent 4{n}", (Span(3, 8, "STATE"),)) for n in range(8)]
    wider: Any = take(str(tmp_path / "first")).fit([*NOTES, *odd])
    assert wider.combiner.unknown == ("STATE",)
    assert "STATE" in wider.labels
    save_artifact(tmp_path / "wider", wider.manifest, files=wider.files())
    twin = load_model(tmp_path / "wider")
    assert twin.detect([*NOTES, *odd]) == wider.detect([*NOTES, *odd])


def test_members_that_fill_have_no_part_in_the_folds(stacked: Any, work: Path) -> None:
    learner = _learner(checkpoint=work)
    combiner = replace(learner.config.combiner, fill=("patterns",))
    config = replace(learner.config, combiner=combiner)
    assert [member.name for member in config.combined] == ["rules", "crf"]
    filled: Any = replace(learner, config=config).fit(NOTES)
    assert set(filled.manifest.metrics["crossfit"]["members"]) == {"rules", "crf"}
    assert filled.combiner.base.layout.members == ("rules", "crf")
    again = build_config(filled.manifest.config, origin="again")
    assert again == config


def test_processes_give_the_same(stacked: Any) -> None:
    assert _learner(jobs=2).fit(NOTES).files() == stacked.files()


def test_a_damaged_member_of_a_fold_is_refused_by_its_folder(stacked: Any, work: Path) -> None:
    contents = {path: path.read_bytes() for path in work.glob("crf-*/weights.npy")}
    try:
        for path, content in contents.items():
            path.write_bytes(content[: len(content) // 2])
        with pytest.raises(ArtifactError, match=r"delete .*crf-[0-9a-f]{16}: the work"):
            _learner(checkpoint=work).fit(NOTES)
    finally:
        for path, content in contents.items():
            path.write_bytes(content)


# Leaks


@dataclass(frozen=True)
class Memory:
    """Knows by heart the documents that it was trained on, and nothing else."""

    known: dict[str, tuple[Span, ...]]
    labels: tuple[str, ...]
    manifest: Manifest

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [self.known.get(document.text, ()) for document in documents]

    def files(self) -> dict[str, bytes]:
        return {}


@dataclass(frozen=True)
class MemoryConfig:
    name: str = "memory"
    kind: str = "memory"

    def table(self) -> dict[str, Any]:
        return {"name": self.name, "kind": self.kind}


@dataclass(frozen=True)
class MemoryLearner:
    config: Any
    language: str
    label_set: str = ""
    name: str = ""
    seen: Any = None

    def fit(
        self, documents: Sequence[Document], *, dev: Sequence[Document] = (), seed: int = 0,
        progress: Progress,
    ) -> Memory:  # fmt: skip
        manifest = Manifest(
            name=self.name, kind="regex", language="en", label_set="i2b2-2014", labels=LABELS,
            stores_words=True,
        )  # fmt: skip
        return Memory({d.text: d.spans for d in documents}, LABELS, manifest)


@pytest.fixture
def remember(monkeypatch: pytest.MonkeyPatch) -> Callable[[], EnsembleLearner]:
    """Return a maker of an ensemble of rules and of a member that memorises."""
    monkeypatch.setattr(
        learners, "LEARNERS", {**learners.LEARNERS, "memory": f"{__name__}:MemoryLearner"}
    )
    trained: dict[str, Any] = {}
    real = _crossfit._fit

    def fit(task: Any, state: Any, progress: Progress) -> Any:
        found = trained[task.place(Path())] = real(task, state, progress)
        return found

    def read(task: Any, work: Path) -> Any:
        return _crossfit.Member(task.member, trained[task.place(Path())], _manifest())

    def _manifest() -> Manifest:
        return Manifest(
            name="m", kind="memory", language="en", label_set="i2b2-2014", labels=LABELS,
            stores_words=True,
        )  # fmt: skip

    monkeypatch.setattr(_crossfit, "_fit", fit)
    monkeypatch.setattr("scrubjay.learning.ensemble.read_member", read)

    def make() -> EnsembleLearner:
        config = tiny_ensemble()
        rules, memory = config.members[0], replace(config.members[1], name="memory")
        members = (rules, replace(memory, config=MemoryConfig()))
        return EnsembleLearner(
            replace(config, members=members), language="en", label_set="i2b2-2014"
        )

    return make


def test_what_a_member_memorised_is_no_merit(remember: Callable[[], EnsembleLearner]) -> None:
    ensemble: Any = remember().fit(NOTES)
    figures = ensemble.manifest.metrics["crossfit"]["members"]
    assert figures["memory"] == {"precision": None, "recall": 0.0, "f1": 0.0}
    # The finished member knows the training documents by heart; the combiner knows no better.
    assert ensemble.members[1].detector.detect(NOTES) == [note.spans for note in NOTES]
    alone = {span for span, note in _sources(ensemble) if span.source.endswith(":memory")}
    both = {span for span, note in _sources(ensemble) if span.source.endswith(":rules+memory")}
    assert len(both) > len(alone)


def _sources(ensemble: Any) -> list[tuple[Span, Document]]:
    return [(s, n) for n, spans in zip(NOTES, ensemble.detect(NOTES), strict=True) for s in spans]


def test_copies_of_a_document_do_not_leak_into_other_folds(
    remember: Callable[[], EnsembleLearner],
) -> None:
    twice = NOTES + [replace(note, id=f"{note.id}-again") for note in NOTES]
    ensemble: Any = remember().fit(twice)
    assert ensemble.manifest.metrics["crossfit"]["members"]["memory"]["recall"] == 0.0


def test_swapped_copies_are_made_of_the_documents_of_a_training_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[set[str], set[str]]] = []
    real = learners.add_copies

    def watch(documents: Sequence[Document], copies: int, **settings: Any) -> list[Document]:
        made = real(documents, copies, **settings)
        seen.append(({d.id for d in documents}, {d.id for d in made}))
        return made

    monkeypatch.setattr(learners, "add_copies", watch)
    config = replace(tiny_ensemble("per-label"), members=tiny_ensemble().members[:1])
    learner = EnsembleLearner(config, language="en", label_set="i2b2-2014", swap_copies=1)
    learner.fit(NOTES)
    assert [len(ids) for ids, _ in seen] == [16, 16, 16, 24]
    for ids, made in seen:
        assert made == ids | {f"{name}~1" for name in ids}


def test_folds_stop_by_a_part_of_their_own_documents() -> None:
    table = tiny_table()
    table["members"]["rules"]["config"]["training"]["patience"] = 3
    config: Any = build_config(table, origin="tiny")
    learner = EnsembleLearner(config, language="en", label_set="i2b2-2014")
    folds = _folds(learner)
    dev = make_notes(5, seed=7)
    for task in learner._tasks(NOTES, folds, dev=dev, seed=0):
        held = folds.inside(task.fold, NOTES) if task.fold is not None else []
        train, stop, unseen = ({d.id for d in p} for p in (task.train, task.stop, held))
        assert train.isdisjoint(unseen)
        assert stop.isdisjoint(unseen)
        assert train.isdisjoint(stop)
        if task.fold is None:
            assert stop == {note.id for note in dev}
        else:
            assert bool(stop) == (task.member == "rules")
            assert train | stop | unseen == {note.id for note in NOTES}
    plain = learner._tasks(NOTES, folds, dev=(), seed=0)
    assert not any(task.stop for task in plain)
    assert [stops_by_dev(m.config) for m in config.members[:2] if m.config] == [True, False]


def _folds(learner: EnsembleLearner) -> Folds:
    return make_folds(NOTES, learner.config.crossfit)


# What is refused


def test_a_stacker_of_one_class_is_refused() -> None:
    table = tiny_table()
    del table["members"]["rules"], table["members"]["crf"]
    config: Any = build_config(table, origin="tiny")
    dates = [Document(f"{n}-1", f"on 3/{n + 1}/2019", (Span(3, 11, "DATE"),)) for n in range(9)]
    learner = EnsembleLearner(config, language="en", label_set="i2b2-2014")
    with pytest.raises(InputError, match="all 9 spans that the members propose are right"):
        learner.fit(dates)
    wrong = [replace(date, spans=(Span(0, 2, "DATE"),)) for date in dates]
    with pytest.raises(InputError, match="all 9 spans that the members propose are wrong"):
        learner.fit(wrong)
    silent = [replace(d, text="on a sunny day", spans=(Span(0, 2, "DATE"),)) for d in dates]
    silent = [replace(d, text=f"{d.text}{n * '.'}") for n, d in enumerate(silent)]
    with pytest.raises(InputError, match=r"the members propose no span.*method"):
        learner.fit(silent)


def test_what_cannot_be_trained_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no PHI"):
        _learner().fit([note.with_spans(()) for note in NOTES])
    with pytest.raises(ConfigError, match="'patterns' needs a label set"):
        EnsembleLearner(tiny_ensemble(), language="en").fit(NOTES)
    (tmp_path / "file").write_text("taken")
    with pytest.raises(OutputError, match="no folder can be made"):
        _learner(checkpoint=tmp_path / "file").fit(NOTES)


def test_own_patterns_join_a_model_that_is_ready(tmp_path: Path) -> None:
    """As docs/patterns.md tells it: nothing is learned, and one note with PHI is enough."""
    (tmp_path / "ours.toml").write_text(
        '[labels.i2b2-2014]\nbed = "ROOM"\n[[patterns]]\nname = "bed"\nkind = "bed"\n'
        "words = ['bed']\npattern = ' (?P<span>B12)'\nexamples = ['in bed {B12}']\n"
        "counter-examples = ['bed rest']\n"
    )
    for name, files in (("model", []), ("ours", [tmp_path / "ours.toml"])):
        save_regex_model(tmp_path / name, "en", label_set="i2b2-2014", extra_files=files)
    members = {name: {"model": str(tmp_path / name)} for name in ("model", "ours")}
    table = {"kind": "ensemble", "members": members, "combiner": {"method": "union"}}
    config: Any = build_config(table, origin="own")
    joined = EnsembleLearner(config, language="en", label_set="i2b2-2014").fit(NOTES[:1])
    text = "Seen by Dr. Roe in bed B12."
    (found,) = joined.detect([Document("d", text)])
    assert [(text[s.start : s.end], s.label) for s in found] == [("Roe", "DOCTOR"), ("B12", "ROOM")]


def test_a_trained_model_of_another_label_set_is_refused() -> None:
    table = tiny_table("union")
    table["members"]["other"] = {"model": "es"}
    config: Any = build_config(table, origin="tiny")
    learner = EnsembleLearner(config, language="en", label_set="i2b2-2014")
    with pytest.raises(ConfigError, match=r"'other' have different label sets.*'meddocan'"):
        learner.fit(NOTES)


def _pool_of(*tokenizers: dict[str, Any]) -> EnsembleLearner:
    """Return the learner of a pool of CRFs with these tokenizers."""
    table = tiny_table("pool", fill=["rules", "patterns"])
    crf = table["members"].pop("crf")["config"]
    for number, tokenizer in enumerate(tokenizers):
        table["members"][f"crf-{number}"] = {"config": crf | {"tokenizer": tokenizer}}
    config: Any = build_config(table, origin="tiny")
    return EnsembleLearner(config, language="en", label_set="i2b2-2014")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"name": "subword"}, {"name": "whitespace"}),
        ({"train-merges": 20}, {"train-merges": 5}),
    ],
)
def test_a_pool_of_two_tokenizers_is_refused_before_a_member_is_trained(
    monkeypatch: pytest.MonkeyPatch, one: dict[str, Any], other: dict[str, Any]
) -> None:
    monkeypatch.setattr("scrubjay.learning.ensemble.run_tasks", lambda *_, **__: pytest.fail("ran"))
    with pytest.raises(ConfigError, match="'crf-0' and 'crf-1' have different tokenizers"):
        _pool_of(one, other).fit(NOTES)


def test_a_pool_may_hold_one_configuration_twice(tmp_path: Path) -> None:
    merges = {"train-merges": 20}
    pool = replace(_pool_of(merges, merges), checkpoint=tmp_path).fit(NOTES[:8])
    assert [member.name for member in pool.members] == ["rules", "patterns", "crf-0", "crf-1"]
    assert len(list(tmp_path.iterdir())) == 2  # the rules, and one CRF


def test_what_other_learners_do_not_have_is_refused() -> None:
    crf: Any = tiny_ensemble().members[1].config
    with pytest.raises(ConfigError, match="--jobs"):
        make_learner(crf, language="en", jobs=2)


def test_only_some_ensembles_have_a_dial() -> None:
    assert has_dial(tiny_ensemble("svm"))
    assert has_dial(tiny_ensemble("union"))
    table = tiny_table("union")
    del table["members"]["crf"]
    assert not has_dial(build_config(table, origin="tiny"))


# The whole way


def test_a_trained_model_can_be_a_member_of_a_union(stacked: Any, tmp_path: Path) -> None:
    table: Any = {
        "kind": "ensemble",
        "members": {
            "crf": {"model": "en-fast", "member": "crf"}, "patterns": {"config": "patterns"}
        },
        "combiner": {"method": "union"},
    }  # fmt: skip
    config: Any = build_config(table, origin="fast")
    assert build_config(config.table(), origin="fast") == config
    detector = EnsembleLearner(config, language="en", label_set="i2b2-2014").fit(NOTES)
    crf = next(m.detector for m in load_model("en-fast").members if m.name == "crf")  # type: ignore[attr-defined]
    for both, alone in zip(detector.detect(NOTES), crf.detect(NOTES), strict=True):
        assert set(alone) <= set(both)
    table["members"]["crf"]["member"] = "blstm"
    config = build_config(table, origin="fast")
    with pytest.raises(ConfigError, match=r"'en-fast' has no member 'blstm'.*crf, patterns"):
        EnsembleLearner(config, language="en", label_set="i2b2-2014").fit(NOTES)


def test_one_command_trains_saves_and_turns_the_dial(tmp_path: Path) -> None:
    write_notes(NOTES, tmp_path / "train")
    write_notes(make_notes(10, seed=2), tmp_path / "dev")
    config = tmp_path / "both.toml"
    config.write_text(
        'kind = "ensemble"\n[members.patterns]\nconfig = "patterns"\n[members.rules]\n'
        'config = "rules.toml"\noverrides = { training.max-rules = 20 }\n'
        "[crossfit]\nfolds = 2\n"
    )
    (tmp_path / "rules.toml").write_text(TINY_RULES)
    options = ["--config", config, "--dev", tmp_path / "dev", "--min-recall", "0.9"]
    work = ["--checkpoint", tmp_path / "work", "--out", tmp_path / "model"]
    code = cli.run(["train", *map(str, [tmp_path / "train", *options, *work])])
    assert code == 0
    manifest = load_artifact(tmp_path / "model").manifest
    assert (manifest.kind, manifest.label_set) == ("ensemble", "i2b2-2014")
    detector: Any = load_model(tmp_path / "model")
    assert detector.dial == manifest.config["recall-dial"]
    assert (measure(detector, make_notes(10, seed=2)).recall or 0) >= 0.9
    assert (tmp_path / "work").is_dir()
    audit = audit_model(tmp_path / "model")
    assert audit.words
    assert audit.consistent


def test_training_refuses_a_dial_that_is_not_there(tmp_path: Path) -> None:
    config = tmp_path / "plain.toml"
    config.write_text(
        'kind = "ensemble"\n[members.p]\nconfig = "patterns"\n[combiner]\nmethod = "union"\n'
    )
    request = TrainingRequest(
        corpora=(tmp_path / "notes",), out=tmp_path / "m", config=str(config), language="en",
        min_recall=0.9,
    )  # fmt: skip
    with pytest.raises(ConfigError, match="no recall dial"):
        train_model(request, progress=lambda stage, share: None)
