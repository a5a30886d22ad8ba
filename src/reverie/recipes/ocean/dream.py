"""How ``ocean`` maintains: document B's references, sweep and promotion, in the order of reading 15."""

from __future__ import annotations

from math import inf

from reverie.consolidate.settings import DreamSettings, Earning, Retention, Sharing, StepName, Sweep
from reverie.recipes.ocean import numbers
from reverie.types import Kind

AGES = Retention(  # B5's classes; which of our categories is of which class: decision 0020
    days=(
        (Kind.PLAN, 14.0),
        (Kind.INTENTION, 14.0),
        (Kind.FACT, 30.0),
        (Kind.DECISION, 90.0),
        (Kind.PREFERENCE, 90.0),
        (Kind.CORRECTION, 180.0),
        (Kind.INSTRUCTION, inf),
        (Kind.SKILL, inf),
    ),
    other_days=30.0,
)

DREAM = DreamSettings(
    period_hours=24.0,  # B3
    order=(StepName.EARNING, StepName.SWEEP, StepName.SHARING),  # reading 15
    earning=Earning(table=numbers.TABLE, neglect=numbers.NEGLECT),
    sweep=Sweep(
        ages=AGES,
        extensions=numbers.EXTENSIONS,
        edges=numbers.EDGES,
        extend_by=numbers.EXTEND_BY,
    ),
    sharing=Sharing(
        edges=numbers.SHARED_FROM,
        asked_tag="promote",
        done_tag="promoted",
    ),
)
