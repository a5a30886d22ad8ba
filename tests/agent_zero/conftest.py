"""What the tests in an Agent Zero ask for: one that has just been started, with this project's extensions in it.

In: AGENT_ZERO_SRC, the sources of the real program, and AGENT_ZERO_PYTHON, a Python with what it needs; `make
hosts-agent-zero` gives both. Without them every test runs in the stand-in alone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agent_zero.houses import REAL, SOURCE, STAND_INS, House, Kind, prepared

KINDS = (*STAND_INS, *(REAL if SOURCE in os.environ else ()))


@pytest.fixture(scope="session")
def kinds() -> Iterator[dict[str, Kind]]:
    """The kinds that a test has asked for so far, each started once a run, each in a folder of its own."""
    started: dict[str, Kind] = {}
    yield started
    for kind in started.values():
        kind.stop()
        shutil.rmtree(kind.root.parent)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, kinds: dict[str, Kind]) -> Kind:
    """Each Agent Zero there is to test in, its folder as its makers published it."""
    name = str(request.param)
    if name not in kinds:
        base = Path(tempfile.mkdtemp(prefix="agent-zero-"))
        one = prepared(name, base)
        one.start()
        kinds[name] = one  # one that did not start is tried again by the next test
    kinds[name].restore()
    return kinds[name]


@pytest.fixture
def bare(kind: Kind) -> Iterator[House]:
    """An Agent Zero without anything of ours, not yet started."""
    house = House(kind)
    house.set(memory_memorize_enabled=False)  # the stock writers ask a language model
    yield house
    house.stop()


@pytest.fixture
def house(bare: House) -> House:
    """An Agent Zero with our extensions in it, not yet started."""
    from tests.agent_zero.installing import install

    install(bare.root)
    return bare
