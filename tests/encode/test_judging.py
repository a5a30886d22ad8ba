"""Judging a thought beside what is known, and what a model is asked ahead of the transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reverie.encode.gate import GateContext, Judged, Pondered, advise, judge
from reverie.encode.session import Session, Sessions
from reverie.formulas.gates import GateVerdict
from reverie.ports import Bond, Said, Told
from reverie.recipes.recipe import recipe
from reverie.types import RelationKind
from tests.encode.making import SCOPE, Chosen, memory, origin, thought
from tests.encode.test_nearest import stored

V9 = recipe("v9")


def session() -> Session:
    """A session in which nothing was said."""
    return Sessions(V9.working).of(SCOPE, "s")


def judged(cosine: float, count: int = 1, name: str = "v9") -> Judged:
    """A thought about a probe beside so many memories of kites, each so similar to it."""
    model = Chosen({"probe": (0, 1.0), "kite": (0, cosine)})
    store = stored([memory(f"kite {n}", f"m{n}") for n in range(count)], model)
    world = GateContext(lambda: store.corpus(SCOPE, model.info), list)
    one = Pondered(thought("the probe"), model.embed_query("the probe"))
    return judge(one, origin(), world, recipe(name).encode, session())


@pytest.mark.req("D4", "D39")
def test_eight_neighbours_are_looked_at() -> None:
    """And the gate decides by the nearest."""
    found = judged(0.8, count=10)
    assert len(found.near) == 8
    assert (found.passage.verdict, found.passage.target) == (GateVerdict.UPDATE, found.near[0].memory)


@pytest.mark.req("C7")
def test_openclaw_looks_at_the_nearest_alone() -> None:
    """Its gate asks for one."""
    assert len(judged(0.8, count=3, name="openclaw").near) == 1


@pytest.mark.req("D39")
def test_the_gate_uses_a_provisional_importance() -> None:
    """Novelty .28, reward and attention unknown: .07 + .125 + .1 = .295 is not important enough for the gap."""
    found = judged(0.72)
    assert found.weight.importance == pytest.approx(0.295, abs=1e-3)
    assert found.passage.verdict is GateVerdict.SKIP


def test_recipes_that_compare_nothing_look_nothing_up() -> None:
    """Neither gate nor weights nor edges."""

    def nothing() -> None:
        raise AssertionError("the corpus was asked for")

    world = GateContext(nothing, list)  # type: ignore[arg-type]  # asking for it is the fault
    found = judge(Pondered(thought("x"), None), origin(), world, recipe("ocean").encode, session())
    assert (found.near, found.passage.verdict) == ((), GateVerdict.CREATE)


class Asked:
    """A mind that notes what it is asked, and answers everything."""

    def __init__(self) -> None:
        self.merges: list[tuple[str, str]] = []
        self.bonds: list[tuple[str, tuple[str, ...]]] = []

    def merge(self, old: str, new: str) -> str | None:
        """Both, with a plus between."""
        self.merges.append((old, new))
        return f"{old} + {new}"

    def form(self, said: Said) -> Told:
        """No answer would end what is asked of it: it has none of what the message says."""
        return Told()

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Every new memory causes the first of the others."""
        self.bonds.append((new, tuple(others)))
        return (Bond(0, RelationKind.CAUSES, True, 0.9),)

    def route(self, cue: str) -> str | None:
        """Nothing."""
        return None

    def theme(self, texts: Sequence[str]) -> str | None:
        """Nothing."""
        return None

    def pattern(self, texts: Sequence[str]) -> str | None:
        """Nothing."""
        return None

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """Nothing."""
        return None


@pytest.mark.req("D28", "D16")
@pytest.mark.parametrize(("cosine", "merges", "bonds"), [(0.8, 1, 0), (0.3, 0, 1), (0.925, 0, 0), (0.72, 0, 0)])
def test_a_model_is_asked_only_what_will_be_needed(cosine: float, merges: int, bonds: int) -> None:
    """A wording for an update, bonds for what is created; nothing for what is said again or skipped."""
    mind = Asked()
    advice = advise(mind, [judged(cosine)], V9.encode)
    assert (len(mind.merges), len(mind.bonds)) == (merges, bonds)
    assert (advice.merged("kite 0", "the probe") == "kite 0 + the probe") is bool(merges)
    assert (advice.related("the probe", ["kite 0"]) is not None) is bool(bonds)


def test_a_recipe_without_edges_asks_for_none() -> None:
    """No bonds."""
    mind = Asked()
    advise(mind, [judged(0.3)], replace(V9.encode, relate=None))
    assert mind.bonds == []


def test_what_the_model_does_not_word_is_created_and_bound_where_it_stands_beside() -> None:
    """It is asked for bonds as for anything that is created; where it would be appended it is not."""
    mind = Asked()
    mind.merge = lambda old, new: None  # type: ignore[method-assign,assignment]  # it has no wording
    advise(mind, [judged(0.8)], V9.encode)
    assert mind.bonds == []
    advise(mind, [judged(0.8)], recipe("reverie").encode)
    assert len(mind.bonds) == 1
