"""What all agents get to read: in, observations; out, copies for the shared folder, and originals that say so."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reverie.formulas.vault_promotion import SharedTruth, verdict
from reverie.vault.files import Edit, contents
from reverie.vault.held import Fault
from reverie.vault.laws import Laws
from reverie.vault.places import Places, is_agent
from reverie.vault.work import Change, Item

_OWN = re.compile(rb"^(?:importance|max_age|refs|ref_by|verified|promoted):.*$\n?(?:[ \t]*- .*$\n?)*", re.MULTILINE)
"""Fields that maintenance writes: copies that differ in nothing else were edited by nobody."""


@dataclass(frozen=True, slots=True)
class Shared:
    """One observation after the promotion sweep, and the copy that is to be written, if any."""

    item: Item
    edit: Edit | None = None
    change: Change | None = None
    fault: Fault | None = None


def share(items: Sequence[Item], places: Places, laws: Laws, asked: frozenset[str]) -> Iterator[Shared]:
    """Promote what earned it or what a person asks for, and bring older copies up to date."""
    taken: dict[str, str] = {}
    for one in items:
        if one.archived:
            yield Shared(one)
            continue
        found = verdict(one.now.importance, one.now.verified, one.label in asked, laws.sharing)
        if not one.now.promoted and not found.moves:
            yield Shared(one)
            continue
        yield _copied(one, places, found, taken)


def _copied(one: Item, places: Places, found: SharedTruth, taken: dict[str, str]) -> Shared:
    then = one if one.now.promoted else one.with_scalar("promoted", "true")
    path = places.shared / f"{_prefix(one)}-{one.was.name.id}.md"
    owner = taken.setdefault(path.name, one.label)
    if owner != one.label:
        return Shared(one, fault=Fault(one.was.path, 0, f"not shared: {path.name} is the copy of {owner}"))
    copy, there = then.now.raw if then is one else then.now.front.text.encode("utf-8"), contents(path)
    kept = replace(then, record=replace(then.record, copy=hashlib.sha256(copy).hexdigest()))
    if there == copy:
        return Shared(kept)
    if there is None:
        return Shared(kept, Edit(path, None, copy), Change(one.label, "promoted", str(found)))
    if hashlib.sha256(there).hexdigest() == one.record.copy or _bare(there) == _bare(copy):
        return Shared(kept, Edit(path, there, copy), Change(one.label, "copied again", path.name))
    return Shared(
        one, fault=Fault(path, 0, f"edited by somebody, or of another origin than {one.label}: left as it is")
    )


def _prefix(one: Item) -> str:
    """The source, where it can be part of a file's name; else the agent in whose folder the observation lies."""
    return one.now.source if is_agent(one.now.source) else one.was.name.agent


def _bare(raw: bytes) -> bytes:
    return _OWN.sub(b"", raw)
