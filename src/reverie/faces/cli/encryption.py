"""`reverie store encrypt` and `reverie store decrypt`: move a store to encrypted and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reverie.faces.cli.invocation import Command, Invocation, busy, pass_invocation
from reverie.faces.cli.screen import visible
from reverie.wire.trust import own_made, require_trust

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

    settings, loaded = invocation.settings(), invocation.loaded()
    require_trust(loaded)
    with busy("encrypting"):
        done = encrypt(settings.store, settings.key_file, erase_copies=erase_copies)
    own_made(loaded)  # another file now
    _show(invocation, done, encrypted=True)


@click.command("decrypt", cls=Command, short_help="Write the store unencrypted, in place.")
@pass_invocation
def decrypt_command(invocation: Invocation) -> None:
    """Write the store in force unencrypted, in place. Afterwards name it without `sqlcipher:`.

    Nobody else may have the store open. Backups made of it stay encrypted, and the key stays where it is.
    """
    from reverie.engine.encryption import decrypt

    settings, loaded = invocation.settings(), invocation.loaded()
    require_trust(loaded)
    with busy("decrypting"):
        done = decrypt(settings.store, settings.key_file)
    own_made(loaded)
    _show(invocation, done, encrypted=False)


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
