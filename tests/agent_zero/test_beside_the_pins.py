"""Reverie's core in Agent Zero's own Python: everything Agent Zero pins stays as it is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib

import pytest

from tests.agent_zero.houses import PYTHON, REAL, REPOSITORY, SOURCE, sources_text

PIN = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([\w.]+)", re.MULTILINE)


@pytest.fixture
def python() -> str:
    """The Python that the real Agent Zero runs in, Reverie's core beside it."""
    if SOURCE not in os.environ:
        pytest.skip("the real Agent Zero is run by `make hosts-agent-zero`")
    return os.environ[PYTHON]


def pins(version: str) -> dict[str, str]:
    """What a version of Agent Zero pins; its second file is installed last and overrides the first."""
    text = "\n".join(sources_text(version, name) for name in ("requirements.txt", "requirements2.txt"))
    return {_name(name): wanted for name, wanted in PIN.findall(text)}


def installed(python: str) -> dict[str, str]:
    program = [python, "-m", "pip", "--disable-pip-version-check", "list", "--format=json"]
    found = json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout)
    return {_name(one["name"]): one["version"] for one in found}


def _name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.req("A14")
def test_nothing_is_at_odds(python: str) -> None:
    """`pip check` finds every requirement met, Agent Zero's and Reverie's."""
    program = [python, "-m", "pip", "--disable-pip-version-check", "check"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "reverie" in installed(python)


@pytest.mark.req("A14")
@pytest.mark.parametrize("version", REAL)
def test_every_pin_holds(python: str, version: str) -> None:
    """Each package that this Agent Zero pins and that is installed has the version that it pins."""
    wanted, there = pins(version), installed(python)
    assert {name: there[name] for name in wanted if name in there} == {
        name: wanted[name] for name in wanted if name in there
    }
    assert {"mcp", "pydantic", "faiss-cpu", "langchain-core"} <= wanted.keys() & there.keys()


@pytest.mark.req("A14")
@pytest.mark.parametrize("version", REAL)
def test_the_core_asks_for_nothing_that_is_pinned(python: str, version: str) -> None:
    """So no release of Agent Zero's own packages can be at odds with it."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = {_name(re.split(r"[<>=!~;\[ ]", one, maxsplit=1)[0]) for one in project["dependencies"]}
    assert core.isdisjoint(pins(version))
