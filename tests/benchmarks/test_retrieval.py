"""A whole retrieval run over a toy set, with systems whose rankings are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.metrics import count_words, entries
from benchmarks.results import RetrievalRow
from benchmarks.retrieval import Request, run
from benchmarks.sets import SETS
from benchmarks.values import Haystack, Ranking
from reverie.errors import InvalidInput
from tests.benchmarks import toy


class Oracle:
    """Ranks the gold first: what no system can beat."""

    name = "oracle"

    def rank(self, haystack: Haystack, depth: int) -> list[Ranking]:
        words = {item.id: count_words(item.text) for item in haystack.items}
        return [entries([*q.gold, *(set(words) - set(q.gold))], words) for q in haystack.questions]


class Mute:
    """Finds nothing."""

    name = "mute"

    def rank(self, haystack: Haystack, depth: int) -> list[Ranking]:
        return [() for _ in haystack.questions]


@pytest.fixture
def request_(tmp_path: Path) -> Request:
    return Request(
        SETS["locomo"], (toy.write_lines(tmp_path / "l.jsonl", toy.locomo()),), rankings=tmp_path / "r.jsonl"
    )


def value(rows: list[RetrievalRow], **wanted: Any) -> RetrievalRow:
    """The one row with these fields."""
    (row,) = [row for row in rows if all(getattr(row, name) == found for name, found in wanted.items())]
    return row


def test_the_best_and_the_worst_get_one_and_zero(request_: Request) -> None:
    """An oracle finds all, a mute system nothing; both over the same six questions with gold."""
    outcome = run(request_, [Oracle(), Mute()])
    where = {"unit": "turn", "metric": "fraction", "at": 5, "category": "all"}
    best, worst = (value(outcome.rows, system=name, **where) for name in ("oracle", "mute"))
    assert (best.n, best.value, best.low, best.high) == (6, 1.0, 1.0, 1.0)
    assert (worst.n, worst.value, worst.low, worst.high) == (6, 0.0, 0.0, 0.0)
    assert value(outcome.rows, system="oracle", **{**where, "at": 1, "category": "multi-hop"}).value == 0.5


def test_questions_without_gold_are_left_out_and_counted(request_: Request) -> None:
    """Two of eight; the adversarial one has gold, but is not answerable."""
    outcome = run(request_, [Mute()])
    counts = outcome.extras["counts"]
    assert isinstance(counts, dict)
    assert counts["questions"] == 6
    assert counts["questions without gold (left out)"] == 2
    assert counts["evidence ids that name no turn (dropped)"] == 1
    assert value(outcome.rows, metric="mrr", unit="turn", category="answerable").n == 5


def test_rows_are_of_the_agreed_vocabulary(request_: Request) -> None:
    """Units, metrics, cuts and budgets, and no two rows for one thing."""
    rows = run(request_, [Oracle()]).rows
    assert {row.unit for row in rows} == {"turn", "session"}
    assert {(row.metric, row.at) for row in rows if row.metric != "mrr"} == {
        *((metric, at) for metric in ("any", "fraction", "all") for at in (1, 5, 10, 20)),
        *(("tokens", at) for at in (150, 300, 500, 600, 1000, 2000)),
    }
    keys = [(row.system, row.unit, row.metric, row.at, row.category) for row in rows]
    assert len(keys) == len(set(keys))
    assert {row.category for row in rows} == {"all", "answerable", "multi-hop", "temporal", "single-hop", "adversarial"}


def test_a_run_can_be_repeated_to_the_last_digit(request_: Request) -> None:
    """The same files and seed give the same rows."""
    assert run(request_, [Oracle()]).rows == run(request_, [Oracle()]).rows


def test_every_ranking_is_saved(request_: Request) -> None:
    """Those of questions without gold too."""
    run(request_, [Oracle(), Mute()])
    assert request_.rankings is not None
    lines = [json.loads(line) for line in request_.rankings.read_text().splitlines()]
    assert len(lines) == 2 * 8
    assert lines[0]["ranking"][0] == "D1:1"


def test_a_set_without_gold_is_refused(tmp_path: Path) -> None:
    """There is nothing to measure."""
    bare = [{**toy.beam()[0], "questions": [toy.probe("b", "abstention", None, [])]}]
    with pytest.raises(InvalidInput, match="gold"):
        run(Request(SETS["beam"], (toy.write_lines(tmp_path / "b", bare),)), [Mute()])
