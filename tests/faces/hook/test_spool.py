"""The spool: calls in private files, oldest first, none twice."""

from __future__ import annotations

import os
from pathlib import Path

from reverie.faces.hook.frames import KEPT_S, Spool


def test_calls_come_back_in_order_until_they_are_done(tmp_path: Path) -> None:
    """By stamp, whatever the order of laying down; private; gone when done, and done twice is done."""
    spool = Spool(tmp_path / "spool")
    for stamp in ("2-1", "1-1", "3-1"):
        spool.put(stamp, stamp.encode())
    assert [stamp for stamp, _ in spool.waiting()] == ["1-1", "2-1", "3-1"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "spool").iterdir())
    spool.done("2-1")
    spool.done("2-1")
    assert list(spool.waiting()) == [("1-1", b"1-1"), ("3-1", b"3-1")]


def test_the_same_call_twice_is_one(tmp_path: Path) -> None:
    """A stamp names one file."""
    spool = Spool(tmp_path)
    spool.put("1-1", b"a")
    spool.put("1-1", b"a")
    assert list(spool.waiting()) == [("1-1", b"a")]


def test_there_is_no_spool_yet(tmp_path: Path) -> None:
    """Nothing waits where nothing was ever laid down."""
    assert list(Spool(tmp_path / "none").waiting()) == []


def test_what_is_known_or_cannot_be_read_keeps_nothing_back(tmp_path: Path) -> None:
    """A call in hand is not read again at each look, and what is no file does not stand in the way of the rest."""
    spool = Spool(tmp_path)
    for stamp in ("1-1", "2-1"):
        spool.put(stamp, b"a")
    (tmp_path / "1-2").mkdir()
    assert list(spool.waiting(lambda stamp: stamp == "1-1")) == [("2-1", b"a")]


def test_leavings_are_swept(tmp_path: Path) -> None:
    """Half a file of a process that died goes after a minute, a call nobody could keep after a month."""
    for name, age in ((".1-1.part", 61), (".2-1.part", 1), ("3-1", KEPT_S + 60), ("4-1", 61)):
        path = tmp_path / name
        path.write_bytes(b"x")
        then = path.stat().st_mtime - age
        os.utime(path, (then, then))
    assert [stamp for stamp, _ in Spool(tmp_path).waiting()] == ["4-1"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".2-1.part", "4-1"]
