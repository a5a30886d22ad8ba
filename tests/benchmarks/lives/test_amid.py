"""A life amid other messages: what is asked and labelled stays, and nobody else speaks for its person."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from benchmarks.lives.amid import amid, chosen
from benchmarks.lives.form import lives, read
from reverie.types import Role
from tests.benchmarks.lives import small


def test_a_life_amid_others_is_the_same_life(tmp_path: Path) -> None:
    """Its own messages, labels and cues, in order; each cue hears all that was said before it, the others' too."""
    alone = read(small.write(tmp_path))
    others = list(lives("train"))[:1]
    whole = amid(alone, others, 500, seed=0)
    own = {item.id for item in alone.items}
    assert [item for item in whole.items if item.id in own] == list(alone.items)
    assert len(whole.items) == len(alone.items) + 500
    assert all(earlier.at < later.at for earlier, later in pairwise(whole.items))
    assert (whole.changes, whole.orders) == (alone.changes, alone.orders)
    for before, after in zip(alone.cues, whole.cues, strict=True):
        assert (before.id, before.needs) == (after.id, after.needs)
        assert before.heard < after.heard <= len(whole.items)
    around = [item for item in whole.items if item.id not in own]
    assert {item.role for item in around} <= {Role.PERSON, Role.TOOL}
    assert len({item.text for item in around}) > 300
    assert amid(alone, others, 500, seed=0) == whole


def test_or_its_person_said_what_the_others_did(tmp_path: Path) -> None:
    """As in years of one's chats: who asks and who answers keep their roles, under the one name."""
    alone = read(small.write(tmp_path))
    others = list(lives("train"))[:1]
    whole = amid(alone, others, 60, seed=0, own=True)
    own = {item.id for item in alone.items}
    around = [item for item in whole.items if item.id not in own]
    assert [item.role for item in around] == [item.role for item in others[0].items[:60]]
    assert {one.speaker for one in whole.items if one.role is Role.USER} == {
        one.speaker for one in alone.items if one.role is Role.USER
    }


def test_a_tenth_of_a_part_is_laid_so() -> None:
    """The first and every tenth after it."""
    part = list(lives("train"))
    assert [life.name for life in chosen(part)] == [part[place].name for place in range(0, len(part), 10)]
