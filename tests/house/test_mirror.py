"""The tests of a room stand in the folder of its name, by behaviour: recall/ ↔ tests/recall/."""

from __future__ import annotations

from tests.house.code import ROOT, SOURCE


def test_every_room_has_tests() -> None:
    """A folder of the package has a folder of tests with tests in it."""
    rooms = {path.name for path in SOURCE.iterdir() if any(path.glob("*.py")) and path.is_dir()}
    assert {name for name in rooms if not any((ROOT / "tests" / name).rglob("test_*.py"))} == set()


def test_every_folder_of_tests_mirrors_a_room() -> None:
    """A folder of tests is named after a room of the package, after the benchmarks or tools, or is this one."""
    whole = {"house", "browser", "reliability", "agent_zero", "openclaw"}  # what no single room can answer for
    beside = whole | {"benchmarks", "tools", "data"}
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir()} | beside
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert folders <= rooms
