"""The laws hold for a life as it is, and each is found broken where it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.life import laws
from benchmarks.life.laws import LAWS, is_masked, judged
from benchmarks.life.simulation import SCOPE, Life
from reverie.types import State
from tests.benchmarks.life.lives import lived

RECIPES = ("reverie", "v9", "openclaw")


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    """The little life, lived."""
    with lived(tmp_path) as found:
        yield found


def broken(life: Life, folder: Path) -> dict[str, tuple[str, ...]]:
    """The laws that do not hold, with what breaks them."""
    return {found.law: found.broken for found in judged(life, folder) if found.broken}


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_law_holds(tmp_path: Path, recipe: str) -> None:
    """For the default, for one that merges more, and for one whose every cycle is a period of its own."""
    with lived(tmp_path, recipe) as life:
        found = list(judged(life, tmp_path))
    assert {finding.law for finding in found} == set(LAWS)
    assert {finding.law: finding.broken for finding in found if finding.broken} == {}
    looked_at = {finding.law: finding.checked for finding in found}
    assert looked_at[laws.VERBATIM] == 12
    assert looked_at[laws.RECALLABLE] == 11  # one is in quarantine
    assert looked_at[laws.UNDONE] == (4 if recipe == "openclaw" else 2)
    assert looked_at[laws.IDEMPOTENT] == (0 if recipe == "openclaw" else 2)
    assert looked_at[laws.UNTOUCHED] >= 3
    assert looked_at[laws.EXPLAINED] > 12


def test_other_words_are_found(tmp_path: Path, life: Life) -> None:
    """One message was said otherwise than it is kept."""
    life.said[0] = replace(life.said[0], item=replace(life.said[0].item, text="I prefer coffee."))
    assert broken(life, tmp_path)[laws.VERBATIM][0].startswith("m0 is kept as")


def test_an_episode_that_does_not_come_is_found(tmp_path: Path, life: Life) -> None:
    """It was put to sleep, which no step of a dream may do to an episode."""
    asleep = life.said[4].receipt.id
    memory = life.engine.memory(asleep, SCOPE)
    after = replace(memory, standing=replace(memory.standing, state=State.DORMANT))
    life.engine._parts.curation._changed(memory, after, "put to sleep")
    assert not laws.is_recalled(life.engine, life.said[4])
    assert laws.is_recalled(life.engine, life.said[3])
    assert broken(life, tmp_path)[laws.RECALLABLE][0].startswith("m4 is not recalled by 'My sister")


def test_what_a_recipe_does_not_look_at_is_asked_of_the_default(tmp_path: Path) -> None:
    """``v9`` answers what sounds like a preference with preferences alone; the episode is there all the same."""
    with lived(tmp_path, "v9") as life:
        assert not laws.is_recalled(life.engine, life.said[0])
        assert laws.RECALLABLE not in broken(life, tmp_path)
        assert life.elsewhere >= 1


def test_a_touched_ward_is_found(tmp_path: Path, life: Life) -> None:
    """A protected memory stood otherwise before the dreams."""
    name, memory = next(iter(life.wards.items()))
    life.wards[name] = replace(memory, standing=replace(memory.standing, stability_days=99.0))
    assert list(broken(life, tmp_path)) == [laws.UNTOUCHED]


def test_a_second_dream_that_did_something_is_found(tmp_path: Path, life: Life) -> None:
    """The state after it is another."""
    life.nights[1] = replace(life.nights[1], before="0" * 64)
    assert "another" in broken(life, tmp_path)[laws.IDEMPOTENT][0]


def test_what_undo_does_not_restore_is_found(tmp_path: Path, life: Life) -> None:
    """The state before the dream was another."""
    life.nights[0] = replace(life.nights[0], before="0" * 64)
    assert "another" in broken(life, tmp_path)[laws.UNDONE][0]


def test_a_store_that_its_journal_does_not_explain_is_found(
    tmp_path: Path, life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its digest is not the replayed one's, before and after the dreams are taken back."""
    monkeypatch.setattr(life.engine.admin, "digest", lambda: "0" * 64)
    assert len(broken(life, tmp_path)[laws.EXPLAINED]) == 2


def test_masks_are_all_that_may_differ() -> None:
    """The rest stands as it was said, in order, and nothing is added."""
    said = "Use sk-proj-Zb81Kq0Vw3nX7cR5tY2uE9aLpM4sD6fGhJ for the archive."
    from reverie.screen.pipeline import screen
    from reverie.screen.values import ScreenSettings

    kept = screen(said, ScreenSettings()).text
    assert kept != said
    assert is_masked(said, kept)
    assert not is_masked(said, kept + " Yes.")
    assert not is_masked("Use it for the archive.", "Use it.")
