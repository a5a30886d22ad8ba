"""The plugin's own tests, which are JavaScript: run with Node where there is one, against this very Reverie."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).resolve().parents[2] / "plugins" / "openclaw"
LEAST = 20
"""The Node that has a test runner and `AbortSignal.any`; OpenClaw itself needs a newer one."""
FILES = sorted(PLUGIN.glob("test/*.test.mjs"))


@pytest.fixture(scope="module")
def node() -> str:
    """A Node that is new enough."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("the plugin's tests need Node, which is not there")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.lstrip("v").partition(".")[0]) < LEAST:
        pytest.skip(f"the plugin's tests need Node {LEAST} or newer, and this is {version}")
    return found


@pytest.mark.req("C3", "C4", "C5", "C6", "C7", "C9", "C10")
@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name.partition(".")[0])
def test_the_plugin_does_what_it_says(node: str, file: Path, tmp_path: Path) -> None:
    """Every test of the file passes; nothing of the machine's own settings reaches it."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "OMP_NUM_THREADS") if name in os.environ}
    command = json.dumps([sys.executable, "-c", "from reverie.faces.start import main; main()"])
    done = subprocess.run(
        [node, "--test", "--test-reporter=tap", file],
        env={**kept, "HOME": str(tmp_path), "REVERIE_COMMAND": command},
        cwd=PLUGIN,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    failed = "\n".join(part for part in done.stdout.split("# Subtest: ") if "\nnot ok" in part)
    assert done.returncode == 0, failed or done.stdout + done.stderr
    assert "\n# skipped 0\n" in done.stdout


def test_there_are_tests_to_run() -> None:
    """A pattern that finds nothing would pass in silence."""
    assert {file.name.partition(".")[0] for file in FILES} >= {
        "backend",
        "commands",
        "index",
        "tools",
        "turns",
        "whole",
    }
