"""Rows of several runs as one table: what was asked the same questions belongs together, whenever it was measured.

In: results. Out: one result for each set and choice of questions. Differences between rows of different runs are worked
out anew from the values of the single questions, with the seed of the first run, as one run would have done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.metrics import Column
from benchmarks.report.retrieval import TITLES, Key, Result
from benchmarks.results import RetrievalRow
from benchmarks.summary import Measured, summarise
from benchmarks.systems import PEERS, RECIPES
from reverie.errors import InvalidExport

ORDER = ("bm25", "dense", "rrf", *PEERS, "reverie", *RECIPES)
"""Baselines, the systems of others, then ours; systems that are none of these follow as they come."""

SAME = ("model", "seed")
"""What runs must have in common."""


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions of a run: those of two runs are the same where this is."""

    set: str
    unit: str
    ids: tuple[str, ...]
    categories: tuple[str, ...]
    answerable: tuple[bool, ...]


def merged(results: Sequence[Result]) -> list[Result]:
    """One result a set and choice of questions, whole sets before parts of them; of one system the last run counts.

    Raises:
        InvalidExport: runs over the same questions used different embedding models or seeds.
    """
    groups: dict[Questions | int, list[Result]] = {}
    for place, found in enumerate(results):
        groups.setdefault(questions(found) or place, []).append(found)
    joined = [_one(asked, group) for asked, group in groups.items()]
    return sorted(joined, key=lambda one: (_place(one.set, list(TITLES)), int(one.content.get("limit", 0))))


def questions(found: Result) -> Questions | None:
    """What was asked; None in a file that does not say, which stands alone."""
    told = found.content.get("by_question")
    if not told:
        return None
    ids, categories, answerable = (tuple(told[name]) for name in ("questions", "categories", "answerable"))
    return Questions(found.set, told["unit"], ids, categories, answerable)


def _one(asked: Questions | int, group: Sequence[Result]) -> Result:
    if isinstance(asked, int):
        return in_order(group[0])
    for name in SAME:
        if len({str(found.content.get(name)) for found in group}) > 1:
            raise InvalidExport(f"The runs of {asked.set} do not have the same {name}.", "Measure them anew.")
    rows = {(row.system, *key[1:]): row for found in group for key, row in found.rows.items()}
    measured = _measured(asked, group)
    unanswerable = any(key[1] == "answerable" for key in rows)
    _, paired = summarise(measured, unanswerable, int(group[0].content["seed"]))
    return Result(asked.set, _ordered(rows, list(measured.values)), paired, _content(group))


def _measured(asked: Questions, group: Sequence[Result]) -> Measured:
    values: dict[str, Mapping[str, Sequence[float]]] = {}
    for found in group:
        values |= found.content["by_question"]["values"]
    names = list(next(iter(values.values())))
    columns = tuple(Column(asked.unit, metric, int(at)) for metric, _, at in (name.partition("@") for name in names))
    arrays = {system: np.array([values[system][name] for name in names]).T for system in in_line(values)}
    return Measured(asked.set, columns, arrays, asked.categories, asked.answerable)


def _ordered(rows: Mapping[Key, RetrievalRow], systems: Sequence[str]) -> dict[Key, RetrievalRow]:
    return {key: rows[key] for key in sorted(rows, key=lambda key: systems.index(key[0]))}


def _content(group: Sequence[Result]) -> dict[str, Any]:
    """The first run's keys, with the releases of every run's systems."""
    versions = {name: told for found in group for name, told in found.content.get("systems", {}).items()}
    return {**group[0].content, "systems": versions}


def in_order(found: Result) -> Result:
    """A lone result with its rows in the same order as a merged one's."""
    return replace(found, rows=_ordered(found.rows, in_line(found.systems)))


def in_line(systems: Iterable[str]) -> list[str]:
    """Systems in the order of the tables."""
    return sorted(systems, key=lambda system: _place(system, ORDER))


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)
