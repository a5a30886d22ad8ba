"""Texts on their way to a model and back: in, words of the store or of the model; out, a fence, or words to keep.

Whatever was ever said may stand in a memory, so a model gets it between marks that no memory can hold, and what it
hands back to be kept loses such blocks first: what was recalled is not said again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reverie.errors import InvalidInput
from reverie.screen.fences import fence, strip_fences
from reverie.screen.injection import addresses_model

_LONE = re.compile("[\ud800-\udfff]")
SHOWN_CHARS = 20_000
"""Of one text, a model is shown so much; an orders-of-magnitude guard, since a text may be a megabyte."""


class Fencing:
    """Fences texts with one nonce, which the composition root makes for each server."""

    def __init__(self, nonce: str) -> None:
        self._nonce = nonce

    def __call__(self, texts: Sequence[str], most: int = SHOWN_CHARS, labels: Sequence[str] = ()) -> str:
        """One block of these texts, each at most ``most`` characters, behind its label if any; empty for none."""
        shown = [shortened(text, most) for text in texts]
        return fence(shown, self._nonce, addressed=[addresses_model(text) for text in shown], labels=labels)


def shortened(text: str, most: int) -> str:
    """The beginning of a text as JSON can carry it: lone surrogates become U+FFFD."""
    cut = text if len(text) <= most else f"{text[:most]} … ({len(text)} characters in all)"
    return sendable(cut)


def sendable(text: str) -> str:
    """The text as JSON can carry it."""
    return _LONE.sub("\ufffd", text)


def to_keep(text: str) -> str:
    """What a model wants kept, without what it was given. Raises InvalidInput where nothing else is left."""
    kept = strip_fences(text)
    if kept != text and not kept.strip():
        raise InvalidInput("The text is only what was recalled.", "Store what is new, in words of your own.")
    return kept
