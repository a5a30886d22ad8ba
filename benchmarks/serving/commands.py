"""``serving``: one result file, and whether each thing holds that must."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import results
from benchmarks.serving.run import Plan, run


def serving(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Measure, and write what was found."""
    with tempfile.TemporaryDirectory() as aside:
        folder = options.folder or Path(aside)
        folder.mkdir(parents=True, exist_ok=True)
        plan = Plan(folder, options.size, options.clients, options.seconds, options.seed, options.embedder)
        found = run(plan)
    results.write(options.out, [], {"serving": found.shape(), **results.surroundings(given)})
    for text, holds in found.verdicts():
        print(f"{'holds' if holds else 'FAILS'}: {text}")
    print(f"wrote {options.out}")
