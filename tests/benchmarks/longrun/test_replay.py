"""``python -m benchmarks replay``: the step that replays sequences, and how it is measured."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.cli import main
from benchmarks.life.simulation import state_digest
from benchmarks.longrun.replay import ARMS, YEAR, thinned
from benchmarks.longrun.sequences import NAME, SequenceReplay, replaying, sequence_replay, stepping
from benchmarks.values import Haystack, Item, Question
from reverie.consolidate.snapshot import Snapshot
from reverie.engine.dreams import dream
from reverie.engine.undo import undo
from reverie.recipes.recipe import recipe
from reverie.types import Memory, RelationKind, Role
from tests.benchmarks import toy
from tests.consolidate.making import NOW, Lying, after, days_ago, edge, memory, night, snapshot
from tests.engine.lives import SCOPE, means_for
from tests.engine.test_dreams import Dying, Killed, lived

LAW = SequenceReplay()
CAUSES = RelationKind.CAUSES
MOVED = {"stability_days", "utility", "replayed_at"}
pytestmark = pytest.mark.req("D56", "D56c")


def told(session: str, *names: str, age_days: float = 1.0, **more: object) -> list[Memory]:
    """What was formed in one session, an hour apart."""
    made = [memory(name, age_days=age_days - n / 24, **more) for n, name in enumerate(names)]
    return [replace(one, session=session) for one in made]


def linked(found: Snapshot, law: SequenceReplay = LAW) -> list[tuple[str, str]]:
    """The ends of new edges, in order."""
    return [(one.source, one.target) for one in sequence_replay(found, law, NOW).related]


def test_an_empty_night_changes_nothing() -> None:
    """Neither without memories nor with a single one, which is no sequence."""
    assert not sequence_replay(snapshot(), LAW, NOW).changes
    assert not sequence_replay(snapshot(*told("s", "a")), LAW, NOW).changes


def test_a_recent_session_is_replayed_in_its_order() -> None:
    """Each memory gains a fiftieth of stability and an edge to the next; where there is an edge, it stays."""
    made = told("s", "c", "a", "b")
    found = snapshot(*reversed(made), relations=[edge("b", "a", RelationKind.ELABORATES)])
    changes = after(sequence_replay(found, LAW, NOW))
    assert changes == {one.id: {"stability_days": 1.02, "replayed_at": NOW} for one in made}
    assert linked(found) == [("c", "a")]


def test_outcomes_credit_their_causes_by_gamma() -> None:
    """An outcome .1 above neutral: .2 x .9 x .1 for its cause, .9 of that for the cause's own; confidence counts."""
    made = [*told("s", "x", "y"), *told("t", "cause"), *told("u", "first")]
    made[1] = replace(made[1], accesses=1, standing=replace(made[1].standing, utility=0.6))
    edges = [edge("cause", "y", CAUSES), replace(edge("first", "cause", CAUSES), confidence=0.5)]
    changes = after(sequence_replay(snapshot(*made, relations=edges), LAW, NOW))
    assert changes["cause"]["utility"] == pytest.approx(0.518)
    assert changes["first"]["utility"] == pytest.approx(0.5081)
    assert "stability_days" not in changes["cause"]


def test_all_before_an_outcome_can_count_as_its_causes() -> None:
    """The nearest first, by gamma; and no edges are made where they have no confidence."""
    made = told("s", "a", "b", "c")
    made[2] = replace(made[2], accesses=1, standing=replace(made[2].standing, utility=0.4))
    outcome = sequence_replay(snapshot(*made), replace(LAW, along=1.0, confidence=0.0), NOW)
    assert after(outcome)["b"]["utility"] == pytest.approx(0.482)
    assert after(outcome)["a"]["utility"] == pytest.approx(0.4838)
    assert not outcome.related


def test_a_cycle_of_causes_ends_and_credits_each_once() -> None:
    """Also a memory that is said to cause itself, and the outcome gains nothing by itself."""
    made = [replace(one, accesses=1, standing=replace(one.standing, utility=0.6)) for one in told("s", "a")]
    made += told("s", "b", age_days=0.5)
    edges = [edge("a", "b", CAUSES), edge("b", "a", CAUSES), edge("a", "a", CAUSES)]
    changes = after(sequence_replay(snapshot(*made, relations=edges), LAW, NOW))
    assert changes["b"]["utility"] == pytest.approx(0.518)
    assert "utility" not in changes["a"]


def test_an_erased_middle_leaves_the_rest_of_a_sequence() -> None:
    """Its neighbours follow each other; what only it linked as a cause gets no credit."""
    made = told("s", "a", "gone", "c")
    made[2] = replace(made[2], accesses=1, standing=replace(made[2].standing, utility=0.9))
    found = snapshot(made[0], made[2], relations=[edge("a", "gone", CAUSES), edge("gone", "c", CAUSES)])
    assert linked(found) == [("a", "c")]
    assert "utility" not in after(sequence_replay(found, LAW, NOW))["a"]


def test_recent_and_old_sessions_take_turns_within_the_budget() -> None:
    """A budget of four holds a recent session and an old one of two each, not the second recent one."""
    made = [*told("new", "a", "b"), *told("newer", "c", "d"), *told("old", "x", "y", age_days=300.0)]
    outcome = sequence_replay(snapshot(*made), replace(LAW, budget=4), NOW)
    assert set(after(outcome)) == {"a", "b", "x", "y"}


def test_what_is_surprising_useful_and_needed_comes_first() -> None:
    """Of two old sessions: the one whose memories are unlike each other, useful, or often asked for."""
    plain, other = told("s1", "a", "b", age_days=90.0), told("s2", "x", "y", age_days=90.0)
    one = replace(LAW, budget=2)
    useful = [replace(each, standing=replace(each.standing, utility=0.9)) for each in other]
    asked = [replace(each, accesses=5) for each in other]
    for better in (useful, asked):
        assert set(after(sequence_replay(snapshot(*plain, *better), one, NOW))) == {"x", "y"}
    same = Lying({"a": (1.0,), "b": (1.0,), "x": (1.0,), "y": (0.0, 1.0)})
    assert set(after(sequence_replay(snapshot(*plain, *other, lying=same), one, NOW))) == {"x", "y"}


def test_random_replay_spends_the_same_budget() -> None:
    """The same number of memories, the same ones for the same cycle, and others than by priority for some cycle."""
    made = [one for n in range(9) for one in told(f"s{n}", f"a{n}", f"b{n}", age_days=90.0)]
    drawn = []
    for n in range(5):
        found = snapshot(*made, when=replace(night(), cycle=f"c{n}"))
        outcomes = [sequence_replay(found, replace(LAW, by_priority=False), NOW) for _ in range(2)]
        assert len(outcomes[0].changes) == len(sequence_replay(found, LAW, NOW).changes) == LAW.budget
        assert after(outcomes[0]) == after(outcomes[1])
        drawn.append(frozenset(after(outcomes[0])))
    assert len(set(drawn)) > 1


def test_a_clock_that_went_back_does_not_replay_twice() -> None:
    """What was replayed tomorrow counts as this period's, and spends its budget."""
    made = told("s", "a", "b", replayed_at=NOW + timedelta(days=1))
    later = told("t", "x", "y", age_days=-1.0)  # formed after this night's time
    assert not sequence_replay(snapshot(*made), LAW, NOW).changes
    assert set(after(sequence_replay(snapshot(*made, *later), replace(LAW, budget=4), NOW))) == {"x", "y"}
    assert not sequence_replay(snapshot(*made, *later), replace(LAW, budget=2), NOW).changes


def test_pinned_and_immutable_memories_stay_as_they_are() -> None:
    """As in every step."""
    assert not sequence_replay(snapshot(*told("s", "a", "b", pinned=True)), LAW, NOW).changes
    assert not sequence_replay(snapshot(*told("s", "a", "b", immutable=True)), LAW, NOW).changes


@pytest.mark.parametrize("name", ["reverie", "v9"])
def test_a_dream_with_it_moves_little_and_a_second_one_nothing(name: str) -> None:
    """Only stability, utility and the mark change, by no more than allowed; twice in a period is once."""
    store, of = lived(3), replaying(recipe(name)).dream
    before = {one.id: one.standing for one in store.formed(SCOPE)}
    only = replace(of, order=(NAME,))
    with stepping(LAW) as touched:
        dream(means_for(store), SCOPE, only)
        assert 0 < len(touched) <= LAW.budget
        assert dream(means_for(store, seed=2, at=NOW + timedelta(hours=9)), SCOPE, only).changed == 0
        assert dream(means_for(store, seed=3, at=NOW - timedelta(hours=1)), SCOPE, only).changed == 0
    for one in store.formed(SCOPE):
        was = before[one.id]
        kept = {field: getattr(one.standing, field) for field in MOVED if one.id in touched}
        assert replace(was, **kept) == one.standing  # type: ignore[arg-type]  # fields of the standing
        assert was.stability_days <= one.standing.stability_days <= was.stability_days * (1 + LAW.share) + 1e-9
        assert abs(was.utility - one.standing.utility) <= LAW.utility_most


@pytest.mark.parametrize("name", ["reverie", "v9"])
def test_a_dream_killed_at_any_write_ends_the_same_and_is_undone_whole(name: str) -> None:
    """Edges and changes are written each in a transaction; the next dream writes what is missing."""
    of, before = replaying(recipe(name)).dream, state_digest(lived(5, 24), SCOPE)
    with stepping(replace(LAW, budget=120)):
        counting = Dying(lived(5, 24), -1)
        dream(means_for(counting), SCOPE, of)  # type: ignore[arg-type]  # the rest is the store's
        wanted, writes = state_digest(counting, SCOPE), -1 - counting.left  # type: ignore[arg-type]  # as above
        for survived in range(1, writes):
            store = lived(5, 24)
            with pytest.raises(Killed):
                dream(means_for(Dying(store, survived)), SCOPE, of)  # type: ignore[arg-type]  # as above
            assert dream(means_for(store, seed=9), SCOPE, of).resumed
            assert state_digest(store, SCOPE) == wanted, survived
            means = means_for(store, seed=10)
            undo(store, SCOPE, means.clock, means.ids, means.lock)
            assert state_digest(store, SCOPE) == before


def test_a_thinned_life_keeps_its_length_and_the_evidence() -> None:
    """Of four years two messages a week; the questions' evidence is kept and the last year is spanned."""
    items = tuple(
        Item(f"m{n}", f"s{n // 2}", "Ada", Role.USER, days_ago(1400 - n * 3.5), f"The {n}th thing.") for n in range(400)
    )
    asked = [Question(f"q{n}", "What?", "all", (f"m{n}",), NOW) for n in (310, 355)]
    many = Question("many", "What?", "all", tuple(f"m{n}" for n in range(7)), NOW)
    life = thinned(Haystack("x", "en", items, (*asked, many)), 9, 30, random.Random(1))
    assert {one.id for one in life.questions} == {"q310", "q355"}
    assert {"m310", "m355"} <= {one.id for one in life.items}
    assert len(life.items) == 30
    assert life.items[-1].at - life.items[0].at >= YEAR


def test_the_command_writes_every_arm(tmp_path: Path) -> None:
    """Figures of each arm and their differences, with what they were measured on."""
    data, out = toy.write_lines(tmp_path / "lives.jsonl", toy.labelled()), tmp_path / "replay.json"
    given = ["replay", "--set", "labelled", "--data", str(data), "--embedder", "none", "--recipes", "reverie"]
    assert main([*given, "--out", str(out)]) == 0
    (written,) = tmp_path.glob("replay*.json")
    content = json.loads(written.read_text(encoding="utf-8"))
    assert {row["system"] for row in content["rows"]} == set(ARMS)
    against = {(pair["system"], pair["against"]) for pair in content["paired"]}
    assert against == {("replay", "random"), *((name, "none") for name in ARMS if name != "none")}
