"""``trust``: the user agrees to what came with a folder, once it was shown; lists and takes back what was agreed to."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.errors import Conflict, NotFound
from reverie.faces.cli import exits
from reverie.faces.cli.command import Command, confirmed
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.screen import Column, Screen, cut, visible

if TYPE_CHECKING:
    from reverie.config import Loaded
    from reverie.config.trust import FolderFile, Trust

_LINE = 200
"""Characters of a line that the diff shows."""
_UNDONE = exits.failure("Unconfirmed", "Not confirmed; nothing is trusted.", "Give --yes.", exits.UNCONFIRMED)


@click.command("trust", cls=Command, short_help="Agree to a folder's settings and store.")
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.option("--list", "lists", is_flag=True, help="List what is trusted.")
@click.option("--revoke", is_flag=True, help="Trust nothing any more that lies in this folder or below it.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@pass_invocation
def trust_command(invocation: Invocation, path: Path, *, lists: bool, revoke: bool, yes: bool) -> None:
    """Agree to the reverie.toml that holds in a folder, and to the store that came with it.

    Until then such a file sets little, and such a store is not opened: whoever filled the folder may have written
    both. What changed since you last agreed is shown first. When the file changes, or another store is put in the
    place of this one, you are asked again.
    """
    from reverie.config.trust import Trust

    trust = Trust()
    if lists:
        _list(invocation.screen, trust)
    elif revoke:
        _revoke(invocation.screen, trust, path)
    else:
        _agree(invocation, trust, path, yes=yes)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be agreed to: a folder's file, a store that came with it, or both; ``diff`` shows the file."""

    file: FolderFile | None
    store: Path | None
    diff: list[str]

    @property
    def is_nothing(self) -> bool:
        return self.file is None and self.store is None


def _agree(invocation: Invocation, trust: Trust, path: Path, *, yes: bool) -> None:
    from reverie.config import load

    screen = invocation.screen
    loaded = load(path if path.is_dir() else path.parent, given=invocation.given, agreed=True)
    asked = _asked(loaded, trust)
    if not screen.as_json:
        _show(screen, asked)
    done = asked.is_nothing or yes or (not screen.as_json and confirmed("Trust this?"))
    if not done and screen.as_json:
        screen.json(_UNDONE)
    elif not done:
        screen.note("not confirmed; nothing is trusted (give --yes where nobody can be asked)")
    if not done:
        click.get_current_context().exit(exits.UNCONFIRMED)
    if asked.file is not None:
        trust.trust(asked.file)
    if asked.store is not None:
        trust.own(asked.store)
    if screen.as_json:
        parts = (asked.file and str(asked.file.path), asked.store and str(asked.store))
        screen.json({"file": parts[0], "store": parts[1], "diff": asked.diff, "done": True})
    else:
        screen.line("trusted already" if asked.is_nothing else "trusted")


def _asked(loaded: Loaded, trust: Trust) -> _Asked:
    """What of a folder is not trusted yet. Raises Conflict, NotFound where there is nothing to trust."""
    from reverie.wire.trusting import brought, found_store

    file, store = loaded.file, brought(loaded)
    if file is None and loaded.notes:
        raise Conflict(" ".join(loaded.notes), "Make it an ordinary file of your own that nobody else may write.")
    found = found_store(loaded)
    if file is None and (found is None or not found.exists()):
        raise NotFound("There is no reverie.toml and no store in this folder.", "Make them with `reverie init`.")
    if file is None or trust.trusts(file):
        return _Asked(None, store, [])
    return _Asked(file, store, _diff(file, trust))


def _diff(file: FolderFile, trust: Trust) -> list[str]:
    """The file's lines beside those that were agreed to last."""
    from reverie.config.trust import Kind

    known = trust.known(Kind.SETTINGS, file.path)
    before = known.text.splitlines() if known is not None else []
    after = file.content.decode("utf-8").splitlines()
    return list(difflib.unified_diff(before, after, "trusted", str(file.path), lineterm=""))


def _show(screen: Screen, asked: _Asked) -> None:
    for line in asked.diff:
        screen.line(cut(visible(line), _LINE))
    if asked.store is not None:
        leads = f" (a link to {os.path.realpath(asked.store)})" if asked.store.is_symlink() else ""
        screen.line(visible(f"the store {asked.store}{leads}, which lies there already, and every memory in it"))


def _list(screen: Screen, trust: Trust) -> None:
    listed = trust.listed()
    if screen.as_json:
        screen.json({"trusted": [{"kind": str(one.kind), "path": one.path} for one in listed]})
    elif not listed:
        screen.line("nothing is trusted yet")
    else:
        columns = [Column("what", style="bold"), Column("path", wraps=True)]
        screen.table(columns, [(str(one.kind), one.path) for one in listed])


def _revoke(screen: Screen, trust: Trust, path: Path) -> None:
    """Take back what was agreed to at a path or below it; in a folder below a file's, to that file."""
    from reverie.config.trust import seek

    whole = Path(os.path.realpath(path))
    gone = trust.revoke(whole)
    if not gone and (file := seek(whole).file) is not None:
        gone = trust.revoke(file.path)
    if not gone:
        raise NotFound(f"Nothing is trusted in {whole}.", "`reverie trust --list` shows what is.")
    if screen.as_json:
        screen.json({"revoked": [{"kind": str(one.kind), "path": one.path} for one in gone]})
        return
    for one in gone:
        screen.line(f"no longer trusted: {visible(one.path)}")
