"""What each command does, from parsed options to written files."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import report as reports
from benchmarks import results, systems
from benchmarks import retrieval as retrieving
from benchmarks.embedding import CachedEmbedder, default_cache
from benchmarks.files import kind
from benchmarks.life import run as living
from benchmarks.sets import SETS
from benchmarks.speed import run as speeding
from benchmarks.speed.contender import LANCEDB, OURS
from reverie.errors import InvalidExport
from reverie.ports import Embedder

NO_MODEL = "none"


def retrieval(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``retrieval``: one set, one result file."""
    request = retrieving.Request(SETS[options.set], tuple(options.data), options.limit, options.seed, options.rankings)
    _retrieve(request, options.systems, open_embedder(options), options.out, given)


def _retrieve(
    request: retrieving.Request, names: Sequence[str], embedder: Embedder | None, out: Path, given: Sequence[str]
) -> None:
    outcome = retrieving.run(request, systems.build(names, embedder))
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    results.write(out, outcome.rows, {**outcome.extras, **model, **results.surroundings(given)})
    print(f"wrote {out}")


def open_embedder(options: argparse.Namespace) -> Embedder | None:
    """The embedding model of the options behind its cache; None where none is wanted or needed."""
    return None if set(options.systems) == {"bm25"} else _cached(options)


def _cached(options: argparse.Namespace) -> Embedder | None:
    from reverie.models.registry import load_embedder

    found = load_embedder(options.embedder)
    return None if found is None else CachedEmbedder(found, options.cache or default_cache())


def life(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``life``: one set lived through a recipe, one result file. Raises LawBroken once it is written."""
    request = living.Request(SETS[options.set], tuple(options.data), options.recipe, options.limit, options.seed)
    embedder = _cached(options)
    rows, extras = living.run(request, embedder)
    model = {"model": embedder.info.key if embedder else NO_MODEL}
    results.write(options.out, rows, {**extras, **model, **results.surroundings(given)})
    print(f"wrote {options.out}")
    living.require_whole(rows)


def speed(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``speed``: one result file."""
    with tempfile.TemporaryDirectory(prefix="reverie-speed-") as temporary:
        plan = speeding.Plan(
            sizes=options.sizes,
            folder=options.folder or Path(temporary),
            seed=options.seed,
            systems=(OURS,) if options.without_lancedb else (OURS, LANCEDB),
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


def report(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``report``: a document and a chart."""
    del given  # a report says nothing of the command that made it
    reports.write(options.out, options.chart, options.retrieval, options.speed)
    print(f"wrote {options.out}")


def everything(options: argparse.Namespace, given: Sequence[str]) -> None:
    """``all``: every set whose files are in the folder, then speed, then the report, all into one folder."""
    out: Path = options.out
    found = sets_in(options.data) if options.data else {}
    if not found:
        print("note: no benchmark files (--data DIR), so only speed is measured", file=sys.stderr)
    embedder = open_embedder(options) if found else None
    for name, paths in found.items():
        rankings = out / f"{name}-rankings.jsonl.gz"
        request = retrieving.Request(SETS[name], tuple(paths), options.limit, options.seed, rankings)
        _retrieve(request, options.systems, embedder, out / f"{name}.json", given)
    with tempfile.TemporaryDirectory(prefix="reverie-speed-") as temporary:
        _measure_speed(speeding.Plan(options.sizes, Path(temporary), options.seed), out / "speed.json", given)
    made = [out / f"{name}.json" for name in found]
    reports.write(out / "report.md", out / "report.png", made, [out / "speed.json"])
    print(f"wrote {out / 'report.md'}")


def sets_in(folder: Path) -> dict[str, list[Path]]:
    """The benchmark files in a folder by set, told by what is in them; other files are passed over."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if path.is_file():
            name = _set_of(path)
            if name is not None:
                found.setdefault(name, []).append(path)
    return {name: found[name] for name in SETS if name in found}


def _set_of(path: Path) -> str | None:
    try:
        told = kind(path)
    except InvalidExport:
        return None  # not a benchmark file
    return None if told is None else told.partition("-")[0]
