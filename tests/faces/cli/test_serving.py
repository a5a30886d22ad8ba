from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from reverie.faces.cli.serving import RIGHTS
from reverie.faces.http.tokens import Keyring, Right
from tests.faces.cli.conftest import Run


@pytest.fixture
def store(run: Run, folder: Path) -> Keyring:
    """A store in the folder, and its keyring."""
    assert run("init", "--agent", "helper", "--user", "ada", "--project", "home", "--no-model").code == 0
    return Keyring(folder / "reverie.tokens.json")


def test_the_rights_are_the_interfaces() -> None:
    """Spelled out twice, so that help loads nothing."""
    assert list(RIGHTS) == [right.name.lower() for right in Right]


def test_a_token_is_made_listed_and_removed(run: Run, store: Keyring) -> None:
    """It is printed once, known by the server, listed without its secret, and opens nothing once it is removed."""
    made = run("token", "add", "laptop", "--rights", "write")
    token = made.out.strip()
    found = store.principal(token)
    assert found is not None
    assert (found.name, found.right, str(found.binding)) == ("laptop", Right.WRITE, "helper/ada/home")
    listed = run("token", "list")
    assert "laptop" in listed.out
    assert token not in listed.out
    assert run("token", "remove", "laptop").code == 0
    assert store.principal(token) is None
    assert "no token" in run("token", "list").out


def test_a_token_is_for_the_scope_one_names(run: Run, store: Keyring) -> None:
    """The scope in force, another, one with any user, or everything."""
    bound = {
        "one": ["--scope", "helper/*/work"],
        "all": ["--everything"],
        "own": [],
    }
    shapes = {name: run("token", "add", name, *options, "--json").shape for name, options in bound.items()}
    assert shapes["one"]["scope"] == {"agent": "helper", "user": None, "project": "work"}
    assert shapes["all"]["scope"] == {"agent": None, "user": None, "project": None}
    assert shapes["own"]["scope"] == {"agent": "helper", "user": "ada", "project": "home"}
    assert [one["name"] for one in run("token", "list", "--json").shape["tokens"]] == ["all", "one", "own"]


@pytest.mark.parametrize("scope", ["helper", "helper/ada", "a/b/c/d", "//", "a/ /c"])
def test_half_a_scope_is_none(run: Run, store: Keyring, scope: str) -> None:
    """Three parts, each named or a star."""
    assert run("token", "add", "x", "--scope", scope).code == 2
    assert store.is_open


def test_a_name_twice_and_one_that_is_not_there_are_told(run: Run, store: Keyring) -> None:
    """By the codes of the one table of errors."""
    run("token", "add", "laptop")
    assert run("token", "add", "laptop").code == 4
    assert run("token", "remove", "phone").code == 3


def test_the_last_tokens_removal_is_told_for_what_it_is(run: Run, store: Keyring) -> None:
    """The door is then closed, not open."""
    run("token", "add", "laptop")
    assert "nobody is let in" in run("token", "remove", "laptop").err
    assert run("token", "add", "laptop").code == 0
    assert run("token", "remove", "laptop", "--json").shape == {"removed": "laptop"}


def test_it_refuses_to_serve_others_without_a_token(run: Run, store: Keyring) -> None:
    """And says what to do about it, before it listens."""
    found = run("serve", "--host", "0.0.0.0", "--port", "0", "--no-model")
    assert found.code == 2
    assert "reverie token add" in found.err


def test_without_a_store_there_is_nothing_to_serve(run: Run) -> None:
    """The error is the one every command gives."""
    assert run("serve", "--agent", "a", "--user", "u", "--project", "p", "--no-model").code == 11


@pytest.mark.req("C9")
def test_whoever_starts_it_can_make_the_store_hand_it_a_token_and_end_it(tmp_path: Path) -> None:
    """It asks for that token alone, and ends when nobody holds its standard input any more."""
    store = tmp_path / "new" / "reverie.db"
    server = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from reverie.faces.start import main; main()",
            "serve",
            "--json",
            "--create",
            "--tethered",
        ],
        env={**os.environ, "REVERIE_STORE": str(store), "REVERIE_SERVE_PORT": "0", "REVERIE_SERVE_TOKEN": "hush"}
        | {"REVERIE_EMBEDDER": "none", "HOME": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    said = "".join(iter(lambda: server.stdout.readline().decode(), "}\n")) + "}"  # type: ignore[union-attr]  # it is there: asserted above
    url = json.loads(said)["url"]
    assert stat.S_IMODE(store.parent.stat().st_mode) == 0o700
    assert _status(f"{url}/v1/server", "") == 401
    assert _status(f"{url}/v1/server", "hush") == 200
    server.stdin.close()
    assert server.wait(60) == 0
    server.stdout.close()


def _status(url: str, token: str) -> int:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
