"""A memory around the turns of an agent: what its prompt gets before a turn, and what is kept after it.

Shared by the adapters whose framework calls before and after a run (Pydantic AI, Microsoft's Agent Framework).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from hashlib import blake2b
from secrets import token_hex

from reverie.engine.core import Reverie
from reverie.screen.fences import strip_fences
from reverie.types import Message, Role, Scope
from reverie.wire.blocks import SPEAKERS, question_of, recalled_block


class TurnMemory:
    """Recalls before a turn and keeps after it; ``budget_tokens`` is the most a block takes, 0 for no limit."""

    def __init__(self, engine: Reverie, budget_tokens: int) -> None:
        self._engine = engine
        self._budget = budget_tokens
        self._nonce = token_hex(16)

    async def recall(self, prompt: str, scope: Scope, session: str, told: Iterable[str] = ()) -> str:
        """Return the fenced memories that match a prompt; empty if there are none.

        ``told`` are texts that the model has before it already; their memories are left out.
        """
        return await asyncio.to_thread(self._block, prompt, scope, session, tuple(told))

    async def keep(self, said: Iterable[tuple[Role, str]], scope: Scope, session: str, turn: str) -> None:
        """Keep what was said in a turn, and form memories from it; a turn that is told again is kept once."""
        await asyncio.to_thread(self._keep, tuple(said), scope, session, turn)

    def _block(self, prompt: str, scope: Scope, session: str, told: tuple[str, ...]) -> str:
        known = "\n".join((prompt, *told))
        question = question_of(prompt, session)
        return recalled_block(
            self._engine, question, scope, self._nonce, self._budget, lambda memory: memory.text.strip() in known
        ).text

    def _keep(self, said: tuple[tuple[Role, str], ...], scope: Scope, session: str, turn: str) -> None:
        for number, (role, text) in enumerate(said):
            bare = strip_fences(text).strip()
            if bare:
                parts = f"{session}\0{turn}\0{number}\0{role}\0{bare}".encode("utf-8", "surrogatepass")
                name = f"turn-{blake2b(parts, digest_size=16).hexdigest()}"
                self._engine.observe(Message(bare, SPEAKERS[role], role, session, message_id=name), scope)
