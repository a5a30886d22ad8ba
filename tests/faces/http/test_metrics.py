from __future__ import annotations

from reverie import Reverie
from reverie.faces.http.live import Metrics
from reverie.faces.http.parts import Serving
from tests.faces.http.conftest import SCOPE, Client


def test_every_request_is_counted_by_its_template(client: Client, engine: Reverie) -> None:
    """Routes are counted as they are written, so that neither memory nor scope nor nonsense becomes a label."""
    kept = engine.remember("The key is under the mat.", SCOPE).id
    client.get(f"/v1/memories/{kept}")
    client.get("/v1/no/such/place")
    text = client.get("/metrics", None).text
    assert 'reverie_http_requests_total{method="GET",route="/v1/memories/{memory_id}",status="200"} 1.0' in text
    assert 'reverie_http_requests_total{method="GET",route="other",status="404"} 1.0' in text
    assert kept not in text
    assert "ada" not in text


def test_a_method_nobody_knows_is_one_label(client: Client) -> None:
    """Made-up methods do not make series."""
    for number in range(3):
        client.ask(f"MADE{number}", "/v1/stats")
    assert 'method="other",route="/v1/stats",status="405"} 3.0' in client.get("/metrics", None).text


def test_two_servers_count_apart(serving: Serving) -> None:
    """The registry is the server's own, not the process's."""
    Metrics().dreamt(done=True)
    assert 'reverie_dreams_total{outcome="done"}' not in serving.metrics.text().decode()
