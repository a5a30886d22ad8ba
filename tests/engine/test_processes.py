"""Two processes at one store: everything is there, nothing twice, and nobody sees an error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.engine.conftest import open_at
from tests.engine.writer import SCOPE

ROOT = Path(__file__).parents[2]


def start(file: Path, name: str, count: int) -> subprocess.Popen[str]:
    """Start a writer."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.engine.writer", str(file), name, str(count)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_processes_write_and_recall_at_once(tmp_path: Path, share: Callable[[int], int]) -> None:
    """2,000 interleaved writes and recalls (a tenth by default) leave a whole store and no complaint."""
    file = tmp_path / "memory.db"
    each = share(2000) // 2
    with open_at(str(file)) as engine:
        writers = [start(file, name, each) for name in ("one", "two")]
        outputs = [writer.communicate() for writer in writers]
        assert [(writer.returncode, error) for writer, (_, error) in zip(writers, outputs, strict=True)] == [
            (0, "")
        ] * 2
        acknowledged = [line for output, _ in outputs for line in output.split()]
        kept = engine.timeline(SCOPE)
        assert sorted(memory.id for memory in kept) == sorted(acknowledged)
        assert len({memory.text for memory in kept}) == 2 * each
        assert engine.recall("one note 3", SCOPE).hits
        assert engine.admin.verify() == []


def test_one_process_sees_what_another_wrote(tmp_path: Path) -> None:
    """A long-running reader is never stale."""
    file = tmp_path / "memory.db"
    with open_at(str(file)) as reader, open_at(str(file)) as writer:
        assert reader.recall("kites", SCOPE).hits == ()
        kept = writer.remember("note about kites", SCOPE).id
        assert [hit.memory.id for hit in reader.recall("kites", SCOPE).hits] == [kept]
        writer.forget(kept, SCOPE)
        assert reader.recall("kites", SCOPE).hits == ()
