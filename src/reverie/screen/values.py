"""What the screen answers with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Masked:
    """One thing found: its kind, and where it stands in the text that came out of the screen.

    At ``start`` stand ``length`` characters: the mask where the thing was taken out, the thing itself where it was only
    marked. How long a secret was is not told.
    """

    kind: str
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Screened:
    """A text fit to be written down.

    ``masked`` was taken out, ``marked`` was left in, both in text order. ``quarantine`` says why the text must not be
    recalled; None: it may.
    """

    text: str
    masked: tuple[Masked, ...] = ()
    marked: tuple[Masked, ...] = ()
    quarantine: str | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the text as it came in: ``text[start:end]`` is of this kind."""

    kind: str
    start: int
    end: int
