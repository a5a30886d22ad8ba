"""What is opened by digits alone, in both languages."""

from __future__ import annotations

import pytest

from reverie.language.text.letters import plain
from reverie.screen import secrecy
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("my SIM PIN", True), ("bank card PIN", True), ("I lost my card. The PIN", False), ("postal PIN", False)
        ),
        *turkish(
            ("telefonumun PIN", True),
            ("kartının PIN", True),
            ("ekran kilidi PIN", True),
            ("Telefonum bozuldu. Onun PIN", False),
            ("posta PIN", False),
        ),
    ],
)
def test_what_is_opened_stands_before_the_naming(text: str, expected: bool) -> None:
    """In the same clause."""
    low = plain(text)
    assert secrecy.is_locked_before(low, low.index("pin")) is expected


@pytest.mark.parametrize(
    ("text", "expected"), [*english(("the PIN for my phone is", True), ("the PIN of the town is", False))]
)
def test_what_is_opened_stands_around_the_naming(text: str, expected: bool) -> None:
    """English names it before or after."""
    low = plain(text)
    assert secrecy.is_locked(low, low.index("pin"), len(low)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [*turkish(("telefonumun şifresi", True), ("kızımızın Netflix şifresi", True), ("telefonun şifresi", False))],
)
def test_something_of_ones_own_has_it(text: str, expected: bool) -> None:
    """Turkish says so by an ending."""
    low = plain(text)
    assert secrecy.is_of_mine(low, low.index("sifre")) is expected
