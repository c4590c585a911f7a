"""`scrubjay rules`: show, test, explain and replace the rules of a rule tagger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrubjay.cli._options import CorpusFormat, NewModel, Overwrite
from scrubjay.cli._output import print_json, show_table

if TYPE_CHECKING:
    from scrubjay.analysis.rules import RuleCount
    from scrubjay.document import Document
    from scrubjay.taggers.tbed import TbedDetector

app = typer.Typer()

ModelName = Annotated[
    str, typer.Argument(metavar="MODEL", help="A shipped model of the kind tbed, or its folder.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines instead of a table.")]
RuleFile = Annotated[
    Path | None, typer.Option("--rules", help="A rule file to take in place of the model's rules.")
]
Limit = Annotated[int | None, typer.Option(min=1, help="Show this many rules.")]


@app.command()
def show(model: ModelName, limit: Limit = None, as_json: AsJson = False) -> None:
    """List the rules with their counts on the training data, the largest gain first.

    With --json the rules come in their own order, as a rule file to edit.
    """
    detector = _load(model, None)
    rules = detector.tagger.model.rules
    if as_json:
        from scrubjay.taggers.rules import write_rules

        typer.echo(write_rules(rules[:limit]), nl=False)
        return
    ordered = sorted(enumerate(rules, 1), key=lambda entry: (-(entry[1].score or 0), entry[0]))
    rows = [
        (str(number), *map(_figure, (rule.score, rule.fixed, rule.broken)), str(rule))
        for number, rule in ordered[:limit]
    ]
    header = ("rule", "gain", "fixed", "broken", "text")
    show_table(f"Rules of {model}, by gain in training", header, rows)


@app.command("test")
def measure(
    model: ModelName,
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A labelled corpus.")],
    rules: RuleFile = None,
    format: CorpusFormat = "",
    limit: Limit = None,
    as_json: AsJson = False,
) -> None:
    """Count what each rule does on a labelled corpus: tags changed, made right, made wrong."""
    from scrubjay.analysis.rules import by_gain, count_rules
    from scrubjay.corpora import read_corpus

    detector = _load(model, rules)
    counts = count_rules(detector, read_corpus(corpus, format=format or None))
    ordered = by_gain(counts)[:limit]
    if as_json:
        for count in ordered:
            print_json(_count_record(count), indent=None)
        return
    rows = [
        (*map(str, (c.number, c.gain, c.fired, c.fixed, c.broken)), str(c.rule)) for c in ordered
    ]
    header = ("rule", "gain", "fired", "fixed", "broken", "text")
    show_table(f"Rules of {model} on a corpus, by gain", header, rows)
    idle = sum(not count.fired for count in counts)
    harmful = sum(count.gain < 0 for count in counts)
    typer.echo(f"{len(counts)} rules: {idle} never fired, {harmful} do more harm", err=True)


@app.command()
def explain(
    model: ModelName,
    texts: Annotated[
        str, typer.Argument(metavar="CORPUS", help="A file, a corpus, or - for standard input.")
    ],
    rules: RuleFile = None,
    format: Annotated[str, typer.Option(help="The format of the texts (auto-detected).")] = "",
    show_text: Annotated[
        bool,
        typer.Option("--show-text", help="Print words and rules too. They may be PHI."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Tell which rule gave which token which tag, in order, by offsets.

    The text of a rule holds words that stand where it fires, so rules go by their numbers unless
    --show-text is given.
    """
    from scrubjay.corpora import read_corpus
    from scrubjay.errors import InputError

    if texts != "-" and not Path(texts).exists():
        # What was typed may be a note itself: it is not repeated.
        raise InputError(
            "CORPUS is no file or folder", hint="Give a path, or - and the text on standard input"
        )
    detector = _load(model, rules)
    header = ["document", "step", "start", "end", "before", "after", "rule"]
    if show_text:
        header += ["token", "text"]
    rows: list[list[str]] = []
    for document in read_corpus(texts, format=format or None):
        for record in _explain(detector, document, show_text=show_text):
            if as_json:
                print_json(record, indent=None)
            rows.append([str(record[name]) for name in header])
    if not as_json:
        show_table("Changes of tags, in order", header, rows)


@app.command()
def replace(
    model: ModelName,
    rules: Annotated[Path, typer.Argument(metavar="RULES", help="An edited rule file.")],
    out: NewModel,
    overwrite: Overwrite = False,
) -> None:
    """Save a model with other rules, from a file that `rules show --json` wrote and you edited."""
    from dataclasses import replace as changed

    from scrubjay.artifacts import is_private, save_artifact
    from scrubjay.models import find_model

    detector = _load(model, rules)
    manifest = changed(detector.manifest, name=out.name)
    private = is_private(find_model(model))
    save_artifact(out, manifest, files=detector.files(), overwrite=overwrite, private=private)
    typer.echo(f"Saved {out} with {len(detector.tagger.model.rules)} rules", err=True)


@app.command()
def curve(model: ModelName, as_json: AsJson = False) -> None:
    """Print the learning curve: strict F1 on train and dev, and wrong tags, after each rule."""
    detector = _load(model, None)
    names = [name for name in ("train", "dev", "errors") if name in detector.curve]
    columns = [detector.curve[name] for name in names]
    rows = list(zip(*columns, strict=True))
    if as_json:
        for count, row in enumerate(rows):
            print_json({"rules": count, **dict(zip(names, row, strict=True))}, indent=None)
        return
    shown = [(str(count), *map(str, row)) for count, row in enumerate(rows)]
    show_table(f"Learning curve of {model}", ("rules", *names), shown)


def _load(model: str, rules: Path | None) -> TbedDetector:
    """Load a rule tagger; raises `ConfigError` for a model of another kind."""
    from scrubjay.errors import ConfigError
    from scrubjay.models import load_model
    from scrubjay.taggers.rules import read_rule_file
    from scrubjay.taggers.tbed import TbedDetector

    detector = load_model(model)
    if not isinstance(detector, TbedDetector):
        raise ConfigError(f"the model {model!r} has no rules", hint="Give one of the kind tbed")
    if rules is None:
        return detector
    return detector.with_rules(read_rule_file(rules, tags=detector.tagger.tag_names))


def _explain(
    detector: TbedDetector, document: Document, *, show_text: bool
) -> Iterator[dict[str, Any]]:
    """Yield one record for each change; the first are those of the initial annotator."""
    explanation = detector.explain(document.text)
    changes: list[tuple[int, int, str, str, int | str]] = [
        (start, end, "O", tag, "initial") for start, end, tag in explanation.initial
    ]
    changes += [(f.start, f.end, f.before, f.after, f.rule) for f in explanation.firings]
    known = detector.tagger.model.rules
    for step, (start, end, before, after, rule) in enumerate(changes, 1):
        record: dict[str, Any] = {
            "document": document.id,
            "step": step,
            "start": start,
            "end": end,
            "before": before,
            "after": after,
            "rule": rule,
        }
        if show_text:
            record["token"] = document.text[start:end]
            record["text"] = str(known[rule - 1]) if isinstance(rule, int) else ""
        yield record


def _count_record(count: RuleCount) -> dict[str, Any]:
    return {
        "number": count.number,
        "rule": str(count.rule),
        "gain": count.gain,
        "fired": count.fired,
        "fixed": count.fixed,
        "broken": count.broken,
    }


def _figure(value: int | None) -> str:
    return "-" if value is None else str(value)
