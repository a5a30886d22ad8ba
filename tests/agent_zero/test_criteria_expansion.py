"""Document A's criteria 1–5: one message is looked for from several sides (readings 16 and 19)."""

from __future__ import annotations

import pytest

from tests.agent_zero.houses import House, Turn
from tests.agent_zero.vectors import axis, scored

MESSAGE = "How do we deploy the payment gateway?"
KEYWORDS = "deploy payment gateway"
SCOPED = f"coding: {KEYWORDS}"


def begun(house: House) -> House:
    """A house with something in its memory: an empty one is not searched."""
    house.start()
    house.add("anything at all")
    return house


def variants(turn: Turn) -> list[str]:
    """What was looked for: all that was embedded, but for the stock recall's own query."""
    return [text for text in turn.embedded if not text.startswith("user: {")]


@pytest.mark.req("A16.1", "A1")
def test_three_queries_are_asked_in_a_turn(house: House) -> None:
    """The message as it is, its keywords, and these under the domain; each brings what only it is near to."""
    house.profile(max_injected=3, similarity_threshold=0.0)
    house.start()
    house.vectors({MESSAGE: axis(0), KEYWORDS: axis(1), SCOPED: axis(2)})
    house.vectors({"near the message": axis(0), "near the words": axis(1), "near the domain": axis(2)})
    near = {house.add(text) for text in ("near the message", "near the words", "near the domain")}
    house.vectors({f"decoy {n}": axis(10 + n) for n in range(20)})
    house.add_many([f"decoy {n}" for n in range(20)])
    turn = house.turn(MESSAGE, domain="coding")
    assert sorted(variants(turn)) == sorted([MESSAGE, KEYWORDS, SCOPED])
    assert set(house.injected(turn)) == near


@pytest.mark.req("A16.2", "A1")
def test_what_several_queries_find_counts_once_and_by_its_best_score(house: House) -> None:
    """A memory near the keywords alone beats one that is fairly near the message; what all three find stands once."""
    house.profile(max_injected=2, similarity_threshold=0.0)
    house.start()
    house.vectors({MESSAGE: axis(0), KEYWORDS: axis(1), SCOPED: axis(2)})
    house.vectors({"by its words": [0.0, 0.99, 0.141], "by the message": [0.7, 0.0, 0.0, 0.714], "far": axis(9)})
    by_words, by_message = house.add("by its words"), house.add("by the message")
    house.add("far")
    turn = house.turn(MESSAGE, domain="coding")
    assert house.injected(turn) == [by_words, by_message]
    assert turn.extras["memories"].count("by its words") == 1
    assert house.lineage(by_words)["access_count"] == 1


@pytest.mark.req("A16.3", "A1")
def test_keywords_leave_out_stop_words_and_short_ones_and_end_at_twelve(house: House) -> None:
    """The first twelve words that are longer than two letters and not in the document's list, in lower case."""
    begun(house)
    words = [f"Word{letter}" for letter in "abcdefghijklmno"]
    message = "Would you and I go to " + " of the ".join(words) + " or not? ok"
    assert set(variants(house.turn(message))) == {message, " ".join(words[:12]).lower()}


@pytest.mark.req("A16.4", "A1", "A2")
@pytest.mark.parametrize("where", ["domain", "domain_in_extras"])
def test_the_domain_comes_from_the_belief_state(house: House, where: str) -> None:
    """Both places in which the tracker leaves it are read."""
    begun(house)
    assert SCOPED in variants(house.turn(MESSAGE, **{where: "coding"}))


@pytest.mark.req("A16.4", "A2")
@pytest.mark.parametrize("domain", [None, ""])
def test_without_a_domain_there_are_two_queries(house: House, domain: str | None) -> None:
    """Nothing is put before the keywords where no domain is known."""
    begun(house)
    assert sorted(variants(house.turn(MESSAGE, domain=domain))) == sorted([MESSAGE, KEYWORDS])


@pytest.mark.req("A16.5", "A1")
def test_the_pool_is_larger_than_what_one_query_brings(house: House) -> None:
    """Three times eight memories, each near one query, come together."""
    house.profile(max_injected=24, similarity_threshold=0.0)
    house.start()
    house.vectors({MESSAGE: axis(0), KEYWORDS: axis(1), SCOPED: axis(2)})
    texts = [f"number {n} beside query {side}" for side in range(3) for n in range(10)]
    house.vectors({text: axis(int(text[-1])) for text in texts})
    house.add_many(texts)
    found = house.injected(house.turn(MESSAGE, domain="coding"))
    assert len(found) == 24


@pytest.mark.req("A14a", "A13")
@pytest.mark.parametrize(
    ("section", "asked"),
    [
        ({"use_domain_scoping": False}, [MESSAGE, KEYWORDS]),
        ({"use_keyword_extraction": False}, [MESSAGE]),
        ({"enabled": False}, [MESSAGE]),
        ({"max_keywords": 2}, [MESSAGE, "deploy payment", "coding: deploy payment"]),
    ],
)
def test_each_switch_takes_away_what_it_names(house: House, section: dict[str, object], asked: list[str]) -> None:
    """Switched off, a kind of query is not asked; the others are."""
    house.configure(query_expansion=section)
    begun(house)
    found = variants(house.turn(MESSAGE, domain="coding"))
    assert set(found) <= {*asked, f"coding: {MESSAGE}"}
    assert set(asked) <= set(found)


@pytest.mark.req("A6")
def test_what_is_below_the_profiles_threshold_is_left_out(house: House) -> None:
    """The threshold is on Agent Zero's own scale, (1 + cosine)/2, and is asked of the similarity alone."""
    house.profile(max_injected=5, similarity_threshold=0.8)
    house.start()
    house.vectors({MESSAGE: axis(0), KEYWORDS: axis(0), "just over": scored(0.81, 5), "just under": scored(0.79, 6)})
    over = house.add("just over")
    house.add("just under")
    assert house.injected(house.turn(MESSAGE)) == [over]
