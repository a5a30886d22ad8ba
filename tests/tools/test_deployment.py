"""The files of deployment agree with the code: settings, commands, ports, paths, metrics, secrets."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from reverie.config import DEFAULTS, variable
from reverie.durable import HANDED_OVER
from reverie.faces.cli import main as command_line
from reverie.faces.http.live import Metrics
from tests.house.code import ROOT
from tools.docs import commands

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
WRAPPER = ROOT / "deploy" / "with-secrets"
BOARD = ROOT / "deploy" / "grafana" / "reverie.json"
COMPOSE = {
    name: yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))
    for name in ("compose.yaml", "compose.postgres.yaml", "compose.encrypted.yaml")
}
PAGE = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
VARIABLES = {variable(key) for key in DEFAULTS}
SECRETS = set(re.findall(r"for name in ([A-Z_ ]+); do", WRAPPER.read_text(encoding="utf-8"))[0].split())
NOT_OURS = {
    "PATH",
    "PYTHONUNBUFFERED",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
    "POSTGRES_USER",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD_FILE",
}
PYTHON = ROOT / ".venv" / "deploy" / "bin" / "python"
TOKEN = "a-token-of-the-tests-that-is-long-enough-0123456789"


def last_of(instruction: str) -> str:
    """What the last instruction of a name in the Dockerfile says."""
    return re.findall(rf"^{instruction} (.+)$", DOCKERFILE, re.MULTILINE)[-1].strip()


def image_variables() -> dict[str, str]:
    """The variables that the image sets."""
    return dict(word.split("=", 1) for word in shlex.split(last_of("ENV")))


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    """What Helm and Docker Compose make of the files; they are accepted by both."""
    if not PYTHON.is_file():
        pytest.skip("the programs of `make deploy` are not there")
    command = [str(PYTHON), str(ROOT / "tools" / "deployment.py"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def containers(made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every container that the chart starts, over all values it is rendered with."""
    for objects in made["chart"].values():
        for one in objects:
            if "template" in one["spec"]:
                yield from one["spec"]["template"]["spec"]["containers"]


def is_known(name: str) -> bool:
    """Whether something reads a variable."""
    return name in VARIABLES | NOT_OURS or name.removesuffix("_FILE") in SECRETS


def paths_of_commands() -> set[str]:
    """Every command as one types it."""
    return {name for name, _ in commands(command_line, "reverie")}


def test_every_variable_is_a_setting() -> None:
    """What the image and the compose files set, and what the page names, is read by somebody."""
    services = [service for file in COMPOSE.values() for service in file["services"].values()]
    named = set(image_variables()) | {name for service in services for name in service.get("environment", {})}
    named |= set(re.findall(r"\b(?:REVERIE|PG)[A-Z_]+\b", PAGE + WRAPPER.read_text(encoding="utf-8")))
    assert {name for name in named if not is_known(name) and name != "REVERIE_TOKEN"} == set()
    assert SECRETS - {"PGPASSWORD"} <= VARIABLES


def test_every_service_has_its_secrets() -> None:
    """A file that a service reads a secret from is one that compose lays there."""
    for file in COMPOSE.values():
        for service in file["services"].values():
            paths = {value for name, value in service.get("environment", {}).items() if name.endswith("_FILE")}
            assert paths <= {f"/run/secrets/{secret}" for secret in service["secrets"]}
        known = {secret for one in COMPOSE.values() for secret in one["secrets"]}
        assert all(set(service["secrets"]) <= known for service in file["services"].values())


def test_who_reads_and_writes_an_encrypted_database_has_its_key(made: dict[str, Any]) -> None:
    """Server and worker find the key where `key_file` accepts a secret, in compose and in the chart."""
    settings = {"REVERIE_ENCRYPTED": "true"}
    services = made["compose"]["encrypted"]["services"]
    for name in ("reverie", "worker"):
        assert (
            services[name]["environment"].items()
            >= {
                **settings,
                "REVERIE_KEY_FILE": "/run/secrets/reverie_key",
            }.items()
        )
        assert "reverie_key" in {one["source"] for one in services[name]["secrets"]}
    for objects in (made["chart"]["encrypted"], made["chart"]["postgres"]):
        for one in (one for one in objects if one["kind"] == "Deployment"):
            pod = one["spec"]["template"]["spec"]
            [container] = pod["containers"]
            variables = {each["name"]: each["value"] for each in container["env"]}
            is_sealed = objects is made["chart"]["encrypted"]
            assert variables.get("REVERIE_KEY_FILE") == ("/run/secrets/key/key" if is_sealed else None)
            assert variables.get("REVERIE_ENCRYPTED") == ("true" if is_sealed else None)
            assert ("key" in {volume["name"] for volume in pod["volumes"]}) is is_sealed
    assert all(path.startswith(f"{HANDED_OVER[0]}/") for path in ("/run/secrets/reverie_key", "/run/secrets/key/key"))


def test_no_secret_stands_in_a_file() -> None:
    """Passwords and tokens come from files that git ignores, never from a variable with a value."""
    for file in COMPOSE.values():
        for service in file["services"].values():
            names = {name for name in service.get("environment", {}) if re.search("TOKEN|PASSWORD|KEY", name)}
            assert all(name.endswith("_FILE") for name in names)
        assert {Path(secret["file"]).parent.as_posix() for secret in file["secrets"].values()} == {"secrets"}
    assert "/secrets/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_ports_are_equal_everywhere(made: dict[str, Any]) -> None:
    """The setting's default, the image, compose and the chart name one port; a service leads to the container's."""
    port = DEFAULTS["serve.port"]
    assert image_variables()["REVERIE_SERVE_PORT"] == last_of("EXPOSE") == str(port)
    published = made["compose"]["file"]["services"]["reverie"]["ports"][0]
    assert (published["target"], published["published"], published["host_ip"]) == (port, str(port), "127.0.0.1")
    for name, expected in (("file", port), ("alone", 9000)):
        by_kind = {one["kind"]: one for one in made["chart"][name]}
        assert by_kind["Service"]["spec"]["ports"][0]["port"] == expected
        (container,) = (by_kind.get("StatefulSet") or by_kind["Deployment"])["spec"]["template"]["spec"]["containers"]
        assert container["ports"][0]["containerPort"] == expected
        assert {"name": "REVERIE_SERVE_PORT", "value": str(expected)} in container["env"]


def test_the_chart_sets_what_is_read(made: dict[str, Any]) -> None:
    """Every variable of every container is a setting or a secret's file, and the file's folder is mounted."""
    for container in containers(made):
        variables = {one["name"]: one["value"] for one in container["env"]}
        assert {name for name in variables if not is_known(name)} == set()
        mounted = {one["mountPath"] for one in container["volumeMounts"]}
        assert {str(Path(v).parent) for name, v in variables.items() if name.endswith("_FILE")} <= mounted
        assert container["securityContext"]["readOnlyRootFilesystem"] is True


def test_the_commands_exist(made: dict[str, Any]) -> None:
    """What the image, compose and the chart start is a command; the worker's as soon as there are jobs."""
    started = [json.loads(last_of("CMD"))[:1], *(container["args"] for container in containers(made))]
    started += [s["command"] for s in made["compose"]["postgres"]["services"].values() if s.get("command")]
    wanted = {" ".join(["reverie", *(word for word in words if not word.startswith("-"))]) for words in started}
    known = paths_of_commands()
    waiting = set() if "reverie jobs" in known else {"reverie jobs work"}
    assert wanted - known - waiting == set()


def test_probes_ask_for_routes_that_need_no_token(made: dict[str, Any]) -> None:
    """The paths of the probes and of the image's check are among those that are open."""
    from reverie.faces.http.app import OPEN

    asked = {probe["httpGet"]["path"] for c in containers(made) for name, probe in c.items() if name.endswith("Probe")}
    assert asked | set(re.findall(r"/\w+z(?=\\)", last_of("HEALTHCHECK"))) <= set(OPEN)
    assert "/readyz" in last_of("HEALTHCHECK")


def test_the_volume_is_the_only_place_written() -> None:
    """The store and the state lie in the volume, which the image gives to its user, who is not root."""
    variables = image_variables()
    assert all(variables[name].startswith("/data/") for name in ("REVERIE_STORE", "XDG_STATE_HOME", "XDG_CONFIG_HOME"))
    assert last_of("VOLUME") == last_of("WORKDIR") == "/data"
    uid = last_of("USER").partition(":")[0]
    assert int(uid) > 0
    assert f"--uid {uid}" in DOCKERFILE


def test_the_image_copies_what_is_there() -> None:
    """Each source of a COPY is in the checkout and let through by .dockerignore; nothing is fetched by an address."""
    let = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for words in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE):
        for source in words.split()[:-1]:
            assert (ROOT / source).exists(), source
            assert source in let, source
    assert "://" not in DOCKERFILE.replace("http://127.0.0.1", "")


def test_versions_are_one() -> None:
    """The image that compose names and the chart's version are the program's."""
    import reverie

    chart = yaml.safe_load((ROOT / "deploy" / "helm" / "Chart.yaml").read_text(encoding="utf-8"))
    assert chart["appVersion"] == chart["version"] == reverie.__version__
    assert COMPOSE["compose.yaml"]["services"]["reverie"]["image"] == f"reverie:{reverie.__version__}"


def test_every_metric_of_the_board_is_told() -> None:
    """Each metric and label that the Grafana board asks for is one that a server tells."""
    metrics = Metrics()
    metrics.served("GET", "/v1/recall", 200, 0.01)
    metrics.dreamt(done=True)
    told: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(metrics.text().decode()):
        for sample in family.samples:
            told.setdefault(sample.name, {"instance"}).update(sample.labels)
    board = json.loads(BOARD.read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked += [one["query"]["query"] for one in board["templating"]["list"] if one["type"] == "query"]
    named = {name for expression in asked for name in re.findall(r"\b(?:reverie|process)_\w+", expression)}
    assert named - set(told) == set()
    for expression in asked:
        for name, labels in re.findall(r"\b((?:reverie|process)_\w+)\{([^}]*)\}", expression):
            assert set(re.findall(r"(\w+)=~?\"", labels)) <= told[name], expression


def test_no_two_panels_overlap() -> None:
    """Each panel of the board has an id and a place of its own, within the 24 columns."""
    panels = json.loads(BOARD.read_text(encoding="utf-8"))["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    cells: set[tuple[int, int]] = set()
    for place in (panel["gridPos"] for panel in panels):
        own = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not own & cells
        assert max(x for x, _ in own) < 24
        cells |= own


def test_secrets_reach_the_command_alone(tmp_path: Path) -> None:
    """A secret is read from its file, exactly; the file's name is not passed on; an empty one is refused."""
    secret = tmp_path / "token"
    secret.write_text("$(id) `id` 'quoted' \"twice\" \\n\n", encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "REVERIE_SERVE_TOKEN_FILE": str(secret)}
    show = "import os; print(os.environ['REVERIE_SERVE_TOKEN'], 'REVERIE_SERVE_TOKEN_FILE' in os.environ, sep='|')"
    command = ["sh", str(WRAPPER), sys.executable, "-c", show]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "$(id) `id` 'quoted' \"twice\" \\n|False\n"
    secret.write_text("", encoding="utf-8")
    refused = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "is empty" in refused.stderr


def test_what_the_image_runs_answers_and_is_healthy(tmp_path: Path) -> None:
    """The image's entry, command, variables and check, in a folder instead of the volume and on a free port."""
    token = tmp_path / "token"
    token.write_text(TOKEN, encoding="utf-8")
    variables = {name: value.replace("/data", str(tmp_path)) for name, value in image_variables().items()}
    bin_folders = f"{WRAPPER.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**variables, "PATH": bin_folders, "HOME": str(tmp_path), "REVERIE_SERVE_PORT": "0"}
    environment |= {"REVERIE_SERVE_TOKEN_FILE": str(token), "REVERIE_EMBEDDER": "none"}
    command = [*json.loads(last_of("ENTRYPOINT")), *json.loads(last_of("CMD"))]
    with subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = re.findall(r":(\d+)", server.stdout.readline())[0]
            check = json.loads(last_of("HEALTHCHECK").partition("CMD ")[2])
            check[0] = sys.executable
            healthy = subprocess.run(
                check, env={"REVERIE_SERVE_PORT": port}, capture_output=True, timeout=20, check=False
            )
            assert healthy.returncode == 0, healthy.stderr
            where = f"http://127.0.0.1:{port}/v1/scopes"
            assert httpx.get(where).status_code == 401
            answer = httpx.get(where, headers={"Authorization": f"Bearer {TOKEN}"})
            assert answer.json()["scopes"] == []
        finally:
            server.terminate()
            assert server.wait(timeout=30) == 0
    assert (tmp_path / "reverie.db").is_file()
