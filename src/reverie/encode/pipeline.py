"""The write path: screen a message, form fact candidates from it, and write the episode and the formed memories.

``screened`` and ``prepare`` run screen → observe → pre-gate → form, before anything is written. Then the texts are
embedded and, with a language model, ``foresee`` and ``advise`` collect its advice. ``commit`` runs in one transaction:
it writes the episode, and each fact candidate goes through gate → weigh → lay down → tag and capture → relate. Slow
work is done before the transaction, which holds only what needs the store. Working memory and ops log follow it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from reverie.answers import Decision, Receipt
from reverie.encode.facts import PASS_OVER, Aids, FactCandidate, ObservedMessage, observe, required, think
from reverie.encode.formation import Formation, FormationOutcome, WriteContext
from reverie.encode.gate import GateContext, Judged, Pondered, judge
from reverie.encode.memory_factory import DataSource, EpisodeReading, Origin, form, index
from reverie.encode.session import Session
from reverie.encode.settings import EncodeSettings
from reverie.events import Action, Remembered
from reverie.ports import Transaction
from reverie.screen.pipeline import screen, screen_name
from reverie.screen.values import Screened, ScreenSettings
from reverie.types import (
    Episode,
    FloatArray,
    IndexEntry,
    Memory,
    Message,
    ModelInfo,
    Role,
    Scope,
    Standing,
    State,
)

ANALYSED_MAX = 32_768
"""How many characters of a message facts are formed from: some twelve pages, five times the length of a model's answer.
The screen reads the whole message, and all of it is kept and searchable. docs/decisions/0047-bounds.md
"""
_WORD_MAX = 1_000
_NOWHERE = Scope("none", "none", "none")
"""The scope of a message that is read before anybody says whose it is; nothing is written with it."""

__all__ = ["WriteContext", "Incoming", "Prepared", "GateContext", "commit", "foresee", "prepare", "screened"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A message after the screen, with the fact candidates formed from it; not yet embedded, not yet written."""

    message: Message
    quarantine: str = ""
    seen: ObservedMessage | None = None
    thoughts: tuple[FactCandidate, ...] = ()
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class Incoming:
    """A prepared message with the vectors of its text and of its fact candidates, ready to be written.

    ``read``: what its own memory is found by, as from ``read_episode``; None: it is read when it is written.
    """

    prepared: Prepared
    vector: FloatArray | None = None
    vectors: tuple[FloatArray | None, ...] = ()
    read: EpisodeReading | None = None

    @property
    def pondered(self) -> list[Pondered]:
        """Each fact candidate with its vector."""
        thoughts = self.prepared.thoughts
        return [Pondered(*pair) for pair in zip(thoughts, self.vectors or (None,) * len(thoughts), strict=True)]


def screened(message: Message, settings: ScreenSettings | None) -> Prepared:
    """Screen a message: mask secrets in its text and speaker, and quarantine text that steers a model."""
    if settings is None:
        return Prepared(message)
    found, speaker = screen(message.text, settings, message.role or Role.USER), screen_name(message.speaker, settings)
    if (found.text, speaker.text) == (message.text, message.speaker) and not found.quarantine:
        return Prepared(message)
    clean = replace(message, text=found.text, speaker=speaker.text)
    return Prepared(clean, found.quarantine or "", decisions=(_decision(found, speaker),))


def prepare(screened: Prepared, now: datetime, settings: EncodeSettings, aids: Aids) -> Prepared:
    """Observe a screened message and form its fact candidates; a quarantined message has none."""
    if screened.quarantine:
        return screened
    message = replace(screened.message, text=analysed(screened.message.text))
    seen = observe(message.text, settings.observe, deliberate=aids.deliberate)
    decisions = (*screened.decisions, *_bounded(screened.message, message), *seen.decisions, *required(message, aids))
    if any(decision.verdict == PASS_OVER for decision in decisions):
        return replace(screened, seen=seen, decisions=decisions)
    thoughts, decision = think(message, message.at or now, seen, settings.form, aids)
    if aids.given.kind is not None:
        thoughts = tuple(replace(thought, kind=aids.given.kind) for thought in thoughts)
    return replace(screened, seen=seen, thoughts=thoughts, decisions=(*decisions, decision))


def read_episode(message: Message, at: datetime) -> EpisodeReading:
    """Read from a message said ``at`` what the memory of its words is found by, before it is written."""
    memory = form(_said("", _NOWHERE, message, at, 0), at)
    entry = index(memory)
    return EpisodeReading(memory.entities, memory.keywords, entry.terms, entry.words)


def analysed(text: str) -> str:
    """Return the part of a text that facts are formed from: at most ``ANALYSED_MAX`` characters, in whole words."""
    if len(text) <= ANALYSED_MAX:
        return text
    head = text[:ANALYSED_MAX]
    cut = max(head.rfind(sign, ANALYSED_MAX - _WORD_MAX) for sign in " \n\t")
    return head[:cut] if cut > 0 else head


def _bounded(whole: Message, read: Message) -> tuple[Decision, ...]:
    """Return a decision that says how much was analysed of a message that is too long; nothing for others."""
    if whole.text == read.text:
        return ()
    why = f"facts are formed of its first {len(read.text)} characters; all {len(whole.text)} are kept and searched"
    return (Decision("observe", "bounded", why),)


def foresee(
    incoming: Incoming, hand: WriteContext, world: GateContext, settings: EncodeSettings, session: Session
) -> tuple[Judged, ...]:
    """Predict the gate's decision about each fact candidate before the transaction, to ask a language model early."""
    seen = incoming.prepared.seen
    if seen is None:
        return ()
    origin = _origin(_episode(incoming.prepared.message, hand, "", 0), seen, hand)
    return tuple(judge(one, origin, world, settings, session) for one in incoming.pondered)


def commit(
    tx: Transaction, incoming: Incoming, hand: WriteContext, forming: Formation | None = None
) -> tuple[Receipt, FormationOutcome]:
    """Write one message and its formed memories, unless the scope already has a message with its id.

    If that message has another text, speaker or session, the receipt reports a conflict, and nothing is written.
    """
    known = _known(tx, incoming.prepared.message, hand)
    episode = _to_form(tx, known, incoming, hand) if known is not None else _keep(tx, incoming, hand)
    if episode is None:
        assert known is not None
        return known, FormationOutcome()
    outcome = FormationOutcome()
    prepared = incoming.prepared
    if forming is not None and prepared.seen is not None and prepared.thoughts:
        origin = _origin(episode, prepared.seen, hand)
        outcome = forming.run(incoming.pondered, origin)
    receipt = Receipt(
        id=episode.id,
        scope=hand.scope,
        session=episode.session,
        seq=episode.seq,
        new=known is None,
        embedded=incoming.vector is not None,
        formed=tuple(dict.fromkeys(outcome.touched)),
        decisions=(*prepared.decisions, *outcome.decisions),
    )
    return receipt, outcome


def _origin(episode: Episode, seen: ObservedMessage, hand: WriteContext) -> Origin:
    return Origin(episode, seen, hand.now, hand.deliberate, hand.source, hand.given.importance)


def _known(tx: Transaction, message: Message, hand: WriteContext) -> Receipt | None:
    """Return the receipt of a message whose id the scope already has; None for a new message."""
    if message.message_id is None:
        return None
    episode = tx.find_message(hand.scope, message.message_id)
    if episode is None:
        return None
    same = (episode.text, episode.speaker, episode.session) == (message.text, message.speaker, message.session)
    return Receipt(episode.id, hand.scope, episode.session, episode.seq, new=False, embedded=False, conflict=not same)


def _to_form(tx: Transaction, known: Receipt, incoming: Incoming, hand: WriteContext) -> Episode | None:
    """Return the episode of a known message that memories are to be formed from now; None if they are not."""
    message_id = incoming.prepared.message.message_id
    if known.conflict or message_id is None or hand.is_formed(known.id):
        return None
    return tx.find_message(hand.scope, message_id)


def _keep(tx: Transaction, incoming: Incoming, hand: WriteContext) -> Episode:
    """Write a message's episode and its memory, in quarantine if the screen held it back."""
    message = incoming.prepared.message
    place = tx.next_seq(hand.scope, message.session) if message.seq is None else message.seq
    episode = _episode(message, hand, hand.ids.new_id(hand.now), place)
    memory = form(episode, hand.now, incoming.read)
    if hand.source is DataSource.FEDERATION:  # another agent's words are not this agent's experience (D37)
        memory = replace(memory, standing=Standing(data_source=hand.source.value))
    if hand.write_source:
        memory = replace(memory, standing=replace(memory.standing, write_source=hand.write_source))
    if incoming.prepared.quarantine:
        held = replace(memory.standing, state=State.QUARANTINED, tags=(incoming.prepared.quarantine,))
        memory = replace(memory, standing=held)
    draft = hand.draft(Action.REMEMBER, Remembered(episode, (memory,)))
    tx.append(draft, (_entry(memory, incoming, hand.model),))
    return episode


def _entry(memory: Memory, incoming: Incoming, model: ModelInfo | None) -> IndexEntry:
    """Return the index entry of a message's memory, from what was read of it before if it was."""
    read = incoming.read
    if read is None:
        return index(memory, incoming.vector, model)
    return IndexEntry(read.terms, read.words, None if model is None else incoming.vector, model)


def _episode(message: Message, hand: WriteContext, episode_id: str, place: int) -> Episode:
    return _said(episode_id, hand.scope, message, message.at or hand.now, place)


def _said(episode_id: str, scope: Scope, message: Message, at: datetime, place: int) -> Episode:
    return Episode(
        id=episode_id,
        scope=scope,
        session=message.session,
        seq=place,
        speaker=message.speaker,
        role=message.role or Role.PERSON,
        text=message.text,
        at=at,
        message_id=message.message_id,
    )


def _decision(found: Screened, speaker: Screened) -> Decision:
    if found.quarantine:
        return Decision("screen", "quarantine", found.quarantine)
    return Decision(
        "screen", "mask", ", ".join(dict.fromkeys(masked.kind for masked in (*found.masked, *speaker.masked)))
    )
