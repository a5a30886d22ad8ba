"""Telling Turkish from English."""

from __future__ import annotations

import pytest

from reverie.language.text.letters import detect_language, turkish_evidence
from tests.spoken import BOTH, english, neither, turkish

TOLD = [
    "Bugün hava çok güzel",
    "cok guzel bir gun gecirdik",
    "Kedim hasta oldu, veterinere gittik",
    "nerede oturuyorum",
    "Super Bowl'u kim kazandı?",
    "Caroline'ın doğum günü ne zaman?",
    "Ayşe Yılmaz",
    "evet",
    "Python ile bir API yazdım, dokümantasyonu eksik",
    "Melanie'nin kizi kac yasinda",
]
NOT_TURKISH = [
    *english(
        "The weather is nice today",
        "My friend Ayşe lives in İstanbul and works for the city",
        "ok",
        "Glad it helped, Melanie!",
        "On the other hand, her son is in Ankara",
    ),
    *neither(
        "",
        "   ",
        "12345",
        "Deniz bootcamp",
        "Der Müller möchte nicht über die Brücke gehen",
        "El niño está con su mamá para una fiesta",
        "我们明天去公园吧",
        "for (var i = 0; i < n; i++) { sum += a[i]; }",
        "\x00\ud800",
    ),
]


@pytest.mark.parametrize("text", turkish(*TOLD))
def test_turkish_is_known(text: str) -> None:
    """With or without its letters, with foreign names inside."""
    assert detect_language(text) == "tr"


@pytest.mark.parametrize("text", NOT_TURKISH)
def test_everything_else_is_treated_as_english(text: str) -> None:
    """English, what speaks for no language, and other languages."""
    assert detect_language(text) == "en"


@BOTH
def test_a_name_alone_leaves_the_language_open() -> None:
    """No evidence is zero, either way."""
    assert turkish_evidence("Deniz bootcamp") == 0
    assert turkish_evidence("the cat sat on the mat") < 0
    assert turkish_evidence("kedi çok güzel") > 0


@BOTH
def test_a_long_text_is_known_by_its_beginning() -> None:
    """What comes after some pages does not change the language."""
    assert detect_language("bu çok güzel bir gün " * 300 + "the end of it " * 9000) == "tr"
    assert detect_language("it was a fine day " * 300 + "sonra hep birlikte eve gittik " * 9000) == "en"
