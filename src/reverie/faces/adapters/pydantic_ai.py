"""A memory for Pydantic AI's agents, as a capability: ``Agent(model, capabilities=[ReverieMemory(engine, scope)])``.

The memories that match a prompt become a part of it, fenced, and stay in the message history, so that later requests
begin with the same messages. What the user and the model said is kept after the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from reverie.engine.core import Reverie
from reverie.extras import lacking
from reverie.faces.adapters.turns import TurnMemory
from reverie.types import Role, Scope

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.run import AgentRunResult
    from pydantic_ai.tools import RunContext
except ImportError as error:
    raise lacking("pydantic-ai", "The adapter for Pydantic AI") from error


class ReverieMemory(AbstractCapability[Any]):  # type: ignore[misc]  # the package is skipped by our type check
    """A capability that recalls before a request and keeps what was said after the run.

    ``scope``: whose memory, or a function of the run's context, as ``lambda run: Scope("shop", run.deps.user, "web")``.
    ``budget_tokens``: most tokens added to a prompt, 0 for no limit.
    """

    def __init__(
        self, engine: Reverie, scope: Scope | Callable[[RunContext[Any]], Scope], *, budget_tokens: int = 300
    ) -> None:
        self._scope = scope
        self._turns = TurnMemory(engine, budget_tokens)

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Add the memories that match the prompt that the request ends with."""
        last = request_context.messages[-1] if request_context.messages else None
        prompt = "\n".join(_prompts([last])) if isinstance(last, ModelRequest) else ""
        if last is None or not prompt:
            return request_context
        told = [text for _, text in _said(request_context.messages)]
        added = await self._turns.recall(prompt, self._of(ctx), _session(ctx), told)
        if not added:
            return request_context
        fuller = replace(last, parts=[*last.parts, UserPromptPart(added)])
        if ctx.messages and ctx.messages[-1] is last:
            ctx.messages[-1] = fuller
        request_context.messages = [*request_context.messages[:-1], fuller]
        return request_context

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Keep what the user asked and the model's last answer."""
        said = list(_said(result.new_messages()))
        asked = [one for one in said if one[0] is Role.USER]
        answered = [one for one in said if one[0] is Role.ASSISTANT][-1:]
        await self._turns.keep([*asked, *answered], self._of(ctx), _session(ctx), ctx.run_id or "")
        return result

    def _of(self, ctx: RunContext[Any]) -> Scope:
        return self._scope if isinstance(self._scope, Scope) else self._scope(ctx)


def _session(ctx: RunContext[Any]) -> str:
    return ctx.conversation_id or ctx.run_id or "default"


def _prompts(messages: Iterable[ModelMessage]) -> Iterator[str]:
    for message in messages:
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                yield _text(part.content)


def _said(messages: Sequence[ModelMessage]) -> Iterator[tuple[Role, str]]:
    """Yield what user and model said, without tool calls and their results."""
    for message in messages:
        if isinstance(message, ModelResponse):
            yield Role.ASSISTANT, "".join(part.content for part in message.parts if isinstance(part, TextPart))
        else:
            yield Role.USER, "\n".join(_prompts([message]))


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(one for one in content if isinstance(one, str)) if isinstance(content, Sequence) else ""
