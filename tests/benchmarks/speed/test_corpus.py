"""The synthetic corpus: repeatable, and of the shape of real talk."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from benchmarks.speed.corpus import SyntheticCorpus, common_words, vocabulary
from reverie.types import Role


@pytest.fixture(scope="module")
def corpus() -> SyntheticCorpus:
    return SyntheticCorpus(seed=7)


def test_a_message_does_not_depend_on_what_was_made_before(corpus: SyntheticCorpus) -> None:
    """Any of them can be made alone, by any process."""
    other = SyntheticCorpus(seed=7)
    assert other.message(4321) == corpus.message(4321)
    assert list(corpus.messages(28, 33)) == [corpus.message(number) for number in range(28, 33)]
    assert SyntheticCorpus(seed=8).message(4321) != corpus.message(4321)


def test_messages_are_as_long_and_sessions_as_many_as_in_real_talk(corpus: SyntheticCorpus) -> None:
    """About 22 words, 30 messages a session, speakers in turn, time going forward, ids once."""
    messages = list(corpus.messages(0, 3000))
    assert np.mean([len(message.text.split()) for message in messages]) == pytest.approx(22, abs=2)
    assert set(Counter(message.session for message in messages).values()) == {30}
    assert [message.role for message in messages[:2]] == [Role.USER, Role.ASSISTANT]
    times = [message.at for message in messages if message.at is not None]
    assert times == sorted(times)
    assert len(times) == len({message.message_id for message in messages}) == 3000


def test_words_follow_zipf(corpus: SyntheticCorpus) -> None:
    """The commonest is about twice as common as the next and ten times as common as the tenth."""
    words = Counter(word.strip(".").lower() for m in corpus.messages(0, 6000) for word in m.text.split())
    first, second, *_ = counts = [count for _, count in words.most_common(10)]
    assert words.most_common(1)[0][0] == "the"
    assert first / second == pytest.approx(2.0, rel=0.15)
    assert first / counts[-1] == pytest.approx(10.0, rel=0.2)


def test_a_query_is_made_of_a_stored_message(corpus: SyntheticCorpus) -> None:
    """Three to five of its words among one to three common ones; the same queries every time."""
    stored = {message.text for message in corpus.messages(0, 300)}
    queries = corpus.queries(50, 300)
    assert queries == SyntheticCorpus(seed=7).queries(50, 300)
    for query in queries:
        assert query.target in stored
        words = query.text.rstrip("?").split()
        assert 4 <= len(words) <= 8
        assert sum(word in query.target.rstrip(".").split() for word in words) >= 3


def test_the_vocabulary_has_no_word_twice() -> None:
    """Function words at the head."""
    common = common_words()
    words = vocabulary(7, common)
    assert len(words) == len(set(words)) == 60_000
    assert words[: len(common)] == common
