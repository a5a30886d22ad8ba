"""The vault benchmark end to end: small, with real processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.vault import Plan, run


@pytest.mark.req("B3", "B9")
@pytest.mark.usefixtures("scripts")
def test_it_measures_search_and_maintenance(tmp_path: Path) -> None:
    """A row an operation; a second maintenance on the day that changed a byte would be an error."""
    rows = run(Plan((40,), tmp_path, searches=2))
    assert [row.op for row in rows] == [
        "search-script",
        "search-script-cold",
        "search-command",
        "search-running",
        "maintain",
        "maintain-again",
    ]
    assert all(row.size == 40 and 0 < row.p50_ms <= row.p95_ms for row in rows)
