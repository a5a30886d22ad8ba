"""What a recall strengthens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.events import Change
from reverie.recall.strengthen import StrengthenSettings, on_the_tip, strengthen
from reverie.types import Kind, Relation, RelationKind, Standing, State
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, world

LAW = StrengthenSettings(
    recall_factor=1.0,
    hebbian=0.02,
    spreading=0.02,
    neighbours=10,
    easy=0.02,
    hard=0.2,
    tip_storage=3.0,
    tip_retrieval=0.3,
)
URI = "entity://person/ada"


def fact(text: str = "a", used: float = 0, **others: object) -> Line:
    """A fact, used today unless it is said when."""
    return replace(Line(text, kind=Kind.FACT, used=used), **others)  # type: ignore[arg-type]  # the test's own fields


def after(
    lines: list[Line], injected: list[int], law: StrengthenSettings = LAW, edges: list[Relation] | None = None
) -> dict[str, dict[str, object]]:
    """Memory → field → value afterwards, of what changed."""
    corpus = FakeCorpus(lines)
    around = world(corpus, Surroundings(relations=edges or []))
    changes: tuple[Change, ...] = strengthen(corpus.fetch(injected), around, START, law)
    return {change.memory: {field.name: field.after for field in change.fields} for change in changes}


def edge(one: int, other: int) -> Relation:
    """A link between two lines."""
    return Relation(f"m{one}", f"m{other}", RelationKind.RELATED_TO, 0.5, START)


@pytest.mark.req("D31")
def test_what_was_injected_together_holds_better() -> None:
    """Two per cent for two together; nothing for one alone."""
    together = after([fact(), fact("b")], [0, 1])
    assert together["m0"]["stability_days"] == pytest.approx(1.02)
    assert "stability_days" not in after([fact()], [0])["m0"]


@pytest.mark.req("D2")
def test_storage_grows_more_where_the_memory_was_nearly_lost() -> None:
    """At hand: a fiftieth of what is missing to ten. Forty-five days of a stability of one day: R = 1/36, nearly .2."""
    assert after([fact()], [0])["m0"]["storage"] == pytest.approx(1 + 0.02 * 9, abs=1e-5)
    lost = (1 + 45 / 9) ** -2
    assert after([fact(used=-45)], [0])["m0"]["storage"] == pytest.approx(1 + (0.2 - 0.18 * lost) * 9)


@pytest.mark.req("C5")
def test_a_recall_may_make_a_memory_harder_to_forget() -> None:
    """By a fifth."""
    law = replace(LAW, recall_factor=1.2, hebbian=0.0)
    assert after([fact(), fact("b")], [0, 1], law)["m0"]["stability_days"] == pytest.approx(1.2)


@pytest.mark.req("D13")
def test_neighbours_by_an_edge_or_by_an_entity_gain_too() -> None:
    """Two per cent each, and nothing else of them changes."""
    lines = [fact(entities=(URI,)), fact("linked"), fact("same", entities=(URI,)), fact("stranger")]
    changed = after(lines, [0], edges=[edge(0, 1)])
    assert set(changed) == {"m0", "m1", "m2"}
    assert changed["m1"] == {"stability_days": pytest.approx(1.02)}
    assert changed["m2"] == {"stability_days": pytest.approx(1.02)}


@pytest.mark.req("D13")
def test_at_most_so_many_neighbours_gain() -> None:
    """The linked one before those of a shared entity."""
    lines = [fact(entities=(URI,)), fact("linked"), fact("same", entities=(URI,))]
    assert set(after(lines, [0], replace(LAW, neighbours=1), [edge(0, 1)])) == {"m0", "m1"}


def test_episodes_and_what_sleeps_are_left_alone() -> None:
    """Only formed memories live (reading 26), and what is frozen does not change."""
    asleep = fact("b", standing=Standing(state=State.DORMANT))
    assert after([Line("said")], [0]) == {}
    assert set(after([fact(), asleep, Line("said")], [0, 2], edges=[edge(0, 1)])) == {"m0"}


@pytest.mark.req("D2")
def test_the_tip_of_the_tongue_is_told() -> None:
    """Well stored and hardly there; each alone is not it."""
    well = Standing(storage=3.0)
    lines = [fact(used=-45, standing=well), fact(used=0, standing=well), fact(used=-45)]
    assert on_the_tip(FakeCorpus(lines).fetch([0, 1, 2]), START, LAW) == ["m0"]
