"""Writing a script: everything in order, by seed, with as much noise as asked for."""

from __future__ import annotations

from collections import Counter

from benchmarks.longrun.generator import REPEAT_EVERY, SMALL_TALK
from benchmarks.longrun.script import Origin
from tests.benchmarks.longrun.runs import SAID, script


def test_the_noise_is_as_much_as_asked_for() -> None:
    """Three for each of the conversation's own, every fourth a repeat; each id once, in order of time."""
    found = script(factor=4)
    counted = Counter(said.origin for said in found.said)
    assert counted[Origin.OWN] == len(SAID)
    assert counted[Origin.CHATTER] + counted[Origin.REPEAT] == 4 * len(SAID)
    assert counted[Origin.REPEAT] == len(SAID) * 4 // REPEAT_EVERY
    assert len({said.item.id for said in found.said}) == len(found.said)
    times = [said.item.at for said in found.said]
    assert times == sorted(times)


def test_noise_changes_nothing_else() -> None:
    """What happens, changes and is asked is the same at every level, and another with another seed."""

    def life(factor: int, seed: int) -> tuple[object, ...]:
        found = script(factor, seed)
        noise = (Origin.CHATTER, Origin.REPEAT)
        return tuple(said for said in found.said if said.origin not in noise), found.asked, dict(found.changes)

    assert life(1, 0) == life(5, 0) != life(5, 1)
    assert script(2, 0) == script(2, 0)


def test_a_repeat_never_tells_what_is_stale_already() -> None:
    """Else it would be the newer word, and right. It follows what it repeats."""
    for seed in range(20):
        found = script(20, seed)
        first = {said.content: said.item.at for said in found.said if said.origin is not Origin.REPEAT}
        for said in found.said:
            if said.origin is Origin.REPEAT:
                assert said.item.at > first[said.content]
                assert not found.is_stale(said.content, said.item.at)


def test_the_end_asks_for_everything() -> None:
    """Small talk and the unanswerable ask for nothing."""
    last = [asked for asked in script().asked if asked.last]
    assert {"single-hop", "multi-hop", "fact", "standing", "adversarial", "small talk"} >= {
        asked.category for asked in last
    } - {"restated"}
    assert sum(asked.category == "small talk" for asked in last) == SMALL_TALK
    assert all(not asked.gold for asked in last if asked.category in ("adversarial", "small talk"))


def test_everything_is_asked_at_the_end_and_some_before() -> None:
    """Nothing along the way before it was said."""
    found = script()
    said_at = {said.content: said.item.at for said in found.said if said.origin is not Origin.REPEAT}
    last, before = [a for a in found.asked if a.last], [a for a in found.asked if not a.last]
    assert before
    assert all(asked.at > said_at[content] for asked in before for content in asked.gold)
    assert len({asked.at for asked in last}) == 1
    assert all(one.at < last[0].at for one in (*before, *(said.item for said in found.said)))


def test_a_long_session_is_cut() -> None:
    """Five messages are five, and questions about what was not said are not asked."""
    found = script(factor=1, messages=2)
    own = [said for said in found.said if said.origin is Origin.OWN]
    assert len(own) == 2
    assert not any("Zeynep" in asked.text for asked in found.asked)
