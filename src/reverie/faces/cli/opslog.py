"""The ops log, read: ``log``."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import click

from reverie.durable import unreadable
from reverie.errors import NotFound
from reverie.faces.cli.command import Command
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.screen import Column, cut
from reverie.wire.logs import log_path, older_logs
from reverie.wire.trusting import brought

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from reverie.ops.log import LoggedLine
    from reverie.types import Scope

TAIL = 20
_HEAD = 120


@click.command("log", cls=Command, short_help="Show the latest operations.")
@click.option("--op", metavar="NAME", help="Only this operation: remember, recall, dream, merge, route …")
@click.option("--failed", is_flag=True, help="Only what failed, or what the heuristic did instead of a model.")
@click.option("--tail", type=click.IntRange(1), metavar="N", default=TAIL, show_default=True, help="The last N.")
@click.option("--all-scopes", is_flag=True, help="Of every scope, and the texts of lines that name none.")
@pass_invocation
def log_command(invocation: Invocation, op: str | None, failed: bool, tail: int, all_scopes: bool) -> None:
    """Show the end of the ops log: what was done, how long it took, and what a language model cost.

    Only the scope in force is shown. What was nobody's alone (a language model's calls, `doctor`) is shown without its
    texts. The files that were put aside are read too, the oldest first.
    """
    scope = None if all_scopes else invocation.scope()
    settings = invocation.settings()
    path = log_path(settings)
    if path is None:
        raise NotFound("Nothing is logged here: ops.log is none, or there is no HOME.", "Set ops.log, or leave it out.")
    try:
        older = () if brought(invocation.loaded()) else older_logs(settings)
        found = deque(_wanted([*older, path], op, scope, failed=failed), maxlen=tail)
    except OSError as error:
        raise unreadable(error, path) from None
    screen = invocation.screen
    if screen.as_json:
        screen.json({"file": str(path), "lines": [dict(line.fields) for line in found]})
        return
    if not found:
        screen.line(f"nothing of that in {path}")
        return
    columns = [Column("when (UTC)", style="green"), Column("operation", style="bold"), Column("ms", number=True)]
    columns += [
        Column("tokens", number=True),
        Column("what", wraps=True),
        Column("outcome", style="magenta", under=True),
    ]
    screen.table(columns, [_row(line) for line in found])


def _wanted(paths: Sequence[Path], op: str | None, scope: Scope | None, *, failed: bool) -> Iterator[LoggedLine]:
    """The lines asked for; with a scope those of it, and those of none without their texts."""
    from reverie.ops.log import read_log

    for line in (line for path in paths for line in read_log(path)):
        is_sound = line.success and not line.fallback
        if (op is None or line.op == op) and not (failed and is_sound):
            if scope is None or line.scope == scope:
                yield line
            elif line.scope is None:
                yield _without_texts(line)


def _without_texts(line: LoggedLine) -> LoggedLine:
    """The line without what may quote a memory of any scope; why something failed quotes none."""
    hidden = ("input",) if not line.success else ("input", "output")
    return line._replace(fields=tuple((name, "" if name in hidden else value) for name, value in line.fields))


def _row(line: LoggedLine) -> tuple[str, ...]:
    fields = dict(line.fields)
    took = fields.get("latencyMs")
    how = [] if line.success else ["failed"]
    how += ["by the heuristic"] if line.fallback else []
    outcome = ": ".join([*how, cut(str(fields.get("output") or ""), _HEAD)])
    return (
        line.ts.replace("T", " ").removesuffix("Z"),
        line.op,
        "" if took is None else f"{took:.1f}" if isinstance(took, float) else str(took),
        str(line.tokens or ""),
        cut(str(fields.get("input") or ""), _HEAD),
        outcome,
    )
