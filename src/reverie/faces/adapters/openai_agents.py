"""A session of the OpenAI Agents SDK on Reverie.

From an engine, a scope and a session id, make an object of the SDK's ``Session`` protocol, for
``Runner.run(session=…)``. What people and agents said is stored word for word and can be recalled by every other face;
tool calls and results are stored as JSON. The SDK needs no base class, so nothing of it is imported here.
"""

from __future__ import annotations

import asyncio
import json
from threading import Lock
from typing import Any

from reverie.engine.core import Reverie
from reverie.errors import InvalidInput
from reverie.faces.adapters.shelf import is_masked
from reverie.types import Memory, Message, Role, Scope

SPEAKER = "openai-agents"
_SAID = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}


class ReverieSession:
    """A conversation's history.

    Attributes:
        session_id: the session's name, in the scope too.
        session_settings: the SDK's settings, or None; its ``limit`` is the default of ``get_items``.
    """

    def __init__(
        self,
        session_id: str,
        engine: Reverie,
        scope: Scope,
        *,
        observe: bool = False,
        erase: bool = False,
        session_settings: Any = None,
    ) -> None:
        """Create the session. ``observe``: also form memories from what is said. ``erase``: removed items are deleted
        for good.
        """
        self.session_id = session_id
        self.session_settings = session_settings
        self.scope = scope
        self._engine = engine
        self._observe = observe
        self._erase = erase
        self._lock = Lock()

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """Return the last ``limit`` items (default: all), oldest first."""
        if limit is None:
            limit = getattr(self.session_settings, "limit", None)
        return await asyncio.to_thread(self._items, limit)

    async def add_items(self, items: list[Any]) -> None:
        """Append items to the session."""
        await asyncio.to_thread(self._add, list(items))

    async def pop_item(self) -> Any:
        """Remove and return the last item; None if there is none."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Remove every item."""
        await asyncio.to_thread(self._clear)

    def _items(self, limit: int | None) -> list[Any]:
        if limit is not None and limit < 1:
            return []
        held = self._engine.admin.latest(self.session_id, self.scope, limit=limit)
        return [_item(memory) for memory in held]

    def _add(self, items: list[Any]) -> None:
        messages = [_message(item, self.session_id) for item in items]
        with self._lock:
            for message in messages:
                self._keep(message)

    def _keep(self, message: Message) -> None:
        plain = message.speaker != SPEAKER
        keep = self._engine.observe if self._observe and plain else self._engine.remember
        receipt = keep(message, self.scope)
        if not plain and is_masked(receipt) and not _is_json(self._engine.memory(receipt.id, self.scope).text):
            self._take(receipt.id)
            raise InvalidInput(
                "An item holds a number that the screen takes out, and is no item without it.",
                "Leave it out, or open the engine with a screen that leaves it.",
            )

    def _pop(self) -> Any:
        with self._lock:
            last = self._engine.admin.latest(self.session_id, self.scope, limit=1)
            if not last:
                return None
            self._take(last[0].id)
        return _item(last[0])

    def _clear(self) -> None:
        with self._lock:
            for memory in self._engine.admin.latest(self.session_id, self.scope, forgotten=self._erase):
                self._take(memory.id)

    def _take(self, memory_id: str) -> None:
        if self._erase:
            self._engine.admin.erase(memory_id, self.scope, why="taken back")
        else:
            self._engine.forget(memory_id, self.scope, why="taken back")


def _message(item: Any, session: str) -> Message:
    """Convert an item to a message: plain words stay words, everything else becomes JSON."""
    if not isinstance(item, dict):
        raise InvalidInput(f"An item is {type(item).__name__}.", "Give the dicts that the Agents SDK makes.")
    content, role = item.get("content"), item.get("role")
    if item.keys() == {"role", "content"} and role in _SAID and isinstance(content, str):
        return Message(content, role, _SAID[role], session)
    try:
        return Message(json.dumps(item, ensure_ascii=False), SPEAKER, Role.TOOL, session)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"An item is no JSON: {error}.", "Give text, numbers, lists and dicts.") from None


def _item(memory: Memory) -> Any:
    """Convert a memory back to an item. What another face stored counts as said by the user, assistant or system."""
    if memory.speaker == SPEAKER and memory.role is Role.TOOL:
        return json.loads(memory.text)
    role = memory.role if memory.role in (Role.ASSISTANT, Role.SYSTEM) else Role.USER
    return {"content": memory.text, "role": str(role)}


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
