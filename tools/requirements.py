"""Print one line for each requirement id: how many tests show it.

In: ``docs/requirements-ids.txt`` and the tests that carry ``@pytest.mark.req``. Out: ``D14 pass 6``, or
``D14 fail 1 of 6``, or ``D14 none``, and exit code 1 if a test failed. A test of ``A16.3`` shows ``A16`` as well.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
IDS_FILE = ROOT / "docs" / "requirements-ids.txt"
FAULTS = frozenset({pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERRUPTED})


def requirement_ids() -> list[str]:
    """Every id of the list, in its order."""
    lines = (line.strip() for line in IDS_FILE.read_text(encoding="utf-8").splitlines())
    return [line.split()[0] for line in lines if line and not line.startswith("#")]


class Tally:
    """A pytest plugin that runs only marked tests and counts how each id fared."""

    def __init__(self) -> None:
        self.passed: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep the tests that show a requirement."""
        marked = [item for item in items if item.get_closest_marker("req")]
        config.hook.pytest_deselected(items=[item for item in items if item not in marked])
        items[:] = marked

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test once: when it ran, or when its set-up or tear-down broke."""
        if report.when != "call" and not report.failed:
            return
        count = self.passed if report.passed else self.failed if report.failed else None
        if count is not None:
            named = [str(value) for name, value in report.user_properties if name == "req"]
            count.update({*named, *(name.partition(".")[0] for name in named)})


def line(requirement: str, passed: int, failed: int) -> str:
    """What is printed for one id."""
    if failed:
        return f"{requirement} fail {failed} of {passed + failed}"
    return f"{requirement} pass {passed}" if passed else f"{requirement} none"


def main(paths: Sequence[str]) -> int:
    """Run the marked tests quietly and print the lines; what pytest said is shown only if something broke."""
    tally = Tally()
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = pytest.main(["-q", "--rootdir", str(ROOT), *(paths or [str(ROOT / "tests")])], plugins=[tally])
    for requirement in requirement_ids():
        print(line(requirement, tally.passed[requirement], tally.failed[requirement]))
    if tally.failed or code in FAULTS:
        print(said.getvalue(), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
