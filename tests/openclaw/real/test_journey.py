"""From the installation to the end of it, in the real OpenClaw with a played model: what a person would go through."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from tests.openclaw.real.model import ANSWER, NAME, Model
from tests.openclaw.real.program import PLUGIN, REVERIE, TOKEN, OpenClaw

FENCE = "<relevant-memories>"
FACT = "The spare key hangs behind the boiler."
PATIENCE = {"recallTimeoutMs": 10_000, "startTimeoutMs": 120_000, "captureTimeoutMs": 25_000}
"""A machine that has other work; on one's own the defaults do."""


def settle(openclaw: OpenClaw, model: Model, config: dict[str, Any]) -> None:
    """The owner's settings: a model, a gateway for this machine, and what the plugin may see."""
    plugins = openclaw.settings().get("plugins", {})
    entry = plugins.setdefault("entries", {}).setdefault("reverie", {"enabled": True})
    entry |= {"hooks": {"allowConversationAccess": True}, "config": {"command": REVERIE, **PATIENCE, **config}}
    openclaw.settle(
        plugins=plugins,
        models={"providers": {"played": model.settings()}},
        agents={"defaults": {"model": {"primary": f"played/{NAME}"}}},
        gateway={
            "mode": "local",
            "auth": {"mode": "token", "token": TOKEN},
            "http": {"endpoints": {"chatCompletions": {"enabled": True}}},
        },
    )


def known(openclaw: OpenClaw, text: str) -> list[str]:
    """What the memory holds of a text, whatever the gate says of it; nothing while its server is starting."""
    memories = openclaw.tool("memory_explain", query=text).get("memories", [])
    return [memory["text"] for memory in memories]


@pytest.mark.req("C3", "C4", "C5", "C6", "C9")
def test_a_memory_from_its_installation_to_its_end(openclaw: OpenClaw, model: Model) -> None:
    """Install, both hooks, the gate, the commands, a backend that dies in mid-turn, import, uninstall."""
    openclaw.settle(plugins={"allow": ["telegram"], "slots": {"memory": "memory-core"}})
    assert "$ openclaw plugins install --link" in openclaw.reverie("install", "openclaw", "--yes", "--no-model")
    plugins = openclaw.settings()["plugins"]
    assert (plugins["slots"]["memory"], plugins["allow"]) == ("reverie", ["telegram", "reverie"])
    known_origin(openclaw)
    # Activation falls within seconds: with it the test would go by the machine's speed.
    settle(openclaw, model, {"activationWeight": 0})
    openclaw.start()
    kept_and_told(openclaw, model)
    gated(openclaw, model)
    restarted(openclaw, model)
    commands(openclaw)
    imported(openclaw, model)
    openclaw.stop()
    openclaw.until(lambda: not openclaw.servers())
    openclaw.reverie("install", "openclaw", "--undo", "--yes")
    plugins = openclaw.settings()["plugins"]
    assert plugins == {"allow": ["telegram"], "slots": {"memory": "memory-core"}}
    openclaw.run("plugins", "inspect", "reverie", code=1)
    assert "Plugin not found" in openclaw.said
    assert (openclaw.home / ".openclaw" / "memory" / "reverie" / "reverie.db").exists()  # memories are their owner's
    assert (PLUGIN / "index.js").exists()


def known_origin(openclaw: OpenClaw) -> None:
    """OpenClaw loads the plugin, has a record of its source, and warns of nothing; `doctor` finds nothing either."""
    said = openclaw.run("plugins", "inspect", "reverie", "--runtime")
    assert "Status: loaded" in said
    assert f"Source path: {PLUGIN}" in said
    assert "verify where this plugin came from" not in said
    assert "next:" in openclaw.reverie("install", "openclaw", "--dry-run")
    assert "no fault" in openclaw.reverie("doctor")


def kept_and_told(openclaw: OpenClaw, model: Model) -> None:
    """What is said in one conversation reaches the model in the next, before the question, once."""
    assert openclaw.turn("I prefer the Helix editor for everything.", "one") == ANSWER
    assert FENCE not in model.prompt("Helix")
    openclaw.until(lambda: "I prefer the Helix editor for everything." in known(openclaw, "Helix editor"))
    openclaw.turn("Do I prefer the Helix editor for everything?", "two")
    prompt = model.prompt("Do I prefer the Helix")
    assert prompt.count("I prefer the Helix editor for everything.") == 1
    assert prompt.index(FENCE) < prompt.index("I prefer the Helix") < prompt.index("Do I prefer the Helix")
    stored = openclaw.tool("memory_store", text=FACT, category="fact")
    assert stored["action"] == "created"
    openclaw.turn("The spare key hangs behind the boiler, does it?", "three")
    assert FACT in model.prompt("boiler, does it?")
    openclaw.until(lambda: ANSWER in known(openclaw, ANSWER))
    assert not [text for text in known(openclaw, FENCE) if FENCE in text or "Runtime:" in text or "UTC]" in text]


def gated(openclaw: OpenClaw, model: Model) -> None:
    """A question nothing bears on is asked as it is; who asks by hand gets the nearest, and how likely it answers."""
    openclaw.turn("Who won the chess tournament in Riga in 1987?", "four")
    assert FENCE not in model.prompt("chess tournament in Riga")
    found = openclaw.tool("memory_recall", query="Who won the chess tournament in Riga in 1987?")
    assert (found["count"] > 0, found["gated"]) == (True, False)
    assert 0 < found["bestScore"] < 1  # the question itself is by now the nearest, and no answer


def restarted(openclaw: OpenClaw, model: Model) -> None:
    """The server dies while the model thinks: the turn ends as ever, and what was said is kept all the same."""
    (before,) = openclaw.servers()
    model.first = lambda: os.kill(before, signal.SIGKILL)
    assert openclaw.turn("I prefer green tea in the morning.", "five") == ANSWER
    openclaw.until(lambda: "I prefer green tea in the morning." in known(openclaw, "green tea in the morning"), 120)
    (after,) = openclaw.servers()
    assert after != before
    assert "the server is gone" in openclaw.log.read_text(errors="replace")


def commands(openclaw: OpenClaw) -> None:
    """Counts, decay and revival, beside a gateway that runs; OpenClaw knows the commands, and loads them in peace."""
    assert "stats" in openclaw.run("reverie", "--help")
    assert "failed during register" not in openclaw.said
    (stats,) = openclaw.json("reverie", "stats", "--json")["agents"]
    assert stats["agent"] == "main"
    assert stats["gated"] >= 1
    assert stats["states"]["active"] == stats["memories"] >= 7
    assert (stats["recipe"], stats["scope"]["project"]) == ("reverie", "openclaw")
    openclaw.run("reverie", "decay", code=1)  # in this recipe nothing fades, which it says
    (found, *_) = openclaw.tool("memory_explain", query=FACT)["memories"]
    woken = openclaw.json("reverie", "revive", found["id"], "--json")
    assert woken["memory"]["standing"]["state"] == "active"


def imported(openclaw: OpenClaw, model: Model) -> None:
    """What OpenClaw itself remembered comes into the plugin's own store and scope, beside a gateway that runs."""
    file = openclaw.home / ".openclaw" / "workspace" / "MEMORY.md"
    file.write_text("# Memory\n\n- Kemal serviced the heat pump in March.\n")
    said = openclaw.reverie("import", "openclaw")
    assert "main/owner/openclaw" in said
    assert "I prefer the Helix editor" not in said  # a chat that the plugin has kept already
    openclaw.turn("Who serviced the heat pump in March?", "six")
    assert "Kemal serviced the heat pump" in model.prompt("Who serviced the heat pump")


@pytest.mark.req("C9")
def test_without_reverie_a_turn_goes_on_and_says_why(openclaw: OpenClaw, model: Model) -> None:
    """Installed by settings alone, with a program that is not there: no turn is lost, and the log says what to do."""
    plugins = {
        "load": {"paths": [str(PLUGIN)]},
        "entries": {"reverie": {"enabled": True}},
        "slots": {"memory": "reverie"},
    }
    openclaw.settle(plugins=plugins)
    settle(openclaw, model, {"command": "no-such-reverie"})
    openclaw.start()
    assert openclaw.turn("I prefer green tea.", "one") == ANSWER
    said = openclaw.log.read_text(errors="replace")
    assert "`no-such-reverie` was not found. Install it with pip install 'path/to/reverie[serve]'" in said
    assert openclaw.tool("memory_recall", query="tea")["error"] == "missing"
