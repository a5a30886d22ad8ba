"""What an import left out: one value an item, so that nothing is dropped in silence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Skipped:
    """One item that gave no message.

    Attributes:
        where: its place in the file, "line 12" or "conversation 3, message 5f…".
        reason: a short phrase, the same for all of its kind, so that reasons can be counted.
        broken: the item cannot be read; False: it is sound and was left out on purpose.
        detail: what exactly is wrong with this one; may be empty.
    """

    where: str
    reason: str
    broken: bool = False
    detail: str = ""


Report: TypeAlias = Callable[[Skipped], None]
"""Who is told about each item that was left out."""
