"""The verdict on a text: whether it is held back, and whether it speaks to a model at all.

In: a text. Out: a reason, or none. What it says under a disguise weighs more than the same said openly.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from reverie.screen.heads import parts, steering
from reverie.screen.normalisation import hidden, normal, spaced, tagged
from reverie.screen.orders import weigh
from reverie.screen.readings import readings
from reverie.types import PEOPLE, Role

HELD = 0.9
"""From this weight on a text is held back."""
ADDRESSED = 0.5
"""From this weight on a text speaks to a model."""
ADDRESSED_FROM = 0.2
_HELD_FROM = {True: 0.45, False: 0.3}
"""How much a text must steer by its words as a whole; to be held back, one of a person, and one of anything else.
2026-11-25, hands left out (``make train WHAT=screen``): decision 0061."""
_DISGUISE = 0.5
_TAGGED_MAX = 8
_DISGUISED_MIN = 0.6
"""What says less when its disguise is off, wears none."""


def quarantine_reason(text: str, said_by: Role = Role.USER) -> str | None:
    """Why a text must not be recalled; None: it may. A person's own words need to steer more than a tool's."""
    weight, reason = judged(text, said_by)
    return reason if weight >= HELD else None


def addresses_model(text: str) -> bool:
    """Whether a text speaks to a model, so that it is labelled where it is injected; milder than quarantine."""
    return judged(text)[0] >= ADDRESSED


def judged(text: str, said_by: Role = Role.USER) -> tuple[float, str]:
    """The weight of the orders in a text, from 0, and what they are; the heaviest reading counts.

    A text that hides words from its reader is held back whatever they say. Signs that a reader does not see and forms
    of letters change nothing else: "ıgnore" under three accents weighs what it weighs without.
    """
    return max((_judged(part, _HELD_FROM[said_by in PEOPLE]) for _, part in parts(text)), key=lambda found: found[0])


def _judged(text: str, held_from: float) -> tuple[float, str]:
    seen = normal(text)
    weight, reason = _weighed(seen, held_from)
    if (parted := spaced(text)) is not None and (found := _weighed(parted, held_from))[0] > weight:
        weight, reason = found
    for other in _disguised(text, seen):
        found_weight, told = _weighed(other, held_from)
        if found_weight >= _DISGUISED_MIN and found_weight > weight:  # read openly it said less: the orders were hidden
            weight, reason = found_weight + _DISGUISE, f"hides its words; {told}"
    if concealed := hidden(text):
        return weight + 1.0, f"{concealed}; {reason}" if reason else concealed
    return weight, reason


def _weighed(text: str, held_from: float) -> tuple[float, str]:
    """The heavier of what the signs in a plain text say and what its words as a whole do."""
    weight, reason = weigh(text)
    told = _of_steering(steering(text), held_from)
    return (told, "reads like what is written to steer a model") if told > weight else (weight, reason)


def _of_steering(steers: float, held_from: float) -> float:
    """What steering weighs: 0 below ``ADDRESSED_FROM``, there ``ADDRESSED``, from ``held_from`` on ``HELD``."""
    if steers < ADDRESSED_FROM:
        return 0.0
    share = (steers - ADDRESSED_FROM) / (held_from - ADDRESSED_FROM)
    return ADDRESSED + min(share, 1.0) * (HELD - ADDRESSED)


def _disguised(text: str, seen: str) -> Iterator[str]:
    """The readings of the normal text, and what tag characters spell."""
    yield from readings(seen)
    if seen is not text:
        yield from islice(tagged(text), _TAGGED_MAX)
