"""Commands that change single memories: feedback, corrections, pins, protection, quarantine, forgetting and erasure."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.errors import InvalidScope
from reverie.faces.cli import exits
from reverie.faces.cli.invocation import WHY, Command, Invocation, confirmed, pass_invocation
from reverie.faces.cli.look import describe
from reverie.faces.cli.screen import Column, Screen, cut, one_line
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from reverie.engine.core import Reverie
    from reverie.engine.erasure import Erasure
    from reverie.types import Memory, Scope


VERDICTS = {
    "used": "It was of use: its utility rises.",
    "useless": "It was of no use: its utility falls.",
    "verified": "It is true: its source is trusted.",
    "wrong": "It is not true: it is not recalled any more.",
    "important": "It matters: its importance becomes .95.",
}
"""``reverie.engine.curate.Feedback``, repeated so that help loads nothing; a test holds them equal."""

_id = click.argument("memory_id", metavar="ID")


_BY_HAND = "asked for at the command line"


@click.command("feedback", cls=Command, short_help="Rate a memory: used, useless, wrong …")
@_id
@click.option("--used", is_flag=True, help=VERDICTS["used"])
@click.option("--useless", is_flag=True, help=VERDICTS["useless"])
@click.option("--verified", is_flag=True, help=VERDICTS["verified"])
@click.option("--wrong", is_flag=True, help=VERDICTS["wrong"])
@click.option("--important", is_flag=True, help=VERDICTS["important"])
@click.option("--why", metavar="TEXT", default="", help=WHY)
@pass_invocation
def feedback_command(invocation: Invocation, /, memory_id: str, why: str, **verdicts: bool) -> None:
    """Record how a memory turned out, with exactly one of the five flags."""
    given = [verdict for verdict, is_given in verdicts.items() if is_given]
    if len(given) != 1:
        raise click.UsageError(f"Give exactly one of {', '.join(f'--{verdict}' for verdict in VERDICTS)}.")
    from reverie.engine.curate import Feedback

    said = Feedback(given[0])
    _change(invocation, given[0], lambda memory, scope: memory.feedback(memory_id, scope, said, why=why))


@click.command("correct", cls=Command, short_help="Replace a memory's text; keep the old one.")
@_id
@click.argument("text")
@click.option("--why", metavar="TEXT", default="", help=WHY)
@pass_invocation
def correct_command(invocation: Invocation, memory_id: str, text: str, why: str) -> None:
    """Correct a memory to say TEXT: a new memory takes its place; the old one is kept, closed and linked.

    What was formed only from a corrected message is closed with it. `reverie undo --event NUMBER` undoes it.
    """
    _change(
        invocation, "corrected by", lambda memory, scope: memory.correct(memory_id, text, scope, why=why), model=True
    )


@click.command("pin", cls=Command, short_help="Pin a memory: nothing forgets it.")
@_id
@pass_invocation
def pin_command(invocation: Invocation, memory_id: str) -> None:
    """Protect a memory from forgetting. `reverie memory unpin` ends the protection."""
    _change(invocation, "pinned", lambda memory, scope: memory.admin.pin(memory_id, scope))


@click.command("unpin", cls=Command, short_help="Unpin a memory.")
@_id
@pass_invocation
def unpin_command(invocation: Invocation, memory_id: str) -> None:
    """Unpin a memory, so that it may fade and be forgotten again."""
    _change(invocation, "unpinned", lambda memory, scope: memory.admin.pin(memory_id, scope, pinned=False))


@click.command("protect", cls=Command, short_help="Make a memory immutable.")
@_id
@click.option("--off", is_flag=True, help="Take the protection back.")
@pass_invocation
def protect_command(invocation: Invocation, memory_id: str, off: bool) -> None:
    """Make a memory immutable: no dream and no later message edits, merges or moves it."""
    _change(
        invocation,
        "mutable" if off else "immutable",
        lambda memory, scope: memory.admin.protect(memory_id, scope, immutable=not off),
    )


@click.command("revive", cls=Command, short_help="Make a dormant memory active again.")
@_id
@pass_invocation
def revive_command(invocation: Invocation, memory_id: str) -> None:
    """Make a fading or dormant memory active again: it is recalled, in its former tier."""
    _change(invocation, "revived", lambda memory, scope: memory.admin.revive(memory_id, scope))


@click.command("quarantined", cls=Command, short_help="List quarantined memories.")
@pass_invocation
def quarantined_command(invocation: Invocation) -> None:
    """List quarantined memories, which give orders to a model: they are kept but never recalled.

    `reverie memory release ID` releases one.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        held = memory.admin.quarantined(scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "memories": held})
        return
    screen.line(f"scope: {scope} · {len(held)} in quarantine")
    if held:
        columns = [Column("said (UTC)", style="green"), Column("who", style="cyan"), Column("memory", wraps=True)]
        columns += [Column("because", style="magenta", under=True), Column("id", style="dim", under=True)]
        screen.table(columns, [_row(one) for one in held])


@click.command("quarantine", cls=Command, short_help="Put a memory into quarantine.")
@_id
@click.option("--why", metavar="TEXT", default=_BY_HAND, show_default=True, help=WHY)
@pass_invocation
def quarantine_command(invocation: Invocation, memory_id: str, why: str) -> None:
    """Put a memory into quarantine, with what was formed from it alone: it is kept, and never recalled.

    `reverie memory release ID` releases it.
    """
    _change(invocation, "quarantined", lambda memory, scope: memory.admin.quarantine(memory_id, scope, why=why))


@click.command("release", cls=Command, short_help="Release a memory from quarantine.")
@_id
@click.option("--why", metavar="TEXT", default="", help=WHY)
@pass_invocation
def release_command(invocation: Invocation, memory_id: str, why: str) -> None:
    """Release a memory from quarantine: from now on it is recalled like any other."""
    _change(invocation, "released", lambda memory, scope: memory.admin.release(memory_id, scope, why=why))


def _row(memory: Memory) -> tuple[str, ...]:
    why = ", ".join(memory.standing.tags)
    return f"{memory.at:%Y-%m-%d %H:%M}", memory.speaker, cut(memory.text), why, memory.id


def _change(
    invocation: Invocation, what: str, change: Callable[[Reverie, Scope], Memory], *, model: bool = False
) -> None:
    """Change one memory in the current scope and show it as it is now; ``what`` says what was done."""
    scope = invocation.scope()
    with invocation.open(model=model) as engine:
        memory = change(engine, scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "memory": memory})
        return
    screen.line(f"{what}: {memory.id} ({cut(memory.text, 80)})")
    screen.line(f"scope: {scope} · {describe(memory)}")


@click.command("restore", cls=Command, short_help="Restore a forgotten memory.")
@_id
@click.option("--why", metavar="TEXT", default="", help=WHY)
@pass_invocation
def restore_command(invocation: Invocation, memory_id: str, why: str) -> None:
    """Restore a memory that was forgotten or judged wrong: it is recalled as before."""
    _change(invocation, "restored", lambda memory, scope: memory.restore(memory_id, scope, why=why))


@click.command("forget", cls=Command, short_help="Forget a memory; it is kept, not recalled.")
@click.argument("memory_id", metavar="ID")
@click.option("--why", metavar="TEXT", default=_BY_HAND, show_default=True, help=WHY)
@pass_invocation
def forget_command(invocation: Invocation, memory_id: str, why: str) -> None:
    """Forget a memory: it stays in the timeline and is no longer recalled."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        forgotten = memory.forget(memory_id, scope, why=why)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "memory": forgotten})
        return
    screen.line(f"forgotten: {forgotten.id} ({cut(forgotten.text, 80)})")
    screen.line(f"scope: {scope} · no longer holds since {forgotten.valid_until:%Y-%m-%d %H:%M} UTC")


@click.command("erase", cls=Command, short_help="Erase a memory and its words for good.")
@click.argument("memory_id", metavar="ID")
@click.option("--why", metavar="TEXT", default=_BY_HAND, show_default=True, help=WHY)
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@pass_invocation
def erase_command(invocation: Invocation, memory_id: str, why: str, yes: bool) -> None:
    """Delete a memory for good: its text, its vector, its index, its words in the journal and the ops log's texts.

    The reasons given with --why for its changes are deleted too; a tombstone without content stays. This cannot be
    undone, and earlier backups still hold it.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        doomed = memory.memory(memory_id, scope)
        what = one_line(f"{doomed.speaker}, {doomed.at:%Y-%m-%d %H:%M}: {cut(doomed.text, 200)}")
        if not (yes or confirmed(f"{what}\nErase this for good?")):
            _show_unconfirmed(invocation)
            click.get_current_context().exit(exits.UNCONFIRMED)
        done = memory.admin.erase(memory_id, scope, why=why)
        copies = list(map(str, memory.admin.copies()))
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "erased": memory_id, **shape(done), "copies": copies})
    else:
        screen.line(f"erased: {memory_id}{_along(done)}")
        screen.line(f"scope: {scope}")
        screen.line(f"journal: {_head(done.before)} before, {_head(done.after)} after")
        _show_copies(screen, copies)


@click.command("subject", cls=Command, short_help="List or erase everything about a person.")
@click.argument("name", metavar="NAME")
@click.option("--all-scopes", is_flag=True, help="Every scope of the store, for its owner; else those of this user.")
@click.option("--erase", "erasing", is_flag=True, help="Delete all of it for good, after asking.")
@click.option("--why", metavar="TEXT", default=_BY_HAND, show_default=True, help=WHY)
@click.option("--yes", is_flag=True, help="Do not ask; needed where nobody can be asked.")
@pass_invocation
def subject_command(invocation: Invocation, name: str, all_scopes: bool, erasing: bool, why: str, yes: bool) -> None:
    """List what is kept about a person: what NAME said, and what names them in text, entities or tags.

    It searches every scope of the user in force. --erase deletes it all, scope by scope, each in one step; a deletion
    that was interrupted is completed when the store is next opened. As proof it prints the deleted ids and the
    journal's head before and after. Read the list first: a name may be another's.
    """
    with invocation.open(model=False) as memory:
        scopes = _readable(invocation, memory, every=all_scopes)
        held = memory.admin.held_of(name, scopes)
        done: list[Erasure] = []
        if not invocation.screen.as_json:
            _show_held(invocation, held)
        if erasing and held:
            count = sum(map(len, held.values()))
            if not (yes or confirmed(f"Erase these {count} memories, and what was formed of them, for good?")):
                _show_unconfirmed(invocation)
                click.get_current_context().exit(exits.UNCONFIRMED)
            done = memory.admin.erase_all({scope: [one.id for one in found] for scope, found in held.items()}, why=why)
        copies = list(map(str, memory.admin.copies())) if done else []
    _show_subject(invocation, name, held, done)
    _show_copies(invocation.screen, copies)


def _readable(invocation: Invocation, memory: Reverie, *, every: bool) -> list[Scope]:
    """Return the scopes to search: this user's, or, for the owner of the store's file, all."""
    if not every:
        own = invocation.scope()
        return [scope for scope in memory.admin.scopes() if scope.user == own.user]
    return all_scopes(invocation, memory)


def all_scopes(invocation: Invocation, memory: Reverie) -> list[Scope]:
    """Return every scope of the store, for the owner of its file. Raises InvalidScope for another user."""
    store = Path(invocation.settings().store)
    if hasattr(os, "getuid") and store.exists() and store.stat().st_uid not in (os.getuid(), os.geteuid()):
        raise InvalidScope(f"{store} belongs to another user.", "Ask its owner; without --all-scopes you see your own.")
    return memory.admin.scopes()


def _show_held(invocation: Invocation, held: Mapping[Scope, Sequence[Memory]]) -> None:
    columns = [Column("id"), Column("when"), Column("who"), Column("text")]
    for scope, found in held.items():
        invocation.screen.line(f"scope: {scope} · {len(found)} memories")
        rows = [(one.id, f"{one.at:%Y-%m-%d %H:%M}", one.speaker, one_line(cut(one.text, 80))) for one in found]
        invocation.screen.table(columns, rows)


def _show_subject(
    invocation: Invocation, name: str, held: Mapping[Scope, Sequence[Memory]], done: Sequence[Erasure]
) -> None:
    screen, count = invocation.screen, sum(map(len, held.values()))
    if screen.as_json:
        listed = [
            {"scope": scope, "memories": [{"id": m.id, "text": cut(m.text, 80)} for m in found]}
            for scope, found in held.items()
        ]
        proof = [{"scope": one.scope, **shape(one)} for one in done]
        screen.json({"subject": name, "count": count, "held": listed, "erased": proof})
        return
    if not count:
        screen.line(f"nothing is held of {name}")
    for one in done:
        screen.line(f"erased from {one.scope}: {len(one.memories)} memories: {', '.join(one.memories)}")
        screen.line(f"journal: {_head(one.before)} before, {_head(one.after)} after")


def _show_copies(screen: Screen, copies: Sequence[str]) -> None:
    if copies:
        screen.note(f"these copies, made before, may still hold it: {', '.join(copies)}")


def _along(done: Erasure) -> str:
    """Return how many further memories were erased, in words."""
    count = len(done.memories) - 1
    return f" and {count} made of it" if count > 0 else ""


def _head(head: tuple[int, str]) -> str:
    return f"event {head[0]} {head[1][:16]}"


def _show_unconfirmed(invocation: Invocation) -> None:
    screen = invocation.screen
    if screen.as_json:
        screen.json(exits.UNDONE)
        return
    screen.note("not confirmed; nothing was erased (give --yes where nobody can be asked)")
