from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.errors import Conflict
from reverie.screen.values import ScreenSettings
from reverie.vault.linking.diff import FieldMerge
from reverie.vault.linking.executor import EngineSide
from reverie.vault.linking.scan import FilePair, tied, written
from tests.vault.linking.conftest import Both
from tests.vault.linking.test_words import NOW
from tests.vault.notes import text

SCOPE = Scope("hawk", "ada", "ocean")


@pytest.fixture
def warmed() -> list[str]:
    """How often a model was asked for."""
    return []


@pytest.fixture
def side(both: Both, warmed: list[str]) -> EngineSide:
    """Hawk's side."""
    return EngineSide(both.engine, SCOPE, lambda: warmed.append("warm"), ScreenSettings())


def pair_of(side: EngineSide, body: str, **fields: str) -> FilePair:
    """A file that was noted."""
    one = written("a", Path("a.md"), text(body, **fields).encode())
    (memory,) = side.note([one], shared=False)
    return FilePair(tied(one, memory, NOW, shared=False), one, memory)


def test_a_model_is_asked_for_when_words_are_written_and_not_before(side: EngineSide, warmed: list[str]) -> None:
    """Looking, weighing and forgetting need none."""
    assert side.note([], shared=False) == []
    assert side.formed() == {}
    assert warmed == []
    pair = pair_of(side, "one")
    assert warmed == ["warm"]
    assert pair.memory is not None
    side.amend(pair, pair.memory, FieldMerge(to_engine=0.7))
    side.forget(pair, pair.memory, "the file was deleted")
    assert warmed == ["warm"]


def test_every_event_says_which_file_it_comes_from(side: EngineSide) -> None:
    """And what became of it."""
    pair = pair_of(side, "one")
    assert pair.memory is not None
    side.amend(pair, pair.memory, FieldMerge(tag_engine=("cpl",), verify_engine=True))
    side.forget(pair, pair.memory, "the file was deleted")
    side.reopen(pair, pair.memory)
    whys = [event.why for event in side.engine.admin.history(pair.memory.id, SCOPE)]
    assert whys == [
        "vault: written as a file",
        "vault: hawk/a was edited",
        "vault: hawk/a: the file was deleted",
        "vault: hawk/a came back",
    ]


def test_a_correction_keeps_what_the_file_says_beside(side: EngineSide) -> None:
    """Its tags; the engine's own would be taken from the words. What is said anew has not come true yet."""
    pair = pair_of(side, "one", tags="[mine]", verified="true")
    assert pair.memory is not None
    edited = written("a", Path("a.md"), text("two", tags="[mine]", verified="true").encode())
    made = side.correct(FilePair(pair.tie, edited, pair.memory), pair.memory)
    assert (made.text, made.standing.tags, made.standing.verified) == ("two", ("mine",), False)


def test_edges_are_drawn_once(side: EngineSide) -> None:
    """Never to itself."""
    one, two = (pair_of(side, body).memory for body in ("one", "two"))
    assert one is not None
    assert two is not None
    for _ in range(2):
        side.refer(one.id, [two.id, one.id])
    assert [(edge.source, edge.target) for edge in side.engine.admin.relations(SCOPE)] == [(one.id, two.id)]
    side.contradict(one, two)
    assert len(side.engine.admin.relations(SCOPE)) == 2


def test_words_are_screened_as_the_engine_screens_them(side: EngineSide, both: Both) -> None:
    """Where nothing is screened, they stay."""
    secret = "My key is sk-proj-Zk3vTq8Lr2Nw7Yb5Xc9Md4Pf6Hg1Jt0 for now."
    assert "sk-proj" not in side.screened(secret)
    assert EngineSide(both.engine, SCOPE, lambda: None, None).screened(secret) == secret


def test_what_is_pinned_is_not_forgotten(side: EngineSide) -> None:
    """The engine says so."""
    pair = pair_of(side, "one")
    assert pair.memory is not None
    assert isinstance(side.engine, Reverie)
    side.engine.admin.pin(pair.memory.id, SCOPE)
    with pytest.raises(Conflict):
        side.forget(pair, pair.memory, "the file was deleted")
