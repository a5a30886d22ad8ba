"""What the tests with the real OpenClaw ask for: the program, a model, and a home of nobody's.

In: REVERIE_OPENCLAW, the folder `make hosts-openclaw` installs into. Where it is not named, the tests are skipped;
where it is named, a missing program is a failure.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.openclaw.real.model import Model, listening
from tests.openclaw.real.program import OpenClaw

NAMED = "REVERIE_OPENCLAW"


@pytest.fixture
def model() -> Iterator[Model]:
    """A model on loopback."""
    with listening() as model:
        yield model


@pytest.fixture
def openclaw(tmp_path: Path) -> Iterator[OpenClaw]:
    """An OpenClaw with an empty home; what was started in it is stopped at the end."""
    if NAMED not in os.environ:
        pytest.skip("the real OpenClaw is run by `make hosts-openclaw`")
    folder = Path(os.environ[NAMED]).resolve()
    if not (folder / "node_modules" / "openclaw" / "openclaw.mjs").exists():
        pytest.fail(f"OpenClaw is not in {folder}")
    home = tmp_path / "home"
    home.mkdir()
    program = OpenClaw(folder, home)
    yield program
    program.stop()
