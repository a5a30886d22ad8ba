"""What somebody no longer did and does again."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_reading import reading
from reverie.language.contradiction_resumed import is_resumed
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I don't eat meat.", "I started eating meat again."),
            ("I don't smoke.", "I started smoking again."),
            ("I'm vegetarian.", "I eat meat again now."),
            ("I'm vegetarian.", "I'm not vegetarian any more."),
        ),
        *turkish(
            ("Et yemiyorum.", "Tekrar et yemeye başladım."),
            ("Sigara içmiyorum.", "Yine sigaraya başladım."),
            ("Vejetaryenim.", "Artık et yiyorum."),
            ("Vejetaryenim.", "Artık vejetaryen değilim."),
            ("Veganım.", "Veganım değilim artık."),
        ),
    ],
)
def test_what_is_taken_up_again_ends_the_denial(earlier: str, later: str) -> None:
    """It is done again, or the diet is broken."""
    assert contradicts(earlier, later) is not None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I don't eat meat.", "My brother started eating meat again."),
            ("I don't run.", "I started running a bakery again."),
            ("I'm vegetarian.", "I eat tofu again now."),
            ("I'm vegetarian.", "My husband eats meat again now."),
            ("I don't eat meat.", "I started eating fish again."),
        ),
        *turkish(
            ("Et yemiyorum.", "Kardeşim tekrar et yemeye başladı."),
            ("Kahve sevmiyorum.", "Yine kahveye başladım."),
            ("Vejetaryenim.", "Artık tofu yiyorum."),
            ("Vejetaryenim.", "Eşim artık et yiyor."),
            ("Spor yapmıyorum.", "Yine işe başladım."),
        ),
    ],
)
def test_what_others_or_something_else_takes_up_ends_nothing(earlier: str, later: str) -> None:
    """Another person, another thing, or a part of the time."""
    assert contradicts(earlier, later) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(("I don't smoke.", "I started smoking again.")),
        *turkish(("Sigara içmiyorum.", "Yine sigaraya başladım.")),
    ],
)
def test_a_clause_takes_up_what_another_denies(earlier: str, later: str) -> None:
    """The rule by itself, and not the other way round."""
    was, now = reading(earlier).clauses[0], reading(later).clauses[0]
    assert is_resumed(was, now)
    assert not is_resumed(now, was)
