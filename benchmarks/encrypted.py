"""What encryption costs: the same memories in a plain and in an encrypted store, measured in turns in one run.

In: seeded synthetic messages. Out, printed, for each size: how many of the cues get the same hits with the same scores
and cosines from both; time of an import, a remember, a recall and an opening in both, and the ratios of their medians
with bootstrap intervals. ``python -m benchmarks encrypted``. The embedding model is the quick hashing one: what the
stores do is measured, and a model's time would hide it.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.speed.corpus import SyntheticCorpus
from reverie import FixedClock, Message, RandomIds, Reverie, Scope

SCOPE = Scope("measure", "ada", "home")
CUES, WRITES, OPENINGS, WARM = 200, 200, 25, 20
BATCH = 50
RESAMPLES, LEVEL = 2_000, 95.0
KINDS = ("sqlite", "sqlcipher")
CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "processor": time.process_time}
"""What time is taken with; that of the processor says more on a machine that others use."""
NOW = datetime(2026, 6, 1, tzinfo=UTC)

Values = npt.NDArray[np.float64]


def run(options: argparse.Namespace) -> None:
    """Measure and print each size."""
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="reverie-encrypted-") as folder:
            for line in Pair(Path(folder), size, options.seed).measured():
                print(line, flush=True)


def _remember(message: Message, engine: Reverie) -> object:
    return engine.remember(message, SCOPE)


class Pair:
    """A plain and an encrypted store of the same memories."""

    def __init__(self, folder: Path, size: int, seed: int) -> None:
        self._folder, self._size, self._seed = folder, size, seed
        self._corpus = SyntheticCorpus(seed)
        self._chance = np.random.default_rng(seed)
        self._engines = {kind: self._open(kind) for kind in KINDS}

    def measured(self) -> list[str]:
        """Fill both, compare their answers, and return the lines to print."""
        for engine in self._engines.values():  # what is loaded once
            engine.transfer.remember_many(self._corpus.messages(0, BATCH), Scope("warm", "ada", "home"))
        took = {"import": self._times(self._brings(start) for start in range(0, self._size, BATCH))}
        for engine in self._engines.values():
            engine.admin.embed()
        cues = [query.text for query in self._corpus.queries(2 * CUES, self._size)]
        cues = list(dict.fromkeys(cues))[: CUES + WARM]
        same, took["recall"] = self._recalled(cues)
        texts = self._corpus.messages(self._size, self._size + WRITES)
        took["remember"] = self._times(partial(_remember, one) for one in texts)
        for engine in self._engines.values():
            engine.close()
        took["open"] = self._opened()
        return [f"{self._size} memories: equal hits, scores and cosines for {same} of {len(cues) - WARM} cues"] + [
            self._line(what, values) for what, values in took.items()
        ]

    def _open(self, kind: str) -> Reverie:
        path = f"{'sqlcipher:' if kind == 'sqlcipher' else ''}{self._folder / kind}"
        return Reverie.open(
            path,
            embedder="hash",
            clock=FixedClock(NOW),
            ids=RandomIds(seed=self._seed),
            background=False,
            key_file=str(self._folder / "key"),
        )

    def _brings(self, start: int) -> Callable[[Reverie], object]:
        messages = list(self._corpus.messages(start, min(start + BATCH, self._size)))
        return lambda engine: engine.transfer.remember_many(messages, SCOPE)

    def _times(self, calls: Iterable[Callable[[Reverie], object]]) -> Values:
        """Milliseconds of each call on both engines, (calls, clocks, 2); either is first in every other call."""
        rows = []
        for turn, call in enumerate(calls):
            row = np.empty((len(CLOCKS), len(KINDS)))
            for place in range(len(KINDS)):
                column = (turn + place) % len(KINDS)
                row[:, column] = _ms(partial(call, self._engines[KINDS[column]]))
            rows.append(row)
        return np.array(rows)

    def _recalled(self, cues: Sequence[str]) -> tuple[int, Values]:
        """Return how many cues got equal answers from both, and the times of the warm ones."""
        answers: dict[str, list[object]] = {cue: [] for cue in cues}

        def recalling(cue: str) -> Callable[[Reverie], object]:
            def call(engine: Reverie) -> None:
                hits = engine.recall(cue, SCOPE).hits
                answers[cue].append([(one.memory.id, one.score, one.cosine, one.memory.text) for one in hits])

            return call

        took = self._times(recalling(cue) for cue in cues)[WARM:]
        counted = [answers[cue] for cue in cues[WARM:]]
        return sum(bool(found[0]) and all(one == found[0] for one in found) for found in counted), took

    def _opened(self) -> Values:
        took = []
        for turn in range(OPENINGS):
            row = np.empty((len(CLOCKS), len(KINDS)))
            for place in range(len(KINDS)):
                column = (turn + place) % len(KINDS)
                row[:, column] = _ms(partial(self._open_and_keep, KINDS[column]))
                self._engines[KINDS[column]].close()
            took.append(row)
        return np.array(took)

    def _open_and_keep(self, kind: str) -> None:
        self._engines[kind] = self._open(kind)

    def _line(self, what: str, took: Values) -> str:
        drawn = self._chance.integers(len(took), size=(RESAMPLES, len(took)))
        told = []
        for clock, times in zip(CLOCKS, np.moveaxis(took, 1, 0), strict=True):
            middles = np.median(times[drawn], axis=1)
            low, high = np.percentile(middles[:, 1] / middles[:, 0], [(100.0 - LEVEL) / 2, 50.0 + LEVEL / 2])
            plain, ours = np.median(times, axis=0)
            told.append(f"{clock} {plain:.2f} → {ours:.2f} ms, {ours / plain:.2f} × ({low:.2f} to {high:.2f})")
        return f"  {what}{f' of {BATCH}' if what == 'import' else ''}: {'; '.join(told)}"


def _ms(call: Callable[[], object]) -> list[float]:
    started = [clock() for clock in CLOCKS.values()]
    call()
    return [(clock() - start) * 1000.0 for clock, start in zip(CLOCKS.values(), started, strict=True)]
