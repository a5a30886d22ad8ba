"""Commands of skill memory: ``memory run`` records a run of a skill, ``memory skills`` says how skills perform."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reverie.faces.cli.invocation import TIME, Command, Invocation, pass_invocation
from reverie.faces.cli.screen import Column, cut
from reverie.faces.cli.write import tell_screened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from reverie.consolidate.runs import RecordedRun, SkillRecord
    from reverie.faces.cli.screen import Screen
    from reverie.types import Scope

OUTCOMES = ("succeeded", "failed", "unfinished")
"""The values of ``reverie.RunOutcome``, repeated so that help does not load the engine; a test holds them equal."""


@click.command("run", cls=Command, short_help="Record a run of a skill.")
@click.argument("skill")
@click.argument("outcome", type=click.Choice(OUTCOMES))
@click.option("--step", "steps", metavar="TEXT", multiple=True, help="What was done, in order; repeat.")
@click.option("--context", metavar="TEXT", default="", help="In what circumstances, as staging; each is counted apart.")
@click.option("--version", "version", metavar="TEXT", default="", help="The skill's version.")
@click.option("--inputs", metavar="TEXT", default="", help="What it was given; only a digest is kept.")
@click.option("--cost", type=float, metavar="NUMBER", help="What it cost, in any unit.")
@click.option("--at", type=TIME, metavar="TIME", help="When it ended (ISO 8601; without a zone, UTC); else now.")
@click.option("--began", type=TIME, metavar="TIME", help="When it began.")
@click.option(
    "--id", "run_id", metavar="ID", default="", help="An id of your own; the same run twice is then kept once."
)
@click.option("--formerly", metavar="NAME", default="", help="The skill's former name: its earlier runs count too.")
@pass_invocation
def run_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    skill: str,
    outcome: str,
    steps: tuple[str, ...],
    context: str,
    version: str,
    inputs: str,
    cost: float | None,
    at: datetime | None,
    began: datetime | None,
    run_id: str,
    formerly: str,
) -> None:
    """Record that a skill ran and how it ended.

    `reverie memory skills` then says how often it works. An unfinished run counts neither way; the same --id with
    another outcome finishes it.
    """
    from reverie.consolidate.runs import SkillRun

    run = SkillRun(skill, outcome, version, context, inputs, steps, cost, at, began, run_id, formerly)
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        receipt = memory.admin.record_run(run, scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "receipt": receipt})
        return
    screen.line(f"{'kept' if receipt.new else 'already kept'}: {receipt.id}")
    screen.line(f"scope: {scope}")
    for found in receipt.decisions:
        if found.stage == "clock":
            screen.note(f"{found.verdict}: {found.why}")
    tell_screened(screen, receipt)


@click.command("skills", cls=Command, short_help="Show how often each skill works.")
@click.option("--context", metavar="TEXT", help="In this context only.")
@click.option("--worked", metavar="QUESTION", help="The successful runs that a question asks for, the best first.")
@pass_invocation
def skills_command(invocation: Invocation, context: str | None, worked: str | None) -> None:
    """Show how often each skill works, by context, the most dependable first.

    "at least" is the success rate that it exceeds with a probability of 95 %. With --worked, runs are shown instead:
    `reverie memory skills --worked "what worked the last time I deployed?"`.
    """
    scope, screen = invocation.scope(), invocation.screen
    with invocation.open(model=False) as memory:
        if worked is None:
            _show_skills(screen, scope, memory.admin.skills(scope, context=context))
        else:
            found = memory.admin.what_worked(worked, scope)
            _show_runs(screen, scope, [run for run in found if context in (None, run.context)])


def _show_skills(screen: Screen, scope: Scope, records: Sequence[SkillRecord]) -> None:
    if screen.as_json:
        screen.json({"scope": scope, "skills": records})
        return
    screen.line(f"scope: {scope} · {len(records)} skills")
    names = ("worked", "runs", "at least")
    columns = [Column("skill", wraps=True), Column("context"), *(Column(name, number=True) for name in names)]
    rows = [(o.skill, o.context, str(o.succeeded), str(o.runs), f"{100 * o.lower:.0f} %") for o in records]
    if rows:
        screen.table(columns, rows)


def _show_runs(screen: Screen, scope: Scope, runs: Sequence[RecordedRun]) -> None:
    if screen.as_json:
        screen.json({"scope": scope, "runs": runs})
        return
    screen.line(f"scope: {scope} · {len(runs)} runs that worked")
    columns = [Column("ended"), Column("skill"), Column("context"), Column("steps", wraps=True)]
    rows = [(f"{run.at:%Y-%m-%d %H:%M}", run.skill, run.context, cut(" → ".join(run.steps))) for run in runs if run.at]
    if rows:
        screen.table(columns, rows)
