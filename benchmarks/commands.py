"""What each command does, from parsed options to written files."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks import dream as dreaming
from benchmarks import report as reports
from benchmarks import results, systems
from benchmarks import retrieval as retrieving
from benchmarks.embedding import NO_MODEL, cached_embedder
from benchmarks.life import run as living
from benchmarks.sets import SETS, chosen, sets_in
from benchmarks.speed import run as speeding
from benchmarks.speed import whole as wholly
from benchmarks.speed.contender import OURS, SYSTEMS
from benchmarks.systems.peer import installed
from reverie.ports import Embedder

LIMITS = {"longmemeval": 10}
"""Haystacks of a set that recipes and peers hear: one of LongMemEval's takes as long as LoCoMo's, and asks once."""
SLOW = {"recipes": tuple(systems.RECIPES), "peers": systems.PEERS}
"""Rows that take long, and are measured in passes of their own."""


def retrieval(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``retrieval``: a result file for each set."""
    embedder = open_embedder(options)
    for one in chosen(options.set, options.data):
        rankings = options.rankings and one.out(options.rankings)
        request = retrieving.Request(one.set, one.paths, options.limit, options.seed, rankings)
        _retrieve(request, options.systems, embedder, one.out(options.out), given)


def _retrieve(
    request: retrieving.Request, names: Sequence[str], embedder: Embedder | None, out: Path, given: Sequence[str]
) -> None:
    outcome = retrieving.run(request, systems.build(names, embedder))
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    results.write(out, outcome.rows, {**outcome.extras, **model, **results.surroundings(given)})
    print(f"wrote {out}")


def open_embedder(options: argparse.Namespace) -> Embedder | None:
    """The embedding model of the options behind its cache; None where none is wanted or needed."""
    return None if set(options.systems) == {"bm25"} else cached_embedder(options)


def life(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``life``: each set lived through a recipe, a result file each. Raises LawBroken once it is written."""
    embedder = cached_embedder(options)
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    for one in chosen(options.set, options.data):
        request = living.Request(one.set, one.paths, options.recipe, options.limit, options.seed)
        rows, extras = living.run(request, embedder)
        out = one.out(options.out)
        results.write(out, rows, {**extras, **model, **results.surroundings(given)})
        print(f"wrote {out}")
        living.require_whole(rows)


def speed(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``speed``: one result file."""
    with _folder(options, "speed") as folder:
        plan = speeding.Plan(
            sizes=options.sizes,
            folder=folder,
            seed=options.seed,
            systems=(OURS,) if options.without_lancedb else SYSTEMS,
            commands=not options.without_commands,
        )
        _measure_speed(plan, options.out, given)


def _measure_speed(plan: speeding.Plan, out: Path, given: Sequence[str]) -> None:
    around = results.surroundings(given)  # before the run, which is a load itself
    found = speeding.run(plan)
    results.write(out, found.rows, {"notes": found.notes, "fastest_ms": found.fastest_ms, **around})
    for note in found.notes:
        print(f"note: {note}", file=sys.stderr)
    print(f"wrote {out}")


def whole(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``whole``: one result file."""
    with _folder(options, "whole") as folder:
        plan = wholly.Plan(options.sizes, folder, options.seed, options.embedder)
        around = results.surroundings(given)
        rows = wholly.run(plan)
    results.write(options.out, rows, around)
    for told in wholly.compared(rows):
        print(told)
    print(f"wrote {options.out}")


def dream(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``dream``: one result file, a row a size."""
    with _folder(options, "dream") as folder:
        around = results.surroundings(given)
        rows = [results.DreamRow(size, dreaming.run(size, folder, options.seed)) for size in options.sizes]
    results.write(options.out, rows, around)
    for row in rows:
        print(f"{row.size:,} memories: {', '.join(f'{name} {value:g}' for name, value in row.figures.items())}")
    print(f"wrote {options.out}")


@contextmanager
def _folder(options: argparse.Namespace, what: str) -> Iterator[Path]:
    """The folder of the options, made if need be, or one that goes afterwards."""
    with tempfile.TemporaryDirectory(prefix=f"reverie-{what}-") as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def report(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``report``: a document and a chart."""
    del given  # a report says nothing of the command that made it
    files = reports.Files(**{kind: getattr(options, kind) for kind in reports.KINDS_OF_FILES})
    if options.results:
        files = reports.both(reports.in_folder(options.results), files)
    reports.write(options.out, options.chart, files)
    print(f"wrote {options.out}")


def everything(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``all``: every set whose files are in the folder, by system, recipe and peer, then speed, then the report."""
    out: Path = options.out
    found = sets_in(options.data) if options.data else {}
    if not found:
        print("note: no benchmark files (--data DIR), so only speed is measured", file=sys.stderr)
    embedder = open_embedder(options) if found else None
    made = []
    for name, paths in found.items():
        rankings = out / f"{name}-rankings.jsonl.gz"
        request = retrieving.Request(SETS[name], tuple(paths), options.limit, options.seed, rankings)
        made.append(out / f"{name}.json")
        _retrieve(request, options.systems, embedder, made[-1], given)
    if not options.without_recipes:
        made += _in_part(options, found, embedder, "recipes", given)
    if embedder and installed():
        made += _in_part(options, found, embedder, "peers", given)
    with tempfile.TemporaryDirectory(prefix="reverie-speed-") as temporary:
        _measure_speed(speeding.Plan(options.sizes, Path(temporary), options.seed), out / "speed.json", given)
    files = reports.Files(retrieval=made, speed=[out / "speed.json"])
    reports.write(out / "report.md", out / "report.png", files)
    print(f"wrote {out / 'report.md'}")


def _in_part(
    options: argparse.Namespace,
    found: dict[str, list[Path]],
    embedder: Embedder | None,
    what: str,
    given: Sequence[str],
) -> Iterator[Path]:
    """A pass of the rows that take long, beside the others: of large sets only the first haystacks."""
    for name, paths in found.items():
        limit = min(filter(None, (options.limit, LIMITS.get(name))), default=None)
        out: Path = options.out / f"{name}-{what}.json"
        request = retrieving.Request(SETS[name], tuple(paths), limit, options.seed)
        # Where all haystacks are heard, the report puts these rows beside those of the first pass.
        beside = () if limit == options.limit else options.systems
        _retrieve(request, (*beside, *SLOW[what]), embedder, out, given)
        yield out
