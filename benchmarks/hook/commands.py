"""The command ``hook``: one result file, a row an operation and size."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import results
from benchmarks.hook.run import Plan, run


def hook(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Measure, write, and say it."""
    around = results.surroundings(given)
    with tempfile.TemporaryDirectory(prefix="reverie-hook-") as temporary:
        folder = options.folder or Path(temporary)
        found = run(Plan(options.sizes, folder, options.seed, options.embedder, options.warm, options.cold))
    told = {moment: f"{sum(answers)} of {len(answers)}" for moment, answers in found.told.items()}
    results.write(options.out, found.rows, {**around, "told": told})
    for row in found.rows:
        print(f"{row.op}, {row.size:,} memories: p50 {row.p50_ms:.0f} ms, p95 {row.p95_ms:.0f} ms")
    print(f"told the fact: {told}; wrote {options.out}")
