"""The check digits, on numbers that the standards and the issuers publish as examples."""

from __future__ import annotations

import pytest

from reverie.screen import personal
from tests.spoken import NEITHER


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
