"""Keys, folders that cannot be written, and git repositories that would run something if they could."""

from __future__ import annotations

import errno
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from reverie import durable
from reverie.engine import sync_places
from reverie.engine.sync_places import GitBranch, is_git, key_of, new_key, sync_folder, take_key
from reverie.errors import Conflict, InvalidInput, StoreError, StoreFull, StoreMissing, StoreReadOnly
from tests.engine.machines import SCOPE, machines


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    """An empty bare repository."""
    made = tmp_path / "remote.git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(made)], check=True)
    return made


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    """A second one would lock out the machines that have the first; taking the same again is no error."""
    told = new_key(tmp_path)
    file = sync_folder(tmp_path) / "key"
    assert file.stat().st_mode & 0o777 == 0o600
    assert take_key(f" {told}\n", tmp_path) == told
    with pytest.raises(Conflict, match="a key already"):
        new_key(tmp_path)
    with pytest.raises(InvalidInput, match="no key"):
        take_key(told[:-5], tmp_path / "other")
    file.chmod(0o644)
    with pytest.raises(StoreError, match="Others may read"):
        key_of(tmp_path)


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """A stick that is not plugged in must not become a folder."""
    (one,) = machines(tmp_path, 1)
    with pytest.raises(StoreMissing, match="no folder"):
        one.sync(tmp_path / "stick")
    assert not (tmp_path / "stick").exists()


def test_a_full_folder_is_told_and_the_next_sync_writes_the_rest(tmp_path: Path, small_disk: Path) -> None:
    """What came in stays."""
    (one,) = machines(tmp_path, 1)
    one.say("Zeynep prefers oolong.")
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(1 << 12)):
            pass
    with pytest.raises(StoreFull):
        one.sync(small_disk)
    filler.unlink()
    assert one.sync(small_disk).sent == 1


def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading it still takes in what others wrote."""
    first, second = machines(tmp_path, 2)
    first.say("Zeynep prefers oolong.")
    first.sync(tmp_path / "place")
    second.say("Mert prefers coffee.")
    replace = durable.replace

    def locked(path: Path, content: bytes, **given: Any) -> None:
        if (tmp_path / "place") in path.parents:
            raise OSError(errno.EROFS, "read-only file system")
        replace(path, content, **given)

    with monkeypatch.context() as patch:
        patch.setattr(durable, "replace", locked)
        with pytest.raises(StoreReadOnly):
            second.sync(tmp_path / "place")
    assert second.texts() == ["Mert prefers coffee.", "Zeynep prefers oolong."]
    assert second.sync(tmp_path / "place").sent == 1


@pytest.mark.parametrize(
    "address",
    ["-", "--upload-pack=touch x", "ext::sh -c touch% x", "fd::17", "ftp://host/x", "https://host/x y", "", "a\0b"],
)
def test_an_address_that_git_could_take_for_something_else_is_refused(address: str, tmp_path: Path) -> None:
    """Options, commands and transports that nobody meant."""
    (one,) = machines(tmp_path, 1)
    with pytest.raises(InvalidInput):
        one.sync(address)


def test_addresses_and_repositories_are_told_from_folders(tmp_path: Path, remote: Path) -> None:
    """A folder is a folder, a bare repository is one of git."""
    assert is_git("https://host/a.git")
    assert is_git("ada@host.org:memory.git")
    assert is_git(str(remote))
    assert not is_git(str(tmp_path))


@pytest.mark.req("D50")
@pytest.mark.parametrize("form", ["{}", "file://{}"])
def test_machines_share_through_a_repository_whose_hooks_do_not_run(tmp_path: Path, remote: Path, form: str) -> None:
    """Neither those of the repository nor filters that its files ask for."""
    first, second = machines(tmp_path, 2)
    for hook in ("pre-receive", "update", "post-receive", "post-update", "reference-transaction"):
        file = remote / "hooks" / hook
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        file.chmod(0o755)
    first.say("Zeynep prefers oolong.")
    second.say("Mert prefers coffee.")
    contents = [each.sync(form.format(remote)).contents for each in (first, second, first)]
    assert contents[1] == contents[2]
    assert not (tmp_path / "ran").exists()


@pytest.mark.req("D50")
def test_an_erasure_leaves_no_earlier_commit(tmp_path: Path, remote: Path) -> None:
    """The branch begins anew, so that a clone has no segment that held the words."""
    first, second = machines(tmp_path, 2)
    name = first.say("Zeynep prefers oolong.")
    first.say("Mert prefers coffee.")
    for each in (first, second):
        each.sync(str(remote))
    second.engine.admin.erase(name, SCOPE, why="asked for")
    second.sync(str(remote))
    log = subprocess.run(
        ["git", "-C", str(remote), "rev-list", "reverie-sync"], capture_output=True, text=True, check=True
    )
    assert len(log.stdout.split()) == 1
    assert first.sync(str(remote)).erased == 1


def test_a_push_that_came_second_is_done_again(tmp_path: Path, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another machine pushes between the fetch and the push of this one; both segments are there in the end."""
    first, second = machines(tmp_path, 2)
    first.say("Zeynep prefers oolong.")
    second.say("Mert prefers coffee.")
    push, waiting = GitBranch.push, [second]

    def late(self: GitBranch) -> bool:
        if waiting:
            waiting.pop().sync(str(remote))
        return push(self)

    monkeypatch.setattr(sync_places.GitBranch, "push", late)
    done = first.sync(str(remote))
    assert (done.new, done.sent) == (1, 1)
    assert first.sync(str(remote)).contents == second.sync(str(remote)).contents


def test_a_repository_that_is_not_there_is_told(tmp_path: Path, remote: Path) -> None:
    """With git's own reason, and without the address, which may hold a password."""
    (one,) = machines(tmp_path, 1)
    with pytest.raises(StoreError, match="git refused") as caught:
        one.sync(f"file://{remote}-none")
    assert "none" not in caught.value.message
