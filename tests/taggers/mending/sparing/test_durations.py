"""Ages that are how long something was."""

from __future__ import annotations

import pytest

from scrubjay.corpora.inline import parse_inline
from scrubjay.taggers.mending import mend
from tests.oracles.mending import spare_durations


@pytest.mark.parametrize(
    ("marked", "kept"),
    [
        ("voor het eerst in <AGE>11 jaar</AGE>.", False),
        ("al <AGE>negen jaar</AGE> gevangen", False),
        ("herhaling <AGE>2 jr.</AGE> of", False),
        ("zij is <AGE>11 jaar</AGE>", True),
        ("bijna <AGE>80 jaar</AGE>", True),
        ("Man, <AGE>62 jr</AGE>", True),
        ("zelf <AGE>62</AGE>", True),
        ("is al <AGE>12 jaar</AGE> gescheiden", False),
        ("al <AGE>60 jaar</AGE> getrouwd", False),
        ("na <AGE>61 jaar</AGE> huwelijk", False),
        ("vanaf 25 tot <AGE>60 jaar</AGE> elk jaar", False),
        ("Enuresis tot <AGE>8 jr</AGE>.", True),
        ("zij is al <AGE>12 jaar</AGE>.", True),
        ("Mevrouw is al <AGE>85 jaar</AGE> geworden", True),
        ("controle <AGE>67 jaar</AGE>", True),
        ("werkte tot <AGE>67 jaar</AGE>", True),
        ("contact <AGE>25 jaar</AGE> oude vrouw", True),
        ("haar zoon is vandaag <AGE>6jr</AGE> dood.", False),
        ("en <AGE>20j</AGE> bij Dow gezeten", False),
        ("Alfons is nu <AGE>elf jaar</AGE> ziek.", False),
        ("Aswoensdag <AGE>11 jaar</AGE> terug. Nooit", False),
        ("wel waterpijp <AGE>30 jr</AGE>.", False),
        ("surveillance <AGE>3 jaar</AGE>.", False),
        ("erectieprobleem <AGE>1 jr</AGE>, bespreken", False),
        ("mijnwerker, <AGE>45 py</AGE>, gestopt", False),
        ("taal op <AGE>3;2</AGE> (Reynell)", False),
        ("Pelle was toen <AGE>7;4</AGE>. Hij", True),
        ("taal: Emir (<AGE>2;9</AGE>) komt", True),
        ("is <AGE>82 jaar</AGE> ziek geworden", True),
        ("man, <AGE>45 jaar</AGE> terug van OK", True),
        ("Joop en Joke, <AGE>43 jaar</AGE> getrouwd, komen", False),
        ("man, <AGE>43 jaar</AGE> getrouwd, 2 kinderen", True),
        ("Marit <AGE>12 jaar</AGE> in dienst op 22 nov", False),
        ("vrouw <AGE>52 jaar</AGE> in dienst bij", True),
        ("onverstaanbaar, <AGE>2 jaar</AGE> achter op taal", False),
        ("jongen, <AGE>9 jaar</AGE> achter in de auto", True),
        ("verloskundige, <AGE>40+1</AGE>, geen", False),
        ("geboren <AGE>38+5</AGE>, via sectio", False),
        ("leeftijd <AGE>50+</AGE>", True),
        ("nieuwe besteld (€ <AGE>79</AGE>, akkoord)", False),
        ("drinkt 40 ml i.p.v. <AGE>100</AGE>. Vader", False),
        ("spoed bij < <AGE>90</AGE>. Dochter", False),
        ("bij > <AGE>70</AGE> jaar", True),
        ("bellen bij < <AGE>92</AGE>.", False),
        ("streven RR <<AGE>80</AGE>.", False),
        ("zij is > <AGE>90</AGE> en woont alleen", True),
        ("Zoon < <AGE>40</AGE> belt", True),
        ("dochter ≥ <AGE>70</AGE>, partner", True),
        ("leeftijd > <AGE>89</AGE>", True),
        ("pt > <AGE>90</AGE>, opname", True),
        ("hij ><AGE>90</AGE>", True),
        ("alleen indien > <AGE>90</AGE>", True),
        ("mw. > <AGE>95</AGE>", True),
        ("dhr > <AGE>95</AGE>", True),
        ("Patiënte was <<AGE>18</AGE>.", True),
        ("> <AGE>90</AGE>", True),
        ("rijbewijs ipv <AGE>70</AGE>-jarige", True),
        ("man, <AGE>45 jaar</AGE>, terug van OK", True),
        ("mw <AGE>56 jaar</AGE> bekend met", True),
        ("<AGE>20j</AGE> bij Dow aan het werk", True),
        ("heeft waterpijp, <AGE>30 jr</AGE>", True),
    ],
)
def test_how_long_something_was_is_no_age(marked: str, kept: bool) -> None:
    document = parse_inline(marked)
    assert list(spare_durations(document.text, document.spans)) == (
        list(document.spans) if kept else []
    )
    assert mend(document.text, document.spans, "en") == document.spans


@pytest.mark.parametrize(
    ("marked", "kept"),
    [
        ("opgegroeid in een gezin van <AGE>elf</AGE>, vroeg", False),
        ("oudste van <AGE>zes</AGE>, vader", False),
        ("familie was met zijn <AGE>vijven</AGE>. Ik", False),
        ("bladzijde 41 tot en met <AGE>56</AGE>).", False),
        ("map 4, blz. <AGE>12</AGE>.", False),
        ("dochter van <AGE>12</AGE>, belt", True),
        ("dochter van <AGE>twaalf</AGE>, belt", True),
        ("zoon van <AGE>twaalf</AGE> jaar", True),
        ("oudste van <AGE>6</AGE> jaar", True),
        ("man van <AGE>elf</AGE>", True),
        ("is nu, met zijn <AGE>74</AGE>, eigen baas", True),
        ("is nu <AGE>elf</AGE>, bladzijde", True),
        ("met <AGE>elf</AGE> begonnen", True),
        ("kwam <AGE>71</AGE> van de 78 dagdelen", False),
        ("<AGE>46</AGE> endo elders", False),
        ("(9), <AGE>1</AGE> overleden kindje", False),
        ("op het <AGE>97e</AGE> percentiel", False),
        ("percentiel voor aandacht en <AGE>84e</AGE> voor impulsen", False),
        ("kwam, <AGE>71</AGE>, van de trap", True),
        ("mw Jansen, <AGE>46</AGE> endo elders", True),
        ("<AGE>46</AGE>, endo", True),
        ("<AGE>49</AGE> endo", True),
        ("Jan, <AGE>8</AGE> overleden kindje", True),
        ("haar <AGE>84e</AGE> verjaardag", True),
        ("tot haar <AGE>97e</AGE> thuis", True),
    ],
)
def test_how_many_there_are_is_no_age(marked: str, kept: bool) -> None:
    document = parse_inline(marked)
    assert list(spare_durations(document.text, document.spans)) == (
        list(document.spans) if kept else []
    )
    assert mend(document.text, document.spans, "nl") == (document.spans if kept else ())
    assert mend(document.text, document.spans, "en") == document.spans
