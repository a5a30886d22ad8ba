from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx
import pytest

from reverie import Reverie, Scope
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.errors import StoreBusy
from reverie.faces.http import admission
from reverie.faces.http.team import SqliteTeam, team_path
from reverie.faces.http.tokens import Right
from tests.faces.http.conftest import NOW, Client, named
from tests.faces.http.table import BODIES, operations
from tests.faces.http.teams import Service

ACME = Scope("acme.helper", "ada", "home")
KEY = "7d5b8e0a-0001"
DIED = 9


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A server for the tenant acme on a store on disk."""
    ids = RandomIds(seed=1)
    with Reverie.open(tmp_path / "reverie.db", embedder=None, clock=FixedClock(NOW), ids=ids) as engine:
        made = Service(engine, tmp_path / "reverie.db")
        made.tenant("acme")
        yield made
        made.team.close()


@pytest.fixture
def client(service: Service) -> Client:
    """An administrator of acme."""
    return Client(service.serving, service.token("acme", Right.ADMIN))


def put(client: Client, text: object = "The key is under the mat.", key: str = KEY) -> httpx.Response:
    """Remember a text with a key."""
    return client.ask("POST", "/v1/remember", params=named(ACME), json={"text": text}, headers={"Idempotency-Key": key})


def events(client: Client) -> int:
    """How many events the scope has."""
    return len(client.get("/v1/events", ACME).json()["events"])


def test_a_repeated_request_gets_the_same_answer_and_is_done_once(client: Client) -> None:
    """The same bytes, marked as a repetition; without a key, it is done again."""
    first, second = put(client), put(client)
    assert (first.status_code, first.content) == (200, second.content)
    assert first.headers["content-type"] == second.headers["content-type"]
    assert "idempotency-replayed" not in first.headers
    assert second.headers["idempotency-replayed"] == "true"
    assert events(client) == 1
    assert put(client, key="other").content != first.content
    assert events(client) == 2


def test_a_key_with_another_request_is_refused(client: Client) -> None:
    """Another body, another route, another scope: 422, and nothing is done."""
    put(client)
    headers = {"Idempotency-Key": KEY}
    body = {"text": "The key is under the mat."}
    answers = [
        put(client, "Another."),
        client.ask("POST", "/v1/observe", params=named(ACME), json=body, headers=headers),
    ]
    answers.append(
        client.ask("POST", "/v1/remember", params=named(Scope("acme", "b", "c")), json=body, headers=headers)
    )
    assert [(one.status_code, one.json()["type"]) for one in answers] == [
        (422, "urn:reverie:idempotency-key-reused")
    ] * 3
    assert events(client) == 1


def test_each_caller_has_keys_of_its_own(service: Service, client: Client) -> None:
    """Another token's key of the same text is another key: nobody reads another's answer by guessing a key."""
    put(client)
    other = Client(service.serving, service.token("acme", name="bob"))
    assert "idempotency-replayed" not in put(other, "Mine.").headers
    assert events(client) == 2


def test_a_refusal_is_repeated_and_a_failure_tried_again(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """422 and 404 come again as they were; after a 5xx that did nothing, the request is done."""
    wrong = [put(client, 3), put(client, 3)]
    assert [(one.status_code, one.headers.get("idempotency-replayed")) for one in wrong] == [(422, None), (422, "true")]
    with monkeypatch.context() as patched:
        patched.setattr(type(service.engine), "remember", lambda *_, **__: 1 / 0)
        assert put(client, key="later").status_code == 500
    assert put(client, key="later").status_code == 200
    assert events(client) == 1


def test_keys_are_kept_for_a_time(service: Service, client: Client) -> None:
    """After its hours a key is new."""
    put(client)
    service.hands.forward(24 * 3600 - 1)
    assert put(client).headers["idempotency-replayed"] == "true"
    service.hands.forward(2)
    assert "idempotency-replayed" not in put(client).headers
    assert events(client) == 2


@pytest.mark.parametrize("key", ["x" * 201, "a\x01"])
def test_what_is_no_key_is_refused(client: Client, key: str) -> None:
    """Too long or not printable: 422."""
    assert put(client, key=key).status_code == 422


def test_the_kept_answers_can_be_read_by_nobody_else(service: Service, client: Client) -> None:
    """Neither key nor text is in the file; what is erased over HTTP is gone from the kept answers at once."""
    headers = {"Idempotency-Key": KEY}
    note = {"notes": [{"text": "A tuba in the attic."}]}
    made = client.ask("POST", "/v1/note", params=named(ACME), json=note, headers=headers)
    held = b"".join(path.read_bytes() for path in service.path.parent.glob("reverie.team.db*"))
    assert (b"tuba" in held, KEY.encode() in held) == (False, False)
    [memory] = made.json()["memories"]
    assert client.ask("DELETE", f"/v1/memories/{memory['id']}", params=named(ACME)).status_code == 200
    again = client.ask("POST", "/v1/note", params=named(ACME), json=note, headers=headers)
    assert (again.status_code, again.json()["type"]) == (409, "urn:reverie:answer-lost")


def test_every_writing_route_takes_a_key(service: Service, client: Client) -> None:
    """Whatever is asked twice with one key leaves as many events as asked once."""
    [made] = client.post("/v1/note", BODIES["note"], ACME).json()["memories"]
    other = client.post("/v1/remember", {"text": "Else."}, ACME).json()["id"]
    count = 0
    for number, one in enumerate(operations()):
        if (
            one.method not in admission.CHANGING
            or one.path in admission.READING
            or one.name in ("erase", "end_session")
        ):
            continue
        if not one.is_scoped:
            continue
        options = one.options()
        if one.name == "relate":
            options = {"json": {"target": other, "kind": "causes"}}
        options |= {"params": named(ACME), "headers": {"Idempotency-Key": f"key-{number}"}}
        first = client.ask(one.method, one.at(made["id"]), **options)
        between = events(client)
        second = client.ask(one.method, one.at(made["id"]), **options)
        assert (second.status_code, second.content if first.status_code < 400 else b"") == (
            first.status_code,
            first.content if first.status_code < 400 else b"",
        ), one.path
        assert second.headers["idempotency-replayed"] == "true", one.path
        assert events(client) == between, one.path
        count += 1
    assert count >= 20


def test_two_processes_do_it_once_between_them(service: Service, client: Client, tmp_path: Path) -> None:
    """Two servers on one store, each with many tries at once: one event, and one answer for all."""
    with Reverie.open(tmp_path / "reverie.db", embedder=None, clock=FixedClock(NOW)) as engine:
        team = SqliteTeam(service.team._path)
        two = Service.another(service, team)
        two.engine = engine
        clients = [client, Client(two, client._headers["Authorization"].removeprefix("Bearer "))]
        answers: list[httpx.Response] = []
        threads = [threading.Thread(target=lambda c=one: answers.append(put(c))) for one in clients * 4]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        team.close()
    assert {(one.status_code, one.content) for one in answers} == {(200, answers[0].content)}
    assert len(answers) == 8
    assert events(client) == 1


CHILD = """
import os, sys
from pathlib import Path
from reverie import Reverie
from reverie.faces.http import admission
from reverie.faces.http.team import SqliteTeam
from tests.faces.http.conftest import Client
from tests.faces.http.teams import Service

path, token, where = sys.argv[1:]
engine = Reverie.open(path, embedder=None)
service = Service(engine, Path(path))
if where == "before":
    admission._Caught.__init__ = lambda *_: os._exit(9)
elif where == "after":
    admission.Once._keep = lambda *_: os._exit(9)
else:
    keep = admission.Once._keep
    admission.Once._keep = lambda *given: (keep(*given), os._exit(9))
params = {"agent": "acme.helper", "user": "ada", "project": "home"}
headers, body = {"Idempotency-Key": "%s"}, {"text": "The key is under the mat."}
Client(service.serving, token).ask("POST", "/v1/remember", params=params, json=body, headers=headers)
os._exit(1)
"""


def died(service: Service, token: str, where: str) -> None:
    """Let another process remember something and die at a place, as if it were killed there."""
    command = [sys.executable, "-c", CHILD % KEY, str(service.path), token, where]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == DIED, done.stderr


@pytest.mark.soak
@pytest.mark.parametrize("where", ["after", "before", "kept"])
def test_a_kill_between_writing_and_answering_loses_and_doubles_nothing(
    service: Service, where: str, share: Callable[[int], int]
) -> None:
    """Killed between event and answer, before the event, or before the answer was sent: one event, and an answer."""
    if where not in ("after", "before", "kept")[: share(3)]:
        pytest.skip("the other places are in the soak")
    token = service.token("acme", Right.ADMIN)
    died(service, token, where)
    client = Client(service.serving, token)
    answers = [put(client), put(client)]
    assert [one.status_code for one in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    [memory] = client.get("/v1/memories", ACME).json()["memories"]
    told = answers[0].json()
    assert (told["id"], told["session"], told["seq"], told["new"]) == (memory["id"], memory["session"], 0, True)
    assert events(client) == 1
    assert service.engine.admin.verify() == []


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[], AbstractContextManager[None]]:
    """While it lasts, no answer can be kept: what was asked is done, and answered with a failure."""

    def broken(*_: object) -> None:
        raise StoreBusy("The table is busy.", "Wait.")

    @contextmanager
    def while_it_lasts() -> Iterator[None]:
        with monkeypatch.context() as patched:
            patched.setattr(admission.Once, "_keep", broken)
            yield

    return while_it_lasts


def test_a_correction_whose_answer_failed_is_answered_with_the_memory_that_holds(
    client: Client, failing: Callable[[], AbstractContextManager[None]]
) -> None:
    """The event is found by its salt, and the answer made of what it changed."""
    [made] = client.post("/v1/note", BODIES["note"], ACME).json()["memories"]
    options = {"params": named(ACME), "json": {"text": "In the drawer."}, "headers": {"Idempotency-Key": KEY}}
    with failing():
        assert client.ask("PUT", f"/v1/memories/{made['id']}", **options).status_code == 503
    before = events(client)
    answers = [client.ask("PUT", f"/v1/memories/{made['id']}", **options) for _ in range(2)]
    assert [one.json()["memory"]["text"] for one in answers] == ["In the drawer."] * 2
    assert events(client) == before


def test_an_answer_that_cannot_be_made_again_is_said_to_be_lost(
    client: Client, failing: Callable[[], AbstractContextManager[None]]
) -> None:
    """A batch that was kept is not kept twice: 409 names its event."""
    options = {"params": named(ACME), "json": BODIES["remember_many"], "headers": {"Idempotency-Key": KEY}}
    with failing():
        assert client.ask("POST", "/v1/remember-many", **options).status_code == 503
    before = events(client)
    answers = [client.ask("POST", "/v1/remember-many", **options) for _ in range(2)]
    assert [(one.status_code, one.json()["type"]) for one in answers] == [(409, "urn:reverie:answer-lost")] * 2
    assert events(client) == before == 2


def test_the_tables_lie_beside_the_store(tmp_path: Path) -> None:
    """One file for each store, whether the store is named by its file or its folder."""
    assert team_path(tmp_path) == team_path(tmp_path / "reverie.db") == tmp_path / "reverie.team.db"
