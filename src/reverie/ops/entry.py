"""One line of the ops log: what is written, under which names, in which order."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from reverie.types import Scope

MASK_WINDOW = 4_096
"""Characters beyond the head that are masked with it: a secret that the cut would go through is seen whole."""
_TRUNCATED = "…"


@dataclass(frozen=True, slots=True)
class OpsEntry:
    """One operation. ``fallback``: the heuristic did what a model should have; None fields do not apply to it.

    ``scope`` is whose memory it was done in, None where it was nobody's alone: such a line does not have the field.
    """

    op: str
    input: str = ""
    output: str = ""
    model: str | None = None
    latency_ms: float | None = None
    success: bool = True
    fallback: bool = False
    intent: str | None = None
    avg_relevance: float | None = None
    result_count: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    scope: Scope | None = None


def line_of(entry: OpsEntry, at: datetime, shown: Callable[[str], str]) -> bytes:
    """The entry as one line of JSON, names as document D has them and the tokens behind; ``shown`` shortens a text."""
    record: dict[str, Any] = {
        "ts": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "op": entry.op,
        "input": shown(entry.input),
        "output": shown(entry.output),
        "model": entry.model,
        "latencyMs": _rounded(entry.latency_ms, 1),
        "success": entry.success,
        "fallback": entry.fallback,
        "intent": entry.intent,
        "avgRelevance": _rounded(entry.avg_relevance, 4),
        "resultCount": entry.result_count,
        "tokensIn": entry.tokens_in,
        "tokensOut": entry.tokens_out,
    }
    if isinstance(entry.scope, Scope):  # a caller may have handed in anything, and was told so
        record["scope"] = {"agent": entry.scope.agent, "user": entry.scope.user, "project": entry.scope.project}
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _rounded(value: float | None, digits: int) -> float | None:
    """The value to so many digits; what is not finite is no JSON."""
    if value is None or value != value or value in (float("inf"), float("-inf")):
        return None
    return round(value, digits)


def head(text: str, chars: int | None, mask: Callable[[str], str]) -> str:
    """The masked text, on one line, cut to ``chars`` characters; None: whole.

    Masked first and cut then: what is left of a secret that was cut in two no detector would know.
    """
    masked = mask(text if chars is None else text[: chars + MASK_WINDOW])
    if chars is None or (len(text) <= chars and len(masked) <= chars):
        return masked
    return " ".join(masked[:chars].split()) + _TRUNCATED
