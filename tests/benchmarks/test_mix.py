"""The mix runs over both stores, loses nothing, and would notice if something were lost."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.mix import VERBS, Done, Plan, fill, main, summary, verify
from tests.postgres_server import WHY_NOT


def test_both_stores_are_loaded_and_verified(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each store and number of workers, then one for each store's state."""
    stores = ["sqlite"] if WHY_NOT else ["postgres", "sqlite"]
    given = ["--seconds", "0.3", "--scopes", "3", "--memories", "2", "--clients", "1", "--stores"]
    assert main([*given, *stores]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    loads, ends = lines[: len(stores)], lines[len(stores) :]
    assert [one["store"] for one in ends] == stores
    assert all(one["workers"] == 1 and one["per s"] > 0 for one in loads)
    assert [(one["missing"], one["faults"]) for one in ends] == [(0, [])] * len(stores)


def test_a_message_that_is_gone_is_counted(tmp_path: Path) -> None:
    """One that was acknowledged, and is not there."""
    plan = Plan(str(tmp_path / "mix.db"), scopes=2, seconds=0.0, embedder="hash")
    fill(plan, 3)
    assert verify(plan, [Done()]) == {"scopes": 2, "acknowledged": 0, "missing": 0, "faults": []}
    assert verify(plan, [Done(kept=[(1, "nobody")])])["missing"] == 1


def test_what_workers_did_is_put_together() -> None:
    """Quantiles of each verb over all of them, errors added up, and a verb that nobody used left out."""
    one = Done(times={verb: [] for verb in VERBS} | {"recall": [1.0, 2.0]}, cpu_s=0.002)
    other = replace(
        one, times=one.times | {"recall": [3.0], "remember": [4.0]}, errors=Counter({"recall: StoreBusy": 2})
    )
    told = summary([one, other], 2.0)
    assert (told["per s"], told["cpu ms each"], told["errors"]) == (2.0, 1.0, {"recall: StoreBusy": 2})
    assert told["recall"] == {"n": 3, "p50": 2.0, "p95": 2.9, "p99": 3.0}
    assert told["remember"] == {"n": 1, "p50": 4.0, "p95": 4.0, "p99": 4.0}
    assert "dream" not in told
