"""The command ``vault``: one result file, a row an operation and size."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import results
from benchmarks.vault.run import Plan, run


def vault(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Measure, write, and say it."""
    around = results.surroundings(given)
    with tempfile.TemporaryDirectory(prefix="reverie-vault-") as temporary:
        rows = run(Plan(options.sizes, options.folder or Path(temporary), options.seed, options.searches))
    results.write(options.out, rows, around)
    for row in rows:
        print(f"{row.op}, {row.size:,} files: p50 {row.p50_ms:.0f} ms, p95 {row.p95_ms:.0f} ms")
    print(f"wrote {options.out}")
