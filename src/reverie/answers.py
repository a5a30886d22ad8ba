"""What the engine answers with: receipts, recollections and why, counts, faults. Frozen, without behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from reverie.types import Cue, Memory, Scope


@dataclass(frozen=True, slots=True)
class Decision:
    """What one stage of the write path decided about a message or about what was formed from it, and why."""

    stage: str
    verdict: str
    why: str = ""


class Signal(NamedTuple):
    """One reason for a score: the ``value`` in [0, 1] (*size*: above), its ``weight``, and ``share`` = what it added.

    ``about`` is the id of another memory where the signal speaks of one: what is newer, or what says the opposite. A
    tuple, as a recall makes some hundreds: a frozen dataclass takes four times as long.
    """

    name: str
    value: float
    weight: float
    share: float
    about: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory that was recalled, at ``rank`` (from 1), with everything that touched its score.

    ``cosine`` is the raw similarity, never overwritten by a rank score (None where no vector was compared).
    ``tokens`` is what injecting it costs. ``withheld`` says why it is not injected; empty: it is. ``shown`` is what is
    injected instead of the text where it is abbreviated.
    """

    memory: Memory
    rank: int
    score: float
    signals: tuple[Signal, ...]
    cosine: float | None
    tokens: int
    withheld: str = ""
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a trace: the stage, what it decided, and how long it took."""

    stage: str
    note: str
    took_ms: float


@dataclass(frozen=True, slots=True)
class Recollection:
    """The answer to a query: the injected hits, the withheld ones, and how they were found.

    ``standing`` is what holds whatever the cue, beside the hits. ``intent`` is what the router made of the cue,
    ``confidence`` that anything here answers it (None: not estimated) with the ``grounds`` it rests on, in log-odds,
    ``traits`` what of the cue and the texts the signals' weights follow from,
    ``ended`` why nothing was searched or handed over. ``gated``: there was something, and nothing of it was sure enough
    to be handed over; in the documents' recipes ``confidence`` is then the best there was.
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
    """What became of one message: the memory's id and place, and whether it is ``new`` or was there already.

    ``conflict``: its message id is known with other words, speaker or session, and it was not kept. ``formed`` are the
    ids of the memories that were made of it or changed by it, ``decisions`` what each stage decided.
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
    """Counts of one scope, and the size of the whole store. ``gated``: recalls that found nothing sure enough."""

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
    """A fault that ``doctor`` found: a short ``name``, a description, and how to mend it."""

    name: str
    what: str
    mend: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """The end of a store's journal at a moment, to be kept elsewhere: whoever rewrites the file cannot rewrite this.

    Attributes:
        store: the hash of the journal's first event, by which a store is known.
        seq: the number of its last event then.
        hash: that event's hash.
        at: when the anchor was taken.
        marks: number and hash of some events before, ascending.
    """

    store: str
    seq: int
    hash: str
    at: datetime
    marks: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Growth:
    """What one day (UTC) added to a scope: episodes recorded and memories formed, as far as they are still there."""

    day: date
    episodes: int
    formed: int


@dataclass(frozen=True, slots=True)
class Origin:
    """One memory in the provenance of another: which event made it, and what it was made of.

    Attributes:
        memory: the memory.
        depth: 0 for the memory that was asked about, 1 for what it was made of, and so on.
        seq: the number of the event that made it; ``at`` its time, ``actor`` who caused it, ``action`` what it was.
        why: the reason that was given for the event.
        sources: the ids of the memories it was formed of, and of the one whose place it took; erased ones are gone.
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
    """How a scope's memory is doing at a moment, ``at``.

    Attributes:
        memories: all there are; ``current`` of them hold and are in a state that is recalled.
        kinds: how many of each kind; ``tiers`` of each tier, of formed memories; ``states`` of each state.
        junk: formed memories, recorded ``JUNK_DAYS`` ago or longer, that nobody ever asked for, of an importance of at
            most ``JUNK_MOST``, neither pinned nor immutable, that are recalled still.
        superseded: something newer took their place; ``outdated`` episodes all of whose formed memories it took.
        forgotten: closed without anything newer: forgotten by hand, or plans that are over.
        quarantined: held back by the screen.
        growth: day by day, where anything was recorded, the oldest first.
        observed: messages that went the whole write path; ``gated`` is how many more those are than the episodes
            something was formed of: a filter or the gate passed them over.
        events: in the journal of this scope; ``disk_bytes`` the whole store.
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
        """Count superseded memories, and episodes of which every formed memory was superseded."""
        return self.superseded + self.outdated

    @property
    def gated_share(self) -> float:
        """Share of observed messages that led to no memory, in [0, 1]."""
        return self.gated / self.observed if self.observed else 0.0


JUNK_DAYS = 30
JUNK_MOST = 0.5
"""The importance that memories begin with where nothing is weighed; what stands above it matters."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One point of a forgetting curve: when, that many ``days`` after the memory was formed, and in [0, 1] how well."""

    at: datetime
    days: float
    retrievability: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The forgetting curve of a memory, from its formation on; never more than a day between two points.

    ``law`` names the recipe's formula, ``at`` is now, ``now`` the retrievability then. An access sets it to 1: there
    stand two points of one moment. Without points, and ``now`` None, for an episode: it does not fade.
    """

    memory: Memory
    law: str
    at: datetime
    now: float | None
    points: tuple[CurvePoint, ...]
    accesses: tuple[datetime, ...]
