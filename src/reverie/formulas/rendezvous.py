"""Which of several places a key belongs to, by rendezvous hashing with weights."""

from __future__ import annotations

import math
from collections.abc import Mapping
from hashlib import sha256

_BITS = 64


def ranked(key: bytes, weights: Mapping[str, float]) -> list[str]:
    """Rank places for a key, best first; a place gets a share of all keys in proportion to its weight.

    Where a place is added, keys move to it alone, and its share of them; the order of the others stays. Weights are at
    least 0; with 0 a place gets nothing and is last. Ties by name.

    Source: thaler-rendezvous.
    """
    return sorted(weights, key=lambda place: (-_score(key, place, weights[place]), place))


def preferred(key: bytes, weights: Mapping[str, float]) -> str:
    """Return the best place for a key. Raises ValueError without a place.

    Source: thaler-rendezvous.
    """
    return min(weights, key=lambda place: (-_score(key, place, weights[place]), place))


def _score(key: bytes, place: str, weight: float) -> float:
    """Return w / −ln u for a hash u, uniform in (0, 1): the largest of these is a place's with probability w / Σw."""
    name = place.encode("utf-8", "surrogatepass")
    digest = sha256(len(name).to_bytes(4, "big") + name + key).digest()
    uniform = (int.from_bytes(digest[: _BITS // 8], "big") + 0.5) / 2.0**_BITS
    return weight / -math.log(min(uniform, 1.0 - 2.0**-53))
