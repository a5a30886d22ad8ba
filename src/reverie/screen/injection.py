"""The verdict on a text: whether it is held back, and whether it speaks to a model at all.

In: a text. Out: a reason, or none. What it says under a disguise weighs more than the same said openly.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from reverie.screen.normalisation import hidden, normal, spaced, tagged
from reverie.screen.orders import weigh
from reverie.screen.readings import readings

STRETCH = 1 << 18
_OVERLAP = 1 << 13
"""A longer text is read in stretches, in characters, that overlap by more than signs that belong together span: what is
held of its words while they are weighed does not grow with it."""
_CUTS = ("\n", ". ", " ")
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
    return max(map(_judged, _stretches(text)), key=lambda found: found[0])


def _stretches(text: str) -> Iterator[str]:
    """The text itself; one that is long in parts, cut where lines, sentences or words end."""
    start = 0
    while len(text) - start > STRETCH:
        yield text[start : start + STRETCH]
        earliest, latest = start + STRETCH - 2 * _OVERLAP, start + STRETCH - _OVERLAP
        ends = (text.rfind(cut, earliest, latest) + len(cut) for cut in _CUTS)
        start = next((end for end in ends if end > earliest), latest)
    yield text[start:]


def _judged(text: str) -> tuple[float, str]:
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
