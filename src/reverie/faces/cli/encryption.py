"""`reverie store encrypt|decrypt` move a store to encrypted and back; `shred|rotate` are about a database's keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.faces.cli import exits
from reverie.faces.cli.invocation import Command, Invocation, busy, confirmed, pass_invocation
from reverie.faces.cli.screen import visible
from reverie.wire.trust import require_trust

if TYPE_CHECKING:
    from reverie.engine.encryption import Converted


@click.command("encrypt", cls=Command, short_help="Encrypt the store in place.")
@click.option(
    "--erase-copies", is_flag=True, help="Also overwrite and delete its unencrypted backups and logs of operations."
)
@pass_invocation
def encrypt_command(invocation: Invocation, erase_copies: bool) -> None:
    """Encrypt the store in force in place, with a key in your keyring or in the file that the setting key_file names.

    A missing key is made. Nobody else may have the store open. Afterwards name the store with `sqlcipher:` before its
    path. Whoever loses the key loses the memories: keep a copy of it.
    """
    from reverie.engine.encryption import encrypt

    settings = invocation.settings()
    with trusted_after(invocation), invocation.logged("encrypt") as line, busy("encrypting"):
        done = encrypt(settings.store, settings.key_file, erase_copies=erase_copies)
        line.did("", 1)
    _show(invocation, done, encrypted=True)


@click.command("decrypt", cls=Command, short_help="Write the store unencrypted, in place.")
@pass_invocation
def decrypt_command(invocation: Invocation) -> None:
    """Write the store in force unencrypted, in place. Afterwards name it without `sqlcipher:`.

    Nobody else may have the store open. Backups made of it stay encrypted, and the key stays where it is.
    """
    from reverie.engine.encryption import decrypt

    settings = invocation.settings()
    with trusted_after(invocation), invocation.logged("decrypt") as line, busy("decrypting"):
        done = decrypt(settings.store, settings.key_file)
        line.did("", 1)
    _show(invocation, done, encrypted=False)


@click.command("shred", cls=Command, short_help="Destroy a scope's key for good.")
@click.option("--all-scopes", is_flag=True, help="Every scope of the tenant, one after another.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@pass_invocation
def shred_command(invocation: Invocation, all_scopes: bool, yes: bool) -> None:
    """Destroy the key of the scope in force, in an encrypted database, and with it all that was ever said there.

    Its rows are deleted too. This cannot be undone. Copies of the server's files made earlier hold the key, wrapped by
    the master key: run `reverie store rotate` and destroy the old master key, and those do not open either.
    """
    scope = None if all_scopes else invocation.scope()
    with invocation.open(model=False) as memory:
        going = memory.admin.scopes() if scope is None else [scope]
        what = f"all {len(going)} scopes of this tenant" if scope is None else f"{scope}"
        if not (yes or confirmed(f"Destroy the key of {what}, and all that was said there, for good?")):
            if invocation.screen.as_json:
                invocation.screen.json(exits.UNDONE)
            else:
                invocation.screen.note("not confirmed; nothing was destroyed (give --yes where nobody can be asked)")
            click.get_current_context().exit(exits.UNCONFIRMED)
        done = [memory.admin.shred(one) for one in going]
    screen = invocation.screen
    if screen.as_json:
        screen.json({"shredded": [{"scope": one.scope, "memories": len(one.memories)} for one in done]})
        return
    for one in done:
        screen.line(visible(f"key destroyed: {one.scope} ({len(one.memories)} memories)"))
    screen.note(
        "the server's backups and its log of writes still hold the key, wrapped by the master key: see `store rotate`"
    )


@click.command("rotate", cls=Command, short_help="Give an encrypted database a new master key.")
@click.argument("new_key_file", type=click.Path(path_type=Path))
@pass_invocation
def rotate_command(invocation: Invocation, new_key_file: Path) -> None:
    """Wrap the keys of all scopes of the tenant in force with a new master key, in the file NEW_KEY_FILE.

    The file is made if it is not there. No memory is rewritten, and what is running goes on. Afterwards set key_file to
    the new file. Destroy the old key when no backup that you need was made with it.
    """
    with invocation.open(model=False) as memory:
        count = memory.admin.rotate(new_key_file)
    screen, name = invocation.screen, str(new_key_file.absolute())
    if screen.as_json:
        screen.json({"scopes": count, "key_file": name})
        return
    screen.line(visible(f"the keys of {count} scopes are wrapped with the key in {name}"))
    screen.line(visible(f'now name it so, in reverie.toml or your own settings: key_file = "{name}"'))
    screen.note("the old key opens only what was copied before; destroy it when no other store needs it")


@contextmanager
def trusted_after(invocation: Invocation) -> Iterator[None]:
    """Refuse a store that the user has not agreed to, and note the new file if they had agreed to the old one."""
    from reverie.config.trust import Trust
    from reverie.engine.logs import file_of

    require_trust(invocation.loaded())
    trust, file = Trust(), file_of(invocation.settings().store)
    is_own = trust.owns(file)
    yield
    if is_own:
        trust.own(file)


def _show(invocation: Invocation, done: Converted, *, encrypted: bool) -> None:
    screen, name = invocation.screen, f"{'sqlcipher:' if encrypted else ''}{done.store}"
    if screen.as_json:
        files = {"plain": list(done.plain), "removed": list(done.removed)}
        screen.json({"store": name, "digest": done.digest, **files})
        return
    screen.line(visible(f"{'encrypted' if encrypted else 'decrypted'} {done.store}; digest {done.digest}, as before"))
    screen.line(visible(f'now name it so, in reverie.toml or your own settings: store = "{name}"'))
    for path in done.removed:
        screen.line(visible(f"overwritten and deleted: {path}"))
    for path in done.plain:
        screen.note(visible(f"{path} still holds what was said, unencrypted: encrypt, move away or delete it"))
    if encrypted:
        screen.note(
            "the old file was overwritten, but an SSD or a file system with snapshots may keep older blocks; only an"
            " encrypted disk rules that out"
        )
