"""A life: what is said, who is protected, and the dreams."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.life.simulation import SCOPE, Life
from tests.benchmarks.life.lives import lived


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    """The little life, lived."""
    with lived(tmp_path) as found:
        yield found


def test_everything_is_said_and_asked(life: Life) -> None:
    """Each message has its receipt, and memories are formed of some."""
    assert [said.item.id for said in life.said] == [f"m{n}" for n in range(len(life.said))]
    assert life.asked == 2
    assert any(said.receipt.formed for said in life.said)


def test_a_tenth_is_protected_in_each_way(life: Life) -> None:
    """Of the formed memories and of the episodes, at least one each; pinned, immutable, or both."""
    standings = [memory.standing for memory in life.wards.values()]
    assert {memory.kind == "episode" for memory in life.wards.values()} == {True, False}
    assert all(standing.pinned or standing.immutable for standing in standings)
    assert any(not standing.pinned for standing in standings)
    assert any(not standing.immutable for standing in standings)


def test_two_nights_of_two_dreams(life: Life) -> None:
    """A day apart; the second of each night belongs to the same day, and begins with what the first left."""
    periods = [night.report.period for night in life.nights]
    assert periods[0] == periods[1] != periods[2] == periods[3]
    assert [night.first for night in life.nights] == [True, False, True, False]
    assert all(after.before == before.after for before, after in zip(life.nights, life.nights[1:], strict=False))
    assert life.nights[0].report.changed > 0
    assert life.state == life.nights[-1].after


def test_the_same_seed_lives_the_same_life(tmp_path: Path, life: Life) -> None:
    """Ids, protected memories, digests: nothing but the seed decides."""
    other = tmp_path / "other"
    other.mkdir()
    with lived(other) as again:
        assert again.engine.admin.digest() == life.engine.admin.digest()
        assert list(again.wards) == list(life.wards)
        assert len(again.engine.admin.formed(SCOPE)) == len(life.engine.admin.formed(SCOPE))
