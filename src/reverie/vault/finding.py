"""A search over a vault's files: in, words, whose observations, and the day; out, the best of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from reverie.vault.held import Fault, gather
from reverie.vault.laws import Laws
from reverie.vault.places import Places
from reverie.vault.searching import Hit, foremost, search


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
    return Found(tuple(hits), len(observations), (*held.faults, *absent(places, wish.agent)))


def begin(places: Places, laws: Laws, wish: Wish, today: date) -> Found:
    """What an agent is to know when its session begins: its own and the shared, what is important and fresh first.

    The words of the wish do not count. Raises InvalidInput for what is no agent's name.
    """
    held = gather(places, None if wish.agent is None else [wish.agent], archived=False)
    observations = (*held.active, *held.shared)
    hits = foremost(observations, wish.limit, laws, today)
    return Found(tuple(hits), len(observations), (*held.faults, *absent(places, wish.agent)))


def absent(places: Places, agent: str | None) -> tuple[Fault, ...]:
    """That an agent has no memory in this vault, where it has none: then there is the shared alone."""
    if agent is None or agent in places.agents():
        return ()
    return (Fault(places.agents_folder / agent, 0, f"no agent is called {agent} here; only what is shared was read"),)
