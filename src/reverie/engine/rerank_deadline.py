"""Rereading: in, a cue and texts; out, a reranker's scores within a deadline, or why there are none.

A recall never waits longer than that for a reranker, and never fails for one: whatever goes wrong is a reason in the
trace. What is late goes on in a thread of its own, of which there are only so many; a reranker that failed three times
in a row is left alone for ten seconds.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from reverie.errors import ModelError, ModelUnavailable
from reverie.models.port_values import finite_scores
from reverie.ports import Reranker
from reverie.recall.state import RerankScores
from reverie.types import FloatArray

AT_ONCE = 4
"""Cues that one reranker reads at a time, those included for which nobody waits any more."""
REST_AFTER = 3
REST_S = 10.0


class Unready:
    """Placeholder for a reranker that is still loading or failed to; ``why`` says which."""

    name = "reranker"

    def __init__(self, why: str = "The reranker is still being loaded.") -> None:
        self._why = why

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:  # noqa: ARG002 - the port's signature
        """Nothing yet. Raises ModelUnavailable."""
        raise ModelUnavailable(self._why)


@dataclass(slots=True)
class _Asked:
    """One cue under way: ``done`` is set once there is an answer, or a reason why there is none."""

    done: threading.Event = field(default_factory=threading.Event)
    scores: FloatArray | None = None
    why: str = ""


class Rereading:
    """A reranker with its deadline; safe to share between threads. ``clock`` counts seconds."""

    def __init__(self, reranker: Reranker, deadline_ms: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._reranker = reranker
        self._deadline_s = deadline_ms / 1000.0
        self._clock = clock
        self._turns = threading.BoundedSemaphore(AT_ONCE)
        self._failed = 0
        self._resting: tuple[float, str] | None = None

    @property
    def name(self) -> str:
        """What the reranker is called."""
        return self._reranker.name

    def __call__(self, cue: str, texts: Sequence[str]) -> RerankScores:
        """A finite score for each text, or why there is none."""
        if (resting := self._resting) is not None and self._clock() < resting[0]:
            return RerankScores(None, f"{resting[1]} It is left alone for a moment.")
        until = self._clock() + self._deadline_s
        if not self._turns.acquire(timeout=self._deadline_s):
            return RerankScores(None, "The reranker is busy with other cues.")
        asked = _Asked()
        try:
            threading.Thread(target=self._run, args=(asked, cue, texts), name="reverie-reader", daemon=True).start()
        except RuntimeError:  # the process has as many as it may, or is about to end
            self._turns.release()
            return RerankScores(None, "No thread could be started for the reranker.")
        if not asked.done.wait(max(0.0, until - self._clock())):
            return self._failing(f"{self.name} did not answer within {self._deadline_s * 1000:g} ms.")
        if asked.scores is None:
            return self._failing(asked.why)
        self._failed = 0
        return RerankScores(asked.scores)

    def _run(self, asked: _Asked, cue: str, texts: Sequence[str]) -> None:
        try:
            asked.scores = finite_scores(self.name, self._reranker.score(cue, texts), len(texts))
        except ModelError as error:
            asked.why = error.message
        except Exception as fault:  # noqa: BLE001 - a thread of its own: the trace tells, recall goes on
            asked.why = f"{self.name} failed ({type(fault).__name__})."
        finally:
            self._turns.release()
            asked.done.set()

    def _failing(self, why: str) -> RerankScores:
        self._failed += 1
        if self._failed >= REST_AFTER:
            self._failed, self._resting = 0, (self._clock() + REST_S, why)
        return RerankScores(None, why)
