"""``asking`` as a command: from parsed options to maps and a result file."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import results
from benchmarks.asking import fitting, maps, measuring
from benchmarks.asking.pairs import Pairs, pairs
from benchmarks.commands import cached_embedder, sets_in
from benchmarks.sets import SETS, load
from reverie.errors import InvalidInput
from reverie.ports import Embedder


def asking(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Fit the maps that are asked for, and measure what they give to questions they have not seen.

    Raises:
        InvalidInput: there is no model, or not enough to fit on and to try on.
    """
    embedder = cached_embedder(options)
    if embedder is None:
        raise InvalidInput("Without a model there is nothing to map.", "Leave --embedder out, or name a model.")
    known = list(_known(options.data, embedder))
    if len(set(fitting.folds(known))) < 2:
        raise InvalidInput("A map needs two haystacks of one set.", "Give a folder with more files (--data DIR).")
    rows = list(measuring.rows(known, options.seed))
    counts = Counter[str]()
    for one in known:
        counts[one.set] += len(one.questions)
    told = f"{embedder.info.key}; questions: {', '.join(f'{name} {number}' for name, number in counts.items())}"
    if options.folds:
        fold_of = dict(zip((one.haystack for one in known), fitting.folds(known), strict=True))
        maps.write_folds(options.folds, fitting.held_out(known), fold_of)
    if options.fit:
        maps.write_map(options.fit, fitting.fit(known), told)
    results.write(options.out, rows, {"model": embedder.info.key, "counts": counts, **results.surroundings(given)})
    for row in rows:
        print(f"{row.set:12} {row.system:26} @{row.at:<3} n {row.n:4} {row.value:.3f} [{row.low:.3f}, {row.high:.3f}]")
    print(f"wrote {options.out}")


def _known(folder: Path, embedder: Embedder) -> Iterator[Pairs]:
    for name, paths in sets_in(folder).items():
        for haystack in load(SETS[name], paths, Counter()):
            found = pairs(name, haystack, embedder)
            if found is not None:
                yield found
        print(f"asking: {name}", file=sys.stderr, flush=True)
