from __future__ import annotations

import pytest

from reverie.language.coverage import holds, lacks
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
        *neither(("", ""), ("Tom.", ""), ("...", ".."), ("", "Tom.")),
    ],
)
def test_what_a_text_leaves_out_or_says_otherwise_it_does_not_hold(whole: str, part: str) -> None:
    """A fact less, words of two sentences, a denial, another time or number; and what has no words stands nowhere."""
    assert not holds(whole, part)


KEPT = [
    *english(
        ("Ada likes tea a lot.", "Ada likes tea."),
        ("I am fond of tea.", "I like tea."),
        ("Mert flies to Ankara on 5 May with Zeynep.", "Mert flies to Ankara on 5 May."),
        ("Zeynep has five cats at home.", "Zeynep has five cats."),
        ("Ada keeps the key in the tin!", "Ada keeps the key in the tin."),
        ("Ada never eats nuts at home.", "Ada never eats nuts."),
    ),
    *turkish(
        ("Ada çayı çok sever.", "Ada çayı sever."),
        ("Mert 5 Mayıs'ta Zeynep'le Ankara'ya uçuyor.", "Mert 5 Mayıs'ta Ankara'ya uçuyor."),
        ("Zeynep'in evde beş kedisi var.", "Zeynep'in beş kedisi var."),
        ("Ada anahtarı kutuda saklıyor!", "Ada anahtarı kutuda saklıyor."),
        ("Ada asla fıstık yemez!", "Ada asla fıstık yemez."),
        ("Ada Ankara'da yaşıyor ve orada çalışıyor.", "Ada Ankara'da yaşıyor."),
    ),
    *neither(("上海很好", "上海很好"), ("\ud83d\x00", "\ud83d\x00"), ("x" * 9_000, "x" * 9_000)),
]
LOST = [
    *english(
        ("The tap drips in the kitchen. It is loud.", "The safe is locked."),
        ("The safe is open.", "The safe is locked."),
        ("Boat is 434.", "Boat is 371."),
        ("Ada eats nuts.", "Ada does not eat nuts."),
        ("Ada does not eat nuts.", "Ada eats nuts."),
        ("We use Redis here.", "We no longer use Redis here."),
        ("We no longer use Redis here.", "We use Redis here."),
        ("Bo is taller than Ada.", "Ada is taller than Bo."),
        ("Bo has 2 dogs and 3 cats.", "Bo has 2 cats and 3 dogs."),
        ("Mert flies to Ankara on 5 May.", "Mert flies to Ankara on 6 May."),
        ("Mert flies to Ankara on Monday.", "Mert flies to Ankara on Tuesday."),
        ("Mert flies to Ankara.", "Mert flies to Ankara with Zeynep."),
        ("Zeynep has six cats.", "Zeynep has five cats."),
        ("the code is b-12.", "the code is b-13."),
        ("we met in paris.", "we met in london."),
    ),
    *turkish(
        ("Mutfakta musluk damlıyor. Sesi çok.", "Kasa kilitli."),
        ("Kasa açık.", "Kasa kapalı."),
        ("Teknenin boyu 434.", "Teknenin boyu 371."),
        ("Ada fıstık yiyor.", "Ada fıstık yemiyor."),
        ("Ada fıstık yemez.", "Ada fıstık yer."),
        ("Ada fıstık sever.", "Ada fıstık sevmez."),
        ("Burada Redis kullanıyoruz.", "Burada artık Redis kullanmıyoruz."),
        ("Bo'nun 2 köpeği ve 3 kedisi var.", "Bo'nun 2 kedisi ve 3 köpeği var."),
        ("Mert 5 Mayıs'ta Ankara'ya uçuyor.", "Mert 6 Mayıs'ta Ankara'ya uçuyor."),
        ("Mert pazartesi Ankara'ya uçuyor.", "Mert salı Ankara'ya uçuyor."),
        ("Mert Ankara'ya uçuyor.", "Mert Zeynep'le Ankara'ya uçuyor."),
        ("Zeynep'in altı kedisi var.", "Zeynep'in beş kedisi var."),
        ("Ada Ankara'ya taşındı.", "Ada İzmir'e taşındı."),
        ("kod b-12.", "kod b-13."),
        ("toplantı iptal değil.", "toplantı iptal."),
    ),
    *neither(
        ("上海很好 北京", "北京很好"),
        ("אדה גרה בחיפה", "אדה גרה בתל אביב"),
        ("x" * 9_000, "y" * 9_000),
        ("😀", "😡"),
        ("", "\x00"),
    ),
]


@pytest.mark.req("D33")
@pytest.mark.parametrize(("whole", "part"), KEPT)
def test_what_says_no_less_may_stand_for_it(whole: str, part: str) -> None:
    """Its names, numbers, dates and denials stand there, about the same thing."""
    assert lacks(whole, part) == ()


@pytest.mark.req("D33")
@pytest.mark.parametrize(("whole", "part"), LOST)
def test_what_says_less_or_other_may_not(whole: str, part: str) -> None:
    """One name, number, date or denial less, another one, or of something else; and what cannot be told."""
    assert lacks(whole, part)


@pytest.mark.parametrize("text", [*english("I paid the rent yesterday."), *turkish("Dün kirayı ödedim.")])
def test_yesterday_is_another_day_on_another_day(text: str) -> None:
    """The same words are not the same date."""
    assert lacks(text, text) == ()
    assert lacks(text, text, same_day=False)
