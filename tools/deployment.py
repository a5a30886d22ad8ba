"""Check the files of deployment with the programs that read them: Dockerfile, compose files, Helm chart, shell script.

In: the checkout; run by the environment that ``requirements/deploy.txt`` is installed into (``make deploy``).
Out: one line a fault and exit code 1; or with ``--json`` the objects that the chart renders and the services of the
compose files, for the tests, which compare them with the code. Nothing is run, built or sent.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import helm_python
import kubernetes_validate
import yaml

ROOT = Path(__file__).resolve().parents[1]
CHART = ROOT / "deploy" / "helm"
COMPOSE = {
    "file": ["compose.yaml"],
    "postgres": ["compose.yaml", "compose.postgres.yaml"],
    "encrypted": ["compose.yaml", "compose.postgres.yaml", "compose.encrypted.yaml"],
}
DATABASE = {"store": "postgresql://reverie@database:5432/reverie"}
VALUES: dict[str, dict[str, Any]] = {
    "file": {},
    "postgres": {"postgres": DATABASE, "replicas": 3, "imagePullSecrets": [{"name": "registry"}]},
    "encrypted": {"postgres": {**DATABASE, "keySecret": "reverie-key"}},
    "alone": {"postgres": {**DATABASE, "workers": 0}, "storage": {"className": "fast"}, "port": 9000},
}
REFUSED: dict[str, dict[str, Any]] = {
    "two servers on one file": {"replicas": 2},
    "a value there is not": {"replica": 1},
    "a variable that is none of Reverie's": {"settings": {"PATH": "x"}},
    "a password in the address": {"postgres": {"store": "postgresql://reverie:secret@database/reverie"}},
}
KUBERNETES = ("1.29", "1.33", "1.37")
_YAML = "{extends: default, rules: {line-length: {max: 120}, document-start: disable, braces: disable}}"


def program(name: str, *words: str, text: str | None = None) -> str:
    """Run a program of this environment and return what it printed if it found a fault, else ""."""
    command = [str(Path(sys.executable).parent / name), *words]
    done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=False)
    return f"{name}: {(done.stdout + done.stderr).strip()}" if done.returncode else ""


def rendered(chart: Any, values: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every object that the chart makes of some values."""
    made = chart.render(values, name="trial", namespace="memory")
    texts = [text for name, text in sorted(made.items()) if name.endswith(".yaml")]
    return [found for text in texts for found in yaml.safe_load_all(text) if found]


def chart_faults(chart: Any) -> Iterator[str]:
    """Yield what Helm or Kubernetes would not accept, and what they should refuse and do not."""
    for message in helm_python.lint(str(CHART))["messages"]:
        if message["severity"] > 1:  # 1: advice, such as an icon
            yield f"helm: {message['path']}: {message['error']}"
    for name, values in VALUES.items():
        for found in rendered(chart, values):
            yield from (f"kubernetes: {name}: {fault}" for fault in object_faults(found))
    for name, values in REFUSED.items():
        try:
            rendered(chart, values)
        except helm_python.HelmError:
            continue
        yield f"helm: the chart accepts {name}"


def object_faults(found: dict[str, Any]) -> Iterator[str]:
    """Yield what the schemas of each version of Kubernetes do not accept in an object."""
    for version in KUBERNETES:
        try:
            kubernetes_validate.validate(found, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            yield f"{version}: {found['kind']}: {error.message}"


def compose(names: Sequence[str], folder: Path) -> str:
    """Write what Docker Compose makes of some files into the folder, and return its fault, if any."""
    files = [word for name in names for word in ("--file", name)]
    out = folder / f"{len(names)}.json"
    return program("docker-compose", *files, "config", "--format", "json", "--output", str(out))


def main(arguments: Sequence[str]) -> int:
    """Print the faults, or what was rendered; return the exit code."""
    with tempfile.TemporaryDirectory() as name, helm_python.Chart.load(str(CHART)) as chart:
        folder = Path(name)
        plain = [*COMPOSE["encrypted"], "deploy/helm/Chart.yaml", "deploy/helm/values.yaml"]
        faults = [program("hadolint", "Dockerfile"), program("yamllint", "--strict", "-d", _YAML, *plain)]
        faults += [compose(names, folder) for names in COMPOSE.values()]
        faults = [fault for fault in faults if fault] + list(chart_faults(chart))
        if "--json" in arguments and not faults:
            objects = {name: rendered(chart, values) for name, values in VALUES.items()}
            services = {
                name: json.loads((folder / f"{len(names)}.json").read_text()) for name, names in COMPOSE.items()
            }
            print(json.dumps({"chart": objects, "compose": services}))
    print(*(faults or ["deployment: every file is accepted"]), sep="\n", file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
