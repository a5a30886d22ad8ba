"""Google ADK's memory service on Reverie.

Give ``Runner(memory_service=…)`` a ``ReverieMemoryService`` made of an engine and a project's name. An application's
name becomes the scope's agent and a user's id its user, so every user of every application has a memory of their own.
Messages are stored as episodes, and memories are formed from them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from reverie.answers import Hit
from reverie.engine.core import Reverie
from reverie.errors import InvalidInput, NotFound
from reverie.extras import lacking
from reverie.recall.annotations import labels, notes
from reverie.screen.fences import fence, strip_fences
from reverie.screen.injection import addresses_model
from reverie.types import Message, Role, Scope

try:
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai import types
except ImportError as error:
    raise lacking("adk", "The adapter for Google's ADK") from error

if TYPE_CHECKING:
    from google.adk.events.event import Event
    from google.adk.sessions.session import Session

_TAG = "PAST_CONVERSATIONS"
"""The tag in which ADK wraps the memories it puts into a prompt."""


class ReverieMemoryService(BaseMemoryService):  # type: ignore[misc]  # the package is skipped by our type check
    """ADK's long-term memory over an engine; ``project`` is the scope's project for all users.

    ``top_k``: most memories a search returns; by default the recipe's number. ``erase``: ``delete_memory`` deletes for
    good instead of forgetting.
    """

    def __init__(
        self, engine: Reverie, *, project: str = "default", top_k: int | None = None, erase: bool = False
    ) -> None:
        self._engine = engine
        self._project = project
        self._top_k = top_k
        self._erase = erase
        self._nonce = token_hex(16)

    def scope(self, app_name: str, user_id: str) -> Scope:
        """Return the scope of an application's user."""
        return Scope(agent=app_name, user=user_id, project=self._project)

    async def add_session_to_memory(self, session: Session) -> None:
        """Store a session's messages; known ones are ignored, and deleted ones stay deleted."""
        scope = self.scope(session.app_name, session.user_id)
        await asyncio.to_thread(self._observe, scope, _messages(session.events, session.id))

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store some events of a session. ``custom_metadata`` is ignored."""
        del custom_metadata
        messages = _messages(events, session_id or "default")
        await asyncio.to_thread(self._observe, self.scope(app_name, user_id), messages)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store memories that somebody explicitly wants remembered, word for word."""
        del custom_metadata
        told = [_told(entry) for entry in memories]
        messages = [message for message in told if message.text.strip()]
        await asyncio.to_thread(self._observe, self.scope(app_name, user_id), messages, deliberate=True)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Return the memories that answer a query, best first, with Reverie's ids."""
        scope = self.scope(app_name, user_id)
        answer = await asyncio.to_thread(self._engine.recall, query, scope, top_k=self._top_k)
        hits = (*answer.standing, *answer.hits)
        told = labels(notes(hits), [hit.memory for hit in answer.withheld])
        return SearchMemoryResponse(memories=[self._entry(hit, label) for hit, label in zip(hits, told, strict=True)])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forget or erase a memory that a search returned; an unknown id is ignored."""
        if memory_id:
            await asyncio.to_thread(self._delete, memory_id, self.scope(app_name, user_id))

    def _observe(self, scope: Scope, messages: Iterable[Message], deliberate: bool = False) -> None:
        for message in messages:
            self._engine.observe(message, scope, deliberate=deliberate)

    def _delete(self, memory_id: str, scope: Scope) -> None:
        try:
            if self._erase:
                self._engine.admin.erase(memory_id, scope, why="deleted")
            else:
                self._engine.forget(memory_id, scope, why="deleted")
        except NotFound:
            return

    def _entry(self, hit: Hit, label: str) -> MemoryEntry:
        """Return a hit as ADK's entry, fenced if it has a label or could be taken for an instruction."""
        memory = hit.memory
        text = hit.shown or memory.text
        speaks = addresses_model(text)
        if label or speaks or _TAG.lower() in text.lower():  # with its tag a text could break out of ADK's block
            text = fence([text], self._nonce, addressed=[speaks], labels=[label])
        role = "model" if memory.role is Role.ASSISTANT else "user"
        return MemoryEntry(
            id=memory.id,
            content=types.Content(role=role, parts=[types.Part(text=text)]),
            author=memory.speaker,
            timestamp=memory.at.isoformat(),
            custom_metadata={"kind": str(memory.kind), "score": hit.score},
        )


def _messages(events: Iterable[Event], session: str) -> list[Message]:
    """Return what was said in some events: complete texts, without the model's thoughts and tool calls."""
    told = [(event, _words(event.content)) for event in events if not event.partial]
    return [
        Message(
            text=text,
            speaker=event.author or "user",
            role=Role.USER if event.author in ("", "user") else Role.ASSISTANT,
            session=session,
            at=datetime.fromtimestamp(event.timestamp, UTC),
            message_id=event.id or None,
        )
        for event, text in told
        if text.strip()
    ]


def _told(entry: MemoryEntry) -> Message:
    author = entry.author or "user"
    role = Role.ASSISTANT if entry.content.role == "model" else Role.USER
    at = None if entry.timestamp is None else _moment(entry.timestamp)
    return Message(_words(entry.content), author, role, at=at, message_id=entry.id)


def _moment(told: str) -> datetime:
    try:
        at = datetime.fromisoformat(told)
    except ValueError:
        raise InvalidInput(f"The timestamp {told!r} is no time.", "Use ISO 8601, or leave it out.") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _words(content: types.Content | None) -> str:
    """Return the text of a content, without recalled (fenced) passages."""
    parts = (content.parts if content else None) or []
    return strip_fences("\n".join(part.text for part in parts if part.text and not part.thought))
