"""``asking`` as a command: from parsed options to maps and a result file."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks import results
from benchmarks.asking import fitting, maps, measuring
from benchmarks.asking.pairs import Pairs, pairs
from benchmarks.bending import fitting as curves
from benchmarks.bending import measuring as ordering
from benchmarks.bending.overheard import Ranked, overheard
from benchmarks.commands import cached_embedder, sets_in
from benchmarks.sets import SETS, load
from benchmarks.values import Haystack
from reverie.errors import InvalidInput
from reverie.ports import Embedder
from reverie.types import FloatArray


def asking(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Fit maps and bends, and measure what they give to questions they have not seen.

    Raises:
        InvalidInput: there is no model, or not enough to fit on and to try on.
    """
    embedder = cached_embedder(options)
    if embedder is None:
        raise InvalidInput("Without a model there is nothing to map.", "Leave --embedder out, or name a model.")
    known = _known(options.data, embedder)
    if len(set(fitting.folds(known))) < 2:
        raise InvalidInput("A map needs two haystacks of one set.", "Give a folder with more files (--data DIR).")
    fold_of = _fold_of(known)
    ranked, without = _without_each_fold(known, options.data, embedder)
    rows = [
        *measuring.rows(known, [one.matrix for one in without], options.seed),
        *ordering.rows(ranked, fold_of, [one.bends for one in without], options.seed),
    ]
    counts = Counter[str]()
    for one in known:
        counts[one.set] += len(one.questions)
    told = f"{embedder.info.key}; questions: {', '.join(f'{name} {number}' for name, number in counts.items())}"
    if options.folds:
        maps.write_folds(options.folds, without, fold_of)
    if options.fit:
        maps.write_map(options.fit, maps.Fitted(fitting.fit(known), curves.fit(ranked)), told, _texts(known))
    results.write(options.out, rows, {"model": embedder.info.key, "counts": counts, **results.surroundings(given)})
    for row in rows:
        print(f"{row.set:12} {row.system:26} @{row.at:<3} n {row.n:4} {row.value:.3f} [{row.low:.3f}, {row.high:.3f}]")
    print(f"wrote {options.out}")


def held_out(embedder: Embedder, folder: Path, file: Path) -> Embedder:
    """The model as fitted without what is asked, kept in ``file``; as it is where its own fit saw nothing of it."""
    if not hasattr(embedder, "towards_answers"):
        return embedder
    known = _known(folder, embedder)
    if not any(map(maps.has_seen, _texts(known))):
        return embedder
    maps.write_folds(file, _without_each_fold(known, folder, embedder)[1], _fold_of(known))
    return maps.HeldOut(embedder, file)


def _without_each_fold(
    known: Sequence[Pairs], folder: Path, embedder: Embedder
) -> tuple[list[Ranked], list[maps.Fitted]]:
    """What recall sees of every question's candidates, and for each fold what was fitted without it."""
    fold_of, matrices = _fold_of(known), fitting.held_out(known)
    ranked = _ranked(folder, embedder, fold_of, matrices)
    bends = curves.held_out(ranked, fold_of)
    return ranked, [maps.Fitted(*both) for both in zip(matrices, bends, strict=True)]


def _ranked(
    folder: Path, embedder: Embedder, fold_of: Mapping[str, int], matrices: Sequence[FloatArray]
) -> list[Ranked]:
    """What recall sees of every question's candidates, by a map that has not seen the question."""
    ranked: list[Ranked] = []
    for name, haystack in _haystacks(folder, "bends"):
        if haystack.name in fold_of:
            model = maps.Mapped(embedder, maps.Fitted(matrices[fold_of[haystack.name]], ()))
            ranked += overheard(name, haystack, model)
    return ranked


def _haystacks(folder: Path, doing: str) -> Iterator[tuple[str, Haystack]]:
    for name, paths in sets_in(folder).items():
        print(f"asking: {doing}, {name}", file=sys.stderr, flush=True)
        yield from ((name, haystack) for haystack in load(SETS[name], paths, Counter()))


def _fold_of(known: Sequence[Pairs]) -> dict[str, int]:
    return dict(zip((one.haystack for one in known), fitting.folds(known), strict=True))


def _texts(known: Sequence[Pairs]) -> Iterator[str]:
    return (text for one in known for text in one.texts)


def _known(folder: Path, embedder: Embedder) -> list[Pairs]:
    found = (pairs(name, haystack, embedder) for name, haystack in _haystacks(folder, "maps"))
    return [one for one in found if one is not None]
