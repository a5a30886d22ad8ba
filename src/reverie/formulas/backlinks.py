"""Who refers to whom in the vault, resolved from the backlinks as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """An observation: ids collide between agents, so the agent is part of its name."""

    agent: str
    id: str


def meant(link: str, agent: str, names: Iterable[Name]) -> tuple[Name, ...]:
    """The observations a backlink of ``agent`` may mean: ``other/obs-…`` names its agent; a bare id the agent's own.

    A bare id that is nobody's own may mean every other agent's of that name.

    Source: ocean-vault
    """
    owner, slash, bare = link.rpartition("/")
    bearers = sorted({name for name in names if name.id == bare and (not slash or name.agent == owner)})
    own = tuple(name for name in bearers if name.agent == agent)
    return own or tuple(bearers)


def resolved(link: str, agent: str, names: Iterable[Name]) -> Name | None:
    """The one observation a backlink of ``agent`` means; None where it may mean none, or several.

    Source: ocean-vault
    """
    found = meant(link, agent, names)
    return found[0] if len(found) == 1 else None


def references(backlinks: Sequence[tuple[Name, Sequence[str]]]) -> dict[Name, tuple[Name, ...]]:
    """For each observation those that refer to it (its ``ref_by``; their number is ``refs``), each once, sorted.

    Nobody refers to themselves.

    Args:
        backlinks: every observation with the backlinks it carries.

    Source: ocean-vault
    """
    by_id: dict[str, list[Name]] = {}
    for name, _ in backlinks:
        by_id.setdefault(name.id, []).append(name)
    found: dict[Name, set[Name]] = {name: set() for name, _ in backlinks}
    for name, links in backlinks:
        for link in links:
            target = resolved(link, name.agent, by_id.get(link.rpartition("/")[2], ()))
            if target is not None and target != name:
                found[target].add(name)
    return {name: tuple(sorted(sources)) for name, sources in found.items()}
