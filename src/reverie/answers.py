"""Define the values the engine returns: receipts, recall results and their reasons, counts, faults. All are frozen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from reverie.types import Cue, Memory, Scope


@dataclass(frozen=True, slots=True)
class Decision:
    """What one stage of the write path decided about a message or about a memory formed from it, and why."""

    stage: str
    verdict: str
    why: str = ""


class Signal(NamedTuple):
    """One component of a score: ``value`` in [0, 1] (``size`` may exceed 1), ``weight``, and ``share``, what it added.

    ``about`` is the id of another memory if the signal refers to one, such as the newer or the contradicting one. It is
    a tuple because a recall makes hundreds of them, and a frozen dataclass takes four times as long.
    """

    name: str
    value: float
    weight: float
    share: float
    about: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One recalled memory at ``rank`` (from 1), with every signal that contributed to its score.

    ``cosine`` is the raw similarity, never overwritten by a rank score (None if no vector was compared). ``tokens`` is
    the cost of injecting it. ``withheld`` is the reason it is not injected; empty: it is injected. ``shown`` replaces
    the text when it is injected in abbreviated form.
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
    """One line of a recall's trace: the stage, what it decided, and how long it took."""

    stage: str
    note: str
    took_ms: float


@dataclass(frozen=True, slots=True)
class Recollection:
    """The result of a recall: the hits to inject, the hits withheld, and the trace of how they were found.

    ``standing`` holds the standing instructions, which apply to any cue and come beside the hits. ``intent`` is the
    router's class of the cue. ``confidence`` is the probability that any hit answers it (None: not estimated),
    ``grounds`` its evidence in log-odds, ``traits`` the features of cue and texts that set the signals' weights.
    ``ended`` says why nothing was searched or returned. ``gated``: there were candidates, but none was sure enough to
    be returned; in the documents' recipes ``confidence`` is then the best candidate's.
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
    """The result of writing one message: the memory's id and position, and whether it is ``new`` or was already stored.

    ``conflict``: its message id is already stored with another text, speaker or session, so it was not kept. ``formed``
    are the ids of the memories that were made from it or changed by it, ``decisions`` what each stage decided.
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
    """Counts of one scope, and the size of the whole store. ``gated`` counts recalls that found nothing sure enough."""

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
    """A problem that ``doctor`` found: a short ``name``, what is wrong, and how to repair it."""

    name: str
    what: str
    mend: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """The end of a store's journal at one moment, to be kept elsewhere as evidence that the journal was not rewritten.

    Attributes:
        store: the hash of the journal's first event, which identifies the store.
        seq: the number of the last event at that moment.
        hash: that event's hash.
        at: when the anchor was taken.
        marks: number and hash of some earlier events, ascending.
    """

    store: str
    seq: int
    hash: str
    at: datetime
    marks: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Growth:
    """The episodes recorded and memories formed on one day (UTC) in a scope, as far as they still exist."""

    day: date
    episodes: int
    formed: int


@dataclass(frozen=True, slots=True)
class Health:
    """The condition of a scope's memory at the moment ``at``: counts by kind, tier and state, junk, staleness, growth.

    Attributes:
        memories: all memories; ``current`` of them hold and are in a state that is recalled.
        kinds: how many of each kind; ``tiers``: formed memories of each tier; ``states``: of each state.
        junk: formed memories that are still recalled, were recorded at least ``JUNK_DAYS`` days ago, never accessed,
            have an importance of at most ``JUNK_MOST`` and are neither pinned nor immutable.
        superseded: memories replaced by a newer one; ``outdated``: episodes whose formed memories were all replaced.
        forgotten: closed without a newer memory: forgotten on request, or plans that are over.
        quarantined: held back by the screen.
        growth: one entry for each day on which something was recorded, oldest first.
        observed: messages that went through the whole write path; ``gated``: those from which nothing was formed,
            because a filter or the gate rejected them.
        events: in the journal of this scope; ``disk_bytes`` is the size of the whole store.
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
        """Number of stale memories: superseded ones, and episodes whose formed memories were all superseded."""
        return self.superseded + self.outdated

    @property
    def gated_share(self) -> float:
        """The share of observed messages from which no memory was formed, in [0, 1]."""
        return self.gated / self.observed if self.observed else 0.0


JUNK_DAYS = 30
JUNK_MOST = 0.5
"""The default importance of a memory; one above it is never counted as junk."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One point of a forgetting curve: the time, the days since the memory was formed, its retrievability in [0, 1]."""

    at: datetime
    days: float
    retrievability: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The forgetting curve of a memory since its formation, with at most a day between two points.

    ``law`` names the recipe's formula; ``now`` is the retrievability at the moment ``at``. An access sets it to 1, so
    an access has two points at the same time. An episode does not fade: it has no points, and ``now`` is None.
    """

    memory: Memory
    law: str
    at: datetime
    now: float | None
    points: tuple[CurvePoint, ...]
    accesses: tuple[datetime, ...]
