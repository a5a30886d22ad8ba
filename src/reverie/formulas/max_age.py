"""How long an observation may stay: what proved important stays longer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_LEAD, _UNIT = "max_age: ", "d"
"""What stands around the days of a tag; with a blank in it, so that no word of a message is taken for one."""
_DIGITS_MAX = 6


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


def age_tag(days: int) -> str:
    """The tag that declares a maximum age for one memory, in the words of the front matter of a vault's file.

    Source: ocean-vault
    """
    return f"{_LEAD}{days}{_UNIT}"


def age_in(tag: str) -> float | None:
    """The days that a tag declares; None where it declares none.

    Source: ocean-vault
    """
    digits = tag.removeprefix(_LEAD).removesuffix(_UNIT)
    whole = digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MAX
    return float(digits) if whole and tag == f"{_LEAD}{digits}{_UNIT}" else None


def declared_days(tags: Iterable[str], of_class: float) -> float:
    """The longest maximum age that a tag declares; never less than its class has.

    Source: ocean-vault
    """
    return max([of_class, *(days for tag in tags if (days := age_in(tag)) is not None)])
