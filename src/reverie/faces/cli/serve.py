"""The commands ``serve`` (the HTTP interface), ``token`` (who may use it) and ``proxy`` (before a model's API)."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from reverie.errors import InvalidInput
from reverie.faces.cli.invocation import Command, CommandGroup, Invocation, pass_invocation
from reverie.faces.cli.screen import Column

if TYPE_CHECKING:
    from reverie.config import ProxySettings, ServeSettings, Settings
    from reverie.faces.http.tokens import Binding, Keyring, Principal


S = TypeVar("S", "ServeSettings", "ProxySettings")

RIGHTS = ("read", "write", "admin")
_CHUNK = 4096


@click.group(
    "serve",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="Serve the memory and dashboard over HTTP.",
    lazy={"token": "serve.token_command", "tenant": "team.tenant_command"},
)
@click.option("--host", metavar="ADDRESS", help="Where to listen; serve.host.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="0: any free one; serve.port.")
@click.option("--dream-at", metavar="HH:MM", help="Dream over each scope that changed at this time; serve.dream_at.")
@click.option("--create", is_flag=True, help="Make the store, and its folder, where there is none.")
@click.option("--open", "is_open", is_flag=True, help="Make no token of one's own: every user of this machine may ask.")
@click.option("--tethered", is_flag=True, help="End when the standard input does: with the process that started it.")
@pass_invocation
def serve_command(  # noqa: PLR0913 - one parameter an option
    invocation: Invocation,
    host: str | None,
    port: int | None,
    dream_at: str | None,
    *,
    create: bool,
    is_open: bool,
    tethered: bool,
) -> None:
    """Answer over HTTP until stopped: the interface of docs/http.md, and the dashboard at /.

    The first start makes a token for you, in your state folder, and every start prints the dashboard's address with it.
    `reverie serve token add` makes one for anybody else, and for another machine. With serve.token or
    REVERIE_SERVE_TOKEN set, none is made.
    """
    from reverie.faces.cli.team import optional_team
    from reverie.faces.http.server import serve

    settings = invocation.settings()
    chosen = _given(settings.serve, host=host, port=port, dream_at=dream_at)
    _log_to_stderr(settings)
    if tethered:
        threading.Thread(target=_end_with_input, daemon=True).start()
    own = "" if is_open or chosen.token else _own(invocation, chosen.host)
    keyring = _keyring(invocation, chosen.token, own)
    if is_open and keyring.is_open:
        invocation.screen.note(
            "--open: no token is asked for, so every user and program of this machine may read, change and erase all "
            "that is kept here"
        )
    if create and settings.store != ":memory:" and "://" not in settings.store:
        Path(settings.store).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with invocation.open(create=create, reads=True, stays=True) as memory, optional_team(settings) as team:
        serve(memory, replace(settings, serve=chosen), keyring, lambda where: _told(invocation, where, own), team)


def _given(plain: S, **options: Any) -> S:
    """Return a server's settings with those of the options in their place that were given."""
    return replace(plain, **{name: value for name, value in options.items() if value is not None})


def _log_to_stderr(settings: Settings) -> None:
    """Begin logging on standard error: of Reverie from the level of the settings on, of libraries their warnings."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("reverie").setLevel(settings.serve.log_level.upper())


def _end_with_input() -> None:
    """Wait for the end of standard input, then end this process like a stopped server."""
    while os.read(sys.stdin.fileno(), _CHUNK):
        pass
    if sys.platform == "win32":  # where os.kill would end it without a word
        signal.raise_signal(signal.SIGTERM)
    else:
        os.kill(os.getpid(), signal.SIGTERM)


def _own(invocation: Invocation, host: str) -> str:
    """Return the token of whoever starts the server; empty if other machines can connect, since it would travel
    unencrypted.
    """
    from reverie.faces.http.guard import is_own_host
    from reverie.faces.http.tokens import own_token

    if not is_own_host(host):
        return ""
    own = own_token(os.environ)
    if own.was_readable:
        invocation.screen.note("others could read the file of the server's token, so there is a new one")
    return own.token


def _told(invocation: Invocation, where: str, own: str) -> None:
    """Report the server's address. The token follows a #, which browsers never send to a server, so no log holds it."""
    page = f"{where}/#token={own}" if own else where
    if invocation.screen.as_json:
        invocation.screen.json({"url": where} | ({"token": own, "page": page} if own else {}))
    else:
        invocation.screen.line(f"Reverie answers at {page}")
    sys.stdout.flush()


@click.command("proxy", cls=Command, short_help="Stand before a model's API, as its memory.")
@click.option("--upstream", metavar="URL", help="Base URL of the model's API; proxy.upstream.")
@click.option("--host", metavar="ADDRESS", help="Where to listen; proxy.host.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="0: any free one; proxy.port.")
@click.option("--open", "is_open", is_flag=True, help="Ask for no token: every user of this machine may ask.")
@pass_invocation
def proxy_command(
    invocation: Invocation, upstream: str | None, host: str | None, port: int | None, *, is_open: bool
) -> None:
    """Stand before a language model's API, add memories to what a program sends, and keep what was said.

    For a program that has a base URL and no plugin: give it the address that is printed instead of the model's. It
    speaks OpenAI's Chat Completions and Responses and Anthropic's Messages; everything else passes unchanged. The
    program brings the model's key, or a token of `reverie serve token add`; then REVERIE_PROXY_KEY is sent instead.
    """
    from reverie.extras import require

    require("proxy", "The proxy")
    from reverie.faces.http.proxy import Proxy
    from reverie.faces.http.server import serve_proxy

    settings = invocation.settings()
    chosen = _given(settings.proxy, upstream=upstream, host=host, port=port)
    _log_to_stderr(settings)
    own = "" if is_open else _own(invocation, chosen.host)
    keyring = _keyring(invocation, own=own)
    with invocation.open(reads=True) as memory:
        proxy = Proxy(memory, chosen, keyring, invocation.scope(), is_open)
        serve_proxy(proxy, lambda where: _told_proxy(invocation, where, own))


def _told_proxy(invocation: Invocation, where: str, own: str) -> None:
    """Report the base URL for programs: with the user's own token in its path, which servers of models never see."""
    base = f"{where}/key/{own}" if own else where
    if invocation.screen.as_json:
        invocation.screen.json({"base_url": base})
    else:
        invocation.screen.line(f"Base URL for your program: {base}")
    sys.stdout.flush()


@click.group("token", short_help="Manage the tokens of the HTTP interface.")
def token_command() -> None:
    """Make, list and remove the tokens that identify clients of `reverie serve`.

    They are kept hashed in a file beside the store. A running server sees a change at once.
    """


@token_command.command("add", cls=Command)
@click.argument("name")
@click.option("--rights", type=click.Choice(RIGHTS), default="read", show_default=True, help="Each includes the last.")
@click.option("--scope", metavar="A/U/P", help="The scope it is for: agent/user/project, * for any.")
@click.option("--everything", is_flag=True, help="For every scope, and the store as a whole; with --tenant: its own.")
@click.option("--tool", is_flag=True, help="For a model's tool: what it writes is the assistant's, never the person's.")
@click.option("--tenant", default="", metavar="NAME", help="Whose scopes it is for; needs team.on.")
@click.option("--days", type=click.IntRange(1, 3650), metavar="N", help="Expires after so many days; needs team.on.")
@click.option("--per-minute", type=click.IntRange(1), metavar="N", help="Its own limit of requests; needs team.on.")
@pass_invocation
def add_command(invocation: Invocation, /, name: str, scope: str | None, everything: bool, **given: Any) -> None:
    """Make the token NAME and print it: it is shown only this once, and kept as a hash.

    It is for the scope in force, or the named one. Whoever has it may say whose words it brings; with --tool they are
    always the assistant's, and NAME is their speaker. With team.on it lies in the team's table.
    """
    from reverie.engine.runtime import SystemClock
    from reverie.faces.http.tokens import Binding, Principal, Right

    tenant, rights, settings = given["tenant"], given["rights"], invocation.settings()
    bound = Binding() if everything else _binding(invocation, scope)
    principal = Principal(name, Right[rights.upper()], replace(bound, tenant=tenant), given["tool"])
    if settings.team.on:
        from reverie.faces.cli.team import add_token

        token = add_token(settings, replace(principal, per_minute=given["per_minute"] or 0), given["days"])
    elif tenant or given["days"] or given["per_minute"]:
        raise InvalidInput("--tenant, --days and --per-minute need the team's table.", "Set team.on = true.")
    else:
        token = _keyring(invocation).add(principal, SystemClock().now())
    screen = invocation.screen
    if screen.as_json:
        screen.json({**_shape(principal), **({"tenant": tenant} if tenant else {}), "token": token})
        return
    screen.line(token)
    screen.note(f"token {name}: may {rights} in {principal.binding}; it is not shown again")


@token_command.command("list", cls=Command)
@pass_invocation
def list_command(invocation: Invocation) -> None:
    """List the tokens: their names, rights and scopes; with team.on also tenant, expiry and last use."""
    from reverie.faces.cli.team import list_tokens

    found = _keyring(invocation).tokens()
    rows = list_tokens(invocation.settings())
    screen = invocation.screen
    if screen.as_json:
        shown = [{**_shape(one.principal), "created_at": one.created_at} for one in found]
        screen.json({"tokens": [*shown, *({**_shape(one.principal), **row} for one, row in rows)]})
        return
    if not found and not rows:
        screen.line("there is no token")
        return
    columns = [Column("name", style="bold"), Column("rights"), Column("scope"), Column("made (UTC)", style="green")]
    more = [Column("expires"), Column("last used")] if rows else []
    table = [(*_cells(one.principal.name, one.principal), one.created_at[:16], *("" for _ in more)) for one in found]
    table += [
        (
            *_cells(one.name, one.principal),
            *(str(row[key] or "")[:16] for key in ("created_at", "expires_at", "used_at")),
        )
        for one, row in rows
    ]
    screen.table([*columns, *more], table)


def _cells(name: str, principal: Principal) -> tuple[str, str, str]:
    rights = principal.right.name.lower() + (", tool" if principal.tool else "")
    return name, rights, str(principal.binding)


@token_command.command("remove", cls=Command)
@click.argument("name")
@click.option("--tenant", default="", metavar="NAME", help="Whose token it is.")
@pass_invocation
def remove_command(invocation: Invocation, name: str, tenant: str) -> None:
    """Remove (revoke) the token NAME, which is then refused at once."""
    from reverie.faces.cli.team import remove_token

    keyring, settings = _keyring(invocation), invocation.settings()
    in_file = not tenant and any(one.principal.name == name for one in keyring.tokens())
    if in_file or not settings.team.on:
        keyring.remove(name)
    else:
        remove_token(settings, tenant, name)
    screen = invocation.screen
    if screen.as_json:
        screen.json({"removed": name})
        return
    screen.line(f"token {name} removed")
    if not settings.team.on and not keyring.tokens():
        screen.note("no token is left, so none but your own, which `reverie serve` prints, lets anybody in")


def token_for(invocation: Invocation, name: str) -> str:
    """Make a token that may write in the scope in force, for a person; return "" if there is one of that name."""
    from reverie.engine.runtime import SystemClock
    from reverie.errors import Conflict
    from reverie.faces.http.tokens import Principal, Right

    principal = Principal(name, Right.WRITE, _binding(invocation, None), False)
    try:
        return _keyring(invocation).add(principal, SystemClock().now())
    except Conflict:
        return ""


def _keyring(invocation: Invocation, given: str = "", own: str = "") -> Keyring:
    from reverie.faces.http.tokens import Keyring, tokens_path

    store = invocation.settings().store
    return Keyring(None if store == ":memory:" else tokens_path(Path(store)), given, own)


def _binding(invocation: Invocation, text: str | None) -> Binding:
    from reverie.faces.http.tokens import Binding

    if text is None:
        scope = invocation.scope()
        return Binding(scope.agent, scope.user, scope.project)
    parts = text.split("/")
    if len(parts) != 3 or not all(part.strip() for part in parts):
        raise InvalidInput(f"{text!r} is no scope.", "Write agent/user/project, with * for any.")
    agent, user, project = (None if part == "*" else part for part in parts)
    return Binding(agent, user, project)


def _shape(principal: Principal) -> dict[str, object]:
    bound = principal.binding
    scope = {"agent": bound.agent, "user": bound.user, "project": bound.project}
    return {"name": principal.name, "rights": principal.right.name.lower(), "scope": scope, "tool": principal.tool}
