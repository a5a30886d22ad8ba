"""Setup commands: ``init`` (makes reverie.toml and the store), ``config`` and ``project``."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from reverie.durable import is_there, unwritable
from reverie.errors import Conflict, InvalidInput, NotFound, ReverieError, StoreMissing
from reverie.faces.cli import exits
from reverie.faces.cli.invocation import Command, CommandGroup, Invocation, confirmed, pass_invocation
from reverie.faces.cli.screen import Column, Screen, cut, visible
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from reverie.config import Loaded
    from reverie.config.project import Belonging
    from reverie.config.trust import FolderFile, Trust
    from reverie.types import Scope


_LINE = 200
"""Most characters of a line that the diff shows."""
_UNDONE = exits.failure("Unconfirmed", "Not confirmed; nothing is trusted.", "Give --yes.", exits.UNCONFIRMED)


@click.command("trust", cls=Command, short_help="Trust a folder's settings and store.")
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.option("--list", "lists", is_flag=True, help="List what is trusted.")
@click.option("--revoke", is_flag=True, help="Trust nothing any more that lies in this folder or below it.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@pass_invocation
def trust_command(invocation: Invocation, path: Path, *, lists: bool, revoke: bool, yes: bool) -> None:
    """Agree to the reverie.toml in force in a folder, and to the store that came with it.

    Until then such a file may set little, and such a store is not opened: whoever filled the folder may have written
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
    """What to agree to: a folder's file, a store that came with it, or both; ``diff`` shows the file."""

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
    if not done:
        _refuse(screen)
    if asked.file is not None:
        trust.trust(asked.file)
    if asked.store is not None:
        trust.own(asked.store)
    _tell(screen, asked)


def _refuse(screen: Screen) -> NoReturn:
    if screen.as_json:
        screen.json(_UNDONE)
    else:
        screen.note("not confirmed; nothing is trusted (give --yes where nobody can be asked)")
    click.get_current_context().exit(exits.UNCONFIRMED)


def _tell(screen: Screen, asked: _Asked) -> None:
    if screen.as_json:
        parts = (asked.file and str(asked.file.path), asked.store and str(asked.store))
        screen.json({"file": parts[0], "store": parts[1], "diff": asked.diff, "done": True})
    else:
        screen.line("trusted already" if asked.is_nothing else "trusted")


def _asked(loaded: Loaded, trust: Trust) -> _Asked:
    """Return a folder's settings file and store, as far as not trusted yet. Raises Conflict, NotFound."""
    from reverie.wire.trust import brought, found_store

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
    """Return the differences between the file and the version last agreed to."""
    from reverie.config.trust import TrustKind

    known = trust.known(TrustKind.SETTINGS, file.path)
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
    """Revoke consents at a path or below it; if there are none, that of the settings file above it."""
    from reverie.config.trust import seek

    whole = Path(os.path.realpath(path))
    gone = trust.revoke(whole)
    if not gone and (file := seek(whole).file) is not None:
        gone = trust.revoke(file.path)
    if not gone:
        raise NotFound(f"Nothing is trusted in {whole}.", "`reverie config trust --list` shows what is.")
    if screen.as_json:
        screen.json({"revoked": [{"kind": str(one.kind), "path": one.path} for one in gone]})
        return
    for one in gone:
        screen.line(f"no longer trusted: {visible(one.path)}")


_LANCE, _CIPHER = "lance:", "sqlcipher:"
_NOT_FOR_OTHERS = 0o644
"""Permissions of a new settings file: one that others may write would be ignored."""


@click.command("init", cls=Command, short_help="Write reverie.toml and an empty store.")
@click.argument("path", type=click.Path(path_type=Path, file_okay=False), default=".")
@pass_invocation
def init_command(invocation: Invocation, path: Path) -> None:
    """Write reverie.toml and an empty store into a folder.

    The scope comes from --agent, --user and --project; commands in this folder and below it use it from then on. An
    existing store is kept.
    """
    from reverie.config import Settings, load
    from reverie.wire.trust import brought

    scope = invocation.scope()
    given = invocation.given.get("store")
    settings = invocation.settings()
    is_encrypted = settings.encrypted and given is not None
    store = _store(settings.store if is_encrypted else given, path / Settings().store)
    was_there = is_there(store)
    chosen = invocation.lasting() | ({"store": f"{_CIPHER}{_seen_from(path, store)}"} if is_encrypted else {})
    file = set_up(path, scope, store, chosen, named=given is not None)
    is_asked = was_there and brought(load(path)) is not None
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "config": str(file), "store": str(store)})
        return
    screen.line(f"wrote {file} and {store}")
    if is_asked:
        screen.note(f"{store} was there already. If you know whose memories it holds, run `reverie config trust`.")
    screen.line(f"scope: {scope}")
    screen.line('next: reverie remember "The spare key hangs behind the boiler."')


def set_up(
    folder: Path, scope: Scope, store: Path, chosen: Mapping[str, str] | None = None, *, named: bool = False
) -> Path:
    """Create the store and the folder's reverie.toml, trust both, and return the path of the file.

    Raises Conflict if there is such a file. An existing store is kept, and not trusted unless it was ``named``.
    ``chosen`` are further settings for the file.
    """
    from reverie.config import PROJECT_FILE, Settings, load
    from reverie.config.trust import FolderFile, Trust
    from reverie.engine.core import Reverie
    from reverie.wire.trust import own_made

    file = folder / PROJECT_FILE
    if os.path.lexists(file):
        raise Conflict(f"{file} exists already.", "Edit it, or remove it first.")
    content = {"agent": scope.agent, "user": scope.user, "project": scope.project, "store": _seen_from(folder, store)}
    content |= chosen or {}
    recipe = content.get("recipe", Settings().recipe)
    text = "".join(f"{key} = {_toml(value)}\n" for key, value in content.items())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_new = not is_there(store)
        place = f"{_CIPHER}{store}" if content["store"].startswith(_CIPHER) else store
        key_file = load(folder).settings.key_file
        Reverie.open(place, embedder=None, home=scope, recipe=recipe, key_file=key_file).close()
        Trust().trust(FolderFile(folder.resolve() / PROJECT_FILE, text.encode()))
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _NOT_FOR_OTHERS), "wb") as out:
            out.write(text.encode())
    except OSError as error:
        raise unwritable(error, folder) from None
    if is_new or named:
        own_made(load(folder))
    return file


def _store(named: str | None, plain: Path) -> Path:
    """Return the store to create. Raises StoreMissing if it should be OpenClaw's table and there is none."""
    if named is None or not named.startswith(_LANCE):
        return plain if named is None else Path(named)
    folder = Path(named.removeprefix(_LANCE)).expanduser()
    if not (folder / "memories.lance").is_dir():
        raise StoreMissing(
            f"There is no table of OpenClaw's in {folder}.",
            "Start OpenClaw with its plugin memory-lancedb once: it makes the table, as wide as its model needs.",
        )
    return folder


def _seen_from(folder: Path, store: Path) -> str:
    """Return the store's path for reverie.toml: relative if it lies below, so that the folder can be moved."""
    whole, base = store.resolve(), folder.resolve()
    return whole.relative_to(base).as_posix() if whole.is_relative_to(base) else str(whole)


def _toml(value: str) -> str:
    """Return a string as TOML: like JSON, with DEL escaped too. Raises InvalidInput for lone surrogates."""
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise InvalidInput(f"{value!r} cannot be written into a file of settings.", "Choose a name in UTF-8.")
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@click.group(
    "config",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="Show the settings in force.",
    lazy={"trust": "setup.trust_command", "completion": "setup.completion_command"},
)
@pass_invocation
def config_command(invocation: Invocation) -> None:
    """Show the settings in force and the files they were read from."""
    from reverie.config import shown, user_file

    loaded, own = invocation.loaded(), user_file(os.environ)
    settings = loaded.settings
    files = [str(own)] if own is not None and own.is_file() else []
    files += [str(loaded.file.path)] if loaded.file is not None else []
    values = shown(settings)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"settings": values, "files": files, "trusted": loaded.trusted})
        return
    screen.table(
        [Column("setting", style="bold"), Column("value", wraps=True)],
        [(name, str(value)) for name, value in values.items()],
    )
    for file in files:
        screen.line(f"read from {file}")


@click.command("completion", cls=Command, short_help="Print a shell completion script.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@pass_invocation
def completion_command(invocation: Invocation, shell: str) -> None:
    """Print a script that completes commands and options.

    For bash, write it to ~/.local/share/bash-completion/completions/reverie; for zsh, to a file _reverie on your
    fpath; for fish, to ~/.config/fish/completions/reverie.fish.
    """
    from click.shell_completion import get_completion_class

    from reverie.faces.cli.app import main

    completer = get_completion_class(shell)
    if completer is None:
        raise ReverieError(f"This version of click knows no completion for {shell}.", "Update click.")
    script = completer(main, {}, "reverie", "_REVERIE_COMPLETE").source()
    screen = invocation.screen
    if screen.as_json:
        screen.json({"shell": shell, "script": script})
    else:
        click.echo(script)


# ``project``: which project a folder belongs to; ``join``, ``part``, and taking either back.


_folder = click.argument("folder", type=click.Path(path_type=Path), default=".")


@click.group(
    "project",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="Show a folder's project; share with others.",
    lazy={
        "join": "setup.join_command",
        "part": "setup.part_command",
        "undo": "setup.undo_command",
        "grant": "share.grant_command",
        "revoke": "share.revoke_command",
        "grants": "share.grants_command",
        "bundle": "share.bundle_command",
        "accept": "share.accept_command",
    },
)
@pass_invocation
def project_command(invocation: Invocation) -> None:
    """Show which project this folder belongs to, which folders share it, and which projects it might be.

    It counts where the setting `project` is "auto". The worktrees of a repository share one. A clone or a folder that
    has moved has a memory of its own until you join it, because anybody can copy a repository.
    """
    from reverie.config.project import Projects, repository

    invocation.loaded()  # so that a folder that is new is known from now on
    _show_project(invocation, Projects().of(repository(Path.cwd())))


@click.command("join", cls=Command, short_help="Join a folder to a project.")
@click.argument("name")
@_folder
@pass_invocation
def join_command(invocation: Invocation, name: str, folder: Path) -> None:
    """Let FOLDER, by default this one, belong to the project NAME: another folder's, or a name that you choose.

    What the folder's own project holds stays there. `reverie project undo` takes it back.
    """
    from reverie.config.project import Projects

    _show_project(invocation, Projects().join(folder, name))


@click.command("part", cls=Command, short_help="Give a folder its own project again.")
@_folder
@pass_invocation
def part_command(invocation: Invocation, folder: Path) -> None:
    """Give FOLDER, by default this one, a project of its own again. `reverie project undo` takes it back."""
    from reverie.config.project import Projects

    _show_project(invocation, Projects().part(folder))


@click.command("undo", cls=Command, short_help="Undo the last join or part of a folder.")
@_folder
@pass_invocation
def undo_command(invocation: Invocation, folder: Path) -> None:
    """Take the last join or part of FOLDER, by default this one, back."""
    from reverie.config.project import Projects

    _show_project(invocation, Projects().undo(folder))


def _show_project(invocation: Invocation, found: Belonging) -> None:
    screen = invocation.screen
    if screen.as_json:
        screen.json({**shape(found), "folder": str(found.folder)})
        return
    screen.line(f"project: {found.project}{' (joined)' if found.joined else ''}")
    screen.line(f"folder: {found.folder}")
    for claim in found.claims:
        screen.line(f"claim: {claim.replace(':', ' ', 1)}")
    for other in found.others:
        screen.line(f"shared with: {other}")
    for name in found.alike:
        screen.line(f"might be: {name} (`reverie project join {name}`)")
