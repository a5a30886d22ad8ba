from __future__ import annotations

import time

import pytest

from reverie.screen import personal
from reverie.screen.personal import personal_data
from tests.screen.long_texts import repeated
from tests.spoken import NEITHER, english, neither, turkish


def found(text: str) -> list[tuple[str, str]]:
    return [(span.kind, text[span.start : span.end]) for span in personal_data(text)]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        *english(
            ("write to ada.l+home@kod.com.tr, please", "email", "ada.l+home@kod.com.tr"),
            ("call (415) 555-2671 tonight", "phone", "(415) 555-2671"),
            ("her number is +44 20 7946 0958", "phone", "+44 20 7946 0958"),
            ("card 4111 1111 1111 1111 expires soon", "card-number", "4111 1111 1111 1111"),
            ("SSN 078-05-1120", "social-security-number", "078-05-1120"),
            ("from 81.2.69.142 again", "ip-address", "81.2.69.142"),
            ("2001:4860:4860::8888 answers", "ip-address", "2001:4860:4860::8888"),
            ("I live at 12 Baker Street, London", "street-address", "12 Baker Street"),
        ),
        *turkish(
            ("ada.l+ev@kod.com.tr'ye yazabilirsin", "email", "ada.l+ev@kod.com.tr"),
            ("numaram 0532 123 45 67", "phone", "0532 123 45 67"),
            ("+90 532 123 45 67'den ara beni", "phone", "+90 532 123 45 67"),
            ("ev: 0 (212) 345 67 89", "phone", "0 (212) 345 67 89"),
            ("Kirayı TR33 0006 1005 1978 6457 8413 26'ya yatır", "iban", "TR33 0006 1005 1978 6457 8413 26"),
            ("kartım 5555-5555-5555-4444", "card-number", "5555-5555-5555-4444"),
            ("TC kimlik 10000000146", "turkish-identity-number", "10000000146"),
            ("kimlik numaram 10000000146'dır", "turkish-identity-number", "10000000146"),
            ("yine 81.2.69.142'den girmiş", "ip-address", "81.2.69.142"),
            ("Moda Mah. Bahariye Caddesi No: 12/3 Kadıköy", "street-address", "Moda Mah. Bahariye Caddesi No: 12/3"),
            ("Ada Çiçek Sokağı no 5'te oturuyor", "street-address", "Ada Çiçek Sokağı no 5"),
        ),
        *neither(
            ("IBAN TR33 0006 1005 1978 6457 8413 26 YAPI", "iban", "TR33 0006 1005 1978 6457 8413 26"),
            ("GB82WEST12345698765432", "iban", "GB82WEST12345698765432"),
        ),
    ],
)
def test_each_kind_is_found_with_its_bounds(text: str, kind: str, value: str) -> None:
    """One thing, of this kind, from its first sign to its last."""
    assert found(text) == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "user@example.com and @app.route('/x') and me@localhost",
            "we spent $1,234,567 on 2023-05-08 at 10:30:15",
            "order 4111 1111 1111 1112",
            "from 1998 to 2004, pages 100-200, 3.14159265358979",
            "the 2000s were great, 50 Cent played on the main Street stage",
        ),
        *turkish(
            "ada@example.com'a yazma, öyle bir adres yok",
            "8 Mayıs 2023'te saat 10:30:15'te ₺1.234.567 harcadık",
            "sipariş numarası 10000000145",
            "1998'den 2004'e kadar, 100-200. sayfalar arası",
            "bölüm no 12, sokakta 3 çocuk",
            "Sokak no 1 adlı dizinin 12. bölümü",
        ),
        *neither(
            "127.0.0.1, 192.168.1.10, 10.0.0.7, version 4.18.0.0, 999.1.1.1",
            "TR33 0006 1005 1978 6457 8413 27",
            "NRIC 830518-14-6075",
        ),
    ],
)
def test_other_numbers_are_left(text: str) -> None:
    """Wrong check digits, dates, sums, one's own network, reserved hosts."""
    assert found(text) == []


@pytest.mark.parametrize("piece", neither("1", "1 ", "a@", "a@b.", "TR33 ", "1.1.1.", "a:", "12 A ", "Moda ", "no 1 "))
def test_a_long_text_takes_no_more_than_seconds(piece: str) -> None:
    """No pattern goes over a long text again and again."""
    text = repeated(piece)
    start = time.process_time()
    for _ in personal_data(text):
        pass
    assert time.process_time() - start < 4


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        *english(
            ("IMEI 490154203237518", []),
            ("490154203237518 is the IMEI of my phone", []),
            ("the IMEI is lost; my card 4111111111111111", ["card-number"]),
        ),
        *turkish(
            ("Telefonumun IMEI numarası 490154203237518", []),
            ("490154203237518 telefonumun IMEI numarası", []),
            ("IMEI kayıp; kartım 4111111111111111", ["card-number"]),
        ),
    ],
)
def test_a_number_called_otherwise_is_no_card(text: str, kinds: list[str]) -> None:
    """An IMEI has the length and the check digit of a card's number."""
    assert [kind for kind, _ in found(text)] == kinds


@NEITHER
@pytest.mark.parametrize("digits", ["4111111111111111", "5555555555554444", "378282246310005", "6011111111111117"])
def test_a_published_test_card_is_a_card(digits: str) -> None:
    """Numbers that issuers publish for trying are cards; with any one digit changed they are none."""
    assert personal.is_card(digits)
    assert not personal.is_card(digits[:-1] + str((int(digits[-1]) + 1) % 10))


@NEITHER
def test_a_number_no_issuer_gives_out_is_no_card() -> None:
    """Luhn alone is not enough: one number in ten passes it."""
    assert personal.is_luhn("1000000000000008")
    assert not personal.is_card("1000000000000008")
    assert not personal.is_card("0000000000000000")


@NEITHER
@pytest.mark.parametrize("account", ["GB82WEST12345698765432", "DE89370400440532013000", "TR330006100519786457841326"])
def test_a_published_account_is_an_iban(account: str) -> None:
    """The examples of the registry pass; with another last digit they fail."""
    assert personal.is_iban(account)
    assert not personal.is_iban(account[:-1] + str((int(account[-1]) + 1) % 10))


@NEITHER
@pytest.mark.parametrize("text", ["", "TR33", "1234567890123456", "TRXX0006100519786457841326"])
def test_what_has_not_the_form_is_no_iban(text: str) -> None:
    """Too short, without country or without check digits."""
    assert not personal.is_iban(text)


@NEITHER
def test_a_turkish_identity_number_carries_two_check_digits() -> None:
    """Both the tenth and the eleventh digit must follow from those before; the first is no nought."""
    assert personal.is_turkish_identity("10000000146")
    assert not personal.is_turkish_identity("10000000145")
    assert not personal.is_turkish_identity("01000000146")
    assert not personal.is_turkish_identity("1000000014")


@NEITHER
@pytest.mark.parametrize(
    ("digits", "given_out"), [("123456789", True), ("000456789", False), ("666456789", False), ("912456789", False)]
)
def test_social_security_numbers_leave_out_some_areas(digits: str, given_out: bool) -> None:
    """Areas 000, 666 and those from 900 on are never given out."""
    assert personal.is_social_security(digits) is given_out
