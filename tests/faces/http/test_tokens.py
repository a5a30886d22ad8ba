from __future__ import annotations

import hmac
import json
import os
import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reverie.errors import Conflict, InvalidInput, InvalidSetting, NotFound, StoreCorrupt, StoreError
from reverie.faces.http import tokens
from reverie.faces.http.tokens import (
    LOCAL,
    OWN_FILE,
    Binding,
    Keyring,
    Own,
    Principal,
    Right,
    digest_of,
    own_token,
    tokens_path,
)
from tests.faces.http.conftest import NOW, OTHER, SCOPE

ADA = Principal("ada", Right.WRITE, Binding("helper", "ada", None))


def test_a_token_is_known_by_what_it_is(keyring: Keyring) -> None:
    """Whoever brings a token is its owner; whoever brings another is nobody."""
    token = keyring.add(ADA, NOW)
    assert keyring.principal(token) == ADA
    assert keyring.principal(token + "x") is None
    assert keyring.principal("") is None
    assert keyring.principal("\ud800") is None


def test_the_file_holds_no_token(keyring: Keyring, tmp_path: Path) -> None:
    """What is kept is the hash, for the owner's eyes alone, and nothing else is left beside it."""
    token = keyring.add(ADA, NOW)
    [file] = tmp_path.glob("*.json")
    assert token not in file.read_text()
    assert digest_of(token) in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {file.name, f"{file.name}.lock"}


def test_every_token_is_compared_in_constant_time(keyring: Keyring, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each digest is compared, the found one and those after it, and by nothing that stops at a difference."""
    made = [keyring.add(Principal(name, Right.READ, Binding()), NOW) for name in "abc"]
    compared: list[str] = []
    true = hmac.compare_digest

    def counted(one: str, other: str) -> bool:
        compared.append(one)
        return true(one, other)

    monkeypatch.setattr(tokens.hmac, "compare_digest", counted)
    keyring.principal(made[0])
    assert sorted(compared) == sorted(map(digest_of, made))


def test_a_change_by_another_process_is_seen_at_once(keyring: Keyring, tmp_path: Path) -> None:
    """Two keyrings on one file agree after every change."""
    other = Keyring(tmp_path / "reverie.tokens.json")
    assert other.tokens() == ()
    token = keyring.add(ADA, NOW)
    assert other.principal(token) == ADA
    keyring.remove("ada")
    assert other.principal(token) is None


def test_without_a_file_it_is_open_and_with_an_empty_one_it_is_not(keyring: Keyring) -> None:
    """Removing the last token closes the door; it does not open it."""
    assert keyring.is_open
    keyring.add(ADA, NOW)
    keyring.remove("ada")
    assert not keyring.is_open
    assert keyring.tokens() == ()


def test_names_are_there_once(keyring: Keyring) -> None:
    """A second token of a name, a name that is none, and one that is not there are refused."""
    keyring.add(ADA, NOW)
    with pytest.raises(Conflict):
        keyring.add(ADA, NOW)
    with pytest.raises(NotFound):
        keyring.remove("bob")
    for name in ("", " ", "a\nb", "x" * 101):
        with pytest.raises(InvalidInput):
            keyring.add(Principal(name, Right.READ, Binding()), NOW)


def test_a_store_in_memory_has_no_tokens() -> None:
    """Where there is no file there is nobody to know."""
    keyring = Keyring(None)
    assert keyring.is_open
    assert keyring.tokens() == ()
    with pytest.raises(InvalidInput):
        keyring.add(ADA, NOW)


def test_many_at_once_lose_none(tmp_path: Path) -> None:
    """Whoever writes waits for whoever writes: every token is there afterwards."""

    def add(number: int) -> None:
        Keyring(tmp_path / "t.json").add(Principal(f"n{number}", Right.READ, Binding()), NOW)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Keyring(tmp_path / "t.json").tokens()) == 12


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 2, "tokens": []}',
        '{"version": 1, "tokens": [{"name": "a"}]}',
        json.dumps(
            {"version": 1, "tokens": [{"name": "a", "sha256": "ü", "rights": "read", "scope": {}, "created_at": ""}]}
        ),
        json.dumps(
            {
                "version": 1,
                "tokens": [
                    {
                        "name": "a",
                        "sha256": "00",
                        "rights": "read",
                        "scope": {"agent": "", "user": None, "project": None},
                        "created_at": "",
                    }
                ],
            }
        ),
    ],
)
def test_a_file_that_is_none_is_an_error(tmp_path: Path, text: str) -> None:
    """Half a file, another version or a row that is not whole: nobody is let in by guess."""
    (tmp_path / "t.json").write_text(text)
    (tmp_path / "t.json").chmod(0o600)
    with pytest.raises(StoreCorrupt):
        Keyring(tmp_path / "t.json").principal("x")


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    """What cannot be written is an error with its mend."""
    with pytest.raises(StoreError, match="Check the path"):
        Keyring(tmp_path / "none" / "t.json").add(ADA, NOW)


def test_a_binding_allows_what_it_does_not_name() -> None:
    """A part that is not named is any; one that is named is that alone."""
    assert Binding("helper", None, None).allows(SCOPE)
    assert Binding("helper", "ada", "home").allows(SCOPE)
    assert not Binding("helper", "ada", "home").allows(OTHER)
    assert Binding().is_everything
    assert not Binding("helper").is_everything
    assert str(Binding("helper")) == "helper/*/*"


def test_the_file_lies_beside_the_store(tmp_path: Path) -> None:
    """Named after the store, whether its file or its folder is named."""
    assert tokens_path(tmp_path / "a.db") == tmp_path / "a.tokens.json"
    assert tokens_path(tmp_path) == tmp_path / "reverie.tokens.json"


def test_a_given_token_opens_everything_and_closes_the_door(tmp_path: Path) -> None:
    """Who starts the server may hand it a token: it is asked for at once, and no file is written."""
    keyring = Keyring(tmp_path / "reverie.tokens.json", "hush")
    assert (keyring.is_open, keyring.is_empty) == (False, False)
    found = keyring.principal("hush")
    assert found is not None
    assert (found.right, found.binding.is_everything) == (Right.ADMIN, True)
    assert keyring.principal("hus") is None
    assert list(tmp_path.iterdir()) == []
    assert Keyring(None, "hush").principal("hush") == found


def test_without_any_token_nobody_is_let_in(tmp_path: Path) -> None:
    """A keyring is empty where it has neither a file with tokens nor a given one."""
    keyring = Keyring(tmp_path / "reverie.tokens.json")
    assert keyring.is_empty
    keyring.add(Principal("one", Right.READ, Binding()), NOW)
    assert not keyring.is_empty


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment whose state folder is not there yet."""
    return {"XDG_STATE_HOME": str(tmp_path / "state")}


def _own_file(home: dict[str, str]) -> Path:
    return Path(home["XDG_STATE_HOME"]) / "reverie" / OWN_FILE


def test_the_users_own_token_is_made_once_and_is_the_users_alone(home: dict[str, str], tmp_path: Path) -> None:
    """The first start makes it, 0600 whatever the mask; the next ones, and those at the same moment, find it."""
    before = os.umask(0)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = set(pool.map(own_token, [home] * 8))
    finally:
        os.umask(before)
    assert len(found) == 1
    own = found.pop()
    assert own == own_token(home) == Own(own.token)
    assert stat.S_IMODE(_own_file(home).stat().st_mode) == 0o600
    assert stat.S_IMODE(_own_file(home).parent.stat().st_mode) == 0o700
    keyring = Keyring(tmp_path / "reverie.tokens.json", own=own.token)
    other = keyring.add(Principal("one", Right.READ, Binding()), NOW)
    assert keyring.principal(own.token) == LOCAL
    assert keyring.principal(other) == Principal("one", Right.READ, Binding())
    assert keyring.principal(own.token[:-1]) is None
    assert not keyring.is_open


def test_what_others_could_read_is_a_token_no_more(home: dict[str, str]) -> None:
    """A file that its group or others may read or write is written anew, with another token, and that is said."""
    tokens = [own_token(home).token]
    for mode in (0o644, 0o640, 0o602, 0o666):
        _own_file(home).chmod(mode)
        own = own_token(home)
        assert own.was_readable
        tokens.append(own.token)
        assert stat.S_IMODE(_own_file(home).stat().st_mode) == 0o600
    assert len(set(tokens)) == len(tokens)
    assert not own_token(home).was_readable


def _link(file: Path) -> None:
    (file.parent / "else").write_text("rev_" + "a" * 43)
    file.symlink_to(file.parent / "else")


def _second_name(file: Path) -> None:
    (file.parent / "else").write_text("rev_" + "a" * 43)
    file.hardlink_to(file.parent / "else")


@pytest.mark.parametrize(
    "lay",
    [
        _link,
        _second_name,
        lambda file: file.mkdir(),
        lambda file: os.mkfifo(file),
        lambda file: file.touch(0o600),
        lambda file: file.write_bytes(b"hush"),
        lambda file: file.write_bytes(b"rev_" + b"a" * 43 + b"\nmore"),
        lambda file: file.write_bytes(b"\xff" * 5000),
    ],
    ids=["link", "second name", "folder", "pipe", "empty", "too short", "more", "no text"],
)
def test_what_is_no_token_of_ours_is_refused_and_left_as_it_is(
    home: dict[str, str], lay: Callable[[Path], object]
) -> None:
    """Nothing is read through a link, nobody waits for a pipe, and the error says what to do."""
    file = _own_file(home)
    file.parent.mkdir(parents=True, mode=0o700)
    lay(file)
    held = file.lstat()
    with pytest.raises(InvalidSetting, match="cannot be taken from") as told:
        own_token(home)
    assert "move it away" in told.value.mend
    assert (file.lstat().st_ino, file.lstat().st_mtime_ns) == (held.st_ino, held.st_mtime_ns)


def test_another_users_file_is_refused(home: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever else made it knows the token."""
    own_token(home)
    monkeypatch.setattr(os, "geteuid", lambda: _own_file(home).stat().st_uid + 1)
    with pytest.raises(InvalidSetting, match="another user"):
        own_token(home)


def test_without_a_home_there_is_no_token_and_no_server(tmp_path: Path) -> None:
    """And a relative one is none."""
    for environment in ({}, {"HOME": "", "XDG_STATE_HOME": "state"}):
        with pytest.raises(InvalidSetting, match="HOME"):
            own_token(environment)
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be written"):
        own_token({"HOME": str(tmp_path / "file")})


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_tokens_that_came_with_a_folder_are_refused(keyring: Keyring, tmp_path: Path) -> None:
    """A cloned folder's file can be read by others: whoever made it would have a key to what is kept there now."""
    token = keyring.add(ADA, NOW)
    path = tmp_path / "reverie.tokens.json"
    path.chmod(0o644)
    with pytest.raises(InvalidInput, match="came with the folder"):
        Keyring(path).principal(token)
    path.chmod(0o600)
    assert Keyring(path).principal(token) == ADA
