"""The TypeScript client: its types are those of the server, it builds, and its own tests pass against a real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.code import ROOT
from tools import clients

LEAST = 20
MODULES = clients.FOLDER / "node_modules"


@pytest.fixture(scope="module")
def node() -> str:
    """A Node that is new enough, with what the client is built with."""
    found = shutil.which("node")
    if found is None or not (MODULES / ".installed").is_file():
        pytest.skip("the TypeScript client needs Node and `make clients`, which are not there")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.lstrip("v").partition(".")[0]) < LEAST:
        pytest.skip(f"the TypeScript client needs Node {LEAST} or newer, and this is {version}")
    return found


def run(node: str, *words: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of Node in the client's folder, with nothing of the machine's own settings."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "OMP_NUM_THREADS") if name in os.environ}
    reverie = json.dumps([sys.executable, "-c", "from reverie.faces.start import main; main()"])
    return subprocess.run(
        [node, *words],
        env={**kept, "HOME": str(home), "REVERIE_COMMAND": reverie},
        cwd=clients.FOLDER,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_types_are_those_of_the_server() -> None:
    """The generated file was made from today's OpenAPI description; the message says how to make it anew."""
    assert clients.behind(clients.SCHEMA.read_text(encoding="utf-8"), clients.packed(clients.description())) == ""


def test_types_of_another_description_are_behind() -> None:
    """A changed description, or a file that does not say what it was made from, is a fault that says what to run."""
    schema = clients.SCHEMA.read_text(encoding="utf-8")
    assert clients.MEND in clients.behind(schema, "{}")
    assert clients.MEND in clients.behind("export interface paths {}", "{}")


def test_the_client_builds_and_works_against_a_real_server(node: str, tmp_path: Path) -> None:
    """Types accept and refuse what they should; remember, recall, forget, errors and tokens over loopback."""
    for words in (["tsconfig.test.json"], ["tsconfig.json", "--noCheck"]):  # the first checks it all
        built = run(node, "node_modules/typescript/bin/tsc", "-p", *words, home=tmp_path)
        assert built.returncode == 0, built.stdout
    done = run(node, "--test", "--test-reporter=tap", "test/client.test.mjs", "test/ai-sdk.test.mjs", home=tmp_path)
    failed = "\n".join(part for part in done.stdout.split("# Subtest: ") if "\nnot ok" in part)
    assert done.returncode == 0, failed or done.stdout + done.stderr
    assert "\n# pass 12\n" in done.stdout
    assert "\n# skipped 0\n" in done.stdout


def test_the_package_has_the_version_of_the_program_and_exact_dependencies() -> None:
    """One version for both; each dependency is exact; the lock has digests, and names no place to fetch from."""
    import reverie

    package = json.loads((clients.FOLDER / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((clients.FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    assert package["version"] == lock["version"] == reverie.__version__
    asked = package["dependencies"] | package["devDependencies"]
    assert all(version[0].isdigit() for version in asked.values())
    locked = {name: entry for name, entry in lock["packages"].items() if name}
    assert all("resolved" not in entry and entry["integrity"].startswith("sha512-") for entry in locked.values())
    assert {name: locked[f"node_modules/{name}"]["version"] for name in asked} == asked


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_nothing_built_is_committed() -> None:
    """What is installed and built lies in folders that git ignores."""
    ignored = ["node_modules/x", "dist/index.js"]
    command = ["git", "check-ignore", *ignored]
    done = subprocess.run(command, cwd=clients.FOLDER, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ignored
