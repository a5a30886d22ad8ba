"""Resting: a recipe with a limit lets words rest, repeats first, then the least active. Nothing is deleted."""

from __future__ import annotations

from reverie.consolidate.forgetting import resting
from reverie.consolidate.settings import Resting
from reverie.types import Kind, Memory, State
from tests.consolidate.making import NOW, memory

LIMIT = Resting(capacity=3, trimmed=2, share=0.5)


def said(name: str, text: str, age_days: float, **more: object) -> Memory:
    """An episode."""
    return memory(name, text, age_days=age_days, kind=Kind.EPISODE, **more)


def rests(*episodes: Memory, formed: int = 0, settings: Resting = LIMIT) -> set[str]:
    """The ids of what is put to rest."""
    outcome = resting(episodes, formed, settings, NOW)
    dormant = {c.memory for c in outcome.changes for f in c.fields if (f.name, f.after) == ("state", State.DORMANT)}
    return dormant


FOUR = (
    said("kite", "The kite hangs above the harbour.", 9.0),
    said("rent", "Rent went up again this spring.", 8.0),
    said("boat", "Somebody painted that little boat.", 7.0),
    said("wall", "Yesterday they finished building walls.", 6.0),
)


def test_up_to_the_capacity_nothing_rests() -> None:
    """Not even a repeat: there is room."""
    assert rests(*FOUR[:2], said("again", FOUR[0].text, 1.0)) == set()
    assert rests(*FOUR[:3], formed=1) != set()


def test_above_it_the_least_active_rest() -> None:
    """Two of four are left; age decides where none was told or used more than the others."""
    assert rests(*FOUR) == {"kite", "rent"}


def test_use_keeps_what_is_old() -> None:
    """Recalled and useful twenty times; recalled as often and never useful does not count."""
    used = said("kite", FOUR[0].text, 9.0, accesses=20, utility=0.9)
    useless = said("rent", FOUR[1].text, 8.0, accesses=20, utility=0.0)
    assert rests(used, useless, *FOUR[2:]) == {"rent", "boat"}


def test_of_repeats_the_newest_stays_and_counts_the_tellings() -> None:
    """It takes over the storage of the older ones, and is kept for having been told so often."""
    tellings = [said(f"kite{n}", "The kite hangs above the harbour.", 9.0 - n / 10) for n in range(4)]
    outcome = resting((*tellings, *FOUR[1:]), 0, LIMIT, NOW)
    heirs = {c.memory: {f.name: f.after for f in c.fields} for c in outcome.changes}
    assert heirs["kite3"] == {"storage": 4.0}
    assert {heirs[f"kite{n}"]["superseded_by"] for n in range(3)} == {"kite3"}
    assert heirs["rent"]["state"] is heirs["boat"]["state"] is State.DORMANT


def test_another_speaker_repeats_nothing() -> None:
    """Two people said it: two memories."""
    other = said("echo", FOUR[3].text, 5.0, speaker="Ben")
    assert rests(*FOUR, other) == {"kite", "rent", "boat"}


def test_pinned_and_immutable_words_do_not_rest() -> None:
    """However old; others go in their place."""
    pinned = said("kite", FOUR[0].text, 9.0, pinned=True)
    fixed = said("rent", FOUR[1].text, 8.0, immutable=True)
    assert rests(pinned, fixed, *FOUR[2:]) == {"boat", "wall"}
