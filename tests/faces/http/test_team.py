from __future__ import annotations

import random
import sqlite3
import stat as stat_of
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.errors import Conflict, InvalidInput, NotFound, StoreBusy, StoreError, StoreTooNew
from reverie.faces.http.team import Entry, SqliteTeam, Tenant
from reverie.faces.http.tokens import Binding, Keyring, Principal, Right
from tests.faces.http.conftest import NOW, Client, named
from tests.faces.http.table import operations
from tests.faces.http.teams import Service

ACME = Scope("acme.helper", "ada", "home")
GLOBEX = Scope("globex.helper", "ada", "home")
TRIES = 10_000


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A server for two tenants, acme and globex."""
    ids = RandomIds(seed=1)
    with Reverie.open(tmp_path / "reverie.db", embedder=None, clock=FixedClock(NOW), ids=ids) as engine:
        made = Service(engine, tmp_path / "reverie.db")
        made.tenant("acme")
        made.tenant("globex")
        yield made
        made.team.close()


def remembered(client: Client, text: str, scope: Scope = ACME, **headers: str) -> int:
    """The status of storing a text."""
    return client.ask("POST", "/v1/remember", params=named(scope), json={"text": text}, headers=headers).status_code


def test_a_tenants_token_reaches_its_scopes_alone(service: Service) -> None:
    """The scopes whose agent is the tenant's name, or begins with it and a dot; nothing beside them."""
    client = Client(service.serving, service.token("acme", Right.ADMIN))
    for agent, wanted in [
        ("acme", 200),
        ("acme.x", 200),
        ("acmex", 403),
        ("ACME.x", 403),
        ("acm", 403),
        ("x.acme", 403),
    ]:
        assert client.get("/v1/stats", Scope(agent, "ada", "home")).status_code == wanted
    assert client.get("/v1/stats", GLOBEX).status_code == 403


def test_a_tenants_token_is_never_for_the_whole_store(service: Service) -> None:
    """An administrator of a tenant governs no store: not its copies, its checks, its metrics."""
    client = Client(service.serving, service.token("acme", Right.ADMIN))
    for one in operations():
        if one.dependency == "everything":
            assert client.ask(one.method, one.path, **one.options()).status_code == 403, one.path


def test_a_stored_token_of_nobodys_tenant_is_for_everything(service: Service) -> None:
    """An operator's token in the table works as one in the file does, which goes on working beside it."""
    in_table = Client(service.serving, service.token("", Right.ADMIN, "keeper"))
    ring = Keyring(service.path.with_suffix(".tokens.json"))
    in_file = Client(service.serving, ring.add(Principal("old", Right.ADMIN, Binding()), NOW))
    for client in (in_table, in_file):
        assert remembered(client, "The key is here.", GLOBEX) == 200
        assert client.get("/metrics", None).status_code == 200


def test_a_token_expires_and_is_revoked_at_once(service: Service) -> None:
    """401 from its expiry on; and from its removal on, without a restart."""
    token = service.token("acme", expires_at=NOW + timedelta(days=1))
    client = Client(service.serving, token)
    assert client.get("/v1/stats", ACME).status_code == 200
    service.hands.forward(86_399)
    assert client.get("/v1/stats", ACME).status_code == 200
    service.hands.forward(1)
    answer = client.get("/v1/stats", ACME)
    assert (answer.status_code, answer.json()["detail"]) == (401, "The token has expired.")
    other = Client(service.serving, service.token("acme", name="bob"))
    assert other.get("/v1/stats", ACME).status_code == 200
    service.team.drop_token("acme", "bob")
    assert other.get("/v1/stats", ACME).status_code == 401


def test_a_tenant_that_is_gone_is_403(service: Service) -> None:
    """Its tokens go with it; a token of a tenant nobody knows is 403."""
    token = service.token("acme")
    service.team.drop_tenant("acme")
    assert Client(service.serving, token).get("/v1/stats", ACME).status_code == 401
    with pytest.raises(NotFound):
        service.token("acme")


def test_the_table_holds_no_secret_and_is_its_owners_alone(service: Service) -> None:
    """Only a digest is kept, in a file that nobody else reads; the last use is kept, once a minute at most."""
    token = service.token("acme")
    client = Client(service.serving, token)
    client.get("/v1/stats", ACME)
    service.hands.forward(30)
    client.get("/v1/stats", ACME)
    [kept] = service.team.tokens()
    assert kept.used_at == NOW
    service.hands.forward(30)
    client.get("/v1/stats", ACME)
    assert service.team.tokens()[0].used_at == NOW + timedelta(seconds=60)
    for path in service.path.parent.glob("reverie.team.db*"):
        assert token.encode() not in path.read_bytes()
        assert stat_of.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["", "A", "a.b", "-a", "a" * 41, "ä", "a/b", "a\n"])
def test_a_tenants_name_is_plain(service: Service, name: str) -> None:
    """No dot and nothing else that could make one tenant's scopes another's."""
    with pytest.raises(InvalidInput):
        service.team.put_tenant(Tenant(name))


def test_a_token_must_fit_its_tenant(service: Service) -> None:
    """Its name is used once, and its agent is the tenant's."""
    service.token("acme")
    service.token("globex")
    with pytest.raises(Conflict):
        service.token("acme")
    with pytest.raises(InvalidInput):
        service.token("acme", name="bob", bound=Binding("globex.helper"))
    with pytest.raises(InvalidInput):
        service.token("acme", name=" ")


@pytest.mark.parametrize("what", ["memories", "bytes", "scopes"])
def test_a_quota_that_is_used_up_refuses_what_grows(service: Service, what: str) -> None:
    """429 that says what to do; reading, forgetting and erasing go on, and room lets writing go on."""
    most = {"memories": 2, "bytes": 8, "scopes": 1}[what]
    service.tenant("acme", **{what: most})
    client = Client(service.serving, service.token("acme", Right.ADMIN))
    assert [remembered(client, "four", ACME), remembered(client, "more", ACME)] == [200, 200]
    other = Scope("acme", "bob", "home") if what == "scopes" else ACME
    answer = client.post("/v1/remember", {"text": "third"}, other)
    assert (answer.status_code, answer.json()["type"]) == (429, "urn:reverie:quota-exceeded")
    assert f"--{what}" in answer.json()["mend"]
    assert client.post("/v1/recall", {"cue": "four"}, ACME).status_code == 200
    if what != "scopes":
        [first, _] = client.get("/v1/memories", ACME).json()["memories"]
        assert client.ask("DELETE", f"/v1/memories/{first['id']}", params=named(ACME)).status_code == 200
    service.hands.forward(2)
    assert remembered(client, "third", ACME) == 200
    assert remembered(Client(service.serving, service.token("globex")), "free", GLOBEX) == 200


def test_requests_are_counted_by_day(service: Service) -> None:
    """The third of two is told to wait until midnight in UTC; the next day begins anew, for two processes alike."""
    service.tenant("acme", requests=2)
    token = service.token("acme")
    other = SqliteTeam(service.team._path)
    clients = [Client(service.serving, token), Client(service.another(other), token)]
    assert [client.get("/v1/stats", ACME).status_code for client in (*clients, *clients)] == [200, 200, 429, 429]
    assert int(clients[0].get("/v1/stats", ACME).headers["retry-after"]) == 12 * 3600 + 1
    service.hands.forward(12 * 3600)
    assert clients[0].get("/v1/stats", ACME).status_code == 200
    other.close()


def test_a_token_may_have_a_limit_of_its_own(service: Service) -> None:
    """A bucket on the server's clock, with when to come back."""
    client = Client(service.serving, service.token("acme", per_minute=2))
    assert [client.get("/v1/stats", ACME).status_code for _ in range(3)] == [200, 200, 429]
    wait = int(client.get("/v1/stats", ACME).headers["retry-after"])
    assert wait == 31
    service.hands.seconds += wait
    assert client.get("/v1/stats", ACME).status_code == 200
    unlimited = Client(service.serving, service.token("acme", name="bob"))
    assert {unlimited.get("/v1/stats", ACME).status_code for _ in range(5)} == {200}


def test_every_request_is_in_the_audit(service: Service) -> None:
    """Who, tenant, when, what, where, which id, and how it ended; refused ones too; never a word of a memory."""
    client = Client(service.serving, service.token("acme"))
    remembered(client, "a tuba in the attic", **{"X-Request-Id": "one"})
    remembered(client, "a tuba", GLOBEX, **{"X-Request-Id": "two"})
    Client(service.serving, "rev_wrong").get("/v1/memories/a-tuba/history", ACME)
    client.ask("GET", "/v1/a tuba", headers={"X-Request-Id": "four"})
    entries = service.team.entries(None, None, 10)
    assert [(one.tenant, one.who, one.action, one.status) for one in entries] == [
        ("acme", "acme:ada", "POST /v1/remember", 200),
        ("acme", "acme:ada", "POST /v1/remember", 403),
        ("", "", "GET /v1/memories/{id}/history", 401),
        ("acme", "acme:ada", "GET other", 404),
    ]
    assert [(one.scope, one.request_id, one.at) for one in entries[:2]] == [
        (str(ACME), "one", NOW),
        (str(GLOBEX), "two", NOW),
    ]
    assert len(service.team.entries("acme", None, 10)) == 3
    for path in service.path.parent.glob("reverie.team.db*"):
        assert b"tuba" not in path.read_bytes()


def test_the_audit_is_kept_for_its_days(service: Service) -> None:
    """What is older goes, and what is asked for since a moment is what came since."""
    client = Client(service.serving, service.token("acme"))
    client.get("/v1/stats", ACME)
    service.hands.forward(91 * 86_400)
    client.get("/v1/stats", ACME)
    client.get("/v1/stats", ACME)
    assert len(service.team.entries(None, None, 10)) == 2
    assert service.team.entries(None, NOW + timedelta(days=92), 10) == ()


def test_the_probes_say_what_is_there(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both answer without a token; ready is not a server whose tables do not answer, or were made by a newer one."""
    client = Client(service.serving)
    assert [client.get(path, None).status_code for path in ("/healthz", "/readyz")] == [200, 200]
    with sqlite3.connect(service.team._path) as base:
        base.execute("PRAGMA user_version=99")
    base.close()
    assert [client.get(path, None).status_code for path in ("/healthz", "/readyz")] == [200, 500]
    with pytest.raises(StoreTooNew):
        SqliteTeam(service.team._path)


def test_a_busy_store_says_when_to_come_back(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """503 with Retry-After."""

    def busy(*_: object, **__: object) -> None:
        raise StoreBusy("Another process writes.", "Wait.")

    monkeypatch.setattr(type(service.engine), "remember", busy)
    client = Client(service.serving, service.token("acme"))
    answer = client.post("/v1/remember", {"text": "The key."}, ACME)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")


def test_a_broken_audit_does_not_keep_an_answer_back(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done was done: the answer comes, and the log says what is missing."""

    def broken(*_: object) -> None:
        raise StoreError("The table is gone.")

    monkeypatch.setattr(SqliteTeam, "log", broken)
    assert remembered(Client(service.serving, service.token("acme")), "The key.") == 200


def test_with_a_table_nobody_asks_without_a_token(service: Service) -> None:
    """A server for a team is never open; nor is one that starts on such a store without the setting."""
    assert Client(service.serving).get("/v1/stats", ACME).status_code == 401
    assert not Keyring(service.path.with_suffix(".tokens.json")).is_open


def _tried(chance: random.Random, ids: list[str]) -> tuple[str, str, dict[str, object]]:
    """One request of acme's administrator for what is globex's: route, parameters and body made up from a seed."""
    agents = [
        "globex.helper",
        "globex",
        "globex.helper ",
        "acme.helper",
        "acme",
        "acme..globex",
        "Globex.helper",
        "*",
        "",
    ]
    agents += [
        "acme.helper/../globex.helper",
        "globex.helper\x00acme",
        "globex%2Ehelper",
        "acme' OR '1'='1",
        "%",
        "acme%",
    ]
    params = {"agent": chance.choice(agents), "user": chance.choice(["ada", "%", "*"]), "project": "home"}
    if chance.random() < 0.3:
        params |= {"tenant": "globex", "scope": "globex.helper/ada/home"}
    one = chance.choice(ROUTES)
    known = chance.choice(ids)
    options: dict[str, object] = {**one.options(), "params": params}
    if "json" in options and chance.random() < 0.5:
        options["json"] = {"cue": "secret", "text": "x", "target": known, "session": "' OR 1=1 --", "event": 1}
    if chance.random() < 0.2:
        options["headers"] = {
            "X-Tenant": "globex",
            "X-Forwarded-User": "globex:ada",
            "Idempotency-Key": f"k{chance.random()}",
        }
    return one.method, one.at(known), options


ROUTES = [
    one for one in operations() if one.dependency and one.name not in ("live", "backup", "replay", "doctor", "verify")
]


@pytest.mark.soak
def test_no_tenant_reaches_anothers_data(service: Service, share: Callable[[int], int]) -> None:
    """10,000 seeded tries over every route, scopes beside the tenant's and memories of another: nothing leaks."""
    globex = Client(service.serving, service.token("globex", Right.ADMIN))
    acme = Client(service.serving, service.token("acme", Right.ADMIN))
    for number in range(3):
        assert remembered(globex, f"Our xylosecret{number} is 4711.", GLOBEX) == 200
    assert remembered(acme, "The key is under the mat.") == 200
    memories = globex.get("/v1/memories", GLOBEX).json()["memories"]
    ids, events = [one["id"] for one in memories], globex.get("/v1/events", GLOBEX).json()["events"]
    chance, tries = random.Random(26), share(TRIES)
    for _ in range(tries if tries == TRIES else tries // 4):
        method, path, options = _tried(chance, ids)
        answer = acme.ask(method, path, **options)
        assert b"xylosecret" not in answer.content, (method, path, options)
        assert b'"agent":"globex.helper"' not in answer.content, (method, path, options)
        service.hands.seconds += 1
    assert globex.get("/v1/memories", GLOBEX).json()["memories"] == memories
    assert globex.get("/v1/events", GLOBEX).json()["events"] == events


def test_an_entry_is_kept_as_it_was(tmp_path: Path) -> None:
    """Whatever text a request id or a name held, it comes back."""
    team = SqliteTeam(tmp_path / "reverie.team.db")
    entry = Entry(NOW, "acme", "acme:ä'--", "GET /v1/stats", "a/b/c", "'; DROP TABLE audit", 200)
    team.log(entry, NOW - timedelta(days=1))
    assert team.entries(None, None, 1) == (entry,)
    team.close()
