"""The mutation check finds every number, changes one where it is imported, and believes no tests that fail anyway."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import mutants


def test_every_number_is_found_and_no_truth_value(tmp_path: Path) -> None:
    """Whole ones become one more, others a tenth less, 0 something; True is no number."""
    path = tmp_path / "numbers.py"
    path.write_text("A = 3\nB = (0.5, 0.0, True, 'x')\n", encoding="utf-8")
    found = [(one.line, one.column, one.value, one.mutant) for one in mutants.constants([path])]
    assert found == [(1, 4, 3, 4), (2, 5, 0.5, 0.45), (2, 10, 0.0, 0.01)]


def test_one_number_is_changed_where_it_is_imported_and_nowhere_else() -> None:
    """Working memory holds ten instead of nine; the file says nine as before."""
    path = mutants.RECIPES / "working_memory.py"
    before = path.read_bytes()
    first = next(mutants.constants([path]))
    code = (
        "from reverie.recipes.working_memory import WORKING as w; "
        "from reverie.recipes.default.recall import SIGNALS as s; "
        "print(w.most, w.least_accesses, s.k1)"
    )
    environment = os.environ | {"REVERIE_MUTANT": first.key, "PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    command = [sys.executable, "-c", f"import tools.mutants; {code}"]
    said = subprocess.run(command, env=environment, cwd=mutants.ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["10", "2", "1.5"]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "path", sorted(mutants.RECIPES.rglob("*.py")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_every_test_is_asked_about_every_file(path: Path) -> None:
    """In whatever order, and each of them is there."""
    asked = [test for tests in mutants.rounds(path) for test in tests]
    assert set(asked) >= set(mutants.TESTS)
    assert all((mutants.ROOT / test).is_dir() for test in asked)


def pytest_that_ends(
    monkeypatch: pytest.MonkeyPatch, *, unchanged: int = 0, changed: int = 1, said: str = "FAILED tests/x.py::y - why"
) -> None:
    """Every run of the tests ends with one code where nothing is changed, and with another where a number is."""

    def run(_: object, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess("", changed if "REVERIE_MUTANT" in environment else unchanged, said, "")

    monkeypatch.delenv("REVERIE_MUTANT", raising=False)
    monkeypatch.setattr(mutants, "_pytest", run)


WORKING = str(mutants.RECIPES / "working_memory.py")
NUMBERS = 7
"""In that recipe's file."""


def test_tests_that_fail_without_any_change_prove_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Otherwise a red test would notice every number."""
    pytest_that_ends(monkeypatch, unchanged=1)
    assert mutants.main([WORKING]) == 2
    assert "without any change" in capsys.readouterr().err


@pytest.mark.parametrize(("code", "survivors"), [(1, 0), (0, NUMBERS), (2, NUMBERS)])
def test_only_a_failed_test_notices(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: int, survivors: int
) -> None:
    """Not one that passed, and not a run that broke."""
    pytest_that_ends(monkeypatch, changed=code)
    assert mutants.main([WORKING]) == int(survivors > 0)
    said = capsys.readouterr().out
    assert said.count("survived src/reverie/recipes/working_memory.py") == survivors
    assert f"{NUMBERS - survivors} of {NUMBERS} noticed" in said


def test_the_test_that_noticed_is_named_if_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that one sees whether it is about that number."""
    pytest_that_ends(monkeypatch)
    mutants.main(["--by", WORKING])
    assert capsys.readouterr().out.count(": FAILED tests/x.py::y\n") == NUMBERS
