from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reverie.errors import AccessRefused
from reverie.faces.cli.serve import RIGHTS
from reverie.faces.client import Client
from reverie.faces.http.tokens import Binding, Keyring, Principal, Right
from reverie.types import Scope
from tests.faces.cli.conftest import Run
from tests.faces.http.conftest import NOW


@pytest.fixture
def store(run: Run, folder: Path) -> Keyring:
    """A store in the folder, and its keyring."""
    assert run("init", "--agent", "helper", "--user", "ada", "--project", "home", "--no-model").code == 0
    return Keyring(folder / "reverie.tokens.json")


def test_a_tenant_and_its_token_are_made_listed_and_removed(
    run: Run, store: Keyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table needs its setting; a token is shown once; the list has its tenant, expiry and last use."""
    assert run("serve", "tenant", "add", "acme").code == 2
    assert run("serve", "token", "add", "ada", "--tenant", "acme").code == 2
    monkeypatch.setenv("REVERIE_TEAM_ON", "true")
    assert run("serve", "token", "add", "ada", "--tenant", "acme", "--everything").code == 3
    assert run("serve", "tenant", "list").out == "there is no tenant\n"
    assert "acme.*" in run("serve", "tenant", "add", "acme", "--memories", "5").out
    assert json.loads(run("serve", "tenant", "list", "--json").out)["tenants"] == [
        {"tenant": "acme", "memories": 5, "bytes": 0, "scopes": 0, "requests": 0}
    ]
    assert "acme" in run("serve", "tenant", "list").out
    made = json.loads(
        run("serve", "token", "add", "ada", "--tenant", "acme", "--everything", "--days", "2", "--json").out
    )
    assert (made["tenant"], made["token"].startswith("rev_")) == ("acme", True)
    run("serve", "token", "add", "keeper", "--everything")
    shown = run("serve", "token", "list")
    assert "acme.*/*/*" in shown.out
    assert made["token"] not in shown.out
    listed = json.loads(run("serve", "token", "list", "--json").out)["tokens"]
    assert [(one["tenant"], one["name"]) for one in listed] == [("", "keeper"), ("acme", "ada")]
    assert listed[1]["expires_at"] > listed[1]["created_at"]
    assert run("serve", "token", "remove", "ada", "--tenant", "acme").code == 0
    assert run("serve", "token", "remove", "ada", "--tenant", "acme").code == 3
    assert run("serve", "tenant", "remove", "acme").code == 0
    assert json.loads(run("serve", "tenant", "remove", "acme", "--json").out)["error"]["exit_code"] == 3
    assert store.tokens() == ()


def test_a_teams_server_answers_and_its_audit_is_shown(
    run: Run, store: Keyring, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """A process of its own: a tenant's token writes, is held to its scopes, and every request is listed."""
    monkeypatch.setenv("REVERIE_TEAM_ON", "true")
    monkeypatch.setenv("REVERIE_SERVE_ACCESS_LOG", "true")
    run("serve", "tenant", "add", "acme")
    token = run("serve", "token", "add", "ada", "--tenant", "acme", "--everything", "--rights", "write").out.strip()
    assert run("audit", "requests").out == "nobody has asked yet\n"
    with serving(folder, "--json") as (_, told), Client(json.loads(told)["url"], token=token) as client:
        client.remember("The key is under the mat.", Scope("acme", "ada", "home"))
        with pytest.raises(AccessRefused):
            client.admin.stats(Scope("globex", "ada", "home"))
    shown = json.loads(run("audit", "requests", "--tenant", "acme", "--json").out)["requests"]
    assert [(one["who"], one["action"], one["scope"], one["status"]) for one in shown] == [
        ("acme:ada", "POST /v1/remember", "acme/ada/home", 200),
        ("acme:ada", "GET /v1/stats", "globex/ada/home", 403),
    ]
    assert "POST /v1/remember" in run("audit", "requests").out
    assert re.search(r"POST /v1/remember 200 [0-9.]+ ms 'acme:ada'", (folder / "stderr").read_text())


def test_the_rights_are_the_interfaces() -> None:
    """Spelled out twice, so that help loads nothing."""
    assert list(RIGHTS) == [right.name.lower() for right in Right]


def test_a_token_is_made_listed_and_removed(run: Run, store: Keyring) -> None:
    """It is printed once, known by the server, listed without its secret, and opens nothing once it is removed."""
    made = run("serve", "token", "add", "laptop", "--rights", "write")
    token = made.out.strip()
    found = store.principal(token)
    assert found is not None
    assert (found.name, found.right, str(found.binding)) == ("laptop", Right.WRITE, "helper/ada/home")
    listed = run("serve", "token", "list")
    assert "laptop" in listed.out
    assert token not in listed.out
    assert run("serve", "token", "remove", "laptop").code == 0
    assert store.principal(token) is None
    assert "no token" in run("serve", "token", "list").out


def test_a_token_is_for_the_scope_one_names(run: Run, store: Keyring) -> None:
    """The scope in force, another, one with any user, or everything."""
    bound = {
        "one": ["--scope", "helper/*/work"],
        "all": ["--everything"],
        "own": [],
    }
    shapes = {name: run("serve", "token", "add", name, *options, "--json").shape for name, options in bound.items()}
    assert shapes["one"]["scope"] == {"agent": "helper", "user": None, "project": "work"}
    assert shapes["all"]["scope"] == {"agent": None, "user": None, "project": None}
    assert shapes["own"]["scope"] == {"agent": "helper", "user": "ada", "project": "home"}
    assert [one["name"] for one in run("serve", "token", "list", "--json").shape["tokens"]] == ["all", "one", "own"]


@pytest.mark.parametrize("scope", ["helper", "helper/ada", "a/b/c/d", "//", "a/ /c"])
def test_half_a_scope_is_none(run: Run, store: Keyring, scope: str) -> None:
    """Three parts, each named or a star."""
    assert run("serve", "token", "add", "x", "--scope", scope).code == 2
    assert store.is_open


def test_a_name_twice_and_one_that_is_not_there_are_told(run: Run, store: Keyring) -> None:
    """By the codes of the one table of errors."""
    run("serve", "token", "add", "laptop")
    assert run("serve", "token", "add", "laptop").code == 4
    assert run("serve", "token", "remove", "phone").code == 3


def test_the_last_tokens_removal_is_told_for_what_it_is(run: Run, store: Keyring) -> None:
    """The door is then closed to all but whoever runs the server."""
    run("serve", "token", "add", "laptop")
    assert "none but your own" in run("serve", "token", "remove", "laptop").err
    assert run("serve", "token", "add", "laptop").code == 0
    assert run("serve", "token", "remove", "laptop", "--json").shape == {"removed": "laptop"}


def test_it_refuses_to_serve_others_without_a_token(run: Run, store: Keyring) -> None:
    """And says what to do about it, before it listens."""
    found = run("serve", "--host", "0.0.0.0", "--port", "0", "--no-model")
    assert found.code == 2
    assert "reverie serve token add" in found.err


def test_without_a_store_there_is_nothing_to_serve(run: Run) -> None:
    """The error is the one every command gives."""
    assert run("serve", "--agent", "a", "--user", "u", "--project", "p", "--no-model").code == 11


@contextmanager
def serving(folder: Path, *options: str, **more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`reverie serve` as it is typed, and the line or the JSON in which it says where it answers."""
    with (folder / "stderr").open("w") as errors:
        server = subprocess.Popen(
            [sys.executable, "-c", "from reverie.faces.start import main; main()", "serve", "--port", "0", *options],
            env={**os.environ, "REVERIE_STORE": str(folder / "reverie.db"), "REVERIE_EMBEDDER": "none"}
            | {"XDG_STATE_HOME": str(folder / "state")}
            | more,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=folder,
        )
    assert server.stdout is not None
    try:
        first = server.stdout.readline()
        yield server, first if "--json" not in options else first + "".join(iter(server.stdout.readline, "}\n")) + "}"
    finally:
        server.terminate()
        server.communicate(timeout=60)


def _found(said: str) -> tuple[str, str]:
    """The address and the token that a server printed, found as a person or a script finds them."""
    url, token = re.search(r"(http://[\d.:]+)", said), re.search(r"token=([\w.~-]+)", said)
    assert url is not None
    assert token is not None
    return url[1], token[1]


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_every_start_prints_the_same_token_and_nobody_is_answered_without_it(
    store: Keyring, folder: Path, form: list[str]
) -> None:
    """Another user of the machine reaches the port and nothing else; tokens made beside it open what they are for."""
    tokens = set()
    for _ in range(2):
        with serving(folder, *form) as (_, said):
            url, token = _found(said)
            tokens.add(token)
            assert [_status(f"{url}{path}", "") for path in ("/v1/server", "/v1/scopes", "/metrics")] == [401] * 3
            assert [_status(f"{url}{path}", "x") for path in ("/v1/server", "/v1/scopes", "/metrics")] == [401] * 3
            assert [_status(f"{url}{path}", token) for path in ("/v1/server", "/v1/scopes", "/metrics")] == [200] * 3
            assert _status(f"{url}/healthz", "") == 200
            other = store.add(Principal(f"laptop {len(store.tokens())}", Right.READ, Binding()), NOW)
            assert (_status(f"{url}/v1/scopes", other), _status(f"{url}/v1/scopes", token)) == (200, 200)
            with Client(f"{url}/#token={token}") as client:
                assert client.admin.scopes() == []
    assert len(tokens) == 1
    assert stat.S_IMODE((folder / "state" / "reverie" / "serve-token").stat().st_mode) == 0o600


def test_open_is_asked_for_and_says_what_it_means(store: Keyring, folder: Path) -> None:
    """Every user of the machine may then do everything, as long as no token is made."""
    with serving(folder, "--open") as (_, said):
        assert "token" not in said
        url = said.split()[-1]
        assert _status(f"{url}/v1/scopes", "") == 200
        assert "every user and program of this machine" in (folder / "stderr").read_text()
        store.add(Principal("laptop", Right.READ, Binding()), NOW)
        assert _status(f"{url}/v1/scopes", "") == 401
    assert not (folder / "state" / "reverie" / "serve-token").exists()
    with serving(folder, "--open") as (_, said):
        assert "--open" not in (folder / "stderr").read_text()
        assert _status(f"{said.split()[-1]}/v1/scopes", "") == 401


def test_a_token_of_ones_own_choice_is_the_only_one(store: Keyring, folder: Path) -> None:
    """With serve.token nothing is made and nothing printed."""
    with serving(folder, REVERIE_SERVE_TOKEN="hush") as (_, said):
        assert "hush" not in said
        assert "token" not in said
        url = said.split()[-1]
        assert (_status(f"{url}/v1/scopes", "hush"), _status(f"{url}/v1/scopes", "")) == (200, 401)
    assert not (folder / "state" / "reverie" / "serve-token").exists()


def test_where_the_token_cannot_lie_it_does_not_start(
    run: Run, store: Keyring, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies at its place and is none of ours is told before it listens."""
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    (folder / "state" / "reverie").mkdir(parents=True)
    (folder / "state" / "reverie" / "serve-token").symlink_to(folder / "elsewhere")
    found = run("serve", "--port", "0", "--no-model")
    assert found.code == 2
    assert "cannot be taken from" in found.err
    assert not (folder / "elsewhere").exists()


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
