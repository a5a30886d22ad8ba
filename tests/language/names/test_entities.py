"""Names in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.names.entities import ENTITIES_MAX, entities
from tests.spoken import NEITHER, english, turkish

ENGLISH = [
    ("Yesterday Caroline and I went to New York. It rained.", ("Caroline", "New York")),
    ("Melanie's kids love the Rocky Mountains", ("Melanie", "Rocky Mountains")),
    ("We met at the Bank of England with Vincent van Gogh", ("Bank of England", "Vincent van Gogh")),
    ("I bought an iPhone 15 and use Python 3.12 with node.js on AWS", ("iPhone 15", "Python 3.12", "node.js", "AWS")),
    ('Have you read "The Poppy War"? @mel_k has', ("@mel_k", "The Poppy War")),
    ("We upgraded to v2.1.0 last Friday in March", ("v2.1.0",)),
    ("Researching schools. Thanks! Sounds great. What a day", ()),
    ("Paris was great", ("Paris",)),
    ("Visited Paris with Dr. Smith", ("Paris", "Smith")),
    ("I'm sure I don't, I'll ask. OK?", ()),
    ("THIS IS SHOUTING AND NO NAME", ()),
    ("he said it in lower case", ()),
]
TURKISH = [
    ("Dün Ayşe Yılmaz'la İstanbul'a gittik.", ("Ayşe Yılmaz", "İstanbul")),
    ("Kedim Sarman hasta, Mehmet'in köpeği de.", ("Sarman", "Mehmet")),
    ("Boğaziçi Üniversitesi'nde okudum", ("Boğaziçi Üniversitesi",)),
    ("Ankara'da oturuyorum. Bugün hava güzel. Annem geldi.", ("Ankara",)),
    ("Gidiyorum. Çalıştık. Arkadaşım geldi.", ()),
    ("Toplantı Salı günü, Mayıs ayında", ()),
    ("“Tutunamayanlar” romanını okudum", ("Tutunamayanlar",)),
    ("Yeni telefonum iPhone 15, eskisi Nokia'ydı", ("iPhone 15", "Nokia")),
    ("EVET BU BİR BAĞIRMA", ()),
    ("Oğuz Atay'ın kitabı", ("Oğuz Atay",)),
    ("evde oturdum", ()),
    ("Nisan ayında v2.1.0 sürümüne geçtik", ("v2.1.0",)),
    ("“Kürk Mantolu Madonna”yı okudun mu? @elif_k okumuş", ("@elif_k", "Kürk Mantolu Madonna")),
    ("Öğretmenim Selma Hanım'la görüştük", ("Selma Hanım",)),
]


@pytest.mark.parametrize(("text", "names"), [*english(*ENGLISH), *turkish(*TURKISH)])
def test_names_are_found_by_their_shape(text: str, names: tuple[str, ...]) -> None:
    """People, places, products, titles and handles, without case endings; not the capitals of sentences."""
    assert entities(text) == names


@pytest.mark.parametrize(
    ("again", "once", "name"),
    [
        *english(("Sterling called. I called Sterling back", "Sterling called.", "Sterling")),
        *turkish(("Sevgi aradı. Dün ben Sevgi'yi aradım", "Sevgi aradı.", "Sevgi")),
    ],
)
def test_a_verb_like_beginning_is_a_name_if_it_comes_again_inside(again: str, once: str, name: str) -> None:
    """Sterling is a name when somebody calls Sterling."""
    assert entities(again) == (name,)
    assert entities(once) == ()


@pytest.mark.parametrize(
    "text",
    [
        *english("to buy:\n- Bread\n- Milk\n- Barilla pasta"),
        *turkish("alınacaklar:\n- Ekmek\n- Süt\n- Barilla makarna"),
    ],
)
def test_each_line_begins_a_sentence(text: str) -> None:
    """The capitals of a list are none of names."""
    assert entities(text) == ("Barilla",)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *english(("So Caroline came; then Caroline's dog and CAROLINE", "Caroline")),
        *turkish(("Önce Ayşe geldi; sonra Ayşe'nin köpeği, bir de AYŞE", "Ayşe")),
    ],
)
def test_a_name_counts_once(text: str, name: str) -> None:
    """Whatever its case and ending."""
    assert entities(text) == (name,)


@pytest.mark.parametrize(
    "text",
    [
        *english("The rent went up", "Rain fell", "Money was short", "The disk is full", "Bread was cheap"),
        *turkish(
            "Maaş düşüktü",
            "Kira arttı",
            "Disk doldu",
            "Sunucu çöktü",
            "Yağmur yağdı",
            "Deniz dalgalıydı",
            "Kaza oldu dün",
            "Adam geldi bugün",
        ),
    ],
)
def test_a_common_noun_that_opens_a_sentence_is_no_name(text: str) -> None:
    """Its capital is the sentence's."""
    assert entities(text) == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *english(("Rose called", "Rose"), ("Melody came by today", "Melody"), ("Bloom University is far", "Bloom")),
        *turkish(
            ("Yağmur aradı", "Yağmur"),
            ("Deniz bugün gelmedi", "Deniz"),
            ("Müdür Ahmet geldi bugün", "Ahmet"),
            ("Annem Cansu geldi dün", "Cansu"),
            ("Bilgi Üniversitesi'nde okudum", "Bilgi Üniversitesi"),
        ),
    ],
)
def test_a_name_that_is_also_a_word_stays_a_name(text: str, name: str) -> None:
    """Where it behaves like one: somebody calls, or the name of a place begins with it."""
    assert entities(text)[0].startswith(name)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        *english(("Leonardo da Vinci painted it", ("Leonardo da Vinci",))),
        *turkish(
            ("Kız kardeşim Elif de Vestel'de çalışıyor.", ("Elif", "Vestel")),
            ("Osman da Ankara'da yaşıyor.", ("Osman", "Ankara")),
            ("Ayşe de Ali de geldi.", ("Ayşe", "Ali")),
            ("Leonardo da Vinci bir ressamdı.", ("Leonardo da Vinci",)),
            ("Rio de Janeiro çok güzel bir şehir.", ("Rio de Janeiro",)),
        ),
    ],
)
def test_too_is_no_part_of_a_name(text: str, names: tuple[str, ...]) -> None:
    """The Turkish "de" stands behind a name as its vowels have it; that of foreign names stays in them."""
    assert entities(text) == names


@NEITHER
def test_no_more_than_sixteen() -> None:
    """The first ones."""
    names = [f"Mc{chr(65 + place)}ab" for place in range(20)]
    assert entities("so, " + ", ".join(names)) == tuple(names[:ENTITIES_MAX])


@NEITHER
@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """Nothing fails; every name is short and stands in one line."""
    found = entities(text)
    assert len(found) <= ENTITIES_MAX
    assert all(name and "\n" not in name for name in found)
