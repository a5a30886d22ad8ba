from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie.engine.runtime import FixedClock
from reverie.ops.log import MAX_BYTES, RotatingFile, family, rewrite

LINE = b'{"op": "recall"}\n'


@pytest.fixture
def clock() -> FixedClock:
    """The first of March."""
    return FixedClock(datetime(2026, 3, 1, 12, tzinfo=UTC))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the log is; its folder is not there yet."""
    return tmp_path / "memory" / "ops-log.jsonl"


@pytest.mark.req("D19")
def test_ten_megabytes_and_no_more(path: Path, clock: FixedClock) -> None:
    """The line that would pass ten megabytes begins a new file; the full one bears the date."""
    path.parent.mkdir()
    path.touch()
    file = RotatingFile(path, clock)
    os.truncate(path, 10 * 1024 * 1024 - len(LINE) - 1)  # the one more is the line break the hole lacks
    file.append(LINE)
    assert path.stat().st_size == MAX_BYTES == 10 * 1024 * 1024
    file.append(LINE)
    assert path.read_bytes() == LINE
    assert [part.name for part in family(path)] == ["ops-log-2026-03-01.jsonl", "ops-log.jsonl"]


def test_full_twice_on_one_day(path: Path, clock: FixedClock) -> None:
    """The second has a number, the next day begins anew; they are read in the order of writing, also past nine."""
    file = RotatingFile(path, clock, max_bytes=20)
    for number in range(12):
        file.append(b"%018d\n" % number)
    clock.at += timedelta(days=1)
    file.append(b"%018d\n" % 12)
    names = [part.name for part in family(path)]
    assert names[:3] == ["ops-log-2026-03-01.jsonl", "ops-log-2026-03-01-2.jsonl", "ops-log-2026-03-01-3.jsonl"]
    assert names[-2:] == ["ops-log-2026-03-02.jsonl", "ops-log.jsonl"]
    assert [int(part.read_bytes()) for part in family(path)] == list(range(13))


def test_a_line_larger_than_a_file_is_written_alone(path: Path, clock: FixedClock) -> None:
    """It is not cut and does not turn in circles."""
    file = RotatingFile(path, clock, max_bytes=5)
    file.append(LINE)
    file.append(LINE)
    assert [part.read_bytes() for part in family(path)] == [LINE, LINE]


def test_a_torn_line_does_not_spoil_the_next(path: Path, clock: FixedClock) -> None:
    """A process that died while writing leaves half a line; the next one begins on its own."""
    path.parent.mkdir()
    path.write_bytes(b'{"op": "rec')
    RotatingFile(path, clock).append(LINE)
    assert path.read_bytes() == b'{"op": "rec\n' + LINE


def test_only_the_owner_can_read_it(path: Path, clock: FixedClock) -> None:
    """It holds heads of memories."""
    RotatingFile(path, clock).append(LINE)
    assert (path.stat().st_mode & 0o077, path.parent.stat().st_mode & 0o077) == (0, 0)


def _linked(path: Path) -> None:
    victim = path.with_name("victim")
    victim.touch()
    path.symlink_to(victim)


def _named_twice(path: Path) -> None:
    victim = path.with_name("victim")
    victim.touch()
    path.hardlink_to(victim)


def _to_nowhere(path: Path) -> None:
    path.symlink_to(path.with_name("victim"))


def _device(path: Path) -> None:
    path.symlink_to("/dev/null")


ODD = [_linked, _named_twice, _to_nowhere, _device, os.mkfifo, Path.mkdir]


@pytest.mark.parametrize("make", ODD)
def test_only_an_ordinary_file_of_ours_is_written(path: Path, clock: FixedClock, make: Callable[[Path], None]) -> None:
    """Not what a link, a second name, a pipe or a device leads to: an error at once, and nothing is written."""
    path.parent.mkdir()
    make(path)
    for use in (lambda: RotatingFile(path, clock).append(LINE), lambda: rewrite(path, bytes.upper)):
        with pytest.raises(OSError, match="Errno"):
            use()
    victim = path.with_name("victim")
    assert not victim.exists() or victim.read_bytes() == b""


def test_another_users_file_is_not_written(path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever owns the log may read it and change it."""
    path.parent.mkdir()
    path.touch()
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    with pytest.raises(PermissionError, match="another user"):
        RotatingFile(path, clock).append(LINE)


def test_a_full_disk_is_an_error(path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there stays."""
    file = RotatingFile(path, clock)
    file.append(LINE)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        file.append(LINE)
    monkeypatch.undo()
    assert path.read_bytes() == LINE


def test_half_a_write_is_taken_back(path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes only a part of a line keeps none of it."""
    file = RotatingFile(path, clock)
    file.append(LINE)
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:4]))
    with pytest.raises(OSError, match="full"):
        file.append(LINE)
    monkeypatch.undo()
    assert path.read_bytes() == LINE


def test_a_folder_in_its_place_is_an_error(path: Path, clock: FixedClock) -> None:
    """Not a loop, not silence."""
    path.mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        RotatingFile(path, clock).append(LINE)


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from reverie.engine.runtime import FixedClock
from reverie.ops.log import RotatingFile

file = RotatingFile(Path(sys.argv[1]), FixedClock(datetime(2026, 3, 1, tzinfo=UTC)), max_bytes=500)
for number in range(300):
    file.append(f"{sys.argv[2]} {number}\\n".encode())
"""


@pytest.mark.req("D19")
def test_two_processes_lose_nothing(path: Path) -> None:
    """Both write, both put aside: every line is there once, whole, each writer's in its order, no file too large."""
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in ("a", "b")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    lines = [line for part in family(path) for line in part.read_text().splitlines()]
    for name in ("a", "b"):
        assert [line for line in lines if line.startswith(name)] == [f"{name} {number}" for number in range(300)]
    assert len(lines) == 600
    assert max(part.stat().st_size for part in family(path)) <= 500


def test_a_log_that_is_not_there_has_no_family(path: Path) -> None:
    """Neither folder nor file."""
    assert family(path) == []
