"""Maintenance of a vault: plan what changes on a day and after events, and write it to disk.

References raise importance, neglect lowers it; the sweep archives, flags for review or extends; proven observations are
shared.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import chain

from reverie.errors import InvalidInput
from reverie.formulas.freshness import effective_max_age
from reverie.formulas.vault import (
    Name,
    ObservationHappening,
    SharedTruth,
    Sweep,
    after,
    earned,
    extended,
    meant,
    neglected,
    references,
    resolved,
    sweep_verdict,
)
from reverie.formulas.vault import sharing_verdict as vault_promotion_verdict
from reverie.locking import locked
from reverie.vault.contents import FileFault, Records, VaultContents, VaultRecord, body_mark, following, gather, label
from reverie.vault.files import Edit, Places, carry_out, contents, is_agent, move
from reverie.vault.laws import Laws
from reverie.vault.observation import Observation, age_text, changed

DIGITS = 4
"""Decimal places of an importance in a file."""


@dataclass(frozen=True, slots=True)
class ObservationChange:
    """What maintenance does to one observation, and why."""

    name: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class MaintainedItem:
    """An observation before and after maintenance, its record, and whether it is to be archived."""

    was: Observation
    now: Observation
    record: VaultRecord
    archived: bool = False

    @property
    def label(self) -> str:
        """The observation's full name, ``agent/name``."""
        return label(self.was.name)

    def with_importance(self, value: float, earned: float) -> MaintainedItem:
        """Return a copy with this importance; the file changes only if its number differs."""
        shown = round(value, DIGITS)
        now = self.now
        if abs(now.importance - shown) > 0.5 * 10**-DIGITS:
            now = changed(now, now.front.with_scalar("importance", repr(shown)))
        return replace(self, now=now, record=replace(self.record, earned=round(earned, 6), written=now.importance))

    def with_scalar(self, key: str, value: str) -> MaintainedItem:
        """Return a copy with this value of a field."""
        return replace(self, now=changed(self.now, self.now.front.with_scalar(key, value)))

    def happened(self, what: ObservationHappening, laws: Laws) -> MaintainedItem:
        """Return a copy after an event; neglect is recomputed when its importance is next weighed."""
        return replace(self, record=replace(self.record, earned=round(after(self.record.earned, what, laws.table), 6)))


def item(seen: Observation, records: Mapping[str, VaultRecord], laws: Laws, today: date) -> MaintainedItem:
    """Combine an observation with its record.

    Without a record, the file's values are taken as they are (`unearned` checks them next, if counting had begun); only
    an untouched file with the initial importance counts its neglect from its first day. A number that differs from the
    one last written is a person's: it is kept, and neglect counts anew from today.
    """
    record = records.get(label(seen.name))
    if record is None:
        untouched = seen.importance == laws.start and not seen.refs and not seen.ref_by and not seen.verified
        record = VaultRecord(
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
    return MaintainedItem(seen, seen, replace(record, body=body_mark(seen)))


_DATED = re.compile(r"obs-(\d{4}-\d{2}-\d{2})-\d+\Z")


class Web:
    """The references between all observations, active and archived."""

    def __init__(self, observations: Sequence[Observation]) -> None:
        known = {one.name: one for one in reversed(observations)}  # the first of two with one name
        self._created = {name: one.created for name, one in known.items()}
        self._by = references([(name, one.backlinks) for name, one in known.items()])
        self._names: dict[str, list[Name]] = {}
        for name in known:
            self._names.setdefault(name.id, []).append(name)

    def referrers(self, name: Name) -> list[Name]:
        """Return the observations that refer to this one, oldest first."""
        return sorted(self._by.get(name, ()), key=lambda one: (self._created[one], one))

    def labels(self, links: Sequence[str], agent: str) -> list[str]:
        """Return an agent's links as ``agent/name``; links that lead nowhere stay as they are."""
        found = (resolved(link, agent, self._names.get(link.rpartition("/")[2], ())) for link in links)
        return [label(name) if name else link for link, name in zip(links, found, strict=True)]

    def loose(self, one: Observation) -> Iterator[FileFault]:
        """Yield the backlinks of an observation that lead nowhere, or to several, with line and reason."""
        for link in one.backlinks:
            found = meant(link, one.name.agent, self._names.get(link.rpartition("/")[2], ()))
            if len(found) != 1:
                others = ", ".join(map(label, found))
                why = f"may be {others}; write its agent too" if found else "is no observation of this vault"
                yield FileFault(one.path, one.front.line_of("backlinks", link), f"{link} {why}")

    def day(self, link: str) -> date | None:
        """Return the day of a referrer: from its file, or from its name if the file is gone."""
        agent, _, bare = link.rpartition("/")
        created = self._created.get(Name(agent, bare))
        if created is not None:
            return created
        dated = _DATED.match(bare)
        try:
            return date.fromisoformat(dated[1]) if dated else None
        except ValueError:
            return None


def earn(
    items: Sequence[MaintainedItem], web: Web, laws: Laws, today: date
) -> Iterator[tuple[MaintainedItem, tuple[ObservationChange, ...]]]:
    """Yield each observation after crediting its references and verification, and subtracting neglect."""
    for one in items:
        then = weigh(credit(one, web, laws), web, laws, today)
        yield then, tuple(_told(one, then))


def unearned(one: MaintainedItem, web: Web, laws: Laws) -> MaintainedItem:
    """Return a new observation with no more importance than it can be shown to have earned.

    All start equal: a higher number in a new file is only a claim. References to it and its verification count.
    """
    name, seen = one.now.name, one.now
    if seen.importance <= laws.start:
        return one
    by = web.referrers(name)
    happened = [
        ObservationHappening.REFERENCED if it.agent == name.agent else ObservationHappening.REFERENCED_BY_OTHER
        for it in by
    ]
    most = earned(laws.start, [*happened, *((ObservationHappening.VERIFIED,) if seen.verified else ())], laws.table)
    if seen.importance <= most:
        return one
    record = replace(one.record, verified=seen.verified, since="", credited=tuple(sorted(map(label, by))))
    return replace(one, record=record).with_importance(most, most)


def credit(one: MaintainedItem, web: Web, laws: Laws) -> MaintainedItem:
    """Credit an observation with its new references, and with its verification if that is new."""
    name = one.now.name
    listed = web.labels(one.now.ref_by, name.agent)
    counted = {*listed, *one.record.credited}
    fresh: list[str] = []
    for referrer in web.referrers(name):
        link = label(referrer)
        if link not in listed:
            fresh.append(link)
        if link not in counted:
            own = referrer.agent == name.agent
            one = one.happened(
                ObservationHappening.REFERENCED if own else ObservationHappening.REFERENCED_BY_OTHER, laws
            )
    if one.now.verified and not one.record.verified:
        one = one.happened(ObservationHappening.VERIFIED, laws)
    credited = tuple(sorted({*counted, *fresh}))
    one = replace(one, record=replace(one.record, verified=one.now.verified or one.record.verified, credited=credited))
    front = one.now.front.with_items("ref_by", fresh)
    if one.now.refs != len(listed) + len(fresh):
        front = front.with_scalar("refs", str(len(listed) + len(fresh)))
    return replace(one, now=changed(one.now, front))


def weigh(one: MaintainedItem, web: Web, laws: Laws, today: date) -> MaintainedItem:
    """Set an observation's importance for today: what it earned, less neglect since it was last referred to."""
    idle = (today - _last(one, web, today)).days
    return one.with_importance(neglected(one.record.earned, idle, laws.neglect), one.record.earned)


def _last(one: MaintainedItem, web: Web, today: date) -> date:
    """Return the day of the last reference, else of a person's last change, else the first day."""
    days: list[date | None] = [one.now.created]
    days += map(web.day, one.record.credited)
    if one.record.since:
        days.append(date.fromisoformat(one.record.since))
    return max(day for day in days if day is not None and (day <= today or day == one.now.created))


def _told(before: MaintainedItem, then: MaintainedItem) -> Iterator[ObservationChange]:
    gained = [link for link in then.now.ref_by if link not in before.now.ref_by]
    if gained:
        yield ObservationChange(then.label, "referred to", f"by {', '.join(gained)}")
    if then.now.importance != before.now.importance:
        why = f"{before.now.importance:g} → {then.now.importance:g}"
        yield ObservationChange(then.label, "importance", why)


def sweep(
    items: Sequence[MaintainedItem], laws: Laws, today: date
) -> Iterator[tuple[MaintainedItem, tuple[ObservationChange, ...]]]:
    """Yield each observation after the decay sweep, which archives, flags for review or extends it."""
    for one in items:
        found = _verdict(one, one.now.max_age_days, laws, today)
        if found is Sweep.ARCHIVE:
            yield (
                _reviewed(replace(one, archived=True), ""),
                (ObservationChange(one.label, "archived", _why(one, today)),),
            )
        elif found is Sweep.REVIEW:
            since = one.record.review or today.isoformat()
            yield (
                _reviewed(one, since),
                (ObservationChange(one.label, "for review", f"{_why(one, today)}, since {since}"),),
            )
        elif found is Sweep.EXTEND:
            longer = age_text(_enough(one, laws, today))
            why = f"{age_text(one.now.max_age_days)} → {longer}"
            yield _reviewed(one.with_scalar("max_age", longer), ""), (ObservationChange(one.label, "extended", why),)
        else:
            yield _reviewed(one, ""), ()


def _verdict(one: MaintainedItem, max_age_days: float, laws: Laws, today: date) -> Sweep:
    limit = effective_max_age(max_age_days, one.now.importance, laws.extensions)
    return sweep_verdict(one.now.age_days(today), limit, one.now.importance, laws.edges)


def _enough(one: MaintainedItem, laws: Laws, today: date) -> float:
    """Extend the maximum age until the verdict changes, so that a second run on the same day finds nothing to do."""
    days = one.now.max_age_days
    while _verdict(one, days, laws, today) is Sweep.EXTEND:
        days = math.ceil(extended(days, laws.extend_by))
    return days


def _reviewed(one: MaintainedItem, since: str) -> MaintainedItem:
    return one if one.record.review == since else replace(one, record=replace(one.record, review=since))


def _why(one: MaintainedItem, today: date) -> str:
    age, most = one.now.age_days(today), age_text(one.now.max_age_days)
    return f"importance {one.now.importance:g}, {age} days old, max_age {most}"


_OWN = re.compile(rb"^(?:importance|max_age|refs|ref_by|verified|promoted):.*$\n?(?:[ \t]*- .*$\n?)*", re.MULTILINE)
"""Fields that maintenance writes: copies that differ only in these were edited by nobody."""


@dataclass(frozen=True, slots=True)
class Shared:
    """One observation after the promotion sweep, and the copy to be written, if any."""

    item: MaintainedItem
    edit: Edit | None = None
    change: ObservationChange | None = None
    fault: FileFault | None = None


def share(items: Sequence[MaintainedItem], places: Places, laws: Laws, asked: frozenset[str]) -> Iterator[Shared]:
    """Share observations that earned it or that a person asked for, and update older copies."""
    taken: dict[str, str] = {}
    for one in items:
        if one.archived:
            yield Shared(one)
            continue
        found = vault_promotion_verdict(one.now.importance, one.now.verified, one.label in asked, laws.sharing)
        if not one.now.promoted and not found.moves:
            yield Shared(one)
            continue
        yield _copied(one, places, found, taken)


def _copied(one: MaintainedItem, places: Places, found: SharedTruth, taken: dict[str, str]) -> Shared:
    then = one if one.now.promoted else one.with_scalar("promoted", "true")
    path = places.shared / f"{_prefix(one)}-{one.was.name.id}.md"
    owner = taken.setdefault(path.name, one.label)
    if owner != one.label:
        return Shared(one, fault=FileFault(one.was.path, 0, f"not shared: {path.name} is the copy of {owner}"))
    copy, there = then.now.raw if then is one else then.now.front.text.encode("utf-8"), contents(path)
    kept = replace(then, record=replace(then.record, copy=hashlib.sha256(copy).hexdigest()))
    if there == copy:
        return Shared(kept)
    if there is None:
        return Shared(kept, Edit(path, None, copy), ObservationChange(one.label, "promoted", str(found)))
    if hashlib.sha256(there).hexdigest() == one.record.copy or _bare(there) == _bare(copy):
        return Shared(kept, Edit(path, there, copy), ObservationChange(one.label, "copied again", path.name))
    return Shared(
        one, fault=FileFault(path, 0, f"edited by somebody, or of another origin than {one.label}: left as it is")
    )


def _prefix(one: MaintainedItem) -> str:
    """Return the source if it can be part of a file name; else the agent whose folder holds the observation."""
    return one.now.source if is_agent(one.now.source) else one.was.name.agent


def _bare(raw: bytes) -> bytes:
    return _OWN.sub(b"", raw)


_TRIES = 5


class MaintenanceStep(StrEnum):
    """The steps of maintenance, in their order."""

    REFS = "refs"
    DECAY = "decay"
    PROMOTE = "promote"


@dataclass(frozen=True, slots=True)
class Report:
    """What maintenance did or would do, the files it left alone, and the backlinks that lead nowhere."""

    changes: tuple[ObservationChange, ...]
    faults: tuple[FileFault, ...]
    observations: int
    loose: tuple[FileFault, ...] = ()


@dataclass(frozen=True, slots=True)
class MaintenancePlan:
    """The planned state on disk, the earlier records under current names, and what to report."""

    items: tuple[MaintainedItem, ...]
    known: Mapping[str, VaultRecord]
    copies: tuple[Edit, ...]
    changes: tuple[ObservationChange, ...]
    faults: tuple[FileFault, ...]
    loose: tuple[FileFault, ...]


@dataclass(frozen=True, slots=True)
class VaultEvent:
    """An event that a person or an agent reports for one observation, and its effect."""

    target: str
    happen: Callable[[MaintainedItem], MaintainedItem]
    told: ObservationChange


@dataclass(frozen=True, slots=True)
class Task:
    """What to do: the steps, an event before them, and what a person wants shared."""

    steps: tuple[MaintenanceStep, ...] = tuple(MaintenanceStep)
    event: VaultEvent | None = None
    asked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Setting:
    """The vault, its numbers and the day."""

    places: Places
    laws: Laws
    today: date


def plan(held: VaultContents, records: Records, task: Task, setting: Setting) -> MaintenancePlan:
    """Plan the task for the contents that were read."""
    laws, today = setting.laws, setting.today
    changes: list[ObservationChange] = []
    faults = list(held.faults)
    everything = (*held.active, *held.archived)
    web = Web(everything)
    known = following(records.known, held.active, {label(one.name) for one in everything})
    items = [item(one, known, laws, today) for one in held.active]
    if records.is_kept:
        items = _gathered((_begun(one, known, web, laws) for one in items), changes)
    if task.event is not None:
        items = _gathered((_happened(one, task.event, web, setting) for one in items), changes)
    if MaintenanceStep.REFS in task.steps:
        items = _gathered(earn(items, web, laws, today), changes)
    if MaintenanceStep.DECAY in task.steps:
        items = _gathered(sweep(items, laws, today), changes)
    copies: list[Edit] = []
    if MaintenanceStep.PROMOTE in task.steps:
        shared = list(share(items, setting.places, laws, task.asked))
        items = [one.item for one in shared]
        copies = _noted(shared, changes, faults)
    loose = tuple(chain.from_iterable(map(web.loose, held.active))) if MaintenanceStep.REFS in task.steps else ()
    return MaintenancePlan(tuple(items), known, tuple(copies), tuple(changes), tuple(faults), loose)


def _noted(shared: Sequence[Shared], changes: list[ObservationChange], faults: list[FileFault]) -> list[Edit]:
    """Collect the promotion sweep's changes and faults; return the copies to write."""
    changes += filter(None, (one.change for one in shared))
    faults += filter(None, (one.fault for one in shared))
    return [one.edit for one in shared if one.edit]


def run(setting: Setting, task: Task, *, dry_run: bool) -> Report:
    """Run the task under the vault's lock; with ``dry_run`` only report. Raises StoreError."""
    if dry_run:
        return maintain(setting, task, dry_run=True)
    with locked(setting.places.lock):
        return maintain(setting, task, dry_run=False)


def maintain(setting: Setting, task: Task, *, dry_run: bool) -> Report:
    """Run the task; with ``dry_run`` only report. The caller holds the vault's lock. Raises StoreError."""
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
        faults.insert(0, FileFault(setting.places.records, 0, done.records_fault))
    return Report(tuple(told), tuple(faults), len(done.plan.items), done.plan.loose)


@dataclass(frozen=True, slots=True)
class _Done:
    """One try: the plan, and what somebody changed before it could be written."""

    plan: MaintenancePlan
    late: tuple[MaintainedItem, ...]
    records_fault: str


def _once(setting: Setting, task: Task, *, dry_run: bool) -> _Done:
    records = Records(setting.places.records)
    made = plan(gather(setting.places), records, task, setting)
    late = () if dry_run else _carried_out(made, records, setting.places)
    return _Done(made, late, records.fault)


def _gathered(
    found: Iterable[tuple[MaintainedItem, tuple[ObservationChange, ...]]], changes: list[ObservationChange]
) -> list[MaintainedItem]:
    items: list[MaintainedItem] = []
    for one, told in found:
        items.append(one)
        changes += told
    return items


def _begun(
    one: MaintainedItem, known: Mapping[str, VaultRecord], web: Web, laws: Laws
) -> tuple[MaintainedItem, tuple[ObservationChange, ...]]:
    """Reduce the importance of a new observation to what it earned; return any other one unchanged."""
    then = one if one.label in known else unearned(one, web, laws)
    if then is one:
        return one, ()
    why = f"{one.now.importance:g} → {then.now.importance:g}: what is new starts at {laws.start:g}"
    return then, (ObservationChange(one.label, "importance is earned, not declared", why),)


def _happened(
    one: MaintainedItem, event: VaultEvent, web: Web, setting: Setting
) -> tuple[MaintainedItem, tuple[ObservationChange, ...]]:
    """Apply the event to its observation and weigh it anew; return any other one unchanged.

    An event that was reported before counts only once, and is no change.
    """
    then = event.happen(one) if one.label == event.target else one
    if then == one:
        return one, ()
    return weigh(then, web, setting.laws, setting.today), (event.told,)


def _left(one: MaintainedItem, places: Places) -> FileFault:
    """Return why an observation could not be written after all tries."""
    if one.archived and (places.archive(one.was.name.agent) / one.was.path.name).exists():
        return FileFault(one.was.path, 0, "not archived: the archive has another file of this name")
    return FileFault(one.was.path, 0, "changed by somebody all the while; run this again")


def _carried_out(made: MaintenancePlan, records: Records, places: Places) -> tuple[MaintainedItem, ...]:
    """Write the plan; return the items that somebody changed meanwhile, for which nothing is recorded."""
    late = _unwritten(made.items)
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


def _unwritten(items: Sequence[MaintainedItem]) -> list[MaintainedItem]:
    """Write the changed items; return those whose files somebody else changed meanwhile."""
    edited = [one for one in items if one.now is not one.was]
    done = carry_out([Edit(one.was.path, one.was.raw, one.now.raw) for one in edited])
    return [one for one, was_done in zip(edited, done, strict=True) if not was_done]


def outcome(target: str, why: str, laws: Laws, today: date) -> VaultEvent:
    """Return the event for an observation that led to a good decision; the same words count only once."""
    said = why.strip() or today.isoformat()

    def happen(one: MaintainedItem) -> MaintainedItem:
        if said in one.record.outcomes:
            return one
        one = one.happened(ObservationHappening.GOOD_OUTCOME, laws)
        return replace(one, record=replace(one.record, outcomes=(*one.record.outcomes, said)))

    return VaultEvent(target, happen, ObservationChange(target, "good outcome", said))


def verified(target: str, laws: Laws) -> VaultEvent:
    """Return the event for an observation that came true: it is noted in the file, and counts once."""

    def happen(one: MaintainedItem) -> MaintainedItem:
        if not one.now.verified:
            one = one.with_scalar("verified", "true")
        if one.record.verified:
            return one
        one = one.happened(ObservationHappening.VERIFIED, laws)
        return replace(one, record=replace(one.record, verified=True))

    return VaultEvent(target, happen, ObservationChange(target, "verified", "it came true"))


def flagged(target: str, *, important: bool, laws: Laws, today: date) -> VaultEvent:
    """Return the event for a person's verdict, important or wrong: neglect counts anew, a wrong one is archived."""
    what = ObservationHappening.FLAGGED_IMPORTANT if important else ObservationHappening.FLAGGED_WRONG

    def happen(one: MaintainedItem) -> MaintainedItem:
        one = one.happened(what, laws)
        return replace(one, archived=not important, record=replace(one.record, since=today.isoformat()))

    return VaultEvent(
        target, happen, ObservationChange(target, "flagged", "important" if important else "wrong: archived")
    )


def contradicted(target: str, by: str, laws: Laws) -> VaultEvent:
    """Return the event for a contradiction by a newer observation, which counts once.

    Raises InvalidInput if both are the same.
    """
    if target == by:
        raise InvalidInput(f"{target} cannot contradict itself.", "Name the newer observation with --by.")

    def happen(one: MaintainedItem) -> MaintainedItem:
        if by in one.record.contradicted_by:
            return one
        one = one.happened(ObservationHappening.CONTRADICTED, laws)
        return replace(one, record=replace(one.record, contradicted_by=(*one.record.contradicted_by, by)))

    return VaultEvent(target, happen, ObservationChange(target, "contradicted", f"by {by}"))
