"""Causes and effects from a message to an answer: formed, joined, and found by asking why."""

from __future__ import annotations

import pytest

from reverie import Message, Reverie, Scope
from reverie.types import RelationKind, Role
from tests.spoken import english, turkish

SCOPE = Scope(agent="a", user="ada", project="p")
SAID = [
    *english(
        ("I moved to Berlin because I got a job at Siemens.", "Why did I move to Berlin?", "job at Siemens"),
        ("My mother fell ill, so we moved to Boston.", "Why did we move to Boston?", "fell ill"),
        ("Heroku closed. That's why we switched to Hetzner.", "Why did we switch to Hetzner?", "Heroku closed"),
        ("We decided to use Redis. Because Memcached loses data.", "Why do we use Redis?", "Memcached loses"),
    ),
    *turkish(
        ("Berlin'e taşındım çünkü Siemens'te iş buldum.", "Neden Berlin'e taşındım?", "Siemens'te iş"),
        ("Annem hastalandı, bu yüzden İzmir'e taşındım.", "Neden İzmir'e taşındım?", "hastalandı"),
        ("Heroku'dan bıktık. Bu yüzden Hetzner'e geçtik.", "Niye Hetzner'e geçtik?", "Heroku'dan"),
        ("Redis'e geçtik. Çünkü Memcached veri kaybediyor.", "Neden Redis'e geçtik?", "Memcached"),
    ),
]


@pytest.mark.req("D16", "D18")
@pytest.mark.parametrize(("said", "why", "cause"), SAID)
def test_who_asks_why_is_told_the_cause(said: str, why: str, cause: str) -> None:
    """Two facts and an edge between them; the cause is found along it, though the question does not name it."""
    with Reverie.open(":memory:", recipe="v9") as engine:
        engine.observe(Message(said, speaker="ada", role=Role.USER), SCOPE)
        (edge,) = [edge for edge in engine.admin.relations(SCOPE) if edge.kind is RelationKind.CAUSES]
        source, target = engine.memory(edge.source, SCOPE), engine.memory(edge.target, SCOPE)
        assert cause in source.text
        assert cause not in target.text
        assert source.id in [hit.memory.id for hit in engine.recall(why, SCOPE).hits]


@pytest.mark.req("D16", "D12")
@pytest.mark.parametrize(("said", "_why", "cause"), SAID)
def test_a_cause_that_was_known_is_joined_too(said: str, _why: str, cause: str) -> None:
    """Said again nothing new is formed, and no edge is drawn twice."""
    with Reverie.open(":memory:", recipe="v9") as engine:
        for session in ("one", "two"):
            engine.observe(Message(said, speaker="ada", role=Role.USER, session=session), SCOPE)
        edges = [edge for edge in engine.admin.relations(SCOPE) if edge.kind is RelationKind.CAUSES]
        assert len(edges) == 1
        assert cause in engine.memory(edges[0].source, SCOPE).text
        assert cause not in engine.memory(edges[0].target, SCOPE).text
