from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from reverie.engine.runtime import FixedClock
from reverie.errors import InvalidSetting
from reverie.ops.log import OpsCounts, OpsEntry, OpsLog, OpsLogSettings

CLOCK = FixedClock(datetime(2026, 3, 1, 12, tzinfo=UTC))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the log is."""
    return tmp_path / "ops-log.jsonl"


@pytest.fixture
def log(path: Path) -> Iterator[OpsLog]:
    """A log of its own, closed after the test."""
    made = OpsLog(path, CLOCK)
    yield made
    made.close()


def records(path: Path) -> list[dict[str, Any]]:
    """What stands in the file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.req("D19")
def test_entries_are_written_in_order(log: OpsLog, path: Path) -> None:
    """Each is a line, with the clock's time."""
    for number in range(50):
        log.write(OpsEntry("recall", result_count=number))
    assert log.flush()
    assert [record["resultCount"] for record in records(path)] == list(range(50))
    assert {record["ts"] for record in records(path)} == {"2026-03-01T12:00:00Z"}
    assert log.counts == OpsCounts(50, 0)


@pytest.mark.req("D19")
def test_nobody_waits_for_the_disk(path: Path) -> None:
    """While the log's thread hangs, writing goes on; what the queue cannot hold is dropped and counted."""
    go_on, begun = Event(), Event()

    def mask(text: str) -> str:
        begun.set()
        assert go_on.wait(30)
        return text

    log = OpsLog(path, CLOCK, mask, OpsLogSettings(queue_size=3))
    log.write(OpsEntry("recall", input="first"))
    assert begun.wait(30)
    for _ in range(5):
        log.write(OpsEntry("recall"))
    assert log.counts == OpsCounts(0, 2)
    assert not log.flush(0.001)
    go_on.set()
    assert log.close()
    assert log.counts == OpsCounts(4, 2)


@pytest.mark.req("D19")
@pytest.mark.parametrize(
    "place", ["file-for-folder/ops-log.jsonl", "folder", "/dev/full", "/proc/nothing/ops-log.jsonl"]
)
def test_a_disk_that_fails_fails_nobody(tmp_path: Path, place: str) -> None:
    """No folder, a folder in its place, a full disk, a place that cannot be written: dropped and counted."""
    (tmp_path / "file-for-folder").touch()
    (tmp_path / "folder").mkdir()
    log = OpsLog(tmp_path / place, CLOCK)
    log.write(OpsEntry("recall"))
    assert log.close()
    assert log.counts == OpsCounts(0, 1)


def test_a_mask_that_fails_lets_nothing_through(path: Path) -> None:
    """The line is dropped, the next one written."""

    def mask(text: str) -> str:
        if text == "bad":
            raise ValueError(text)
        return text

    log = OpsLog(path, CLOCK, mask)
    log.write(OpsEntry("recall", input="bad"))
    log.write(OpsEntry("recall", input="good"))
    assert log.close()
    assert [record["input"] for record in records(path)] == ["good"]
    assert log.counts == OpsCounts(1, 1)


def test_texts_are_masked_and_shortened(path: Path) -> None:
    """Both of them, unless whole texts are asked for; masked they are either way."""
    text = "my key is sk-1 and " + "so on " * 5_000

    def mask(text: str) -> str:
        return text.replace("sk-1", "***")

    for settings in (OpsLogSettings(), OpsLogSettings(head_chars=None)):
        log = OpsLog(path, CLOCK, mask, settings)
        log.write(OpsEntry("remember", input=text, output=text))
        assert log.close()
    short, whole = records(path)
    assert short["input"] == short["output"]
    assert short["input"].startswith("my key is *** and so on")
    assert len(short["input"]) <= 81
    assert whole["output"] == mask(text)


def test_what_comes_after_the_end_is_dropped(log: OpsLog, path: Path) -> None:
    """Closing twice is closing once; a late flush has nothing to wait for."""
    log.write(OpsEntry("recall"))
    assert log.close()
    assert log.close()
    assert log.flush()
    log.write(OpsEntry("recall"))
    assert log.counts == OpsCounts(1, 1)
    assert len(records(path)) == 1


PROGRAM = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from reverie.engine.runtime import FixedClock
from reverie.ops.log import OpsEntry
from reverie.ops.log import OpsLog

log = OpsLog(Path(sys.argv[1]), FixedClock(datetime(2026, 3, 1, tzinfo=UTC)))
log.write(OpsEntry("before"))
log.flush()
if sys.argv[2] == "fork" and os.fork() == 0:
    log.write(OpsEntry("child"))
    log.flush()
    os._exit(0)
if sys.argv[2] == "fork":
    os.wait()
log.write(OpsEntry("end"))
"""


@pytest.mark.parametrize(("way", "ops"), [("plain", ["before", "end"]), ("fork", ["before", "child", "end"])])
def test_the_end_of_the_process_writes_what_waits(path: Path, way: str, ops: list[str]) -> None:
    """Without being closed; and a forked child writes by itself."""
    subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM, str(path), way], check=True, timeout=60)
    assert [record["op"] for record in records(path)] == ops


def test_a_long_queue_holds_no_long_texts(path: Path) -> None:
    """A megabyte that waits is cut before it waits."""
    go_on, begun = Event(), Event()
    lengths: list[int] = []

    def mask(text: str) -> str:
        begun.set()
        assert go_on.wait(30)
        lengths.append(len(text))
        return text

    log = OpsLog(path, CLOCK, mask)
    log.write(OpsEntry("first", input="x"))
    assert begun.wait(30)
    log.write(OpsEntry("second", input="x" * 1_000_000))
    waiting = log._queue.get_nowait()  # what is kept in memory is no part of the interface, and the point here
    assert isinstance(waiting, tuple)
    assert len(waiting[0].input) < 5_000
    go_on.set()
    log.close()


@pytest.mark.parametrize("wrong", [{"queue_size": 0}, {"max_bytes": 0}, {"head_chars": -1}])
def test_sizes_out_of_range_are_refused(wrong: dict[str, int]) -> None:
    """A queue for nothing, a file for nothing, a head of less than nothing."""
    with pytest.raises(InvalidSetting):
        OpsLogSettings(**wrong)


def test_this_process_is_the_writer(log: OpsLog) -> None:
    """Without a fork the thread that was started first is the one that writes."""
    log.write(OpsEntry("recall"))
    assert log.flush()
    assert log._process == os.getpid()
