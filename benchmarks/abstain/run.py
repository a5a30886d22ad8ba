"""``python -m benchmarks abstain``: measure one set, fit the weights on several, or write the page about them.

In: a set's files, or the result files of earlier runs, which hold what was asked. Out: rows, weights, or a page.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.abstain import regression
from benchmarks.abstain.cases import Asked, ask, batches
from benchmarks.abstain.figures import judged, measured
from benchmarks.embedding import KeptVectors
from benchmarks.results import AbstainRow, Extras, read
from benchmarks.sets import load
from benchmarks.statistics import reliability
from benchmarks.values import BenchmarkSet, Notes
from reverie.errors import InvalidExport, InvalidInput
from reverie.ports import Embedder


@dataclass(frozen=True, slots=True)
class Request:
    """What to run: ``limit`` takes only the first haystacks, ``others`` are result files of other sets."""

    set: BenchmarkSet
    data: tuple[Path, ...]
    others: tuple[Path, ...] = ()
    limit: int | None = None
    seed: int = 0


def run(request: Request, embedder: Embedder | None) -> tuple[list[AbstainRow], Extras]:
    """Ask every question of the set, with and without its evidence, and measure what came back.

    Raises:
        InvalidExport: a file is not of the set's form, or is no result of this command.
        InvalidInput: nothing unanswerable was asked.
    """
    notes: Notes = Counter()
    asked = _asked(request, embedder, notes)
    if len(set(regression.labels(asked).tolist())) == 1 or not asked:
        raise InvalidInput("Nothing was asked that cannot be answered.", "Give other files, or a higher --limit.")
    others = [one for path in request.others for one in asked_in(path) if one.set != request.set.name]
    systems = list(judged(asked, others))
    rows = list(measured(request.set.name, asked, systems, request.seed))
    curves = {s.system: reliability(s.scores, regression.labels(asked)) for s in systems if s.is_chance}
    extras: dict[str, object] = {
        "counts": {**Counter(one.kind for one in asked), **dict(notes)},
        "others": sorted({one.set for one in others}),
        "seed": request.seed,
        "reliability": curves,
        "asked": [asdict(one) for one in asked],
    }
    return rows, extras


def _asked(request: Request, embedder: Embedder | None, notes: Notes) -> list[Asked]:
    """Every question of the set, asked with and without its evidence."""
    asked: list[Asked] = []
    for haystack in load(request.set, request.data, notes, request.limit):
        held = KeptVectors(embedder) if embedder else None
        for batch in batches(haystack):
            asked += ask(request.set.name, batch, held)
        print(f"{request.set.name}: {haystack.name}, {len(asked)} asked", file=sys.stderr, flush=True)
    return asked


def asked_in(path: Path) -> list[Asked]:
    """What a result file of this command says was asked.

    Raises:
        InvalidExport: it is none.
    """
    try:
        return [Asked(**one) for one in read(path)["asked"]]
    except (KeyError, TypeError):
        raise InvalidExport(f"{path.name} does not say what was asked.", "Give a file of `abstain --out`.") from None
