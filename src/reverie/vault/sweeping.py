"""The decay sweep: in, observations with their importance of today; out, what is archived, shown or extended."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from reverie.formulas.max_age import effective_max_age
from reverie.formulas.sweep import Sweep, extended, verdict
from reverie.vault.laws import Laws
from reverie.vault.observation import age_text
from reverie.vault.work import Change, Item


def sweep(items: Sequence[Item], laws: Laws, today: date) -> Iterator[tuple[Item, tuple[Change, ...]]]:
    """Each observation after the sweep."""
    for one in items:
        found = _verdict(one, one.now.max_age_days, laws, today)
        if found is Sweep.ARCHIVE:
            yield _reviewed(replace(one, archived=True), ""), (Change(one.label, "archived", _why(one, today)),)
        elif found is Sweep.REVIEW:
            since = one.record.review or today.isoformat()
            yield _reviewed(one, since), (Change(one.label, "for review", f"{_why(one, today)}, since {since}"),)
        elif found is Sweep.EXTEND:
            longer = age_text(_enough(one, laws, today))
            why = f"{age_text(one.now.max_age_days)} → {longer}"
            yield _reviewed(one.with_scalar("max_age", longer), ""), (Change(one.label, "extended", why),)
        else:
            yield _reviewed(one, ""), ()


def _verdict(one: Item, max_age_days: float, laws: Laws, today: date) -> Sweep:
    limit = effective_max_age(max_age_days, one.now.importance, laws.extensions)
    return verdict(one.now.age_days(today), limit, one.now.importance, laws.edges)


def _enough(one: Item, laws: Laws, today: date) -> float:
    """The maximum age extended as often as it takes: a second look on the same day then finds nothing to do."""
    days = one.now.max_age_days
    while _verdict(one, days, laws, today) is Sweep.EXTEND:
        days = math.ceil(extended(days, laws.extend_by))
    return days


def _reviewed(one: Item, since: str) -> Item:
    return one if one.record.review == since else replace(one, record=replace(one.record, review=since))


def _why(one: Item, today: date) -> str:
    age, most = one.now.age_days(today), age_text(one.now.max_age_days)
    return f"importance {one.now.importance:g}, {age} days old, max_age {most}"
