from __future__ import annotations

import pytest

from reverie.models.llm_call import pause_s


@pytest.mark.parametrize(
    ("attempt", "chance", "pause"), [(0, 1.0, 0.5), (0, 0.0, 0.25), (1, 1.0, 1.0), (3, 0.5, 3.0), (9, 1.0, 8.0)]
)
def test_pauses_double_up_to_eight_seconds(attempt: int, chance: float, pause: float) -> None:
    """.5 · 2ᵃ, at most 8; of that a half, and the other half by chance: 4 · (.5 + .5 · .5) = 3."""
    assert pause_s(attempt, chance) == pytest.approx(pause)
