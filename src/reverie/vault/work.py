"""Observations on their way through maintenance: as they were, as they will stand, and what is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from reverie.formulas.earned_importance import Happening, after
from reverie.vault.held import label
from reverie.vault.laws import Laws
from reverie.vault.observation import Observation, changed
from reverie.vault.records import Record, body_mark

DIGITS = 4
"""Places of an importance in a file."""


@dataclass(frozen=True, slots=True)
class Change:
    """What maintenance does to one observation, and why."""

    name: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Item:
    """An observation, what is known of it, and where it is to lie."""

    was: Observation
    now: Observation
    record: Record
    archived: bool = False

    @property
    def label(self) -> str:
        """``agent/name``."""
        return label(self.was.name)

    def with_importance(self, value: float, earned: float) -> Item:
        """The same with this importance, in the file only where it says another number."""
        shown = round(value, DIGITS)
        now = self.now
        if abs(now.importance - shown) > 0.5 * 10**-DIGITS:
            now = changed(now, now.front.with_scalar("importance", repr(shown)))
        return replace(self, now=now, record=replace(self.record, earned=round(earned, 6), written=now.importance))

    def with_scalar(self, key: str, value: str) -> Item:
        """The same with this value of a field."""
        return replace(self, now=changed(self.now, self.now.front.with_scalar(key, value)))

    def happened(self, what: Happening, laws: Laws) -> Item:
        """The same after an event; neglect is taken anew by the next look at its importance."""
        return replace(self, record=replace(self.record, earned=round(after(self.record.earned, what, laws.table), 6)))


def item(seen: Observation, records: Mapping[str, Record], laws: Laws, today: date) -> Item:
    """An observation with what is known of it.

    What stands in a file that nothing is known of is taken as it stands (where counting had begun, `unearned` looks at
    it next). Only what nobody touched, at the importance it was made with, counts its neglect from its first day. A
    number that differs from the one written here is a person's: it holds, and neglect counts anew from today.
    """
    record = records.get(label(seen.name))
    if record is None:
        untouched = seen.importance == laws.start and not seen.refs and not seen.ref_by and not seen.verified
        record = Record(
            earned=seen.importance,
            written=seen.importance,
            verified=seen.verified,
            since="" if untouched else today.isoformat(),
        )
    elif abs(record.written - seen.importance) > 0.5 * 10**-DIGITS:
        record = replace(
            record,
            earned=seen.importance,
            written=seen.importance,
            verified=seen.verified or record.verified,
            since=today.isoformat(),
        )
    return Item(seen, seen, replace(record, body=body_mark(seen)))
