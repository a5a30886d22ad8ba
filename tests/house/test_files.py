"""What the committed files may not name, and what the lock files and data files must say."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.house.code import ROOT, SOURCE, project_files, shown

# Written in two halves, so that this file does not name what it forbids.
REGISTRIES = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com", "deb" + "ian.org"]
PLACES = ["/wo" + "rk/", "/ro" + "ot/", "/ho" + r"me/\w", "/tm" + r"p/\w", "/op" + r"t/\w", "/Us" + r"ers/\w"]
TRACES = re.compile("|".join([*map(re.escape, REGISTRIES), *PLACES]))
BINARY = {".png", ".db", ".gz", ".ico", ".npz"}
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*")


def test_no_file_names_a_machine_or_a_registry() -> None:
    """No committed file holds a package registry's address or a path of the machine it was written on."""
    found = []
    for path in project_files():
        if path.suffix not in BINARY:
            lines = path.read_text(encoding="utf-8").splitlines()
            found += [f"{shown(path)}:{n}: {line.strip()}" for n, line in enumerate(lines, 1) if TRACES.search(line)]
    assert found == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_a_lock_file_pins_and_hashes_everything(lock: Path) -> None:
    """Every line of a lock file is a pinned package or a hash; nothing names an address, nothing pulls in torch."""
    entries = re.split(r"\n(?=\S)", lock.read_text(encoding="utf-8").strip())
    assert entries
    for entry in entries:
        first, *hashes = entry.splitlines()
        assert re.match(r"^[a-z0-9._-]+==[^\s;]+( ;[^\\]+)? \\$", first), first
        assert hashes
        assert all(re.fullmatch(r"\s+--hash=sha256:[0-9a-f]{64}( \\)?", line) for line in hashes), first
        assert not first.startswith(("torch", "nvidia", "triton")), first


def test_every_dependency_is_locked() -> None:
    """What pyproject asks for, in the core and for each purpose, stands in the lock file of that purpose."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    extras = project["optional-dependencies"]
    wanted = {"core": project["dependencies"], **{purpose: extras[purpose] for purpose in ("dev", "docs", "bench")}}
    wanted |= settings["dependency-groups"]
    for purpose, requirements in wanted.items():
        locked = set(re.findall(r"^([a-z0-9._-]+)==", (ROOT / f"requirements/{purpose}.txt").read_text(), re.MULTILINE))
        names = {(NAME.match(r) or [""])[0].lower().replace("_", "-") for r in requirements}
        assert names - locked == set(), purpose


def test_the_version_is_one() -> None:
    """The package, its metadata and the newest entry of the changelog agree on the version."""
    import reverie

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    newest = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
    assert reverie.__version__ == project["version"] == newest


def test_every_word_list_says_what_it_is() -> None:
    """A text data file begins with a comment of some words: what it holds and where it is from."""
    lists = sorted((SOURCE / "language" / "data").rglob("*.txt"))
    assert lists
    for path in lists:
        head = path.read_text(encoding="utf-8").splitlines()[0]
        assert re.match(r"#\s*\w+(\W+\w+){3,}", head), shown(path)


def test_the_wheel_holds_the_whole_package(tmp_path: Path) -> None:
    """What is built holds every file of the package, data files and the typing marker too, and the licence."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    wheel = zipfile.ZipFile(next(tmp_path.glob("*.whl")))
    held = set(wheel.namelist())
    wanted = {path.relative_to(SOURCE.parent).as_posix() for path in project_files() if SOURCE in path.parents}
    assert wanted - held == set()
    assert any(name.endswith("licenses/LICENSE") for name in held)
