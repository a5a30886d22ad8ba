"""Result values of the engine: receipts of writes, answers of recalls with their reasons, counts, faults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from reverie.types import Cue, Memory, Scope


@dataclass(frozen=True, slots=True)
class Decision:
    """What one stage of the write path decided about a message or a memory formed from it, and why."""

    stage: str
    verdict: str
    why: str = ""


class Signal(NamedTuple):
    """One component of a score: its ``value`` in [0, 1] (*size* may exceed 1), ``weight``, and the ``share`` it added.

    ``about`` is the id of another memory that the signal refers to, as a newer or a contradicting one. A named tuple,
    as a recall makes hundreds of signals and a frozen dataclass takes four times as long to make.
    """

    name: str
    value: float
    weight: float
    share: float
    about: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One recalled memory, at ``rank`` (from 1), with the signals that made up its score.

    ``cosine`` is the raw vector similarity (None where no vector was compared). ``tokens`` is what injecting the memory
    into a prompt costs. ``withheld`` is the reason why it is not injected; empty: it is. ``shown`` is the abbreviated
    text that is injected instead of the memory's, if any. ``origin`` is the scope that granted the memory, which only
    that scope can change; None: it is the asker's own.
    """

    memory: Memory
    rank: int
    score: float
    signals: tuple[Signal, ...]
    cosine: float | None
    tokens: int
    withheld: str = ""
    shown: str = ""
    origin: Scope | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a recall's trace: the stage, what it decided, and how long it took."""

    stage: str
    note: str
    took_ms: float


@dataclass(frozen=True, slots=True)
class Recollection:
    """Answer to a cue: the memories to inject, those withheld, and the trace of how they were chosen.

    ``standing`` are standing instructions, which hold for every cue, returned besides the hits. ``intent`` is the kind
    of question that query routing found; ``confidence`` the probability that the store contains an answer (None: not
    estimated), with its ``grounds`` in log-odds; ``traits`` the features of cue and texts that set the signals'
    weights; ``ended`` why nothing was searched or returned. ``gated``: candidates were found, but none was certain
    enough to return; in published recipes ``confidence`` is then that of the best candidate.
    """

    cue: Cue
    scope: Scope
    at: datetime
    hits: tuple[Hit, ...]
    withheld: tuple[Hit, ...]
    trace: tuple[Step, ...]
    tokens: int
    searched: int
    standing: tuple[Hit, ...] = ()
    intent: str = ""
    confidence: float | None = None
    grounds: tuple[Signal, ...] = ()
    traits: tuple[Signal, ...] = ()
    ended: str = ""
    gated: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """Result of writing one message: the memory's id and position, and whether it is ``new`` or was already stored.

    ``conflict``: its message id is already used for another text, speaker or session, and it was not stored. ``formed``
    are the ids of the memories formed from it or changed by it, ``decisions`` what each stage decided.
    """

    id: str
    scope: Scope
    session: str
    seq: int
    new: bool
    embedded: bool
    conflict: bool = False
    formed: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of one scope, and the size of the whole store. ``gated``: recalls that found nothing certain enough."""

    scope: Scope
    memories: int
    current: int
    sessions: int
    speakers: int
    accesses: int
    embedded: int
    first_at: datetime | None
    last_at: datetime | None
    events: int
    disk_bytes: int
    gated: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """One problem that ``doctor`` found: a short ``name``, what is wrong, and in ``mend`` what to do."""

    name: str
    what: str
    mend: str


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a repair did to a store.

    Attributes:
        backup: path of the copy that was made before anything was changed; "" if nothing had to be changed.
        rebuilt: what was not as the journal has it: names of tables ("memory", "relation", "vector" …), "schema" for a
            missing table or index, "search index"; or else the kinds of damage that the check found ("file" …).
        kept: number of vectors taken over from the store as it was.
        embedded: number of vectors made.
        digest: the store's digest, equal to that of a replay of the journal.
        faults: what is still wrong, with what to do; empty if nothing is.
    """

    backup: str
    rebuilt: tuple[str, ...]
    kept: int
    embedded: int
    digest: str
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class AnchoredScope:
    """The end of one scope's journal in an anchor.

    Attributes:
        scope: the scope.
        first: the hash of its first event, which identifies the journal.
        seq: the number of its last event at that moment.
        hash: that event's hash.
        marks: number and hash of some earlier events, ascending.
    """

    scope: Scope
    first: str
    seq: int
    hash: str
    marks: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Anchor:
    """The ends of all journals of a store at a moment; kept outside the store, it reveals one rewritten later.

    Attributes:
        at: when the anchor was taken.
        scopes: the journal's end of each scope, scopes in order.
    """

    at: datetime
    scopes: tuple[AnchoredScope, ...]

    @property
    def events(self) -> int:
        """Return how many events the store's journals had."""
        return sum(one.seq for one in self.scopes)


@dataclass(frozen=True, slots=True)
class Seal:
    """A row of the chain that a store keeps over the ends of all its journals.

    Attributes:
        number: its number, from 1.
        at: when it was written.
        scopes: number of scopes whose journals it covers.
        events: number of events in them.
        root: SHA-256 over scope, number and hash of each journal's last event, scopes in order; lower-case hex.
        hash: SHA-256 of the seal, which the next one names; kept elsewhere, it shows seals that were removed.
    """

    number: int
    at: datetime
    scopes: int
    events: int
    root: str
    hash: str


@dataclass(frozen=True, slots=True)
class Growth:
    """How many episodes and formed memories one day (UTC) added to a scope, erased ones not counted."""

    day: date
    episodes: int
    formed: int


@dataclass(frozen=True, slots=True)
class Origin:
    """One memory in the provenance of another: the event that made it and the memories it was made from.

    Attributes:
        memory: the memory.
        depth: 0 for the memory whose provenance this is, 1 for its sources, 2 for theirs, and so on.
        seq: the number of the event that made it; ``at`` its time, ``actor`` who caused it, ``action`` its kind.
        why: the reason given for the event.
        sources: the ids of the memories it was formed from and of the one it superseded, without erased ones.
    """

    memory: Memory
    depth: int
    seq: int
    at: datetime
    actor: str
    action: str
    why: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Health:
    """Counts that show the condition of a scope's memory at the moment ``at``.

    Attributes:
        memories: number of memories; ``current`` of them are valid and in a state that is recalled.
        kinds: number per kind; ``tiers`` per tier, of formed memories; ``states`` per state.
        junk: formed memories that are still recalled, though recorded ``JUNK_DAYS`` ago or longer, never accessed, of
            an importance of at most ``JUNK_MOST``, and neither pinned nor immutable.
        superseded: memories replaced by newer ones; ``outdated``: episodes whose formed memories are all superseded.
        forgotten: memories that ended without a successor: forgotten by a caller, or plans that are over.
        quarantined: memories held back by the screen.
        growth: one entry per day on which anything was recorded, oldest first.
        observed: messages that went through the whole write path; ``gated`` is how many more they are than episodes
            with formed memories: a filter or the write gate skipped the rest.
        events: number in the journal of this scope; ``disk_bytes`` the size of the whole store.
    """

    scope: Scope
    at: datetime
    memories: int
    current: int
    kinds: tuple[tuple[str, int], ...]
    tiers: tuple[tuple[str, int], ...]
    states: tuple[tuple[str, int], ...]
    junk: int
    superseded: int
    outdated: int
    forgotten: int
    quarantined: int
    growth: tuple[Growth, ...]
    observed: int
    gated: int
    events: int
    disk_bytes: int

    @property
    def stale(self) -> int:
        """Return the number of superseded memories and outdated episodes."""
        return self.superseded + self.outdated

    @property
    def gated_share(self) -> float:
        """Return the share of observed messages from which nothing was formed, in [0, 1]."""
        return self.gated / self.observed if self.observed else 0.0


JUNK_DAYS = 30
JUNK_MOST = 0.5
"""The default importance of a memory; a higher one means that it matters, so it is no junk."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One point of a forgetting curve: retrievability in [0, 1] at a moment, ``days`` after the memory was formed."""

    at: datetime
    days: float
    retrievability: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The forgetting curve of a memory: its retrievability from its formation on, at least one point a day.

    ``law`` names the recipe's formula. ``now`` is the retrievability at the present moment, ``at``. A recall raises
    the retrievability to 1, shown as two points of one moment. Episodes do not fade: they have no points, and ``now``
    is None.
    """

    memory: Memory
    law: str
    at: datetime
    now: float | None
    points: tuple[CurvePoint, ...]
    accesses: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """One short statement of a digest, the ids of the texts that say it (its pointers), and whose words they are."""

    text: str
    sources: tuple[str, ...]
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Digest:
    """The short statements of several texts, in the order of these texts, each with pointers.

    ``tokens`` is the estimated length of the statements with a short pointer for each text, ``source_tokens`` that of
    the texts. ``partial`` are the ids of texts of which some statement was left out, as there was no room for it.
    """

    statements: tuple[Statement, ...]
    tokens: int
    source_tokens: int
    partial: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the statements, one a line, without pointers."""
        return "\n".join(one.text for one in self.statements)


@dataclass(frozen=True, slots=True)
class Expansion:
    """A memory, what each of its statements is from, and the words it was made of, whole, by the time they were said.

    ``sources`` are messages and formed memories, also dormant ones, without erased ones and those in quarantine.
    """

    memory: Memory
    statements: tuple[Statement, ...]
    sources: tuple[Memory, ...]


class JobKind(StrEnum):
    """What a job does: a dream of its scope, missing vectors, an import, the index of terms, or an export."""

    DREAM = "dream"
    EMBED = "embed"
    IMPORT = "import"
    REINDEX = "reindex"
    EXPORT = "export"


class JobState(StrEnum):
    """The state of a job. The first two are open; a running one whose process died is continued by another."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work that is done in the background and survives the death of its process.

    Attributes:
        arguments: what an import or export reads or writes, by name.
        key: while a job of this scope and kind is open, another with its key is the same job; "": never the same.
        caller: name and tool of who asked for it, under which it writes.
        attempts: attempts since it last got further.
        done: how far it got, in the unit of its kind: steps of a dream, messages, vectors.
        total: how far there is to go as far as is known; 0: unknown.
        reason: why its last attempt failed.
        cancelling: somebody wants it cancelled, and it has not yet come to its next step.
    """

    id: str
    kind: JobKind
    scope: Scope
    enqueued_at: datetime
    changed_at: datetime
    arguments: Mapping[str, str]
    key: str = ""
    caller: tuple[str, str] = ("", "")
    state: JobState = JobState.WAITING
    attempts: int = 0
    done: int = 0
    total: int = 0
    reason: str = ""
    cancelling: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it waits or runs."""
        return self.state in (JobState.WAITING, JobState.RUNNING)


class InjectionTrigger(StrEnum):
    """What made memories go into a model's context: a host's hook by itself, or a recall that somebody asked for."""

    AUTOMATIC = "automatic"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class InjectedMemory:
    """A memory that was handed over, how many words it has now, and the signals that brought it, strongest first.

    Signals are known of what answered a prompt in a hook; without them it was handed over for another reason, or by a
    recall that somebody asked for.
    """

    memory: Memory
    words: int
    signals: tuple[Signal, ...] = ()


@dataclass(frozen=True, slots=True)
class WithheldMemory:
    """A memory that recall found and that was not handed over, and the reason."""

    memory: Memory
    why: str


@dataclass(frozen=True, slots=True)
class Injection:
    """What was handed over at one moment: for a prompt, at the start of a session, or to a recall by hand.

    Attributes:
        at: when the host asked, or when the recall was recorded.
        session: the session that asked; "" if it is not known, as of a recall by hand.
        caller: who asked, as events record it: ``hook:`` and the host's name, or the actor of the recall.
        trigger: whether a hook did it by itself, or somebody asked for it.
        moment: "prompt" or "session start" in a hook, else "recall".
        prompt: the message that the session's memory holds of it; None if none was kept.
        words: number of words handed over.
        tokens: estimated tokens of all that was handed over, with the marks around it.
        memories: what was handed over, in its order.
        withheld: what was found and not handed over.
        erased: how many memories of either sort are erased since, or of another scope.
        complete: whether a hook's own record has it. Without one only the journal has: what was recalled is known,
            but not whether it reached the host.
        title: the session's title, as the host gave it, or else the beginning of what was said first; may be empty.
    """

    at: datetime
    session: str
    caller: str
    trigger: InjectionTrigger
    moment: str
    prompt: Memory | None
    words: int
    tokens: int
    memories: tuple[InjectedMemory, ...]
    withheld: tuple[WithheldMemory, ...]
    erased: int = 0
    complete: bool = True
    title: str = ""
