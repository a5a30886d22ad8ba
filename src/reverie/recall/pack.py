"""Pack: fill the token budget in rank order; what does not fit is withheld, and says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reverie.answers import Hit


def pack(hits: Iterable[Hit], top_k: int, budget_tokens: int | None) -> tuple[list[Hit], list[Hit]]:
    """Split ranked hits into injected (at most ``top_k``, together within the budget) and withheld.

    A hit that is too long is passed over and the next tried, until as many were withheld as were asked for; one
    withheld already stays so.
    """
    injected: list[Hit] = []
    withheld: list[Hit] = []
    left = budget_tokens
    for hit in hits:
        if hit.withheld:
            withheld.append(hit)
        elif left is not None and hit.tokens > left:
            withheld.append(replace(hit, withheld=f"does not fit: {hit.tokens} tokens, {left} left"))
        else:
            injected.append(hit)
            left = None if left is None else left - hit.tokens
        if len(injected) == top_k or len(withheld) > top_k:
            break
    return injected, withheld
