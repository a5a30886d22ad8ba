"""What an endpoint says, apart from how it wraps it: bytes of a chat completion in, text and token counts out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from reverie.models.llm_port import Failed, Why

_UNREADABLE = Failed(Why.UNREADABLE, "It is no chat completion.")
_REFUSALS = {"content_filter": "The endpoint's filter stopped it.", "refusal": "It declined."}


@dataclass(frozen=True, slots=True)
class Completion:
    """The text of the first choice; tokens as the endpoint counted them, None where it did not.

    ``failed``: the model declined, or its answer was cut short; it costs all the same.
    """

    content: str
    tokens_in: int | None
    tokens_out: int | None
    failed: Failed | None = None


def completion_in(body: bytes) -> Completion | Failed:
    """The completion in a response's body."""
    try:
        document = json.loads(body)
        choice = document["choices"][0]
        message = choice["message"]
        content = _text(message.get("content"))
        declined = bool(message.get("refusal"))
        usage = document.get("usage") or {}
        tokens_in, tokens_out = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return _UNREADABLE
    return Completion(content, tokens_in, tokens_out, _failure(choice.get("finish_reason"), declined))


def _text(content: Any) -> str:
    """The content, which some endpoints give in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content)
    return "" if content is None else str(content)


def _count(tokens: Any) -> int | None:
    return tokens if isinstance(tokens, int) and tokens >= 0 else None


def _failure(finish_reason: Any, declined: bool) -> Failed | None:
    if declined:
        return Failed(Why.REFUSED, _REFUSALS["refusal"])
    if isinstance(finish_reason, str) and finish_reason in _REFUSALS:
        return Failed(Why.REFUSED, _REFUSALS[finish_reason])
    return Failed(Why.CUT, "The answer was longer than allowed.") if finish_reason == "length" else None
