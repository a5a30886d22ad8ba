"""The default's search as a stage."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from reverie.recall import signals
from reverie.recall.signals import AT_ONCE, TEXT_ALONE, TRAITS, WITH_MEANING, Ranking, Signals
from reverie.recipes.default.recall import SIGNALS
from tests.recall.fake_corpus import FakeCorpus, Line, Surroundings, quest, request, world
from tests.spoken import english, turkish

STAGE = Signals(SIGNALS)


def test_candidates_are_read_some_at_a_time() -> None:
    """Whoever wants two reads no more than some of the memories."""
    corpus = FakeCorpus([Line(f"kite {n}") for n in range(50)])
    read: list[int] = []
    fetch = corpus.fetch
    corpus.fetch = lambda ordinals: read.append(len(ordinals)) or fetch(ordinals)  # type: ignore[method-assign,func-returns-value]  # counts what is read
    around = world(corpus)
    read.clear()
    list(islice(STAGE(quest(request("kite"), around, limit=5)).candidates, 2))
    assert read == [AT_ONCE]


def test_the_shares_add_up() -> None:
    """With and without vectors."""
    lines = [Line("red kite", vector=(0.6, 0.8)), Line("boat", vector=(1.0, 0.0))]
    for around in (Surroundings(), Surroundings({"kite": (1.0, 0.0)})):
        for candidate in STAGE(quest(request("kite"), world(FakeCorpus(lines), around))).candidates:
            assert candidate.score == pytest.approx(sum(s.share for s in candidate.signals), abs=1e-6)


def test_nothing_to_embed_is_said() -> None:
    """A cue of signs alone."""
    corpus = FakeCorpus([Line("kite", vector=(1.0, 0.0))])
    answer = STAGE(quest(request("?!"), world(corpus, Surroundings({"kite": (1.0, 0.0)}))))
    assert "nothing in the text to embed" in answer.notes[0]


@pytest.mark.parametrize(
    ("around", "first"), [(Surroundings(), "red kite"), (Surroundings({"kite": (1.0, 0.0)}), "boat")]
)
def test_text_alone_has_weights_of_its_own(monkeypatch: pytest.MonkeyPatch, around: Surroundings, first: str) -> None:
    """Where vectors are compared those with meaning count, else those for text alone; cosines stay raw."""
    rest = (0.0,) * (len(TRAITS) - 1)
    learned = {
        WITH_MEANING: Ranking({"own meaning": (1.0, *rest)}),
        TEXT_ALONE: Ranking({"text": (1.0, *rest)}),
    }
    monkeypatch.setattr(signals, "shipped", lambda: learned)
    lines = [Line("red kite", session="1", vector=(0.6, 0.8)), Line("boat", session="2", vector=(1.0, 0.0))]
    best = next(iter(STAGE(quest(request("kite"), world(FakeCorpus(lines), around))).candidates))
    assert (best.memory.text, best.score) == (first, 1.0)
    assert best.cosine == (1.0 if around.vectors else None)


def test_a_recipe_may_mute_a_signal() -> None:
    """It is shown, and adds nothing."""
    muted = Signals(replace(SIGNALS, muted=frozenset({"text"})))
    lines = [Line("red kite"), Line("kite kite")]
    for candidate in muted(quest(request("kite"), world(FakeCorpus(lines)))).candidates:
        (text,) = [one for one in candidate.signals if one.name == "text"]
        assert text.value > 0.0
        assert (text.weight, text.share) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("asked", "told"),
    [*english(("Where is the kite?", "The kite is here.")), *turkish(("Uçurtma nerede?", "Uçurtma burada."))],
)
def test_what_the_weights_follow_from_is_told(asked: str, told: str) -> None:
    """A trait each, with its value and no share: a question is one, a statement is none."""
    around = world(FakeCorpus([Line(told)]))
    question, statement = (STAGE(quest(request(text), around)).traits for text in (asked, told))
    assert [one.name for one in question] == list(TRAITS)
    assert [one.value for one in question if one.name == "question"] == [1.0]
    assert [one.value for one in statement if one.name == "question"] == [0.0]
    assert all(one.share == 0.0 for one in question)
