"""How ``ocean`` maintains: document B's references, sweep and promotion, in the order of reading 15."""

from __future__ import annotations

from reverie.consolidate.settings import DreamSettings, Earning, Retention, Sharing, StepName, Sweep
from reverie.recipes.ocean import numbers
from reverie.recipes.ocean.ages import AGES, OTHER_DAYS

DREAM = DreamSettings(
    period_hours=24.0,  # B3
    order=(StepName.EARNING, StepName.SWEEP, StepName.SHARING),  # reading 15
    earning=Earning(table=numbers.TABLE, neglect=numbers.NEGLECT),
    sweep=Sweep(
        ages=Retention(days=AGES, other_days=OTHER_DAYS),
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
