"""Agent Zero in a container, set up from outside: what lies in the one folder that a new container keeps."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

import reverie
from reverie.errors import InvalidInput
from reverie.hosts import check, plan
from reverie.hosts.agent_zero_docker import FOLDER, HOST, wheel
from reverie.hosts.files import NoteBook
from reverie.hosts.host import HostEnvironment, Where

SH = shutil.which("sh") or pytest.skip("the script is for a shell, which is not there", allow_module_level=True)
PLAYED = """#!/bin/sh
if [ "$1" = -c ]; then echo "$MADE_FOR"; exit 0; fi
echo "$@" >>"$0.called"
[ "$PIP" = works ] || exit 1
for last; do :; done
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/reverie" && echo "$last" >"$2/reverie/from"
"""
"""A Python of an image: what it says it is, and a pip that works or does not."""


@pytest.fixture
def usr(around: HostEnvironment, tmp_path: Path) -> HostEnvironment:
    """The environment of a mounted folder with something in it, set up."""
    one = replace(around, folder=tmp_path / "usr", project="")
    (one.folder / "memory").mkdir(parents=True)
    (one.folder / "memory" / "classification_config.json").write_text('{"deduplication": false}')
    set_up(one, tmp_path)
    return one


def set_up(around: HostEnvironment, tmp_path: Path) -> NoteBook:
    """What the command does; its notes."""
    book = NoteBook(tmp_path / "state" / "notes.json")
    plan.installing(HOST.files(around, Where.PROJECT), book).do()
    for act in HOST.acts(around, False):
        assert act.do() == ""
    return book


def everything(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder below one."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


def start(around: HostEnvironment, *, made_for: str = "cpython-312 x86_64", pip: str = "works") -> str:
    """Run the script as a container does at its start; what it said. It never fails."""
    python = around.folder.parent / "python"
    if not python.exists():
        python.write_text(PLAYED)
        python.chmod(0o755)
    environment = {"PATH": os.environ["PATH"], "REVERIE_PYTHON": str(python), "MADE_FOR": made_for, "PIP": pip}
    script = str(around.folder / FOLDER / "setup.sh")
    return subprocess.run([SH, script], env=environment, capture_output=True, text=True, check=True).stdout


def runs(around: HostEnvironment) -> int:
    """How often pip was called."""
    called = around.folder.parent / "python.called"
    return len(called.read_text().splitlines()) if called.exists() else 0


@pytest.mark.req("A14")
def test_the_package_is_unpacked_once_for_a_python(usr: HostEnvironment) -> None:
    """A new container of the same image finds it in its place; another Python, or another package, gets it anew."""
    assert "installed" in start(usr)
    kept = usr.folder / FOLDER / "packages"
    assert Path((kept / "reverie" / "from").read_text().strip()).parent == usr.folder / FOLDER
    assert "in its place" in start(usr)
    assert runs(usr) == 1
    start(usr, made_for="cpython-313 aarch64")
    assert runs(usr) == 2
    assert sorted(path.name for path in kept.parent.iterdir() if path.is_dir()) == ["packages"]


@pytest.mark.req("A14")
def test_agent_zero_starts_whatever_happens(usr: HostEnvironment) -> None:
    """Without a network the earlier package stays; without a Python or a wheel it is said what is missing."""
    assert "could not be installed" in start(usr, pip="is offline")
    start(usr)
    assert "could not be installed" in start(usr, made_for="cpython-313 x86_64", pip="is offline")
    assert (usr.folder / FOLDER / "packages" / "reverie" / "from").exists()
    (usr.folder.parent / "python").write_text("#!/bin/sh\nexit 1\n")
    assert "name it in REVERIE_PYTHON" in start(usr)
    next((usr.folder / FOLDER).glob("*.whl")).unlink()
    assert "`reverie install agent-zero-docker` again" in start(usr)


@pytest.mark.req("A14")
def test_undone_the_folder_is_as_it_was(around: HostEnvironment, tmp_path: Path) -> None:
    """Every byte; a second run of the command finds nothing to do."""
    one = replace(around, folder=tmp_path / "usr", project="")
    one.folder.mkdir()
    (one.folder / "settings.json").write_text("{}")
    before = everything(one.folder)
    book = set_up(one, tmp_path)
    assert plan.installing(HOST.files(one, Where.PROJECT), book).is_done
    assert HOST.acts(one, False) == ()
    assert check.faults(check.Installed(HOST, one, Where.PROJECT, book, noted=True)) == []
    for act in HOST.acts(one, True):
        act.do()
    plan.undoing(HOST.files(one, Where.PROJECT), book).do()
    assert everything(one.folder) == before


def test_an_older_package_is_a_fault_and_gives_way(usr: HostEnvironment) -> None:
    """`doctor` names it, and installing again leaves the new one alone."""
    folder = usr.folder / FOLDER
    (there,) = folder.glob("*.whl")
    there.rename(folder / "reverie-0.0.1-py3-none-any.whl")
    (fault,) = HOST.examine(usr, "reverie install agent-zero-docker usr")
    assert (fault.name, "reverie-0.0.1" in fault.what) == ("host-version", True)
    (act,) = HOST.acts(usr, False)
    act.do()
    assert list(folder.glob("*.whl")) == [there]


def test_agent_zeros_own_folder_is_not_the_mounted_one(around: HostEnvironment, tmp_path: Path) -> None:
    """The message names the one that is meant."""
    (tmp_path / "agent.py").touch()
    with pytest.raises(InvalidInput, match=r"install agent-zero-docker .*/usr"):
        HOST.files(replace(around, folder=tmp_path), Where.PROJECT)


def test_the_wheel_is_this_installation(tmp_path: Path) -> None:
    """It is a wheel like any other, what it unpacks is the package, and making it again gives the same bytes."""
    name, content = wheel()
    assert (name, content) == wheel.__wrapped__()
    path = tmp_path / name
    path.write_bytes(content)
    target = tmp_path / "packages"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--no-compile", "--target", str(target), str(path)], check=True, capture_output=True)
    here = Path(reverie.__file__).parent
    names = [one.relative_to(here) for one in here.rglob("*.py")]
    assert all((target / "reverie" / one).read_bytes() == (here / one).read_bytes() for one in names)
    look = "import sys; sys.path.insert(0, sys.argv[1]); import reverie.faces.agent_zero as one; print(one.__file__)"
    done = subprocess.run([sys.executable, "-c", look, str(target)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(str(target))
    with zipfile.ZipFile(path) as file:
        assert {one.date_time for one in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_compose_file_mounts_the_folder_and_waits_for_the_script(usr: HostEnvironment) -> None:
    """Read as Compose reads it: one service runs Agent Zero, the other the script before it, with the same folder."""
    yaml = pytest.importorskip("yaml")
    path = usr.folder / FOLDER / "compose.yaml"
    services = yaml.safe_load(path.read_text())["services"]
    for service in services.values():
        (mount,) = service["volumes"]
        outside, inside = mount.split(":")
        assert ((path.parent / outside).resolve(), inside) == (usr.folder.resolve(), "/a0/usr")
    assert services["agent-zero"]["depends_on"] == {"reverie": {"condition": "service_completed_successfully"}}
    assert services["reverie"]["entrypoint"] == ["sh", "/a0/usr/reverie/setup.sh"]
    assert services["reverie"]["image"] == services["agent-zero"]["image"]
    assert str(path) in "".join(HOST.told(usr))
