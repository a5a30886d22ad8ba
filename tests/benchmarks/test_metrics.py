"""The metrics, worked out by hand."""

from __future__ import annotations

import pytest

from benchmarks.metrics import columns, entries, found_within, measure, ranked_values
from benchmarks.values import Entry, Haystack
from tests.benchmarks import toy


def test_any_fraction_all_and_reciprocal_rank() -> None:
    """Gold at ranks 3 and 6 of two: nothing at 1, half at 5, all at 10; reciprocal rank 1/3."""
    order = ["a", "b", "G", "c", "d", "H", "e"]
    any_, fraction, all_ = [0, 1, 1, 1], [0, 0.5, 1, 1], [0, 0, 1, 1]
    assert ranked_values(order, {"G", "H"}) == [*any_, *fraction, *all_, pytest.approx(1 / 3)]


def test_gold_that_is_never_ranked_counts_against() -> None:
    """Two of three found at best."""
    assert ranked_values(["G", "H"], {"G", "H", "I"}) == [
        1,
        1,
        1,
        1,
        *[pytest.approx(1 / 3)],
        *[2 / 3] * 3,
        0,
        0,
        0,
        0,
        1,
    ]


def test_the_reciprocal_rank_ends_at_ten() -> None:
    """The eleventh place is worth nothing."""
    order = [f"x{i}" for i in range(10)] + ["G"]
    assert ranked_values(order, {"G"})[-1] == 0.0


def test_packing_skips_what_does_not_fit_and_goes_on() -> None:
    """At 1.3 tokens a word 500 tokens are 384 words: 300 fit, the next 100 do not, 84 do."""
    ranking = (Entry(("a",), 300), Entry(("G",), 100), Entry(("H",), 84), Entry(("I",), 1))
    assert found_within(ranking, frozenset("GHI"), 500) == pytest.approx(1 / 3)
    assert found_within(ranking, frozenset("GHI"), 1000) == 1.0


def test_a_whole_budget_is_used_to_the_last_token() -> None:
    """1,000 words cost exactly 1,300 tokens: no rounding steals one."""
    assert found_within((Entry(("G",), 1000),), frozenset("G"), 1300) == 1.0
    assert found_within((Entry(("G",), 1001),), frozenset("G"), 1300) == 0.0


def test_withheld_entries_count_for_rank_but_not_for_tokens() -> None:
    """Rank metrics are taken before any gate, token metrics after."""
    store = Haystack("toy", "en", (toy.item("G", "word"), toy.item("a", "word", "s2")), ())
    ranking = (Entry(("G",), 1, withheld=True), Entry(("a",), 1))
    values = dict(zip(columns("turn", True), measure(ranking, toy.question("?", "G"), store, True), strict=True))
    found = {(column.unit, column.metric, column.at): value for column, value in values.items()}
    assert found["turn", "any", 1] == found["session", "any", 1] == 1.0
    assert found["turn", "tokens", 2000] == 0.0


def test_a_formed_memory_takes_as_many_places_as_it_has_new_episodes() -> None:
    """A summary of five turns is no way to have five turns in the first place."""
    store = Haystack("toy", "en", tuple(toy.item(one, "word") for one in "abcdeG"), ())
    ranking = (Entry(tuple("abcde"), 10), Entry(("a", "G"), 3))
    found = measure(ranking, toy.question("?", "G"), store, sessions=False)
    at_5, at_10 = found[1], found[2]
    assert (at_5, at_10) == (0.0, 1.0)
    assert found[-1] == 1.0


def test_a_session_stands_where_its_first_item_does() -> None:
    """Sessions in order of their best item; the gold session is the one that holds a gold item."""
    items = (toy.item("a", "", "s1"), toy.item("b", "", "s1"), toy.item("G", "", "s2"), toy.item("h", "", "s2"))
    ranking = entries(["a", "b", "h"], {"a": 1, "b": 1, "h": 1})
    values = measure(ranking, toy.question("?", "G"), Haystack("toy", "en", items, ()), sessions=True)
    found = dict(zip(columns("turn", True), values, strict=True))
    by = {(column.unit, column.metric, column.at): value for column, value in found.items()}
    assert by["turn", "any", 5] == 0.0
    assert by["session", "any", 1] == 0.0
    assert by["session", "mrr", 10] == 0.5


def test_columns_and_values_are_as_many() -> None:
    """With and without sessions."""
    store = Haystack("toy", "en", (toy.item("G", ""),), ())
    for sessions in (True, False):
        values = measure((), toy.question("?", "G"), store, sessions)
        assert len(values) == len(columns("turn", sessions))
        assert set(values) == {0.0}
