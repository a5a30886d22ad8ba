from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from reverie.errors import InvalidInput
from reverie.recall import signals
from reverie.recall.search import CueVectors, search
from reverie.recall.signals import (
    AT_ONCE,
    BY_TWO,
    NAMES,
    OF_SECOND,
    TEXT_ALONE,
    TRAITS,
    WITH_MEANING,
    Fused,
    Ranking,
    Signals,
    fuse,
    read_ranking,
    shipped,
)
from reverie.recipes.default.recall import SIGNALS
from reverie.types import Cue
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


REST = " 0.0" * (len(TRAITS) - 2)


def traits(question: float) -> tuple[float, ...]:
    """Those of a cue that asks, or does not, and nothing else."""
    return (1.0, question, *(0.0,) * (len(TRAITS) - 2))


def test_the_form_of_the_file() -> None:
    """Sections, a line a signal with a number a trait; what stands behind # is left out, and a name may have spaces."""
    found = read_ranking(f"# when\n[one]\ntext: 1.0 -0.5{REST}  # words\n\nown meaning: 2.0 0{REST}\n[two]\n")
    assert list(found) == ["one", "two"]
    assert sorted(found["one"].rows) == ["own meaning", "text"]
    assert found["one"].rows["text"][:2] == (1.0, -0.5)
    assert found["two"].rows == {}


@pytest.mark.parametrize("numbers", ["1.0", "", f"1.0 0.0{REST} 0.0"], ids=["too few", "none", "too many"])
def test_a_line_without_a_number_for_each_trait_says_what_to_do(numbers: str) -> None:
    """Which signal it is, how many it wants, and how they are learned anew."""
    with pytest.raises(InvalidInput) as caught:
        read_ranking(f"[{WITH_MEANING}]\ntext: {numbers}\n")
    assert "'text'" in str(caught.value)
    assert str(len(TRAITS)) in str(caught.value)
    assert "make train" in caught.value.mend


def test_a_weight_is_the_sum_of_its_traits() -> None:
    """What counts for every cue, and what a question adds to it."""
    ranking = Ranking({"text": (1.0, -0.5, *(0.0,) * (len(TRAITS) - 2))})
    assert ranking.weights(["text"], traits(0.0)).tolist() == [1.0]
    assert ranking.weights(["text"], traits(1.0)).tolist() == [0.5]


def test_what_is_muted_or_was_not_fitted_counts_nothing() -> None:
    """The others keep their weights, in the order asked for."""
    row = (1.0, *(0.0,) * (len(TRAITS) - 1))
    ranking = Ranking({"text": row, "user": row})
    assert ranking.weights(["user", "new", "text"], traits(0.0)).tolist() == [1.0, 0.0, 1.0]
    assert ranking.weights(["user", "new", "text"], traits(0.0), muted={"text"}).tolist() == [1.0, 0.0, 0.0]


def test_the_package_brings_weights_for_every_signal() -> None:
    """By two models, by one and for text alone; what tells of a model that is not asked counts nothing."""
    learned = shipped()
    assert set(learned) == {BY_TWO, WITH_MEANING, TEXT_ALONE}
    for ranking in learned.values():
        assert set(ranking.rows) == set(NAMES), "each signal has a row in each section of recall/data/ranking.txt"
    of_meaning = [TRAITS.index(name) for name in ("agreement", "likest", "peak")]
    assert not any(any(learned[WITH_MEANING].rows[name]) for name in OF_SECOND)
    alone = learned[TEXT_ALONE].rows
    assert not any(alone["meaning"])
    assert not any(alone["own meaning"])
    assert all(row[place] == 0.0 for row in alone.values() for place in of_meaning)


EAST = np.array([1, 0], np.float32)


def weighing(**weights: float) -> Ranking:
    """A fit by which these signals count so much for every cue, and the others nothing; ``_`` stands for a space."""
    rest = (0.0,) * (len(TRAITS) - 1)
    return Ranking({name.replace("_", " "): (weight, *rest) for name, weight in weights.items()})


def fused(
    lines: list[Line], cue: Cue, ranking: Ranking, *, meaning: bool = False, muted: frozenset[str] = frozenset()
) -> Fused:
    """What a search of these lines found, weighed."""
    corpus, settings = FakeCorpus(lines), replace(SIGNALS, muted=muted)
    return fuse(
        corpus, cue, search(corpus, cue, CueVectors(EAST) if meaning else None, None, settings), settings, ranking
    )


def value(found: Fused, row: int, name: str) -> float:
    """One signal of one candidate."""
    return float(found.values[row, NAMES.index(name)])


def trait(found: Fused, name: str) -> float:
    """One trait of the cue and the texts."""
    return found.traits[TRAITS.index(name)]


KITE = Cue("kite", ("kite",), "en")
TOLD = [
    Line("a kite", session="1", vector=(0.6, 0.8), day=0),
    Line("a boat", "assistant", session="2", vector=(1.0, 0.0), day=1),
    Line("my old kite " * 20, session="3", vector=(0.0, 1.0), day=4),
]


@pytest.mark.parametrize("meaning", [False, True])
def test_the_shares_of_a_hit_add_up_to_its_score(meaning: bool) -> None:
    """What explain shows is the whole of the score, whatever its sign."""
    ranking = Ranking(
        {name: tuple((-1.0) ** n * 0.3 for n in range(len(TRAITS))) for name in NAMES[::2] if name not in OF_SECOND}
    )
    found = fused(TOLD, KITE, ranking, meaning=meaning)
    for row in range(len(found.ordinals)):
        signals = found.signals(np.array([row]))[0]
        assert [signal.name for signal in signals] == [name for name in NAMES if name not in OF_SECOND]
        assert all(signal.share == pytest.approx(signal.value * signal.weight) for signal in signals)
        assert sum(signal.share for signal in signals) == pytest.approx(float(found.scores[row]), abs=1e-6)


def test_a_signal_counts_by_its_weight_and_may_count_against() -> None:
    """Who said it, and nothing else: what the user told is above 0, what the assistant told is below."""
    found = fused(TOLD, KITE, weighing(user=0.5, assistant=-2.0), meaning=True)
    assert found.scores.tolist() == pytest.approx([0.5, -2.0, 0.5])
    assert found.order().tolist() == [0, 2, 1]


def test_a_muted_signal_counts_nothing() -> None:
    """It is still shown with its value; its weight and share are 0."""
    ranking = weighing(user=0.5, assistant=-2.0)
    found = fused(TOLD, KITE, ranking, meaning=True, muted=frozenset({"assistant"}))
    assert found.scores.tolist() == pytest.approx([0.5, 0.0, 0.5])
    signals = {signal.name: signal for signal in found.signals(np.array([1]))[0]}
    assert (signals["assistant"].value, signals["assistant"].weight, signals["assistant"].share) == (1.0, 0.0, 0.0)


def test_equal_scores_keep_the_order_of_writing() -> None:
    """Ties go to the earlier memory."""
    lines = [Line("kite", session=str(n)) for n in range(3)]
    assert fused(lines, KITE, weighing(text=1.0, user=1.0)).order().tolist() == [0, 1, 2]


def test_every_signal_lies_between_0_and_1() -> None:
    """With and without vectors, for texts of up to 256 words."""
    for meaning in (False, True):
        values = fused([*TOLD, Line("kite " * 256, session="4")], KITE, weighing(), meaning=meaning).values
        assert ((values >= 0.0) & (values <= 1.0)).all()


def test_what_is_found_best_is_1_in_its_list() -> None:
    """Text and meaning are read against the best of each; without vectors meaning is silent."""
    found = fused(TOLD, KITE, weighing(), meaning=True)
    for name in ("text", "window", "meaning", "own meaning"):
        assert max(value(found, row, name) for row in range(3)) == pytest.approx(1.0)
    assert value(found, 1, "own meaning") == 1.0
    assert value(found, 0, "own meaning") == pytest.approx(0.6)
    without = fused(TOLD, KITE, weighing())
    assert {value(without, row, name) for row in range(2) for name in ("meaning", "own meaning")} == {0.0}


def test_who_said_it_and_when_are_signals() -> None:
    """The first of all that was said is 0, the last 1, and a role is 1 where it spoke."""
    found = fused(TOLD, KITE, weighing(), meaning=True)
    assert [value(found, row, "recency") for row in range(3)] == pytest.approx([0.0, 0.25, 1.0])
    assert [value(found, row, "user") for row in range(3)] == [1.0, 0.0, 1.0]
    assert [value(found, row, "assistant") for row in range(3)] == [0.0, 1.0, 0.0]


def test_what_was_said_at_one_moment_is_not_recent() -> None:
    """Nothing is later than anything else."""
    found = fused([Line("kite", session="1"), Line("kite", session="2")], KITE, weighing())
    assert [value(found, row, "recency") for row in range(2)] == [0.0, 0.0]


def test_coverage_is_how_much_of_the_cue_is_held() -> None:
    """Of two equally rare words both, or one; it adds up with what is held nowhere."""
    cue = Cue("kite harbour", ("kite", "harbour"), "en")
    lines = [Line("kite harbour", session="1"), Line("kite", session="2"), Line("harbour", session="3")]
    found = fused(lines, cue, weighing())
    assert [value(found, row, "coverage") for row in range(3)] == pytest.approx([1.0, 0.5, 0.5])
    lost = fused(lines, Cue("kite submarine", ("kite", "submarine"), "en"), weighing())
    assert max(value(lost, row, "coverage") for row in range(2)) + trait(lost, "absent") == pytest.approx(1.0)


def test_a_word_says_less_than_a_sentence_and_a_sentence_less_than_a_page() -> None:
    """Size grows with the words; a length of 32 to 64 words is the best."""
    lines = [Line("kite " * count, session=str(count)) for count in (1, 40, 300)]
    found = fused(lines, KITE, weighing())
    sizes = [value(found, row, "size") for row in range(3)]
    assert sizes == sorted(sizes)
    assert value(found, 0, "size") == 0.0
    assert value(found, 1, "length") == 1.0
    assert max(value(found, row, "length") for row in (0, 2)) < 1.0


def test_the_weights_follow_from_the_cue() -> None:
    """What counts for a question need not count for what is told."""
    asked = Ranking({"user": (1.0, -3.0, *(0.0,) * (len(TRAITS) - 2))})
    told, question = KITE, replace(KITE, text="kite?")
    assert fused(TOLD, told, asked).scores.tolist() == pytest.approx([1.0, 1.0])
    assert fused(TOLD, question, asked).scores.tolist() == pytest.approx([-2.0, -2.0])


def test_the_traits_tell_what_the_weights_follow_from() -> None:
    """Whether it asks, whom it names, what text and meaning find; as signals they add nothing."""
    cue = Cue("Where did Ada put it?", ("ada", "put"), "en", speakers=("Ada",))
    lines = [Line("ada put it", "Ada", vector=(0.6, 0.8)), Line("a boat", "Ben", vector=(0.0, 1.0))]
    found = fused(lines, cue, weighing(), meaning=True)
    assert trait(found, "any") == 1.0
    assert trait(found, "question") == 1.0
    assert trait(found, "names a speaker") == 1.0
    assert trait(found, "window") == 0.0
    assert trait(found, "likest") == pytest.approx(0.6)
    assert trait(found, "peak") == pytest.approx(0.6 - 0.3)
    assert trait(found, "agreement") == pytest.approx(0.2), "two of ten by either, for there are but two"
    assert [(one.name, one.value) for one in found.grounds()] == list(zip(TRAITS, found.traits, strict=True))
    assert {(one.weight, one.share) for one in found.grounds()} == {(0.0, 0.0)}


def test_without_vectors_no_trait_tells_of_meaning() -> None:
    """Agreement, the likest and its peak are 0."""
    found = fused(TOLD, KITE, weighing())
    assert [trait(found, name) for name in ("agreement", "likest", "peak")] == [0.0, 0.0, 0.0]


def test_nothing_found_has_nothing_to_weigh() -> None:
    """In an empty scope, and where no word occurs."""
    for lines in ([], [Line("a boat")]):
        found = fused(lines, KITE, weighing(text=1.0))
        assert (found.order().tolist(), len(found.traits)) == ([], len(TRAITS))
