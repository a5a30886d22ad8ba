"""``review``: what the maintenance of an Agent Zero's memory leaves to a person, and taking a deprecation back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.errors import NotFound
from reverie.faces.cli.command import Command
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.screen import Column, cut

if TYPE_CHECKING:
    from reverie.faces.agent_zero.review import Item, Review

COLUMNS = (
    Column("state"),
    Column("id", style="green"),
    Column("says", wraps=True),
    Column("why", wraps=True),
)
_WORDS = 400
"""Characters of a memory that a table shows; JSON has it whole."""


@click.command("review", cls=Command, short_help="List what Agent Zero's memory leaves to you.")
@click.argument("place", metavar="PATH", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--restore", "names", multiple=True, metavar="ID", help="Take this deprecation back; may be given again.")
@pass_invocation
def review_command(invocation: Invocation, place: Path, names: tuple[str, ...]) -> None:
    """List what maintenance found in the memory of the Agent Zero that lies in PATH.

    Flagged are pairs that say nearly the same and that you decide on; deprecated is what another one superseded, which
    is recalled no more; dormant is what was never recalled. The list is that of the last pass. What --restore takes
    back holds again when Agent Zero's next monologue ends: it alone writes to its store.
    """
    from reverie.faces.agent_zero import review
    from reverie.hosts.agent_zero import house_files

    root = place.resolve()
    house_files(root)  # Raises InvalidInput for a folder that is no Agent Zero
    lists = {folder: review.read(folder) for folder in review.stores(root)}
    if names:
        _restore(invocation, lists, names)
        return
    screen = invocation.screen
    if screen.as_json:
        screen.json({"stores": [{"folder": str(folder), **_shape(made)} for folder, made in lists.items()]})
        return
    if not lists:
        screen.line("no list yet: the first pass of maintenance makes it, at the end of the 25th monologue")
    for folder, made in lists.items():
        screen.line(f"{folder}: pass {made.passes}, {made.at:%Y-%m-%d %H:%M} UTC, {len(made.items)} to look at")
        if made.items:
            screen.table(COLUMNS, [_row(one) for one in made.items])


def _restore(invocation: Invocation, lists: dict[Path, Review], names: tuple[str, ...]) -> None:
    """Ask each store for what is its own. Raises NotFound where a name is no deprecated memory of the list."""
    from reverie.faces.agent_zero import review

    theirs = {
        folder: {one.id for one in made.items if one.state is review.State.DEPRECATED} for folder, made in lists.items()
    }
    unknown = sorted(set(names).difference(*theirs.values()))
    if unknown:
        raise NotFound(
            f"Nothing deprecated is called {', '.join(unknown)} on the list.", "`reverie review PATH` shows the ids."
        )
    for folder, held in theirs.items():
        if found := held.intersection(names):
            review.ask(folder, found)
    if invocation.screen.as_json:
        invocation.screen.json({"asked": sorted(set(names))})
    else:
        invocation.screen.line(f"asked: {', '.join(sorted(set(names)))}; done when Agent Zero's next monologue ends")


def _row(one: Item) -> tuple[str, ...]:
    why = f"{one.why}: {one.other} says: {one.other_text}" if one.other else one.why
    return one.state.value, one.id, cut(one.text, _WORDS), cut(why, _WORDS)


def _shape(made: Review) -> dict[str, object]:
    items = [
        {
            "state": one.state.value,
            "id": one.id,
            "text": one.text,
            "why": one.why,
            "other": one.other,
            "other_text": one.other_text,
        }
        for one in made.items
    ]
    return {"at": made.at.isoformat(), "passes": made.passes, "items": items}
