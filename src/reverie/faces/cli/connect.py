"""Commands that connect hosts: ``install`` into another program's settings, ``hook``, ``mcp``, and ``review``."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import InvalidInput, NotFound, ReverieError
from reverie.extras import is_there, lacking, require
from reverie.faces.cli import exits
from reverie.faces.cli.invocation import Command, Invocation, busy, confirmed, pass_invocation
from reverie.faces.cli.screen import Column, cut
from reverie.faces.cli.timers import is_fleeting, program
from reverie.hosts.known import NAMES, PLACED, host

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from reverie.answers import Fault
    from reverie.config import Settings
    from reverie.engine.core import Reverie
    from reverie.faces.agent_zero.review import Review, ReviewItem
    from reverie.faces.cli.screen import Screen
    from reverie.faces.hook.control import ServiceState
    from reverie.faces.mcp.http import Address
    from reverie.hosts.check import Installed
    from reverie.hosts.files import NoteBook
    from reverie.hosts.host import Host, HostEnvironment, Where
    from reverie.hosts.plan import InstallPlan, PlanStep
    from reverie.types import Scope


# ``install``: Reverie's hooks and MCP server into another program's settings; shown before, and taken out again.


_FLEETING = (
    "install Reverie (`uv tool install` or `pipx install`, with the wheel), and run this again: it runs from a cache "
    "of uv or pipx, and when that is emptied the program in these settings is gone"
)
_STOP = "Run `reverie hook stop`; the next hook starts a new one."
_FIXED = ("file-gone", "gone", "outdated", "part-missing", "part-replaced", "program-gone", "untracked", "version")
"""Faults of hosts that installing again mends, or, where the host is gone, taking the installation back."""
_LINE = 200
"""Most characters of a line that a diff shows: a host's settings may be a single long line."""


@click.command("install", cls=Command, short_help="Give a coding agent or editor this memory.")
@click.argument("program_name", metavar="HOST", type=click.Choice((*NAMES, *PLACED)))
@click.argument("place", metavar="[PATH]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--scope", "where", type=click.Choice(["user", "project"]), help="Whose settings; else as suits the host."
)
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--undo", is_flag=True, help="Take out again what was put in.")
@pass_invocation
def install_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    program_name: str,
    place: Path | None,
    where: str | None,
    *,
    yes: bool,
    dry_run: bool,
    undo: bool,
) -> None:
    """Write Reverie's hooks and MCP server into the settings of HOST, or its extensions into Agent Zero.

    HOST is claude-code, codex, gemini, cursor, vscode, openclaw or openclaw-mcp; or agent-zero with its PATH; or
    agent-zero-docker with the PATH that its container mounts as /a0/usr. What would change is shown first, and written
    when you say yes. Everything else in those files stays as it is; --undo takes out what was put in, and memories
    stay. A second run changes nothing. Your own settings and the store are created if missing; Agent Zero keeps its
    memory itself and needs neither.
    """
    chosen = host(program_name)
    work = _work(invocation, chosen, _surroundings(invocation, chosen, place), _where(chosen, where), undo=undo)
    done = work.is_done if dry_run else work.carry_out(yes=yes)
    if dry_run and not invocation.screen.as_json:
        work.show()
    work.tell(done=done, dry_run=dry_run)
    if not done and not dry_run:
        click.get_current_context().exit(exits.UNCONFIRMED)


def installed(invocation: Invocation, name: str, *, yes: bool) -> bool:
    """Install into a host's default settings, as `install` does; return whether it is installed afterwards."""
    chosen = host(name)
    work = _work(invocation, chosen, _surroundings(invocation, chosen, None), chosen.wheres[0])
    done = work.carry_out(yes=yes)
    if not invocation.screen.as_json:
        work.tell(done=done, dry_run=False)
    return done


def present_hosts(invocation: Invocation) -> list[str]:
    """Return the names of the hosts that are on this machine, by their programs and folders."""
    from reverie.hosts.check import is_present

    around = _surroundings(invocation, host(NAMES[0]), None)
    return [name for name in NAMES if is_present(host(name), around)]


def _work(invocation: Invocation, chosen: Host, around: HostEnvironment, where: Where, *, undo: bool = False) -> _Work:
    """Return the plan of an installation or its undoing. Raises InvalidInput for a file that cannot be read."""
    from reverie.hosts.plan import installing, undoing

    wanted, book = chosen.files(around, where), _book(around, chosen, where)
    plan = undoing(wanted, book) if undo else installing(wanted, book, where.mode)
    return _Work(invocation, chosen, around, where, plan, undo)


def examine_hosts(invocation: Invocation) -> list[tuple[Fault, Installed | None]]:
    """Return the faults of every host that Reverie was installed into, and of the hooks' background process."""
    from reverie.answers import Fault
    from reverie.hosts import check

    try:
        around = _surroundings(invocation, host(NAMES[0]), None)
        found = list(check.installations(around))
    except ReverieError:  # no home or no project's name, which `doctor` has told of already
        return []
    listed: list[tuple[Fault, Installed | None]] = []
    for one in found:
        listed += [(one, None)] if isinstance(one, Fault) else [(fault, one) for fault in check.faults(one)]
    return [*listed, *((fault, None) for fault in _process_faults())]


def _process_faults() -> list[Fault]:
    """Return the fault of a background process that does not answer, or runs another version's code."""
    from reverie.answers import Fault

    if not hasattr(os, "fork"):  # there is none on Windows
        return []
    from reverie.faces.hook import client, control

    state = control.status()
    if state is None:
        silent = control.silent()
        what = f"The hooks' background process {silent} does not answer."
        return [] if silent is None else [Fault("hook-process-silent", what, _STOP)]
    if state.version == client.version():
        return []
    return [Fault("hook-process-version", f"The hooks' background process {state.pid} runs another version.", _STOP)]


def mend_hosts(invocation: Invocation, found: list[tuple[Fault, Installed | None]], *, yes: bool) -> list[str]:
    """Mend the faults of hosts, each installation after its diff was shown and agreed to; return what was mended."""
    fixed = {f"host-{name}" for name in _FIXED}
    wanted = {id(each): each for fault, each in found if each is not None and fault.name in fixed}
    mended = [name for one in wanted.values() if (name := _mended(invocation, one, yes=yes))]
    if any(fault.name.startswith("hook-process") for fault, _ in found) and (yes or confirmed("End that process?")):
        from reverie.faces.hook import control

        control.stop()
        mended.append("hook process")
    _tell_unmended(invocation, asked=bool(found) and not yes, mended=mended)
    return mended


def _tell_unmended(invocation: Invocation, *, asked: bool, mended: list[str]) -> None:
    if asked and not mended and not invocation.as_json:
        invocation.screen.note("nothing was mended (--yes does not ask)")


def _mended(invocation: Invocation, one: Installed, *, yes: bool) -> str:
    """Install again, or take back what is left of a host that is gone; return what was done, or an empty text."""
    away = one.is_away
    work = _work(invocation, one.host, one.around, one.where, undo=away)
    if not invocation.screen.as_json:
        invocation.screen.line(f"{one.command}{' --undo' if away else ''}:")
    if not (away or not work.is_done) or not work.carry_out(yes=yes):
        return ""
    return f"{one.host.name}{' (undone)' if away else ''}"


def _surroundings(invocation: Invocation, chosen: Host, place: Path | None) -> HostEnvironment:
    """Return the environment of the installation. Raises InvalidInput for a missing or superfluous path."""
    from reverie.config.project import project_root
    from reverie.hosts.host import HostEnvironment
    from reverie.hosts.own import project_name

    if chosen.placed != (place is not None):
        lacking = f"Name the folder that it lies in: reverie install {chosen.name} PATH"
        what = f"It is not known where your {chosen.title} lies." if chosen.placed else f"{chosen.title} takes no PATH."
        raise InvalidInput(what, lacking if chosen.placed else "Leave the PATH out.")
    root = project_root(Path.cwd()) if place is None else place.resolve()
    name = "" if chosen.placed else project_name(root, os.environ, invocation.given)
    return HostEnvironment(os.environ, root, name, program(), sys.platform)


def _where(chosen: Host, named: str | None) -> Where:
    """Return whose settings are meant. Raises InvalidInput if the host has none of that kind."""
    from reverie.hosts.host import Where

    where = Where(named) if named else chosen.wheres[0]
    if where not in chosen.wheres:
        only = chosen.wheres[0]
        raise InvalidInput(f"{chosen.title} has no settings for a {where}.", f"Give --scope {only}, or leave it out.")
    return where


def _book(around: HostEnvironment, chosen: Host, where: Where) -> NoteBook:
    from reverie.hosts.files import NoteBook
    from reverie.hosts.host import Where

    folder = around.folder if where is Where.PROJECT else None
    return NoteBook.at(around.environment, around.home, chosen.name, folder)


class _Work:
    """One installation or its undoing: the host's files, and Reverie's own settings and store."""

    def __init__(
        self, invocation: Invocation, chosen: Host, around: HostEnvironment, where: Where, plan: InstallPlan, undo: bool
    ) -> None:
        from reverie.hosts import own

        self._given = invocation.given
        self._screen: Screen = invocation.screen
        self._host, self._around, self._plan, self._undo = chosen, around, plan, undo
        self._scope = "" if where is chosen.wheres[0] else f" --scope {where}"
        ours = not undo and not chosen.placed
        self._own = own.settings(around.environment, around.home, invocation.given) if ours else None
        self._made: Path | None = None
        self._acts = chosen.acts(around, undo)
        self._failed: list[str] = []

    @property
    def is_done(self) -> bool:
        """Whether everything is as it should be; a missing store is created without asking."""
        return self._plan.is_done and (self._own is None or self._own.is_none) and not self._acts

    def show(self) -> None:
        """Show what would change, as a diff, and what else would be done."""
        for step in self._steps():
            for line in step.diff():
                self._screen.line(cut(line, _LINE))
        for act in self._acts:
            self._screen.line(f"$ {act.shown}")

    def carry_out(self, *, yes: bool) -> bool:
        """Show what would change, ask unless ``yes``, and write it; return whether it is as it should be."""
        done = self.is_done
        if not self._screen.as_json:
            self.show()
        question = "Take this out?" if self._undo else "Write this?"
        if done or yes or (not self._screen.as_json and confirmed(question)):
            self.do()
            return True
        return False

    def do(self) -> None:
        """Carry it out, Reverie's side first, so that a host never calls what cannot answer. Raises ReverieError."""
        from reverie.hosts import files, own

        if self._own is not None and not self._own.is_none:
            files.write(self._own, mode=0o600)  # keys may be added to it
        try:
            if self._own is not None:
                self._made = own.make_store(Path.cwd(), self._around.environment, self._given)
            self._plan.do()
        except ReverieError:
            if self._own is not None and not self._own.is_none:
                files.write(files.FileChange(self._own.path, self._own.after, self._own.before))
            raise
        for act in self._acts:
            with busy(act.shown.partition("  (")[0]):
                self._failed += [failed] if (failed := act.do()) else []

    def tell(self, *, done: bool, dry_run: bool) -> None:
        """Report the result, and what to do next."""
        screen = self._screen
        if screen.as_json:
            screen.json(self._shape(done=done, dry_run=dry_run))
        elif not done:
            screen.note("nothing was changed" if dry_run else "not confirmed; nothing was changed (--yes does not ask)")
        elif self._undo:
            where = "it" if self._host.placed else "its settings"
            screen.line(f"{self._host.title}: nothing of Reverie is left in {where}; your memories stay")
            for line in self._failed:
                screen.line(f"next: {line}")
        else:
            screen.line(f"{self._host.title} is set up" + (f"; made {self._made}" if self._made else ""))
            for line in self._next():
                screen.line(f"next: {line}")

    def _steps(self) -> list[PlanStep]:
        from reverie.hosts.plan import PlanStep

        own = [] if self._own is None else [PlanStep(self._own, None)]
        return [*own, *self._plan.steps]

    def _next(self) -> list[str]:
        extra = self._host.extra
        lacks = not self._host.placed and not is_there(extra)
        missing = [str(lacking(extra, "Its server"))] if lacks else []
        place = f" {shlex.quote(str(self._around.folder))}" if self._host.placed else ""
        undo = f"undo: reverie install {self._host.name}{place}{self._scope} --undo"
        first = [_FLEETING] if is_fleeting(self._around.program[0]) else []
        return [*self._failed, *first, *missing, *self._host.told(self._around), *self._host.after, undo]

    def _shape(self, *, done: bool, dry_run: bool) -> dict[str, object]:
        changed = [
            {
                "path": str(step.change.path),
                "changes": not step.change.is_none,
                "diff": [cut(d, _LINE) for d in step.diff()],
            }
            for step in self._steps()
        ]
        next_ = self._failed if self._undo else self._next()
        return {
            "host": self._host.name,
            "files": changed,
            "acts": [act.shown for act in self._acts],
            "undo": self._undo,
            "dry_run": dry_run,
            "done": done,
            "next": next_,
        }


# ``review``: what the maintenance of an Agent Zero's memory leaves to a person, and taking a deprecation back.


COLUMNS = (
    Column("state"),
    Column("id", style="green"),
    Column("says", wraps=True),
    Column("why", wraps=True),
)
_WORDS = 400
"""Most characters of a memory that a table shows; JSON has it whole."""


@click.command("review", cls=Command, short_help="List decisions Agent Zero leaves to you.")
@click.argument("place", metavar="PATH", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--restore", "names", multiple=True, metavar="ID", help="Take this deprecation back; may be given again.")
@pass_invocation
def review_command(invocation: Invocation, place: Path, names: tuple[str, ...]) -> None:
    """List what maintenance found in the memory of the Agent Zero that lies in PATH.

    Flagged are pairs that say nearly the same and that you decide on; deprecated is what another memory superseded and
    is no longer recalled; dormant is what was never recalled. The list is that of the last pass. What --restore undoes
    holds again when Agent Zero's next monologue ends, because Agent Zero alone writes to its store.
    """
    from reverie.faces.agent_zero import review
    from reverie.hosts.agent_zero import house_files

    root = place.resolve()
    house_files(root)  # Raises InvalidInput for a folder that is no Agent Zero
    lists = {folder: review.read(folder) for folder in review.stores(root)}
    if names:
        _restore(invocation, lists, names)
        return
    screen = invocation.screen
    if screen.as_json:
        screen.json({"stores": [{"folder": str(folder), **_shape(made)} for folder, made in lists.items()]})
        return
    if not lists:
        screen.line("no list yet: the first pass of maintenance makes it, at the end of the 25th monologue")
    for folder, made in lists.items():
        screen.line(f"{folder}: pass {made.passes}, {made.at:%Y-%m-%d %H:%M} UTC, {len(made.items)} to look at")
        if made.items:
            screen.table(COLUMNS, [_row(one) for one in made.items])


def _restore(invocation: Invocation, lists: dict[Path, Review], names: tuple[str, ...]) -> None:
    """Request the undoing of deprecations in the stores that have them. Raises NotFound for an id not on the list."""
    from reverie.faces.agent_zero import review

    theirs = {
        folder: {one.id for one in made.items if one.state is review.ReviewState.DEPRECATED}
        for folder, made in lists.items()
    }
    unknown = sorted(set(names).difference(*theirs.values()))
    if unknown:
        raise NotFound(
            f"Nothing deprecated is called {', '.join(unknown)} on the list.", "`reverie review PATH` shows the ids."
        )
    for folder, held in theirs.items():
        if found := held.intersection(names):
            review.ask(folder, found)
    if invocation.screen.as_json:
        invocation.screen.json({"asked": sorted(set(names))})
    else:
        invocation.screen.line(f"asked: {', '.join(sorted(set(names)))}; done when Agent Zero's next monologue ends")


def _row(one: ReviewItem) -> tuple[str, ...]:
    why = f"{one.why}: {one.other} says: {one.other_text}" if one.other else one.why
    return one.state.value, one.id, cut(one.text, _WORDS), cut(why, _WORDS)


def _shape(made: Review) -> dict[str, object]:
    items = [
        {
            "state": one.state.value,
            "id": one.id,
            "text": one.text,
            "why": one.why,
            "other": one.other,
            "other_text": one.other_text,
        }
        for one in made.items
    ]
    return {"at": made.at.isoformat(), "passes": made.passes, "items": items}


# Hooks: ``hook`` serves a coding agent, which calls it at each step of a session.


HOSTS = ("claude-code", "codex", "gemini", "cursor", "vscode")


@click.command("hook", cls=Command, short_help="Serve a coding agent's hooks.")
@click.argument("what", type=click.Choice(("serve", "status", "stop")), default="serve")
@click.option("--host", type=click.Choice(HOSTS), help="Which agent calls; detected by what it sends if left out.")
@click.option("--event", metavar="NAME", help="The agent's name of the moment, where its JSON does not say it.")
@pass_invocation
def hook_command(invocation: Invocation, what: str, host: str | None, event: str | None) -> None:
    """Serve one call of a coding agent: read its JSON from standard input, and print the answer for the agent.

    `reverie install` writes this command into the agent's settings. It recalls and stores through a background
    process, which it starts if none runs. "status" shows that process, "stop" ends it.
    """
    from reverie.faces.hook import alone, client

    if what == "serve":
        click.get_current_context().exit((client if hasattr(os, "fork") else alone).main(_typed(host, event)))
    if not hasattr(os, "fork"):
        what_is = "Hooks have no background process on this system: each call is answered by itself."
        raise InvalidInput(what_is, f"The log of hooks: {client.state_folder()}.")
    from reverie.faces.hook import control

    state = control.status() if what == "status" else control.stop()
    shown = {
        "running": state is not None and what == "status",
        "pid": state and state.pid,
        "up_s": state and state.up_s,
        "calls": state and state.calls,
        "waiting": state and state.waiting,
        "spooled": control.spooled(),
        "log": str(control.log_file()),
    }
    if invocation.screen.as_json:
        invocation.screen.json(shown)
        return
    invocation.screen.line(_state_line(state, ended=what == "stop"))
    invocation.screen.line(f"{shown['spooled']} calls wait to be kept · log: {shown['log']}")


def _typed(host: str | None, event: str | None) -> list[str]:
    return [*(("--host", host) if host else ()), *(("--event", event) if event else ())]


def _state_line(state: ServiceState | None, *, ended: bool) -> str:
    from reverie.faces.hook import control

    if state is None:
        silent = control.silent()
        if silent is None:
            return "no background process runs; the next hook or recall starts one"
        return f"background process {silent} does not answer; `reverie hook stop` ends it"
    if ended:
        return f"background process {state.pid} has ended"
    return f"background process {state.pid}, up {state.up_s:.0f} s, {state.calls} calls"


# Serving agents over MCP: ``mcp``.


@click.command("mcp", cls=Command, short_help="Serve the memory to agents over MCP.")
@click.option("--http", is_flag=True, help="Serve over HTTP, not over the standard streams; the setting mcp.token.")
@click.option("--host", metavar="NAME", help="The address to listen on; the setting mcp.host.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="The port, 0 for a free one; mcp.port.")
@pass_invocation
def mcp_command(invocation: Invocation, http: bool, host: str | None, port: int | None) -> None:
    """Serve this scope's memory to an agent over the Model Context Protocol.

    Agents start this command themselves and speak to it over its standard streams; it ends when they do. With --http
    it serves every client that has the token, at /mcp.
    """
    if not http and (host is not None or port is not None):
        raise click.UsageError("--host and --port are for --http.")
    from reverie.wire.trust import require_trust

    scope, settings = invocation.scope(), invocation.settings()
    require_trust(invocation.loaded())
    require("mcp", "The MCP server")
    address = _address(settings, host, port) if http else None
    _end_in_order()
    from reverie.engine.factories import open_embedder
    from reverie.wire.logs import open_log
    from reverie.wire.opening import Warming, open_engine, open_reranker, unready_reranker

    log, reranker = open_log(settings), unready_reranker(settings)
    with open_engine(settings, None, log, mind=True, reranker=reranker) as memory:
        server = _server(memory, scope, settings)
        models = lambda: open_embedder(settings.embedder, settings.api_key), lambda: open_reranker(settings)
        with Warming(memory, *models):
            _serve(server, address)


def _server(memory: Reverie, scope: Scope, settings: Settings) -> Server[Any]:
    from reverie.engine.runtime import RandomIds, SystemClock
    from reverie.faces.mcp.fencing import Fencing
    from reverie.faces.mcp.server import build_server
    from reverie.faces.mcp.service import Means, Service

    fencing = Fencing(RandomIds().salt().hex())
    limits = (settings.top_k or None, settings.budget_tokens or None)
    return build_server(Service(Means(memory, scope, SystemClock(), fencing, *limits, skills=settings.skills.tools)))


def _address(settings: Settings, host: str | None, port: int | None) -> Address:
    """Return the address to listen on. Raises InvalidSetting without a token."""
    from reverie.faces.mcp.http import Address

    own = settings.mcp
    names = tuple(name.strip() for name in own.names.split(",") if name.strip())
    address = Address(host or own.host, own.port if port is None else port, own.token, names)
    address.require_token()
    return address


def _serve(server: Server[Any], address: Address | None) -> None:
    if address is None:
        from reverie.faces.mcp.stdio import serve_stdio

        serve_stdio(server)
        return
    from reverie.faces.mcp.http import serve_http

    serve_http(server, address, lambda url: click.echo(f"MCP at {url}", err=True))


def _end_in_order() -> None:
    """Exit normally on SIGTERM, so that the store is closed as at the end of the input."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
