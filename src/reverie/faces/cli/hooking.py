"""Hooks: ``hook`` serves a coding agent, which calls it at each step of a session.

The command usually never comes here: ``reverie.faces.start`` hands it to the hook before this command line is loaded.
"""

from __future__ import annotations

import click

from reverie.faces.cli.command import Command
from reverie.faces.cli.invocation import Invocation, pass_invocation

HOSTS = ("claude-code", "codex", "gemini", "cursor", "vscode")


@click.command("hook", cls=Command, short_help="Serve a coding agent's hooks.")
@click.argument("what", type=click.Choice(("serve", "status", "stop")), default="serve")
@click.option("--host", type=click.Choice(HOSTS), help="Which agent calls; told by what it says where left out.")
@click.option("--event", metavar="NAME", help="The agent's name of the moment, where its JSON does not say it.")
@pass_invocation
def hook_command(invocation: Invocation, what: str, host: str | None, event: str | None) -> None:
    """Serve one call of a coding agent: its JSON comes on the standard input, what it is to be told goes out.

    `reverie install` writes this command into the agent's settings. It recalls and keeps by way of a background
    process, which it starts where none runs. "status" shows that process, "stop" ends it.
    """
    from reverie.faces.hook import client, control

    if what == "serve":
        given = [*(("--host", host) if host else ()), *(("--event", event) if event else ())]
        click.get_current_context().exit(client.main(given))
    state = control.status() if what == "status" else control.stop()
    shown = {
        "running": state is not None and what == "status",
        "pid": state and state.pid,
        "up_s": state and state.up_s,
        "calls": state and state.calls,
        "waiting": state and state.waiting,
        "spooled": control.spooled(),
        "log": str(control.log_file()),
    }
    if invocation.screen.as_json:
        invocation.screen.json(shown)
        return
    if state is None and (silent := control.silent()) is not None:
        invocation.screen.line(f"background process {silent} does not answer; `reverie hook stop` ends it")
    elif state is None:
        invocation.screen.line("no background process runs; the next hook starts one")
    elif what == "stop":
        invocation.screen.line(f"background process {state.pid} has ended")
    else:
        invocation.screen.line(f"background process {state.pid}, up {state.up_s:.0f} s, {state.calls} calls")
    invocation.screen.line(f"{shown['spooled']} calls wait to be kept · log: {shown['log']}")
