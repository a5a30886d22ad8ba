"""Form: what is made of an episode. In this first form, one memory: the episode itself, with entities and keywords."""

from __future__ import annotations

from datetime import datetime

from reverie.language.entities import entities
from reverie.language.keywords import keywords
from reverie.types import Episode, Kind, Memory


def form(episode: Episode, recorded_at: datetime) -> Memory:
    """The memory of kind episode: the words as they were said, under the episode's own id."""
    return Memory(
        id=episode.id,
        scope=episode.scope,
        kind=Kind.EPISODE,
        text=episode.text,
        at=episode.at,
        recorded_at=recorded_at,
        session=episode.session,
        seq=episode.seq,
        speaker=episode.speaker,
        role=episode.role,
        sources=(episode.id,),
        entities=entities(episode.text),
        keywords=keywords(episode.text),
    )
