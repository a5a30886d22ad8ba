"""The verdict on a text: whether it is held back, and whether it speaks to a model at all.

In: a text. Out: a reason, or none. What it says under a disguise weighs more than the same said openly.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from reverie.screen.normalisation import hidden, normal, spaced, tagged
from reverie.screen.orders import weigh
from reverie.screen.readings import readings

HELD = 0.9
"""From this weight on a text is held back."""
ADDRESSED = 0.5
"""From this weight on a text speaks to a model."""
_DISGUISE = 0.5
_TAGGED_MAX = 8
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
    """The weight of the orders in a text, from 0, and what they are; the heaviest reading counts.

    A text that hides words from its reader is held back whatever they say. Signs that a reader does not see and forms
    of letters change nothing else: "ıgnore" under three accents weighs what it weighs without.
    """
    seen = normal(text)
    weight, reason = weigh(seen)
    if (parted := spaced(text)) is not None and (found := weigh(parted))[0] > weight:
        weight, reason = found
    for other in _disguised(text, seen):
        found_weight, told = weigh(other)
        if found_weight >= _DISGUISED_MIN and found_weight > weight:  # read openly it said less: the orders were hidden
            weight, reason = found_weight + _DISGUISE, f"hides its words; {told}"
    if concealed := hidden(text):
        return weight + 1.0, f"{concealed}; {reason}" if reason else concealed
    return weight, reason


def _disguised(text: str, seen: str) -> Iterator[str]:
    """The readings of the normal text, and what tag characters spell."""
    yield from readings(seen)
    if seen is not text:
        yield from islice(tagged(text), _TAGGED_MAX)
