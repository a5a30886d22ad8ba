"""The hook benchmark end to end: small, without a model, with real processes."""

from __future__ import annotations

from pathlib import Path

from benchmarks.hook.run import Plan, facts, run


def test_it_measures_each_moment_and_that_the_facts_are_told(tmp_path: Path) -> None:
    """A row an operation, in a home of its own that is left without a process."""
    found = run(Plan((60,), tmp_path, embedder="none", warm=3, cold=1))
    assert [row.op for row in found.rows] == [
        "hook-prompt-cold",
        "hook-prompt-warm",
        "hook-prompt-warm-processor",
        "hook-SessionStart-warm",
        "hook-Stop-warm",
        "hook-SessionEnd-warm",
        "hook-SessionStart-cold",
        "hook-SessionStart-cold-processor",
    ]
    assert all(row.size == 60 and 0 < row.p50_ms <= row.p95_ms for row in found.rows)
    assert not (tmp_path / "60-none" / ".cache" / "reverie" / "hook.sock").exists()
    assert len(found.told["warm"]) == 3


def test_every_fact_has_its_prompt() -> None:
    """The data file is read whole, and no prompt is its own fact."""
    assert len(facts()) == 12
    assert all(fact.text and fact.prompt.endswith("?") for fact in facts())
