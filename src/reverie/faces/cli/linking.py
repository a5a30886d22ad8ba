"""Links between memories: ``relate`` draws one, ``graph`` walks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from reverie.errors import NotFound
from reverie.faces.cli.command import Command
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.life import show_memories
from reverie.faces.cli.screen import Column
from reverie.wire import shapes

if TYPE_CHECKING:
    from reverie.engine.core import Reverie
    from reverie.types import Memory, Relation, Scope

KINDS = ("supersedes", "contradicts", "causes", "elaborates", "same_entity", "related_to")
"""The values of ``reverie.types.RelationKind``, spelled out so that help does not load numpy; a test holds them
equal."""

ADDRESS = "entity://"
_HOPS = 6


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Memories and their links; ``naming`` are the ids of those that name the entity, where one was asked for."""

    memories: list[Memory]
    relations: list[Relation]
    naming: frozenset[str] = frozenset()


@click.command("relate", cls=Command, short_help="Draw a link between two memories.")
@click.argument("source", metavar="ID")
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("target", metavar="OTHER")
@click.option("--confidence", type=click.FloatRange(0.0, 1.0), default=1.0, show_default=True, help="How sure it is.")
@pass_invocation
def relate_command(invocation: Invocation, source: str, kind: str, target: str, confidence: float) -> None:
    """Say how the memory ID stands to OTHER: it supersedes, contradicts, causes, elaborates … it.

    A link that is there already is set anew.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        edge = memory.relate(source, target, scope, kind, confidence=confidence)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": shapes.scope(scope), "relation": shapes.relation(edge)})
        return
    screen.line(f"related: {edge.source} {edge.kind} {edge.target} ({edge.confidence:.2f})")
    screen.line(f"scope: {scope}")


@click.command("graph", cls=Command, short_help="Show what is linked with a memory.")
@click.argument("start", metavar="ID|ENTITY")
@click.option("--hops", type=click.IntRange(1, _HOPS), default=2, show_default=True, help="How far to walk.")
@click.option("--type", "kinds", type=click.Choice(KINDS), multiple=True, help="Only along links of this kind; repeat.")
@pass_invocation
def graph_command(invocation: Invocation, start: str, hops: int, kinds: tuple[str, ...]) -> None:
    """Show the memories and links around a memory, or around an entity.

    An entity is named by its address (entity://person/zeynep) or its name alone (Zeynep).
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = around(memory, scope, start, hops, kinds)
    screen = invocation.screen
    if screen.as_json:
        edges = [shapes.relation(edge) for edge in found.relations]
        memories = [shapes.memory(one) for one in found.memories]
        screen.json({"scope": shapes.scope(scope), "memories": memories, "relations": edges})
        return
    screen.line(f"scope: {scope} · {len(found.memories)} memories, {len(found.relations)} links around {start}")
    show_memories(screen, found.memories)
    if found.relations:
        columns = [Column("from"), Column("link", style="bold"), Column("to"), Column("confidence", number=True)]
        screen.table(columns, [(e.source, str(e.kind), e.target, f"{e.confidence:.2f}") for e in found.relations])


def around(memory: Reverie, scope: Scope, start: str, hops: int, kinds: tuple[str, ...] = ()) -> Surroundings:
    """What is linked with a memory of this id, else with an entity of this address or name. Raises NotFound.

    ``kinds``: only by links of these kinds, else by all.
    """
    try:
        return Surroundings(*memory.graph(start, scope, hops=hops, kinds=kinds))
    except NotFound:
        found = _naming(memory, scope, start, kinds)
        if found is None:
            raise NotFound(
                f"Scope {scope} has no memory {start!r}, and none that names it.",
                "`reverie timeline --json` shows ids and entities.",
            ) from None
        return found


def _naming(memory: Reverie, scope: Scope, entity: str, kinds: tuple[str, ...]) -> Surroundings | None:
    """The formed memories that name an entity, with every such link that touches one of them and what it leads to."""
    core = [one for one in memory.formed(scope) if _names(one, entity)]
    if not core:
        return None
    edges = memory.relations(scope, tuple(one.id for one in core))
    edges = [edge for edge in edges if not kinds or edge.kind in kinds]
    known = {one.id: one for one in core}
    for end in dict.fromkeys(end for edge in edges for end in (edge.source, edge.target) if end not in known):
        known[end] = memory.memory(end, scope)
    return Surroundings(list(known.values()), edges, frozenset(one.id for one in core))


def _names(memory: Memory, entity: str) -> bool:
    """Whether a memory names an entity, by its address or by the end of it."""
    from reverie.language.names.entities import slug

    if entity.startswith(ADDRESS):
        return entity in memory.entities
    ending = f"/{slug(entity)}"
    return any(one.startswith(ADDRESS) and one.endswith(ending) for one in memory.entities)
