"""A search over a vault's files: in, words, whose observations, and the day; out, the best of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from reverie.vault.held import Fault, gather
from reverie.vault.laws import Laws
from reverie.vault.places import Places
from reverie.vault.searching import Hit, search


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, in how many observations, and the files it could not read."""

    hits: tuple[Hit, ...]
    searched: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: the words, whose observations beside the shared ones (None: everybody's), how many at most."""

    query: str
    agent: str | None = None
    limit: int = 5


def find(places: Places, laws: Laws, wish: Wish, today: date) -> Found:
    """Search what is active and what is shared. Raises InvalidInput for what is no agent's name."""
    if wish.agent is not None:
        places.vault(wish.agent)  # checks the name
    held = gather(places, None if wish.agent is None else [wish.agent], archived=False)
    observations = (*held.active, *held.shared)
    hits = search(observations, wish.query, wish.limit, laws, today)
    return Found(tuple(hits), len(observations), held.faults)
