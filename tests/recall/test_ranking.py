"""Ranking weights: the form of their file, and what a cue makes of them."""

from __future__ import annotations

import pytest

from reverie.errors import InvalidInput
from reverie.recall.signals import (
    BY_TWO,
    NAMES,
    OF_SECOND,
    TEXT_ALONE,
    TRAITS,
    WITH_MEANING,
    Ranking,
    read_ranking,
    shipped,
)

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
