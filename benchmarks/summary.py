"""From the values of single questions to rows: means and intervals per category, and differences between systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchmarks import statistics
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
    values: Mapping[str, statistics.Values]
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
    units = dict.fromkeys(column.unit for column in measured.columns)
    for group in groups(measured, unanswerable):
        for unit in units:
            labelled = Group(group.name, _labelled(measured, group, unit))
            if labelled.members:
                weights = statistics.resample(len(labelled.members), seed)
                rows += _rows(measured, labelled, unit, weights)
                if unit in _paired(measured):
                    paired += _differences(measured, labelled, unit, weights)
    return rows, paired


def _paired(measured: Measured) -> list[str]:
    """The set's own unit; where some evidence is labelled by session alone, sessions too."""
    first, *others = dict.fromkeys(column.unit for column in measured.columns)
    everyone = Group("all", list(range(len(measured.categories))))
    return [first, *others] if len(_labelled(measured, everyone, first)) < len(everyone.members) else [first]


def _labelled(measured: Measured, group: Group, unit: str) -> list[int]:
    """The members whose evidence the set labels by this unit."""
    first = next(place for place, column in enumerate(measured.columns) if column.unit == unit)
    values = next(iter(measured.values.values()))
    return [member for member in group.members if not np.isnan(values[member, first])]


def _rows(measured: Measured, group: Group, unit: str, weights: statistics.Values) -> Iterator[RetrievalRow]:
    places = [place for place, column in enumerate(measured.columns) if column.unit == unit]
    for system, values in measured.values.items():
        found = statistics.intervals(values[np.ix_(group.members, places)], weights)
        for place, column in enumerate(measured.columns[at] for at in places):
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


def _differences(measured: Measured, group: Group, unit: str, weights: statistics.Values) -> Iterator[PairedRow]:
    for against, system in combinations(measured.values, 2):
        ours, theirs = (measured.values[name][group.members] for name in (system, against))
        for place, column in enumerate(measured.columns):
            if column.unit == unit and (column.metric, column.at) in PAIRED:
                found = statistics.difference(ours[:, place], theirs[:, place], weights)
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
    labelled = _labelled(measured, Group("all", list(range(len(ids)))), unit)
    kept = {
        f"{column.metric}@{column.at}": place
        for place, column in enumerate(measured.columns)
        if column.unit == unit and (column.metric, column.at) in PAIRED
    }
    return {
        "unit": unit,
        "questions": [ids[place] for place in labelled],
        "categories": [measured.categories[place] for place in labelled],
        "answerable": [measured.answerable[place] for place in labelled],
        "values": {
            system: {name: [_rounded(value) for value in values[labelled, place]] for name, place in kept.items()}
            for system, values in measured.values.items()
        },
    }


def _rounded(value: float) -> float:
    return round(float(value), DIGITS)
