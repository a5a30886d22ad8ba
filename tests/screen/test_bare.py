"""Secrets that follow their naming with nothing between, in both languages, and what only stands there."""

from __future__ import annotations

import pytest

from reverie.screen.secret_statements import statements
from tests.spoken import english, turkish

HEX = "8f3c1b7d90ae4265b1c07de9f2a45c38"


def told(text: str) -> list[tuple[str, str]]:
    return list(dict.fromkeys((span.kind, text[span.start : span.end]) for span in statements(text)))


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        *english(
            ("Card 5500 0000 0000 0004 exp 12/27 CVV 473", "card-code", "473"),
            ("my visa expires 12/27, cvc 4731", "card-code", "4731"),
            (f"twilio auth token {HEX}", "token", HEX),
            (f"stripe api key `{HEX}`", "api-key", HEX),
            ("ssh ada@host with password maVi_1903", "password", "maVi_1903"),
            ("user ada pw maVi_1903", "password", "maVi_1903"),
            ("username: selin password gul1903ros", "password", "gul1903ros"),
        ),
        *turkish(
            ("Kart 5500 0000 0000 0004 son kullanma 12/27 CVV 473", "card-code", "473"),
            ("kartım 5500 0000 0000 0004, CVC 4731", "card-code", "4731"),
            (f"twilio erişim belirteci {HEX}", "token", HEX),
            (f"stripe için api anahtarım {HEX}", "api-key", HEX),
            ("ssh ada@sunucu ve şifre maVi_1903", "password", "maVi_1903"),
            ("kullanıcı ada şfr maVi_1903", "password", "maVi_1903"),
            ("kullanıcı adı selin parola gul1903ros", "password", "gul1903ros"),
        ),
    ],
)
def test_a_value_right_after_its_naming_is_found(text: str, kind: str, value: str) -> None:
    """Where it, or what was said before, leaves no doubt."""
    assert told(text) == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "The CVC 2022 conference was great.",
            "the CVC 300 words list for kids",
            "card CVV 3 digits",
            "the token 0xdAC17F958D2ee523a2206206994597C13D831ec7 is on the chain",
            "access token expiration timestamp configuration",
            "The user forgot password Reset2",
            "ask user for password OAuth2Token",
            "log in with password manager 1Password7",
            "protect it with password AES256",
        ),
        *turkish(
            "CVV numarasını 2022 yılında değiştirdiler",
            "kartın CVV 3 haneli kodu",
            "kart güvenlik kodu üç hanelidir",
            "token 0xdAC17F958D2ee523a2206206994597C13D831ec7",
            "erişim belirteci süresi ayarlandı",
            "güvenlik kodlaması 1234 satır",
            "güvenlik kodları 2024 yılında değişti",
            "kullanıcı parola alanını boş bıraktı",
            "dosyayı şifre AES256 ile koru",
        ),
    ],
)
def test_what_only_stands_after_a_naming_is_none(text: str) -> None:
    """Years, numbers of something, addresses of a chain, names of programs."""
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        *english(
            ("SIM PIN 4821, PUK 83920147", ["4821", "83920147"]),
            ("iPhone passcode is 258014", ["258014"]),
            ("my phone password is 2580", ["2580"]),
            ("I use Galata#1453 as my password everywhere", ["Galata#1453"]),
            ("login: ada / Galata#1453", ["Galata#1453"]),
            ("Netflix: ada@example.com / Galata#1453", ["Galata#1453"]),
        ),
        *turkish(
            ("SIM kartımın pini 4821, PUK kodu 83920147", ["4821", "83920147"]),
            ("banka kartımın pini 4821", ["4821"]),
            ("telefonumun ekran kilidi şifresi 258014", ["258014"]),
            ("atm şifrem 4821", ["4821"]),
            ("her yerde Galata#1453 şifresini kullanıyorum", ["Galata#1453"]),
            ("Kullanıcı adım: ada / Galata#1453", ["Galata#1453"]),
            ("giriş: ada | Galata#1453", ["Galata#1453"]),
        ),
    ],
)
def test_what_stands_beside_what_it_opens_is_found(text: str, values: list[str]) -> None:
    """A card, a telephone, a name to log in with, or a sentence that says it is used."""
    assert sorted(value for _, value in told(text)) == values


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "the card PIN 2024 update",
            "GPIO pin 1234 is unused on my tablet",
            "my laptop password is 4 digits",
            "I use Bitwarden as my password manager everywhere",
            "login: ada / 2FA",
            "write to ada@example.com / Premium2024",
            "Login page: GET /api/v1/users",
        ),
        *turkish(
            "Bu pini 5000 liraya aldım",
            "Kartımın pini 4 haneli.",
            "Telefonumun şifresi 2024 yılında değişti.",
            "Bilgisayarımın şifresi 12345 değil.",
            "Windows10 şifresini unuttum",
            "Hesabım: ada / Premium2024",
            "Telefonumun parolası 6 haneli olmalı.",
        ),
    ],
)
def test_what_only_stands_beside_is_none(text: str) -> None:
    """Years, counts, products and plans."""
    assert told(text) == []
