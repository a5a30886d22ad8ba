"""Observations for tests: in, the fields that matter to a test; out, the text of a file, and files on disk."""

from __future__ import annotations

from pathlib import Path

from reverie.formulas.vault import Name
from reverie.vault.observation import Observation, observation
from reverie.vault.vault import Vault

FIELDS = {
    "tags": "[campaign]",
    "importance": "0.5",
    "created": "2026-02-15",
    "max_age": "30d",
    "source": "hawk",
    "refs": "0",
    "ref_by": "[]",
    "backlinks": "[]",
    "verified": "false",
}


def text(body: str = "CPL went from $12 to $15.\n", **fields: str) -> str:
    """A file as the document writes it, with these fields instead of or beside its own."""
    head = "".join(f"{key}: {value}\n" for key, value in (FIELDS | fields).items())
    return f"---\n{head}---\n{body}"


def put(vault: Vault, name: str, content: str | None = None, **fields: str) -> Path:
    """Lay ``agent/name`` into the vault of its agent, byte for byte."""
    agent, _, bare = name.partition("/")
    path = vault.places.vault(agent) / f"{bare}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((text(**fields) if content is None else content).encode())
    return path


def seen(content: str, name: str = "hawk/obs-2026-02-15-001") -> Observation:
    """The observation of a text."""
    agent, _, bare = name.partition("/")
    return observation(Name(agent, bare), Path(f"{bare}.md"), content.encode())


def everything(vault: Vault) -> dict[str, bytes]:
    """Every file of a vault and what it says; the empty lock file left out."""
    root = vault.places.root
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and path != vault.places.lock
    }
