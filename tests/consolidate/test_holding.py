from __future__ import annotations

import pytest

from reverie.consolidate.holding import holds
from tests.spoken import english, neither, turkish


@pytest.mark.req("D33")
@pytest.mark.parametrize(
    ("whole", "part"),
    [
        *english(
            ("Tom lives in Stavanger. Tom married Kari in 2019.", "Tom married Kari in 2019."),
            (
                "Tom lives in Stavanger. Tom has a boat called Sula.",
                "Tom has a boat called Sula.\nTom lives in Stavanger",
            ),
            ("Ada waters the roses and the lemon tree.", "Ada waters the roses."),
        ),
        *turkish(
            ("Tolga Bursa'da yaşıyor. Tolga 2019'da Zeynep'le evlendi.", "Tolga 2019'da Zeynep'le evlendi."),
            (
                "Tolga Bursa'da yaşıyor. Tolga'nın Martı adında bir teknesi var.",
                "Tolga'nın Martı adında bir teknesi var.\nTolga Bursa'da yaşıyor",
            ),
            ("Ada gülleri ve limon ağacını suluyor.", "Ada gülleri suluyor."),
        ),
    ],
)
def test_what_a_text_says_it_holds(whole: str, part: str) -> None:
    """Every sentence of the one by all of its words, wherever in the other."""
    assert holds(whole, part)


@pytest.mark.req("D33")
@pytest.mark.parametrize(
    ("whole", "part"),
    [
        *english(
            ("Tom lives in Stavanger. Tom married Kari.", "Tom has a boat called Sula in Stavanger."),
            ("Tom lives in Stavanger.", "Tom lives in Stavanger. Tom has a boat."),
            ("Tom has a house in Stavanger. Kari has a boat.", "Tom has a boat in Stavanger."),
            ("Tom never eats meat.", "Tom eats meat."),
            ("Tom eats meat.", "Tom never eats meat."),
            ("Tom lived in Stavanger.", "Tom lives in Stavanger."),
            ("Tom pays 40 euros a month.", "Tom pays 50 euros a month."),
        ),
        *turkish(
            ("Tolga Bursa'da yaşıyor. Tolga Zeynep'le evlendi.", "Tolga'nın Bursa'da Martı adında bir teknesi var."),
            ("Tolga Bursa'da yaşıyor.", "Tolga Bursa'da yaşıyor. Tolga'nın bir teknesi var."),
            ("Tolga'nın Bursa'da evi var. Zeynep'in teknesi var.", "Tolga'nın Bursa'da teknesi var."),
            ("Tolga et yemiyor.", "Tolga et yiyor."),
            ("Tolga et yiyor.", "Tolga et yemiyor."),
            ("Tolga Bursa'da yaşıyordu.", "Tolga Bursa'da yaşıyor."),
            ("Tolga ayda 40 avro ödüyor.", "Tolga ayda 50 avro ödüyor."),
        ),
        *neither(("", ""), ("Tom.", ""), ("...", "..."), ("", "Tom.")),
    ],
)
def test_what_a_text_leaves_out_or_says_otherwise_it_does_not_hold(whole: str, part: str) -> None:
    """A fact less, words of two sentences, a denial, another time or number; and what has no words stands nowhere."""
    assert not holds(whole, part)
