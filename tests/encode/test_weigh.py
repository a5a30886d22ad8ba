"""Weighing: four channels, a boost, and what stands for the unknown."""

from __future__ import annotations

import pytest

from reverie.encode.gate import weigh
from reverie.encode.neighbours import Near
from reverie.recipes.recipe import NAMES, recipe
from tests.encode.making import memory, seen

V9 = recipe("v9").encode


@pytest.mark.req("D3")
def test_importance_is_the_weighted_sum_of_four_channels() -> None:
    """Novelty 1, arousal 0, reward and attention unknown (.5): .25 + .25 · .5 + .20 · .5 = .475, boost 1."""
    assert weigh(seen(), (), None, V9, deliberate=False).importance == pytest.approx(0.475)


@pytest.mark.req("D3")
@pytest.mark.parametrize(
    ("similarity", "utility", "arousal", "attention", "importance"),
    [
        (1.0, 0.5, 0.0, 0.0, 0.25 * 0.5),
        (0.4, 0.9, 0.0, 0.0, 0.25 * 0.6 + 0.25 * 0.5),  # not similar enough to speak for its reward
        (0.49, 0.9, 0.0, 0.0, 0.25 * 0.51 + 0.25 * 0.5),
        (0.6, 0.9, 0.0, 0.0, 0.25 * 0.4 + 0.25 * 0.9),
        (1.0, 0.0, 1.0, 0.0, 0.3),
        (1.0, 0.0, 0.0, 1.0, 0.2),
        (-0.3, 0.0, 0.0, -0.2, 0.25 + 0.25 * 0.5),
    ],
)
def test_each_channel_has_its_share(
    similarity: float, utility: float, arousal: float, attention: float, importance: float
) -> None:
    """.25 novelty, .30 arousal, .25 reward, .20 attention."""
    near = (Near(memory("x", utility=utility), similarity),)
    assert weigh(seen(arousal), near, attention, V9, deliberate=False).importance == pytest.approx(importance)


@pytest.mark.req("D3")
@pytest.mark.parametrize(
    ("density", "confidence", "deliberate", "boost"),
    [
        (3, 0.5, False, 1.0),
        (0, 0.0, False, 0.7),
        (3, 0.9, False, 1.12),  # 1 + .3 · (3/6 + .9 − 1)
        (1, 0.3, False, 0.865),  # 1 + .3 · (1/4 + .3 − 1)
        (0, 0.0, True, 1.3),
        (3, None, False, 1.0),
    ],
)
def test_the_boost_lies_between_seven_and_thirteen_tenths(
    density: int, confidence: float | None, deliberate: bool, boost: float
) -> None:
    """How much there is to hold on to, how sure one is, and whether it was asked for."""
    sight = seen(density=density, confidence=confidence)
    assert weigh(sight, (), None, V9, deliberate=deliberate).importance == pytest.approx(0.475 * boost)


@pytest.mark.req("D3")
@pytest.mark.parametrize(
    ("arousal", "utility", "attention", "value", "priority"),
    [
        (1.0, 0.74, 1.0, 0.81, "critical"),
        (1.0, 0.66, 1.0, 0.79, "high"),
        (1.0, 0.74, 0.0, 0.61, "high"),
        (1.0, 0.66, 0.0, 0.59, "normal"),
        (0.0, 0.34, 1.0, 0.41, "normal"),
        (0.0, 0.26, 1.0, 0.39, "low"),
    ],
)
def test_the_weight_names_its_priority(
    arousal: float, utility: float, attention: float, value: float, priority: str
) -> None:
    """Critical from .8, high from .6, normal from .4. The value is .125 + .3 a + .25 u + .2 t: novelty is a half."""
    found = weigh(seen(arousal), (Near(memory("x", utility=utility), 0.5),), attention, V9, deliberate=False)
    assert (found.importance, found.priority) == (pytest.approx(value), priority)
    assert f"{value:.2f}: novelty 0.50, arousal {arousal:.2f}" in found.why


@pytest.mark.req("B3", "C2")
@pytest.mark.parametrize(("name", "importance"), [("exocortex", 0.5), ("openclaw", 0.7), ("ocean", 0.5)])
def test_recipes_that_do_not_weigh_give_a_constant(name: str, importance: float) -> None:
    """In document B everything starts at .5, whatever is felt or asked."""
    encode = recipe(name).encode
    assert weigh(seen(1.0), (), 1.0, encode, deliberate=True).importance == importance


def test_no_importance_exceeds_one() -> None:
    """Everything at its most, and asked for."""
    for name in NAMES:
        assert weigh(seen(1.0, 100, 1.0), (), 1.0, recipe(name).encode, deliberate=True).importance <= 1.0
