"""What the house tests look at: the project's files, their syntax trees, their functions.

In: the checkout this file lies in. Out: paths and nodes, in a fixed order.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "reverie"
CODE = ("src", "benchmarks", "tools")
"""Where code lives that the limits on functions hold for."""

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Function(NamedTuple):
    """A function, and the file it is written in."""

    path: Path
    node: FunctionNode

    @property
    def place(self) -> str:
        """``file:line name``, for a message one can click on."""
        return f"{shown(self.path)}:{self.node.lineno} {self.node.name}"


def shown(path: Path) -> str:
    """The path as seen from the checkout."""
    return path.relative_to(ROOT).as_posix()


def python_files(*folders: str) -> list[Path]:
    """Every Python file of these folders, sorted."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(*folders: str) -> Iterator[Function]:
    """Every function and method of these folders, the nested ones too."""
    for path in python_files(*folders):
        for node in ast.walk(tree(path)):
            if isinstance(node, FunctionNode):
                yield Function(path, node)


def module_name(path: Path) -> str:
    """``reverie.recall.signals`` for the file that holds it."""
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def project_files() -> list[Path]:
    """What is committed or about to be: git's list where there is git, else every file that is not hidden."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        listed = [shown(path) for path in ROOT.rglob("*") if not any(part.startswith(".") for part in path.parts)]
    return sorted(path for name in listed if name and (path := ROOT / name).is_file())
