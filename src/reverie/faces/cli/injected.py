"""The command ``injected``: what was handed over to models, for each prompt, and what was withheld."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING

import click

from reverie.faces.cli.invocation import TIME, Command, Invocation, pass_invocation
from reverie.faces.cli.screen import CUT, cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reverie.answers import Injection

_SHOWN = 20
_OF_ANOTHER = re.compile(r"(?<=^repeats )number \d+$|(?<=^told again in )\S+$")
"""Which other memory says the same; the number is its place in recall's own order."""
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

    Recalls by hand are marked as such. A hook's record lies on its own machine; of hooks
    elsewhere only what they recalled is known.
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
        for line, indent in _lines(one, full=full):
            screen.wrapped(line, indent)
    if any(one.memories for one in found):
        screen.line("")
        screen.wrapped(_NOT_THIS, 0)


def _lines(one: Injection, *, full: bool) -> Iterator[tuple[str, int]]:
    """Yield the lines of one prompt or recall, each with the indent of what does not fit into it."""
    who = f"{one.caller}, {one.moment}" if one.trigger == "automatic" else f"{one.caller}, recalled by hand"
    session = f" · session {one.session}" if one.session else ""
    yield f"{one.at:%Y-%m-%d %H:%M} UTC · {who}{session}", 2
    if one.title:
        yield f"  in “{one.title}”", 4
    if one.prompt is not None:
        yield f"  “{one.prompt.text if full else cut(one.prompt.text, 120)}”", 4
    yield f"  {_size(one)}", 4
    for number, given in enumerate(one.memories, 1):
        yield f"  {number}. {given.memory.text if full else cut(given.memory.text)}", 5
        because = ", ".join(f"{signal.name} {signal.share:.2f}" for signal in given.signals)
        yield f"     {f'because {because} · ' if because else ''}{given.memory.id}", 5
    yield from _withheld(one, full=full)


def _withheld(one: Injection, *, full: bool) -> Iterator[tuple[str, int]]:
    """Yield the lines of what was not handed over: how many for which reason, then the first of them."""
    if not one.withheld:
        return
    reasons = Counter(_reason(held.why) for held in one.withheld)
    yield f"  withheld: {', '.join(f'{count} {why}' for why, count in reasons.most_common())}", 4
    # what was handed over in other words is the least of it
    ranked = sorted(one.withheld, key=lambda held: _OF_ANOTHER.search(held.why) is not None)
    for held in one.withheld if full else ranked[:_WITHHELD]:
        yield f"  - {held.memory.text if full else cut(held.memory.text, 74)}", 4
        yield f"    {held.why if full else _reason(held.why)} · {held.memory.id}", 4
    if not full and len(one.withheld) > _WITHHELD:
        yield f"  - and {len(one.withheld) - _WITHHELD} more; --full shows them", 4


def _reason(why: str) -> str:
    """Return a reason without the memory that it names, so that equal ones can be counted."""
    return _OF_ANOTHER.sub("another", why)


def _size(one: Injection) -> str:
    """Say how much was handed over. Small talk is not searched for, and an empty memory has nothing."""
    what = "handed over" if one.complete else "recalled, whether it arrived is not known"
    count = len(one.memories)
    gone = f", {one.erased} erased since" if one.erased else ""
    if not count:
        is_idle = one.complete and not (one.withheld or gone)
        return "nothing was looked for, or nothing found" if is_idle else f"nothing {what}{gone}"
    return f"{what}: {count} {'memory' if count == 1 else 'memories'}, {one.words} words, {one.tokens} tokens{gone}"
