"""Whether a later statement takes an earlier one's place, of statements by themselves."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from reverie.conflicts.pairs import Statement, statement
from reverie.conflicts.verdict import replacing
from tests.encode.making import memory
from tests.spoken import NEITHER, english, turkish


def told(*texts: str) -> list[Statement]:
    """What Ada said, a day apart, each in a session of its own."""
    said = (memory(text, f"m{day}") for day, text in enumerate(texts))
    return [statement(replace(one, at=one.at + timedelta(days=day), session=f"s{day}")) for day, one in enumerate(said)]


@pytest.mark.parametrize(
    ("was", "now", "beside"),
    [
        *english(
            (
                "Our weekly team meeting starts at 10:00.",
                "Our weekly team meeting starts at 14:00 now.",
                "The garden has roses.",
            )
        ),
        *turkish(
            ("Haftalık ekip toplantımız 10:00'da.", "Haftalık ekip toplantımız artık 14:00'te.", "Bahçede güller var.")
        ),
    ],
)
def test_what_says_the_same_of_another_amount_replaces(was: str, now: str, beside: str) -> None:
    """Also where no vectors are compared; what speaks of something else stands."""
    chances = replacing(told(was, beside, now))
    assert chances[0, 2] > 0.5
    assert chances[1, 2] < 0.1


@NEITHER
def test_nothing_replaces_what_was_said_later() -> None:
    """Nor itself; and one alone replaces nothing."""
    statements = told("The rent is 900.", "The rent is 950.", "The rent is 990.")
    assert not replacing(statements)[np.tril_indices(3)].any()
    assert replacing(statements[:1]).tolist() == [[0.0]]
    assert replacing([]).shape == (0, 0)


@NEITHER
def test_the_more_alike_the_likelier() -> None:
    """Of the same words."""
    statements = told("The rent is 900.", "The rent is 950.")
    chances = [replacing(statements, alike=np.full((2, 2), alike))[0, 1] for alike in (0.0, 0.4, 0.8)]
    assert chances == sorted(chances)
    assert chances[0] < 0.1 < 0.5 < chances[2]
