"""How ``exocortex`` maintains: document A's four passes in its order (A9–A12, A14a). No model is ever asked."""

from __future__ import annotations

from reverie.consolidate.settings import Company, Deduplication, Dormancy, DreamSettings, Links, StepName

DREAM = DreamSettings(
    period_hours=24.0,  # reading 25; a further pass of the day takes up what came since
    order=(StepName.DEDUPLICATION, StepName.LINKS, StepName.COMPANY, StepName.DORMANCY),  # A14a
    deduplication=Deduplication(
        above=0.90,  # A11, on the host's scale (reading 16): a cosine of .80
        limit=20,  # A11
        nearest=5,  # A14a
        auto_deprecate_inferred=True,  # A14a
        asserted=("user_message",),
        load_bearing="load_bearing",
    ),
    links=Links(least_shared=3, limit=10),  # A10
    company=Company(above=5),  # A9
    dormancy=Dormancy(threshold_cycles=30.0, cycle_days=1.0),  # A12; the document leaves the number to the host
)
