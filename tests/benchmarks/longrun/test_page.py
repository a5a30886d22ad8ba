"""The long run's page: figures, ratios, and where a mechanism helps or harms."""

from __future__ import annotations

from dataclasses import asdict, replace

from benchmarks.longrun.page import section, verdicts
from benchmarks.results import LongRow, PairedLongRow


def pair(metric: str, low: float, high: float, better: int) -> PairedLongRow:
    """With all minus without repeats."""
    return PairedLongRow(
        "reverie", "-repeats", metric, "20x/500", 9, (low + high) / 2, low, high, 1.5, 1.2, None, better
    )


def content(*pairs: PairedLongRow) -> dict[str, object]:
    """A result of one cell."""
    row = LongRow("reverie", "evidence", "20x/500", "answerable", 9, 0.5, 0.4, 0.6)
    return {"set": "locomo", "rows": [asdict(row)], "paired": [asdict(one) for one in pairs], "counts": {"lives": 2}}


def test_figures_stand_in_their_columns() -> None:
    """Shares in percent; what was not measured is a dash."""
    text = section(content())
    assert "Noise 20x, 500 memories awake at most" in text
    assert "| reverie | – | 50.0 | – |" in text
    assert section({"rows": []}) == ""


def test_an_interval_beside_nothing_is_marked() -> None:
    """Help where more is better and where less is; harm; neither."""
    text = section(
        content(
            pair("evidence_per_1000_tokens", 0.1, 0.3, 1),
            pair("stale_injected", -0.3, -0.1, -1),
            pair("junk_share", 0.1, 0.2, -1),
            pair("evidence", -0.1, 0.1, 1),
        )
    )
    assert "+0.20 (+0.10 … +0.30) ✓" in text
    assert "-0.20 (-0.30 … -0.10) ✓" in text
    assert "+15.0 (+10.0 … +20.0) ✗" in text
    assert "+0.0 (-10.0 … +10.0) |" in text


def test_where_a_mechanism_helps_is_told_over_all_files() -> None:
    """By metric and cell; what acts only in a dream says so."""
    evidence = pair("evidence_per_1000_tokens", 0.1, 0.3, 1)
    night = replace(pair("live", -9.0, -8.0, -1), against="-resting")
    hosts = {**content(evidence, pair("junk_share", 0.1, 0.2, -1)), "messages": 250, "questions": True}
    text = verdicts([{**content(evidence, night), "messages": 60}, hosts])
    both = "20x/500 of 60, 20x/500 of 250 questions kept"
    assert (
        f"| repeats | always | evidence per 1000 tokens ({both}) | junk share (20x/500 of 250 questions kept) |" in text
    )
    assert "| resting | in a dream | live (20x/500 of 60) | nowhere |" in text
    assert verdicts([content()]) == ""
