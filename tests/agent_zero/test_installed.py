"""What the installer leaves in an Agent Zero's folder, and takes away again (A14)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent_zero.houses import House
from tests.agent_zero.installing import install, uninstall

TOLD = "The user prefers the helix editor"
FOREIGN = """{
    "load_bearing_keywords": ["must",   "always"],
  "zeta": {"b": 1, "a": 2}, "archival_threshold_cycles": 50,
    "temporal_decay": {"enabled": false, "half_life_hours": 24}
}
"""


def everything(root: Path) -> dict[str, bytes | None]:
    """Every file's bytes and every folder, by its path."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
        if "__pycache__" not in path.parts
    }


@pytest.mark.req("A14")
@pytest.mark.parametrize("config", [None, FOREIGN, "{}", FOREIGN.replace("\n", "\r\n")])
def test_undoing_leaves_nothing(bare: House, config: str | None) -> None:
    """Every byte is as before, also where the configuration was there before us."""
    file = bare.memory / "classification_config.json"
    if config is not None:
        file.parent.mkdir(parents=True)
        file.write_bytes(config.encode())
    before = everything(bare.root)
    install(bare.root)
    assert everything(bare.root) != before
    uninstall(bare.root)
    assert everything(bare.root) == before


@pytest.mark.req("A14")
def test_installing_twice_changes_nothing(bare: House) -> None:
    """The second time there is nothing left to do."""
    install(bare.root)
    before = everything(bare.root)
    install(bare.root)
    assert everything(bare.root) == before


@pytest.mark.req("A14")
def test_sections_are_added_and_none_is_overwritten(bare: House) -> None:
    """Whatever stood there stands there still, as it was written; what was missing has the documented values."""
    file = bare.memory / "classification_config.json"
    file.parent.mkdir(parents=True)
    file.write_text(FOREIGN, encoding="utf-8")
    install(bare.root)
    text = file.read_text(encoding="utf-8")
    held, before = json.loads(text), json.loads(FOREIGN)
    assert {key: held[key] for key in before} == before
    assert list(held)[: len(before)] == list(before)
    assert '"load_bearing_keywords": ["must",   "always"]' in text
    assert '"zeta": {"b": 1, "a": 2}' in text
    assert held["query_expansion"] == {
        "enabled": True,
        "retrieval_k_per_variant": 8,
        "use_domain_scoping": True,
        "use_keyword_extraction": True,
        "max_keywords": 12,
    }
    assert held["related_memories"] == {
        "enabled": True,
        "tag_overlap_threshold": 3,
        "related_boost": 0.08,
        "max_related_per_memory": 10,
        "rebuild_interval_cycles": 25,
    }
    assert held["deduplication"] == {
        "enabled": True,
        "similarity_threshold": 0.9,
        "auto_deprecate_agent_inferred": True,
        "max_pairs_per_cycle": 20,
        "log_all_candidates": True,
    }


@pytest.mark.req("A14", "A14a")
def test_nothing_of_agent_zeros_own_is_changed(bare: House) -> None:
    """Two extensions in the user's folder, at the two hooks, under the documented names; no file of the program's."""
    before = everything(bare.root)
    install(bare.root)
    added = {name: held for name, held in everything(bare.root).items() if name not in before}
    assert all(everything(bare.root)[name] == held for name, held in before.items())
    assert all(name.startswith("usr") for name in added)
    files = [Path(name) for name, held in added.items() if held is not None and name.endswith(".py")]
    assert {(file.parent.name, file.name) for file in files} == {
        ("message_loop_prompts_after", "_56_memory_enhancement.py"),
        ("monologue_end", "_57_memory_maintenance.py"),
    }
    for file in files:
        compile((bare.root / file).read_text(encoding="utf-8"), file.name, "exec")


@pytest.mark.req("A14")
def test_after_undoing_the_agent_is_the_stock_one(house: House) -> None:
    """It runs, says nothing of ours, and its memory holds what it held."""
    house.start()
    one = house.add(TOLD)
    house.turn(TOLD)
    house.end()
    house.stop()
    uninstall(house.root)
    house.start()
    turn = house.turn(TOLD)
    assert (turn.error, turn.ours, house.end().ours) == ("", [], [])
    assert house.docs()[one]["text"] == TOLD


@pytest.mark.req("A14")
def test_the_command_installs_and_undoes(bare: House, tmp_path: Path) -> None:
    """As its owner types it: first what it would do, then the doing, then the undoing."""
    environment = os.environ | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}

    def reverie(*words: str) -> None:
        program = [sys.executable, "-c", "from reverie.faces.start import main; main()"]
        done = subprocess.run([*program, *words], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    before = everything(bare.root)
    reverie("install", "agent-zero", str(bare.root), "--dry-run")
    assert everything(bare.root) == before
    reverie("install", "agent-zero", str(bare.root), "--yes")
    bare.start()
    bare.add(TOLD)
    assert len(bare.turn(TOLD).ours) == 1
    bare.stop()
    reverie("install", "agent-zero", str(bare.root), "--undo", "--yes")
    left = set(everything(bare.root)) - set(before)
    assert not any(part in name for name in left for part in ("reverie_memory", "_56_memory", "_57_memory"))
    assert "classification_config.json" not in {Path(name).name for name in left}
