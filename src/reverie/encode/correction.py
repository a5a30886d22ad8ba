"""A correction by hand: the memory that is wrong and the words that are right in, the memory in its place out."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from reverie.encode.laying import DataSource
from reverie.encode.settings import EncodeSettings
from reverie.events import Formed, Payload
from reverie.language.category import category
from reverie.language.foresight import foresight
from reverie.language.keywords import keywords
from reverie.language.named_entities import named
from reverie.types import Kind, Memory, Standing, State

MANUAL = "manual"


def corrected(old: Memory, text: str, memory_id: str, now: datetime, settings: EncodeSettings) -> Memory:
    """What says ``text`` in the place of a memory: as important, as settled and as protected from being forgotten.

    It stems from no episode: nobody said it, a person wrote it. What corrects an episode is of the kind its words are.
    """
    entities, words = tuple(entity.uri for entity in named(text)), keywords(text)
    ahead = foresight(text, now)
    was = old.standing
    if old.kind is Kind.EPISODE:
        was = Standing(stability_days=settings.stability_days, utility=settings.utility, pinned=was.pinned)
    return replace(
        old,
        id=memory_id,
        kind=old.kind if old.kind is not Kind.EPISODE else category(text) or Kind.FACT,
        text=text,
        at=now,
        recorded_at=now,
        sources=(),
        entities=entities,
        keywords=words,
        valid_until=ahead.valid_until if ahead else None,
        accesses=0,
        last_access=None,
        standing=Standing(
            tier=was.tier,
            importance=was.importance,
            utility=was.utility,
            stability_days=was.stability_days,
            storage=was.storage,
            valence=was.valence,
            arousal=was.arousal,
            emotion=was.emotion,
            pinned=was.pinned,
            time_bounded=ahead is not None,
            tags=(*entities, *words),
            write_source=MANUAL,
            data_source=DataSource.USER.value,
            supersedes=old.id,
        ),
    )


def held_back(new: Memory, reason: str) -> Memory:
    """A correction whose words the screen holds back: it takes nothing's place until a person has looked at it."""
    standing = replace(new.standing, state=State.QUARANTINED, tags=(reason,), supersedes="", pinned=False)
    return replace(new, standing=standing)


def correction_in(payload: Payload | None) -> Memory | None:
    """The memory that a correction by hand made, if that is what a payload holds."""
    if not isinstance(payload, Formed) or payload.cycle or len(payload.added) != 1:
        return None
    made = payload.added[0]
    by_hand = made.standing.write_source == MANUAL and not made.sources
    return made if by_hand and made.standing.supersedes else None
