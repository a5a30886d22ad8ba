"""Parse one observation from a file's bytes, and check its front matter."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

from reverie.formulas.vault import Name
from reverie.vault.front import Front, Malformed, read

REQUIRED = ("tags", "importance", "created", "max_age", "source")
PERMANENT = "permanent"
_NUMBER = re.compile(r"\+?(?:\d+(?:\.\d*)?|\.\d+)\Z")
_AGE = re.compile(r"(\d{1,6})d\Z")
_COUNT = re.compile(r"\d{1,9}\Z")
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ].*)?\Z")
_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Observation:
    """A parsed observation; ``front`` is its text with the places of the fields.

    Attributes:
        name: the agent whose folder it lies in, and the file's name without its ending.
        path: the path of the file.
        raw: its bytes as they were read.
        importance: in [0, 1].
        max_age_days: inf for a permanent one.
    """

    name: Name
    path: Path
    raw: bytes
    front: Front
    tags: tuple[str, ...]
    importance: float
    created: date
    max_age_days: float
    source: str
    refs: int
    ref_by: tuple[str, ...]
    backlinks: tuple[str, ...]
    verified: bool
    promoted: bool

    @property
    def body(self) -> str:
        """The text below the front matter."""
        return self.front.text[self.front.body :]

    def age_days(self, today: date) -> int:
        """Return the whole days since it was created; 0 if that is in the future."""
        return max(0, (today - self.created).days)


def observation(name: Name, path: Path, raw: bytes) -> Observation:
    """Parse an observation from a file's bytes. Raises Malformed with line and reason."""
    return of_front(name, path, raw, read(_text(raw)))


def of_front(name: Name, path: Path, raw: bytes, front: Front) -> Observation:
    """Make an observation from a parsed front matter. Raises Malformed if a field is missing or invalid."""
    for key in REQUIRED:
        if not front.has(key):
            raise Malformed(1, f"the field `{key}` is missing")
    return Observation(
        name=name,
        path=path,
        raw=raw,
        front=front,
        tags=front.items("tags"),
        importance=_importance(front),
        created=_created(front),
        max_age_days=_max_age(front),
        source=front.scalar("source") or "",
        refs=_refs(front),
        ref_by=tuple(map(_linked, front.items("ref_by"))),
        backlinks=tuple(map(_linked, front.items("backlinks"))),
        verified=_truth(front, "verified"),
        promoted=_truth(front, "promoted"),
    )


def changed(was: Observation, front: Front) -> Observation:
    """Return the observation with other front matter or body; the same object if nothing differs."""
    if front.text == was.front.text:
        return was
    return of_front(was.name, was.path, front.text.encode("utf-8"), front)


def age_text(days: float) -> str:
    """Format a maximum age for the front matter, in whole days."""
    return PERMANENT if math.isinf(days) else f"{math.ceil(days)}d"


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(raw.count(b"\n", 0, error.start) + 1, "not UTF-8") from None


def _linked(item: str) -> str:
    """Return the name in a link as Obsidian writes it: ``[[obs-…|seen as]]``; any other text unchanged."""
    return item.removeprefix("[[").removesuffix("]]").split("|")[0].strip().removesuffix(".md")


def _importance(front: Front) -> float:
    found = _number(front.scalar("importance") or "")
    if found is None:
        raise Malformed(front.line("importance"), "`importance` is no number from 0 to 1")
    return found


def _created(front: Front) -> date:
    found = _day(front.scalar("created") or "")
    if found is None:
        raise Malformed(front.line("created"), "`created` is no day like 2026-02-15")
    return found


def _max_age(front: Front) -> float:
    found = _days(front.scalar("max_age") or "")
    if found is None:
        raise Malformed(front.line("max_age"), "`max_age` is neither days like 30d nor permanent")
    return found


# Thousands of files have the same few numbers and days: each is parsed once.
@lru_cache(maxsize=4096)
def _number(said: str) -> float | None:
    return float(said) if _NUMBER.match(said) and float(said) <= 1.0 else None


@lru_cache(maxsize=4096)
def _day(said: str) -> date | None:
    found = _DAY.match(said)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def _days(said: str) -> float | None:
    if said == PERMANENT:
        return math.inf
    found = _AGE.match(said)
    return float(found[1]) if found and int(found[1]) else None


def _refs(front: Front) -> int:
    said = front.scalar("refs")
    if said is not None and not _COUNT.match(said):
        raise Malformed(front.line("refs"), "`refs` is no count")
    return int(said or 0)


def _truth(front: Front, key: str) -> bool:
    said = front.scalar(key)
    if said is None or said == "false":
        return False
    if said.lower() not in _TRUTHS:
        raise Malformed(front.line(key), f"`{key}` is neither true nor false")
    return _TRUTHS[said.lower()]
