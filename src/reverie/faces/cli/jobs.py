"""The command ``jobs`` and those below it: list, start, cancel and retry work in the background, and do it here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.faces.cli.invocation import Command, CommandGroup, Invocation, pass_invocation
from reverie.faces.cli.screen import Column
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from reverie.answers import Job
    from reverie.engine.jobs import JobRunner
    from reverie.types import Scope

KINDS = ("dream", "embed", "import", "reindex", "export")


@click.group(
    "jobs",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="List, start, cancel or do background jobs.",
    lazy={
        "list": "jobs.list_command",
        "show": "jobs.show_command",
        "start": "jobs.start_command",
        "cancel": "jobs.cancel_command",
        "retry": "jobs.retry_command",
        "work": "jobs.work_command",
    },
)
@click.pass_context
def jobs_command(context: click.Context) -> None:
    """List a scope's jobs: dreams, imports, exports, vectors and terms, made in the background.

    A job survives the death of its process: `reverie serve`, or `reverie jobs work`, continues it where it stopped.
    """
    if context.invoked_subcommand is None:
        _list(context.ensure_object(Invocation))


@click.command("list", cls=Command, short_help="List a scope's jobs.")
@pass_invocation
def list_command(invocation: Invocation) -> None:
    """List the jobs of a scope, newest first."""
    _list(invocation)


def _list(invocation: Invocation) -> None:
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.jobs.jobs(scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": scope, "jobs": shape(found)})
        return
    if not found:
        screen.line("there is no job")
        return
    columns = [
        Column("job", style="bold"),
        Column("state"),
        Column("done", number=True),
        Column("attempts", number=True),
        Column("enqueued (UTC)", style="green"),
        Column("reason", wraps=True),
        Column("id", style="dim"),
    ]
    screen.table(columns, [_row(job) for job in found])


def _row(job: Job) -> tuple[str, ...]:
    # an import learns its whole as it goes: until it is done, it has always done all that it knows of
    done = f"{job.done}/{job.total}" if job.total > job.done or (job.total and job.state == "done") else str(job.done)
    state = "cancelling" if job.cancelling else str(job.state)
    return str(job.kind), state, done, str(job.attempts), f"{job.enqueued_at:%Y-%m-%d %H:%M}", job.reason, job.id


@click.command("start", cls=Command, short_help="Enqueue a job.")
@click.argument("kind", type=click.Choice(KINDS))
@click.option("--file", type=click.Path(path_type=Path), help="What an import reads, or the new file of an export.")
@click.option("--format", "form", metavar="FORMAT", help="The format of an import, instead of detecting it.")
@click.option("--key", default="", help="While a job of this kind and key is open, it is this one.")
@pass_invocation
def start_command(invocation: Invocation, kind: str, file: Path | None, form: str | None, key: str) -> None:
    """Enqueue a job of the given KIND, and return at once.

    A running `reverie serve` on this store does it within seconds; `reverie jobs work` does it here.
    """
    arguments = {name: str(value) for name, value in (("file", file), ("format", form)) if value is not None}
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        job = memory.jobs.enqueue(kind, scope, arguments=arguments, key=key, background=False)
    _tell(invocation, job)


def _about_one(do: Callable[[JobRunner, str, Scope], Job], name: str, short: str, told: str) -> click.Command:
    """Make the command that does something with one job, and shows its new state."""

    @click.command(name, cls=Command, short_help=short, help=told)
    @click.argument("job_id", metavar="ID")
    @pass_invocation
    def command(invocation: Invocation, job_id: str) -> None:
        scope = invocation.scope()
        with invocation.open(model=False) as memory:
            job = do(memory.jobs, job_id, scope)
        _tell(invocation, job)

    return command


show_command = _about_one(
    lambda jobs, job_id, scope: jobs.show(job_id, scope),
    "show",
    "Show one job.",
    "Show one job: how far it is, what it reads or writes, and why its last attempt failed.",
)
cancel_command = _about_one(
    lambda jobs, job_id, scope: jobs.cancel(job_id, scope),
    "cancel",
    "Cancel a job.",
    "Cancel a job: at once, or at its next step if it runs. What it did stays done.",
)
retry_command = _about_one(
    lambda jobs, job_id, scope: jobs.retry(job_id, scope, background=False),
    "retry",
    "Let a failed job wait again.",
    "Let a failed or cancelled job wait again; it goes on where it stopped.",
)


@click.command("work", cls=Command, short_help="Do what waits.")
@pass_invocation
def work_command(invocation: Invocation) -> None:
    """Do the jobs of every scope here, one after another, until none is left that no other process works on."""
    with invocation.open() as memory:
        ended = memory.jobs.work()
    if invocation.screen.as_json:
        invocation.screen.json({"ended": ended})
    else:
        invocation.screen.line(f"{ended} jobs ended")


def _tell(invocation: Invocation, job: Job) -> None:
    screen = invocation.screen
    if screen.as_json:
        screen.json({"scope": job.scope, "job": shape(job)})
        return
    kind, state, done, attempts, *_ = _row(job)
    screen.line(f"{kind} {job.id}: {state}, {done} done, attempt {attempts}")
    for name, value in sorted(job.arguments.items()):
        screen.line(f"{name}: {value}")
    if job.reason:
        screen.line(f"reason: {job.reason}")
