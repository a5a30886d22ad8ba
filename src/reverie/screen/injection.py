"""The verdict on a text: whether it is held back, and whether it speaks to a model at all.

In: a text. Out: a reason, or none. What it says under a disguise weighs more than the same said openly.
"""

from __future__ import annotations

from reverie.screen.orders import weigh
from reverie.screen.readings import readings

HELD = 0.9
"""From this weight on a text is held back."""
ADDRESSED = 0.5
"""From this weight on a text speaks to a model."""
_DISGUISE = 0.5
_DISGUISED_MIN = 0.6
"""What says less when its disguise is off, wears none."""


def quarantine_reason(text: str) -> str | None:
    """Why a text must not be recalled; None: it may."""
    weight, reason = judged(text)
    return reason if weight >= HELD else None


def addresses_model(text: str) -> bool:
    """Whether a text speaks to a model, so that it is labelled where it is injected; milder than quarantine."""
    return judged(text)[0] >= ADDRESSED


def judged(text: str) -> tuple[float, str]:
    """The weight of the orders in a text, from 0, and what they are; the heaviest reading counts."""
    weight, reason = weigh(text)
    for other in readings(text):
        found, told = weigh(other)
        if found >= _DISGUISED_MIN and found > weight:  # read openly it said less: the orders were hidden
            weight, reason = found + _DISGUISE, f"hides its words; {told}"
    return weight, reason
