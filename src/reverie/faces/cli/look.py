"""Commands that look at memories: ``memory``, ``memory relate``, ``dream list``, ``stats health``, ``stats plot``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.durable import draft_of, unwritable
from reverie.errors import InvalidInput, NotFound
from reverie.faces.cli.exits import place_for
from reverie.faces.cli.invocation import Command, CommandGroup, Invocation, pass_invocation
from reverie.faces.cli.screen import Column, Screen, cut
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from reverie.answers import Health
    from reverie.config import Settings
    from reverie.engine.core import Reverie
    from reverie.events import Event, FieldChange
    from reverie.types import Memory, Relation, Scope


@dataclass(frozen=True, slots=True)
class Census:
    """Counts of a scope's formed memories by kind, tier and state; and how many of all memories are quarantined."""

    formed: int
    kinds: Counter[str]
    tiers: Counter[str]
    states: Counter[str]
    pinned: int
    immutable: int
    quarantined: int
    relations: int

    def rows(self) -> list[tuple[str, str]]:
        """Return table rows of a name and a count, without counts of zero."""
        counted = [pair for counts in (self.kinds, self.tiers, self.states) for pair in sorted(counts.items())]
        marked = [("pinned", self.pinned), ("immutable", self.immutable), ("links", self.relations)]
        rows = [("formed", self.formed), *((f"  {name}", count) for name, count in [*counted, *marked] if count)]
        return [(name, str(count)) for name, count in [*rows, ("in quarantine", self.quarantined)]]


def census(memory: Reverie, scope: Scope) -> Census:
    """Count the formed memories of a scope."""
    formed = memory.admin.formed(scope)
    return Census(
        formed=len(formed),
        kinds=Counter(str(one.kind) for one in formed),
        tiers=Counter(str(one.standing.tier) for one in formed),
        states=Counter(str(one.standing.state) for one in formed),
        pinned=sum(one.standing.pinned for one in formed),
        immutable=sum(one.standing.immutable for one in formed),
        quarantined=len(memory.admin.quarantined(scope)),
        relations=len(memory.admin.relations(scope)),
    )


def describe(memory: Memory) -> str:
    """Describe a memory's kind, tier, state, numbers and flags in a few words."""
    life = memory.standing
    marks = [mark for mark, is_set in (("pinned", life.pinned), ("immutable", life.immutable)) if is_set]
    marks += ["verified"] if life.verified else []
    numbers = f"importance {life.importance:.2f}, utility {life.utility:.2f}"
    return ", ".join([str(memory.kind), str(life.tier), str(life.state), numbers, *marks])


def show_memories(screen: Screen, memories: Sequence[Memory]) -> None:
    """Show a row for each memory: its kind, tier and state, text, entities and id."""
    if not memories:
        return
    columns = [Column("kind", style="cyan"), Column("state", style="green"), Column("memory", wraps=True)]
    columns += [Column("entities", style="magenta", under=True), Column("id", style="dim", under=True)]
    rows = [(str(m.kind), stands(m), cut(m.text), ", ".join(m.entities), m.id) for m in memories]
    screen.table(columns, rows)


def stands(memory: Memory) -> str:
    """Return a formed memory's tier and state; of an episode only a state other than active."""
    life = memory.standing
    if memory.sources == (memory.id,):
        return "" if life.state == "active" else str(life.state)
    return f"{life.tier} {life.state}"


KINDS = ("supersedes", "contradicts", "causes", "elaborates", "same_entity", "related_to")
"""The values of ``reverie.types.RelationKind``, repeated so that help does not load numpy; a test holds them equal."""

ADDRESS = "entity://"
_HOPS = 6


@dataclass(frozen=True, slots=True)
class GraphNeighbourhood:
    """Memories and their links; ``naming`` are the ids of those that name the entity, if the start was an entity."""

    memories: list[Memory]
    relations: list[Relation]
    naming: frozenset[str] = frozenset()


@click.command("relate", cls=Command, short_help="Relate two memories.")
@click.argument("source", metavar="ID")
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("target", metavar="OTHER")
@click.option("--confidence", type=click.FloatRange(0.0, 1.0), default=1.0, show_default=True, help="How sure it is.")
@pass_invocation
def relate_command(invocation: Invocation, source: str, kind: str, target: str, confidence: float) -> None:
    """Record how the memory ID relates to OTHER: it supersedes, contradicts, causes, elaborates … it.

    An existing link is replaced.
    """
    from reverie.types import RelationKind

    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        edge = memory.relate(source, target, scope, RelationKind(kind), confidence=confidence)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "relation": edge})
        return
    screen.line(f"related: {edge.source} {edge.kind} {edge.target} ({edge.confidence:.2f})")
    screen.line(f"scope: {scope}")


@click.command("graph", cls=Command, short_help="Show the memories related to one.")
@click.argument("start", metavar="ID|ENTITY")
@click.option("--hops", type=click.IntRange(1, _HOPS), default=2, show_default=True, help="How many links to follow.")
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
        screen.json({"scope": scope, "memories": found.memories, "relations": found.relations})
        return
    screen.line(f"scope: {scope} · {len(found.memories)} memories, {len(found.relations)} links around {start}")
    show_memories(screen, found.memories)
    if found.relations:
        columns = [Column("from"), Column("link", style="bold"), Column("to"), Column("confidence", number=True)]
        screen.table(columns, [(e.source, str(e.kind), e.target, f"{e.confidence:.2f}") for e in found.relations])


def around(memory: Reverie, scope: Scope, start: str, hops: int, kinds: tuple[str, ...] = ()) -> GraphNeighbourhood:
    """Return what is linked with a memory of this id, else with an entity of this address or name. Raises NotFound.

    ``kinds`` restricts the links followed; empty: all kinds.
    """
    try:
        return GraphNeighbourhood(*memory.admin.graph(start, scope, hops=hops, kinds=kinds))
    except NotFound:
        found = _naming(memory, scope, start, kinds)
        if found is None:
            raise NotFound(
                f"Scope {scope} has no memory {start!r}, and none that names it.",
                "`reverie timeline --json` shows ids and entities.",
            ) from None
        return found


def _naming(memory: Reverie, scope: Scope, entity: str, kinds: tuple[str, ...]) -> GraphNeighbourhood | None:
    """Return the formed memories that name an entity, with their links and the memories these lead to; None without
    any.
    """
    core = [one for one in memory.admin.formed(scope) if _names(one, entity)]
    if not core:
        return None
    known = {one.id: one for one in core}
    names = frozenset(known)
    edges = [edge for edge in memory.admin.relations(scope, tuple(known)) if not kinds or edge.kind in kinds]
    for end in dict.fromkeys(end for edge in edges for end in (edge.source, edge.target) if end not in known):
        known[end] = memory.memory(end, scope)
    return GraphNeighbourhood(list(known.values()), edges, names)


def _names(memory: Memory, entity: str) -> bool:
    """Whether a memory names an entity, by its address or by the last part of it."""
    from reverie.language.names.entities import slug

    if entity.startswith(ADDRESS):
        return entity in memory.entities
    ending = f"/{slug(entity)}"
    return any(one.startswith(ADDRESS) and one.endswith(ending) for one in memory.entities)


_DAYS_SHOWN = 7


@click.group(
    "memory",
    cls=CommandGroup,
    short_help="Inspect, pin, release or erase a memory.",
    lazy={
        "show": "look.show_command",
        "history": "look.history_command",
        "provenance": "look.provenance_command",
        "expand": "look.expand_command",
        "graph": "look.graph_command",
        "pin": "tend.pin_command",
        "unpin": "tend.unpin_command",
        "protect": "tend.protect_command",
        "revive": "tend.revive_command",
        "quarantined": "tend.quarantined_command",
        "quarantine": "tend.quarantine_command",
        "release": "tend.release_command",
        "relate": "look.relate_command",
        "skills": "skills.skills_command",
        "run": "skills.run_command",
        "erase": "tend.erase_command",
    },
)
def memory_command() -> None:
    """Look at one memory, or change how it is kept. Ids are shown by `reverie recall` and `reverie timeline`."""


@click.command("show", cls=Command, short_help="Show one memory.")
@click.argument("memory_id", metavar="ID")
@pass_invocation
def show_command(invocation: Invocation, memory_id: str) -> None:
    """Show one memory: its text, who said it and when, what it was formed from, and how it is kept."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.memory(memory_id, scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "memory": found})
        return
    screen.line(found.text)
    screen.line(f"scope: {scope} · {found.id}")
    screen.line(f"{found.speaker}, {found.at:%Y-%m-%d %H:%M} UTC: {describe(found)}")
    sources = [source for source in found.sources if source != found.id]
    if sources:
        screen.line(f"formed of {', '.join(sources)}")
    if found.valid_until is not None:
        screen.line(f"no longer holds since {found.valid_until:%Y-%m-%d %H:%M} UTC")


@click.command("history", cls=Command, short_help="List every change of a memory.")
@click.argument("memory_id", metavar="ID")
@pass_invocation
def history_command(invocation: Invocation, memory_id: str) -> None:
    """List every event that touched a memory, oldest first: how it came, accesses, changes, links, forgetting.

    `reverie undo --event NUMBER` undoes one of them.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        events = memory.admin.history(memory_id, scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "events": events})
        return
    screen.line(f"scope: {scope} · {len(events)} events")
    columns = [Column("event", number=True), Column("at (UTC)", style="green"), Column("by", style="cyan")]
    columns += [Column("what", style="magenta"), Column("why", wraps=True, under=True)]
    columns += [Column("before → after", wraps=True, under=True)]
    screen.table(columns, [_row(event, memory_id) for event in events])


@click.command("provenance", cls=Command, short_help="Show where a memory came from.")
@click.argument("memory_id", metavar="ID")
@pass_invocation
def provenance_command(invocation: Invocation, memory_id: str) -> None:
    """Show a memory and everything it was made of, down to the messages: when each was made, by whom and why."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.admin.provenance(memory_id, scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "origins": found})
        return
    screen.line(f"scope: {scope} · {len(found)} memories")
    columns = [Column("depth", number=True), Column("event", number=True), Column("at (UTC)", style="green")]
    columns += [Column("by", style="cyan"), Column("memory", wraps=True), Column("id", style="dim", under=True)]
    rows = [
        (str(o.depth), str(o.seq), f"{o.at:%Y-%m-%d %H:%M}", o.actor, cut(o.memory.text), o.memory.id) for o in found
    ]
    screen.table(columns, rows)


@click.command("expand", cls=Command, short_help="Show the words a memory was made of.")
@click.argument("memory_id", metavar="ID")
@pass_invocation
def expand_command(invocation: Invocation, memory_id: str) -> None:
    """Show a digest, theme or fact statement by statement, and then the words it was made of, whole, also dormant ones.

    The numbers after a statement are those of the words that say it.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.admin.expand(memory_id, scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, **shape(found)})
        return
    numbers = {one.id: number for number, one in enumerate(found.sources, 1)}
    screen.line(f"scope: {scope} · {len(found.statements)} statements, made of {len(found.sources)} memories")
    for statement in found.statements:
        at = ", ".join(str(numbers[name]) for name in statement.sources)
        screen.line(f"{statement.text} [{at or '-'}]")
    columns = [Column("", number=True), Column("said (UTC)", style="green"), Column("who", style="cyan")]
    columns += [Column("state"), Column("memory", wraps=True), Column("id", style="dim", under=True)]
    rows = [
        (str(numbers[o.id]), f"{o.at:%Y-%m-%d %H:%M}", o.speaker, o.standing.state, o.text, o.id) for o in found.sources
    ]
    screen.table(columns, rows)


@click.command("list", cls=Command, short_help="List past dreams and what they changed.")
@click.option("--limit", type=click.IntRange(1, 1000), default=5, show_default=True, help="At most so many.")
@pass_invocation
def dreams_command(invocation: Invocation, limit: int) -> None:
    """Show what the last dreams did, newest first: for each step how many changes, why, and samples before → after.

    `reverie undo --cycle ID` undoes one of them.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.admin.dreams(scope, limit=limit)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "dreams": found})
        return
    screen.line(f"scope: {scope} · {len(found)} dreams")
    for dream in found:
        for line in dream.lines():
            screen.line(line)


@click.command("health", cls=Command, short_help="Report junk, stale memories and growth.")
@pass_invocation
def health_command(invocation: Invocation) -> None:
    """Show the condition of a scope's memory: what it holds, what of it is junk or stale, how it grew.

    Junk was formed a month ago or longer, and since then was neither recalled nor marked as important.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.admin.health(scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json(found)
        return
    screen.line(f"scope: {scope}")
    screen.table([Column("what"), Column("count", number=True)], _rows(found))


def _row(event: Event, memory_id: str) -> tuple[str, ...]:
    changes = getattr(event.payload, "changes", ())
    fields = [field for change in changes if change.memory == memory_id for field in change.fields]
    what = str(event.action) if event.payload is not None else f"{event.action} (erased)"
    return str(event.seq), f"{event.at:%Y-%m-%d %H:%M}", event.actor, what, event.why, "; ".join(map(_field, fields))


def _field(field: FieldChange) -> str:
    before, after = (cut(str(value), 40) if value is not None else "–" for value in (field.before, field.after))
    return f"{field.name} {before} → {after}"


def _rows(found: Health) -> list[tuple[str, str]]:
    counted = [("memories", found.memories), ("current", found.current), ("junk", found.junk)]
    counted += [("superseded", found.superseded), ("outdated episodes", found.outdated)]
    counted += [("forgotten or over", found.forgotten), ("in quarantine", found.quarantined)]
    groups = [(f"  {name}", count) for group in (found.kinds, found.tiers, found.states) for name, count in group]
    grown = [(f"  {one.day}", one.episodes + one.formed) for one in found.growth[-_DAYS_SHOWN:]]
    rows = [*counted[:1], *groups, *counted[1:], ("recorded by day", sum(count for _, count in grown)), *grown]
    rows += [("observed", found.observed), ("of these led to nothing", found.gated)]
    rows += [("events", found.events), ("bytes", found.disk_bytes)]
    return [(name, str(count)) for name, count in rows]


PICTURES = ("forgetting", "dream", "graph", "recall")
_AHEAD_DAYS = 30.0


@click.command("plot", cls=Command, short_help="Plot forgetting, a dream, a graph or recall.")
@click.argument("picture", type=click.Choice(PICTURES))
@click.argument("what", required=False)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to; .svg or .png.")
@click.option("--force", is_flag=True, help="Write over a file that exists.")
@click.option(
    "--hops", type=click.IntRange(1, 6), default=2, show_default=True, help="graph: how many links to follow."
)
@click.option(
    "--ahead", type=click.FloatRange(0.0, 3650.0), default=_AHEAD_DAYS, show_default=True, help="forgetting: more days."
)
@pass_invocation
def plot_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation, picture: str, what: str | None, out: Path | None, force: bool, hops: int, ahead: float
) -> None:
    """Draw a picture of WHAT.

    `forgetting ID`: how a memory fades, and its accesses. `dream [CYCLE]`: which memories a dream moved, from where to
    where. `graph ID|ENTITY`: what is linked with a memory or an entity. `recall CUE`: what each signal added to the
    score of each hit.

    No access is counted. The command needs the extra "plots".
    """
    from reverie.extras import require
    from reverie.faces.plots.canvas import save

    require("plots", "A picture")
    scope, settings = invocation.scope(), invocation.settings()
    file = out or Path(f"{picture}.{settings.plots.format}")
    _check(file, picture, what)
    place = place_for(file, settings, force=force)
    with invocation.open(model=picture == "recall", reads=picture == "recall") as memory:
        asked = _Asked(memory, scope, settings, what or "", hops, ahead)
        figure = _DRAWN[picture](asked)
    # Written to a draft and then moved, so that a full disk does not cost the earlier picture.
    draft = draft_of(place)
    draft = draft.with_name(draft.name + file.suffix)
    try:
        save(figure, draft, dpi=settings.plots.dpi)
        draft.replace(place)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise unwritable(error, file) from None
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "picture": picture, "file": str(file)})
    else:
        screen.line(f"drawn: {file}")
        screen.line(f"scope: {scope}")


def _check(file: Path, picture: str, what: str | None) -> None:
    """Check what can be refused before the store is opened."""
    from reverie.faces.plots.canvas import format_of

    if what is None and picture != "dream":
        raise click.UsageError(f"Say what `reverie stats plot {picture}` should draw.")
    format_of(file)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The input of a picture."""

    memory: Reverie
    scope: Scope
    settings: Settings
    what: str
    hops: int
    ahead: float


def _forgetting(asked: _Asked) -> Figure:
    from reverie.faces.plots import charts

    curve = asked.memory.admin.forgetting_curve(asked.what, asked.scope, days=asked.ahead)
    if not curve.points:
        raise InvalidInput(
            f"Memory {curve.memory.id} is an episode, and those do not fade.",
            "`reverie timeline` shows what was formed of it: that has a tier.",
        )
    return charts.draw_forgetting(curve)


def _dream(asked: _Asked) -> Figure:
    from reverie.faces.plots import flow

    return flow.draw(flow.flow_of(asked.memory.admin.events(asked.scope), asked.what or None), str(asked.scope))


def _graph(asked: _Asked) -> Figure:
    from reverie.faces.plots import charts

    found = around(asked.memory, asked.scope, asked.what, asked.hops)
    return charts.draw_relations(asked.what, found.memories, found.relations, found.naming)


def _recall(asked: _Asked) -> Figure:
    from reverie.faces.plots import charts

    top_k, budget = asked.settings.top_k or None, asked.settings.budget_tokens or None
    found = asked.memory.explain(asked.what, asked.scope, top_k=top_k, budget_tokens=budget)
    return charts.draw_breakdown(found.recollection)


_DRAWN: dict[str, Callable[[_Asked], Figure]] = {
    "forgetting": _forgetting,
    "dream": _dream,
    "graph": _graph,
    "recall": _recall,
}
