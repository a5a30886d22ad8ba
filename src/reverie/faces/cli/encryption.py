"""`reverie store encrypt` and `reverie store decrypt`: move a store to encrypted and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from reverie.faces.cli.invocation import Command, Invocation, busy, pass_invocation
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
    with trusted_after(invocation), busy("encrypting"):
        done = encrypt(settings.store, settings.key_file, erase_copies=erase_copies)
    _show(invocation, done, encrypted=True)


@click.command("decrypt", cls=Command, short_help="Write the store unencrypted, in place.")
@pass_invocation
def decrypt_command(invocation: Invocation) -> None:
    """Write the store in force unencrypted, in place. Afterwards name it without `sqlcipher:`.

    Nobody else may have the store open. Backups made of it stay encrypted, and the key stays where it is.
    """
    from reverie.engine.encryption import decrypt

    settings = invocation.settings()
    with trusted_after(invocation), busy("decrypting"):
        done = decrypt(settings.store, settings.key_file)
    _show(invocation, done, encrypted=False)


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
