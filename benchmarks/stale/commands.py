"""``stale`` as a command: from parsed options to a result file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from benchmarks import results
from benchmarks.commands import NO_MODEL, cached_embedder
from benchmarks.sets import SETS
from benchmarks.stale.run import Request, run
from benchmarks.stale.seen import showers


def stale(options: argparse.Namespace, given: Sequence[str]) -> None:
    """One set, one result file."""
    embedder = cached_embedder(options)
    request = Request(SETS[options.set], tuple(options.data), options.limit, options.seed)
    rows, extras = run(request, showers(embedder, options.systems))
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    results.write(options.out, rows, {**extras, **model, **results.surroundings(given)})
    for row in rows:
        print(
            f"{row.system:9} {row.metric:18} @{row.at:<4} n {row.n:4} {row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"
        )
    print(f"wrote {options.out}")
