"""The command ``vault`` and its subcommands, for a folder of observations that agents and people edit."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import InvalidInput
from reverie.faces.cli import exits
from reverie.faces.cli import vault_output as shown
from reverie.faces.cli.invocation import TIME, Command, Invocation, pass_invocation
from reverie.faces.cli.screen import Screen

if TYPE_CHECKING:
    from reverie.vault.files import Places
    from reverie.vault.maintenance import MaintenanceStep, Report
    from reverie.vault.vault import Vault


CLASSES = ("tactical", "operational", "strategic", "compliance", "permanent")
"""Repeated here so that help loads nothing."""


_STDIN = Path("-")
_FOLDER = click.Path(file_okay=False, path_type=Path)
in_vault = click.option("--vault", "root", type=_FOLDER, help="The vault's folder; else the one this folder is in.")


@dataclass(frozen=True, slots=True)
class Desk:
    """What a vault command works with: the vault, the day, the agent in force ("" for none), and the screen."""

    vault: Vault
    today: date
    agent: str
    screen: Screen


def at_desk(run: Callable[..., None]) -> Callable[..., Any]:
    """Give a vault command its common options, and pass it the desk made from them."""

    def called(invocation: Invocation, /, root: Path | None, today: datetime | None, **given: Any) -> None:
        run(_desk(invocation, root, today), **given)

    functools.update_wrapper(called, run)
    dated = click.option("--today", type=TIME, metavar="DAY", help="Go by this day instead of today.")
    return in_vault(dated(pass_invocation(called)))


def _desk(invocation: Invocation, root: Path | None, today: datetime | None) -> Desk:
    from reverie.vault.files import Places
    from reverie.vault.laws import ocean_laws
    from reverie.vault.vault import Vault

    made_here = click.get_current_context().info_name == "init"
    places = Places((root or Path()).resolve()) if made_here else meant(root)
    day = today.date() if today else datetime.now().astimezone().date()
    return Desk(Vault(places, ocean_laws()), day, invocation.settings().agent or "", invocation.screen)


def meant(root: Path | None) -> Places:
    """Return the vault at ``root``, or the one the working folder is in. Raises InvalidInput, NotFound."""
    from reverie.vault.files import Places

    places = Places.above(Path.cwd()) if root is None else Places(root.resolve())
    if not places.is_vault():
        raise InvalidInput(f"{places.root} is no vault.", f"Make it one: `reverie vault init --vault {places.root}`.")
    return places


@click.group("vault", short_help="Keep observations as Markdown files.")
def vault_command() -> None:
    """Keep what agents observe as Markdown files: earned importance, decay, and what all agents share.

    People and agents may edit the files at any time. No store, no model and no index is needed.
    """


@vault_command.command("init", cls=Command)
@click.argument("agents", nargs=-1)
@click.option("--scripts", is_flag=True, help="Also lay in the three scripts that run without Reverie.")
@at_desk
def init_command(desk: Desk, agents: tuple[str, ...], scripts: bool) -> None:
    """Create a vault's folders here, those of the AGENTS, and a description for agents (AGENTS.md)."""
    from reverie.vault.scaffold import CONVENTIONS, Laid, lay, lay_conventions, lay_ground

    root = desk.vault.places.root
    made = desk.vault.init(agents)
    lay_ground(desk.vault.places)
    told = lay_conventions(root)
    laid = lay(root) if scripts else Laid((), ())
    written = (*made, *told.written, *laid.written)
    if desk.screen.as_json:
        left = [str(path) for path in (*told.left, *laid.left)]
        desk.screen.json({"vault": str(root), "made": [str(path) for path in written], "left": left})
    else:
        desk.screen.line(f"vault: {root}")
        for path in written:
            desk.screen.line(f"made: {path.relative_to(root)}")
        for path in laid.left:
            desk.screen.note(f"left alone: {path}: somebody else's")
        for path in told.left:
            desk.screen.note(f"left alone: {path}: yours; let it say: Read agents/{CONVENTIONS} before you begin.")
    if laid.left:
        click.get_current_context().exit(exits.PARTLY)


@vault_command.command("new", cls=Command)
@click.argument("text", required=False)
@click.option("--tag", "tags", multiple=True, metavar="WORD", help="A tag; may be given again.")
@click.option(
    "--for", "purpose", type=click.Choice(CLASSES), default="operational", show_default=True, help="How long."
)
@click.option("--builds-on", "backlinks", multiple=True, metavar="NAME", help="An observation this one refers to.")
@at_desk
def new_command(desk: Desk, text: str | None, tags: tuple[str, ...], purpose: str, backlinks: tuple[str, ...]) -> None:
    """Write an observation of the agent in force; without TEXT it is read from standard input.

    Its importance is .5, like that of every new one. It stays 14 days (tactical), 30 (operational), 90 (strategic),
    180 (compliance), or for good.
    """
    from reverie.vault.vault import CLASSES as DAYS
    from reverie.vault.vault import ObservationDraft

    words = text if text is not None else sys.stdin.read()
    path = desk.vault.new(_agent(desk), ObservationDraft(words, tags, DAYS[purpose], backlinks), desk.today)
    name = f"{desk.agent}/{path.stem}"
    loose = desk.vault.loose(path) if backlinks else ()
    if desk.screen.as_json:
        desk.screen.json({"name": name, "file": str(path), "loose": shown.faults(loose)})
    else:
        desk.screen.line(f"written: {name}")
        shown.loose(desk.screen, loose)
    if loose:
        click.get_current_context().exit(exits.PARTLY)


@vault_command.command("read", cls=Command)
@click.option("--all", "everything", is_flag=True, help="Every agent's, not just those of the agent in force.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="At most so many.")
@at_desk
def read_command(desk: Desk, everything: bool, limit: int) -> None:
    """Show what the agent in force should know when its session begins: the most important and freshest first.

    These are its own observations and the shared ones, each whole. No access is counted.
    """
    agent = None if everything or not desk.agent else desk.agent
    shown.found(desk.screen, desk.vault.begin(desk.today, agent=agent, limit=limit))


@vault_command.command("search", cls=Command)
@click.argument("query")
@click.option("--all", "everything", is_flag=True, help="Every agent's, not just those of the agent in force.")
@click.option("--limit", type=click.IntRange(1, 1000), default=5, show_default=True, help="At most so many.")
@at_desk
def search_command(desk: Desk, query: str, everything: bool, limit: int) -> None:
    """Search by words, ranked by similarity times importance times freshness.

    It searches the agent's own observations and the shared ones. No access is counted. With - as the query, each line
    of standard input is one, answered at once from an index kept in memory; an empty line ends an answer.
    """
    agent = None if everything or not desk.agent else desk.agent
    if query == "-":
        _answer_lines(desk, agent, limit)
    else:
        shown.found(desk.screen, desk.vault.search(query, desk.today, agent=agent, limit=limit))


def _answer_lines(desk: Desk, agent: str | None, limit: int) -> None:
    from reverie.engine.runtime import SystemClock
    from reverie.vault.linking.search import Finder
    from reverie.vault.search import VaultQuery

    finder = Finder(desk.vault.places, desk.vault.laws, SystemClock())
    try:
        for line in sys.stdin:
            shown.found(desk.screen, finder.find(VaultQuery(line.strip(), agent, limit), desk.today))
            desk.screen.line()
            sys.stdout.flush()
    finally:
        finder.close()


@vault_command.command("outcome", cls=Command)
@click.argument("name")
@click.option("--why", metavar="TEXT", default="", help="Which decision; the same words count once. Else the day.")
@at_desk
def outcome_command(desk: Desk, name: str, why: str) -> None:
    """Record that the observation NAME led to a decision with a good outcome: importance +.2."""
    _happened(desk, desk.vault.outcome(name, why, desk.today))


@vault_command.command("verify", cls=Command)
@click.argument("name")
@at_desk
def verify_command(desk: Desk, name: str) -> None:
    """Record that the observation NAME came true: importance +.15, once."""
    _happened(desk, desk.vault.verify(name, desk.today))


@vault_command.command("flag", cls=Command)
@click.argument("name")
@click.argument("verdict", type=click.Choice(["important", "wrong"]))
@at_desk
def flag_command(desk: Desk, name: str, verdict: str) -> None:
    """Mark the observation NAME, as a person, as important (importance .95) or wrong (0, archived at once)."""
    _happened(desk, desk.vault.flag(name, desk.today, important=verdict == "important"))


@vault_command.command("contradict", cls=Command)
@click.argument("name")
@click.option("--by", required=True, metavar="NAME", help="The newer observation.")
@at_desk
def contradict_command(desk: Desk, name: str, by: str) -> None:
    """Record that a newer observation contradicts NAME: importance −.2, once for each."""
    _happened(desk, desk.vault.contradict(name, by, desk.today))


_dry_run = click.option("--dry-run", is_flag=True, help="Only say what would be done.")


@vault_command.command("refs", cls=Command)
@_dry_run
@at_desk
def refs_command(desk: Desk, dry_run: bool) -> None:
    """Count references between observations, and adjust importance for them and for neglect."""
    _run(desk, ["refs"], dry_run=dry_run)


@vault_command.command("decay", cls=Command)
@_dry_run
@at_desk
def decay_command(desk: Desk, dry_run: bool) -> None:
    """Archive what is past its age or of no importance, name what a person should look at, extend what matters.

    References and neglect are counted first (`refs`), since importance depends on them.
    """
    _run(desk, ["refs", "decay"], dry_run=dry_run)


@vault_command.command("promote", cls=Command)
@click.argument("name", required=False)
@_dry_run
@at_desk
def promote_command(desk: Desk, name: str | None, dry_run: bool) -> None:
    """Share with all agents the observations that earned it, or the observation NAME."""
    if name is None:
        _run(desk, ["promote"], dry_run=dry_run)
    elif dry_run:
        raise InvalidInput("What you name yourself is shared; there is nothing to try.", "Leave out --dry-run.")
    else:
        _show(desk, desk.vault.promote(name, desk.today))


@vault_command.command("maintain", cls=Command)
@_dry_run
@at_desk
def maintain_command(desk: Desk, dry_run: bool) -> None:
    """Do the day's maintenance: references, then decay, then promotion. A second time in a day changes nothing."""
    _run(desk, ["refs", "decay", "promote"], dry_run=dry_run)


@vault_command.command("flush", cls=Command)
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@_dry_run
@at_desk
def flush_command(desk: Desk, file: Path | None, dry_run: bool) -> None:
    """Write down what a session taught the agent in force: its messages are in FILE, or (-) text on standard input.

    FILE is in any form that `reverie import` takes. Numbers that changed, patterns, decisions and failures are kept;
    searches, checks, what did not change and what the vault already holds are not. Secrets are masked.
    """
    from reverie.exchange.reader import read
    from reverie.types import Message
    from reverie.vault.session_flush import flush

    agent = _agent(desk)
    messages = [Message(sys.stdin.read())] if file is None or file == _STDIN else list(read(file))
    kept = flush(desk.vault, agent, messages, desk.today, dry_run=dry_run)
    if desk.screen.as_json:
        shape = [{"text": one.text, "kind": one.kind} for one in kept]
        desk.screen.json({"dry_run": dry_run, "messages": len(messages), "kept": shape})
        return
    for one in kept:
        desk.screen.line(f"{one.kind}: {one.text}")
    desk.screen.line(f"observations {'to write' if dry_run else 'written'}: {len(kept)} · messages: {len(messages)}")


def _run(desk: Desk, names: Sequence[str], *, dry_run: bool) -> None:
    from reverie.vault.maintenance import MaintenanceStep

    steps: tuple[MaintenanceStep, ...] = tuple(MaintenanceStep(name) for name in names)
    _show(desk, desk.vault.maintain(desk.today, steps, dry_run=dry_run), dry_run=dry_run)


def _happened(desk: Desk, report: Report) -> None:
    if not report.changes and not desk.screen.as_json:
        desk.screen.note("told before, and counted once: nothing changes")
    _show(desk, report)


def _show(desk: Desk, report: Report, *, dry_run: bool = False) -> None:
    shown.report(desk.screen, report, dry_run=dry_run)
    if report.faults:
        click.get_current_context().exit(exits.PARTLY)


def _agent(desk: Desk) -> str:
    if not desk.agent:
        raise InvalidInput("No agent is named.", "Give --agent NAME, or set it in reverie.toml.")
    return desk.agent
