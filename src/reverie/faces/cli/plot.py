"""Pictures: ``plot``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.durable import draft_of, unwritable
from reverie.errors import InvalidInput
from reverie.faces.cli.exits import place_for
from reverie.faces.cli.invocation import Command, Invocation, pass_invocation
from reverie.faces.cli.look import around

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reverie.config import Settings
    from reverie.engine.core import Reverie
    from reverie.types import Scope


PICTURES = ("forgetting", "dream", "graph", "recall")
_AHEAD_DAYS = 30.0


@click.command("plot", cls=Command, short_help="Draw a picture, as SVG or PNG.")
@click.argument("picture", type=click.Choice(PICTURES))
@click.argument("what", required=False)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to; .svg or .png.")
@click.option("--force", is_flag=True, help="Write over a file that exists.")
@click.option("--hops", type=click.IntRange(1, 6), default=2, show_default=True, help="graph: how far to walk.")
@click.option(
    "--ahead", type=click.FloatRange(0.0, 3650.0), default=_AHEAD_DAYS, show_default=True, help="forgetting: more days."
)
@pass_invocation
def plot_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation, picture: str, what: str | None, out: Path | None, force: bool, hops: int, ahead: float
) -> None:
    """Draw a picture of WHAT.

    `forgetting ID`: how a memory fades, and its accesses. `dream [CYCLE]`: which memories a dream moved, from where to
    where. `graph ID|ENTITY`: what is linked with a memory or an entity. `recall CUE`: what each signal added to the
    score of each hit.

    Looking is not using: nothing is counted. It needs the extra "plots".
    """
    from reverie.faces.plots.canvas import save

    scope, settings = invocation.scope(), invocation.settings()
    file = out or Path(f"{picture}.{settings.plots.format}")
    _check(file, picture, what)
    place = place_for(file, settings, force=force)
    with invocation.open(model=picture == "recall", reads=picture == "recall") as memory:
        asked = _Asked(memory, scope, settings, what or "", hops, ahead)
        figure = _DRAWN[picture](asked)
    # Written beside it and then moved, so that a full disk does not cost the picture that was there before.
    draft = draft_of(place)
    draft = draft.with_name(draft.name + file.suffix)
    try:
        save(figure, draft, dpi=settings.plots.dpi)
        draft.replace(place)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise unwritable(error, file) from None
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "picture": picture, "file": str(file)})
    else:
        screen.line(f"drawn: {file}")
        screen.line(f"scope: {scope}")


def _check(file: Path, picture: str, what: str | None) -> None:
    """What can be refused before the store is opened."""
    from reverie.faces.plots.canvas import format_of

    if what is None and picture != "dream":
        raise click.UsageError(f"Say what `reverie plot {picture}` should draw.")
    format_of(file)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a picture is drawn from."""

    memory: Reverie
    scope: Scope
    settings: Settings
    what: str
    hops: int
    ahead: float


def _forgetting(asked: _Asked) -> Figure:
    from reverie.faces.plots import charts

    curve = asked.memory.admin.forgetting_curve(asked.what, asked.scope, days=asked.ahead)
    if not curve.points:
        raise InvalidInput(
            f"Memory {curve.memory.id} is an episode, and those do not fade.",
            "`reverie timeline` shows what was formed of it: that has a tier.",
        )
    return charts.draw_forgetting(curve)


def _dream(asked: _Asked) -> Figure:
    from reverie.faces.plots import flow

    return flow.draw(flow.flow_of(asked.memory.admin.events(asked.scope), asked.what or None), str(asked.scope))


def _graph(asked: _Asked) -> Figure:
    from reverie.faces.plots import charts

    found = around(asked.memory, asked.scope, asked.what, asked.hops)
    return charts.draw_relations(asked.what, found.memories, found.relations, found.naming)


def _recall(asked: _Asked) -> Figure:
    from reverie.faces.plots import charts

    top_k, budget = asked.settings.top_k or None, asked.settings.budget_tokens or None
    found = asked.memory.explain(asked.what, asked.scope, top_k=top_k, budget_tokens=budget)
    return charts.draw_breakdown(found.recollection)


_DRAWN: dict[str, Callable[[_Asked], Figure]] = {
    "forgetting": _forgetting,
    "dream": _dream,
    "graph": _graph,
    "recall": _recall,
}
