"""How long an observation may stay: what proved important stays longer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Extension:
    """From which importance on the maximum age is multiplied, and by what."""

    importance: float
    factor: float


def effective_max_age(max_age_days: float, importance: float, extensions: tuple[Extension, ...]) -> float:
    """The declared maximum age times the factor of the highest extension that ``importance`` reaches.

    What is permanent (inf) stays so; nothing else becomes it.

    Source: ocean-vault
    """
    reached = [extension for extension in extensions if importance >= extension.importance]
    if not reached:
        return max_age_days
    return max_age_days * max(reached, key=lambda extension: extension.importance).factor
