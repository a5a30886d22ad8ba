"""Secrets by their looks; made up, and cut in two here so that no scanner of repositories takes them for real."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.screen.cases import secrets
from reverie.screen import secret_forms as room
from reverie.screen.secret_forms import tokens
from tests.screen.long_texts import repeated
from tests.spoken import NEITHER, english, neither, turkish


def kinds(text: str) -> list[tuple[str, str]]:
    return [(span.kind, text[span.start : span.end]) for span in tokens(text)]


@pytest.mark.parametrize(
    ("before", "after"),
    [*english(('key="', '", region')), *turkish(("anahtar ", "."), ("yenisi ", "'dir, eskisi iptal"))],
)
def test_a_token_is_told_with_its_kind_and_bounds(before: str, after: str) -> None:
    """The token alone, not what stands around it."""
    key = "AKIA" + "Q3EGRTVBYT6K7HWZ"
    assert kinds(f"{before}{key}{after}") == [("aws-access-key", key)]


@NEITHER
def test_every_kind_with_a_known_beginning_is_told() -> None:
    """One of each of the formats that need no words around them."""
    missed = [case.kind for case in secrets(60, 3) if case.group == "shape" and not kinds(case.text)]
    assert missed == []


@NEITHER
def test_kinds_without_a_rule_are_told_by_chance() -> None:
    """Formats the lists do not hold are found for nine in ten."""
    held = [case for case in secrets(600, 4) if case.group == "heldout"]
    assert sum(bool(kinds(case.text)) for case in held) >= 0.9 * len(held)


@NEITHER
def test_a_private_key_goes_whole() -> None:
    """From its first line to its last; without the last, as far as the key reaches."""
    whole = "-----BEGIN RSA PRIVATE KEY-----\nQUJD\nREVG\n-----END RSA PRIVATE KEY-----"
    assert kinds(f"see\n{whole}\nbye") == [("private-key", whole)]
    cut = "-----BEGIN PRIVATE KEY-----\nQUJDREVG\n"
    assert kinds(cut + "(cut)") == [("private-key", cut)]
    assert kinds("-----BEGIN PUBLIC KEY-----\nQUJD\n-----END PUBLIC KEY-----") == []


@NEITHER
def test_the_password_in_an_address_is_told() -> None:
    """It alone; a variable or an example in its place is left."""
    assert kinds("postgres://app:Zx9kWq2LmP@db/shop") == [("password", "Zx9kWq2LmP")]
    assert kinds("postgres://app:${DB_PASS}@db/shop postgres://user:password@localhost/db") == []


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "AKIA" + "IOSFODNN7EXAMPLE is the one of the manual",
            "scikit-learn flask-bootstrap task-management-system-for-students",
        ),
        *turkish(
            "kılavuzdaki " + "AKIA" + "IOSFODNN7EXAMPLE'dır, gerçeği değil", "ogrenciler-icin-gorev-yonetim-sistemi"
        ),
        *neither(
            'integrity="sha384-w76AqPfDkMBDXo30jS1Sgez6pr3x5MlQ1ZAGC+nuZB+EYdgRZgiwxhTBTkF7CXvN"',
            "https://docs.net/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
            "commit da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5" + "AAAAIGn3fPq0Zl8xJ7d5x9bK2mV4tR6yU8iO0pQwErTyUiOp deniz@ev",
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
        ),
    ],
)
def test_what_only_looks_long_is_left(text: str) -> None:
    """Examples of manuals, checksums, ids in addresses, names of packages, pictures."""
    assert kinds(text) == []


@pytest.mark.parametrize(
    "piece", neither("a", "a-", "AKIA", "eyJ", "://a:", "-----BEGIN PRIVATE KEY-----", "0123456789abcdef", "sk-")
)
def test_a_long_text_takes_no_more_than_seconds(piece: str) -> None:
    """No pattern goes over a long text again and again."""
    text = repeated(piece)
    start = time.process_time()
    for _ in tokens(text):
        pass
    assert time.process_time() - start < 4


@NEITHER
@given(st.text("aZ09_./=~$: \n\u2003é", max_size=60))
@example("a" * 16)
def test_a_run_stands_in_a_long_word(text: str) -> None:
    """Texts without a word of so many signs are passed over: none of them holds a run."""
    assert not room._RUN.search(text) or max(map(len, text.split())) >= room._RUN_MIN
