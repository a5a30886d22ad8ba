"""How ``ocean`` maintains: document B's references, sweep and promotion, in the order of reading 15."""

from __future__ import annotations

from math import inf

from reverie.consolidate.settings import DreamSettings, Earning, Retention, Sharing, StepName, Sweep
from reverie.formulas.earned_importance import EventTable, NeglectLaw
from reverie.formulas.max_age import Extension
from reverie.formulas.sweep import SweepEdges
from reverie.formulas.vault_promotion import VaultPromotionEdges
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
    earning=Earning(
        table=EventTable(  # B3
            referenced=0.1,
            referenced_by_other=0.15,
            good_outcome=0.2,
            verified=0.15,
            contradicted=-0.2,
            flagged_important=0.95,
            flagged_wrong=0.0,
        ),
        neglect=NeglectLaw(per_period=0.1, period_days=14.0, most=0.3),  # B3, reading 15
    ),
    sweep=Sweep(
        ages=AGES,
        extensions=(Extension(0.8, 2.0), Extension(0.9, 3.0)),  # B5
        edges=SweepEdges(floor=0.2, low=0.4, high=0.7),  # B6
        extend_by=1.5,  # B6
    ),
    sharing=Sharing(
        edges=VaultPromotionEdges(importance=0.8, verified_importance=0.6),  # B7
        asked_tag="promote",
        done_tag="promoted",
    ),
)
