"""What the tests with the real programs ask for: the programs, a model, and a home of nobody's.

In: REVERIE_HOSTS, the folder `make hosts` installs the programs into. Where it is not named, the tests are skipped;
where it is named, a missing program is a failure.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosts.real.model import Model, listening
from tests.hosts.real.programs import PROGRAMS, Desk, Program

NAMED = "REVERIE_HOSTS"


@pytest.fixture(params=PROGRAMS, ids=lambda program: program.name)
def program(request: pytest.FixtureRequest) -> Program:
    """Each of the programs."""
    if NAMED not in os.environ:
        pytest.skip("the real host programs are run by `make hosts`")
    found: Program = request.param
    if not (_installed() / found.binary).exists():
        pytest.fail(f"{found.binary} is not in {_installed()}")
    return found


@pytest.fixture
def model() -> Iterator[Model]:
    """A model on loopback."""
    with listening() as model:
        yield model


@pytest.fixture
def desk(program: Program, tmp_path: Path, model: Model) -> Iterator[Desk]:
    """A home with nothing but its owner's settings of the program; what was started in it is stopped at the end."""
    folder = tmp_path / "home" / "house"
    (folder / ".git").mkdir(parents=True)
    desk = Desk(tmp_path / "home", folder, _installed(), model.url)
    program.settle(desk)
    yield desk
    desk.reverie("hook", "stop")


def _installed() -> Path:
    return Path(os.environ[NAMED]).resolve() / "node_modules" / ".bin"
