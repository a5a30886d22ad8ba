"""Messages that need no memory, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.classify.worth import trivial, trivial_write
from tests.spoken import NEITHER, english, neither, turkish

ENGLISH = [
    ("hi", "greeting"),
    ("Hello!", "greeting"),
    ("heyyy", "greeting"),
    ("Good morning everyone", "greeting"),
    ("Hi Tom!", "greeting"),
    ("how are you?", "greeting"),
    ("ok", "confirmation"),
    ("Sure, sounds good to me.", "confirmation"),
    ("no thanks", "confirmation"),
    ("thanks!!", "acknowledgement"),
    ("Great", "acknowledgement"),
    ("got it, thank you", "acknowledgement"),
    ("/help", "slash command"),
    ("/status now", "slash command"),
]
TURKISH = [
    ("selam", "greeting"),
    ("Merhaba!", "greeting"),
    ("selammm", "greeting"),
    ("Günaydın arkadaşlar", "greeting"),
    ("Merhaba Ayşe!", "greeting"),
    ("nasılsın?", "greeting"),
    ("tamam", "confirmation"),
    ("Tabii, bana uyar.", "confirmation"),
    ("hayır teşekkürler", "confirmation"),
    ("teşekkürler!!", "acknowledgement"),
    ("Harika", "acknowledgement"),
    ("anladım, sağ ol", "acknowledgement"),
    ("Ellerinize sağlık!", "acknowledgement"),
    ("/özet", "slash command"),
    ("/yardim lutfen", "slash command"),
]
TELLING = [
    *english(
        "yes, use Docker",
        "hi, where did I park?",
        "ok so what is my flight number",
        "/etc/hosts is wrong",
        "no, the other Tom",
        "Hi Ankara?",
        "why?",
        "thanks, my daughter loved it",
    ),
    *turkish(
        "Ankara mı?",
        "evet, Docker kullan",
        "selam, arabayı nereye park ettim?",
        "tamam da uçuş numaram ne",
        "/etc/hosts bozuk",
        "hayır, öteki Mehmet",
        "Merhaba Ankara?",
        "7'de",
        "neden?",
        "Ayşe mi Fatma mı",
        "sağ ol, kızım çok sevdi",
    ),
    *neither("Ankara?", "Docker", "Sarman", "42", "日本"),
]
FILLERS = [
    *english("let me think about that", "tell me more", "one moment", "I'm not sure"),
    *turkish("bunu bir düşüneyim", "biraz daha anlat", "bir saniye", "emin değilim", "Düşünmem lazım."),
]


@pytest.mark.req("D23")
@pytest.mark.parametrize(("text", "reason"), [*english(*ENGLISH), *turkish(*TURKISH)])
def test_trivial_messages_name_their_reason(text: str, reason: str) -> None:
    """Greetings, confirmations, slash commands and acknowledgements, in any case and with vocatives."""
    assert trivial(text) == reason


@pytest.mark.req("D23", "D39")
@pytest.mark.parametrize("text", TELLING)
def test_a_message_that_says_something_is_not_trivial(text: str) -> None:
    """One word beyond the lists, one number, and the message goes on."""
    assert trivial(text) is None


@pytest.mark.req("D39")
@pytest.mark.parametrize("text", FILLERS)
def test_fillers_hold_nothing_to_keep(text: str) -> None:
    """But they may be asked with: the read path takes them."""
    assert trivial_write(text) == "filler"
    assert trivial(text) is None


@pytest.mark.req("D39")
@pytest.mark.parametrize(("text", "reason"), [*english(*ENGLISH), *turkish(*TURKISH)])
def test_what_is_trivial_to_read_is_to_write(text: str, reason: str) -> None:
    """Except a command with words behind it."""
    expected = None if reason == "slash command" and " " in text else reason
    assert trivial_write(text) == expected


@NEITHER
def test_no_words_are_trivial() -> None:
    """Emoji, dots, nothing."""
    assert trivial("👍") == trivial("...") == trivial("") == "acknowledgement"


@pytest.mark.parametrize("thanks", [*english("thanks "), *turkish("teşekkürler ")])
def test_a_long_message_is_not_trivial(thanks: str) -> None:
    """However polite."""
    assert trivial(thanks) is not None
    assert trivial(thanks * 40) is None


@NEITHER
@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """Nothing fails, and what is trivial to read is to write, commands aside."""
    reason = trivial(text)
    assert reason in (None, "slash command") or trivial_write(text) is not None
