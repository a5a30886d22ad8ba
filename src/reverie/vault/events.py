"""What people and agents tell of an observation: in, its name and what happened; out, the event that maintenance does.

Each happens to what is active, moves importance by the document's table, and counts once.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from reverie.errors import InvalidInput
from reverie.formulas.earned_importance import Happening
from reverie.vault.laws import Laws
from reverie.vault.maintaining import Event
from reverie.vault.work import Change, Item


def outcome(target: str, why: str, laws: Laws, today: date) -> Event:
    """It led to a decision with a good outcome. The same words tell of the same outcome, which counts once."""
    said = why.strip() or today.isoformat()

    def happen(one: Item) -> Item:
        if said in one.record.outcomes:
            return one
        one = one.happened(Happening.GOOD_OUTCOME, laws)
        return replace(one, record=replace(one.record, outcomes=(*one.record.outcomes, said)))

    return Event(target, happen, Change(target, "good outcome", said))


def verified(target: str, laws: Laws) -> Event:
    """What it says came true: the file says so, and it counts once."""

    def happen(one: Item) -> Item:
        if not one.now.verified:
            one = one.with_scalar("verified", "true")
        if one.record.verified:
            return one
        one = one.happened(Happening.VERIFIED, laws)
        return replace(one, record=replace(one.record, verified=True))

    return Event(target, happen, Change(target, "verified", "it came true"))


def flagged(target: str, *, important: bool, laws: Laws, today: date) -> Event:
    """A person calls it important, or wrong. Neglect counts anew from that day; the wrong is archived at once."""
    what = Happening.FLAGGED_IMPORTANT if important else Happening.FLAGGED_WRONG

    def happen(one: Item) -> Item:
        one = one.happened(what, laws)
        return replace(one, archived=not important, record=replace(one.record, since=today.isoformat()))

    return Event(target, happen, Change(target, "flagged", "important" if important else "wrong: archived"))


def contradicted(target: str, by: str, laws: Laws) -> Event:
    """A newer observation says the opposite; each counts once. Raises InvalidInput for one that contradicts itself."""
    if target == by:
        raise InvalidInput(f"{target} cannot contradict itself.", "Name the newer observation with --by.")

    def happen(one: Item) -> Item:
        if by in one.record.contradicted_by:
            return one
        one = one.happened(Happening.CONTRADICTED, laws)
        return replace(one, record=replace(one.record, contradicted_by=(*one.record.contradicted_by, by)))

    return Event(target, happen, Change(target, "contradicted", f"by {by}"))
