"""Change every number of every recipe, one at a time, and see that a test notices.

In: the constants of ``reverie.recipes``. Out: a line for each that no test noticed, how many were noticed in each file,
and exit code 1 if one was not. A number of a document must be noticed by a test that shows a requirement; one of our
own (``OURS``) by any. No file is touched: each run of the tests sees one number changed, by way of an import hook
(``-p tools.mutants``).
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

ROOT = Path(__file__).resolve().parents[1]
RECIPES = ROOT / "src" / "reverie" / "recipes"
TESTS = ("tests/recipes", "tests/recall", "tests/encode", "tests/consolidate", "tests/engine")
OURS = frozenset({"recipes", "default"})
"""Folders whose numbers no document gives."""
_ROOMS = {
    "recall": "recall",
    "encode": "encode",
    "working": "encode",
    "dream": "consolidate",
    "numbers": "consolidate",
}
"""Whose settings a file holds."""
_ENVIRONMENT = "REVERIE_MUTANT"
_WORKERS = 2
_PASSED, _NOTICED = 0, 1
"""Pytest's exit codes when every test passed, and when one failed."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number in a file: where it stands, what it is, and what it becomes."""

    path: Path
    line: int
    column: int
    value: float
    mutant: float

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}:{self.column} {self.value} → {self.mutant}"

    @property
    def key(self) -> str:
        """As it is handed to the process that tests it."""
        return f"{self.path}|{self.line}|{self.column}|{self.mutant!r}"


def constants(paths: Sequence[Path]) -> Iterator[Constant]:
    """Every number of these files, in order."""
    for path in paths:
        nodes = (n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Constant))
        for node in nodes:
            if isinstance(node.value, int | float) and not isinstance(node.value, bool):
                yield Constant(path, node.lineno, node.col_offset, node.value, changed(node.value))


def changed(value: float) -> float:
    """Another number of the same kind, near enough to be as sensible: a whole one is one more, others a tenth less."""
    if isinstance(value, int):
        return value + 1
    return round(value * 0.9, 12) if value else 0.01


def rounds(path: Path) -> tuple[tuple[str, ...], ...]:
    """The tests in the order in which they are asked about a file: its mirror's folder, its room, and the others."""
    own = f"tests/{path.parent.relative_to(RECIPES.parent).as_posix()}"
    mirrored = (own,) if (ROOT / own / f"test_{path.stem}.py").exists() else ()
    room = f"tests/{_ROOMS.get(path.stem, 'recipes')}"
    return mirrored, (room,), tuple(test for test in TESTS if test not in {*mirrored, room})


def noticed_by(constant: Constant) -> str:
    """The test that fails when the number is changed, the nearest there is; empty if every test passes."""
    return next(filter(None, (_failed(tests, constant) for tests in rounds(constant.path))), "")


def _failed(tests: Sequence[str], constant: Constant) -> str:
    """The first of these tests that fails with one number changed; empty if none does, or the run broke."""
    if not tests:
        return ""
    run = _pytest([*_chosen(constant.path), *tests], os.environ | {_ENVIRONMENT: constant.key})
    if run.returncode != _NOTICED:
        return ""
    told = (line.split(" - ")[0] for line in run.stdout.splitlines() if line.startswith(("FAILED ", "ERROR ")))
    return next(told, "a test")


def _chosen(*paths: Path) -> list[str]:
    """Which tests count for these files, as pytest has it."""
    return [] if any(path.parent.name in OURS for path in paths) else ["-m", "req"]


def _pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Without the plugins of other tests, whose loading takes longer than these tests."""
    command = [sys.executable, "-m", "pytest", "-p", "tools.mutants", "-x", "-q", *arguments]
    alone = {**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, encoding="utf-8", check=False)


def main(arguments: Sequence[str]) -> int:
    """Try the numbers of the files named, or of all recipes; ``--by``: tell of each which test noticed it."""
    names = [argument for argument in arguments if argument != "--by"]
    paths = [Path(name).resolve() for name in names] or sorted(RECIPES.rglob("*.py"))
    if _pytest([*_chosen(*paths), *TESTS], os.environ).returncode != _PASSED:
        print("The tests fail without any change: mend them first.", file=sys.stderr)
        return 2
    with ThreadPoolExecutor(_WORKERS) as pool:
        survivors = sum(tried(path, pool, telling="--by" in arguments) for path in paths)
    return int(survivors > 0)


def tried(path: Path, pool: ThreadPoolExecutor, *, telling: bool) -> int:
    """How many numbers of a file nobody noticed; each is told, and the others where ``telling``."""
    found = list(constants([path]))
    if not found:
        return 0
    alive = 0
    for constant, test in zip(found, pool.map(noticed_by, found), strict=True):
        alive += not test
        if telling or not test:
            print(f"{constant}: {test}" if test else f"survived {constant}", flush=True)
    print(f"{path.relative_to(ROOT)}: {len(found) - alive} of {len(found)} noticed", flush=True)
    return alive


class _Mutated(SourceFileLoader):
    """Loads one file with one number changed."""

    def __init__(self, name: str, path: str, line: int, column: int, value: float) -> None:
        super().__init__(name, path)
        self._where = (line, column)
        self._value = value

    def get_code(self, fullname: str) -> CodeType:
        """The code of the changed source; never from a cache."""
        path = self.get_filename(fullname)
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and (node.lineno, node.col_offset) == self._where:
                node.value = self._value
        return compile(tree, path, "exec")


class _Finder:
    """Finds the file that is to be changed before anybody else does."""

    def __init__(self, path: Path, line: int, column: int, value: float) -> None:
        self._path = path
        self._change = (line, column, value)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of the changed module; None for every other."""
        if not fullname.startswith("reverie.recipes"):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or Path(spec.origin) != self._path:
            return None
        loader: Loader = _Mutated(fullname, spec.origin, *self._change)
        spec.loader = loader
        return spec


def _install(key: str) -> None:
    path, line, column, value = key.split("|")
    sys.meta_path.insert(0, _Finder(Path(path), int(line), int(column), ast.literal_eval(value)))


if os.environ.get(_ENVIRONMENT):
    _install(os.environ[_ENVIRONMENT])

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
