"""``python -m benchmarks lives --part PART``: every life of a part asked, figures alone printed and written."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks import results
from benchmarks.embedding import NO_MODEL, KeptVectors, cached_embedder
from benchmarks.lives.amid import amid, chosen
from benchmarks.lives.answers import answers
from benchmarks.lives.figures import rows
from benchmarks.lives.form import lives


def run(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Ask, measure, print a line a figure; nothing of what a life says is shown."""
    embedder = cached_embedder(options)
    kept = None if embedder is None else KeptVectors(embedder)
    answered = {}
    lived = list(lives(options.part))
    if options.amid:
        others = list(lives("train"))
        lived = [amid(life, others, options.amid, options.seed, own=options.own) for life in chosen(lived)]
    for life in lived:
        answered[life.name] = (life, list(answers(life, kept)))
        print(f"lives: {len(answered)} lived", file=sys.stderr, flush=True)
    found = list(rows(options.part, answered, options.seed))
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    counts = {"lives": len(answered), "cues": sum(len(life.cues) for life, _ in answered.values())}
    told = {"seed": options.seed, "amid": options.amid, "own": options.own, "counts": counts}
    results.write(options.out, found, {**model, **results.surroundings(given), **told})
    for row in found:
        value = f"{row.value:8.1f}" if row.figure == "tokens" else f"{100 * row.value:8.1f}"
        ends = "" if row.figure == "tokens" else f"[{100 * row.low:.0f}, {100 * row.high:.0f}]"
        print(f"{row.system:8} {row.way:9} {row.budget:4} {row.kind:9} {row.figure:32} n {row.n:4} {value} {ends}")
    print(f"wrote {options.out}")
