"""The sync executor: carry out the verdicts on pairs, on the engine and on the files.

New files get names that no other file has, regardless of case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from pathlib import Path

from reverie.durable import unwritable
from reverie.encode.notes import Note
from reverie.engine.core import Reverie
from reverie.errors import Conflict, InvalidInput, NotFound
from reverie.screen.pipeline import screen
from reverie.screen.values import ScreenSettings
from reverie.types import Memory, RelationKind, Scope, State
from reverie.vault.contents import FileFault
from reverie.vault.files import Edit, Places, carry_out, contents, move, notes
from reverie.vault.front import Front, Malformed
from reverie.vault.linking.diff import Act, FieldMerge, SyncVerdict, late, merged
from reverie.vault.linking.links import (
    CONFLICT,
    DIGITS,
    FilePlace,
    Stamp,
    Tie,
    file_of,
    holds,
    kind_in,
    mark,
    of_memory,
    reworded,
    shown_text,
    words,
)
from reverie.vault.linking.scan import FilePair, Pairs, SeenFiles, after, tied, written
from reverie.vault.maintenance import ObservationChange
from reverie.vault.observation import Observation, changed


class Names:
    """Allocates names for an agent's files, unique among active and archived ones and the names allocated before.

    ``known``: names of files that are gone and may come back, so they are not given to other files. Names that differ
    only in case are the same on many disks, and for Obsidian's links.
    """

    def __init__(self, places: Places, agent: str, known: Iterable[str] = ()) -> None:
        folders = (places.vault(agent), places.archive(agent))
        self._taken = {name.casefold() for folder in folders for name, _ in notes(folder)}
        self._kept = {name.casefold() for name in known}
        self._last: dict[date, int] = {}

    def of_day(self, day: date) -> str:
        """Return the next name of a day: ``obs-2026-02-15-001``."""
        number = self._last.get(day, 0) + 1
        while (name := f"obs-{day.isoformat()}-{number:03}") in self._taken or name in self._kept:
            number += 1
        self._last[day] = number
        return self._given(name)

    def beside(self, name: str, what: str) -> str:
        """Return a name derived from another: ``obs-2026-02-15-001-conflict``."""
        tried = (f"{name}-{what}" if number == 1 else f"{name}-{what}-{number}" for number in range(1, 100_000))
        return self._given(next(one for one in tried if one.casefold() not in self._taken))

    def again(self, name: str) -> str | None:
        """Return the name itself if it is free; else None."""
        return None if name.casefold() in self._taken else self._given(name)

    def _given(self, name: str) -> str:
        self._taken.add(name.casefold())
        return name


WHY = "vault"
"""Prefix of the reason of every event that the link writes."""


class EngineSide:
    """One agent's memories, as the link changes them.

    Args:
        warm: called once before anything that needs a vector is written.
        screening: the engine's screen settings; None: no screen.
    """

    def __init__(
        self, engine: Reverie, scope: Scope, warm: Callable[[], None], screening: ScreenSettings | None
    ) -> None:
        self.engine = engine
        self.scope = scope
        self._warm = warm
        self._screening = screening

    def formed(self) -> dict[str, Memory]:
        """Return every formed memory, by id."""
        return {memory.id: memory for memory in self.engine.admin.formed(self.scope)}

    def screened(self, text: str) -> str:
        """Return a text as the engine's screen leaves it."""
        return text if self._screening is None else screen(text, self._screening).text

    def note(self, files: Sequence[SeenFiles], *, shared: bool) -> list[Memory]:
        """Make a memory of each file."""
        if not files:
            return []
        self._warm()
        return self.engine.admin.note(
            (_note(one, shared) for one in files), self.scope, why=f"{WHY}: written as a file"
        )

    def correct(self, pair: FilePair, memory: Memory) -> Memory:
        """Correct the memory to the file's text. Raises Conflict if it may not be replaced."""
        assert pair.file is not None
        assert pair.file.read is not None
        self._warm()
        why, tags = f"{WHY}: {pair.tie.label} was edited", pair.file.fields.tags
        return self.engine.correct(memory.id, words(pair.file.read.body), self.scope, why=why, tags=tags)

    def amend(self, pair: FilePair, memory: Memory, merge: FieldMerge) -> Memory:
        """Apply the file's changes other than its text to the memory."""
        if not merge.amends:
            return memory
        return self.engine.admin.amend(
            memory.id,
            self.scope,
            importance=merge.to_engine,
            tags=merge.tag_engine,
            verified=merge.verify_engine,
            why=f"{WHY}: {pair.tie.label} was edited",
        )

    def forget(self, pair: FilePair, memory: Memory, why: str) -> Memory:
        """Forget the memory. Raises Conflict if it is pinned."""
        return self.engine.forget(memory.id, self.scope, why=f"{WHY}: {pair.tie.label}: {why}")

    def reopen(self, pair: FilePair, memory: Memory) -> Memory:
        """Reopen the memory, so that it holds again."""
        return self.engine.admin.reopen(memory.id, self.scope, why=f"{WHY}: {pair.tie.label} came back")

    def contradict(self, one: Memory, other: Memory) -> None:
        """Relate the two sides of a conflict as contradicting."""
        self.engine.relate(one.id, other.id, self.scope, RelationKind.CONTRADICTS)

    def refer(self, memory_id: str, targets: Iterable[str]) -> None:
        """Relate a memory to each target, unless it is related already."""
        wanted = set(targets) - {memory_id}
        if wanted:
            drawn = {edge.target for edge in self.engine.admin.relations(self.scope, (memory_id,))}
            for target in sorted(wanted - drawn):
                self.engine.relate(memory_id, target, self.scope, RelationKind.RELATED_TO)


def _note(one: SeenFiles, shared: bool) -> Note:
    assert one.read is not None
    read = one.read
    return Note(
        text=words(read.body),
        kind=kind_in(read.tags),
        at=datetime.combine(read.created, time(), UTC),
        importance=read.importance,
        tags=read.tags,
        verified=read.verified,
        writer=read.source,
        shared=shared,
    )


_LEFT = re.compile(r"\..+\.\d+\.reverie\Z")


@dataclass(frozen=True, slots=True)
class Move:
    """A file to be moved or deleted, if its content is still ``raw``."""

    path: Path
    to: Path
    raw: bytes

    @property
    def blocked(self) -> bool:
        """Whether another file lies at the new path."""
        return self.to.exists()


@dataclass(frozen=True, slots=True)
class FileStep:
    """The change of one file, with the tie to keep if it is done, and the one if somebody changed the file first.

    If ``late`` is None, no tie is kept in that case.
    """

    done: Tie | None
    late: Tie | None = None
    edit: Edit | None = None
    move: Move | None = None
    delete: Move | None = None


def carried_out(steps: Sequence[FileStep]) -> list[bool]:
    """Carry out the steps, contents first, then moves; return for each whether it was done. Raises StoreError."""
    edits = [step.edit for step in steps if step.edit is not None]
    written = iter(carry_out(edits))
    done: list[bool] = []
    for step in steps:
        fine = next(written) if step.edit is not None else True
        if fine and step.move is not None:
            fine = move(step.move.path, step.move.to, step.move.raw)
        if fine and step.delete is not None:
            fine = _deleted(step.delete)
        done.append(fine)
    return done


def clear(places: Places, agent: str) -> None:
    """Delete temporary files of killed writers. The caller holds the vault's lock, so no writer is at work."""
    for folder in (places.own, places.shared, places.vault(agent), places.archive(agent)):
        with suppress(OSError):
            for path in folder.iterdir():
                if _LEFT.match(path.name):
                    path.unlink(missing_ok=True)


def _deleted(gone: Move) -> bool:
    """Delete a file if its content is unchanged."""
    if contents(gone.path) != gone.raw:
        return False
    try:
        gone.path.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(error, gone.path) from None
    return True


Judged = tuple[FilePair, SyncVerdict]
NEW = SyncVerdict(Act.NOTE, "a new file")
TAKEN = "not moved: another file of this name lies there"


@dataclass(slots=True)
class SyncReport:
    """The result of a sync: its changes, how many of them kept both sides, and the files left alone."""

    changes: list[ObservationChange] = field(default_factory=list)
    conflicts: int = 0
    faults: list[FileFault] = field(default_factory=list)

    def of(self, label: str, verdict: SyncVerdict, more: str = "") -> None:
        """Add one verdict to the report."""
        self.changes.append(ObservationChange(label, verdict.act.value, f"{verdict.why}{more}"))
        self.conflicts += verdict.conflict


class SyncExecutor:
    """Synchronises one agent's files and memories."""

    def __init__(self, places: Places, side: EngineSide, start: float, now: datetime, told: SyncReport) -> None:
        self._places = places
        self._side = side
        self._start = start
        self._now = now
        self._told = told
        self._agent = side.scope.agent
        self._names = Names(places, self._agent)
        self._steps: list[FileStep] = []
        self._notes: list[FilePair] = []
        self._rivals: dict[str, Memory | None] = {}
        self._links: dict[str, tuple[str, ...]] = {}
        self._untied: dict[str, Memory] = {}
        self._loose: dict[str, SeenFiles] = {}

    def ties(self, judged: Sequence[Judged], pairs: Pairs, *, shared: bool = False) -> list[Tie]:
        """Carry out the verdicts, take in unpaired files and memories, and return the ties that now agree. Raises
        StoreError.
        """
        self._untied = {memory.id: memory for memory in pairs.memories}
        self._names = Names(self._places, self._agent, (pair.tie.name for pair in pairs.pairs))
        self._loose = {one.name: one for one in pairs.files if one.place is FilePlace.ACTIVE}
        for pair, verdict in judged:
            self._do(pair, verdict)
        for file in list(self._loose.values()):
            self._told.of(_label(self._agent, file.name, shared), NEW)
            self._wanted(FilePair(_no_tie(self._agent, file, shared), file, None), NEW)
        self._steps += [
            FileStep(_resting(_no_tie(self._agent, one, shared), one))
            for one in pairs.files
            if one.place is FilePlace.ARCHIVE
        ]
        self._note(shared=shared)
        if not shared:
            self._write([one for one in self._untied.values() if holds(one, self._now)])
        ties = self._settled()
        self._refer(ties)
        return [*ties, *pairs.unread]

    def _do(self, pair: FilePair, verdict: SyncVerdict) -> None:
        try:
            self._one(pair, verdict)
            self._tell(pair, verdict)
        except (Conflict, InvalidInput, NotFound, Malformed, OSError) as error:
            self._left(pair, error)

    def _settled(self) -> list[Tie]:
        """Carry out the collected steps and return the resulting ties."""
        done = list(zip(self._steps, carried_out(self._steps), strict=True))
        blocked = [step.move for step, fine in done if not fine and step.move and step.move.blocked]
        self._told.faults += [FileFault(move.path, 0, TAKEN) for move in blocked]
        kept = [step.done if fine else _unread(step.late) for step, fine in done]
        return [tie for tie in kept if tie is not None]

    def _tell(self, pair: FilePair, verdict: SyncVerdict) -> None:
        if pair.renamed:
            self._told.changes.append(ObservationChange(pair.tie.label, "renamed", f"from {pair.renamed}"))
        if verdict.act not in (Act.NOTHING, Act.CONFLICT, Act.FORGET):
            self._told.of(pair.tie.label, verdict)

    def _left(self, pair: FilePair, error: Exception) -> None:
        """Report a failure of engine or file; the tie stays as it was, so that the next sync tries again."""
        where = pair.file.path if pair.file else self._places.vault(self._agent) / f"{pair.tie.name}.md"
        self._told.faults.append(FileFault(where, 0, getattr(error, "message", str(error))))
        self._steps.append(FileStep(_unread(pair.tie)))

    def _one(self, pair: FilePair, verdict: SyncVerdict) -> None:
        memory, act = pair.memory, verdict.act
        if act is Act.DELETE:
            self._delete(pair)
        elif act is Act.NOTE:
            self._wanted(pair, verdict)
        elif act is Act.ARCHIVE:
            self._archive(pair, memory)
        elif memory is None:
            self._steps += [] if pair.file is None else [FileStep(_resting(pair.tie, pair.file))]
        elif act is Act.CONFLICT:
            self._conflict(pair, memory, verdict)
        elif act is Act.FORGET:
            self._forget(pair, memory, verdict)
        elif act is Act.RETURN:
            self._return(pair, memory)
        else:
            self._live(pair, memory, act)

    # Both sides have it

    def _live(self, pair: FilePair, memory: Memory, act: Act) -> None:
        """Copy text and fields of a pair, each in its direction."""
        if pair.file is None or pair.file.place is not FilePlace.ACTIVE:
            self._steps.append(FileStep(self._tie(pair, memory)))
            return
        if act is Act.REOPEN:
            memory = self._side.reopen(pair, memory)
        merge = merged(pair, memory)
        if act is Act.CORRECT:
            memory = self._side.correct(replace(pair, file=pair.file.opened()), memory)
        if merge.links:
            self._links[pair.file.name] = merge.links
        stands = self._side.amend(pair, memory, merge)
        self._weighed(pair, merge)
        self._steps.append(self._written(pair, stands, merge, words_too=act is Act.REWORD))

    def _weighed(self, pair: FilePair, merge: FieldMerge) -> None:
        if merge.amends:
            self._told.changes.append(ObservationChange(pair.tie.label, Act.FIELDS, "file → engine"))
        if merge.edits:
            self._told.changes.append(ObservationChange(pair.tie.label, Act.FIELDS, "engine → file"))

    def _written(self, pair: FilePair, memory: Memory, merge: FieldMerge, *, words_too: bool) -> FileStep:
        file = pair.file
        assert file is not None
        if not merge.edits and not words_too:
            return FileStep(self._tie(pair, memory))
        read = _read(file.opened())
        front = _with_fields(read.front, merge)
        if words_too:
            front = reworded(front, memory.text)
        then = changed(read, front)
        if then is read:
            return FileStep(self._tie(pair, memory))
        whole = tied(after(file, then), memory, self._now, shared=pair.tie.shared)
        waiting = replace(
            tied(replace(file, stamp=Stamp()), memory, self._now, shared=pair.tie.shared),
            engine=late(pair, merge, of_memory(memory)),
            said=pair.tie.said if words_too else mark(memory.text),
        )
        return FileStep(whole, waiting, Edit(file.path, read.raw, then.raw))

    def _tie(self, pair: FilePair, memory: Memory) -> Tie:
        """Return the tie of both sides now. An edit of an inactive file is dealt with when the file is active again."""
        file, tie = pair.file, pair.tie
        if file is None:
            file = SeenFiles(tie.name, FilePlace.GONE, self._places.root, Stamp(), tie.body, tie.file)
        elif file.place is not FilePlace.ACTIVE and (file.body, file.fields) != (tie.body, tie.file):
            file = replace(file, stamp=Stamp(), body=tie.body, fields=tie.file)
        return tied(file, memory, self._now, shared=tie.shared)

    # One side has it

    def _forget(self, pair: FilePair, memory: Memory, verdict: SyncVerdict) -> None:
        try:
            gone = self._side.forget(pair, memory, verdict.why)
        except Conflict as error:  # pinned or immutable: the engine wins, so the file is restored
            self._told.changes.append(ObservationChange(pair.tie.label, Act.RETURN, error.message))
            self._return(pair, memory)
            return
        self._told.of(pair.tie.label, verdict)
        self._steps.append(FileStep(self._tie(pair, gone)))

    def _archive(self, pair: FilePair, memory: Memory | None) -> None:
        file = pair.file
        assert file is not None
        raw = _read(file.opened()).raw
        to = self._places.archive(self._agent) / file.path.name
        there = replace(file, place=FilePlace.ARCHIVE, path=to, stamp=Stamp())
        done = tied(there, memory, self._now, shared=False) if memory else _resting(pair.tie, there)
        self._steps.append(FileStep(done, pair.tie, move=Move(file.path, to, raw)))

    def _return(self, pair: FilePair, memory: Memory) -> None:
        if pair.file is None:
            again = self._names.again(pair.tie.name)
            self._steps.append(self._fresh(memory, again or self._names.of_day(memory.at.date())))
            return
        read = _read(pair.file.opened())
        then = changed(read, reworded(read.front, memory.text)) if mark(memory.text) != pair.tie.said else read
        to = self._places.vault(self._agent) / pair.file.path.name
        there = replace(after(pair.file, then), place=FilePlace.ACTIVE, path=to)
        edit = Edit(pair.file.path, read.raw, then.raw) if then is not read else None
        done = tied(there, memory, self._now, shared=False)
        self._steps.append(FileStep(done, pair.tie, edit, Move(pair.file.path, to, then.raw)))

    def _delete(self, pair: FilePair) -> None:
        if pair.file is not None:
            raw = _read(pair.file.opened()).raw
            self._steps.append(FileStep(None, pair.tie, delete=Move(pair.file.path, pair.file.path, raw)))

    # New on one side

    def _wanted(self, pair: FilePair, verdict: SyncVerdict) -> None:
        """Have a memory made of a file, unless one with its text exists, left by an interrupted sync."""
        if pair.file is None:
            return
        self._loose.pop(pair.file.name, None)
        file = pair.file.opened()
        said = words(_read(file).body)
        if not said:
            self._told.faults.append(FileFault(file.path, 0, "not taken in: it has no words"))
            return
        self._links[file.name] = file.fields.links
        memory = pair.memory
        if pair.tie.shared and memory and holds(memory, self._now) and mark(memory.text) == pair.tie.said:
            self._side.forget(pair, memory, verdict.why)
        known = self._known(said)
        if known is not None:
            self._steps.append(FileStep(tied(file, known, self._now, shared=pair.tie.shared)))
        else:
            self._notes.append(replace(pair, file=file))
            self._rivals[file.name] = pair.memory if verdict.act is Act.CONFLICT else None

    def _known(self, said: str) -> Memory | None:
        """Return an untied memory with this text; None if there is none."""
        if not self._untied:
            return None
        kept = self._side.screened(said)
        for one in self._untied.values():
            held_back = one.standing.state is State.QUARANTINED
            if one.text == kept and (held_back or holds(one, self._now)):
                return self._untied.pop(one.id)
        return None

    def _note(self, *, shared: bool) -> None:
        files = [pair.file for pair in self._notes if pair.file is not None]
        for file, memory in zip(files, self._side.note(files, shared=shared), strict=True):
            self._steps.append(FileStep(tied(file, memory, self._now, shared=shared)))
            rival = self._rivals.get(file.name)
            if rival is not None:
                self._side.contradict(memory, rival)

    def _write(self, memories: Sequence[Memory]) -> None:
        """Write a file for each memory that the engine formed."""
        for memory in sorted(memories, key=lambda one: (one.at, one.id)):
            name = self._names.of_day(memory.at.date())
            self._steps.append(self._fresh(memory, name))
            self._told.changes.append(ObservationChange(f"{self._agent}/{name}", Act.WRITE, "learned by the engine"))

    def _fresh(self, memory: Memory, name: str, tags: tuple[str, ...] = ()) -> FileStep:
        """Return the step that writes a new file for a memory; if its name gets taken, the next sync tries another."""
        path = self._places.vault(self._agent) / f"{name}.md"
        raw = file_of(memory, self._start, tags).encode("utf-8")
        one = written(name, path, raw)
        return FileStep(tied(one, memory, self._now, shared=False), None, Edit(path, None, raw))

    def _conflict(self, pair: FilePair, memory: Memory, verdict: SyncVerdict) -> None:
        """Keep both sides: the file with a memory of its own, and the engine's text in a file beside it."""
        there = next((one for one in self._loose.values() if _says(one, memory.text)), None)
        if there is None:
            name = self._names.beside(pair.tie.name, CONFLICT)
            self._steps.append(self._fresh(memory, name, (CONFLICT,)))
        else:  # written before a sync was interrupted
            name = self._loose.pop(there.name).name
            self._steps.append(FileStep(tied(there, memory, self._now, shared=False)))
        self._told.of(pair.tie.label, verdict, f"; the engine's words are in {name}.md")
        self._wanted(pair, verdict)

    def _refer(self, ties: Sequence[Tie]) -> None:
        """Add relations for new backlinks between files of this agent."""
        if not self._links:
            return
        memories = {tie.name: tie.memory for tie in ties}
        for tie in ties:
            links = self._links.get(tie.name, ())
            bare = [link.removeprefix(f"{self._agent}/") for link in links]
            self._side.refer(tie.memory, [memories[link] for link in bare if link in memories])


def _unread(tie: Tie | None) -> Tie | None:
    """Return a tie without a stamp, so that the next sync reads its file."""
    return None if tie is None else replace(tie, stamp=Stamp())


def _resting(tie: Tie, file: SeenFiles) -> Tie:
    """Return the tie of an archived file without a memory."""
    return replace(tie, memory="", place=file.place, stamp=file.stamp, body=file.body, file=file.fields, here=False)


def _label(agent: str, name: str, shared: bool) -> str:
    return f"shared/{name}" if shared else f"{agent}/{name}"


def _no_tie(agent: str, file: SeenFiles, shared: bool) -> Tie:
    """Return a placeholder tie for a file that has none."""
    return Tie(agent, file.name, shared, "", file.place, Stamp(), file.body, file.fields, "", file.fields, False)


def _read(one: SeenFiles) -> Observation:
    assert one.read is not None
    return one.read


def _says(one: SeenFiles, text: str) -> bool:
    return one.read is not None and shown_text(words(one.read.body)) == shown_text(text)


def _with_fields(front: Front, merge: FieldMerge) -> Front:
    """Return the front matter with the engine's fields."""
    if merge.to_file is not None:
        front = front.with_scalar("importance", repr(round(merge.to_file, DIGITS)))
    if merge.verify_file is not None:
        front = front.with_scalar("verified", str(merge.verify_file).lower())
    return front.with_items("tags", merge.tag_file)
