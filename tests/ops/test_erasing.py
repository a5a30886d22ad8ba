from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.engine.runtime import FixedClock
from reverie.ops.log import ERASED, OpsEntry, OpsLog, OpsLogSettings, erase_texts, read_log

CLOCK = FixedClock(datetime(2026, 3, 1, 12, tzinfo=UTC))


def test_texts_go_and_figures_stay(tmp_path: Path) -> None:
    """In every file; what is no record goes whole; the log is written on."""
    path = tmp_path / "ops-log.jsonl"
    log = OpsLog(path, CLOCK, settings=OpsLogSettings(max_bytes=600))
    for number in range(5):
        log.write(OpsEntry("merge", input="her secret", output="the secret of her" * number, tokens_in=number))
    log.flush()
    with path.open("ab") as file:
        file.write(b'{"op": "secret\n["secret"]\n')
    assert log.erase_texts() == 7
    log.write(OpsEntry("recall", input="after"))
    log.close()
    lines = [dict(line.fields) for line in read_log(path)]
    assert [line["tokensIn"] for line in lines] == [0, 1, 2, 3, 4, None]
    assert [line["input"] for line in lines] == [ERASED] * 5 + ["after"]
    assert lines[0]["output"] == ""
    assert not [part for part in tmp_path.iterdir() if b"secret" in part.read_bytes()]
    assert {part.stat().st_mode & 0o077 for part in tmp_path.iterdir()} == {0}


def test_nothing_to_erase(tmp_path: Path) -> None:
    """No log, no lines; and none is made."""
    assert erase_texts(tmp_path / "ops-log.jsonl") == 0
    assert list(tmp_path.iterdir()) == []


def test_a_text_that_stays_is_told(tmp_path: Path) -> None:
    """Where the file beside cannot be written, the caller hears of it, and the log is as it was."""
    path = tmp_path / "ops-log.jsonl"
    path.write_bytes(b'{"input": "secret"}\n')
    (tmp_path / f".ops-log.jsonl.{os.getpid()}.reverie").mkdir()
    with pytest.raises(OSError, match="reverie"):
        erase_texts(path)
    assert path.read_bytes() == b'{"input": "secret"}\n'
