"""References and what they are worth: in, every observation; out, each with its ``refs``, ``ref_by`` and importance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from reverie.formulas.backlinks import Name, meant, references, resolved
from reverie.formulas.earned_importance import Happening, earned, neglected
from reverie.vault.held import Fault, label
from reverie.vault.laws import Laws
from reverie.vault.observation import Observation, changed
from reverie.vault.work import Change, Item

_DATED = re.compile(r"obs-(\d{4}-\d{2}-\d{2})-\d+\Z")


class Web:
    """Who refers to whom, over what is active and what is archived."""

    def __init__(self, observations: Sequence[Observation]) -> None:
        known = {one.name: one for one in reversed(observations)}  # of two of a name the first
        self._created = {name: one.created for name, one in known.items()}
        self._by = references([(name, one.backlinks) for name, one in known.items()])
        self._names: dict[str, list[Name]] = {}
        for name in known:
            self._names.setdefault(name.id, []).append(name)

    def referrers(self, name: Name) -> list[Name]:
        """Those that refer to an observation, the oldest first."""
        return sorted(self._by.get(name, ()), key=lambda one: (self._created[one], one))

    def labels(self, links: Sequence[str], agent: str) -> list[str]:
        """Links of an agent as ``agent/name``; what means nothing here stays as it is."""
        found = (resolved(link, agent, self._names.get(link.rpartition("/")[2], ())) for link in links)
        return [label(name) if name else link for link, name in zip(links, found, strict=True)]

    def loose(self, one: Observation) -> Iterator[Fault]:
        """The backlinks of an observation that mean nothing here, or more than one thing: with line and reason."""
        for link in one.backlinks:
            found = meant(link, one.name.agent, self._names.get(link.rpartition("/")[2], ()))
            if len(found) != 1:
                others = ", ".join(map(label, found))
                why = f"may be {others}; write its agent too" if found else "is no observation of this vault"
                yield Fault(one.path, one.front.line_of("backlinks", link), f"{link} {why}")

    def day(self, link: str) -> date | None:
        """The day of a referrer: of its file, or of its name where the file is gone."""
        agent, _, bare = link.rpartition("/")
        created = self._created.get(Name(agent, bare))
        if created is not None:
            return created
        dated = _DATED.match(bare)
        try:
            return date.fromisoformat(dated[1]) if dated else None
        except ValueError:
            return None


def earn(items: Sequence[Item], web: Web, laws: Laws, today: date) -> Iterator[tuple[Item, tuple[Change, ...]]]:
    """Each observation after its references, its verification, and neglect last."""
    for one in items:
        then = weigh(credit(one, web, laws), web, laws, today)
        yield then, tuple(_told(one, then))


def unearned(one: Item, web: Web, laws: Laws) -> Item:
    """A new observation with no more importance than it can be seen to have earned; its file says so then.

    Everything starts equal: a higher number in a file that nobody has seen before is a declaration. What refers to it
    by then, and that it was verified, counts.
    """
    name, seen = one.now.name, one.now
    if seen.importance <= laws.start:
        return one
    by = web.referrers(name)
    happened = [Happening.REFERENCED if it.agent == name.agent else Happening.REFERENCED_BY_OTHER for it in by]
    most = earned(laws.start, [*happened, *((Happening.VERIFIED,) if seen.verified else ())], laws.table)
    if seen.importance <= most:
        return one
    record = replace(one.record, verified=seen.verified, since="", credited=tuple(sorted(map(label, by))))
    return replace(one, record=record).with_importance(most, most)


def credit(one: Item, web: Web, laws: Laws) -> Item:
    """The observation with what newly refers to it, and its verification where that is new."""
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
            one = one.happened(Happening.REFERENCED if own else Happening.REFERENCED_BY_OTHER, laws)
    if one.now.verified and not one.record.verified:
        one = one.happened(Happening.VERIFIED, laws)
    credited = tuple(sorted({*counted, *fresh}))
    one = replace(one, record=replace(one.record, verified=one.now.verified or one.record.verified, credited=credited))
    front = one.now.front.with_items("ref_by", fresh)
    if one.now.refs != len(listed) + len(fresh):
        front = front.with_scalar("refs", str(len(listed) + len(fresh)))
    return replace(one, now=changed(one.now, front))


def weigh(one: Item, web: Web, laws: Laws, today: date) -> Item:
    """The observation with its importance of today: what it earned, less neglect since it was last referred to."""
    idle = (today - _last(one, web, today)).days
    return one.with_importance(neglected(one.record.earned, idle, laws.neglect), one.record.earned)


def _last(one: Item, web: Web, today: date) -> date:
    """The last reference; else a person's word, or the first day."""
    days: list[date | None] = [one.now.created]
    days += map(web.day, one.record.credited)
    if one.record.since:
        days.append(date.fromisoformat(one.record.since))
    return max(day for day in days if day is not None and (day <= today or day == one.now.created))


def _told(before: Item, then: Item) -> Iterator[Change]:
    gained = [link for link in then.now.ref_by if link not in before.now.ref_by]
    if gained:
        yield Change(then.label, "referred to", f"by {', '.join(gained)}")
    if then.now.importance != before.now.importance:
        why = f"{before.now.importance:g} → {then.now.importance:g}"
        yield Change(then.label, "importance", why)
