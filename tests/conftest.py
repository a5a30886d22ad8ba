"""What every test may ask for: a scope, a small disk, the size of heavy tests; and how the runs are made repeatable.

In: the option ``--soak``. Out: fixtures. What needs a clock or ids takes ``FixedClock`` and ``RandomIds(seed=…)``.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import settings

from reverie.types import Scope
from tests.postgres_server import serving
from tools.requirements import requirement_ids

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

_OTHERS = frozenset({"ram", "sqlite", "sharded", "sqlcipher", "lance"})
TENTH = 10
"""`make test` runs one part in ten of what `make soak` runs."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--soak``: heavy tests at their whole size; ``--server``: tests of stores over PostgreSQL alone, and all."""
    parser.addoption("--soak", action="store_true", default=False, help="run the heavy tests whole, not at a tenth")
    parser.addoption("--server", action="store_true", default=False, help="stores over PostgreSQL alone, and all")


@pytest.hookimpl(tryfirst=True)  # before -m selects by mark
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every test that takes its size from ``share`` as heavy; write requirement ids into the reports.

    Of the tests that run over each store, keep one in ten of those over PostgreSQL, unless one is named; with
    ``--server`` keep these alone.
    """
    whole = config.getoption("--soak") or any("::" in one for one in config.args)
    if config.getoption("--server"):
        skipped = [item for item in items if not _is_over_server(item) and _is_over_another(item)]
    else:
        skipped = [one for one in items if not whole and _is_over_server(one) and not _is_chosen(one.nodeid)]
    config.hook.pytest_deselected(items=skipped)
    gone = set(skipped)
    items[:] = [item for item in items if item not in gone]
    known = set(requirement_ids())
    for item in items:
        if "share" in getattr(item, "fixturenames", ()):
            item.add_marker("soak")
        for requirement in [str(value) for mark in item.iter_markers("req") for value in mark.args]:
            if requirement not in known:
                raise pytest.UsageError(f"{item.nodeid}: {requirement} is not in docs/requirements-ids.txt")
            item.user_properties.append(("req", requirement))


def _is_over_server(item: pytest.Item) -> bool:
    """Whether a test is run over several stores, and this time over PostgreSQL."""
    return "postgres" in _parameters(item)


def _is_over_another(item: pytest.Item) -> bool:
    """Whether a test is about another store: by its parameters, or by its folder."""
    return bool(_OTHERS & _parameters(item)) or bool(_OTHERS & set(item.path.parts))


def _parameters(item: pytest.Item) -> set[str]:
    params = getattr(getattr(item, "callspec", None), "params", {})
    return {value for value in params.values() if isinstance(value, str)}


def _is_chosen(name: str) -> bool:
    """One in ten names, always the same ones."""
    return int.from_bytes(sha256(name.encode()).digest()[:4], "big") % TENTH == 0


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


@pytest.fixture(scope="session", autouse=True)
def _no_process_for_commands() -> Iterator[None]:
    """No command that a test runs starts a background process; those that are about it say so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REVERIE_HOOK_COMMAND_LINE", "false")
        yield


@pytest.fixture(scope="session", autouse=True)
def _server_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Who wants a PostgreSQL server finds the one of this run; it ends with the last of the run's processes."""
    base = tmp_path_factory.getbasetemp()
    with serving((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "postgres"):
        yield


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
