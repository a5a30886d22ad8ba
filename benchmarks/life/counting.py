"""What a life came to, in numbers: what was formed, decided, changed by dreams, held back."""

from __future__ import annotations

from collections import Counter

from benchmarks.life.living import SCOPE, Life
from reverie.types import State


def counts(life: Life) -> Counter[str]:
    """Counts by plain-words name, as things stand after the dreams and before they are taken back."""
    found: Counter[str] = Counter()
    engine = life.engine
    found["messages"] = len(life.said)
    found["questions asked"] = life.asked
    found["protected memories"] = len(life.wards)
    for said in life.said:
        for decision in said.receipt.decisions:
            if decision.stage in ("screen", "gate"):
                found[f"{decision.stage}: {decision.verdict}"] += 1
            elif decision.verdict == "pass over":
                found[f"passed over by {decision.stage}"] += 1
    for memory in engine.formed(SCOPE):
        found[f"formed: {memory.kind}"] += 1
        found[f"state: {memory.standing.state}"] += 1
        found[f"tier: {memory.standing.tier}"] += 1
    found["episodes in quarantine"] = sum(
        memory.standing.state is State.QUARANTINED for memory in engine.quarantined(SCOPE)
    )
    for relation in engine.relations(SCOPE):
        found[f"edge: {relation.kind}"] += 1
    for night in life.nights:
        for step in night.report.steps:
            found[f"dream: {step.name} changed"] += step.changed
            found[f"dream: {step.name} formed"] += step.formed
            found[f"dream: {step.name} related"] += step.related
    found["events"] = len(engine.events(SCOPE))
    return +found
