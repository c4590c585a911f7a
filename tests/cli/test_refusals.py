"""What a call is told that gives an option what it cannot take, or names no command."""

from __future__ import annotations

import pytest

from scrubjay.cli import main as cli
from scrubjay.cli._refusals import SYNONYMS, suggest_command

DEID = ["deid", "notes", "--out", "out"]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (
            [*DEID, "--workers", "two"],
            "'two' is not a whole number. Give a whole number in digits, such as 2. --workers: "
            "Work in so many processes; 1 is this one, 0 one a core.",
        ),
        ([*DEID, "--workers", "1.5"], "'1.5' is not a whole number."),
        ([*DEID, "--workers", "2" * 50 + "x"], "this is not a whole number."),
        ([*DEID, "--recall-dial", "x"], "'x' is not a number. Give a number in digits,"),
        (
            ["serve", "--port", "65536"],
            "'65536' is too great: the most is 65535. --port: The port;",
        ),
        (["models", "probe", "en", "--seed", "-1"], "'-1' is too small: the least is 0. --seed: "),
        ([*DEID, "--existing", "x"], "'x' is not one of 'replace', 'error'."),
    ],
)
def test_a_wrong_value_is_told_with_what_the_option_takes(
    call: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(call) == 2
    shown = capsys.readouterr().err
    assert f"Error: Invalid value for '{call[-2]}': {told}" in shown
    assert "Input should" not in shown


def test_other_words_lead_to_commands_that_there_are() -> None:
    words = [word for each in SYNONYMS.values() for word in each.split()]
    assert SYNONYMS.keys() <= cli.COMMANDS.keys()
    assert len(words) == len(set(words))
    assert not set(words) & cli.COMMANDS.keys()
    assert suggest_command("scrub", {"deid"}) == "deid"
    assert suggest_command("scrub", {"train"}) == suggest_command("xyzzy", cli.COMMANDS) == ""
