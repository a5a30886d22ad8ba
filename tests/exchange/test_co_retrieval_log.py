"""The co-retrieval log: its form, its limit, two writers, and files that are none."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie.errors import InvalidExport
from reverie.exchange.co_retrieval_log import MAX_ENTRIES, ClusterCandidate, CoRetrieval, CoRetrievalLog

AT = datetime(2026, 2, 20, 5, tzinfo=UTC)


def entry(number: int) -> CoRetrieval:
    """A retrieval of two memories."""
    return CoRetrieval(AT + timedelta(seconds=number), "codegen", (f"m{number}", "shared"), number)


@pytest.mark.req("A8", "A16.15", "A16.16")
def test_an_entry_has_the_documented_form(tmp_path: Path) -> None:
    """Timestamp in UTC, domain, ids and cycle; the first makes the file."""
    log = CoRetrievalLog(tmp_path / "usr" / "co_retrieval_log.json")
    log.append(CoRetrieval(AT, "codegen", ("abc123", "ğ-😀"), 42))
    held = json.loads((tmp_path / "usr" / "co_retrieval_log.json").read_text(encoding="utf-8"))
    assert held == {
        "max_entries": 500,
        "entries": [
            {
                "timestamp": "2026-02-20T05:00:00Z",
                "query_domain": "codegen",
                "memory_ids": ["abc123", "ğ-😀"],
                "cycle": 42,
            }
        ],
        "cluster_candidates": [],
    }
    assert log.entries() == [CoRetrieval(AT, "codegen", ("abc123", "ğ-😀"), 42)]


@pytest.mark.req("A8", "A16.17")
def test_the_oldest_entries_go_first(tmp_path: Path) -> None:
    """Five hundred stay."""
    path = tmp_path / "log.json"
    log = CoRetrievalLog(path)
    held: dict[str, object] = {"cluster_candidates": []}
    held["entries"] = [
        {"timestamp": "2026-02-20T05:00:00Z", "query_domain": "", "memory_ids": [], "cycle": n} for n in range(499)
    ]
    path.write_text(json.dumps(held), encoding="utf-8")
    for number in (499, 500, 501):
        log.append(entry(number))
    cycles = [one.cycle for one in log.entries()]
    assert cycles == list(range(2, 502))
    assert len(cycles) == MAX_ENTRIES == 500


@pytest.mark.req("A9", "A16.18")
def test_candidates_stand_in_the_same_file(tmp_path: Path) -> None:
    """With ids, count, first and last; entries and candidates leave one another alone."""
    log = CoRetrievalLog(tmp_path / "log.json")
    log.append(entry(1))
    found = [ClusterCandidate(("abc123", "def456"), 7, AT, AT + timedelta(days=1))]
    log.set_candidates(found)
    log.append(entry(2))
    assert log.candidates() == found
    assert [one.cycle for one in log.entries()] == [1, 2]
    held = json.loads((tmp_path / "log.json").read_text(encoding="utf-8"))
    assert held["cluster_candidates"][0]["co_retrieval_count"] == 7


@pytest.mark.req("A8")
def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    """Two processes at once: every entry of both is there, and the file is whole."""
    code = (
        "import sys; from pathlib import Path; from datetime import UTC, datetime;"
        "from reverie.exchange.co_retrieval_log import CoRetrieval, CoRetrievalLog;"
        "log = CoRetrievalLog(Path(sys.argv[1]));"
        "[log.append(CoRetrieval(datetime(2026, 2, 20, tzinfo=UTC), sys.argv[2], ('a', 'b'), n)) for n in range(40)]"
    )
    path = tmp_path / "log.json"
    writers = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in ("one", "other")]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    found = CoRetrievalLog(path).entries()
    for name in ("one", "other"):
        assert [one.cycle for one in found if one.domain == name] == list(range(40))


@pytest.mark.parametrize("content", ["", "[]", "{", '{"entries": 3}'])
def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path, content: str) -> None:
    """With what to do about it."""
    path = tmp_path / "log.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InvalidExport, match="no co-retrieval log"):
        CoRetrievalLog(path).append(entry(1))
    assert path.read_text(encoding="utf-8") == content
