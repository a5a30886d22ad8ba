"""One agent's side of a sync: in, pairs with their verdicts; out, what was done to the engine and to the files.

The engine is told first, the files follow, the ties come last. Broken off in between, the next sync finds both sides
saying the same and goes on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie.errors import Conflict, InvalidInput, NotFound
from reverie.types import Memory, State
from reverie.vault.files import Edit
from reverie.vault.front import Front, Malformed
from reverie.vault.held import Fault
from reverie.vault.linking.engine_side import EngineSide
from reverie.vault.linking.file_side import Move, Step, carried_out
from reverie.vault.linking.judging import Act, Merge, Verdict, late, merged
from reverie.vault.linking.naming import Names
from reverie.vault.linking.pairing import Pair, Pairs, tied
from reverie.vault.linking.seeing import Seen, after, written
from reverie.vault.linking.ties import Place, Stamp, Tie
from reverie.vault.linking.words import (
    CONFLICT,
    DIGITS,
    file_of,
    holds,
    mark,
    of_memory,
    reworded,
    shown_text,
    words,
)
from reverie.vault.observation import Observation, changed
from reverie.vault.places import Places
from reverie.vault.work import Change

Judged = tuple[Pair, Verdict]
NEW = Verdict(Act.NOTE, "a new file")
TAKEN = "not moved: another file of this name lies there"


@dataclass(slots=True)
class Told:
    """What a sync tells: changes, how many of them kept both sides, and what was left alone."""

    changes: list[Change] = field(default_factory=list)
    conflicts: int = 0
    faults: list[Fault] = field(default_factory=list)

    def of(self, label: str, verdict: Verdict, more: str = "") -> None:
        """Tell of one verdict."""
        self.changes.append(Change(label, verdict.act.value, f"{verdict.why}{more}"))
        self.conflicts += verdict.conflict


class Carrying:
    """One agent's files and memories on their way to agreeing."""

    def __init__(self, places: Places, side: EngineSide, start: float, now: datetime, told: Told) -> None:
        self._places = places
        self._side = side
        self._start = start
        self._now = now
        self._told = told
        self._agent = side.scope.agent
        self._names = Names(places, self._agent)
        self._steps: list[Step] = []
        self._notes: list[Pair] = []
        self._rivals: dict[str, Memory | None] = {}
        self._links: dict[str, tuple[str, ...]] = {}
        self._untied: dict[str, Memory] = {}
        self._loose: dict[str, Seen] = {}

    def ties(self, judged: Sequence[Judged], pairs: Pairs, *, shared: bool = False) -> list[Tie]:
        """Do it, and what ``pairs`` has without another side; the ties of what agrees now. Raises StoreError."""
        self._untied = {memory.id: memory for memory in pairs.memories}
        self._names = Names(self._places, self._agent, (pair.tie.name for pair in pairs.pairs))
        self._loose = {one.name: one for one in pairs.files if one.place is Place.ACTIVE}
        for pair, verdict in judged:
            try:
                self._one(pair, verdict)
                self._tell(pair, verdict)
            except (Conflict, InvalidInput, NotFound, Malformed, OSError) as error:
                self._left(pair, error)
        for file in list(self._loose.values()):
            self._told.of(_label(self._agent, file.name, shared), NEW)
            self._wanted(Pair(_no_tie(self._agent, file, shared), file, None), NEW)
        archived = [one for one in pairs.files if one.place is Place.ARCHIVE]
        self._steps += [Step(_resting(_no_tie(self._agent, one, shared), one)) for one in archived]
        self._note(shared=shared)
        if not shared:
            self._write([one for one in self._untied.values() if holds(one, self._now)])
        done = carried_out(self._steps)
        late_ones = [step for step, fine in zip(self._steps, done, strict=True) if not fine and step.move]
        self._told.faults += [Fault(step.move.path, 0, TAKEN) for step in late_ones if step.move and step.move.blocked]
        kept = [step.done if fine else _unread(step.late) for step, fine in zip(self._steps, done, strict=True)]
        ties = [tie for tie in kept if tie is not None]
        self._refer(ties)
        return [*ties, *pairs.unread]

    def _tell(self, pair: Pair, verdict: Verdict) -> None:
        if pair.renamed:
            self._told.changes.append(Change(pair.tie.label, "renamed", f"from {pair.renamed}"))
        if verdict.act not in (Act.NOTHING, Act.CONFLICT, Act.FORGET):
            self._told.of(pair.tie.label, verdict)

    def _left(self, pair: Pair, error: Exception) -> None:
        """An engine or a file that would not: the tie stays as it was, so that the next sync tries again."""
        where = pair.file.path if pair.file else self._places.vault(self._agent) / f"{pair.tie.name}.md"
        self._told.faults.append(Fault(where, 0, getattr(error, "message", str(error))))
        self._steps.append(Step(_unread(pair.tie)))

    def _one(self, pair: Pair, verdict: Verdict) -> None:
        memory, act = pair.memory, verdict.act
        if act is Act.DELETE:
            self._delete(pair)
        elif act is Act.NOTE:
            self._wanted(pair, verdict)
        elif act is Act.ARCHIVE:
            self._archive(pair, memory)
        elif memory is None:
            self._steps += [] if pair.file is None else [Step(_resting(pair.tie, pair.file))]
        elif act is Act.CONFLICT:
            self._conflict(pair, memory, verdict)
        elif act is Act.FORGET:
            self._forget(pair, memory, verdict)
        elif act is Act.RETURN:
            self._return(pair, memory)
        else:
            self._live(pair, memory, act)

    # Both sides hold it

    def _live(self, pair: Pair, memory: Memory, act: Act) -> None:
        """Words and fields of a pair, each the way it goes."""
        if pair.file is None or pair.file.place is not Place.ACTIVE:
            self._steps.append(Step(self._tie(pair, memory)))
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

    def _weighed(self, pair: Pair, merge: Merge) -> None:
        if merge.amends:
            self._told.changes.append(Change(pair.tie.label, Act.FIELDS, "file → engine"))
        if merge.edits:
            self._told.changes.append(Change(pair.tie.label, Act.FIELDS, "engine → file"))

    def _written(self, pair: Pair, memory: Memory, merge: Merge, *, words_too: bool) -> Step:
        file = pair.file
        assert file is not None
        if not merge.edits and not words_too:
            return Step(self._tie(pair, memory))
        read = _read(file.opened())
        front = _with_fields(read.front, merge)
        if words_too:
            front = reworded(front, memory.text)
        then = changed(read, front)
        if then is read:
            return Step(self._tie(pair, memory))
        whole = tied(after(file, then), memory, self._now, shared=pair.tie.shared)
        waiting = replace(
            tied(replace(file, stamp=Stamp()), memory, self._now, shared=pair.tie.shared),
            engine=late(pair, merge, of_memory(memory)),
            said=pair.tie.said if words_too else mark(memory.text),
        )
        return Step(whole, waiting, Edit(file.path, read.raw, then.raw))

    def _tie(self, pair: Pair, memory: Memory) -> Tie:
        """The tie as both stand. What is edited where it does not hold is looked at when it holds again."""
        file, tie = pair.file, pair.tie
        if file is None:
            file = Seen(tie.name, Place.GONE, self._places.root, Stamp(), tie.body, tie.file)
        elif file.place is not Place.ACTIVE and (file.body, file.fields) != (tie.body, tie.file):
            file = replace(file, stamp=Stamp(), body=tie.body, fields=tie.file)
        return tied(file, memory, self._now, shared=tie.shared)

    # One side holds it

    def _forget(self, pair: Pair, memory: Memory, verdict: Verdict) -> None:
        try:
            gone = self._side.forget(pair, memory, verdict.why)
        except Conflict as error:  # pinned or immutable: the engine's word holds, so the file comes back
            self._told.changes.append(Change(pair.tie.label, Act.RETURN, error.message))
            self._return(pair, memory)
            return
        self._told.of(pair.tie.label, verdict)
        self._steps.append(Step(self._tie(pair, gone)))

    def _archive(self, pair: Pair, memory: Memory | None) -> None:
        file = pair.file
        assert file is not None
        raw = _read(file.opened()).raw
        to = self._places.archive(self._agent) / file.path.name
        there = replace(file, place=Place.ARCHIVE, path=to, stamp=Stamp())
        done = tied(there, memory, self._now, shared=False) if memory else _resting(pair.tie, there)
        self._steps.append(Step(done, pair.tie, move=Move(file.path, to, raw)))

    def _return(self, pair: Pair, memory: Memory) -> None:
        if pair.file is None:
            again = self._names.again(pair.tie.name)
            self._steps.append(self._fresh(memory, again or self._names.of_day(memory.at.date())))
            return
        read = _read(pair.file.opened())
        then = changed(read, reworded(read.front, memory.text)) if mark(memory.text) != pair.tie.said else read
        to = self._places.vault(self._agent) / pair.file.path.name
        there = replace(after(pair.file, then), place=Place.ACTIVE, path=to)
        edit = Edit(pair.file.path, read.raw, then.raw) if then is not read else None
        done = tied(there, memory, self._now, shared=False)
        self._steps.append(Step(done, pair.tie, edit, Move(pair.file.path, to, then.raw)))

    def _delete(self, pair: Pair) -> None:
        if pair.file is not None:
            raw = _read(pair.file.opened()).raw
            self._steps.append(Step(None, pair.tie, delete=Move(pair.file.path, pair.file.path, raw)))

    # New on one side

    def _wanted(self, pair: Pair, verdict: Verdict) -> None:
        """Have a memory made of a file, unless one says so already: a sync that was broken off left it."""
        if pair.file is None:
            return
        self._loose.pop(pair.file.name, None)
        file = pair.file.opened()
        said = words(_read(file).body)
        if not said:
            self._told.faults.append(Fault(file.path, 0, "not taken in: it has no words"))
            return
        self._links[file.name] = file.fields.links
        memory = pair.memory
        if pair.tie.shared and memory and holds(memory, self._now) and mark(memory.text) == pair.tie.said:
            self._side.forget(pair, memory, verdict.why)
        known = self._known(said)
        if known is not None:
            self._steps.append(Step(tied(file, known, self._now, shared=pair.tie.shared)))
        else:
            self._notes.append(replace(pair, file=file))
            self._rivals[file.name] = pair.memory if verdict.act is Act.CONFLICT else None

    def _known(self, said: str) -> Memory | None:
        """An untied memory that says so."""
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
            self._steps.append(Step(tied(file, memory, self._now, shared=shared)))
            rival = self._rivals.get(file.name)
            if rival is not None:
                self._side.contradict(memory, rival)

    def _write(self, memories: Sequence[Memory]) -> None:
        """A file for each memory that the engine formed."""
        for memory in sorted(memories, key=lambda one: (one.at, one.id)):
            name = self._names.of_day(memory.at.date())
            self._steps.append(self._fresh(memory, name))
            self._told.changes.append(Change(f"{self._agent}/{name}", Act.WRITE, "learned by the engine"))

    def _fresh(self, memory: Memory, name: str, tags: tuple[str, ...] = ()) -> Step:
        """A new file of a memory; where somebody takes the name first, the next sync finds another."""
        path = self._places.vault(self._agent) / f"{name}.md"
        raw = file_of(memory, self._start, tags).encode("utf-8")
        one = written(name, path, raw)
        return Step(tied(one, memory, self._now, shared=False), None, Edit(path, None, raw))

    def _conflict(self, pair: Pair, memory: Memory, verdict: Verdict) -> None:
        """Keep both: the file as it is, with a memory of its own; the engine's words in a file beside it."""
        there = next((one for one in self._loose.values() if _says(one, memory.text)), None)
        if there is None:
            name = self._names.beside(pair.tie.name, CONFLICT)
            self._steps.append(self._fresh(memory, name, (CONFLICT,)))
        else:  # written before a sync was broken off
            name = self._loose.pop(there.name).name
            self._steps.append(Step(tied(there, memory, self._now, shared=False)))
        self._told.of(pair.tie.label, verdict, f"; the engine's words are in {name}.md")
        self._wanted(pair, verdict)

    def _refer(self, ties: Sequence[Tie]) -> None:
        """Edges for the backlinks that are new, between files of this agent."""
        if not self._links:
            return
        memories = {tie.name: tie.memory for tie in ties}
        for tie in ties:
            links = self._links.get(tie.name, ())
            bare = [link.removeprefix(f"{self._agent}/") for link in links]
            self._side.refer(tie.memory, [memories[link] for link in bare if link in memories])


def _unread(tie: Tie | None) -> Tie | None:
    """The tie of something that is yet to be done, so that the next sync looks at it."""
    return None if tie is None else replace(tie, stamp=Stamp())


def _resting(tie: Tie, file: Seen) -> Tie:
    """The tie of an archived file that is nothing in the engine."""
    return replace(tie, memory="", place=file.place, stamp=file.stamp, body=file.body, file=file.fields, here=False)


def _label(agent: str, name: str, shared: bool) -> str:
    return f"shared/{name}" if shared else f"{agent}/{name}"


def _no_tie(agent: str, file: Seen, shared: bool) -> Tie:
    """What stands for the tie of a file that no tie knows."""
    return Tie(agent, file.name, shared, "", file.place, Stamp(), file.body, file.fields, "", file.fields, False)


def _read(one: Seen) -> Observation:
    assert one.read is not None
    return one.read


def _says(one: Seen, text: str) -> bool:
    return one.read is not None and words(one.read.body) == shown_text(text)


def _with_fields(front: Front, merge: Merge) -> Front:
    """The file with what the engine says beside the words."""
    if merge.to_file is not None:
        front = front.with_scalar("importance", repr(round(merge.to_file, DIGITS)))
    if merge.verify_file is not None:
        front = front.with_scalar("verified", str(merge.verify_file).lower())
    return front.with_items("tags", merge.tag_file)
