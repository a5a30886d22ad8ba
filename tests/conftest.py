"""What every test may ask for: a scope, a small disk, the size of heavy tests; and how the runs are made repeatable.

In: the option ``--soak``. Out: fixtures. What needs a clock or ids takes ``FixedClock`` and ``RandomIds(seed=…)``.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from reverie.types import Scope
from tools.requirements import requirement_ids

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

TENTH = 10
"""`make test` runs one part in ten of what `make soak` runs."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--soak``: heavy tests at their whole size."""
    parser.addoption("--soak", action="store_true", default=False, help="run the heavy tests whole, not at a tenth")


@pytest.hookimpl(tryfirst=True)  # before -m selects by mark
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that takes its size from ``share`` as heavy; write requirement ids into the reports."""
    known = set(requirement_ids())
    for item in items:
        if "share" in getattr(item, "fixturenames", ()):
            item.add_marker("soak")
        for requirement in [str(value) for mark in item.iter_markers("req") for value in mark.args]:
            if requirement not in known:
                raise pytest.UsageError(f"{item.nodeid}: {requirement} is not in docs/requirements-ids.txt")
            item.user_properties.append(("req", requirement))


@pytest.fixture(scope="session", autouse=True)
def _state_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Logs, and what the user trusts, lie in a folder of this run's."""
    before = os.environ.get("XDG_STATE_HOME")
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))
    yield
    if before is None:
        del os.environ["XDG_STATE_HOME"]
    else:
        os.environ["XDG_STATE_HOME"] = before


@pytest.fixture
def scope() -> Scope:
    """The scope most tests work in."""
    return Scope(agent="tester", user="ada", project="house")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of four megabytes."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting a small file system takes rights this user does not have")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.fixture(scope="session")
def share(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """``share(2000)`` is 2000 in `make soak` and 200 in `make test`; never below 1."""
    whole = bool(request.config.getoption("--soak"))

    def of(full: int) -> int:
        return full if whole else max(1, full // TENTH)

    return of


@pytest.fixture(scope="session")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the vault's scripts, made of the source as it is."""
    from reverie.vault.standalone.scripts import SCRIPTS, build

    folder = tmp_path_factory.mktemp("scripts")
    for name in SCRIPTS:
        (folder / name).write_text(build(name), encoding="utf-8")
    return folder
