"""Plain words given as one's own password, and what is said of passwords in words just like them."""

from __future__ import annotations

import time

import pytest

from reverie.screen.secret_statements import statements
from tests.screen.long_texts import repeated
from tests.spoken import english, turkish


def told(text: str) -> list[str]:
    return list(dict.fromkeys(text[span.start : span.end] for span in statements(text)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *english(
            ("my passphrase is purple monkey dishwasher lamp", "purple monkey dishwasher lamp"),
            ("our backup pass phrase: correct-horse-battery-staple.", "correct-horse-battery-staple"),
            ("My Netflix password is fluffycat", "fluffycat"),
        ),
        *turkish(
            ("parola ifadem mor maymun bulaşık lamba", "mor maymun bulaşık lamba"),
            ("Geçiş ifademiz: mavi-deniz-kuru-fincan.", "mavi-deniz-kuru-fincan"),
            ("Netflix şifrem karakartal", "karakartal"),
            ("wifi şifremiz: karakartal.", "karakartal"),
            ("Netflix parolamız karakartal oldu", "karakartal"),
        ),
    ],
)
def test_plain_words_of_ones_own_are_found(text: str, value: str) -> None:
    """One word after "my password", four and more after "my passphrase"."""
    assert told(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "my passphrase is extremely long and hard to type",
            "my passphrase is seven random dictionary words",
            "my passphrase is stored inside Bitwarden vault",
            "my passphrase is saved in my head",
            "the passphrase is whatever people agree upon",
            "my password is broken.",
            "my password is locked",
        ),
        *turkish(
            "parola ifadem dört rastgele kelimeden oluşuyor",
            "parola ifadem telefonumda kayıtlı duruyor hep",
            "parola ifadem yazması zor uzun cümle",
            "şifrem telefonda",
            "Netflix şifrem annemde",
            "şifrem çalışmıyor",
            "şifrem kayboldu.",
            "parolam şaşırtıcı",
            "şifrem doğumgünüm",
            "Netflix şifrem bozuk",
            "şifrem nerede?",
        ),
    ],
)
def test_what_is_said_of_a_password_is_none(text: str) -> None:
    """Places, states, qualities and whole sentences."""
    assert told(text) == []


@pytest.mark.parametrize("piece", [*english("my passphrase is purple "), *turkish("parola ifadem mor maymun ")])
def test_a_long_text_of_plain_words_takes_no_more_than_seconds(piece: str) -> None:
    """However often a passphrase is announced."""
    text = repeated(piece)
    start = time.process_time()
    for _ in statements(text):
        pass
    assert time.process_time() - start < 4


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *english(
            ("my password is correct horse battery staple", "correct horse battery staple"),
            ("my password: blue cat flying balloon", "blue cat flying balloon"),
            ("the wifi password is blue cat flying balloon", "blue cat flying balloon"),
        ),
        *turkish(
            ("Parolam doğru at pil zımba", "doğru at pil zımba"),
            ("şifrem: mavi kedi uçan balon", "mavi kedi uçan balon"),
            ("Wifi parolası mavi kedi uçan balon", "mavi kedi uçan balon"),
            ("Wifi parolamız mavi kedi uçan balon oldu", "mavi kedi uçan balon"),
        ),
    ],
)
def test_a_row_of_plain_words_is_found(text: str, value: str) -> None:
    """Four words and more after "my password is", "parolam", "wifi parolası"."""
    assert told(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "my password is giving everybody trouble lately",
            "my password is written inside drawer three",
            "the wifi password is on the fridge door",
            "our password: eight characters or more please",
            "my password is one nobody would guess",
        ),
        *turkish(
            "Şifrem kızımın doğum günü tarihi",
            "Wifi parolası modemin arka yüzünde yazılı",
            "Parolam hep aynı eski parola",
            "Şifrem hatırlatır mısın lütfen abi",
            "Wifi parolası ev sahibi teyze biliyor",
            "Şifrem yine yanlış çıktı maalesef ya",
        ),
    ],
)
def test_a_sentence_is_no_row_of_plain_words(text: str) -> None:
    """Endings and small words tell it."""
    assert told(text) == []
