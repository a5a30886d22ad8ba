from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT = """
import sys
class Away:
    def find_spec(self, name, path=None, target=None):
        away = "langgraph anthropic google llama_index crewai pydantic_ai agent_framework"
        if name.split(".")[0] in away.split():
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Away())
from reverie.errors import ReverieError
try:
    import reverie.faces.adapters.NAME
except ReverieError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("langgraph", "langgraph"),
        ("anthropic", "anthropic"),
        ("adk", "adk"),
        ("llama_index", "llama-index"),
        ("crewai", "crewai"),
        ("pydantic_ai", "pydantic-ai"),
        ("agent_framework", "agent-framework"),
    ],
)
def test_an_adapter_without_its_framework_says_so(name: str, extra: str) -> None:
    """On import, whether the framework is installed here or not."""
    code = WITHOUT.replace("NAME", name)
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert f"pip install 'path/to/reverie[{extra}]'" in told
