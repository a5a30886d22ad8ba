"""Living a script: what is found, what is stale or junk, what rests; and the same again with the same seed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.embedding import KeptVectors
from benchmarks.longrun.arms import APPEND_ONLY, NEWEST, OURS, arm
from benchmarks.longrun.run import remembering
from benchmarks.longrun.script import Origin
from benchmarks.longrun.simulation import Call, Lived, live
from reverie.models.hashing import HashEmbedder
from tests.benchmarks.longrun.runs import SAID, script


def timeless(lived: Lived) -> list[Call]:
    """The calls without the time they took."""
    return [replace(call, took_ms=0.0) for call in lived.calls]


@pytest.mark.parametrize("name", [APPEND_ONLY, NEWEST, OURS, "v9"])
def test_the_same_seed_lives_the_same_life(name: str) -> None:
    """With pure functions remembered and vectors kept, or not: nothing but time differs."""
    told = script()
    plain = live(told, arm(name, 30), HashEmbedder())
    with remembering():
        quick = live(told, arm(name, 30), KeptVectors(HashEmbedder()))
    assert timeless(plain) == timeless(quick)
    assert (plain.live, plain.kept) == (quick.live, quick.kept)


def test_append_only_keeps_everything_and_tells_what_is_stale() -> None:
    """Nothing is lost, nothing forgotten; some of what it injects no longer holds, some is chatter."""
    told = script()
    lived = live(told, arm(APPEND_ONLY, 10), None)
    assert lived.live == lived.kept == len(told.said)
    assert sum(call.lost for call in lived.calls) == 0
    assert sum(call.stale for call in lived.calls) > 0
    assert sum(call.junk_tokens for call in lived.calls) > 0
    assert sum(call.found for call in lived.calls) > 0


def test_newest_keeps_so_many_and_loses_the_rest() -> None:
    """Ten messages, of which the conversation's first are none."""
    lived = live(script(), arm(NEWEST, 10), None)
    assert lived.live == 10
    assert sum(call.lost for call in lived.calls) > 0


def test_reverie_stays_within_its_capacity_and_keeps_all_words() -> None:
    """Thirty awake at most after the last night; what was said is all there."""
    told = script(factor=8)
    lived = live(told, arm(OURS, 30), None)
    assert lived.live <= 30 + sum(said.item.at.date() == told.said[-1].item.at.date() for said in told.said)
    assert lived.kept >= len(told.said)


def test_a_repeat_is_evidence_too_and_counts_once() -> None:
    """Without noise each answer is one message; with repeats no question finds more than it wants."""
    told = script(factor=8)
    assert any(said.origin is Origin.REPEAT for said in told.said)
    for call in live(told, arm(APPEND_ONLY, 10), None).calls:
        assert call.found <= call.gold
        assert call.junk_tokens + call.repeat_tokens <= call.tokens
    assert len(SAID) < len(told.said)
