"""A container that is thrown away and made anew around the one folder that stays, as Agent Zero's image does it.

Docker itself is not run. What is played is what it does to the files: the image's are there as published, everything
else that an earlier container wrote is gone, and the folder ``usr`` is the kept one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from reverie.hosts import plan
from reverie.hosts.agent_zero_docker import FOLDER, HOST
from reverie.hosts.files import NoteBook
from reverie.hosts.host import HostEnvironment, Where
from tests.agent_zero.houses import REAL, SOURCE, House, Kind, prepared

KINDS = ("stand-in 1", *(REAL[-1:] if SOURCE in os.environ else ()))
FACT = "The user prefers the helix editor"
ONLY_KEPT = '''
import sys
from importlib.machinery import PathFinder


class OnlyKept:
    """Nothing of this project is in the image: it is found in the folder that stays, or not at all."""

    def find_spec(self, name, path=None, target=None):
        if name != "reverie":
            return None
        found = PathFinder.find_spec(name, [one for one in sys.path if one.endswith("usr/reverie/packages")])
        if found is None:
            raise ModuleNotFoundError("No module named 'reverie'", name=name)
        return found


sys.meta_path.insert(0, OnlyKept())
'''


@dataclass
class Container(Kind):
    """An Agent Zero whose every start is a new container around the folder ``volume``."""

    volume: Path = Path()
    image_python: str = ""
    said: str = ""

    def start(self) -> None:
        """The image's files, the kept folder in the place of its `usr`, and then what runs before Agent Zero."""
        super().start()
        self.restore()  # the process that the houses are forked from has run through a turn
        theirs = self.root / "usr"
        if theirs.exists():  # the image copies its own files into the folder, and none over one that is there
            for path in sorted(theirs.rglob("*")):
                place = self.volume / path.relative_to(theirs)
                place.mkdir(parents=True, exist_ok=True) if path.is_dir() else None
                if path.is_file() and not place.exists():
                    shutil.copy2(path, place)
            shutil.rmtree(theirs)
        self.volume.rename(theirs)
        # The packages that Reverie needs are in the test's environment: only Reverie itself is unpacked.
        offline = {
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_COMPILE": "1",
            "REVERIE_PYTHON": self.image_python or self.python,
        }
        call = ["sh", str(theirs / FOLDER / "setup.sh")]
        done = subprocess.run(call, env=os.environ | offline, capture_output=True, text=True, check=True)
        self.said = done.stdout

    def remove(self) -> None:
        """Throw the container away."""
        self.stop()
        (self.root / "usr").rename(self.volume)
        shutil.rmtree(self.root)


@pytest.fixture(params=KINDS)
def container(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Container]:
    """A container that was never started; the kept folder was set up from outside, and is otherwise empty."""
    one = prepared(str(request.param), tmp_path / "image")
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(ONLY_KEPT, encoding="utf-8")
    made = Container(one.name, one.pristine, one.root, one.python, path=str(hidden), volume=tmp_path / "kept")
    around = HostEnvironment({}, made.volume, "", ("reverie",))
    plan.installing(HOST.files(around, Where.PROJECT), NoteBook(tmp_path / "notes.json")).do()
    for act in HOST.acts(around, False):
        act.do()
    yield made
    made.stop()


@pytest.fixture
def house(container: Container) -> Iterator[House]:
    """The Agent Zero in it, not yet started; whatever of it still runs at the end is ended."""
    one = House(container)
    yield one
    if one.is_running:
        one.kill()


@pytest.mark.req("A14")
def test_memory_and_code_survive_the_container(container: Container, house: House) -> None:
    """What was remembered and counted in one is recalled and counted on in the next, by the package that stayed."""
    container.start()
    assert "installed" in container.said
    house.set(memory_memorize_enabled=False)
    house.start()
    one = house.add(FACT)
    assert house.injected(house.turn("Which editor does the user prefer?")) == [one]
    house.end()
    assert house.lineage(one)["access_count"] == 1
    house.stop()
    container.remove()
    assert not container.root.exists()

    container.start()
    assert "in its place" in container.said
    house.start()
    turn = house.turn("Which editor does the user prefer?")
    assert house.injected(turn) == [one]
    assert any("[MEM-ENHANCE] 1 of 1 memories injected" in line for line in turn.ours)
    house.end()
    assert house.lineage(one)["access_count"] == 2
    house.stop()


@pytest.mark.req("A14")
def test_without_the_package_the_agent_goes_on(container: Container, house: House) -> None:
    """A container in which the package could not be unpacked answers as ever; one line says what is missing."""
    container.image_python = "/no/such/python"
    container.start()
    assert "name it in REVERIE_PYTHON" in container.said
    house.set(memory_memorize_enabled=False)
    house.start()
    turn = house.turn("Which editor does the user prefer?")
    assert turn.error == ""
    assert any("the package reverie cannot be used" in line for line in turn.ours)
    house.stop()
