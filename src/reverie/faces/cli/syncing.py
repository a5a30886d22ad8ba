"""The command ``sync``: one memory on several machines, through a folder or a git repository."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.durable import unreadable
from reverie.errors import InvalidInput, NotFound
from reverie.faces.cli.invocation import Command, Invocation, pass_invocation
from reverie.faces.cli.screen import cut
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from reverie.engine.core import Reverie
    from reverie.engine.sync import SyncConflict, Synced
    from reverie.faces.cli.screen import Screen
    from reverie.types import Scope

_KEY_MAX = 200
_TEXT = 100


@click.command("sync", cls=Command, short_help="Share a scope with your other machines.")
@click.argument("place", metavar="[PLACE]", required=False)
@click.option("--new-key", is_flag=True, help="Make the key of your machines, and print it this once.")
@click.option("--key-from", metavar="FILE", help='Take the key from a file; "-" reads standard input.')
@click.option("--conflicts", "show", is_flag=True, help="List what machines changed differently; sync nothing.")
@click.option("--settle", metavar="ID", multiple=True, help="End a memory's conflict with what it holds here.")
@pass_invocation
def sync_command(
    invocation: Invocation, place: str | None, new_key: bool, key_from: str | None, show: bool, settle: Sequence[str]
) -> None:
    """Synchronise the scope with other machines through PLACE, without a server.

    PLACE is a folder that reaches the other machines (a synchronised folder, a USB stick), or the address or path of a
    git repository, whose branch "reverie-sync" is used. All that is written there is encrypted with your key: make
    it on the first machine with --new-key, and give it to every other with --key-from.

    Every machine ends with the same memories, in whatever order they synchronise. Where two changed the same
    memory without knowing of each other, both versions are kept, one counts, and --conflicts shows them. What is erased
    on one machine is erased on all.
    """
    if sum((place is not None, new_key, key_from is not None, show)) != 1 or (settle and place is None):
        raise InvalidInput(
            "Exactly one thing is to be done.", "Give PLACE, --new-key, --key-from FILE, or --conflicts."
        )
    screen = invocation.screen
    if new_key or key_from is not None:
        _key(screen, key_from)
    elif place is None:
        scope = invocation.scope()
        with invocation.open(model=False) as memory:
            _show_conflicts(screen, memory, scope, memory.transfer.sync_conflicts(scope))
    else:
        scope = invocation.scope()
        with invocation.open(create=True) as memory:
            done = memory.transfer.sync(place, scope, settle=settle)
        _show(screen, place, done)


def _key(screen: Screen, source: str | None) -> None:
    from reverie.engine.sync_places import new_key, sync_folder, take_key

    key = new_key() if source is None else take_key(_read(source))
    file = sync_folder() / "key"
    if screen.as_json:
        screen.json({"file": str(file), **({"key": key} if source is None else {})})
        return
    if source is None:
        screen.line(key)
    screen.note(f"the key is in {file}; whoever has it can read what you synchronise")


def _read(source: str) -> str:
    if source == "-":
        return sys.stdin.read(_KEY_MAX)
    try:
        with Path(source).open(encoding="ascii", errors="replace") as file:
            return file.read(_KEY_MAX)
    except OSError as error:
        raise unreadable(error, Path(source)) from None


def _show(screen: Screen, place: str, done: Synced) -> None:
    if screen.as_json:
        screen.json({"place": place, **shape(done)})
        return
    said = {
        f"synchronised {done.scope} through {place}": True,
        f"{done.new} memories came in, {done.changed} changed, {done.removed} were taken back": True,
        f"{done.erased} memories were erased here, because another machine erased them": done.erased,
        f"{done.taken} segments read, {done.sent} written": True,
        f"contents: {done.contents}": True,
        **{f"{name} is missing: later segments of that machine wait for it": True for name in done.waiting},
        **{f"{name} is no segment, and was not read": True for name in done.ignored},
        f"{len(done.conflicts)} conflicts: `reverie sync --conflicts` shows them": done.conflicts,
    }
    for line in (line for line, holds in said.items() if holds):
        screen.line(line)


def _show_conflicts(screen: Screen, memory: Reverie, scope: Scope, found: Sequence[SyncConflict]) -> None:
    if screen.as_json:
        screen.json({"scope": scope, "conflicts": [shape(one) for one in found]})
        return
    for one in found:
        screen.line(f"{one.memory} {one.what}: {cut(memory.memory(one.memory, scope).text, _TEXT)}")
        told = (("counts", one.kept, one.kept_from), *(("other", value, machine) for machine, value in one.others))
        for which, value, machine in told:
            screen.line(f"  {which}: {_words(memory, scope, value)}  (machine {machine})")
    screen.line(f"{len(found)} conflicts")


def _words(memory: Reverie, scope: Scope, value: str) -> str:
    """Return a value for people to read: the text of the memory that corrects, or the value itself."""
    plain = json.loads(value)
    if isinstance(plain, dict) and "superseded_by" in plain:
        with suppress(NotFound):
            return f"corrected to: {cut(memory.memory(plain['superseded_by'], scope).text, _TEXT)}"
    if isinstance(plain, dict) and "valid_until" in plain:
        return f"forgotten from {plain['valid_until']}"
    return cut(plain["text"] if isinstance(plain, dict) and "text" in plain else value, _TEXT)
