"""``vault link`` and related commands: keep a vault and the engine in sync as two views of one memory."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time
from hashlib import sha256
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import InvalidInput, InvalidScope, StoreMissing
from reverie.faces.cli import exits
from reverie.faces.cli.dream import KEY, LocalTime, ScheduleWish, arrange
from reverie.faces.cli.invocation import Command, Invocation, pass_invocation
from reverie.faces.cli.timers import TIMERS, NightlyRun, program
from reverie.faces.cli.vault import in_vault, meant, vault_command
from reverie.faces.cli.vault_output import loose

if TYPE_CHECKING:
    from reverie.engine.core import Reverie
    from reverie.faces.cli.screen import Screen
    from reverie.vault.files import Places
    from reverie.vault.linking.links import VaultLink
    from reverie.vault.linking.sync import LinkedVault, Synced


_NAME = "reverie-vault"
SHOWN = 100
"""Most changes that are shown one by one."""


def _at_vault(run: Callable[..., None]) -> Callable[..., Any]:
    """Pass a command the vault it works on."""

    def called(invocation: Invocation, /, root: Path | None, **given: Any) -> None:
        run(invocation, meant(root), **given)

    functools.update_wrapper(called, run)
    return in_vault(pass_invocation(called))


@vault_command.command("link", cls=Command)
@click.argument("agents", nargs=-1)
@_at_vault
def link_command(invocation: Invocation, places: Places, agents: tuple[str, ...]) -> None:
    """Make the vault and the engine two views of one memory, and synchronise them.

    For all agents of the vault, or only the AGENTS. The engine follows what is edited, renamed, added or deleted in
    files; what it learns, corrects and forgets appears in files. `reverie vault sync` does it again.
    """
    from reverie.vault.laws import ocean_laws
    from reverie.vault.linking.sync import link
    from reverie.vault.scaffold import lay_ground
    from reverie.vault.vault import Vault
    from reverie.wire.trust import own_link, require_trust

    settings = invocation.settings()
    if not settings.user or not settings.project:
        raise InvalidScope("No user and project are named.", "Give --user and --project, or run `reverie init` first.")
    store = Path(settings.store).resolve()
    require_trust(invocation.loaded())
    if not store.exists():
        raise StoreMissing(f"There is no store at {store}.", "Make it with `reverie init`.")
    from reverie.vault.linking.links import VaultLink, sidecar

    Vault(places, ocean_laws()).init(agents or tuple(name for name in (settings.agent,) if name))
    lay_ground(places)
    link(places, wished := VaultLink(str(store), settings.user, settings.project, agents))
    own_link(sidecar(places).resolve(), wished)
    _sync(invocation, places, lambda linked: linked.sync())


@vault_command.command("unlink", cls=Command)
@_at_vault
def unlink_command(invocation: Invocation, places: Places) -> None:
    """End the link. Files and memories stay as they are, and no longer follow each other."""
    from reverie.vault.linking.sync import unlink

    ended = unlink(places)
    if invocation.screen.as_json:
        invocation.screen.json({"store": ended.store, "tied": len(ended.ties)})
    else:
        invocation.screen.line(f"no longer linked: {places.root} and {ended.store} ({len(ended.ties)} files)")


@vault_command.command("sync", cls=Command)
@click.option("--dry-run", is_flag=True, help="Only say what would be done first.")
@click.option("--gone", is_flag=True, help="It is meant that many files are gone: forget what they said.")
@click.option("--maintain", is_flag=True, help="Do the day's maintenance in between, linked or not.")
@click.option("--watch", is_flag=True, help="Go on until interrupted, whenever something changes.")
@click.option(
    "--every",
    type=click.FloatRange(0.1, 3600.0),
    default=2.0,
    show_default=True,
    help="Seconds between two looks with --watch.",
)
@_at_vault
def sync_command(invocation: Invocation, places: Places, **asked: Any) -> None:
    """Synchronise a linked vault and its engine. A second run writes nothing, neither event nor file.

    If both sides changed, both versions are kept: the engine's in a file named `…-conflict`.
    """
    if asked["watch"] and (asked["dry_run"] or asked["gone"] or asked["maintain"]):
        raise InvalidInput("--watch goes alone.", "Leave out the other options.")
    if asked["watch"]:
        _watch(invocation, places, asked["every"])
    elif not asked["maintain"]:
        _sync(invocation, places, lambda linked: linked.sync(dry_run=asked["dry_run"], gone=asked["gone"]))
    elif asked["dry_run"]:
        raise InvalidInput("--dry-run and --maintain do not go together.", "Try each alone.")
    else:
        _night(invocation, places, gone=asked["gone"])


@vault_command.command("schedule", cls=Command)
@click.option("--at", type=LocalTime(), metavar="HH:MM", default="03:45", show_default=True, help="Local time.")
@click.option("--by", type=click.Choice(TIMERS), help="What runs it; else what this system has.")
@click.option("--remove", is_flag=True, help="Take it away again.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@_at_vault
def schedule_command(invocation: Invocation, places: Places, at: time, **asked: Any) -> None:
    """Maintain the vault every day, and synchronise it if it is linked.

    What would be written is shown first, and written when you say yes.
    """
    root = str(places.root)
    night = NightlyRun(
        command=(*program(), "vault", "sync", "--maintain", f"--vault={root}"),
        folder=places.root,
        hour=at.hour,
        minute=at.minute,
        key=sha256(root.encode("utf-8", "surrogatepass")).hexdigest()[:KEY],
        what=f"Reverie's daily care of the vault {root}",
        kind=_NAME,
        entered_by="reverie vault schedule",
    )
    arrange(invocation.screen, night, ScheduleWish(asked["by"], asked["remove"], asked["yes"]), {"vault": root})


def _sync(invocation: Invocation, places: Places, run: Callable[[LinkedVault], Synced]) -> None:
    """Open the link's engine, synchronise, and show the result."""
    link = _linked(places)
    with _open(invocation, link) as engine:
        done = run(_both(invocation, places, engine))
    _show(invocation.screen, done, link)
    if done.faults or done.conflicts:
        click.get_current_context().exit(exits.PARTLY)


def _night(invocation: Invocation, places: Places, *, gone: bool) -> None:
    """Take in the files' changes first, then do maintenance, then synchronise its results."""
    from reverie.vault.laws import ocean_laws
    from reverie.vault.linking.links import load, sidecar
    from reverie.vault.vault import Vault

    linked = load(sidecar(places)) is not None
    if linked:
        _sync_quietly(invocation, places, gone=gone)
    report = Vault(places, ocean_laws()).maintain(datetime.now().astimezone().date())
    screen = invocation.screen
    if not screen.as_json:
        for change in report.changes:
            screen.line(f"{change.what}: {change.name} ({change.why})")
        loose(screen, report.loose)
    if linked:
        _sync(invocation, places, lambda both: both.sync(gone=gone))
    elif screen.as_json:
        changes = [{"name": one.name, "what": one.what, "why": one.why} for one in report.changes]
        screen.json({"linked": False, "changes": changes, "faults": [fault.text() for fault in report.faults]})
    if report.faults and not linked:
        for fault in report.faults:
            screen.note(f"left alone: {fault.text()}")
        click.get_current_context().exit(exits.PARTLY)


def _sync_quietly(invocation: Invocation, places: Places, *, gone: bool) -> None:
    with _open(invocation, _linked(places)) as engine:
        done = _both(invocation, places, engine).sync(gone=gone)
    if not invocation.screen.as_json:
        for change in done.changes:
            invocation.screen.line(f"{change.what}: {change.name} ({change.why})")


def _watch(invocation: Invocation, places: Places, every: float) -> None:
    from reverie.vault.linking.sync import watch

    link, screen = _linked(places), invocation.screen
    with _open(invocation, link) as engine:
        both = _both(invocation, places, engine)
        watch(both, lambda: pause(every), lambda done: _show(screen, done, link), screen.note)


def pause(seconds: float) -> bool:
    """Sleep between two checks; always True."""
    sleep(seconds)
    return True


def _linked(places: Places) -> VaultLink:
    """Return the vault's link, made by the user. Raises NotFound, StoreCorrupt, StoreUntrusted."""
    from reverie.vault.linking.links import sidecar
    from reverie.vault.linking.sync import linked
    from reverie.wire.trust import require_link

    found = linked(places)
    require_link(sidecar(places).resolve(), found)
    return found


def _open(invocation: Invocation, link: VaultLink) -> Reverie:
    """Open the link's engine without its model, which a sync without changes does not need."""
    own = invocation.settings()
    is_encrypted = own.encrypted and str(Path(own.store).resolve()) == link.store
    store = replace(own, store=link.store, encrypted=is_encrypted).named_store
    given = {**invocation.given, "store": store, "user": link.user, "project": link.project}
    return Invocation(given, invocation.as_json).open(model=False)


def _both(invocation: Invocation, places: Places, engine: Reverie) -> LinkedVault:
    from reverie.engine.runtime import SystemClock
    from reverie.vault.laws import ocean_laws
    from reverie.vault.linking.sync import LinkedVault

    def warm() -> None:
        if engine.admin.model == "none" and (model := invocation.embedder()) is not None:
            engine.admin.use_model(model)

    screening = invocation.settings().screen
    return LinkedVault(places, ocean_laws(), engine, SystemClock(), warm, screening)


def _show(screen: Screen, done: Synced, link: VaultLink) -> None:
    if screen.as_json:
        changes = [{"name": one.name, "what": one.what, "why": one.why} for one in done.changes]
        faults = [{"file": str(one.path), "line": one.line, "reason": one.reason} for one in done.faults]
        shape = {"linked": True, "store": link.store, "tied": done.tied, "conflicts": done.conflicts}
        screen.json({**shape, "changes": changes, "faults": faults})
        return
    kept = [change for change in done.changes if change.what == "conflict"]
    others = [change for change in done.changes if change.what != "conflict"]
    for change in (*kept, *others[:SHOWN]):
        screen.line(f"{change.what}: {change.name} ({change.why})")
    if len(others) > SHOWN:
        screen.line(f"… and {len(others) - SHOWN} more (--json lists all)")
    screen.line(f"changes made: {len(done.changes)} · conflicts: {done.conflicts} · tied: {done.tied}")
    for fault in done.faults:
        screen.note(f"left alone: {fault.text()}")
