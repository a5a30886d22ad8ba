"""How the engine sleeps: the dream, its undoing, and the parts of it that can be run alone."""

from __future__ import annotations

from reverie.engine.base import Base


class Sleeping(Base):
    """The part of the engine that consolidates."""
