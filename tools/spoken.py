"""Print one line for each heuristic over words: how many of its test cases are English and how many Turkish.

In: the files of tests named below, collected and not run (``make test`` runs them), each case with its mark of
``tests/spoken.py``. Out: ``language/keywords: 6 English, 7 Turkish``, and exit code 1 where a heuristic has fewer
Turkish cases than English, or a test of it does not say, once, in which language it is.
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
    "encode/correction",
    "encode/form",
    "encode/observe",
    "encode/own_words",
    "encode/standing_alone",
    "encode/thoughts",
    "encode/wording",
    "models/llm_facts",
    "models/llm_roles",
    "models/llm_telling",
    "models/llm_turned",
    "recall/asked",
    "recall/cue_words",
    "recall/manner",
    "recall/opposed",
    "recall/pregate",
    "recall/replaced",
    "recall/route",
    "recall/speaker",
    "recall/standing",
    "recall/timing",
    "recall/understand",
    "recipes/exocortex/expansion",
    "recipes/v9/decomposition",
    "recipes/v9/emotion",
    "recipes/v9/feelings",
    "recipes/v9/hyde",
    "recipes/v9/rewriting",
    "recipes/v9/technical",
    "vault/flushing",
)
"""Files of tests of other rooms whose subject decides by words."""

COUNTED_WITH = {
    "recipes/v9/rewriting_english": "recipes/v9/rewriting",
    "recipes/v9/rewriting_turkish": "recipes/v9/rewriting",
    "language/time_english": "language/times",
    "language/time_turkish": "language/times",
}
"""Halves of one heuristic, a file a language."""


def heuristics() -> list[str]:
    """Every heuristic, as ``room/name``, by its file of tests."""
    rooms = (f"{room}/{file.stem[5:]}" for room in ROOMS for file in (ROOT / "tests" / room).glob("test_*.py"))
    return sorted({*rooms, *ELSEWHERE})


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
            if len(marks) != 1:
                self.unclear.append(item.nodeid)
            else:
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
