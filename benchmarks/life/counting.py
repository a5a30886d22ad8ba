"""What a life came to, in numbers: what was formed, decided, changed by dreams, held back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from benchmarks.life.living import SCOPE, Life

ALWAYS = ("gate: supersede", "gate: update", "gate: reinforce", "screen: mask", "screen: quarantine")
"""Counts that are told where they are 0, too."""


def summed(total: Counter[str]) -> dict[str, int]:
    """Counts by name, in order of the alphabet."""
    return dict(sorted((dict.fromkeys(ALWAYS, 0) | total).items()))


def counts(life: Life) -> Counter[str]:
    """Counts by plain-words name, as things stand after the dreams and before they are taken back."""
    engine = life.engine
    whole = {
        "messages": len(life.said),
        "questions asked": life.asked,
        "protected memories": len(life.wards),
        "episodes in quarantine": len(engine.admin.quarantined(SCOPE)),
        "events": len(engine.admin.events(SCOPE)),
    }
    named = Counter(chain(_decided(life), _standing(life)))
    named.update(f"edge: {relation.kind}" for relation in engine.admin.relations(SCOPE))
    return Counter(whole) + named + _dreamt(life)


def _decided(life: Life) -> Iterator[str]:
    """What the screen and the gate decided, and what the observer and its pre-gate passed over."""
    for decision in (decision for said in life.said for decision in said.receipt.decisions):
        if decision.stage in ("screen", "gate"):
            yield f"{decision.stage}: {decision.verdict}"
        elif decision.verdict == "pass over":
            yield f"passed over by {decision.stage}"


def _standing(life: Life) -> Iterator[str]:
    for memory in life.engine.admin.formed(SCOPE):
        yield f"formed: {memory.kind}"
        yield f"state: {memory.standing.state}"
        yield f"tier: {memory.standing.tier}"


def _dreamt(life: Life) -> Counter[str]:
    found: Counter[str] = Counter()
    for night in life.nights:
        for step in night.report.steps:
            found[f"dream: {step.name} changed"] += step.changed
            found[f"dream: {step.name} formed"] += step.formed
            found[f"dream: {step.name} related"] += step.related
    return found
