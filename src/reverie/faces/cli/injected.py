"""The command ``injected``: what was handed over to models, for each prompt, and what was withheld."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from reverie.faces.cli.invocation import TIME, Command, Invocation, pass_invocation
from reverie.faces.cli.screen import CUT, cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reverie.answers import Injection

_SHOWN = 20
_WITHHELD = 3
"""Withheld memories that are shown of one prompt, unless all are asked for."""
_NOT_THIS = (
    "Not this? `reverie feedback ID --useless` lets it count less, `reverie memory quarantine ID` holds it back until "
    "you release it, `reverie forget ID` ends it."
)


@click.command("injected", cls=Command, short_help="Show what models were given, and why.")
@click.option("--session", metavar="NAME", help="Only what a hook handed over in this conversation.")
@click.option("--limit", type=click.IntRange(1), default=_SHOWN, show_default=True, help="At most so many prompts.")
@click.option("--before", type=TIME, metavar="TIME", help="Only what was asked for earlier.")
@click.option("--full", is_flag=True, help=f"Texts whole, not their first {CUT} characters, and all that was withheld.")
@pass_invocation
def injected_command(
    invocation: Invocation, session: str | None, limit: int, before: datetime | None, full: bool
) -> None:
    """Show, for each prompt of each session, what was handed over, its size, why, and what was withheld; newest first.

    Recalls by a host's hook are listed apart from those that a person or a model asked for. A hook's record lies on its
    own machine; of hooks elsewhere only what they recalled is known.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.admin.injected(scope, session=session, limit=limit, before=before)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "injections": found})
        return
    screen.line(f"scope: {scope} · {len(found)} prompts and recalls")
    for one in found:
        screen.line("")
        for line in _lines(one, full=full):
            screen.line(line)
    if any(one.memories for one in found):
        screen.line("")
        screen.line(_NOT_THIS)


def _lines(one: Injection, *, full: bool) -> Iterator[str]:
    """Yield the lines of one prompt or recall."""
    who = f"{one.caller}, {one.moment}" if one.trigger == "automatic" else f"{one.caller}, recalled by hand"
    session = f" · session {one.session}" if one.session else ""
    yield f"{one.at:%Y-%m-%d %H:%M} UTC · {who}{session}"
    if one.prompt is not None:
        yield f"  “{one.prompt.text if full else cut(one.prompt.text, 120)}”"
    yield f"  {_size(one)}"
    for number, given in enumerate(one.memories, 1):
        yield f"  {number}. {given.memory.text if full else cut(given.memory.text)}"
        because = ", ".join(f"{signal.name} {signal.share:.2f}" for signal in given.signals)
        yield f"     {f'because {because} · ' if because else ''}{given.memory.id}"
    yield from _withheld(one, full=full)


def _withheld(one: Injection, *, full: bool) -> Iterator[str]:
    """Yield the lines of what was not handed over."""
    shown = one.withheld if full else one.withheld[:_WITHHELD]
    for held in shown:
        yield f"  - withheld ({held.why}): {held.memory.text if full else cut(held.memory.text, 80)}"
        yield f"     {held.memory.id}"
    if len(shown) < len(one.withheld):
        yield f"  - and {len(one.withheld) - len(shown)} more withheld; --full shows them"


def _size(one: Injection) -> str:
    """Say how much was handed over."""
    what = "handed over" if one.complete else "recalled, whether it arrived is not known"
    count = len(one.memories)
    gone = f", {one.erased} erased since" if one.erased else ""
    if not count:
        return f"nothing {what}{gone}"
    return f"{what}: {count} {'memory' if count == 1 else 'memories'}, {one.words} words, {one.tokens} tokens{gone}"
