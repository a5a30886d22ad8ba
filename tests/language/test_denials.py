"""Denials are read clause by clause, and questions that a yes or a no would answer are told."""

from __future__ import annotations

import pytest

from reverie.language.claims import asks_whether, denials
from tests.spoken import english, neither, turkish


@pytest.mark.parametrize(
    ("text", "term"),
    [
        *english(
            ("I've never met Bryan at a festival, but I know his films.", "bryan"),
            ("I haven't used Redis yet.", "redi"),
            ("I am not a member of the club.", "club"),
        ),
        *turkish(
            ("Bryan'la hiç tanışmadım, ama filmlerini bilirim.", "bryan"),
            ("Redis'i henüz kullanmadım.", "redis"),
            ("Ben Ankara'da değilim.", "ankara"),
        ),
    ],
)
def test_what_is_denied(text: str, term: str) -> None:
    """One clause denies, and its words are known."""
    (denied,) = denials(text)
    assert any(stem.startswith(term[:4]) for stem in denied)


@pytest.mark.parametrize(
    "text",
    [
        *english("I met Bryan at a festival.", "I'm not sure I met him.", "I don't know where we met."),
        *turkish("Bryan'la festivalde tanıştım.", "Tamam, namazdan sonra hamama gideriz.", "Sevdiğinden emin değilim."),
        *neither("", "\x00"),
    ],
)
def test_nothing_is_denied(text: str) -> None:
    """An affirmation denies nothing."""
    assert denials(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("Have I ever met Bryan?", True),
            ("Is my sister a member?", True),
            ("Where did I meet Bryan?", False),
            ("How many clubs are there?", False),
        ),
        *turkish(
            ("Bryan'la hiç tanıştım mı?", True),
            ("Kardeşim üye mi?", True),
            ("Bryan'la nerede tanıştım?", False),
            ("Kaç kulüp var?", False),
        ),
    ],
)
def test_whether(text: str, expected: bool) -> None:
    """Yes-or-no questions, by their form."""
    assert asks_whether(text) is expected
