"""Echoes: an earlier question is no answer, where a host asks."""

from __future__ import annotations

import pytest

from reverie.recall.deduplication import WHY, QueryDuplicates
from reverie.recall.state import Candidate
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request

STAGE = QueryDuplicates(times=2, share=0.75)


def told(cue: str, *texts: str, automatic: bool = True) -> list[Candidate]:
    """The candidates after the stage; the texts come in rank order."""
    lines = [Line(text) for text in texts]
    scores = [1.0 - n / 10 for n in range(len(lines))]
    return list(STAGE(holding(request(cue, automatic=automatic), FakeCorpus(lines), scores)).candidates)


@pytest.mark.parametrize(
    ("cue", "echo", "answer"),
    [
        ("Where does my sister live?", "Where does my sister live?", "My sister lives in Izmir."),
        ("where does my sister live", "Where does my sister live now?", "My sister lives in Izmir."),
        ("Kız kardeşim nerede yaşıyor?", "kız kardeşim nerede yaşıyor", "Kız kardeşim İzmir'de yaşıyor."),
        ("Kız kardeşim şimdi nerede yaşıyor?", "Kız kardeşim nerede yaşıyor?", "Kız kardeşim İzmir'de yaşıyor."),
    ],
)
def test_the_earlier_question_is_withheld_and_the_answer_comes_first(cue: str, echo: str, answer: str) -> None:
    """Word for word or nearly so, with its reason."""
    first, last = told(cue, echo, answer)
    assert (first.memory.text, first.withheld) == (answer, "")
    assert (last.memory.text, last.withheld) == (echo, WHY)


@pytest.mark.parametrize(
    ("cue", "other"),
    [
        ("My sister Zeynep lives in Izmir.", "My sister Zeynep lives in Ankara."),
        ("Where does my sister live?", "Where does my brother work these days?"),
        ("Kardeşim Ayşe Bursa'da yaşıyor.", "Kardeşim Ayşe Edirne'de yaşıyor."),
        ("Do I like tea?", "I do like tea."),
        ("What do I like to drink?", "I like tea."),
        ("Ben çay sever miyim?", "Ben çay severim."),
        ("?!", "..."),
    ],
)
def test_what_says_something_else_stays(cue: str, other: str) -> None:
    """Another place is news, another question may be of use, and the same words as a statement are an answer."""
    [found] = told(cue, other)
    assert found.withheld == ""


def test_asked_by_hand_everything_comes() -> None:
    """Whoever looks for a question finds it."""
    [found] = told("Where does my sister live?", "Where does my sister live?", automatic=False)
    assert found.withheld == ""


def test_beyond_what_is_looked_at_nothing_is_fetched() -> None:
    """The rest passes as it comes."""
    wanted = request("the boat", automatic=True)
    texts = [Line(f"number {n}") for n in range(30)]
    found = list(STAGE(holding(wanted, FakeCorpus(texts), [1.0] * 30)).candidates)
    assert len(found) == 30
