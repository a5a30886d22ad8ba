"""A memory block for LlamaIndex's ``Memory`` on Reverie.

From an engine and a scope, make a ``BaseMemoryBlock``: messages that leave the short-term memory are stored, and each
turn gets what Reverie recalls for the person's last message, fenced and marked as data.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from secrets import token_hex
from typing import Any

from reverie.engine.core import Reverie
from reverie.engine.requests import Question
from reverie.extras import lacking
from reverie.formulas.text_statistics import estimated_tokens
from reverie.recall.annotations import Annotation, labels, notes
from reverie.screen.fences import fence, strip_fences
from reverie.screen.injection import addresses_model
from reverie.types import Memory, Message, Role, Scope

try:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.bridge.pydantic import Field, PrivateAttr
    from llama_index.core.memory import BaseMemoryBlock
except ImportError as error:
    raise lacking("llama-index", "The adapter for LlamaIndex") from error

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "model": Role.ASSISTANT, "chatbot": Role.ASSISTANT}


class ReverieMemoryBlock(BaseMemoryBlock[str]):  # type: ignore[misc]  # the package is skipped by our type check
    """Long-term memory over an engine and a scope.

    Attributes:
        engine: the open engine.
        scope: whose memory.
        session: session of messages that do not name their own.
        budget_tokens: most tokens to inject.
    """

    name: str = "reverie"
    engine: Reverie = Field(exclude=True)
    scope: Scope
    session: str = "default"
    budget_tokens: int = 1000
    _nonce: str = PrivateAttr(default_factory=lambda: token_hex(16))

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        """Return the fenced memories that answer the person's last message; empty if there is no such message."""
        del block_kwargs
        said = [_words(message) for message in messages or [] if _role(message) is Role.USER]
        return await asyncio.to_thread(self._recalled, said[-1]) if said and said[-1].strip() else ""

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Store messages as episodes and form memories from them."""
        said = [(message, _words(message)) for message in messages]
        told = [self._message(message, text) for message, text in said if text.strip()]
        await asyncio.to_thread(self._observe, told)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Shorten the content by a number of tokens: the last memories are dropped; None if none is left."""
        found, beside = getattr(content, "found", ()), getattr(content, "beside", ())
        most = estimated_tokens(content) - tokens_to_truncate
        while found := found[:-1]:
            shorter = self._fenced(found, beside)
            if estimated_tokens(shorter) <= most:
                return shorter
        return None

    def _recalled(self, cue: str) -> Fenced:
        question = Question(cue, session=self.session, automatic=True)
        answer = self.engine.recall(question, self.scope, budget_tokens=self.budget_tokens)
        return self._fenced(notes((*answer.standing, *answer.hits)), [hit.memory for hit in answer.withheld])

    def _fenced(self, found: Sequence[Annotation], beside: Sequence[Memory]) -> Fenced:
        texts = [one.text for one in found]
        speaking = [addresses_model(text) for text in texts]
        block = Fenced(fence(texts, self._nonce, addressed=speaking, labels=labels(found, beside)))
        block.found, block.beside = tuple(found), tuple(beside)
        return block

    def _observe(self, messages: list[Message]) -> None:
        for message in messages:
            self.engine.observe(message, self.scope)

    def _message(self, message: ChatMessage, text: str) -> Message:
        role = _role(message)
        session = str(message.additional_kwargs.get("session_id") or self.session)
        return Message(text, str(role), role, session)


class Fenced(str):
    """A fenced block that keeps the memories it was made from, so that it can be rebuilt from fewer."""

    __slots__ = ("beside", "found")

    found: tuple[Annotation, ...]
    beside: tuple[Memory, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the memories in the block."""
        return tuple(one.text for one in self.found)


def _role(message: ChatMessage) -> Role:
    said = str(getattr(message.role, "value", message.role))
    return _ROLES.get(said, Role.TOOL if said in ("tool", "function") else Role.SYSTEM)


def _words(message: ChatMessage) -> str:
    """Return the text of a message, without recalled (fenced) passages."""
    return strip_fences(message.content or "")
