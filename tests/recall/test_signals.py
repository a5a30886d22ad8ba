"""The default's search as a stage."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from reverie.recall.signals import Signals
from reverie.recipes.default.recall import SIGNALS
from tests.recall.fake_corpus import FakeCorpus, Line, Surroundings, quest, request, world

STAGE = Signals(SIGNALS)


def test_candidates_are_read_a_handful_at_a_time() -> None:
    """Whoever wants two reads no more than a handful of memories."""
    corpus = FakeCorpus([Line(f"kite {n}") for n in range(50)])
    read: list[int] = []
    fetch = corpus.fetch
    corpus.fetch = lambda ordinals: read.append(len(ordinals)) or fetch(ordinals)  # type: ignore[method-assign,func-returns-value]  # counts what is read
    around = world(corpus)
    read.clear()
    list(islice(STAGE(quest(request("kite"), around, limit=5)).candidates, 2))
    assert read == [5]


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


def test_meaning_is_looked_for_towards_the_answers_and_cosines_stay_raw() -> None:
    """A model that expects answers elsewhere finds them there; what a hit tells as its cosine is the cue's own."""
    corpus = FakeCorpus([Line("paris", vector=(1.0, 0.0)), Line("rome", vector=(0.0, 1.0))])
    around = replace(world(corpus, Surroundings({"where": (1.0, 0.0)})), answers=lambda question: question[::-1])
    (first, second) = STAGE(quest(request("where"), around)).candidates
    assert (first.memory.text, first.cosine) == ("rome", 0.0)
    assert (second.memory.text, second.cosine) == ("paris", 1.0)
    as_asked = Signals(replace(SIGNALS, towards_answers=False))
    assert next(iter(as_asked(quest(request("where"), around)).candidates)).memory.text == "paris"
