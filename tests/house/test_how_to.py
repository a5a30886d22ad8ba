"""What the how-to guides show, runs: each page's shell commands, in an empty folder with an empty home."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from reverie.faces.cli import main
from tests.house.code import ROOT, shown

SHELL_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GUIDES = sorted((ROOT / "docs" / "how-to").glob("*.md"))
WITH_COMMANDS = [page for page in GUIDES if SHELL_BLOCK.search(page.read_text(encoding="utf-8"))]
MOST_WORDS = 300


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=shown)
def test_the_commands_of_a_guide_run_as_they_are_written(page: Path, tmp_path: Path) -> None:
    """All shell blocks of a page, one after another; those marked as a console's are not run."""
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir()
    folder.mkdir()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    script = "".join(SHELL_BLOCK.findall(page.read_text(encoding="utf-8")))
    done = subprocess.run(
        ["sh", "-eu"],
        input=script,
        cwd=folder,
        env={
            "HOME": str(home),
            "PATH": path,
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT / "src"),
            "REVERIE_HOOK_COMMAND_LINE": "false",
        },
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Nothing here answers that" not in done.stdout


def test_the_first_question_of_the_documentation_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After what `setup` remembers: what a newcomer types first is not answered with a doubt."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    page = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
    typed = re.findall(r"^    reverie ((?:remember|recall|explain) .*)$", page, re.MULTILINE)
    assert len(typed) == 3
    for command in ("setup python --yes", *typed):
        done = CliRunner().invoke(main, shlex.split(command))
        assert done.exit_code == 0, done.output
        assert "Nothing here answers that" not in done.output


@pytest.mark.parametrize("page", GUIDES, ids=shown)
def test_a_guide_is_short(page: Path) -> None:
    """At most 300 words outside of its code blocks."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert len(prose.split()) <= MOST_WORDS
