"""From the values of single questions to rows: means and intervals per category, and differences between systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from benchmarks import bootstrap
from benchmarks.metrics import Column
from benchmarks.results import PairedRow, RetrievalRow

PAIRED = (("any", 1), ("fraction", 10), ("all", 10), ("tokens", 1000))
"""The figures whose differences between systems are worth an interval."""

DIGITS = 6


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run measured.

    ``values`` per system, (questions, columns); ``categories`` and ``answerable`` say for each question what it is.
    """

    set: str
    columns: tuple[Column, ...]
    values: Mapping[str, bootstrap.Values]
    categories: tuple[str, ...]
    answerable: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A category: its name, and the questions in it."""

    name: str
    members: list[int]


def groups(measured: Measured, unanswerable: bool) -> Iterator[Group]:
    """All questions, then the answerable ones where the set has others, then the set's own categories by name."""
    everyone = range(len(measured.categories))
    yield Group("all", list(everyone))
    answerable = [i for i in everyone if measured.answerable[i]]
    if unanswerable and answerable:
        yield Group("answerable", answerable)
    for name in sorted(set(measured.categories) - {"all"}):
        yield Group(name, [i for i in everyone if measured.categories[i] == name])


def summarise(measured: Measured, unanswerable: bool, seed: int) -> tuple[list[RetrievalRow], list[PairedRow]]:
    """The rows and the paired differences of every category."""
    rows: list[RetrievalRow] = []
    paired: list[PairedRow] = []
    for group in groups(measured, unanswerable):
        weights = bootstrap.resample(len(group.members), seed)
        rows += _rows(measured, group, weights)
        paired += _differences(measured, group, weights)
    return rows, paired


def _rows(measured: Measured, group: Group, weights: bootstrap.Values) -> Iterator[RetrievalRow]:
    for system, values in measured.values.items():
        found = bootstrap.intervals(values[group.members], weights)
        for place, column in enumerate(measured.columns):
            yield RetrievalRow(
                set=measured.set,
                system=system,
                unit=column.unit,
                metric=column.metric,
                at=column.at,
                category=group.name,
                n=len(group.members),
                value=_rounded(found.mean[place]),
                low=_rounded(found.low[place]),
                high=_rounded(found.high[place]),
            )


def _differences(measured: Measured, group: Group, weights: bootstrap.Values) -> Iterator[PairedRow]:
    unit = measured.columns[0].unit
    for against, system in combinations(measured.values, 2):
        ours, theirs = (measured.values[name][group.members] for name in (system, against))
        for place, column in enumerate(measured.columns):
            if column.unit == unit and (column.metric, column.at) in PAIRED:
                found = bootstrap.difference(ours[:, place], theirs[:, place], weights)
                yield PairedRow(
                    set=measured.set,
                    system=system,
                    against=against,
                    unit=unit,
                    metric=column.metric,
                    at=column.at,
                    category=group.name,
                    n=len(group.members),
                    difference=_rounded(found.mean),
                    low=_rounded(found.low),
                    high=_rounded(found.high),
                    better=found.better,
                    worse=found.worse,
                )


def by_question(measured: Measured, ids: tuple[str, ...]) -> dict[str, object]:
    """The values whose differences are told, question by question: what rows of other runs can be paired with."""
    unit = measured.columns[0].unit
    kept = {
        f"{column.metric}@{column.at}": place
        for place, column in enumerate(measured.columns)
        if column.unit == unit and (column.metric, column.at) in PAIRED
    }
    return {
        "unit": unit,
        "questions": list(ids),
        "categories": list(measured.categories),
        "answerable": list(measured.answerable),
        "values": {
            system: {name: [_rounded(value) for value in values[:, place]] for name, place in kept.items()}
            for system, values in measured.values.items()
        },
    }


def _rounded(value: float) -> float:
    return round(float(value), DIGITS)
