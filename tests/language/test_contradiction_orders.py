"""Standing orders about answers: which of them take back an earlier one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_orders import Order, orders
from tests.spoken import BOTH, NEITHER, english, turkish


@pytest.mark.parametrize(
    ("text", "order"),
    [
        *english(
            ("Always answer in German.", Order("language", "german", "German", False, True)),
            ("From now on keep your replies brief, please.", Order("length", "short", "brief", False, True)),
            ("Never use emojis.", Order("emoji", "emoji", "emojis", True, True)),
            ("Going forward, call me Deniz.", Order("name", "deniz", "Deniz", False, True)),
            ("Always write in French.", Order("written language", "french", "French", False, True)),
        ),
        *turkish(
            ("Her zaman Almanca cevap ver.", Order("language", "german", "Almanca", False, True)),
            ("Bundan sonra cevaplarını kısa tut lütfen.", Order("length", "short", "kısa", False, True)),
            ("Asla emoji kullanma.", Order("emoji", "emoji", "emoji", True, True)),
            ("Artık bana Deniz de.", Order("name", "deniz", "Deniz", False, True)),
            ("Hep Fransızca yaz.", Order("written language", "french", "Fransızca", False, True)),
        ),
    ],
)
def test_an_order_is_an_attribute_with_a_value(text: str, order: Order) -> None:
    """Of the same names in both languages; what is written is not what is answered."""
    assert orders([text]) == (order,)


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Answer in German.",
            "I always answer in German.",
            "From now on write emails in German.",
            "From now on also answer in German.",
            "From now on answer in German or French.",
            "Don't always answer in German.",
            "Should you always answer in German?",
            "Always call me on Monday.",
            "From now on call me later.",
        ),
        *turkish(
            "Almanca cevap ver.",
            "Hep Almanca cevap veriyorum.",
            "Artık e-postaları Almanca yaz.",
            "Artık Almanca da cevap ver.",
            "Artık Fransızca de cevap ver.",
            "Artık Almanca veya Fransızca cevap ver.",
            "Hep Almanca mı cevap ver?",
            "Ona hep Almanca cevap ver.",
            "Artık bana Veli de kızıyor.",
            "Artık bana sonra de.",
        ),
    ],
)
def test_what_is_not_surely_an_order_for_good_is_none(text: str) -> None:
    """Once, by others, of something else, in addition, asked, or with a word that is not known."""
    assert orders([text]) == ()


@pytest.mark.parametrize(
    ("earlier", "later", "was", "now"),
    [
        *english(
            ("Always answer in English.", "From now on answer in Turkish.", "English", "Turkish"),
            ("Always keep your answers short.", "OK. From now on give me long answers. Thanks!", "short", "long"),
            ("Always use metric units.", "Going forward, use imperial units.", "metric units", "imperial units"),
            ("Always call me Ali.", "From now on call me Veli.", "Ali", "Veli"),
            ("Always use bullet points.", "From now on answer in prose.", "bullet points", "prose"),
            ("Always address me formally.", "From now on address me casually.", "formally", "casually"),
            ("Never use emojis.", "From now on use emojis.", "emojis", "emojis"),
        ),
        *turkish(
            ("Hep İngilizce cevap ver.", "Bundan sonra Türkçe cevap ver.", "İngilizce", "Türkçe"),
            ("Bana hep kısa cevap ver.", "Tamam. Artık uzun cevap ver. Sağ ol!", "kısa", "uzun"),
            ("Hep santigrat kullan.", "Bundan sonra fahrenhayt kullan.", "santigrat", "fahrenhayt"),
            ("Bana her zaman Ali de.", "Bundan sonra bana Veli de.", "Ali", "Veli"),
            ("Hep madde madde cevap ver.", "Artık düz yazıyla cevap ver.", "madde madde", "düz yazıyla"),
            ("Bana hep siz diye hitap et.", "Artık bana sen diye hitap et.", "siz diye", "sen diye"),
            ("Asla emoji kullanma.", "Artık emoji kullan.", "emoji", "emoji"),
        ),
    ],
)
def test_a_new_order_takes_back_the_old_of_the_same_thing(earlier: str, later: str, was: str, now: str) -> None:
    """Another value of the same attribute; or what was forbidden is wanted."""
    found = contradicts(earlier, later)
    assert found is not None
    assert (found.reason, found.was, found.now) == ("order", was, now)


@BOTH
def test_an_order_may_be_taken_back_in_the_other_language() -> None:
    """The attributes are the same."""
    assert contradicts("Always answer in English.", "Bundan sonra Türkçe cevap ver.") is not None
    assert contradicts("Hep kısa cevap ver.", "From now on give detailed answers.") is not None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("Always answer in English.", "Always answer in English, please."),
            ("Always answer in English.", "From now on answer with bullet points."),
            ("Always answer in English.", "From now on write in Turkish."),
            ("Always answer in English. Always use bullet points.", "From now on answer in Turkish."),
            ("Never give long answers.", "Always give short answers."),
        ),
        *turkish(
            ("Hep İngilizce cevap ver.", "Lütfen hep İngilizce cevap ver."),
            ("Hep İngilizce cevap ver.", "Artık madde madde cevap ver."),
            ("Hep İngilizce cevap ver.", "Artık Türkçe yaz."),
            ("Hep İngilizce cevap ver. Asla emoji kullanma.", "Artık Türkçe cevap ver."),
            ("Hep siz diye hitap et.", "Artık bana Ali diye hitap et."),
        ),
    ],
)
def test_an_order_of_something_else_takes_nothing_back(earlier: str, later: str) -> None:
    """Nor does one take back a text that orders more than it changes."""
    assert contradicts(earlier, later) is None


@NEITHER
@given(st.lists(st.text()))
def test_any_text_is_read(sentences: list[str]) -> None:
    """Nothing is raised, whatever it holds."""
    assert len(orders(sentences)) <= len(sentences)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        *english(
            ("Answer in German.", Order("language", "german", "German", False, True)),
            ("You can answer in any language again.", Order("language", "any", "any language", False, True)),
        ),
        *turkish(
            ("Almanca cevap ver.", Order("language", "german", "Almanca", False, True)),
            ("Artık istediğin dilde cevap verebilirsin.", Order("language", "any", "istediğin dilde", False, True)),
        ),
    ],
)
def test_what_holds_anyway_need_not_say_so(text: str, order: Order) -> None:
    """And may be a leave, which alone orders nothing."""
    assert orders([text], {text}) == (order,)
    assert orders([text]) == ()
