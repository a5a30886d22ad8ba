"""Print one line for each heuristic over words: how many of its test cases are English and how many Turkish.

In: the files of tests named below, collected and not run (``make test`` runs them), each case with its mark of
``tests/spoken.py``. Out: ``language/keywords: 6 English, 7 Turkish``, and exit code 1 where a heuristic has fewer
Turkish cases than English, or a test of it does not say, once, in which language it is (in rooms of heuristics alone).
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

ROOMS = ("language", "screen")
"""Rooms of which every file of tests is of a heuristic."""

ELSEWHERE = (
    "encode/fact_candidates",
    "encode/facts",
    "encode/form",
    "encode/notes",
    "encode/statements",
    "models/llm_grammar",
    "models/llm_grounding",
    "models/llm_reported",
    "recall/contradictions",
    "recall/gates",
    "recall/published_selection",
    "recall/query",
    "recall/search",
    "recall/speaker",
    "recall/standing_instructions",
    "recall/supersession",
    "recipes/exocortex/expansion",
    "recipes/v9/decomposition",
    "recipes/v9/emotion",
    "recipes/v9/hyde",
    "recipes/v9/third_person",
    "recipes/v9/third_person_turkish",
    "vault/session_flush",
)
"""Files of tests of other rooms in which something decides by words: their cases that say a language are counted."""

COUNTED_WITH = {
    "recipes/v9/third_person_turkish": "recipes/v9/third_person",
    "language/time/english": "language/time",
    "language/time/questions": "language/time",
    "language/time/turkish": "language/time",
}
"""Parts of one heuristic, such as a file a language."""


def heuristics() -> list[str]:
    """Every heuristic, as ``room/name``, by its file of tests."""
    tests = ROOT / "tests"
    files = (file for room in ROOMS for file in (tests / room).rglob("test_*.py"))
    return sorted({*(f"{file.parent.relative_to(tests).as_posix()}/{file.stem[5:]}" for file in files), *ELSEWHERE})


def tests_of(heuristic: str) -> Path:
    """Where its tests are."""
    room, _, name = heuristic.rpartition("/")
    return ROOT / "tests" / room / f"test_{name}.py"


class Tally:
    """A pytest plugin that counts the cases of each heuristic by language, and lists those with no mark or two."""

    def __init__(self, files: dict[Path, str]) -> None:
        self.files = files
        self.cases: Counter[tuple[str, str]] = Counter()
        self.unclear: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Count what was collected."""
        for item in items:
            heuristic = self.files[item.path]
            marks = list(item.iter_markers("spoken"))
            if len(marks) > 1 or (not marks and heuristic not in ELSEWHERE):
                self.unclear.append(item.nodeid)
            elif marks:
                self.cases.update((COUNTED_WITH.get(heuristic, heuristic), language) for language in marks[0].args)


def told(cases: Counter[tuple[str, str]], names: list[str]) -> tuple[list[str], list[str]]:
    """The line of each heuristic, and the heuristics with fewer Turkish cases than English."""
    lines, wanting = [], []
    for name in names:
        english, turkish = cases[name, "en"], cases[name, "tr"]
        counted = f"{english} English, {turkish} Turkish" if english or turkish else "of no language"
        lines.append(f"{name}: {counted}")
        if turkish < english:
            wanting.append(name)
    return lines, wanting


def main() -> int:
    """Collect, count, and say what is wanting."""
    files = {path: name for name in heuristics() if (path := tests_of(name)).exists()}
    tally = Tally(files)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = pytest.main(["-q", "--collect-only", "--rootdir", str(ROOT), *map(str, files)], plugins=[tally])
    if code != pytest.ExitCode.OK:
        print(said.getvalue(), file=sys.stderr)
        return 1
    lines, wanting = told(tally.cases, sorted({COUNTED_WITH.get(name, name) for name in files.values()}))
    print("\n".join(lines))
    for name in wanting:
        print(f"{name} has fewer Turkish cases than English", file=sys.stderr)
    for node in tally.unclear:
        print(f"{node} must say once in which language it is (tests/spoken.py)", file=sys.stderr)
    return 1 if wanting or tally.unclear else 0


if __name__ == "__main__":
    sys.exit(main())
