"""The model's profile: in, the folder of profiles and the model's name; out, what it says of memory (A6).

The profile is the one of the model that is in use, by its file's name or by the id in it; else ``default.json``. It is
never just the first file of the folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MOST = 10_000
_DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Profile:
    """What a profile says of memory.

    Attributes:
        max_injected: memories a turn; None: it does not say.
        similarity_threshold: on the host's scale; None: it does not say.
        disabled: domains in which no memory is injected.
        unscoped: domains that are no help to this model's searches.
        complaints: what could not be read, in words for the log.
    """

    max_injected: int | None = None
    similarity_threshold: float | None = None
    disabled: frozenset[str] = frozenset()
    unscoped: frozenset[str] = frozenset()
    complaints: tuple[str, ...] = ()


NONE = Profile()
_read: dict[tuple[Path, str], tuple[tuple[tuple[str, int, int], ...], Profile]] = {}
"""What was found for a model, by the times and sizes of all profiles: they are looked at every turn."""


def load(folder: Path, model: str) -> Profile:
    """The profile in force; it is the same object as long as the files are the same."""
    files = sorted(folder.rglob("*.json")) if folder.is_dir() else []
    stamp = tuple(_stamps(files))
    known = _read.get((folder, model))
    if known is None or known[0] != stamp:
        known = _read[folder, model] = stamp, _found(folder, files, model)
    return known[1]


def profile(said: Mapping[str, Any]) -> Profile:
    """What a profile says."""
    memory, belief = (part if isinstance(part := said.get(name), Mapping) else {} for name in ("memory", "bst"))
    complaints: list[str] = []
    most = _number(memory, "max_injected", _MOST, complaints)
    return Profile(
        max_injected=None if most is None else int(most),
        similarity_threshold=_number(memory, "similarity_threshold", 1.0, complaints),
        disabled=_domains(memory, complaints),
        unscoped=_domains(belief, complaints),
        complaints=tuple(complaints),
    )


def _stamps(files: Sequence[Path]) -> list[tuple[str, int, int]]:
    stamps = []
    for file in files:
        try:
            found = file.stat()
        except OSError:  # gone meanwhile
            continue
        stamps.append((str(file), found.st_mtime_ns, found.st_size))
    return stamps


def _found(folder: Path, files: Sequence[Path], model: str) -> Profile:
    names = {file.relative_to(folder).as_posix().lower().removesuffix(".json"): file for file in files}
    wanted = model.strip().lower()
    for name in (wanted, wanted.replace("/", "_"), wanted.rpartition("/")[2]):
        if name and name in names:
            return _parsed(names[name])
    for file in files if wanted else ():
        said = _contents(file)
        if said is not None and str(said.get("model_id", "")).lower() == wanted:
            return profile(said)
    return _parsed(names[_DEFAULT]) if _DEFAULT in names else NONE


def _parsed(file: Path) -> Profile:
    said = _contents(file)
    return Profile(complaints=(f"the profile {file.name} cannot be read",)) if said is None else profile(said)


def _contents(file: Path) -> Mapping[str, Any] | None:
    try:
        said = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _number(said: Mapping[str, Any], key: str, most: float, complaints: list[str]) -> float | None:
    value = said.get(key)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most:
        return float(value)
    complaints.append(f"the profile's {key} cannot be used")
    return None


def _domains(said: Mapping[str, Any], complaints: list[str]) -> frozenset[str]:
    value = said.get("disabled_domains", [])
    if isinstance(value, list):
        return frozenset(one for one in value if isinstance(one, str))
    complaints.append("the profile's disabled_domains cannot be used")
    return frozenset()
