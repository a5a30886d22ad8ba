"""Settings are read in one place: nobody else opens a folder's file, or decides what of it holds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house.code import module_name, python_files, shown, tree

READS = {"reverie.config.loader", "reverie.config.trust", "reverie.config.sections", "reverie.hosts.toml_edit"}
"""The loader, what it reads with, and the editor of other programs' files."""
NAMES = {"reverie.faces.cli.setup", "reverie.faces.cli.exits", "reverie.config"}
"""They name the file: to write a new one, to keep others from writing over it, to find a project's root."""

LISTS = "reverie.engine.databases"
"""It reads a file that the user names as the store: a list of databases, and no settings."""


def taken(module: ast.AST) -> set[str]:
    """What of the means to read settings by hand a module uses: TOML, the file's name, the loader that tells nobody."""
    found = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {one.name for one in node.names} | {node.module or ""}
        elif isinstance(node, ast.Constant) and node.value == "reverie.toml":
            found.add("PROJECT_FILE")
    return found & {"tomllib", "PROJECT_FILE", "load_settings", "seek"}


@pytest.mark.parametrize("path", python_files("src"), ids=shown)
def test_one_loader_reads_a_folders_file(path: Path) -> None:
    """Every face, host and engine asks ``load``, which says what does not hold."""
    name = module_name(path)
    used = taken(tree(path))
    if name in READS:
        return
    allowed = {"PROJECT_FILE", "load_settings"} if name in NAMES else set()
    allowed |= {"seek"} if name == "reverie.faces.cli.setup" else set()  # to take back, not to read
    allowed |= {"tomllib"} if name == LISTS else set()
    assert used - allowed == set()


@pytest.mark.parametrize(
    "code", ["import tomllib", "from reverie.config import load_settings", 'open("reverie.toml")', "from x import seek"]
)
def test_another_way_would_be_found(code: str) -> None:
    """Each spelling is."""
    assert taken(ast.parse(code))
