"""The write path on one screen: accept → embed → keep the episode → form → index → commit.

Everything that takes time (embedding) comes before the transaction; inside it stands only what needs the store's
word: is the message new, and which place does it get.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.encode.form import form
from reverie.encode.index import index
from reverie.events import Action, Draft, Remembered
from reverie.ports import Ids, Transaction
from reverie.types import Episode, FloatArray, Message, ModelInfo, Receipt, Role, Scope


@dataclass(frozen=True, slots=True)
class Incoming:
    """An accepted message on its way in, with its vector where there is a model."""

    message: Message
    vector: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """Who writes, when, why and with which model: what every message of one call shares."""

    scope: Scope
    now: datetime
    ids: Ids
    actor: str
    why: str
    model: ModelInfo | None


def commit(tx: Transaction, batch: Sequence[Incoming], hand: Hand) -> list[Receipt]:
    """Write a batch within one transaction; a message whose id the scope knows already is left alone.

    One known with other words, speaker or session is a conflict: its receipt says so, and the others are kept.
    """
    return [_known(tx, incoming, hand) or _keep(tx, incoming, hand) for incoming in batch]


def _known(tx: Transaction, incoming: Incoming, hand: Hand) -> Receipt | None:
    message = incoming.message
    if message.message_id is None:
        return None
    episode = tx.find_message(hand.scope, message.message_id)
    if episode is None:
        return None
    same = (episode.text, episode.speaker, episode.session) == (message.text, message.speaker, message.session)
    return Receipt(episode.id, hand.scope, episode.session, episode.seq, new=False, embedded=False, conflict=not same)


def _keep(tx: Transaction, incoming: Incoming, hand: Hand) -> Receipt:
    message = incoming.message
    episode = Episode(
        id=hand.ids.new_id(hand.now),
        scope=hand.scope,
        session=message.session,
        seq=tx.next_seq(hand.scope, message.session) if message.seq is None else message.seq,
        speaker=message.speaker,
        role=message.role or Role.PERSON,
        text=message.text,
        at=message.at or hand.now,
        message_id=message.message_id,
    )
    memory = form(episode, hand.now)
    draft = Draft(
        scope=hand.scope,
        at=hand.now,
        actor=hand.actor,
        action=Action.REMEMBER,
        why=hand.why,
        payload=Remembered(episode, (memory,)),
        salt=hand.ids.salt(),
    )
    tx.append(draft, (index(memory, incoming.vector, hand.model),))
    return Receipt(episode.id, hand.scope, episode.session, episode.seq, True, incoming.vector is not None)
