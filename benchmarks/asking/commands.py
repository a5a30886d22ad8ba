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
    known = _known(options.data, embedder)
    if len(set(fitting.folds(known))) < 2:
        raise InvalidInput("A map needs two haystacks of one set.", "Give a folder with more files (--data DIR).")
    matrices = fitting.held_out(known)
    rows = list(measuring.rows(known, matrices, options.seed))
    counts = Counter[str]()
    for one in known:
        counts[one.set] += len(one.questions)
    told = f"{embedder.info.key}; questions: {', '.join(f'{name} {number}' for name, number in counts.items())}"
    if options.folds:
        maps.write_folds(options.folds, matrices, _fold_of(known))
    if options.fit:
        maps.write_map(options.fit, fitting.fit(known), told, _texts(known))
    results.write(options.out, rows, {"model": embedder.info.key, "counts": counts, **results.surroundings(given)})
    for row in rows:
        print(f"{row.set:12} {row.system:26} @{row.at:<3} n {row.n:4} {row.value:.3f} [{row.low:.3f}, {row.high:.3f}]")
    print(f"wrote {options.out}")


def held_out(embedder: Embedder, folder: Path, file: Path) -> Embedder:
    """The model by maps that have not seen what is asked, kept in ``file``; as it is where its own has seen nothing."""
    if not hasattr(embedder, "towards_answers"):
        return embedder
    known = _known(folder, embedder)
    if not any(map(maps.has_seen, _texts(known))):
        return embedder
    maps.write_folds(file, fitting.held_out(known), _fold_of(known))
    return maps.HeldOut(embedder, file)


def _fold_of(known: Sequence[Pairs]) -> dict[str, int]:
    return dict(zip((one.haystack for one in known), fitting.folds(known), strict=True))


def _texts(known: Sequence[Pairs]) -> Iterator[str]:
    return (text for one in known for text in one.texts)


def _known(folder: Path, embedder: Embedder) -> list[Pairs]:
    known = []
    for name, paths in sets_in(folder).items():
        found = (pairs(name, haystack, embedder) for haystack in load(SETS[name], paths, Counter()))
        known += [one for one in found if one is not None]
        print(f"asking: {name}", file=sys.stderr, flush=True)
    return known
