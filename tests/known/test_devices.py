"""Devices, operations and signs by what is done with them are no persons; who acts still is."""

from __future__ import annotations

import pytest

from scrubjay.known.eponyms import is_eponym


def is_thing(marked: str, language: str = "en") -> bool:
    """Tell whether what is marked is an eponym, with nothing else found in the text."""
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    return is_eponym(text, start, end, language, outside=())


@pytest.mark.parametrize(
    "text",
    [
        "He has a [Foley] in place",
        "has a [Foley], urine clear",
        "[Foley] to gravity",
        "[Foley] removed at 0600",
        "[Foley] removed.",
        "[Foley] patent, UOP 40",
        "[Foley] draining clear urine",
        "Pull [Foley] at midnight",
        "remove [Foley] POD 2",
        "16 Fr [Foley] in",
        "No [Foley], no lines",
        "catheterised with a [Foley] after her hip",
        "his [Foley] came out",
        "[Broviac] flushed easily",
        "tunneled [Hickman] placed",
        "19 Fr [Blake] in place",
        "[Malecot] drained 20",
        "[Blake] to bulb",
        "R [Penrose] to gravity",
        "[Blake] to bulb suction",
        "s/p [Whipple] 3 wks ago",
        "s/p [Nissen].",
        "s/p [Hartmann]'s, stoma pink",
        "has had a [Whipple]. He is well",
        "h/o [Billroth] II",
        "[Hartmann] takedown next month",
        "[Hartmann]'s pouch",
        "lap [Nissen] in the past",
        "underwent [Whipple] for a mass",
        "[Nissen] wrap intact",
        "abd: RUQ tender, + [Murphy].",
        "RUQ TTP, neg [Murphy]'s, no guarding",
        "hips: [Barlow] exam, neg [Ortolani].",
    ],
)
def test_what_is_done_with_things_names_nobody(text: str) -> None:
    first = text.rindex("[")
    assert is_thing(text[:first].replace("[", "").replace("]", "") + text[first:])


@pytest.mark.parametrize(
    "text",
    [
        "[Foley] removed his IV",
        "[Foley] removed from the list",
        "[Foley] removed by security",
        "[Foley] removed by RN at 0600",
        "[Foley] placed by DSS",
        "[Foley] discontinued on his own",
        "[Foley] exchange student",
        "[Blake] pulled on his IV tubing",
        "[Blake] removed by security",
        "[Blake] placed by DSS",
        "[Blake] changed by RN",
        "[Blake] bag packed",
        "[Blake] draining his own JP",
        "[Blake] flushed easily",
        "[Blake] to suction her at 3",
        "[Blake] to bag his clothes",
        "has a [Blake] in bed 4",
        "[Quinton] removed by CPS",
        "[Quinton] changed by dad",
        "his [Quinton] is home",
        "pull [Quinton] at midnight",
        "[Swan] numbers: 555",
        "[Swan] site visit",
        "[Hickman] removed.",
        "s/p [Norwood]",
        "s/p [Norwood], stable",
        "h/o [Ross].",
        "R hand, 3 cm thenar. [Foley] irrigated, 5 x 4-0 nylon",
        "[Foley] inserted a chest tube",
        "we call her [Foley] on the unit",
        "the queen was a [Foley].",
        "the [Foley], who said grace",
        "TWIN A [Foley]",
        "24F [Foley] in bed 3",
        "ordered via [Foley].",
        "without [Foley], at his request",
        "F no [Foley], absent",
        "RUQ US neg. -[Murphy]",
        "one of them is a [Whipple].",
        "[Foley] inserted under US",
        "[Foley] clamped the cord",
        "[Foley] flushed with NS",
        "[Foley] pulled his IV",
        "[Foley] in place of Smith tonight",
        "[Foley] flushed and diaphoretic",
        "[Foley] out of bed",
        "[Foley] is draining his bag",
        "[Foley] said he is fine",
        "[Foley] placed in room 4",
        "[Foley] placed on tele",
        "d/c [Foley] home",
        "d/c [Foley]",
        "per [Foley], hold lasix",
        "seen with [Foley] at bedside",
        "the [Foley] family",
        "a [Foley] relative called",
        "Mr. [Foley] in place",
        "Mr [Foley] removed by security",
        "Dr. [Foley] to gravity lab",
        "Ann [Foley] removed.",
        "R [Hickman] in room",
        "[Hickman] to see",
        "[Hickman] clamped down on the tube",
        "[Swan] in bed 4",
        "no [Foley] on my list",
        "pull [Foley] up in bed",
        "remove [Foley] from census",
        "s/p [Whipple] visit",
        "s/p Dr. [Whipple]",
        "POD 3 [Whipple], stable",
        "after [Whipple] left",
        "[Whipple] will follow up",
        "[Whipple] seen by surgery",
        "[Nissen] called",
        "[Ross] repair of hernia",
        "the [Ross] Clinic",
        "+ [Murphy] at bedside",
        "COVID neg [Murphy].",
        "neg [Murphy] to go home",
        "Sister [Murphy], neg",
    ],
)
def test_who_acts_is_a_person(text: str) -> None:
    assert not is_thing(text)


def test_it_is_asked_of_english_alone() -> None:
    assert not is_thing("[Foley] to gravity", "nl")
