"""Reverie: a memory for AI agents that runs on your own machine, needs no language model and explains its answers.

>>> from reverie import Reverie, Scope
>>> scope = Scope(agent="helper", user="ada", project="home")
>>> with Reverie.open(":memory:", embedder=None) as memory:
...     receipt = memory.remember("The spare key hangs behind the boiler.", scope)
...     answer = memory.recall("Where is the spare key?", scope)
>>> answer.hits[0].memory.id == receipt.id
True
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it as true; importing typing would cost half of the time of `reverie hook`
if TYPE_CHECKING:
    from reverie.answers import (
        Anchor,
        AnchoredScope,
        Curve,
        CurvePoint,
        Decision,
        Fault,
        Growth,
        Health,
        Hit,
        Receipt,
        Recollection,
        Signal,
        Stats,
        Step,
    )
    from reverie.consolidate.history import DreamReport, DreamSummary, StepReport
    from reverie.consolidate.runs import RecordedRun, RunOutcome, SkillRecord, SkillRun
    from reverie.encode.intentions import Intention, Trigger, on_topic
    from reverie.engine.core import AsyncReverie, BoundReverie, Options, Reverie
    from reverie.engine.curate import Feedback
    from reverie.engine.governance import Permission, Policy
    from reverie.engine.grants import Grant
    from reverie.engine.imports import Brought
    from reverie.engine.ingest import Imported
    from reverie.engine.requests import Question
    from reverie.engine.retention import Retention
    from reverie.engine.runtime import FixedClock, RandomIds, SystemClock
    from reverie.engine.transfer import Exported, Moved
    from reverie.engine.undo import UndoReport
    from reverie.errors import ReverieError
    from reverie.events import Change, Event
    from reverie.models.hashing import HashEmbedder
    from reverie.recall.explain import Explanation, Shift
    from reverie.recall.settings import RerankSettings
    from reverie.screen.values import ScreenSettings
    from reverie.types import (
        Kind,
        Memory,
        Message,
        Relation,
        RelationKind,
        Role,
        Scope,
        Standing,
        State,
        Tier,
        TimeWindow,
    )

__version__ = "0.1.0"

_HOMES = {
    "reverie.answers": (
        "Anchor",
        "AnchoredScope",
        "Curve",
        "CurvePoint",
        "Decision",
        "Fault",
        "Growth",
        "Health",
        "Hit",
        "Receipt",
        "Recollection",
        "Signal",
        "Stats",
        "Step",
    ),
    "reverie.consolidate.history": (
        "DreamReport",
        "DreamSummary",
        "StepReport",
    ),
    "reverie.engine.grants": ("Grant",),
    "reverie.encode.intentions": (
        "Intention",
        "Trigger",
        "on_topic",
    ),
    "reverie.engine.governance": (
        "Permission",
        "Policy",
    ),
    "reverie.engine.retention": ("Retention",),
    "reverie.consolidate.runs": (
        "RecordedRun",
        "RunOutcome",
        "SkillRecord",
        "SkillRun",
    ),
    "reverie.engine.requests": ("Question",),
    "reverie.engine.core": (
        "AsyncReverie",
        "BoundReverie",
        "Options",
        "Reverie",
    ),
    "reverie.engine.imports": ("Brought",),
    "reverie.engine.transfer": (
        "Exported",
        "Moved",
    ),
    "reverie.engine.runtime": (
        "FixedClock",
        "RandomIds",
        "SystemClock",
    ),
    "reverie.engine.curate": ("Feedback",),
    "reverie.engine.undo": ("UndoReport",),
    "reverie.engine.ingest": ("Imported",),
    "reverie.errors": ("ReverieError",),
    "reverie.events": (
        "Change",
        "Event",
    ),
    "reverie.models.hashing": ("HashEmbedder",),
    "reverie.recall.explain": (
        "Explanation",
        "Shift",
    ),
    "reverie.recall.settings": ("RerankSettings",),
    "reverie.screen.values": ("ScreenSettings",),
    "reverie.types": (
        "Kind",
        "Memory",
        "Message",
        "Relation",
        "RelationKind",
        "Role",
        "Scope",
        "Standing",
        "State",
        "Tier",
        "TimeWindow",
    ),
}

__all__ = [
    "Anchor",
    "AnchoredScope",
    "AsyncReverie",
    "BoundReverie",
    "Brought",
    "Change",
    "Curve",
    "CurvePoint",
    "Decision",
    "DreamReport",
    "DreamSummary",
    "Event",
    "Explanation",
    "Exported",
    "Fault",
    "Feedback",
    "FixedClock",
    "Grant",
    "Growth",
    "HashEmbedder",
    "Health",
    "Hit",
    "Imported",
    "Intention",
    "Kind",
    "Memory",
    "Message",
    "Moved",
    "Options",
    "Permission",
    "Policy",
    "Question",
    "RandomIds",
    "Receipt",
    "Recollection",
    "RecordedRun",
    "Relation",
    "RelationKind",
    "RerankSettings",
    "Retention",
    "Reverie",
    "ReverieError",
    "Role",
    "RunOutcome",
    "Scope",
    "ScreenSettings",
    "Shift",
    "Signal",
    "SkillRecord",
    "SkillRun",
    "Standing",
    "State",
    "Stats",
    "Step",
    "StepReport",
    "SystemClock",
    "Tier",
    "TimeWindow",
    "Trigger",
    "UndoReport",
    "on_topic",
]


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use, so that ``import reverie`` costs next to nothing."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(home), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'reverie' has no attribute {name!r}")
