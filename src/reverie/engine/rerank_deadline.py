"""Reranking with a deadline: run a reranker on a cue and texts; return its scores, or the reason why there are none.

A recall never waits longer than the deadline and never fails because of a reranker: an error becomes a reason in the
trace. A late reranker goes on in its thread, of which at most ``AT_ONCE`` run; after three failures in a row the
reranker is not called for ten seconds.
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
"""Most cues that one reranker processes at a time, including those past their deadline."""
REST_AFTER = 3
REST_S = 10.0


class Unready:
    """Placeholder for a reranker that is still being loaded, or could not be loaded: ``why`` says which."""

    name = "reranker"

    def __init__(self, why: str = "The reranker is still being loaded.") -> None:
        self._why = why

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:  # noqa: ARG002 - the port's signature
        """Raise ModelUnavailable, with the reason."""
        raise ModelUnavailable(self._why)


@dataclass(slots=True)
class _Asked:
    """One running call of the reranker: ``done`` is set once there are scores, or a reason why there are none."""

    done: threading.Event = field(default_factory=threading.Event)
    scores: FloatArray | None = None
    why: str = ""


class Rereading:
    """A reranker with its deadline; safe to share between threads. ``clock`` returns seconds."""

    def __init__(self, reranker: Reranker, deadline_ms: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._reranker = reranker
        self._deadline_s = deadline_ms / 1000.0
        self._clock = clock
        self._turns = threading.BoundedSemaphore(AT_ONCE)
        self._failed = 0
        self._resting: tuple[float, str] | None = None

    @property
    def name(self) -> str:
        """Return the reranker's name."""
        return self._reranker.name

    def __call__(self, cue: str, texts: Sequence[str]) -> RerankScores:
        """Score the texts for a cue: a finite score each, or the reason why there are none."""
        if (resting := self._resting) is not None and self._clock() < resting[0]:
            return RerankScores(None, f"{resting[1]} It is left alone for a moment.")
        until = self._clock() + self._deadline_s
        if not self._turns.acquire(timeout=self._deadline_s):
            return RerankScores(None, "The reranker is busy with other cues.")
        asked = _Asked()
        try:
            threading.Thread(target=self._run, args=(asked, cue, texts), name="reverie-reader", daemon=True).start()
        except RuntimeError:  # the process has as many threads as allowed, or is ending
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
        except Exception as fault:  # noqa: BLE001 - the trace shows the reason, and recall goes on
            asked.why = f"{self.name} failed ({type(fault).__name__})."
        finally:
            self._turns.release()
            asked.done.set()

    def _failing(self, why: str) -> RerankScores:
        self._failed += 1
        if self._failed >= REST_AFTER:
            self._failed, self._resting = 0, (self._clock() + REST_S, why)
        return RerankScores(None, why)
