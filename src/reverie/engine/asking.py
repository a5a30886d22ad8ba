"""Asking: check what a caller asks for, and make it a request."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reverie.encode.accept import in_utc
from reverie.errors import InvalidInput, InvalidScope, ModelUnavailable
from reverie.ports import Clock, Embedder
from reverie.recall.embed import cue_vector
from reverie.recall.pipeline import Request
from reverie.types import Scope, TimeWindow

TOP_K_MAX = 10_000


@dataclass(frozen=True, slots=True)
class Ask:
    """What a caller wants from a recall, checked; ``request`` turns it into the read path's own value.

    Raises:
        InvalidInput: a value has the wrong type or range.
    """

    cue: str
    scope: Scope
    top_k: int
    budget_tokens: int | None
    now: datetime | None
    window: TimeWindow | None

    def __post_init__(self) -> None:
        require_scope(self.scope)
        if not isinstance(self.cue, str):
            raise InvalidInput(f"The cue is {type(self.cue).__name__}, not text.", "Give the question as a string.")
        _require_count("top_k", self.top_k, 1, TOP_K_MAX)
        if self.budget_tokens is not None:
            _require_count("budget_tokens", self.budget_tokens, 0, None)
        if self.window is not None and in_utc(self.window.start) >= in_utc(self.window.end):
            raise InvalidInput("The time window ends before it starts.", "Swap its start and end.")

    def request(self, clock: Clock, model: Embedder | None) -> Request:
        """The request as of ``now`` (the clock's where none was given), with the cue's vector where there is a model.

        A model that cannot be reached costs the meaning signal, not the answer.
        """
        now = clock.now() if self.now is None else in_utc(self.now)
        vector, reason = None, "no model"
        if model is not None:
            try:
                vector = cue_vector(self.cue, model.embed_query)
            except ModelUnavailable as error:
                reason = error.message
        return Request(self.cue, self.scope, now, self.top_k, self.budget_tokens, self.window, vector, reason)


def require_scope(scope: object) -> Scope:
    """The scope, if it is one. Raises InvalidScope."""
    if not isinstance(scope, Scope):
        raise InvalidScope(
            f"The scope is {type(scope).__name__}.", "Give Scope(agent=…, user=…, project=…): every call names one."
        )
    return scope


def _require_count(name: str, value: object, least: int, most: int | None) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least or (most is not None and value > most):
        bound = f"from {least}" if most is None else f"from {least} to {most}"
        raise InvalidInput(f"{name} is {value!r}.", f"Use a whole number {bound}.")
