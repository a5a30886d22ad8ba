"""The server of tests is shared by the processes of a run, and ends with the last of them, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.house.code import ROOT
from tests.postgres_server import WHY_NOT

pytestmark = [
    pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT),
    pytest.mark.skipif("REVERIE_TEST_PG" in os.environ, reason="another server is named"),
]
USES = """
import sys
from pathlib import Path
from tools.postgres import shared, using
with using(Path(sys.argv[1])):
    print(shared(Path(sys.argv[1])), flush=True)
    sys.stdin.read()
"""
OWNS = """
import sys
from tools.postgres import Server
server = Server()
server.make()
server.start()
print(server.url(), flush=True)
sys.stdin.read()
"""


def started(code: str, *arguments: object) -> tuple[subprocess.Popen[str], str]:
    """A process, and the address it tells."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def killed(process: subprocess.Popen[str]) -> None:
    """End it as a crash does."""
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def answers(address: str) -> bool:
    """Whether the server is there."""
    import psycopg

    try:
        psycopg.connect(address, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def gone(address: str) -> bool:
    """Whether the server ends soon, with its folder."""
    folder, until = Path(address.partition("host=")[2]), time.monotonic() + 30
    while answers(address) or folder.exists():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_a_run_has_one_server_until_its_last_process_has_ended(tmp_path: Path) -> None:
    """Both use the same one; it stays when one is killed, and goes when both are."""
    (one, first), (two, second) = started(USES, tmp_path), started(USES, tmp_path)
    assert first == second
    killed(one)
    assert answers(first)
    killed(two)
    assert gone(first)


def test_a_server_ends_with_the_process_that_started_it() -> None:
    """Killed, without a chance to stop it."""
    process, address = started(OWNS)
    assert answers(address)
    killed(process)
    assert gone(address)
