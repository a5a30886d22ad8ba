"""Each module has the test file one would look for: recall/fuse.py ↔ tests/recall/test_fuse.py."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.house.code import ROOT, SOURCE, shown, tree

ELSEWHERE = {
    "__init__.py": "tests/house/test_imports.py fetches every public name, test_examples.py runs its example",
    "errors.py": "tests/house/test_errors.py compares the tree drawn in it with its classes",
    "recipes/recipe.py": "a protocol without code; tests/recipes/test_named.py holds every recipe to it",
    "ports.py": "protocols without code; the contract suites hold the adapters to them",
}
"""Modules without a mirrored test, and what tests them instead."""


def holds_code(path: Path) -> bool:
    """Whether a module defines anything that runs: a function, or a class with one."""
    return any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in ast.walk(tree(path)))


def mirror(path: Path) -> Path:
    """Where the tests of a module are looked for; those of a package's own __init__ bear the package's name."""
    inside = path.relative_to(SOURCE)
    if inside.name == "__init__.py":
        inside = inside.with_name(f"{inside.parent.name or 'reverie'}.py")
    return ROOT / "tests" / inside.with_name(f"test_{inside.name}")


def test_every_module_has_its_test_file() -> None:
    """A module that holds code is mirrored under tests, or says above where it is tested."""
    modules = [path for path in sorted(SOURCE.rglob("*.py")) if holds_code(path)]
    missing = {shown(path): shown(mirror(path)) for path in modules if not mirror(path).is_file()}
    excused = {f"src/reverie/{name}" for name in ELSEWHERE}
    assert {name: wanted for name, wanted in missing.items() if name not in excused} == {}


def test_no_exemption_outlives_its_module() -> None:
    """Each module exempted above is there, and has no mirrored test after all."""
    for name in ELSEWHERE:
        assert (SOURCE / name).is_file(), name
        assert not mirror(SOURCE / name).is_file(), name


def test_every_folder_of_tests_mirrors_a_room() -> None:
    """A folder of tests is named after a room of the package, after the benchmarks or tools, or is this one."""
    whole = {"house", "browser", "reliability", "agent_zero", "openclaw"}  # what no single room can answer for
    beside = whole | {"benchmarks", "tools", "data"}
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir()} | beside
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert folders <= rooms
