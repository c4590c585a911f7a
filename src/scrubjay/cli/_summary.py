"""What `deid` and `annotate` show on the screen when a run has ended: never a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from scrubjay.batch.outcome import SHORT_NAME
from scrubjay.errors import counted

if TYPE_CHECKING:
    from rich.table import Table

    from scrubjay.batch.summary import RunSummary

NOTHING = "the input holds no document"
SHOWN_FAILURES = 20
SHOWN_FILES = 5
SHOWN_COLUMNS = 10
SHOWN_IDS = 5
_NOT_SOUGHT = {"short": "too short to tell", "allowed": "on the allow-list"}


def show_summary(summary: RunSummary) -> None:
    """Show on standard error what a run found, what it wrote, and what it did not."""
    from rich.console import Console

    from scrubjay.batch.reasons import explain

    console = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.print(_table(summary))
    told = (_counts, _read, _left_out, _coded, _proof, _short, _unsearched, _usual)
    for line in (line for tell in told for line in tell(summary)):
        console.print(line)
    warnings = (
        _nothing,
        _slight,
        _unlinked,
        _ids,
        _columns,
        _dates,
        _apart,
        _passed,
        _others,
        _languages,
    )
    for warn in warnings:
        for line in warn(summary):
            console.print(line, style="yellow")
    for failure in summary.failures[:SHOWN_FAILURES]:
        name = summary.failure_names.get(failure.id)
        which = f"{failure.id!r}, {name}" if name else repr(failure.id)
        console.print(f"failed: {which} ({failure.stage}: {failure.code})", style="red")
    if len(summary.failures) > SHOWN_FAILURES:
        console.print(f"... and {len(summary.failures) - SHOWN_FAILURES:,} more, see the summary")
    for line in explain(summary.failures):
        console.print(line)


def tell_place(output: str, *, written: int) -> str:
    """Return where a run has written, "-" being standard output, or that it wrote no document."""
    if not written:
        return "no document was written"
    return f"written to {'standard output' if output == '-' else output}"


def _table(summary: RunSummary) -> Table:
    from rich.table import Table

    table = Table("label", "spans", title=f"{summary.command}, model {summary.model}")
    table.columns[1].justify = "right"
    for label, count in summary.labels.items():
        table.add_row(label, f"{count:,}")
    table.add_section()
    table.add_row("all", f"{sum(summary.labels.values()):,}")
    return table


def _counts(summary: RunSummary) -> Iterator[str]:
    """Yield how much was done, in which time, and where it lies."""
    rate = summary.to_json()["documents_per_second"] or 0
    failed = len(summary.failures)
    yield (
        f"{counted(summary.documents, 'document')}, {failed:,} failed; "
        f"{counted(summary.characters, 'character')} in {summary.seconds:.2f} s "
        f"({_per_second(rate)}{_startup(summary)}); "
        f"{tell_place(summary.output, written=summary.documents - failed)}"
    )
    if summary.resumed:
        new = summary.documents - summary.resumed
        yield (
            f"resumed: {counted(summary.resumed, 'document')} came from the interrupted run, "
            f"{new:,} {'is' if new == 1 else 'are'} new; the rate is that of the new ones"
        )


def _per_second(rate: float) -> str:
    """Return what a second has given; of few documents with a tenth, which is more than none."""
    return f"{rate:,.{int(rate < 10)}f} documents/s"


def _startup(summary: RunSummary) -> str:
    """Return how long it took before the first document was read, where that is known."""
    seconds = summary.startup_seconds
    return "" if seconds is None else f", after {seconds:.1f} s to start"


def _read(summary: RunSummary) -> Iterator[str]:
    """Yield which columns or keys were read, and what separates them, if there were any."""
    if (columns := summary.to_json()["columns"]) is None:
        return
    told = [
        f"{what} from {', '.join(map(repr, columns[what]))}"
        for what in ("text", "id", "patient")
        if columns[what]
    ]
    marks = " and ".join("a tab" if mark == "\t" else repr(mark) for mark in columns["delimiter"])
    yield f"read: {', '.join(told)}" + (f"; separated by {marks}" if marks else "")


def _left_out(summary: RunSummary) -> Iterator[str]:
    """Yield which columns are not in the output, and how they would be, if there are any."""
    columns = summary.columns or {}
    names, others = columns.get("left_out", ()), columns.get("left_out_others", 0)
    if not names and not others:
        return
    told = [", ".join(map(repr, names[:SHOWN_COLUMNS]))] if names else []
    if more := others + len(names[SHOWN_COLUMNS:]):
        told.append(f"{counted(more, 'other' if names else 'column')}")
    yield (
        f"left out, not in the output: {' and '.join(told)}; --keep-column NAME copies one as it "
        "is, not searched, --code-column NAME writes a code for each value"
    )


def _unlinked(summary: RunSummary) -> Iterator[str]:
    """Yield a warning where rows of an output hold their text alone, and others were left out."""
    columns = summary.columns or {}
    left = columns.get("left_out", ()) or columns.get("left_out_others", 0)
    beside = summary.facts.get("keep_columns") or summary.facts.get("code_columns")
    if left and columns.get("rows", 0) > 1 and not (summary.with_ids or beside):
        yield (
            "warning: the rows of the output hold their text alone, so that nothing tells which "
            "note or patient each is of. Give --id-column NAME, and --keep-column NAME or "
            "--code-column NAME (a code by the key) for each column that is to stay"
        )


def _coded(summary: RunSummary) -> Iterator[str]:
    """Yield which columns and ids are codes in the output, if any are."""
    kinds = summary.facts.get("code_columns") or {}
    told = [f"{name!r}" + (f" ({kind})" if kind != name else "") for name, kind in kinds.items()]
    told += ["the ids of documents"] if summary.facts.get("code_ids") else []
    if told:
        yield f"written as codes, made by the key: {', '.join(told)}"


def _proof(summary: RunSummary) -> Iterator[str]:
    """Yield what was proved, if a document was written of which anything could be."""
    proof = summary.to_json()["proof"]
    if proof is None or not proof["documents"]:
        return
    made = {name: count for name, count in proof["exceptions"].items() if count}
    alike = [
        f"{what}: {count:,}"
        for what, count in (
            ("alike by chance", made.pop("chance", 0)),
            ("part of a clinical term", made.pop("term", 0)),
        )
        if count
    ]
    stay = made.pop("kept", 0)
    apart = [
        counted(count, "everyday word")
        if name == "common"
        else f"{count:,} {_NOT_SOUGHT.get(name, name)}"
        for name, count in made.items()
    ]
    yield (
        f"proved: in {counted(proof['documents'], 'document')} all that was found is replaced"
        + (f", but for {counted(stay, 'mention')} that {_kept(summary)}" if stay else "")
        + f"; of {counted(proof['searched'], 'mention')} no copy is left elsewhere in the text"
        + (f" ({', '.join(alike)})" if alike else "")
        + (
            f"; of others no copy was looked for, as it may stand there by right: "
            f"{', '.join(apart)}"
            if apart
            else ""
        )
        + ". Of PHI that was not found this tells nothing"
    )


def _kept(summary: RunSummary) -> str:
    """Return by which labels the policy keeps mentions, and how to have them listed."""
    labels = (summary.kept_labels or {}).items()
    told = ", ".join(f"{count:,} {label}" for label, count in sorted(labels, key=lambda x: -x[1]))
    listed = summary.facts.get("list_kept", True)
    hint = "" if listed else "--list-kept FILE tells where"
    beside = "; ".join(filter(None, (told, hint)))
    return "the policy keeps" + (f" ({beside})" if beside else "")


def _short(summary: RunSummary) -> Iterator[str]:
    """Yield in which documents names stand that are too short to be looked for, if any do."""
    if count := (summary.proof or {}).get(SHORT_NAME, 0):
        stand = "a name of two or three letters" if count == 1 else "names of two or three letters"
        where = _first_ids(summary.short_names, count)
        was = "was" if count == 1 else "were"
        yield (
            f"look at {counted(count, 'document')}{where}: {stand} that {was} "
            "replaced elsewhere may still stand there, or it is another word of the same letters"
        )


def _unsearched(summary: RunSummary) -> Iterator[str]:
    """Yield what stands in the output beside the texts and was not searched, if there is any."""
    if summary.proof is None or summary.documents == len(summary.failures):
        return
    if kept := ", ".join(map(repr, summary.facts.get("keep_columns", ()))):
        ids = "; nor were the ids of documents" if summary.with_ids else ""
        yield (
            f"columns kept as they were, not searched: {kept}{ids}. A single name of two or three "
            "letters in them is not warned of"
        )
    elif summary.with_ids:
        yield "ids of documents stand as they were, not searched"
    if summary.ids_stay:
        yield (
            "warning: the ids and references of the resources stand as they were (--fhir-ids "
            "keep): often they are numbers of patients"
        )


def _nothing(summary: RunSummary) -> Iterator[str]:
    """Yield a warning where the input held no text: it may not be the one that was meant."""
    if not summary.documents:
        yield f"warning: {NOTHING}"
    elif not summary.characters and not summary.failures:
        whole = summary.output == "-"
        yield f"warning: {'standard input held no text' if whole else 'no document holds any text'}"


def _slight(summary: RunSummary) -> Iterator[str]:
    """Yield a warning where nearly all rows have hardly a text: it may be the wrong column."""
    if (count := summary.slight) and summary.columns is not None:
        names = " or ".join(map(repr, summary.columns["text"]))
        yield (
            f"warning: {count:,} of {counted(summary.columns['rows'], 'text')} are empty, numbers, "
            f"or a word or two: does {names} hold the notes? Name another with --text-column"
        )


def _ids(summary: RunSummary) -> Iterator[str]:
    """Yield a warning where ids or names of files tell what was found, if any do."""
    if not (count := summary.telling_ids):
        return
    whose, stand = ("the id or file name of 1 document holds", "stands") if count == 1 else (
        f"the ids or file names of {count:,} documents hold", "stand"
    )  # fmt: skip
    yield (
        f"warning: {whose} words of what was found in the text, and {stand} in the output as it "
        "was: rename such files, give another column as the id, or have codes with --code-ids"
    )


def _columns(summary: RunSummary) -> Iterator[str]:
    """Yield a warning where values of kept columns tell what was found, if any do."""
    if not (counts := summary.telling_columns):
        return
    told = ", ".join(f"{name!r} in {counted(count, 'row')}" for name, count in counts.items())
    yield (
        "warning: values of kept columns hold words of what was found in the text of their row, "
        f"and stand in the output as they were: {told}; leave such columns out, or have them "
        "searched, too, with --text-column"
    )


def _dates(summary: RunSummary) -> Iterator[str]:
    """Yield a warning where dates were shifted that may be read either way, if any were.

    Only English has such: in the tables of other languages the day always comes first. Where most
    of the other documents tell an order, they were read by it, which `_usual` says.
    """
    orders = summary.date_orders or {}
    count = orders.get("open", 0)
    if not count or _usual_order(summary):
        return
    told = _tellings(orders)
    where = _first_ids(summary.open_dates, count)
    others = f"; of the others {told} first" if told else ""
    yield (
        f"warning: nothing tells what dates such as 3/4/2012 are in {counted(count, 'document')}"
        f"{where}: they were shifted as month and day{others}. Say it with --date-order mdy, or "
        "dmy where the day comes first"
    )


def _usual(summary: RunSummary) -> Iterator[str]:
    """Yield as what dates were read that may be read either way, where others told that."""
    count = (summary.date_orders or {}).get("open", 0)
    if not count or not (usual := _usual_order(summary)):
        return
    look = summary.facts["date_look"]
    read = "day and month" if usual == "dmy" else "month and day"
    yield (
        f"dates such as 3/4/2012 were read as {read} in {counted(count, 'document')} of which "
        f"nothing else tells it: of {counted(look['looked'], 'document')} looked at before the run "
        f"{_tellings(look)} first"
    )


def _usual_order(summary: RunSummary) -> str:
    """Return the order that was taken for documents which do not tell theirs, "" if none was."""
    return str((summary.facts.get("date_look") or {}).get("usual") or "")


def _tellings(orders: Mapping[str, int]) -> str:
    """Return how many documents put the day first, and how many the month, if any do."""
    return " and ".join(
        f"{orders[order]:,} {'puts' if orders[order] == 1 else 'put'} the {which}"
        for order, which in (("dmy", "day"), ("mdy", "month"))
        if orders.get(order)
    )


def _apart(summary: RunSummary) -> Iterator[str]:
    """Yield a warning where documents of a patient do not follow each other, if any do not."""
    if count := summary.patients_apart:
        are = "1 document does not follow" if count == 1 else f"{count:,} documents do not follow"
        if summary.facts.get("gather_patients"):
            advice = (
                "--gather-patients brings those of one file together: put all of a patient into one"
            )
        else:
            advice = "Sort the input by patient, or give files, no stream, and --gather-patients"
            advice += " (but for HL7 and FHIR)"
        yield (
            f"warning: {are} the others of their patient: what is found in the one is not looked "
            f"for in the others, and a name alone may get another surrogate in each. {advice}"
        )


def _passed(summary: RunSummary) -> Iterator[str]:
    """Yield which files nobody may take for de-identified, if there are any."""
    from scrubjay.corpora.passed import advise_passed

    if not (count := summary.passed_over):
        return
    names = ", ".join(map(repr, summary.passed_names[:SHOWN_FILES]))
    more = f" and {count - SHOWN_FILES:,} more" if count > SHOWN_FILES else ""
    advice = f". {told}" if (told := advise_passed(summary.passed_names)) else ""
    which = ("of another kind was", "in it") if count == 1 else ("of other kinds were", "in them")
    yield (
        f"warning: {counted(count, 'file')} {which[0]} not read; PHI {which[1]} was neither found "
        f"nor removed: {names}{more}{advice}"
    )


def _others(summary: RunSummary) -> Iterator[str]:
    """Yield how many files of the output folder are not of this run, if there are any."""
    if count := summary.other_files:
        was = "was" if count == 1 else "were"
        there = f"{counted(count, 'other file')} {was} in the output folder already"
        yield f"{there} and {was} not touched"


def _languages(summary: RunSummary) -> Iterator[str]:
    """Yield a warning where documents look to be in another language than the model's.

    A note, where they are few. Where not all look so, their ids are told, since a model of their
    language must not read the others. Where most documents do not tell their language by
    themselves, and few others look strange, the first ones are looked at together.
    """
    from scrubjay.cli._languages import advise, advise_alone, describe_beginning
    from scrubjay.text.languages import NAMES

    if strange := summary.strange:
        whole = summary.strange_whole
        most = sorted(strange.items(), key=lambda each: (-each[1], each[0]))
        looks = "looks" if most[0][1] == 1 else "look"
        told = f"{most[0][1]:,} {looks} to be in " + ", ".join(
            ("" if code == most[0][0] else f"{count:,} in ")
            + NAMES[code]
            + ("" if whole else _some_ids(summary, code))
            for code, count in most
        )
        if untold := summary.untold:
            tells = "tells" if untold == 1 else "tell"
            told += f", and {untold:,} {tells} no language"
        count = sum(strange.values())
        advice = advise([whole]) if whole else advise_alone(strange, count=count)
        its = "its" if count == 1 else "their"
        meaning = (
            f"{'It' if count == 1 else 'They'} failed, as --strict-language has it"
            if summary.facts.get("strict_language")
            else f"Most of {its} PHI may have been missed"
        )
        yield (
            f"{'warning' if summary.much_is_strange else 'note'}: the model reads "
            f"{NAMES[summary.language]}; of {counted(summary.documents, 'document')} {told}. "
            f"{meaning}. {advice}"
        )
    elif summary.facts.get("strict_language") and (untold := summary.untold):
        yield (
            f"note: of {counted(summary.documents, 'document')} {untold:,} "
            f"{'tells' if untold == 1 else 'tell'} no language, so that --strict-language let "
            f"{'it' if untold == 1 else 'them'} through"
        )
    if (
        not summary.much_is_strange
        and 2 * summary.untold > summary.documents
        and (told := describe_beginning(summary.first_language, language=summary.language))
    ):
        yield told
    if summary.exit_code and not summary.failures:
        yield (
            "note: the exit code is 1, since most documents look to be in another language than "
            "the model's"
        )


def _some_ids(summary: RunSummary, language: str) -> str:
    """Return the ids of some documents in another language, in brackets; "" where none is known."""
    return _first_ids(summary.strange_ids.get(language, ()), summary.strange[language])


def _first_ids(ids: Sequence[str], count: int) -> str:
    """Return the first ids of so many documents, in brackets; "" where none is known."""
    if not ids:
        return ""
    told = ", ".join(map(repr, ids[:SHOWN_IDS]))
    more = count - SHOWN_IDS
    return f" ({told} and {more:,} more, see the summary)" if more > 0 else f" ({told})"
