"""What living with a store for hours measures, on a short life; and that it would notice growth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tools.endurance import EVENT_BYTES, LOG_BYTES, Life, Sample, growing

pytestmark = pytest.mark.req("D52")


@pytest.mark.soak
def test_nothing_grows_without_bound(tmp_path: Path, share: Callable[[int], int]) -> None:
    """File, log and process after many rounds of writing, recalling, dreaming, erasing and repairing."""
    rounds = share(100)
    samples = Life(tmp_path / "store.db").run(lambda done: done < rounds)
    assert growing(samples) == []
    assert samples[-1].events > rounds * 10
    assert [path.name for path in tmp_path.iterdir() if "before-repair" in path.name] == []


def test_growth_is_noticed() -> None:
    """Of each of the three; a store that grows by its tombstones alone does not count."""
    calm = [Sample(10_000 + 300 * n, 4096, 50 << 20, n, 100) for n in range(0, 9000, 100)]
    assert growing(calm) == []
    end = calm[-1]
    assert "the file" in growing([*calm, replace(end, file=end.events * EVENT_BYTES * 2)])[0]
    assert "the log" in growing([*calm, replace(end, log=LOG_BYTES + 1)])[0]
    assert "the process" in growing([*calm, replace(end, process=200 << 20)])[0]
