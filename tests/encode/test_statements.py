from __future__ import annotations

import pytest

from reverie.encode.statements import own_words, stands_alone
from tests.spoken import english, neither, turkish


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Suppose my name is Bob.",
            "Let's say I live in Berlin.",
            "In my novel, Ann lives in Paris and works at a bank.",
            "Write a poem in which I live in Venice.",
            "Translate: 'I am allergic to nuts'",
            "Translate this:\nI am allergic to nuts.",
            "> I live in Madrid",
            "I said I like jazz but I was joking.",
        ),
        *turkish(
            "Diyelim ki adım Bora.",
            "Farz et ki Tokyo'da yaşıyorum.",
            "Romanımda kahraman Paris'te yaşıyor.",
            "Venedik'te yaşadığım bir şiir yaz.",
            "Çevir: Fıstığa alerjim var",
            "Şunu İngilizceye çevir:\nFıstığa alerjim var.",
            "> Madrid'de yaşıyorum",
            "Cazı severim dedim ama şaka yapıyordum.",
        ),
    ],
)
def test_what_is_not_the_speakers_own_forms_nothing(text: str) -> None:
    """Suppositions, stories, what is to be translated, quoted lines, jokes."""
    assert own_words(text).facts == ()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        *english(
            ("I live in Oslo. Do you? I work at ACME.", ("I live in Oslo.", "I work at ACME.")),
            ("Suppose it rains. I live in Oslo.", ("I live in Oslo.",)),
            ("Imagine Dragons is my favorite band.", ("Imagine Dragons is my favorite band.",)),
        ),
        *turkish(
            ("Oslo'da yaşıyorum. Ya sen? ACME'de çalışıyorum.", ("Oslo'da yaşıyorum.", "ACME'de çalışıyorum.")),
            ("Diyelim ki yağmur yağdı. Oslo'da yaşıyorum.", ("Oslo'da yaşıyorum.",)),
            ("Şiirleri severim.", ("Şiirleri severim.",)),
        ),
    ],
)
def test_the_rest_of_a_message_is_kept(text: str, facts: tuple[str, ...]) -> None:
    """Questions and frames go by themselves."""
    assert tuple(fact.text for fact in own_words(text).facts) == facts


@pytest.mark.parametrize(
    "statement",
    [
        *english(
            "I prefer tea.",
            "I'm going to Berlin next week.",
            "I'm vegan.",
            "Always use tabs.",
            "There are three servers in Lisbon.",
            "Maya's kite is red.",
            "My sister lost her keys.",
            "I'm not married.",
            "I don't have asthma.",
            "I'm vegetarian.",
            "Don't apologise in every message.",
        ),
        *turkish(
            "Çayı severim.",
            "Bundan sonra bana hep kısa cümlelerle cevap ver.",
            "Ben veganım.",
            "Her zaman tab kullan.",
            "Orada üç sunucu var.",
            "Ayşe'nin uçurtması kırmızı.",
            "Kardeşim anahtarını kendisi buldu.",
            "Evli değilim.",
            "Astımım yok.",
            "Vejetaryenim.",
            "Her mesajda özür dileme.",
        ),
    ],
)
def test_what_says_something_of_something_stands_alone(statement: str) -> None:
    """A year later one still knows what is meant."""
    assert stands_alone(statement)


@pytest.mark.parametrize(
    "statement",
    [
        *english(
            "They love the animals.",
            "It reminds me of home.",
            "Luna and Oliver!",
            "Selim.",
            "Yeah, I love to.",
            "I love making her happy.",
        ),
        *turkish(
            "Onlar hayvanları sever.",
            "Bunu çok seviyorum.",
            "Ayşe ve Mehmet!",
            "İbrahim.",
            "Evet, çok severim.",
            "Dün onunla yemeğe çıktık.",
        ),
        *neither("", "…"),
    ],
)
def test_what_points_back_or_says_nothing_does_not(statement: str) -> None:
    """Pronouns, bare names, a liking without what is liked."""
    assert not stands_alone(statement)
