"""Decide what to do with a tied file and memory: one verdict, and which fields to copy in which direction.

A side has changed if it differs from its state when both last agreed. A change on one side is copied to the other; if
both changed, both are kept. Nothing is read or written here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from reverie.types import Memory, State
from reverie.vault.linking.links import DIGITS, Fields, FilePlace, holds, mark, of_memory
from reverie.vault.linking.scan import FilePair

_EPSILON = 0.5 * 10**-DIGITS


class Act(StrEnum):
    """What is done with a pair; the value is the word for it in reports."""

    NOTHING = ""
    NOTE = "taken in"
    CORRECT = "corrected"
    REWORD = "rewritten"
    CONFLICT = "conflict"
    FORGET = "forgotten"
    REOPEN = "holds again"
    ARCHIVE = "archived"
    RETURN = "brought back"
    DELETE = "deleted"
    WRITE = "written"
    FIELDS = "fields"


@dataclass(frozen=True, slots=True)
class SyncVerdict:
    """What to do, why, and whether both sides had changed, so that both are kept."""

    act: Act
    why: str = ""
    conflict: bool = False


NOTHING = SyncVerdict(Act.NOTHING)


def judge(pair: FilePair, now: datetime, *, same: bool) -> SyncVerdict:
    """Return the verdict on a pair with a memory; ``same``: file and memory have the same text."""
    memory, active = pair.memory, pair.file is not None and pair.file.place is FilePlace.ACTIVE
    assert memory is not None
    edited, said = is_edited(pair), mark(memory.text) != pair.tie.said
    if memory.standing.state is State.QUARANTINED:
        return SyncVerdict(Act.NOTE, "edited, while the engine holds it back") if active and edited else NOTHING
    if active and holds(memory, now):
        return _both(edited=edited, said=said, same=same)
    if active:
        return _file_alone(pair, memory, edited=edited)
    if holds(memory, now):
        return _engine_alone(pair, said=said)
    return NOTHING


def judge_shared(pair: FilePair, now: datetime, *, same: bool) -> SyncVerdict:
    """Return the verdict on a shared file, which is only read: an agent's memory of it is its own.

    An edited file becomes a new memory, and the earlier one is forgotten, unless the agent's engine reworded it.
    """
    assert pair.memory is not None
    there, here, edited = pair.file is not None, holds(pair.memory, now), is_edited(pair)
    if pair.memory.standing.state is State.QUARANTINED:
        return SyncVerdict(Act.NOTE, "edited, while the engine holds it back") if edited else NOTHING
    if there and here:
        return SyncVerdict(Act.NOTE, "the shared file was edited") if edited and not same else NOTHING
    if there and (edited or pair.tie.place is not FilePlace.ACTIVE):
        return SyncVerdict(Act.NOTE, "shared anew")
    if here and pair.tie.place is FilePlace.ACTIVE:
        return SyncVerdict(Act.FORGET, "it is no longer shared")
    return NOTHING


def is_edited(pair: FilePair) -> bool:
    """Whether the file's text differs from when both sides last agreed."""
    return pair.file is not None and pair.file.body != pair.tie.body


def _both(*, edited: bool, said: bool, same: bool) -> SyncVerdict:
    if same or not (edited or said):
        return NOTHING
    if edited and said:
        return SyncVerdict(Act.CONFLICT, "both sides changed", conflict=True)
    return (
        SyncVerdict(Act.CORRECT, "the file was edited") if edited else SyncVerdict(Act.REWORD, "the engine says so now")
    )


def _file_alone(pair: FilePair, memory: Memory, *, edited: bool) -> SyncVerdict:
    """Decide for an active file whose memory does not hold: archive the file, or restore the memory."""
    superseded = memory.standing.state is State.SUPERSEDED
    came = pair.tie.place is not FilePlace.ACTIVE or not pair.tie.here
    if came:
        return SyncVerdict(Act.NOTE if edited or superseded else Act.REOPEN, "the file came back")
    if edited:
        return SyncVerdict(Act.NOTE, "edited, while the engine let it go", conflict=True)
    why = "superseded" if superseded else "asleep" if memory.standing.state is State.DORMANT else "forgotten"
    return SyncVerdict(Act.ARCHIVE, f"{why} in the engine")


def _engine_alone(pair: FilePair, *, said: bool) -> SyncVerdict:
    """Decide for a memory that holds without an active file: forget the memory, or restore the file."""
    left = pair.tie.place is FilePlace.ACTIVE and pair.tie.here
    if left and not said:
        return SyncVerdict(Act.FORGET, "the file was archived" if pair.file else "the file was deleted")
    if left:
        return SyncVerdict(Act.RETURN, "put away, while the engine changed it", conflict=True)
    return SyncVerdict(Act.RETURN, "the engine holds it again")


@dataclass(frozen=True, slots=True)
class FieldMerge:
    """Which fields of a pair are copied in which direction; None and () if not.

    ``pending`` is the engine's change of importance, to be written to the file.
    """

    to_engine: float | None = None
    to_file: float | None = None
    pending: float = 0.0
    verify_engine: bool | None = None
    verify_file: bool | None = None
    tag_engine: tuple[str, ...] | None = None
    tag_file: tuple[str, ...] = ()
    links: tuple[str, ...] = ()

    @property
    def amends(self) -> bool:
        """Whether anything but links goes to the engine."""
        return any(one is not None for one in (self.to_engine, self.verify_engine, self.tag_engine))

    @property
    def edits(self) -> bool:
        """Whether anything is written into the file."""
        return self.to_file is not None or self.verify_file is not None or bool(self.tag_file)


def merged(pair: FilePair, memory: Memory) -> FieldMerge:
    """Return which fields of a pair go in which direction; ``memory`` is the current memory.

    Importance is copied as a difference, so that a change on each side is no conflict; the same difference on both
    sides is one change whose sync was interrupted.
    """
    file, tie = pair.file, pair.tie
    assert file is not None
    theirs = of_memory(memory)
    gain, gained = file.fields.importance - tie.file.importance, theirs.importance - tie.engine.importance
    if abs(gain - gained) < _EPSILON or tie.shared:
        gained = 0.0
        gain = 0.0 if not tie.shared else gain
    replaced = memory.id != tie.memory
    fresh = () if replaced or tie.shared else _fresh(theirs.tags, (*tie.engine.tags, *file.fields.tags))
    return FieldMerge(
        to_engine=_moved(theirs.importance, gain),
        to_file=_moved(file.fields.importance, gained),
        pending=gained,
        verify_engine=_verdict(file.fields.verified, tie.file.verified, theirs.verified),
        verify_file=None if tie.shared else _their_verdict(file.fields, tie.file, theirs, tie.engine),
        tag_engine=file.fields.tags if file.fields.tags != tie.file.tags and file.fields.tags != theirs.tags else None,
        tag_file=fresh,
        links=_fresh(file.fields.links, tie.file.links),
    )


def late(pair: FilePair, merge: FieldMerge, after: Fields) -> Fields:
    """Return the engine's fields to record if the file could not be written, so that its changes stay pending."""
    return Fields(
        after.importance - merge.pending,
        after.verified if merge.verify_file is None else pair.tie.engine.verified,
        pair.tie.engine.tags if merge.tag_file else after.tags,
    )


def _moved(number: float, by: float) -> float | None:
    then = min(1.0, max(0.0, number + by))
    return None if abs(by) < _EPSILON or abs(then - number) < _EPSILON else round(then, 6)


def _verdict(mine: bool, before: bool, theirs: bool) -> bool | None:
    return mine if mine != before and mine != theirs else None


def _their_verdict(mine: Fields, before: Fields, theirs: Fields, then: Fields) -> bool | None:
    """Return the engine's verification if it changed and the file's did not; else None."""
    changed = theirs.verified != then.verified and mine.verified == before.verified
    return theirs.verified if changed and theirs.verified != mine.verified else None


def _fresh(now: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in dict.fromkeys(now) if one not in known)
