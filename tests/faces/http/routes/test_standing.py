from __future__ import annotations

from reverie.faces.http.parts import Serving
from tests.faces.http.conftest import Client
from tests.faces.http.table import conforms


def test_alive_and_ready(client: Client) -> None:
    """A server with a store it can read is both."""
    assert conforms(client.get("/livez", None), "livez") == {"status": "alive"}
    assert client.get("/healthz", None).json() == {"status": "alive"}
    assert conforms(client.get("/readyz", None), "readyz") == {"status": "ready"}


def test_without_its_store_it_is_alive_and_not_ready(serving: Serving) -> None:
    """Whoever watches over it is told to send nobody, and not to kill it."""
    serving.engine.close()
    client = Client(serving)
    assert client.get("/livez", None).status_code == 200
    assert client.get("/readyz", None).status_code == 503
