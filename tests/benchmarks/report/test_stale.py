"""What changed and what is denied, as a table."""

from __future__ import annotations

from benchmarks.report.stale import section


def content(name: str, values: dict[str, float]) -> dict[str, object]:
    """A result file of one set and one figure, of two systems."""
    asked = [
        {"system": "bm25", "metric": "newer-above-older", "values": dict.fromkeys(values, 0.0)},
        {"system": "reverie", "metric": "newer-above-older", "values": values},
    ]
    return {"rows": [{"set": name}], "questions": asked, "seed": 0}


def test_sets_stand_apart_and_pooled() -> None:
    """Each with its number of questions; every system beside the others, with its interval."""
    told = section([content("beam", {"a": 1.0, "b": 1.0}), content("longmemeval", {"c": 1.0, "d": 0.0})])
    lines = [line for line in told.splitlines() if line.startswith("| the newer")]
    assert lines[0].endswith("| BEAM 100K | 2 | 0.0 (0.0–0.0) | 100.0 (100.0–100.0) |")
    assert "| LongMemEval-S | 2 | 0.0 (0.0–0.0) | 50.0 (0.0–100.0) |" in lines[1]
    assert "| pooled | 4 | 0.0 (0.0–0.0) | 75.0 (" in lines[2]
    assert len(lines) == 3


def test_one_set_is_not_pooled_and_nothing_says_nothing() -> None:
    """A pooled row of one set would say the same again."""
    assert "pooled" not in section([content("beam", {"a": 1.0})]).split("|", 1)[1]
    assert section([]) == ""


def test_a_mechanism_taken_out_stands_apart_and_says_what_it_is_worth() -> None:
    """Paired by question; what is wrongly marked is better the less there is of it."""
    values = {"reverie": ({"a": 1.0, "b": 1.0}, {"c": 0.0, "d": 0.0}), "-newer": ({"a": 0.0, "b": 0.0}, {"c": 1.0})}
    asked = [
        {"system": system, "metric": metric, "values": found}
        for system, pair in values.items()
        for metric, found in zip(("newer-above-older", "wrongly-outdated"), pair, strict=True)
    ]
    main, worth = section([{"rows": [{"set": "beam"}], "questions": asked, "seed": 0}]).split("What each mechanism")
    assert "-newer" not in main
    assert "| the newer stands above the older | BEAM 100K | +100.0 (+100.0 … +100.0) ✓ |" in worth
    assert "| evidence of other questions marked as outdated | BEAM 100K | -100.0 (-100.0 … -100.0) ✓ |" in worth


def test_what_was_written_for_this_is_not_pooled_with_the_public_sets() -> None:
    """It has a row of its own."""
    told = section([content(name, {name: 1.0}) for name in ("beam", "longmemeval", "updates")])
    rows = [line.split(" | ")[1:3] for line in told.splitlines() if line.startswith("| the newer")]
    assert rows == [["BEAM 100K", "1"], ["LongMemEval-S", "1"], ["everyday updates", "1"], ["pooled", "2"]]
