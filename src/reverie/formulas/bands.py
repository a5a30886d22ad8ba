"""How much of a memory is injected, by how sure we are that it bears on the cue."""

from __future__ import annotations

from enum import StrEnum


class Band(StrEnum):
    """The whole text, its summary, or nothing (which is logged)."""

    FULL = "full"
    SUMMARY = "summary"
    WITHHELD = "withheld"


def band(confidence: float, full: float, summary: float) -> Band:
    """The band of a confidence in [0, 1]: from ``full`` on whole, from ``summary`` on abbreviated, else withheld.

    Source: cognitive-memory-v9
    """
    if confidence >= full:
        return Band.FULL
    return Band.SUMMARY if confidence >= summary else Band.WITHHELD
