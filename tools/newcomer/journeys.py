"""The journeys: what a newcomer of each role types, line by line, which page tells it, and what must be seen.

In: nothing. Out: ``JOURNEYS``, and ``untold``, which says what is wrong with a step without running it.

A command's words in angle brackets (``<wheel>``) are filled in when it runs: with the wheel, or with what an earlier
step printed. No shell reads them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[2]
PAGES = "docs/how-to/"
HINT = r"mend: \S"
"""What an error must say: what to do."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line that is typed.

    Attributes:
        command: the line; words in angle brackets are filled in.
        page: the page that tells it, below the repository.
        told: what that page says; the command's name if left out.
        shows: an expression that is found in what is printed, or in what the model was sent.
        lacks: an expression that is not found there.
        code: the exit code; with another than 0 the text must say what to do, unless ``shows`` says otherwise.
        keeps: names for later steps, each with an expression whose first group is the value.
        saves: a file into which the indented lines of the answer go.
        program: a page whose Python examples are the program that is run.
        serves: whether it runs until the journey ends, or until the step ``stop``.
        waits: whether it is repeated until it shows what it must, because something is done in the background.
        figure: the name of the figure that it counts for.
    """

    command: str
    page: str
    told: str = ""
    shows: str = ""
    lacks: str = ""
    code: int = 0
    keeps: Mapping[str, str] = field(default_factory=dict)
    saves: str = ""
    program: str = ""
    serves: bool = False
    waits: bool = False
    figure: str = ""

    @property
    def words(self) -> list[str]:
        """The line's words, not filled in."""
        return shlex.split(self.command)


STOP = "stop the server"
"""No command: the newcomer presses Ctrl+C."""
FIRST = "first sentence"
CHATS = "chats"
SECRET = "Our staging server is called Heron."

_ASKED = "What is our staging server called?"
_CURL = "curl -s -w '%{http_code}' -H 'Content-Type: application/json'"

AGENT = (
    Step("uv tool install <wheel>[mcp]", PAGES + "coding-agent.md", "uv tool install", figure=FIRST),
    Step(
        f"reverie setup agent --host claude-code --remember '{SECRET}' --ask '{_ASKED}' --yes",
        PAGES + "coding-agent.md",
        shows=r"recalled: Our staging server is called Heron",
        figure=FIRST,
    ),
    Step(f"claude -p '{_ASKED}'", PAGES + "coding-agent.md", "Start a new session", shows="Heron", figure=FIRST),
    Step("claude -p 'The release is every second Thursday.'", PAGES + "coding-agent.md", "Start a new session"),
    Step("reverie recall 'When is the release?'", PAGES + "coding-agent.md", shows="second Thursday", waits=True),
    Step("claude -p 'When is the release?'", PAGES + "coding-agent.md", "start another", shows="second Thursday"),
    Step("reverie hook status", PAGES + "coding-agent.md", shows="background process"),
    Step("reverie config", PAGES + "coding-agent.md", shows="config.toml"),
    Step("reverie doctor", "docs/troubleshooting.md", shows="no fault"),
    Step("reverie install claude-code --undo --yes", PAGES + "coding-agent.md"),
    Step(f"claude -p '{_ASKED}'", PAGES + "coding-agent.md", "settings are restored", lacks="Heron"),
    Step("reverie recall 'staging server'", PAGES + "coding-agent.md", shows="Heron"),
    Step("reverie hook stop", PAGES + "back-up.md"),
)

PYTHON = (
    Step("python3 -m venv .venv", "docs/start.md", "python3 -m venv .venv"),
    Step("pip install --quiet <wheel>", "docs/start.md", "pip install ./reverie"),
    Step("reverie setup python --yes", PAGES + "use-from-python.md", shows="recalled: ", saves="first.py"),
    Step("python first.py", "docs/start.md", "Remember and recall", shows="My sister Elif moved to Ankara"),
    Step("python readme.py", "README.md", "Use it from Python", shows="1 My sister Elif", program="README.md"),
    Step("python start.py", "docs/start.md", "Ask why", shows=r"1\. My sister Elif", program="docs/start.md"),
    Step(
        "python guide.py",
        PAGES + "use-from-python.md",
        "Handle errors",
        shows="→ ",
        program=PAGES + "use-from-python.md",
    ),
    Step("reverie recall 'Where does Elif live?'", "docs/start.md", shows="Ankara"),
    Step("reverie explain 'Where does Elif live?'", "docs/start.md", shows="Ankara"),
    Step("reverie recall", "docs/cli/recall.md", code=2, shows="(?i)missing|needs|usage"),
    Step(
        "reverie init --agent helper --user ada --project home", PAGES + "index.md", "reverie init", code=4, shows=HINT
    ),
    Step("reverie serve", "docs/troubleshooting.md", "needs the extra serve", code=1, shows=r"(?s)extra.+" + HINT),
    Step("reverie doctor", "docs/start.md", shows="no fault"),
)

READER = (
    Step("uv tool install <wheel>", PAGES + "chat-history.md", "uv tool install"),
    Step("reverie setup", "docs/start.md", code=8, shows="say which: reverie setup agent"),
    Step("reverie setup chats --yes", PAGES + "chat-history.md", code=2, shows="Data controls"),
    Step("reverie setup chats --file missing.zip --yes", PAGES + "chat-history.md", code=3, shows=HINT),
    Step("reverie import conversations.json", PAGES + "chat-history.md", code=2, shows=HINT),
    Step(
        "reverie setup chats --file conversations.json --yes",
        PAGES + "chat-history.md",
        shows="recalled: ",
        figure=CHATS,
    ),
    Step(
        "reverie import --observe conversations.json",
        PAGES + "chat-history.md",
        "reverie import --observe",
        shows="0 new messages",
        figure=CHATS,
    ),
    Step("reverie import conversations.json --dry-run", PAGES + "chat-history.md", shows="0 new messages"),
    Step("reverie recall 'Where did Nazlı move?'", PAGES + "chat-history.md", shows="Trabzon"),
    Step("reverie explain 'Where did Nazlı move?'", PAGES + "find-out-why.md", shows="Trabzon"),
    Step("reverie stats", PAGES + "find-out-why.md", shows="memories"),
    Step(
        "reverie recall 'Where did Nazlı move?' --json",
        PAGES + "correct-or-forget.md",
        keeps={"id": r'"id": "([0-9A-Z]{26})",\s+"kind": "episode",\s+"text": "Nazl'},
    ),
    Step("reverie forget <id>", PAGES + "correct-or-forget.md"),
    Step("reverie recall 'Where did Nazlı move?'", PAGES + "correct-or-forget.md", lacks="Trabzon"),
    Step("reverie restore <id>", PAGES + "correct-or-forget.md"),
    Step("reverie recall 'Where did Nazlı move?'", PAGES + "correct-or-forget.md", shows="Trabzon"),
    Step("reverie doctor", "docs/start.md", shows="no fault"),
)

OPERATOR = (
    Step("uv tool install <wheel>[serve]", PAGES + "share-over-http.md", "uv tool install"),
    Step("reverie setup team --yes", PAGES + "share-over-http.md", keeps={"token": r"only this once: (\S+)"}),
    Step("reverie serve token add wall --rights read", PAGES + "share-over-http.md", keeps={"wall": r"(rev_\S+)"}),
    Step(
        "reverie serve --port 0",
        PAGES + "share-over-http.md",
        keeps={"base": r"(http://127\.0\.0\.1:\d+)/", "own": r"token=(\S+)"},
        serves=True,
    ),
    Step(_CURL + ' <base>/v1/recall -d \'{"cue": "key"}\'', "docs/http.md", "needs a **token**", shows="401"),
    Step(
        _CURL + " <base>/v1/remember -H 'Authorization: Bearer <token>' "
        '-d \'{"text": "The spare key hangs behind the boiler."}\'',
        PAGES + "share-over-http.md",
        "/v1/remember",
        shows="20[01]$",
    ),
    Step(
        _CURL + " <base>/v1/recall -H 'Authorization: Bearer <wall>' -d '{\"cue\": \"Where is the spare key?\"}'",
        PAGES + "share-over-http.md",
        "/v1/recall",
        shows="(?s)boiler.*200$",
    ),
    Step(
        _CURL + " <base>/v1/remember -H 'Authorization: Bearer <wall>' -d '{\"text\": \"No.\"}'",
        "docs/http.md",
        "Each right includes the one before it",
        shows="403$",
    ),
    Step(
        _CURL + " <base>/metrics -H 'Authorization: Bearer <own>'",
        "docs/operate.md",
        "reverie_http_requests_total",
        shows="reverie_http_requests_total",
    ),
    Step(_CURL + " <base>/readyz", "docs/http.md", "/readyz", shows="200$"),
    Step("reverie backup --keep 7", PAGES + "back-up.md", keeps={"backup": r"to (\S+\.db)"}, shows="all well"),
    Step("reverie backup list", PAGES + "back-up.md", shows="backups/reverie-2"),
    Step("reverie remember 'The meter reads 4711.'", "docs/start.md"),
    Step("reverie backup restore <backup>", PAGES + "back-up.md", code=13),
    Step(STOP, PAGES + "back-up.md", "Stop every program"),
    Step("reverie backup restore <backup>", PAGES + "back-up.md", shows="(?i)digest"),
    Step("reverie recall 'spare key'", PAGES + "back-up.md", shows="boiler", lacks="4711"),
    Step("reverie backup", "docs/operate.md", shows="all well"),
    Step("uv tool install --reinstall <wheel>[serve]", "docs/operate.md", "uv tool install --reinstall"),
    Step("reverie hook stop", "docs/operate.md"),
    Step("reverie store verify", "docs/operate.md"),
    Step("reverie doctor", "docs/operate.md", shows="no fault"),
    Step("reverie audit log", "docs/operate.md", shows="recall"),
    Step("reverie serve token remove wall", PAGES + "share-over-http.md"),
)

JOURNEYS: Mapping[str, tuple[Step, ...]] = {"agent": AGENT, "python": PYTHON, "chats": READER, "operator": OPERATOR}
"""Each role's steps, in order."""


def untold(step: Step) -> str:
    """Return what is wrong with a step: a command or option that does not exist, or a page that does not tell it."""
    if step.words[0] != "reverie":
        return _unsaid(step.page, step.told or step.command)
    from reverie.faces.cli.app import main

    path, command = _command(main, ["reverie"], step.words[1:])
    if command is None:
        return f"there is no command `{' '.join(path)}`"
    known = {name for option in (*main.params, *command.params) for name in option.opts}
    strange = [word for word in step.words if word.startswith("--") and word not in known]
    if strange:
        return f"`{' '.join(path)}` does not know {', '.join(strange)}"
    return _unsaid(step.page, step.told or " ".join(path))


def _unsaid(page: str, words: str) -> str:
    text = (ROOT / page).read_text(encoding="utf-8")
    return "" if re.search(re.escape(words) + r"(?!\w)", text) else f"{page} does not tell `{words}`"


def _command(command: click.Command, path: list[str], words: list[str]) -> tuple[list[str], click.Command | None]:
    """Return the names of the command that is called, from the first, and the command; None if there is none."""
    word = words[0] if words else "-"
    if isinstance(command, click.Group):
        if word.startswith("-"):
            return path, command
        found = command.get_command(click.Context(command), word)
        return ([*path, word], None) if found is None else _command(found, [*path, word], words[1:])
    chosen = any(word in getattr(one.type, "choices", ()) for one in command.params)
    return [*path, word] if chosen else path, command
