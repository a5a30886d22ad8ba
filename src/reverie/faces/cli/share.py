"""Commands that share memories: ``project grant``, ``revoke`` and ``grants`` within a store, ``bundle`` and ``accept``
between two.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.errors import InvalidInput
from reverie.faces.cli.invocation import TIME, WHY, Command, Invocation, pass_invocation
from reverie.faces.cli.screen import Column, Screen, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reverie.engine.grants import Grant
    from reverie.types import Scope

_kinds = click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only memories of this kind; repeatable.")
_tags = click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only memories with this tag; repeatable.")
_why = click.option("--why", default="", metavar="REASON", help=WHY)


@click.command("grant", cls=Command, short_help="Let another scope recall from this one.")
@click.argument("receiver", metavar="AGENT/USER/PROJECT")
@_kinds
@_tags
@click.option("--since", type=TIME, metavar="TIME", help="From when on; now by default.")
@click.option("--until", type=TIME, metavar="TIME", help="Until when; by default until you revoke it.")
@click.option("--may-reshare", is_flag=True, help="What the receiver grants to others may include these memories.")
@_why
@pass_invocation
def grant_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    receiver: str,
    kinds: tuple[str, ...],
    tags: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    may_reshare: bool,
    why: str,
) -> None:
    """Let another scope recall memories of this one: read-only, marked with where they come from, and as they are then.

    Write the scope as agent/user/project, or, where a name has a slash, as a JSON list of the three names.
    """
    from reverie.engine.grants import Grant, chosen_kinds

    asked = Grant(
        giver=invocation.scope(),
        receiver=scope_of(receiver),
        kinds=chosen_kinds(kinds),
        tags=tags,
        since=since,
        until=until,
        may_reshare=may_reshare,
    )
    with invocation.open(model=False) as memory:
        made = memory.admin.grant(asked, why=why)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": made.giver, "grant": made})
    else:
        screen.line(f"granted {made.id}: {_terms(made)}")


@click.command("revoke", cls=Command, short_help="End a grant that this scope gave.")
@click.argument("grant_id", metavar="ID")
@_why
@pass_invocation
def revoke_command(invocation: Invocation, grant_id: str, why: str) -> None:
    """End a grant, from its receiver's next recall on. `reverie undo --event` of this event gives it again."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        ended = memory.admin.revoke(grant_id, scope, why=why)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "grant": ended})
    else:
        screen.line(f"revoked {ended.id}")


@click.command("grants", cls=Command, short_help="List grants given and received.")
@pass_invocation
def grants_command(invocation: Invocation) -> None:
    """List the grants that this scope gave and received, with their terms; ended ones too, until they are revoked."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.admin.grants(scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "grants": found})
        return
    _show(screen, scope, found)


@click.command("bundle", cls=Command, short_help="Write memories for another store.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--key", type=click.Path(path_type=Path, dir_okay=False), required=True, help="Your signing key's file.")
@_kinds
@_tags
@click.option("--until", type=TIME, metavar="TIME", help="Until when it may be accepted; by default for ever.")
@pass_invocation
def bundle_command(
    invocation: Invocation,
    file: Path,
    key: Path,
    kinds: tuple[str, ...],
    tags: tuple[str, ...],
    until: datetime | None,
) -> None:
    """Write this scope's valid memories to FILE, signed with your key, for somebody with another store.

    The key is made if there is none. Its public part is printed: give it to the reader by another way than the file.
    A later bundle also names what was erased or forgotten since, so that its reader erases or forgets that too.
    """
    from reverie.engine.grants import chosen_kinds

    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        done = memory.transfer.bundle(file, scope, key=key, kinds=chosen_kinds(kinds), tags=tags, until=until)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "file": str(file), **_told(done)})
        return
    screen.line(f"wrote {visible(str(file))}: {done.memories} memories, {done.erased} erased, {done.ended} forgotten")
    screen.line(f"public key: {done.key}")


@click.command("accept", cls=Command, short_help="Take memories of another store in.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--trust", metavar="KEY", required=True, help="The giver's public key, as `project bundle` printed it.")
@pass_invocation
def accept_command(invocation: Invocation, file: Path, trust: str) -> None:
    """Take the memories of a bundle into this scope, as messages that its giver said; refuse it if it was altered.

    Accepting a bundle again changes nothing.
    """
    scope = invocation.scope()
    with invocation.open() as memory:
        done = memory.transfer.accept(file, scope, trusted=trust)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, **_told(done)})
        return
    screen.line(f"from {done.giver}: {done.new} new memories, {done.known} known")
    if done.erased or done.forgotten:
        screen.line(f"ended by the giver: {done.erased} erased, {done.forgotten} forgotten")
    if done.held:
        screen.line(f"{done.held} held back by the screen: `reverie memory quarantined`")


def scope_of(text: str) -> Scope:
    """Read a scope: agent/user/project, or a JSON list of three names. Raises InvalidInput, InvalidScope."""
    from reverie.types import Scope

    parts: object = text.split("/")
    if text.lstrip().startswith("["):
        try:
            parts = json.loads(text)
        except (ValueError, RecursionError):
            parts = None
    if not isinstance(parts, list) or len(parts) != 3:
        raise InvalidInput(f"{text!r} is no scope.", 'Write agent/user/project, or ["agent","user","project"].')
    return Scope(*parts)


def _told(done: object) -> dict[str, object]:
    from reverie.wire.shapes import shape

    shown: dict[str, object] = shape(done)
    return shown


def _show(screen: Screen, scope: Scope, found: Sequence[Grant]) -> None:
    if not found:
        screen.line("no grants")
        return
    columns = [Column("", style="bold"), Column("scope", wraps=True), Column("terms", wraps=True), Column("id")]
    rows = [
        (
            "to" if one.giver == scope else "from",
            str(one.receiver if one.giver == scope else one.giver),
            _limits(one),
            one.id,
        )
        for one in found
    ]
    screen.table(columns, rows)


def _terms(grant: Grant) -> str:
    return f"{visible(str(grant.receiver))} may recall {visible(_limits(grant))}"


def _limits(grant: Grant) -> str:
    """Return in words what a grant allows."""
    parts = [", ".join(grant.kinds) or "memories of all kinds"]
    parts += [f"tagged {' or '.join(grant.tags)}"] if grant.tags else []
    parts += [f"since {grant.since:%Y-%m-%d %H:%M}"] if grant.since else []
    parts += [f"until {grant.until:%Y-%m-%d %H:%M}"] if grant.until else []
    parts += ["and reshare them"] if grant.may_reshare else []
    return " ".join(parts)
