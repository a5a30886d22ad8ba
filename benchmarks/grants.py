"""What grants cost a recall: a scope of 1,000 memories alone, and the same with what five others granted to it.

In: seeded synthetic messages. Out, printed: median and 95th percentile of a recall in three scopes of one store, taken
in turns: without grants, with five grants, and one scope that holds as many memories as both together; the ratios with
bootstrap intervals; and what the look-up for grants costs where there are none. ``python -m benchmarks grants``.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.speed.corpus import SyntheticCorpus
from reverie import Reverie, Scope
from reverie.engine.grants import Grant
from reverie.types import GRANT

OWN, GIVERS = 1_000, 5
ALONE, SHARED, ONE = (Scope(name, "ada", "home") for name in ("alone", "shared", "one"))
WARM = 40
RESAMPLES, LEVEL = 2_000, 95.0
LOOKS = 2_000
CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "processor": time.process_time}
"""What time is taken with; that of the processor says more on a machine that others use."""

Values = npt.NDArray[np.float64]


def run(options: argparse.Namespace) -> None:
    """Measure and print."""
    embedder = None if options.embedder == "none" else options.embedder
    with (
        tempfile.TemporaryDirectory() as folder,
        Reverie.open(Path(folder) / "memory.db", embedder=embedder, background=False) as engine,
    ):
        corpus = SyntheticCorpus(options.seed)
        fill(engine, corpus, options.granted)
        queries = [query.text for query in corpus.queries(options.recalls + WARM, OWN)]
        for line in (*told(timed(engine, queries), options.seed), looked_up(engine)):
            print(line, flush=True)


def fill(engine: Reverie, corpus: SyntheticCorpus, granted: int) -> None:
    """Write the receiver's messages, the same once more without grants, the givers', and all of it into one scope."""
    for scope in (ALONE, SHARED, ONE):
        engine.transfer.remember_many(corpus.messages(0, OWN), scope)
    for number in range(GIVERS):
        giver = Scope(f"giver-{number}", "bo", "work")
        start = OWN + number * granted
        for scope in (giver, ONE):
            engine.transfer.remember_many(corpus.messages(start, start + granted), scope)
        engine.admin.grant(Grant(giver, SHARED))
    engine.admin.embed()


def timed(engine: Reverie, queries: Sequence[str]) -> dict[Scope, Values]:
    """Milliseconds of each recall in each scope, (n, clocks), in turns, each scope first equally often."""
    scopes = (ALONE, SHARED, ONE)
    took: dict[Scope, list[tuple[float, ...]]] = {scope: [] for scope in scopes}
    for turn, query in enumerate(queries):
        for place in range(len(scopes)):
            scope = scopes[(turn + place) % len(scopes)]
            took[scope].append(_ms(partial(engine.recall, query, scope)))
    return {scope: np.array(values[WARM:]) for scope, values in took.items()}


def _ms(call: Callable[[], object]) -> tuple[float, ...]:
    started = [clock() for clock in CLOCKS.values()]
    call()
    return tuple((clock() - start) * 1000.0 for clock, start in zip(CLOCKS.values(), started, strict=True))


def told(took: dict[Scope, Values], seed: int) -> Iterator[str]:
    """Yield for each clock a line for each scope, and the ratios of their percentiles with intervals."""
    for column, clock in enumerate(CLOCKS):
        for scope, values in took.items():
            median, high = np.percentile(values[:, column], [50, 95])
            yield f"{clock} time, {scope.agent}: p50 {median:.2f} ms, p95 {high:.2f} ms"
        for base in (ALONE, ONE):
            for share in (50, 95):
                middle, low, high = ratio(took[SHARED][:, column], took[base][:, column], share, seed)
                yield f"{clock} time, p{share} of shared over {base.agent}: {middle:.3f} ({low:.3f} to {high:.3f})"


def ratio(ours: Values, theirs: Values, share: float, seed: int) -> tuple[float, float, float]:
    """Return the ratio of two percentiles over the same queries, and its 95 % bootstrap interval."""
    chance = np.random.default_rng(seed)
    drawn = chance.integers(len(ours), size=(RESAMPLES, len(ours)))
    found = np.percentile(ours[drawn], share, axis=1) / np.percentile(theirs[drawn], share, axis=1)
    low, high = np.percentile(found, [(100.0 - LEVEL) / 2, 50.0 + LEVEL / 2])
    return float(np.percentile(ours, share) / np.percentile(theirs, share)), float(low), float(high)


def looked_up(engine: Reverie) -> str:
    """What a scope without grants pays: the look-up, as a share of its recall."""
    store, about = engine._context.store, ALONE.canonical
    took = min(_ms(lambda: [store.records(GRANT, about=about) for _ in range(LOOKS)])[0] for _ in range(3)) / LOOKS
    return f"look-up without grants: {took * 1000.0:.1f} µs"
