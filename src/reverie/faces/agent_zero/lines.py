"""Lines for Agent Zero's log: in, what was done and what had to be left out; out, one line.

Only our own words and the names of errors stand in it, never what a user or a memory says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A line, and whether something went wrong."""

    content: str
    fault: bool


def failed(prefix: str, what: str, error: Exception) -> Line:
    """One line of an error: what did not happen, and the error's name; of a package that is missing its own."""
    missing = f" ({error.name})" if isinstance(error, ImportError) and error.name else ""
    return Line(f"{prefix} {what}: {type(error).__name__}{missing}", fault=True)


def told(prefix: str, summary: str, faults: Sequence[str] = ()) -> Line:
    """One line of it all."""
    return Line(f"{prefix} {'; '.join((summary, *faults))}", fault=bool(faults))
