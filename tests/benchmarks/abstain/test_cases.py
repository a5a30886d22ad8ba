"""What is asked of which store."""

from __future__ import annotations

from collections import Counter

from benchmarks.abstain.cases import Kind, batches
from benchmarks.sets.locomo import conversation
from tests.benchmarks import toy


def test_every_answerable_question_is_asked_again_without_its_evidence() -> None:
    """Its sessions are gone, nothing else; the wrong person is a kind of its own; without gold it is left out."""
    whole, *thinned = batches(conversation(toy.locomo()[0], "a", Counter()))
    assert Counter(whole.kinds) == {Kind.ANSWERABLE: 3, Kind.ADVERSARIAL: 1}
    assert [q.text for batch in thinned for q in batch.haystack.questions] == [
        "Which bird did Mira adopt?",
        "When did Jonas run the marathon?",
    ]
    assert {kind for batch in thinned for kind in batch.kinds} == {Kind.REMOVED}
    assert [{item.session for item in batch.haystack.items} for batch in thinned] == [{"session-2"}, {"session-1"}]


def test_nothing_left_is_nothing_asked() -> None:
    """A question whose evidence lies in every session has no thinned store; nor has one nobody can answer."""
    assert [len(list(batches(conversation(record, "x", Counter())))) for record in toy.locomo()] == [3, 1]
