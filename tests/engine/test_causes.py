from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from reverie import FixedClock, Message, Reverie, Role, Scope
from reverie.types import RelationKind
from tests.encode.making import Chosen
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


SAID_WORKING_MEMORY = ("Rex is a dog.", "Elif prefers green tea.", "Meera hemşire olarak çalışıyor.")
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.mark.req("D35")
@pytest.mark.parametrize(
    ("was", "now"),
    [
        *english(("The weekly team meeting starts at 10:00.", "The weekly team meeting starts at 14:00 now.")),
        *turkish(("Haftalık ekip toplantısı saat 10:00'da.", "Haftalık ekip toplantısı artık saat 14:00'te.")),
    ],
)
def test_what_was_superseded_takes_no_place(scope: Scope, was: str, now: str) -> None:
    """What holds is at hand."""
    clock, model = FixedClock(START), Chosen({"weekly": (1, 0.98), "ekip": (1, 0.98)})
    with Reverie.open(":memory:", embedder=model, recipe="v9", clock=clock, background=False) as memory:
        for text in (*SAID_WORKING_MEMORY, was, now):
            clock.at += timedelta(days=5)
            memory.observe(Message(text, speaker="ada", role=Role.USER), scope, deliberate=True)
        held = memory._context.sessions.find(scope, "default")
        assert held is not None
        texts = {item.text for item in held.working.items(memory._context.clock.now())}
    assert now in texts
    assert not any(was in text for text in texts)
