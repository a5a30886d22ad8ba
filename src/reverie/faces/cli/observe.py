"""The commands ``observe``, which stores messages and forms memories from them, and ``working`` (working memory)."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.errors import Conflict
from reverie.faces.cli import exits
from reverie.faces.cli.invocation import TIME, Command, Invocation, pass_invocation, progress
from reverie.faces.cli.move import KINDS, count_messages, placed, readable, show_skipped, skipped_shape
from reverie.faces.cli.screen import Column, Screen, cut, is_terminal
from reverie.faces.cli.write import ROLES, tell_unembedded, typed

if TYPE_CHECKING:
    from reverie.answers import Receipt
    from reverie.engine.core import Reverie
    from reverie.exchange import Skipped
    from reverie.types import Memory, Scope


_MOST_SHOWN = 20
_DAY = re.compile(r"\d{4}-\d\d-\d\d\S*")
"""A date in a verdict; it is masked so that verdicts can be counted."""


@dataclass(slots=True)
class Observed:
    """Counts of what became of many messages."""

    new: int = 0
    known: int = 0
    unembedded: int = 0
    conflicts: list[str] = field(default_factory=list)
    formed: dict[str, None] = field(default_factory=dict)
    verdicts: Counter[str] = field(default_factory=Counter)

    def note(self, receipt: Receipt) -> None:
        """Add one receipt."""
        self.new += receipt.new
        self.known += not receipt.new
        self.unembedded += receipt.new and not receipt.embedded
        self.formed |= dict.fromkeys(receipt.formed)
        self.verdicts.update(f"{one.stage}: {_DAY.sub('…', str(one.verdict))}" for one in receipt.decisions)


@click.command("observe", cls=Command, short_help="Store messages and form memories of them.")
@click.argument("text", required=False)
@click.option("--file", type=click.Path(path_type=Path, allow_dash=True), metavar="PATH", help="A conversation.")
@click.option("--kind", type=click.Choice(KINDS), help="The file's format; detected by its content if left out.")
@click.option("--deliberate", is_flag=True, help="Somebody asked to have it remembered: no filter skips it.")
@click.option("--speaker", metavar="NAME", default="user", show_default=True, help="Who said it.")
@click.option("--role", type=click.Choice(ROLES), help="The speaker's role; follows from the name if left out.")
@click.option("--session", metavar="NAME", default="default", show_default=True, help="The conversation it belongs to.")
@click.option("--at", type=TIME, metavar="TIME", help="When it was said (ISO 8601; without a zone, UTC); else now.")
@click.option("--id", "message_id", metavar="ID", help="An id of your own; the same message twice is then kept once.")
@pass_invocation
def observe_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    text: str | None,
    file: Path | None,
    kind: str | None,
    deliberate: bool,
    speaker: str,
    role: str | None,
    session: str,
    at: datetime | None,
    message_id: str | None,
) -> None:
    """Keep a message and form memories from what is worth knowing in it; show what each stage decided.

    Without TEXT, or with "-", the message is read from standard input. With --file it is a whole conversation, in any
    form that `reverie import` reads ("-": standard input), whose messages name their speakers and times.
    """
    from reverie.types import Message, Role

    if file is not None:
        if text is not None:
            raise click.UsageError("Give TEXT or --file, not both.")
        _observe_file(invocation, file, kind, deliberate)
        return
    scope = invocation.scope()
    words = typed(text)
    message = Message(words, speaker, Role(role) if role else None, session, at, message_id)
    with invocation.open() as memory:
        receipt = memory.observe(message, scope, deliberate=deliberate)
        formed = [memory.memory(name, scope) for name in receipt.formed]
        if receipt.new and not receipt.embedded:
            tell_unembedded(invocation.screen, memory)
    _show(invocation.screen, receipt, formed)


def _show(screen: Screen, receipt: Receipt, formed: list[Memory]) -> None:
    if screen.as_json:
        screen.json(receipt)
        return
    screen.line(f"{'kept' if receipt.new else 'known already'}: {receipt.id}")
    screen.line(f"scope: {receipt.scope} · session {receipt.session}, place {receipt.seq}")
    if receipt.decisions:
        columns = [Column("stage", style="bold"), Column("verdict"), Column("because", wraps=True)]
        screen.table(columns, [(d.stage, str(d.verdict), d.why) for d in receipt.decisions])
    for memory in formed:
        screen.line(f"formed: {memory.id} {memory.kind}: {cut(memory.text)}")


def _observe_file(invocation: Invocation, file: Path, kind: str | None, deliberate: bool) -> None:
    scope = invocation.scope()
    skipped: list[Skipped] = []
    with readable(file) as path, invocation.open() as memory:
        observed = _observe_all(memory, scope, path, kind, skipped, deliberate=deliberate)
        if observed.unembedded:
            tell_unembedded(invocation.screen, memory)
        conflicts = placed(path, observed.conflicts, kind)
    screen = invocation.screen
    if screen.as_json:
        shape = {
            "scope": scope,
            "new": observed.new,
            "known": observed.known,
            "conflicts": observed.conflicts,
            "formed": list(observed.formed),
            "verdicts": dict(observed.verdicts),
        }
        screen.json({**shape, **skipped_shape(skipped)})
    else:
        screen.line(f"observed {observed.new} new messages, {observed.known} known already")
        screen.line(f"scope: {scope} · {len(observed.formed)} memories formed or changed")
        counts = [(str(count), verdict) for verdict, count in observed.verdicts.most_common(_MOST_SHOWN)]
        if counts:
            screen.table([Column("messages", number=True), Column("verdict")], counts)
        show_skipped(screen, conflicts, skipped)
    if observed.conflicts:
        click.get_current_context().exit(exits.ERRORS[Conflict])
    if any(item.broken for item in skipped):
        click.get_current_context().exit(exits.PARTLY)


def _observe_all(
    memory: Reverie, scope: Scope, path: Path, kind: str | None, skipped: list[Skipped], *, deliberate: bool
) -> Observed:
    from reverie.exchange import read

    observed = Observed()
    total = count_messages(path, kind) if is_terminal(sys.stderr) and not path.is_fifo() else None
    with progress(f"observing {path.name}", total) as step:
        for message in read(path, kind=kind, report=skipped.append):
            if not message.text.strip():
                step(1)
                continue
            try:
                observed.note(memory.observe(message, scope, deliberate=deliberate))
            except Conflict:
                observed.conflicts.append(str(message.message_id))
            step(1)
    return observed


@click.command("working", cls=Command, short_help="Show a session's working memory.")
@click.option("--session", metavar="NAME", default="default", show_default=True, help="The conversation.")
@pass_invocation
def working_command(invocation: Invocation, session: str) -> None:
    """Show a session's working memory: what was formed in it, the strongest first.

    Working memory lives in the agent's own process; this command reconstructs it from the journal.
    """
    from reverie.encode.session import at_hand
    from reverie.engine.runtime import SystemClock
    from reverie.recipes.recipe import recipe
    from reverie.stores.health import is_current

    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        now = SystemClock().now()
        told = at_hand(memory.admin.events(scope), session, recipe(memory.admin.recipe).working, now)
        items = [item for item in told if is_current(memory.memory(item.id, scope), now)]
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "session": session, "items": items})
        return
    screen.line(f"scope: {scope} · session {session}, {len(items)} at hand")
    if items:
        columns = [Column("importance", number=True), Column("accesses", number=True)]
        columns += [Column("memory", wraps=True), Column("id", style="dim", under=True)]
        rows = [(f"{item.importance:.2f}", str(item.accesses), cut(item.text), item.id) for item in items]
        screen.table(columns, rows)
