"""What a text states, denies and replaces."""

from __future__ import annotations

import pytest

from reverie.language.contradiction_reading import CLAUSES_MAX, TEXT_MAX, reading
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Do you eat meat?",
            "If I were rich I would travel.",
            "Maybe I will move.",
            "I want to learn the violin.",
            "My sister says that it rains.",
        ),
        *turkish(
            "Et yiyor musun?",
            "Zengin olsaydım gezerdim.",
            "Belki taşınırım.",
            "Keman öğrenmek istiyorum.",
            "Ablam yağmur yağdığını söyledi.",
        ),
    ],
)
def test_what_states_nothing_is_left_out(text: str) -> None:
    """Questions, conditions, doubts, wishes, what others say."""
    assert reading(text).clauses == ()


@pytest.mark.parametrize(
    ("text", "how"),
    [
        *english(
            ("I don't eat meat.", "not"),
            ("I have never eaten meat.", "never"),
            ("I no longer eat meat.", "ended"),
            ("I quit smoking.", "ended"),
            ("I didn't eat meat.", "past"),
        ),
        *turkish(
            ("Et yemiyorum.", "not"),
            ("Hiç et yemedim.", "never"),
            ("Artık et yemiyorum.", "ended"),
            ("Sigarayı bıraktım.", "ended"),
            ("Et yemedim.", "past"),
        ),
    ],
)
def test_what_is_denied_and_how(text: str, how: str) -> None:
    """Now, for all time, no longer, or on one occasion."""
    (clause,) = reading(text).clauses
    assert clause.denial is not None
    assert clause.denial.how == how


@pytest.mark.parametrize(
    "text",
    [
        *english("It's not only meat.", "No way, John!", "Oh no, meat.", "I eat meat."),
        *turkish(
            "Et yiyorum.",
            "Sadece et değil, balık da yiyorum.",
            "Yok artık, Deniz!",
            "Eyvah, yine et!",
        ),
    ],
)
def test_what_denies_nothing(text: str) -> None:
    """Not only, no way, oh no."""
    assert all(clause.denial is None for clause in reading(text).clauses)


@pytest.mark.parametrize(
    "text",
    [
        *english("I ran 5 km yesterday.", "I won in 2019."),
        *turkish("Dün 5 km koştum.", "2019'da kazandım."),
    ],
)
def test_what_holds_at_its_own_time_only(text: str) -> None:
    """Yesterday, in 2019."""
    assert all(clause.bounded for clause in reading(text).clauses)


@pytest.mark.parametrize(
    "text",
    [
        *english("We switched from Slack to Teams."),
        *turkish("Slack'ten Teams'e geçtik."),
    ],
)
def test_what_is_replaced(text: str) -> None:
    """The old and the new."""
    (switch,) = reading(text).switches
    assert (switch.was, switch.now) == ({"slack"}, {"team" if "We" in text else "teams"})


@pytest.mark.parametrize("text", [*english("I have two cats."), *turkish("İki kedim var.")])
def test_only_the_beginning_of_a_long_text_is_read(text: str) -> None:
    """However long it is."""
    assert len(reading(f"{text} " * 10_000).clauses) == CLAUSES_MAX
    assert reading("x" * TEXT_MAX + f" {text}") == reading("x" * TEXT_MAX)
