"""Maintenance: in, a vault and a day; out, what changes, and on disk the change.

The order is references, then decay, then promotion, and ageing runs even where no file changed. Everything is worked
out first and written afterwards. A file that somebody changed in between is not written: the whole is worked out anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from reverie.locking import locked
from reverie.vault.earning import Web, earn, unearned, weigh
from reverie.vault.files import Edit, carry_out, move
from reverie.vault.held import Fault, Held, gather, label
from reverie.vault.laws import Laws
from reverie.vault.places import Places
from reverie.vault.records import Record, Records, following
from reverie.vault.sharing import share
from reverie.vault.sweeping import sweep
from reverie.vault.work import Change, Item, item

_TRIES = 5


class Step(StrEnum):
    """The steps of maintenance, in their order."""

    REFS = "refs"
    DECAY = "decay"
    PROMOTE = "promote"


@dataclass(frozen=True, slots=True)
class Report:
    """What maintenance did or would do, the files it left alone, and the backlinks that lead nowhere."""

    changes: tuple[Change, ...]
    faults: tuple[Fault, ...]
    observations: int
    loose: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to stand on disk, what was known before under the names of now, and what to tell of it."""

    items: tuple[Item, ...]
    known: Mapping[str, Record]
    copies: tuple[Edit, ...]
    changes: tuple[Change, ...]
    faults: tuple[Fault, ...]
    loose: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Something a person or an agent tells of one observation, and what it makes of it."""

    target: str
    happen: Callable[[Item], Item]
    told: Change


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked for: the steps, an event before them, and what a person wants shared."""

    steps: tuple[Step, ...] = tuple(Step)
    event: Event | None = None
    asked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Setting:
    """Where, by which numbers, and on which day."""

    places: Places
    laws: Laws
    today: date


def plan(held: Held, records: Records, task: Task, setting: Setting) -> Plan:
    """What the task comes to, on what was read."""
    laws, today = setting.laws, setting.today
    changes: list[Change] = []
    faults = list(held.faults)
    everything = (*held.active, *held.archived)
    web = Web(everything)
    known = following(records.known, held.active, {label(one.name) for one in everything})
    items = [item(one, known, laws, today) for one in held.active]
    if records.is_kept:
        items = _gathered((_begun(one, known, web, laws) for one in items), changes)
    if task.event is not None:
        items = _gathered((_happened(one, task.event, web, setting) for one in items), changes)
    if Step.REFS in task.steps:
        items = _gathered(earn(items, web, laws, today), changes)
    if Step.DECAY in task.steps:
        items = _gathered(sweep(items, laws, today), changes)
    copies: list[Edit] = []
    if Step.PROMOTE in task.steps:
        shared = list(share(items, setting.places, laws, task.asked))
        items = [one.item for one in shared]
        copies = [one.edit for one in shared if one.edit]
        changes += [one.change for one in shared if one.change]
        faults += [one.fault for one in shared if one.fault]
    loose = tuple(fault for one in held.active for fault in web.loose(one)) if Step.REFS in task.steps else ()
    return Plan(tuple(items), known, tuple(copies), tuple(changes), tuple(faults), loose)


def run(setting: Setting, task: Task, *, dry_run: bool) -> Report:
    """Do what the task asks, as the only one who writes; with ``dry_run`` only tell. Raises StoreError."""
    if dry_run:
        return maintain(setting, task, dry_run=True)
    with locked(setting.places.lock):
        return maintain(setting, task, dry_run=False)


def maintain(setting: Setting, task: Task, *, dry_run: bool) -> Report:
    """Do what the task asks; with ``dry_run`` only tell. The caller holds the vault's lock. Raises StoreError."""
    done = _once(setting, task, dry_run=dry_run)
    told = list(done.plan.changes)
    for _ in range(_TRIES):
        if not done.late:
            break
        if task.event and task.event.target not in {one.label for one in done.late}:
            task = replace(task, event=None)  # it is on disk
        done = _once(setting, task, dry_run=False)
        told += [change for change in done.plan.changes if change not in told]
    faults = [*done.plan.faults, *(_left(one, setting.places) for one in done.late)]
    if done.records_fault:
        faults.insert(0, Fault(setting.places.records, 0, done.records_fault))
    return Report(tuple(told), tuple(faults), len(done.plan.items), done.plan.loose)


@dataclass(frozen=True, slots=True)
class _Done:
    """One try: what was planned, and what somebody changed before it could be written."""

    plan: Plan
    late: tuple[Item, ...]
    records_fault: str


def _once(setting: Setting, task: Task, *, dry_run: bool) -> _Done:
    records = Records(setting.places.records)
    made = plan(gather(setting.places), records, task, setting)
    late = () if dry_run else _carried_out(made, records, setting.places)
    return _Done(made, late, records.fault)


def _gathered(found: Iterable[tuple[Item, tuple[Change, ...]]], changes: list[Change]) -> list[Item]:
    items: list[Item] = []
    for one, told in found:
        items.append(one)
        changes += told
    return items


def _begun(one: Item, known: Mapping[str, Record], web: Web, laws: Laws) -> tuple[Item, tuple[Change, ...]]:
    """An observation that is new here, without importance that it only declares; any other one as it is."""
    then = one if one.label in known else unearned(one, web, laws)
    if then is one:
        return one, ()
    why = f"{one.now.importance:g} → {then.now.importance:g}: what is new starts at {laws.start:g}"
    return then, (Change(one.label, "importance is earned, not declared", why),)


def _happened(one: Item, event: Event, web: Web, setting: Setting) -> tuple[Item, tuple[Change, ...]]:
    """The observation the event is about, with the importance it has from then on; any other one as it is.

    What was told of before counts once, and is no change.
    """
    then = event.happen(one) if one.label == event.target else one
    if then == one:
        return one, ()
    return weigh(then, web, setting.laws, setting.today), (event.told,)


def _left(one: Item, places: Places) -> Fault:
    """Why an observation is not as it should be, after all tries."""
    if one.archived and (places.archive(one.was.name.agent) / one.was.path.name).exists():
        return Fault(one.was.path, 0, "not archived: the archive has another file of this name")
    return Fault(one.was.path, 0, "changed by somebody all the while; run this again")


def _carried_out(made: Plan, records: Records, places: Places) -> tuple[Item, ...]:
    """Write it; the items that somebody changed meanwhile, of which nothing is recorded."""
    edited = [one for one in made.items if one.now is not one.was]
    done = carry_out([Edit(one.was.path, one.was.raw, one.now.raw) for one in edited])
    late = [one for one, was_done in zip(edited, done, strict=True) if not was_done]
    names = {one.label for one in late}
    for one in made.items:
        if one.archived and one.label not in names:
            to = places.archive(one.was.name.agent) / one.was.path.name
            if not move(one.was.path, to, one.now.raw):
                late.append(one)
    carry_out(made.copies)
    known = dict(made.known)
    known |= {one.label: one.record for one in made.items if one.label not in names}
    records.save(known)
    return tuple(late)
