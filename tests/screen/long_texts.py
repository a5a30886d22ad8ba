"""Long texts of one piece, over and over: what a careless expression takes minutes for."""

from __future__ import annotations

LONG = 200_000
"""Characters."""


def repeated(piece: str) -> str:
    """The piece as often as it takes."""
    return (piece * (LONG // len(piece) + 1))[:LONG]
