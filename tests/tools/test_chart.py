"""The chart of the benchmark page is drawn from the table of the results."""

from __future__ import annotations

from xml.etree import ElementTree

from tools import chart, docs

PAGE = """## Other people's sets

| set | questions | BM25 | cosine | RRF | Reverie | over the best |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| One & only | 917 | 88.0 | 74.2 | 86.0 | 96.8 | +8.7 |
| Two | 682 | 65.2 | 67.9 | 69.7 | 69.0 | -0.7 |

## Another

| set | questions |
| --- | --- |
"""


def test_a_set_is_compared_with_the_best_plain_search() -> None:
    """Of the three searches the best; the rows end with the section."""
    assert chart.rows(PAGE) == [chart.Bars("One & only", 88.0, 96.8, "+8.7"), chart.Bars("Two", 69.7, 69.0, "-0.7")]


def test_the_chart_shows_losses_as_well() -> None:
    """Each difference is written out with its sign, and a name is text, not markup."""
    texts = ["".join(one.itertext()) for one in ElementTree.fromstring(chart.drawn(PAGE)).iter()]
    assert {"One & only", "+8.7", "-0.7"} <= set(texts)


def test_the_page_has_a_set_for_each_row() -> None:
    """The summary's counts are those of the table: three sets better, one as good, four worse."""
    sets = chart.rows(docs.read(docs.PAGES / "benchmarks" / "results.md"))
    differences = [one.reverie - one.plain for one in sets]
    assert (sum(d > 0 for d in differences), sum(d < 0 for d in differences), len(sets)) == (3, 4, 8)
