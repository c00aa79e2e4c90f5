"""British and American spellings are told from misspellings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.text.variants import american_spelling, is_variant

VARIANTS = """
colour color; behavioural behavioral; neighbourhood neighborhood; favourite favorite; savoury savory;
organise organize; organisations organizations; customised customized; analyse analyze; analysing analyzing;
centre center; centred centered; kilometre kilometer; theatres theaters; travelled traveled; counsellor counselor;
marvellous marvelous; labelled labeled; cancellation cancelation; catalogue catalog; dialogues dialogs;
defence defense; licence license; anaesthesia anesthesia; paediatric pediatric; encyclopaedia encyclopedia;
archaeology archeology; oestrogen estrogen; foetus fetus; anaemia anemia; manoeuvres maneuvers; programme program;
greyish grayish; aluminium aluminum; jewellery jewelry; mould mold; skilful skillful; fulfilment fulfillment;
enrolment enrollment; instalment installment; judgement judgment; ageing aging; learnt learned; spelt spelled;
towards toward; sceptical skeptical; haemoglobin hemoglobin; millilitres milliliters; demeanour demeanor;
epicentre epicenter; diarrhoea diarrhea
"""
NO_VARIANTS = """
advertise advertize; exercise exercize; supervised supervized; unsupervised unsupervized; surprise surprize;
four for; promising promizing; paradise paradize; otherwise otherwize; despise despize; bruise bruize;
cruise cruize; hour hor; prise prize; advice advise; device devise; practice practise; controlled controled;
called caled; there ther; more moer; devour devor; contour contor; filling filing; whole while; would wold;
hence hense; behaviour behaviors; acre acer; check cheque; story storey; pour por; basis basiz; parametre parameter;
diametre diameter; perimetre perimeter; capsise capsize; resised resized; tortoize tortoise; perillous perilous;
occurred occured; crisis crisiz; poison poizon
"""


def pairs(text: str) -> list[tuple[str, str]]:
    return [(old, new) for old, new in (pair.split() for pair in text.split(";"))]


@pytest.mark.parametrize(("british", "american"), pairs(VARIANTS))
def test_variants(british: str, american: str) -> None:
    assert american_spelling(british) == american
    assert is_variant(british, american) and is_variant(american, british)
    assert is_variant(british.capitalize(), american.capitalize()) and is_variant(f"the {british}", f"the {american}")
    assert not is_variant(british, american.capitalize())


@pytest.mark.parametrize(("right", "wrong"), pairs(NO_VARIANTS))
def test_what_is_wrong_everywhere_is_no_variant(right: str, wrong: str) -> None:
    assert not is_variant(right, wrong) and not is_variant(wrong, right)


@given(st.text("aeilmnorstuyz ", max_size=12))
def test_an_american_spelling_is_its_own(text: str) -> None:
    for word in text.split():
        assert american_spelling(american_spelling(word)) == american_spelling(word)
    assert not is_variant(text, text)
