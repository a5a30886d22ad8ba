from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from reverie.engine.runtime import FixedClock
from reverie.ops.log import OpsEntry, OpsLog, OpsLogSettings, read_log, tokens_on
from reverie.types import Scope


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log over three files and two days, with a torn and a foreign line in it."""
    path = tmp_path / "ops-log.jsonl"
    clock = FixedClock(datetime(2026, 3, 1, 23, tzinfo=UTC))
    log = OpsLog(path, clock, settings=OpsLogSettings(max_bytes=700))
    for number in range(6):
        log.write(OpsEntry("merge", tokens_in=100, tokens_out=number, success=number != 3, fallback=number == 3))
        clock.at += timedelta(minutes=20)
        log.flush()
    log.close()
    with path.open("ab") as file:
        file.write(b'{"op": "torn\n[]\nnull\n\xff\n{"op": "old", "tokensIn": null}\n')
    return path


def test_records_come_in_the_order_of_writing(path: Path) -> None:
    """Over all files; what is no record is passed over."""
    lines = list(read_log(path))
    assert [line.op for line in lines] == ["merge"] * 6 + ["old"]
    assert [line.tokens for line in lines] == [100, 101, 102, 103, 104, 105, 0]
    assert [line.success for line in lines] == [True, True, True, False, True, True, False]
    assert [line.fallback for line in lines[:6]] == [False, False, False, True, False, False]
    assert len(list(path.parent.iterdir())) > 1


def test_a_day_has_its_tokens(path: Path) -> None:
    """From midnight to midnight, UTC."""
    assert tokens_on(path, date(2026, 3, 1)) == 303
    assert tokens_on(path, date(2026, 3, 2)) == 312
    assert tokens_on(path, date(2026, 3, 3)) == 0


def test_what_is_too_old_is_not_opened(path: Path) -> None:
    """A file put aside yesterday holds nothing of today: a store that starts must not read its whole past."""
    old = path.with_name("ops-log-2026-02-28.jsonl")
    old.write_text('{"ts": "2026-03-02T00:00:00Z", "tokensIn": 1000}\n')  # a lie, to see whether it is read
    assert tokens_on(path, date(2026, 3, 2)) == 312
    assert tokens_on(path, date(2026, 2, 28)) == 0


def test_no_log_is_an_empty_one(tmp_path: Path) -> None:
    """Nothing was spent where nothing was written."""
    assert list(read_log(tmp_path / "ops-log.jsonl")) == []
    assert tokens_on(tmp_path / "no" / "ops-log.jsonl", date(2026, 3, 1)) == 0


def test_a_line_s_scope_is_read_back(tmp_path: Path) -> None:
    """What names none, or nothing that can be one, has none."""
    log = OpsLog(tmp_path / "ops-log.jsonl", FixedClock(datetime(2026, 3, 1, tzinfo=UTC)))
    log.write(OpsEntry("recall", scope=Scope("helper", "ada", "home")))
    log.write(OpsEntry("merge"))
    log.close()
    with (tmp_path / "ops-log.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"op": "a", "scope": []}\n{"op": "b", "scope": {"agent": "x", "user": 3, "project": "y"}}\n')
    found = [line.scope for line in read_log(tmp_path / "ops-log.jsonl")]
    assert found == [Scope("helper", "ada", "home"), None, None, None]
