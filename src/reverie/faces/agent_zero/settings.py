"""Settings in Agent Zero: its configuration (``classification_config.json``) and the profile of its model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from reverie.consolidate.settings import ClusterCandidates, Deduplication, Dormancy, Links
from reverie.exchange.co_retrieval_log import MAX_ENTRIES
from reverie.recipes.published.exocortex import DECAY, DREAM, EXPANDING, RELATED, Enhancement, Expanding
from reverie.recipes.published.scores import Recency, RelatedBoost

_MOST_INJECTED = 10_000
_DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Profile:
    """What a model's profile says of memory.

    Attributes:
        max_injected: most memories a turn; None if not set.
        similarity_threshold: on the host's scale; None if not set.
        disabled: domains in which no memory is injected.
        unscoped: domains that do not help this model's searches.
        complaints: what could not be read, in words for the log.
    """

    max_injected: int | None = None
    similarity_threshold: float | None = None
    disabled: frozenset[str] = frozenset()
    unscoped: frozenset[str] = frozenset()
    complaints: tuple[str, ...] = ()


NONE = Profile()
_read_profile: dict[tuple[Path, str], tuple[tuple[tuple[str, int, int], ...], Profile]] = {}
"""Cache of each model's profile, by the times and sizes of all profiles, because they are checked every turn."""


def load_profile(folder: Path, model: str) -> Profile:
    """Return the profile in force; the same object as long as the files are unchanged."""
    files = sorted(folder.rglob("*.json")) if folder.is_dir() else []
    stamp = tuple(_stamps(files))
    known = _read_profile.get((folder, model))
    if known is None or known[0] != stamp:
        known = _read_profile[folder, model] = stamp, _found(folder, files, model)
    return known[1]


def profile(said: Mapping[str, Any]) -> Profile:
    """Parse a profile."""
    memory, belief = (part if isinstance(part := said.get(name), Mapping) else {} for name in ("memory", "bst"))
    complaints: list[str] = []
    most = _number(memory, "max_injected", _MOST_INJECTED, complaints)
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
            return _parsed_profile(names[name])
    for file in files if wanted else ():
        said = _contents(file)
        if said is not None and str(said.get("model_id", "")).lower() == wanted:
            return profile(said)
    return _parsed_profile(names[_DEFAULT]) if _DEFAULT in names else NONE


def _parsed_profile(file: Path) -> Profile:
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


Said: TypeAlias = Mapping[str, Any]

FILE = "classification_config.json"
ENGINES = ("exocortex", "reverie")
INTERVAL_LOOPS = 25
REBUILD_LOOPS = 25
DORMANT_AFTER = 50
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class WholeSettings:
    """The engine beside Agent Zero's own store; an empty value is replaced by a default."""

    store: str = ""
    recipe: str = "reverie"
    embedder: str = "default"
    agent: str = ""
    user: str = ""


@dataclass(frozen=True, slots=True)
class HostSettings:
    """Settings of each component; None means it is switched off.

    Attributes:
        enhancement: how memories are chosen for a turn.
        most_related: most links of one memory that count, and are made.
        tracking: whether accesses are counted.
        max_entries: of the co-retrieval log; None: nothing is logged.
        interval_loops: loops from one pass of maintenance to the next.
        deduplication: which memories say the same.
        names_all: whether every pair found is named in the log.
        links: how memories are linked.
        rebuild_loops: loops from one linking to the next.
        company: which pairs are recalled together often.
        dormancy: which memories were never recalled.
        engine: "exocortex", or "reverie" for the whole engine beside it.
        whole: settings of that engine.
        complaints: what could not be read, in words for the log.
    """

    enhancement: Enhancement = field(default_factory=lambda: Enhancement(expanding=None, decay=None, related=None))
    most_injected: int | None = None
    most_related: int = 10
    tracking: bool = True
    max_entries: int | None = MAX_ENTRIES
    interval_loops: int = INTERVAL_LOOPS
    deduplication: Deduplication | None = None
    names_all: bool = True
    links: Links | None = None
    rebuild_loops: int = REBUILD_LOOPS
    company: ClusterCandidates | None = None
    dormancy: Dormancy | None = None
    engine: str = ENGINES[0]
    whole: WholeSettings = WholeSettings()
    complaints: tuple[str, ...] = ()


_read: dict[Path, tuple[tuple[int, int], HostSettings]] = {}
"""Cache of each file's settings, by its time and size, because it is checked every turn and rarely changes."""


def load(path: Path) -> HostSettings:
    """Return the settings in force; the same object as long as the file is unchanged."""
    try:
        found = path.stat()
        stamp = found.st_mtime_ns, found.st_size
    except OSError:
        stamp = (0, 0)
    known = _read.get(path)
    if known is None or known[0] != stamp:
        known = _read[path] = stamp, _parsed(path)
    return known[1]


def _parsed(path: Path) -> HostSettings:
    try:
        said = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return settings({})
    except (OSError, ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        return replace(settings({}), complaints=(f"{FILE} cannot be read, so its sections are skipped",))
    return settings(said)


def settings(said: Said) -> HostSettings:
    """Parse a configuration."""
    complaints: list[str] = []
    top = _Section("", said, complaints)
    co_retrieval = top.section("co_retrieval", has_default=True)
    most = top.count("max_injected_memories", _MOST, 0) if "max_injected_memories" in said else None
    related = top.section("related_memories")
    duplicates = top.section("deduplication")
    engine = said.get("engine", ENGINES[0])
    if engine not in ENGINES:
        complaints.append("engine is not known")
        engine = ENGINES[0]
    return HostSettings(
        enhancement=_enhancement(top, related),
        most_injected=most,
        most_related=related.count("max_related_per_memory", 10, 0) if related else 0,
        tracking=top.section("access_tracking", has_default=True) is not None,
        max_entries=co_retrieval.count("max_entries", MAX_ENTRIES, 1) if co_retrieval else None,
        interval_loops=top.count("maintenance_interval_loops", INTERVAL_LOOPS, 1),
        deduplication=_deduplication(duplicates) if duplicates else None,
        names_all=duplicates.flag("log_all_candidates", otherwise=True) if duplicates else True,
        links=_links(related) if related else None,
        rebuild_loops=related.count("rebuild_interval_cycles", REBUILD_LOOPS, 1) if related else REBUILD_LOOPS,
        company=ClusterCandidates(co_retrieval.count("cluster_threshold", 5, 0)) if co_retrieval else None,
        dormancy=_dormancy(top),
        engine=str(engine),
        whole=_whole(top),
        complaints=tuple(complaints),
    )


class _Section:
    """A part of the configuration; an unusable value is noted as a complaint and replaced by the default."""

    def __init__(self, name: str, said: Said, complaints: list[str]) -> None:
        self._name, self._said, self._complaints = name, said, complaints

    def section(self, name: str, *, has_default: bool = False) -> _Section | None:
        """Return a part of this part; None if it is missing (without a default), false, or switched off."""
        said = self._said.get(name, has_default)
        if isinstance(said, bool):
            return _Section(name, {}, self._complaints) if said else None
        if not isinstance(said, Mapping):
            self._complain(name)
            return None
        on = said.get("enabled", True)
        if not isinstance(on, bool):
            self._complain(f"{name}.enabled")
        return _Section(name, said, self._complaints) if on is True else None

    def number(self, key: str, otherwise: float, least: float, most: float) -> float:
        """Return a setting that is a number within bounds."""
        said = self._said.get(key, otherwise)
        if isinstance(said, int | float) and not isinstance(said, bool) and least <= said <= most:
            return float(said)
        self._complain(key)
        return float(otherwise)

    def count(self, key: str, otherwise: int, least: int) -> int:
        """Return a setting that is a whole number of at least ``least``."""
        said = self.number(key, otherwise, least, _MOST)
        if said.is_integer():
            return int(said)
        self._complain(key)
        return otherwise

    def flag(self, key: str, *, otherwise: bool) -> bool:
        """Return a setting that is true or false."""
        said = self._said.get(key, otherwise)
        if isinstance(said, bool):
            return said
        self._complain(key)
        return otherwise

    def words(self, key: str, otherwise: tuple[str, ...]) -> frozenset[str]:
        """Return a setting that is a list of words."""
        said = self._said.get(key, list(otherwise))
        if isinstance(said, list) and all(isinstance(word, str) for word in said):
            return frozenset(said)
        self._complain(key)
        return frozenset(otherwise)

    def word(self, key: str, otherwise: str) -> str:
        """Return a setting that is a text."""
        said = self._said.get(key, otherwise)
        if isinstance(said, str):
            return said
        self._complain(key)
        return otherwise

    def _complain(self, key: str) -> None:
        self._complaints.append(f"{self._name}.{key} cannot be used" if self._name else f"{key} cannot be used")


def _enhancement(top: _Section, related: _Section | None) -> Enhancement:
    expansion, decay = top.section("query_expansion"), top.section("temporal_decay")
    return Enhancement(
        expanding=_expanding(expansion) if expansion else None,
        each=expansion.count("retrieval_k_per_variant", 8, 1) if expansion else 8,
        decay=_decay(decay) if decay else None,
        related=RelatedBoost(related.number("related_boost", RELATED.boost, 0.0, 1.0)) if related else None,
    )


def _expanding(said: _Section) -> Expanding:
    return replace(
        EXPANDING,
        max_keywords=said.count("max_keywords", EXPANDING.max_keywords, 1),
        by_keywords=said.flag("use_keyword_extraction", otherwise=True),
        by_domain=said.flag("use_domain_scoping", otherwise=True),
    )


def _decay(said: _Section) -> Recency:
    exempt = (
        said.words("exempt_utilities", ("load_bearing",))
        | said.words("exempt_sources", ("user_asserted",))
        | said.words("exempt_validities", ("confirmed",))
    )
    return replace(
        DECAY,
        half_life_hours=said.number("half_life_hours", DECAY.half_life_hours, 1e-6, 1e9),
        weight=said.number("decay_weight", DECAY.weight, 0.0, 1.0),
        floor=said.number("min_recency_score", DECAY.floor, 0.0, 1.0),
        exempt=exempt,
    )


def _deduplication(said: _Section) -> Deduplication | None:
    own = DREAM.deduplication
    return own and replace(
        own,
        above=said.number("similarity_threshold", own.above, 0.0, 1.0),
        limit=said.count("max_pairs_per_cycle", own.limit, 0),
        auto_deprecate_inferred=said.flag("auto_deprecate_agent_inferred", otherwise=True),
    )


def _links(said: _Section) -> Links:
    return Links(said.count("tag_overlap_threshold", 3, 1), said.count("max_related_per_memory", 10, 0))


def _dormancy(top: _Section) -> Dormancy | None:
    threshold = top.count("archival_threshold_cycles", DORMANT_AFTER, 0)
    return Dormancy(threshold, cycle_days=1.0) if top.section("dormancy", has_default=True) else None


def _whole(top: _Section) -> WholeSettings:
    said = top.section("reverie", has_default=True)
    if said is None:
        return WholeSettings()
    own = WholeSettings()
    return WholeSettings(
        *(said.word(key, getattr(own, key)) for key in ("store", "recipe", "embedder", "agent", "user"))
    )
