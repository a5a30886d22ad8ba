"""What the tests of the write path are made of: memories, thoughts, what was seen, an embedder of chosen vectors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from reverie.encode.facts import FactCandidate, ObservedMessage
from reverie.encode.memory_factory import Origin
from reverie.language.classify.categories import Classified
from reverie.types import Emotion, Episode, FloatArray, Kind, Memory, ModelInfo, Role, Scope, Standing

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)
SCOPE = Scope("helper", "ada", "home")


def memory(text: str, memory_id: str = "old", **standing: object) -> Memory:
    """A formed memory that Ada's words gave."""
    return Memory(
        id=memory_id,
        scope=SCOPE,
        kind=Kind.FACT,
        text=text,
        at=AT,
        recorded_at=AT,
        session="s",
        seq=0,
        speaker="ada",
        role=Role.USER,
        sources=("e0",),
        standing=Standing(**standing),  # type: ignore[arg-type]  # whatever a test is about
    )


def thought(text: str, kind: Kind = Kind.FACT, **changes: object) -> FactCandidate:
    """A thought of these words."""
    plain = FactCandidate(text, text, kind, 0.5, (), (), None, time_bounded=False)
    return replace(plain, **changes)  # type: ignore[arg-type]  # whatever a test is about


def seen(arousal: float = 0.0, density: int = 3, confidence: float | None = 0.5) -> ObservedMessage:
    """What an observer saw; density 3 and confidence .5 give a boost of 1."""
    classes = () if confidence is None else (Classified("fact", confidence),)
    return ObservedMessage(classes, Emotion(0.0, arousal, None), density, ())


def origin(
    text: str = "said",
    *,
    role: Role = Role.USER,
    speaker: str = "ada",
    at: datetime = AT,
    deliberate: bool = False,
    sight: ObservedMessage | None = None,
) -> Origin:
    """Where a thought of this text comes from, recorded when it was said."""
    episode = Episode("e1", SCOPE, "s", 1, speaker, role, text, at)
    return Origin(episode, sight or seen(), max(at, AT), deliberate)


class Chosen:
    """An embedder whose vectors a test chooses: a text is like the first of ``likeness`` whose word it holds.

    ``likeness`` maps a word to (group, cosine): texts of one group with cosines a and b to its axis, each with a
    direction of its own beside, have the cosine a · b. Every other text is orthogonal to all.
    """

    def __init__(self, likeness: Mapping[str, tuple[int, float]], dims: int = 256) -> None:
        self._likeness = likeness
        self._info = ModelInfo("chosen", "1", dims)
        self._own: dict[str, int] = {}

    @property
    def info(self) -> ModelInfo:
        """Identity of the model."""
        return self._info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """The chosen vectors."""
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> FloatArray:
        """The chosen vector."""
        group, cosine = next((found for word, found in self._likeness.items() if word in text), (0, 0.0))
        row = np.zeros(self._info.dims, np.float32)
        row[group] = cosine
        row[16 + self._own.setdefault(text, len(self._own))] = math.sqrt(1.0 - cosine * cosine)
        return row
