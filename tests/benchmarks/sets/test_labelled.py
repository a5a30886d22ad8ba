"""Labelled lives: one form for many sets, questions asked at their own time."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.abstain.cases import batches
from benchmarks.cli import main
from benchmarks.sets import chosen, load
from benchmarks.sets.labelled import benchmark_set, life
from benchmarks.systems.baselines import Bm25, Dense, Rrf
from benchmarks.systems.reverie import ReverieSystem
from benchmarks.values import Change, Notes
from reverie.errors import InvalidExport
from reverie.models.hashing import HashEmbedder
from reverie.types import Role
from tests.benchmarks import toy


def record(**changes: Any) -> dict[str, Any]:
    """The toy life, with other values."""
    (one,) = toy.labelled()
    return {**one, **changes}


def test_evidence_by_message_by_session_and_what_changed() -> None:
    """Each label as the set gives it; an id that names no message is dropped and counted."""
    notes: Notes = Counter()
    found = life(record(), notes)
    update, _, by_session, contradiction, unanswerable = found.questions
    assert (update.gold, update.sides, update.change) == (("m4",), (("m1",), ("m4",)), Change.UPDATE)
    assert (by_session.gold, by_session.sessions, by_session.labelled) == ((), ("s2",), True)
    assert (contradiction.sides, contradiction.change) == ((("m1",), ("m4",)), Change.CONTRADICTION)
    assert not unanswerable.labelled
    assert [item.role for item in found.items] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.USER]
    assert notes["evidence ids that name no message (dropped)"] == 1


@pytest.mark.parametrize("system", [Bm25(), Dense(HashEmbedder()), Rrf(HashEmbedder()), ReverieSystem(None)])
def test_a_question_hears_what_was_said_before_it_and_nothing_later(system: Any) -> None:
    """Asked in May, the message of June is not found; asked in July it is."""
    haystack = life(record(), Counter())
    late, early = (ranking for ranking in system.rank(haystack, 10)[:2])
    assert "m4" in {one for entry in late for one in entry.ids}
    assert {one for entry in early for one in entry.ids} <= {"m1", "m2"}


def test_without_the_evidence_a_question_hears_as_much_of_the_rest() -> None:
    """What is asked in May of a store without June's session hears both messages of May; and the other way round."""
    asked = {
        q.id: (q.heard, b.haystack.items)
        for b in list(batches(life(record(), Counter())))[1:]
        for q in b.haystack.questions
    }
    heard, items = asked["q1"]
    assert heard == 2 == len(items)
    assert asked["q2"][0] == 0


def test_messages_out_of_order_are_refused(tmp_path: Path) -> None:
    """The form promises rising times; what breaks it is named."""
    messages = list(reversed(record()["messages"]))
    path = toy.write_lines(tmp_path / "x.jsonl", [record(messages=messages)])
    with pytest.raises(InvalidExport, match="rising order"):
        list(load(benchmark_set("toy-lives"), [path], Counter()))


def test_each_set_of_the_files_has_its_own_results(tmp_path: Path) -> None:
    """Two sets, two result files, rows by message and by session; nothing is measured by a label that is not there."""
    data = [toy.write_lines(tmp_path / f"{name}.jsonl", toy.labelled(name)) for name in ("lives-a", "lives-b")]
    out = tmp_path / "out.json"
    given = ["retrieval", "--set", "labelled", "--data", *map(str, data), "--systems", "bm25,reverie"]
    assert main([*given, "--embedder", "none", "--out", str(out)]) == 0
    for name in ("lives-a", "lives-b"):
        rows = json.loads((tmp_path / f"out-{name}.json").read_text())["rows"]
        assert {row["set"] for row in rows} == {name}
        counts = {row["unit"]: row["n"] for row in rows if row["category"] == "all"}
        assert counts == {"message": 3, "session": 4}
        assert not any(math.isnan(row["value"]) for row in rows)
    assert main(["stale", *given[1:-1], "bm25", "--out", str(out)]) == 0
    stale = json.loads((tmp_path / "out-lives-a.json").read_text())["rows"]
    assert {row["metric"] for row in stale} >= {"newer-above-older", "both-sides"}


def test_a_set_that_could_not_name_a_file_is_refused(tmp_path: Path) -> None:
    """A name with a path in it never becomes one."""
    path = toy.write_lines(tmp_path / "x.jsonl", toy.labelled("../elsewhere"))
    with pytest.raises(InvalidExport, match="small letters"):
        chosen("labelled", [path])
