"""The two hooks that Agent Zero calls; no error in them can ever break its loop.

What the hooks need is imported at their first call, in a thread and within the same guard.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.faces.agent_zero.house import HostLogLine, House

ENHANCE, MAINTAIN = "[MEM-ENHANCE]", "[MEM-MAINT]"


def now() -> datetime:
    """Return the current time, used if the caller passes none."""
    return datetime.now(UTC)


async def enhance(agent: Any, loop_data: Any, at: datetime | None = None) -> None:
    """Hook ``message_loop_prompts_after``: put this turn's memories into the prompt and count what was injected."""
    await _guarded(agent, ENHANCE, lambda house: _enhanced(house, loop_data, at or now()))


async def maintain(agent: Any, loop_data: Any = None, at: datetime | None = None) -> None:
    """Hook ``monologue_end``: count a loop, save what the turn changed, and run maintenance if it is due."""
    await _guarded(agent, MAINTAIN, lambda house: _maintained(house, loop_data, at or now()))


async def settled() -> None:
    """Wait until the work that the hooks began in the background is done and stored."""
    from reverie.faces.agent_zero import shelves

    await shelves.settled(shelves.release_all)


async def _guarded(agent: Any, prefix: str, work: Callable[[House], Awaitable[HostLogLine | None]]) -> None:
    from reverie.faces.agent_zero.house import House, failed

    house = House(agent)
    try:
        line = await work(house)
    except Exception as error:  # noqa: BLE001 - a host's edge: nothing of ours may break the agent's loop (A13)
        line = failed(prefix, "skipped", error)
    if line is not None:
        house.log(line.content, fault=line.fault)


async def _enhanced(house: House, loop_data: Any, at: datetime) -> HostLogLine | None:
    line: HostLogLine | None = await (await _loaded("turns")).Injecting(house, loop_data, at)()
    return line


async def _maintained(house: House, loop_data: Any, at: datetime) -> HostLogLine | None:
    line: HostLogLine | None = await (await _loaded("turns")).TurnMaintenance(house, loop_data, at)()
    return line


async def _loaded(name: str) -> Any:
    """Return a module of this face; its first import takes half a second, so it is done in a thread."""
    path = f"reverie.faces.agent_zero.{name}"
    return sys.modules.get(path) or await asyncio.to_thread(import_module, path)
