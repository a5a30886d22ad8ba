"""Scopes are walls: whatever is written and asked, no call of one scope returns another's, or depends on it."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest

from reverie import Message, Reverie, Scope
from reverie.errors import NotFound
from tests.engine.conftest import open_at

SCOPES = [Scope(agent, user, project) for agent, user, project in product(("a", "b"), ("u", "v"), ("p", "q"))]
WORDS = ["kite", "boat", "key", "boiler", "dinner", "hill", "blue", "red", "seven", "İstanbul", "ev", "anahtar"]


def mark(scope: Scope) -> str:
    """A word that only this scope's texts hold, made of the scope's own name."""
    return f"mark{scope.agent}{scope.user}{scope.project}"


def fill(engine: Reverie, rng: random.Random, scopes: list[Scope]) -> None:
    """Write, forget and erase at random in the given scopes; every text carries its scope's mark."""
    for n in range(120):
        scope = rng.choice(SCOPES)
        text = f"{' '.join(rng.choices(WORDS, k=6))} {mark(scope)}"
        step = rng.random()
        if scope not in scopes:
            continue
        receipt = engine.remember(Message(text, session=f"s{n % 3}", message_id=f"m{n % 40}-{n}"), scope)
        if step < 0.1:
            engine.forget(receipt.id, scope)
        elif step < 0.15:
            engine.admin.erase(receipt.id, scope, why="test")


def everything(engine: Reverie, scope: Scope) -> list[str]:
    """The texts that any reading call hands out for a scope."""
    texts = [memory.text for memory in engine.timeline(scope)]
    for cue in (*WORDS, "mark", *(mark(other) for other in SCOPES)):
        for answer in (engine.recall(cue, scope, top_k=50), engine.explain(cue, scope, top_k=50).recollection):
            texts += [hit.memory.text for hit in (*answer.hits, *answer.withheld)]
    return texts


@pytest.mark.parametrize("seed", range(3))
def test_no_call_of_one_scope_returns_anothers(where: str, seed: int) -> None:
    """Eight scopes that share words, sessions and message ids: each sees only its own mark."""
    with open_at(where, screen=None) as engine:
        fill(engine, random.Random(seed), SCOPES)
        for scope in SCOPES:
            texts = everything(engine, scope)
            assert texts
            assert {text.rsplit(" ", 1)[1] for text in texts} == {mark(scope)}
            assert all(event.scope == scope for event in engine.admin.events(scope))


def test_rankings_do_not_depend_on_other_scopes(where: str) -> None:
    """Scores are the same whether or not others use the store: statistics, too, stay inside."""
    mine = SCOPES[0]

    def scores(scopes: list[Scope], place: str) -> list[list[tuple[str, float]]]:
        with open_at(place) as engine:
            fill(engine, random.Random(5), scopes)
            answers = [engine.explain(word, mine).recollection for word in WORDS]
            return [[(hit.memory.text, hit.score) for hit in answer.hits] for answer in answers]

    assert scores(SCOPES, where) == scores([mine], ":memory:")


def test_an_id_of_another_scope_is_not_found(where: str) -> None:
    """Reading, forgetting and erasing by a foreign id all fail the same way, and change nothing."""
    with open_at(where) as engine:
        kept = engine.remember("the key", SCOPES[0]).id
        calls: list[Callable[[Scope], object]] = [
            lambda scope: engine.memory(kept, scope),
            lambda scope: engine.forget(kept, scope),
            lambda scope: engine.admin.erase(kept, scope, why="test"),
        ]
        for scope, call in product(SCOPES[1:], calls):
            with pytest.raises(NotFound):
                call(scope)
        assert engine.memory(kept, SCOPES[0]).valid_until is None
