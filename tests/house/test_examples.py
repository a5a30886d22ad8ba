"""What the documentation shows, runs: docstrings, the README and the first pages."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from tests.house.code import ROOT, module_name, python_files, shown

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WITH_EXAMPLES = [path for path in python_files("src") if ">>> " in path.read_text(encoding="utf-8")]
PAGES = [
    path
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs").glob("*/*.md"))]
    if PYTHON_BLOCK.search(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=shown)
def test_examples_in_docstrings_run(path: Path) -> None:
    """The examples in a module's docstrings print what they say they print."""
    result = doctest.testmod(importlib.import_module(module_name(path)))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_python_on_the_pages_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python blocks of a page run, one after another, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for block in PYTHON_BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, shown(page), "exec"), names)
