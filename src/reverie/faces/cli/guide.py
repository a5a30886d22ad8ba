"""The command ``setup``: ask what somebody wants Reverie for, set that up, and show that it remembers and recalls."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NoReturn

import click

from reverie.durable import is_there
from reverie.errors import Conflict, InvalidInput, InvalidScope, NotFound, ReverieError
from reverie.extras import require
from reverie.faces.cli import exits
from reverie.faces.cli.connect import installed, present_hosts
from reverie.faces.cli.invocation import Command, Invocation, confirmed, pass_invocation, prompted
from reverie.faces.cli.move import bring_in, offered, placed, readable, show_brought, show_skipped
from reverie.faces.cli.recall import because, doubt_line
from reverie.faces.cli.screen import cut, is_terminal
from reverie.faces.cli.setup import set_up
from reverie.hosts.known import NAMES, host

if TYPE_CHECKING:
    from reverie.answers import Hit
    from reverie.engine.core import Reverie
    from reverie.types import Scope


WAYS = {
    "agent": "a coding agent or editor remembers from one session to the next",
    "chats": "my history with ChatGPT or Claude can be asked",
    "python": "a program of mine in Python gets a memory",
    "team": "a server with a dashboard, for several people or programs",
}
"""What somebody may want, in the order in which it is offered."""
_EXPORTS = (
    "ChatGPT: Settings, Data controls, Export data. Claude: Settings, Privacy, Export data. Both send a link to a .zip "
    "file, which is imported as it is."
)
_LINE = 200
_WORDS = 12
"""Words of an imported message that are asked for, where no question is given."""
_SEARCHED = 1000
"""Imported messages among which one is looked for that can be asked for."""


@dataclass(frozen=True, slots=True)
class SetupWish:
    """What was given on the command line; an empty text is asked for, or has a default."""

    host: str = ""
    export: str = ""
    said: str = ""
    question: str = ""
    yes: bool = False


@dataclass(slots=True)
class _Setup:
    """One run: what was asked for, and what was done."""

    invocation: Invocation
    wish: SetupWish
    done: dict[str, object] = field(default_factory=dict)
    next: list[str] = field(default_factory=list)
    question: str = ""

    def asked(self, text: str, otherwise: str = "") -> str:
        """Return what a person types; ``otherwise`` where nobody can be asked, or nothing is typed."""
        if self.wish.yes or self.invocation.as_json or not is_terminal(sys.stdin):
            return otherwise
        return prompted(text, default=otherwise, show_default=bool(otherwise)) or otherwise

    def agrees(self, question: str) -> bool:
        """Whether the change that was shown may be made."""
        return self.wish.yes or (not self.invocation.as_json and confirmed(question))

    def refuse(self) -> NoReturn:
        """End without having changed anything."""
        screen = self.invocation.screen
        if screen.as_json:
            screen.json(exits.failure("Unconfirmed", "Nothing was changed.", "Give --yes.", exits.UNCONFIRMED))
        else:
            screen.note("not confirmed; nothing was changed (--yes does not ask)")
        click.get_current_context().exit(exits.UNCONFIRMED)

    def say(self, text: str) -> None:
        """Write a line for a person; nothing with --json."""
        if not self.invocation.as_json:
            self.invocation.screen.line(text)


@click.command("setup", cls=Command, short_help="Set up what you want Reverie for.")
@click.argument("way", metavar="[WHAT]", required=False, type=click.Choice(tuple(WAYS)))
@click.option("--host", "name", type=click.Choice(NAMES), help="agent: which; the one that is here if left out.")
@click.option("--file", "export", metavar="PATH", default="", help="chats: the export, as in `reverie import`.")
@click.option("--remember", "said", metavar="TEXT", default="", help="What to remember at the end.")
@click.option("--ask", "question", metavar="TEXT", default="", help="What to ask at the end.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@pass_invocation
def setup_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation, way: str | None, name: str | None, *, export: str, said: str, question: str, yes: bool
) -> None:
    """Set up WHAT you want Reverie for: agent, chats, python or team; without it, you are asked.

    Every change is shown first, and made when you say yes. At the end something is remembered and recalled, so that you
    see that it works. Run it again as often as you like: what is there already stays.
    """
    run = _Setup(invocation, SetupWish(name or "", export, said.strip(), question.strip(), yes))
    chosen = way or _chosen(run)
    ways: dict[str, Callable[[_Setup], None]] = {"agent": _agent, "chats": _chats, "python": _python, "team": _team}
    ways[chosen](run)
    _prove(run)
    if invocation.as_json:
        invocation.screen.json({"what": chosen, **run.done, "next": run.next})
    for line in run.next:
        run.say(f"next: {line}")


def _chosen(run: _Setup) -> str:
    """Ask what is wanted; where nobody can be asked, say what can be given, and end."""
    screen = run.invocation.screen
    if screen.as_json:
        screen.json({"what": None, "choices": WAYS})
        click.get_current_context().exit(exits.UNCONFIRMED)
    screen.line("What do you want Reverie for?")
    for number, (way, what) in enumerate(WAYS.items(), 1):
        screen.line(f"  {number}  {way.ljust(max(map(len, WAYS)))}  {what}")
    numbers = {str(number): way for number, way in enumerate(WAYS, 1)}
    typed = ""
    if not run.wish.yes and is_terminal(sys.stdin):
        typed = prompted("Number or name", type=_either((*numbers, *WAYS)), show_choices=False)
    if not typed:
        screen.note("say which: reverie setup agent, or chats, python, team (--yes where nobody can be asked)")
        click.get_current_context().exit(exits.UNCONFIRMED)
    return numbers.get(typed, typed)


def _either(names: Sequence[str]) -> click.Choice[str]:
    """One of these names, in capitals or not; another is asked for again."""
    return click.Choice(names, case_sensitive=False)


# What each way does.


def _agent(run: _Setup) -> None:
    """Install into a coding agent. Raises ReverieError for a missing extra, NotFound if none is here."""
    name = run.wish.host or _host(run)
    chosen = host(name)
    require(chosen.extra, f"What {chosen.title} starts")
    if not installed(run.invocation, name, yes=run.wish.yes):
        if run.invocation.as_json:
            run.refuse()
        click.get_current_context().exit(exits.UNCONFIRMED)  # it said so itself
    run.done["host"] = name
    run.next += [*(chosen.after if run.invocation.as_json else ()), "`reverie doctor` looks whether it stays so"]


def _host(run: _Setup) -> str:
    """Return the host to install into: the only one that is here, or the one that is chosen."""
    here = present_hosts(run.invocation)
    if len(here) == 1:
        run.say(f"found here: {host(here[0]).title}")
        return here[0]
    found = ", ".join(here)
    if not run.wish.yes and not run.invocation.as_json and is_terminal(sys.stdin):
        default = {"default": here[0]} if here else {}
        question = f"Which agent or editor ({found or ', '.join(NAMES)})?"
        if typed := prompted(question, type=_either(NAMES), show_choices=False, **default):
            return typed
    if here:
        raise InvalidInput(f"Several are here: {found}.", f"Say which: reverie setup agent --host {here[0]}")
    raise NotFound("None of the known agents and editors is here.", f"Say which: --host {', --host '.join(NAMES)}")


def _chats(run: _Setup) -> None:
    """Import an export into the memory in force, which is made if there is none."""
    export = run.wish.export
    if not export:
        run.say(_EXPORTS)
        export = run.asked("Path of the export")
    if not export:
        raise InvalidInput("No export is named.", f"{_EXPORTS} Then: reverie setup chats --file PATH")
    path = _place(export)
    if export != "-" and not path.exists():
        raise NotFound(f"There is no {export}.", "Name the file that you downloaded.")
    _own_memory(run)
    scope = run.invocation.scope()
    with readable(path) as file, run.invocation.open(create=True) as memory:
        began = perf_counter()
        brought, skipped = bring_in(memory, scope, file)
        offer = offered(path, brought.new, perf_counter() - began)
        if not run.invocation.as_json:
            show_brought(run.invocation.screen, scope, brought)
            show_skipped(run.invocation.screen, placed(file, brought.conflicts, None), skipped)
        run.question = run.wish.question or run.asked("Ask something you once talked about") or _said_in(file)
    if not brought.new + brought.known:
        again = f"reverie import {shlex.quote(str(path))} --dry-run"
        raise InvalidInput(f"There is no message in {export}.", f"`{again}` says more.")
    run.done |= {"imported": brought.new, "known": brought.known, "skipped": len(skipped)}
    run.next.append('`reverie recall "…"` asks again')
    if run.invocation.loaded().file is None:  # the project of a user's settings is that of the folder
        option = f"--project {shlex.quote(scope.project)}"
        run.next.append(f"these chats belong to this folder: in another, add `{option}`")
    run.next += [offer] if brought.new and export != "-" else []


def _place(typed: str) -> Path:
    """Return a path as it was typed, or as a terminal writes one that was dragged into it: quoted or escaped."""
    path = Path(typed).expanduser()
    if not path.exists():
        with suppress(ValueError):  # a quotation mark that is not closed
            words = shlex.split(typed)
            if len(words) == 1 and Path(words[0]).exists():
                return Path(words[0])
    return path


def _said_in(file: Path) -> str:
    """Return the beginning of a message that can be asked for."""
    from reverie.exchange import bring
    from reverie.stores.foreign import open_tables
    from reverie.types import Message

    messages = (item for item in islice(bring(file, open_tables), _SEARCHED) if isinstance(item, Message))
    texts = [" ".join(message.text.split()[:_WORDS]) for message in messages]
    return max(texts, key=lambda text: len(text.split()), default="")


def _python(run: _Setup) -> None:
    """Make a memory in this folder, and show the lines that use it."""
    _folder_memory(run)
    scope, store = run.invocation.scope(), run.invocation.settings().store
    run.done["store"] = store
    lines = [
        "from reverie import Reverie, Scope",
        f"scope = Scope(agent={scope.agent!r}, user={scope.user!r}, project={scope.project!r})",
        f"with Reverie.open({store!r}) as reverie:",
        '    reverie.remember("My sister Elif moved to Ankara in May.", scope, speaker="Ada")',
        '    for hit in reverie.recall("Where does Elif live?", scope).hits:',
        "        print(hit.memory.text)",
    ]
    run.done["example"] = "\n".join(lines)
    run.next.append("put these lines into a program; its memory is that of this folder")
    for line in lines:
        run.say(f"    {line}")


def _team(run: _Setup) -> None:
    """Make a memory in this folder and a token for whoever sets it up."""
    require("serve", "A server for a team")
    _folder_memory(run)
    from reverie.faces.cli.serve import token_for

    scope = run.invocation.scope()
    token = token_for(run.invocation, scope.user)
    run.done["token"] = token
    if token:
        run.say(f"token of {scope.user}, shown only this once: {token}")
    run.next += [
        "`reverie serve` answers and shows the dashboard; --host 0.0.0.0 lets others in, behind TLS",
        "`reverie serve token add NAME --rights write` makes a token for the next person",
        "tenants with quotas, and tokens of your identity provider: the setting team.on",
    ]


# The memory that is used.


def _has_scope(run: _Setup) -> bool:
    """Whether a scope is in force already."""
    try:
        run.invocation.scope()
    except InvalidScope:
        return False
    return True


def _make_missing(run: _Setup) -> None:
    """Make the store of the user's own settings anew, if it was deleted together with its folder."""
    own_settings = run.invocation.loaded().file is None
    if own_settings and "://" not in run.invocation.settings().store:
        from reverie.hosts import own

        own.make_store(Path.cwd(), os.environ, run.invocation.given)


def _own_memory(run: _Setup) -> None:
    """Make the user's own settings and store, unless a scope is in force already."""
    if _has_scope(run):
        _make_missing(run)
        return
    from reverie.hosts import files, own
    from reverie.hosts.host import HostEnvironment
    from reverie.hosts.plan import PlanStep

    home = HostEnvironment(os.environ, Path.cwd(), "", ()).home
    change = own.settings(os.environ, home, run.invocation.given)
    for line in PlanStep(change, None).diff():
        run.say(cut(line, _LINE))
    if not change.is_none:
        if not run.agrees("Write this?"):
            run.refuse()
        files.write(change, mode=0o600)
    own.make_store(Path.cwd(), os.environ, run.invocation.given)
    run.invocation.reload()


def _folder_memory(run: _Setup) -> None:
    """Make reverie.toml and a store in this folder, unless a scope is in force already."""
    if _has_scope(run):
        _make_missing(run)
        return
    from reverie.config import Settings
    from reverie.hosts import own
    from reverie.types import Scope

    given, folder = run.invocation.given, Path.cwd()
    name = own.project_name(folder, os.environ, given)
    scope = Scope(given.get("agent", own.AGENT), given.get("user", own.login(os.environ)), given.get("project", name))
    store = Path(given.get("store", folder / Settings().store))
    run.say(f"would write the settings of {folder} and {'keep' if is_there(store) else 'make'} the store {store}")
    run.say(f"scope: {scope}")
    if not run.agrees("Write this?"):
        run.refuse()
    set_up(folder, scope, store, run.invocation.lasting(), named="store" in given)
    run.invocation.reload()


# The proof.


def _prove(run: _Setup) -> None:
    """Remember a sentence and recall it; of an import, recall what came in. Raises NotFound if it is not recalled."""
    scope = run.invocation.scope()
    with run.invocation.open(create=True, reads=True) as memory:
        if run.question:
            said, wanted = "", None
        else:
            said, run.question, wanted = _remembered(run, memory, scope)
        found = memory.recall(run.question, scope)
        hit = next((one for one in found.hits if wanted in (None, one.memory.id) or one.memory.text == said), None)
        if hit is None:
            raise _unrecalled(run, memory, scope, wanted)
    run.done |= {"scope": scope, "asked": run.question, "recalled": hit.memory.text, "id": hit.memory.id}
    _tell(run, said, hit, "" if said else doubt_line(found))


def _unrecalled(run: _Setup, memory: Reverie, scope: Scope, wanted: str | None) -> ReverieError:
    """Return the error for a question that recalls nothing of what was kept."""
    from reverie.types import State

    if wanted is not None and memory.memory(wanted, scope).standing.state is State.QUARANTINED:
        mend = f"Remember another. `reverie memory release {wanted}` lets it out."
        return Conflict("The screen holds that sentence back: it reads like an order to a model.", mend)
    return NotFound(f"{cut(run.question)!r} recalls nothing of it.", "Run `reverie doctor`.")


def _remembered(run: _Setup, memory: Reverie, scope: Scope) -> tuple[str, str, str]:
    """Remember a sentence; return it, the question that asks for it, and the memory's id."""
    from reverie.engine.runtime import SystemClock
    from reverie.types import Message

    default = f"Reverie was set up on {SystemClock().now():%Y-%m-%d}."
    said = run.wish.said or run.asked("Tell it something to remember", default)
    usual = "When was Reverie set up?" if said == default else said
    question = run.wish.question or (run.asked("Ask for it", usual) if not run.wish.said else said)
    again = f"setup {sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()}"  # a second run keeps it once
    receipt = memory.remember(Message(said, session="setup", message_id=again), scope)
    if not receipt.new:
        with suppress(Conflict):  # it was corrected, or is in quarantine
            memory.restore(receipt.id, scope, why="setup was run again")  # forgotten, as the last run offered
    run.done["remembered"] = said
    return said, question, receipt.id


def _tell(run: _Setup, said: str, hit: Hit, doubted: str) -> None:
    if said:
        run.say(f"remembered: {said}")
    run.say(f"asked: {run.question}")
    if doubted.endswith(":"):  # what follows hardly answers
        run.say(doubted)
    run.say(f"recalled: {cut(hit.memory.text)} ({because(hit)})")
    if said:
        run.next.append(f"`reverie forget {hit.memory.id}` takes that sentence back")
