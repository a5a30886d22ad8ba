"""The examples run as they stand, with the real packages."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = {
    "langgraph_store": ("langgraph", "langgraph", "I remember: My sister Zeynep lives in Izmir."),
    "anthropic_memory_tool": ("anthropic", "anthropic", "found again in /memories/people.md"),
    "adk_memory": ("adk", "google.adk", "Where does my sister live now? -> She lives in Izmir."),
    "llama_index_block": ("llama-index", "llama_index", "- My sister Zeynep lives in Izmir."),
    "openai_agents_session": ("openai-agents", "agents", "recalled: My sister Zeynep lives in Izmir."),
    "pydantic_ai_memory": ("pydantic-ai", "pydantic_ai", "I was told: My sister Zeynep lives in Izmir."),
    "agent_framework_memory": ("agent-framework", "agent_framework", "I was told: My sister Zeynep lives in Izmir."),
    "crewai_memory": ("crewai", "crewai", "recalled: Ada's sister Zeynep lives in Izmir. (/people)"),
}
"""File → extra, package, a line it prints."""


def test_every_example_of_an_adapter_is_run() -> None:
    """Each adapter has one, and none is left out here."""
    adapters = {path.stem for path in (ROOT / "src/reverie/faces/adapters").glob("*.py")}
    assert len(EXAMPLES) == len(adapters - {"__init__", "shelf", "turns"})
    for name, (extra, _, _) in EXAMPLES.items():
        assert name.startswith(extra.replace("-", "_"))
        text = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
        assert f'pip install "path/to/reverie[{extra}]"' in text


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_it_promises(name: str, tmp_path: Path) -> None:
    """In a process of its own, in an empty folder, without a network."""
    extra, package, line = EXAMPLES[name]
    if not is_there(package) and extra not in os.environ.get("REVERIE_ADAPTERS", "").split():
        pytest.skip(f"{package} is not installed (extra {extra})")
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    env = os.environ | {"PYTHONPATH": path, "HOME": str(tmp_path)}
    command = [sys.executable, str(ROOT / "examples" / f"{name}.py")]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert line in done.stdout.splitlines()


def is_there(package: str) -> bool:
    """Whether a package can be imported."""
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False
