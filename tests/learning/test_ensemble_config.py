"""The configuration of an ensemble as TOML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrubjay.errors import ConfigError
from scrubjay.learning.configs import build_config, find_config, parse_config
from scrubjay.learning.ensemble_config import METHODS, EnsembleConfig
from tests.tiny_crf import TINY
from tests.tiny_ensemble import tiny_ensemble, tiny_table

WHOLE = """
kind = "ensemble"
[members.rules]
config = "zhao2020-tbed"
[members.crf]
config = "zhao2020-crf"
weight = 2
[members.crf.overrides.training]
c1 = 0.5
[members.patterns]
config = "patterns"
files = ["own.toml"]
[combiner]
threshold = 0.25
[crossfit]
folds = 4
"""


def _parse(text: str) -> EnsembleConfig:
    config = parse_config(text, origin="some")
    assert isinstance(config, EnsembleConfig)
    return config


def test_a_configuration_names_its_members_in_order() -> None:
    config = _parse(WHOLE)
    assert [(m.name, m.kind, m.weight) for m in config.members] == [
        ("rules", "tbed", None), ("crf", "crf", 2.0), ("patterns", "regex", None),
    ]  # fmt: skip
    changed: Any = config.members[1].config
    plain: Any = find_config("zhao2020-crf")
    assert (changed.training.c1, changed.training.c2) == (0.5, plain.training.c2)
    assert config.members[2].files == ("own.toml",)
    assert (config.combiner.threshold, config.crossfit.folds) == (0.25, 4)
    assert (config.combiner.c_positive, config.combiner.c_negative) == (5.2, 12.48)
    assert config.combiner.gamma == 0.009


def test_a_list_of_members_is_as_good() -> None:
    listed = 'kind = "ensemble"\n[[members]]\nname = "crf"\nconfig = "zhao2020-crf"\n'
    named = 'kind = "ensemble"\n[members.crf]\nconfig = "zhao2020-crf"\n'
    assert _parse(listed) == _parse(named)


def test_members_may_stand_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(TINY)
    path = tmp_path / "both.toml"
    path.write_text('kind = "ensemble"\n[members.crf]\nconfig = "tiny.toml"\n')
    config = find_config(str(path))
    assert isinstance(config, EnsembleConfig)
    assert config.members[0].config is not None
    assert config.members[0].config.name == "tiny"


@pytest.mark.parametrize("text", [WHOLE, 'kind = "ensemble"\nmembers = [{name="a", model="es"}]\n'
                                  '[combiner]\nmethod = "union"\n'])  # fmt: skip
def test_the_table_of_a_configuration_leads_back_to_it(text: str) -> None:
    config = _parse(text)
    assert build_config(config.table(), origin="some") == config
    assert build_config(config.table(), origin="some").table() == config.table()


def test_a_pool_may_decode_marginals_and_nothing_else_may() -> None:
    text = 'kind = "ensemble"\n[members.a]\nconfig = "zhao2020-crf"\n[combiner]\n'
    config = _parse(text + 'method = "pool"\ndecode = "marginals"\n')
    assert build_config(config.table(), origin="some") == config
    with pytest.raises(ConfigError, match="'union' decodes nothing"):
        _parse(text + 'method = "union"\ndecode = "marginals"\n')
    with pytest.raises(ConfigError, match=r"unknown combiner\.decode 'best'"):
        _parse(text + 'method = "pool"\ndecode = "best"\n')


@pytest.mark.parametrize("method", METHODS)
def test_some_methods_learn_from_unseen_documents(method: str) -> None:
    fill = ["rules", "patterns"] if method == "pool" else []
    learns = tiny_ensemble(method, fill=fill).needs_crossfit
    assert learns == (method in ("svm", "weighted", "per-label"))


def test_given_weights_need_no_crossfitting() -> None:
    table = tiny_table("weighted")
    for member in table["members"].values():
        member["weight"] = 1.5
    config = build_config(table, origin="tiny")
    assert isinstance(config, EnsembleConfig)
    assert not config.needs_crossfit


def test_the_shipped_ensembles_are_sound() -> None:
    zhao, fast = find_config("zhao2020"), find_config("crf-patterns")
    assert isinstance(zhao, EnsembleConfig)
    assert isinstance(fast, EnsembleConfig)
    assert [member.kind for member in zhao.members] == ["tbed", "crf", "bilstm"]
    assert (zhao.needs_crossfit, fast.needs_crossfit) == (True, False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('kind = "ensemble"', "needs members"),
        ('kind = "ensemble"\nmembers = 3', "must be tables"),
        ('kind = "ensemble"\nmember = []', "'member'"),
        ('kind = "ensemble"\n[members.A]\nconfig = "patterns"', "the name 'A'"),
        ('kind = "ensemble"\n[members.a]', r"\[members.a\] needs either config or model"),
        ('kind = "ensemble"\n[members.a]\nconfig = "x"\nmodel = "y"', "either config or model"),
        ('kind = "ensemble"\n[members.a]\nconfig = "none-such"', r"\[members.a\].*'none-such'"),
        ('kind = "ensemble"\n[members.a]\nconfig = "zhao2020"', "the member is an ensemble"),
        ('kind = "ensemble"\n[members.a]\nmodel = "es"', "'a' is a trained model, and 'svm'"),
        (
            'kind = "ensemble"\n[members.a]\nconfig = "zhao2020-crf"\nfiles = ["x"]',
            "patterns alone",
        ),
        ('kind = "ensemble"\n[members.a]\nconfig = "patterns"\noverrides = {x=1}', "no settings"),
        ('kind = "ensemble"\n[members.a]\nconfig = "zhao2020-crf"\noverrides = {x=1}', "'x'"),
        ('kind = "ensemble"\n[members.a]\nconfig = "patterns"\nweight = -1', "weight must be"),
        ('kind = "ensemble"\n[members.a]\nconfig = "patterns"\ncolour = 1', "'colour'"),
        ('kind = "ensemble"\n[members.a]\nconfig = "patterns"\nmember = "x"', "member must be"),
        ('kind = "ensemble"\n[members.a]\nmodel = "en-fast"\nmember = 1', "member must be"),
        (WHOLE.replace("threshold = 0.25", "threshold = 1.0"), "threshold must be"),
        (WHOLE.replace("threshold = 0.25", 'threshold = "x"'), "threshold 'x'"),
        (WHOLE.replace("threshold = 0.25", 'method = "vote"'), "method 'vote'"),
        (WHOLE.replace("threshold = 0.25", 'method = "pool"'), r"'rules' has rules.*fill = "),
        (WHOLE.replace("threshold = 0.25", "gamma = 0"), "gamma must be"),
        (WHOLE.replace("threshold = 0.25", "rules = true"), "rules must be"),
        (WHOLE.replace("folds = 4", "folds = 1"), "folds must be"),
        (WHOLE.replace("folds = 4", 'by = "day"'), "by 'day'"),
        (
            'kind = "ensemble"\nmembers = [{name="a", config="patterns"}, '
            '{name="a", config="patterns"}]',
            "two members",
        ),
    ],
)  # fmt: skip
def test_what_is_not_sound_is_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        _parse(text)


def test_what_fills_is_a_member_and_not_all_of_them() -> None:
    with pytest.raises(ConfigError, match=r"'ruler', which is no member\. Members: rules"):
        _parse(WHOLE.replace("threshold = 0.25", 'fill = ["ruler"]'))
    with pytest.raises(ConfigError, match="at least one must be combined"):
        _parse(WHOLE.replace("threshold = 0.25", 'fill = ["rules", "crf", "patterns"]'))
    with pytest.raises(ConfigError, match="must be a list of members"):
        _parse(WHOLE.replace("threshold = 0.25", "fill = [1]"))


def test_a_file_that_names_itself_as_a_member_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "self.toml"
    path.write_text('kind = "ensemble"\n[members.b]\nconfig = "self.toml"\n')
    with pytest.raises(ConfigError, match="is an ensemble; name its members"):
        find_config(str(path))
