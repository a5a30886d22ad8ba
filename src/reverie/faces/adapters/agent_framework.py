"""A memory for Microsoft's Agent Framework: ``Agent(client, context_providers=[ReverieProvider(engine, scope)])``.

Before a run the memories that match its messages are added as a message of context, fenced; afterwards the user's
messages and the agent's answer are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reverie.engine.core import Reverie
from reverie.extras import lacking
from reverie.faces.adapters.turns import TurnMemory
from reverie.types import Role, Scope

try:
    from agent_framework import AgentSession, ContextProvider, Message, SessionContext
except ImportError as error:
    raise lacking("agent-framework", "The adapter for Microsoft's Agent Framework") from error


class ReverieProvider(ContextProvider):  # type: ignore[misc]  # the package is skipped by our type check
    """A context provider over an engine.

    ``scope``: whose memory, or a function of the session. ``budget_tokens``: most tokens of one message of context, 0
    for no limit. ``source_id``: the provider's name in the framework's records.
    """

    def __init__(
        self,
        engine: Reverie,
        scope: Scope | Callable[[AgentSession], Scope],
        *,
        budget_tokens: int = 300,
        source_id: str = "reverie",
    ) -> None:
        super().__init__(source_id)
        self._scope = scope
        self._turns = TurnMemory(engine, budget_tokens)

    async def before_run(
        self, *, agent: Any, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Add the memories that match what the user said."""
        del agent
        said = "\n".join(text for role, text in _said(context.input_messages) if role is Role.USER)
        told = [message.text for message in context.get_messages()]
        added = await self._turns.recall(said, self._of(session), session.session_id, told)
        state["turn"] = int(state.get("turn", 0)) + 1
        if added:
            context.extend_messages(self, [Message("user", [added])])

    async def after_run(
        self, *, agent: Any, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Keep the user's messages and the answer."""
        del agent
        answer = context.response.text if context.response else ""
        said = [one for one in _said(context.input_messages) if one[0] is Role.USER]
        turn = str(state.get("turn", 0))
        await self._turns.keep([*said, (Role.ASSISTANT, answer)], self._of(session), session.session_id, turn)

    def _of(self, session: AgentSession) -> Scope:
        return self._scope if isinstance(self._scope, Scope) else self._scope(session)


def _said(messages: list[Message]) -> list[tuple[Role, str]]:
    roles = {"user": Role.USER, "assistant": Role.ASSISTANT}
    return [(roles[message.role], message.text) for message in messages if message.role in roles and message.text]
