"""``stale`` as a command: from parsed options to a result file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from benchmarks import results
from benchmarks.commands import NO_MODEL, cached_embedder
from benchmarks.sets import chosen
from benchmarks.stale.run import Request, run
from benchmarks.stale.seen import showers


def stale(options: argparse.Namespace, given: Sequence[str]) -> None:
    """A result file for each set."""
    embedder = cached_embedder(options)
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    for one in chosen(options.set, options.data):
        request = Request(one.set, one.paths, options.limit, options.seed)
        rows, extras = run(request, showers(embedder, options.systems))
        out = one.out(options.out)
        results.write(out, rows, {**extras, **model, **results.surroundings(given)})
        for row in rows:
            interval = f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"
            print(f"{row.set:18} {row.system:9} {row.metric:18} @{row.at:<4} n {row.n:4} {interval}")
        print(f"wrote {out}")
