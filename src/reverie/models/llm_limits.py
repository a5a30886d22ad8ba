"""What a model may cost: tokens a day, and a rest for an endpoint that is down.

In: what was spent and what failed. Out: leave to ask, or ``Failed``.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from threading import Lock

from reverie.models.llm_port import Failed, Why
from reverie.ports import Clock

_ENDPOINT_DOWN = frozenset({Why.UNREACHABLE, Why.TIMEOUT, Why.LIMITED, Why.SERVER, Why.KEY, Why.MODEL})


class DayBudget:
    """At most ``max_tokens`` a day (UTC), both directions together; None: as many as you like.

    ``spent`` is what other processes used today already: the ops log knows it. What is asked for at the same moment in
    several threads may pass the limit by one answer each.
    """

    def __init__(self, clock: Clock, max_tokens: int | None, spent: int = 0) -> None:
        self._clock = clock
        self._max_tokens = max_tokens
        self._lock = Lock()
        self._day = clock.now().date()
        self._spent = spent

    @property
    def spent(self) -> int:
        """Tokens used today."""
        with self._lock:
            self._turn(self._clock.now().date())
            return self._spent

    def spend(self, tokens: int) -> None:
        """Note what a call used."""
        with self._lock:
            self._turn(self._clock.now().date())
            self._spent += tokens

    def refusal(self) -> Failed | None:
        """Why nothing more may be asked today, if so."""
        if self._max_tokens is None or self.spent < self._max_tokens:
            return None
        return Failed(Why.BUDGET, f"Today's {self._max_tokens:,} tokens are used up.")

    def _turn(self, today: date) -> None:
        if today != self._day:
            self._day, self._spent = today, 0


class Rest:
    """After ``failures`` in a row an endpoint is left alone for ``rest_s`` seconds: a dead one must not slow writes."""

    def __init__(self, stopwatch: Callable[[], float], failures: int = 3, rest_s: float = 60.0) -> None:
        self._stopwatch = stopwatch
        self._failures = failures
        self._rest_s = rest_s
        self._lock = Lock()
        self._in_a_row = 0
        self._until = float("-inf")

    def refusal(self) -> Failed | None:
        """Why the endpoint is not asked now, if so."""
        with self._lock:
            left_s = self._until - self._stopwatch()
        if left_s <= 0:
            return None
        return Failed(Why.RESTING, f"The endpoint failed {self._failures} times; not asked for {left_s:.0f} s more.")

    def note(self, failed: Failed | None) -> None:
        """Take in how a call ended. What a model says wrongly is no fault of the endpoint."""
        down = failed is not None and failed.why in _ENDPOINT_DOWN
        with self._lock:
            self._in_a_row = self._in_a_row + 1 if down else 0
            if self._in_a_row >= self._failures:
                self._until = self._stopwatch() + self._rest_s
                self._in_a_row = 0
