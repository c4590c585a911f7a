"""The configuration of a rule learner: its templates, its start and its stop, as readable TOML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, get_args

from scrubjay.errors import ConfigError, require_choice
from scrubjay.features.resources import expand_attributes
from scrubjay.features.templates import (
    SCOPES,
    SETTINGS,
    FeatureConfig,
    Template,
    require_known,
    require_table,
)
from scrubjay.learning.sections import (
    COMMON,
    read_common,
    read_section,
    write_common,
    write_section,
)
from scrubjay.taggers.rules import (
    TAG,
    Part,
    RuleTemplate,
    parse_rule_template,
    require_attribute,
)
from scrubjay.text.tokens import AlignmentMode

#: The initial-state annotators: patterns of the language, or `O` everywhere.
INITIAL = ("regex", "none")


@dataclass(frozen=True, slots=True)
class TbedTraining:
    """When the rule learner stops, and which rules it takes.

    A rule must gain at least `min_score` tags and have an accuracy, fixed / (fixed + broken), of
    at least `min_accuracy`. Learning ends where no rule does, or after `max_rules`. With
    `patience` above 0 and dev data it also ends once F1 on dev has not risen for that many
    rules, and the rules after the best one are dropped.
    """

    min_score: int = 2
    min_accuracy: float = 0.0
    max_rules: int = 2000
    patience: int = 0
    align: AlignmentMode = "expand"

    def __post_init__(self) -> None:
        if self.min_accuracy > 1:
            raise ConfigError(f"training.min-accuracy must be at most 1, not {self.min_accuracy!r}")
        require_choice("training.align", self.align, get_args(AlignmentMode))


@dataclass(frozen=True, slots=True)
class TemplateTable:
    """The rule templates of a configuration, in groups; `scope` is that of windows.

    `dictionary_documents` is the number of training documents in which a word must be PHI of a
    label to enter that label's dictionary.
    """

    groups: Mapping[str, tuple[RuleTemplate, ...]]
    scope: str = "document"
    dictionary_documents: int = 2

    def expand(self, *, language: str, labels: Sequence[str]) -> tuple[RuleTemplate, ...]:
        """Return every template once, in order, with `lexicon:*` and the like written out.

        Raises `ConfigError` for an attribute that the language does not have.
        """
        found: dict[RuleTemplate, None] = {}
        for templates in self.groups.values():
            for template in templates:
                choices = [_expand_part(part, language, labels) for part in template.parts]
                found.update(dict.fromkeys(map(RuleTemplate, product(*choices))))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class TbedConfig:
    """A rule system: tokenizer, tag scheme, initial annotator, templates, training."""

    name: str
    templates: TemplateTable
    scheme: str = "BIO"
    tokenizer: Mapping[str, Any] = field(default_factory=lambda: {"name": "subword"})
    initial: str = "regex"
    training: TbedTraining = field(default_factory=TbedTraining)
    citation: str = ""

    @property
    def kind(self) -> str:
        """The kind of model that is trained from it."""
        return "tbed"

    def table(self) -> dict[str, Any]:
        """Return the configuration as plain values, as manifests keep it."""
        return {
            **write_common(self),
            "initial": self.initial,
            "templates": {
                "scope": self.templates.scope,
                "dictionary-documents": self.templates.dictionary_documents,
                "groups": {
                    name: [str(template) for template in templates]
                    for name, templates in self.templates.groups.items()
                },
            },
            "training": write_section(self.training),
        }


def _expand_part(part: Part, language: str, labels: Sequence[str]) -> list[Part]:
    if part.attribute == TAG:
        return [part]
    one = FeatureConfig({"": (Template(((part.attribute, 0),)),)})
    found = expand_attributes(one, language=language, labels=labels).templates()
    return [Part(template.parts[0][0], part.first, part.last) for template in found]


def build_tbed_config(table: Mapping[str, Any], *, default_name: str) -> TbedConfig:
    """Build a configuration from its table; the errors do not name the file yet."""
    require_known(table, COMMON | {"initial", "templates", "training"}, where="the configuration")
    return TbedConfig(
        **read_common(table, default_name=default_name),
        templates=_read_templates(require_table(table.get("templates", {}), where="[templates]")),
        initial=require_choice("initial annotator", table.get("initial", "regex"), INITIAL),
        training=read_section(
            TbedTraining,
            table.get("training", {}),
            where="[training]",
            may_be_zero={"patience", "min_accuracy"},
        ),
    )


def _read_templates(table: Mapping[str, Any]) -> TemplateTable:
    require_known(table, SETTINGS, where="[templates]")
    groups = {
        name: tuple(_read_template(text, group=name) for text in _read_list(texts, group=name))
        for name, texts in require_table(table.get("groups", {}), where="templates.groups").items()
    }
    if not any(groups.values()):
        raise ConfigError("a rule learner needs at least one template")
    scope = require_choice("scope", table.get("scope", "document"), SCOPES)
    documents = table.get("dictionary-documents", 2)
    if type(documents) is not int or documents < 1:
        raise ConfigError("dictionary-documents must be a whole number of at least 1")
    return TemplateTable(groups, scope, documents)


def _read_list(texts: Any, *, group: str) -> list[str]:
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ConfigError(f"[templates.groups] {group} must be a list of strings")
    return texts


def _read_template(text: str, *, group: str) -> RuleTemplate:
    """Parse a template; raises `ConfigError` that names it for a feature that does not exist."""
    template = parse_rule_template(text)
    for part in template.parts:
        # Attributes with a colon wait for the language: `lexicon:*` names none yet.
        if ":" not in part.attribute:
            try:
                require_attribute(part.attribute)
            except ConfigError as error:
                raise ConfigError(
                    f"[templates.groups] {group}: {text!r}: {error.what}", hint=error.hint
                ) from None
    return template
