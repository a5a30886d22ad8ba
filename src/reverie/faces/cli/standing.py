"""``standing``: the orders and preferences that are to hold, and where each came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from reverie.faces.cli.invocation import Command, Invocation, pass_invocation
from reverie.faces.cli.screen import Column
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from reverie.engine.core import Reverie
    from reverie.types import Memory, Scope


@dataclass(frozen=True, slots=True)
class _Order:
    """One that stands: the memory, what it is, the caller that brought it, and whether the person said it."""

    memory: Memory
    kind: str
    actor: str
    is_theirs: bool

    @property
    def origin(self) -> str:
        """Who said it, in which session, and through what it came."""
        said = self.memory
        return f"{said.speaker} ({said.role}), session {said.session or '-'}, through {self.actor or '-'}"


@click.command("standing", cls=Command, short_help="List standing orders and their origin.")
@pass_invocation
def standing_command(invocation: Invocation) -> None:
    """Show the standing orders and preferences, each with its origin: who said it, where, and through what it came.

    Only what the person said is handed to an agent as a standing instruction. An order of anybody else, such as a
    model's tool, is handed over as a quotation, and shown here as one.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as engine:
        found = list(_orders(engine, scope))
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "standing": [_shape(one) for one in found]})
        return
    if not found:
        screen.line("nothing stands")
        return
    columns = [
        Column("id"),
        Column("day", style="green"),
        Column("what", style="bold"),
        Column("text"),
        Column("origin"),
    ]
    rows = [
        (
            one.memory.id,
            f"{one.memory.at:%Y-%m-%d}",
            one.kind if one.is_theirs else f"{one.kind}, quoted",
            one.memory.text,
            one.origin,
        )
        for one in found
    ]
    screen.table(columns, rows)


def _orders(engine: Reverie, scope: Scope) -> Iterator[_Order]:
    """What stands and still holds, as it was said; of an order and the message it was formed of, the order."""
    from reverie.engine.runtime import SystemClock
    from reverie.language.orders import MARKS, standing
    from reverie.stores.health import is_current
    from reverie.types import Kind, Role

    found: list[tuple[Memory, Kind]] = []
    now = SystemClock().now()
    for memory in engine.timeline(scope):
        kind = memory.kind if memory.kind in MARKS else standing(memory.text)
        if kind is not None and is_current(memory, now):
            found.append((memory, kind))
    formed = {source for memory, _ in found if memory.kind is not Kind.EPISODE for source in memory.sources}
    for memory, kind in found:
        if memory.id not in formed:
            events = engine.admin.history(memory.id, scope)
            yield _Order(memory, str(kind), events[0].actor if events else "", memory.role is Role.USER)


def _shape(order: _Order) -> dict[str, object]:
    return {
        **shape(order.memory),
        "stands_as": order.kind,
        "quoted": not order.is_theirs,
        "actor": order.actor,
    }
