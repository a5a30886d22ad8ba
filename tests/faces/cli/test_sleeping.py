import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faces.cli.conftest import TALK, Run, formed
from tests.faces.cli.test_app import process

V9 = ("--recipe", "v9")
"""The default's dream changes little of a short conversation; document D's rehearses and promotes."""


def state(run: Run) -> list[dict[str, object]]:
    """Everything as it stands."""
    memories: list[dict[str, object]] = run("timeline", "--json").shape["memories"]
    return memories


def test_a_dry_run_says_what_a_dream_would_do_and_writes_nothing(talk: Run) -> None:
    """Then the dream does just that, and undo takes it back to the byte."""
    before = state(talk)
    would = talk("dream", "--dry-run", *V9, "--json").shape
    assert would["dry_run"] is True
    assert would["changed"] > 0
    assert state(talk) == before
    done = talk("dream", *V9, "--json").shape
    assert done["changed"] == would["changed"]
    assert [step["name"] for step in done["steps"]] == [step["name"] for step in would["steps"]]
    assert state(talk) != before
    back = talk("undo", "--json").shape
    assert (back["cycle"], back["left"]) == (done["cycle"], [])
    assert state(talk) == before


def test_a_dream_is_told_step_by_step(talk: Run) -> None:
    """For people: how many, why, before → after."""
    shown = talk("dream", *V9).out
    assert "promotion and demotion" in shown
    assert "→" in shown
    assert "taken back" in talk("undo").out


def test_a_second_dream_within_a_day_changes_nothing(talk: Run) -> None:
    """Whatever it was, it has been done."""
    talk("dream")
    before = state(talk)
    assert talk("dream", "--json").shape["changed"] == 0
    assert state(talk) == before


@pytest.mark.req("D38", "C6")
def test_decay_and_compact_are_dreams_in_part(talk: Run) -> None:
    """Only the steps that their names promise."""
    faded = talk("dream", "decay", "--dry-run", *V9, "--json").shape
    assert [step["name"] for step in faded["steps"]] == ["tier decay"]
    assert "tier decay" in talk("dream", "decay", *V9).out
    done = talk("dream", "compact", "--json").shape
    assert [step["name"] for step in done["steps"]] == ["redundancy"]
    assert done["freed_bytes"] >= 0
    assert "bytes freed" in talk("dream", "compact").out


def test_by_default_nothing_fades_and_that_is_told(talk: Run) -> None:
    """The dream has no such step; a decay is refused with the recipes that have one, and changes nothing."""
    before = state(talk)
    steps = [step["name"] for step in talk("dream", "--dry-run", "--json").shape["steps"]]
    assert steps == ["clustering", "consolidation", "redundancy", "abstraction", "hot tier"]
    refused = talk("dream", "decay")
    assert refused.code == 2
    assert "In the recipe reverie nothing fades." in refused.err
    assert "v9 and ocean" in refused.err
    assert state(talk) == before


def test_what_cannot_be_undone_is_told(talk: Run) -> None:
    """No dream, one that is not there, one that was taken back already."""
    assert talk("undo").code == 3
    cycle = talk("dream", "--json").shape["cycle"]
    assert talk("undo", "--cycle", "nobody").code == 3
    assert talk("undo", "--cycle", cycle).code == 0
    assert talk("undo", "--cycle", cycle).code == 4


def test_what_is_hot_is_listed(talk: Run) -> None:
    """A preference stands in the hot tier; the default recipe brings it where it applies."""
    [hot] = talk("session", "hot", "--json").shape["memories"]
    assert hot["kind"] == "preference"
    assert hot["text"] in talk("session", "hot").out


def test_another_recipe_dreams_in_another_way(talk: Run) -> None:
    """By the common option; a name there is not is refused with the nearest."""
    assert [s["name"] for s in talk("dream", "--recipe", "openclaw", "--json").shape["steps"]] == ["falling asleep"]
    done = talk("dream", "--recipe", "ocaen")
    assert done.code == 2
    assert "'ocean'" in done.err


@pytest.mark.parametrize("command", [["dream"], ["undo"], ["session", "hot"], ["dream", "decay"], ["dream", "compact"]])
def test_a_store_that_is_not_there_is_told(run: Run, command: list[str]) -> None:
    """Like every command."""
    assert run(*command, "--agent", "a", "--user", "u", "--project", "p", "--no-model").code == 11


def test_observe_dream_and_undo_as_processes(home: Run, folder: Path) -> None:
    """Each a process of its own, as a host calls them; what one writes the next one reads."""
    lines = "".join(json.dumps({"text": text, "speaker": "Ada", "role": "user"}) + "\n" for text in TALK)
    observed = process("observe", "--file", "-", "--json", folder=folder, input=lines.encode())
    assert observed.returncode == 0, observed.stderr
    assert len(json.loads(observed.stdout)["formed"]) == len(formed(home))
    before = state(home)
    dreamt = process("dream", *V9, "--json", folder=folder)
    assert dreamt.returncode == 0, dreamt.stderr
    assert json.loads(dreamt.stdout)["changed"] > 0
    undone = process("undo", folder=folder)
    assert undone.returncode == 0, undone.stderr
    assert state(home) == before


def test_a_recall_loads_no_dream_no_model_and_no_plots(home: Run, folder: Path) -> None:
    """What a command does not need it does not pay for."""
    code = (
        "import sys; from reverie.faces.cli import main; main(['recall', 'key'], standalone_mode=False);"
        "heavy = ('matplotlib', 'rich', 'msgspec', 'opentelemetry', 'urllib.request', 'reverie.engine.dreams',"
        " 'reverie.engine.llm_tasks', 'reverie.models.llm', 'reverie.faces.plots', 'subprocess');"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
