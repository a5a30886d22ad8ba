"""Document B's classes of age (B5), and which of our kinds is of which: what is recalled and what is swept agree.

Tactical 14 days, operational 30, strategic 90, compliance 180, permanent; which is which is ours (decision 0014).
"""

from __future__ import annotations

from math import inf

from reverie.types import Kind

AGES = (
    (Kind.EPISODE, 14.0),  # how fast it loses its freshness: it is never swept, and always found (reading 26)
    (Kind.PLAN, 14.0),
    (Kind.INTENTION, 14.0),
    (Kind.FACT, 30.0),
    (Kind.DECISION, 90.0),
    (Kind.PREFERENCE, 90.0),
    (Kind.CORRECTION, 180.0),
    (Kind.INSTRUCTION, inf),
    (Kind.SKILL, inf),
)
"""Days by kind."""

OTHER_DAYS = 30.0
"""All that is not named."""
