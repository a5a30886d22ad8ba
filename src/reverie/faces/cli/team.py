"""The commands of a team's service, ``serve tenant`` and ``audit requests``; and its table for ``serve token``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.errors import InvalidInput, InvalidSetting
from reverie.faces.cli.invocation import TIME, Command, Invocation, pass_invocation
from reverie.faces.cli.screen import Column

if TYPE_CHECKING:
    from reverie.config import Settings
    from reverie.faces.http.team import SqliteTeam, Team, TeamToken
    from reverie.faces.http.tokens import Principal

LIMITS = ("memories", "bytes", "scopes", "requests")


@contextmanager
def optional_team(settings: Settings) -> Iterator[Team | None]:
    """Open the team's table if ``team.on``; else yield None. Raises StoreError, InvalidSetting."""
    if not settings.team.on:
        if settings.team.issuer:
            raise InvalidSetting("team.issuer is set, and team.on is not.", "Set team.on = true.")
        yield None
        return
    with _opened(settings) as team:
        yield team


@contextmanager
def _opened(settings: Settings) -> Iterator[SqliteTeam]:
    from reverie.faces.http.team import SqliteTeam, team_path

    if not settings.team.on:
        raise InvalidInput("There is no team here.", "Set team.on = true, for this command and for `reverie serve`.")
    if settings.store == ":memory:":
        raise InvalidInput("A store in memory has no team.", "Name a store on disk.")
    team = SqliteTeam(team_path(Path(settings.store)))
    try:
        yield team
    finally:
        team.close()


def add_token(settings: Settings, principal: Principal, days: int | None) -> str:
    """Make a token in the team's table, and return it. Raises InvalidInput, Conflict, NotFound."""
    from reverie.engine.runtime import SystemClock
    from reverie.faces.http.team import TeamToken, make_token

    now = SystemClock().now()
    expires = None if days is None else now + timedelta(days=days)
    with _opened(settings) as team:
        return make_token(team, TeamToken(principal.name, principal, "", now, expires))


def list_tokens(settings: Settings) -> list[tuple[TeamToken, dict[str, object]]]:
    """Return the tokens of the team's table, each with what a list shows of it beside name, rights and scope."""
    with optional_team(settings) as team:
        return [] if team is None else [(one, _shape(one)) for one in team.tokens()]


def _shape(token: TeamToken) -> dict[str, object]:
    return {
        "name": token.name,
        "tenant": token.principal.binding.tenant,
        "created_at": token.created_at.isoformat(),
        "expires_at": None if token.expires_at is None else token.expires_at.isoformat(),
        "used_at": None if token.used_at is None else token.used_at.isoformat(),
        "per_minute": token.principal.per_minute,
    }


def remove_token(settings: Settings, tenant: str, name: str) -> None:
    """Revoke a token of the team's table. Raises NotFound."""
    with _opened(settings) as team:
        team.drop_token(tenant, name)


@click.group("tenant", short_help="Manage the tenants of a team's service.")
def tenant_command() -> None:
    """Add, list and remove tenants: each has the scopes whose agent is its name, or begins with its name and a dot.

    Needs team.on. A running server sees a change at once.
    """


@tenant_command.command("add", cls=Command)
@click.argument("name")
@click.option("--memories", type=click.IntRange(0), default=0, metavar="N", help="Most memories; 0: no limit.")
@click.option("--bytes", type=click.IntRange(0), default=0, metavar="N", help="Most bytes of its memories' texts.")
@click.option("--scopes", type=click.IntRange(0), default=0, metavar="N", help="Most scopes.")
@click.option("--requests", type=click.IntRange(0), default=0, metavar="N", help="Most requests a day (UTC).")
@pass_invocation
def add_command(invocation: Invocation, /, name: str, **limits: int) -> None:
    """Add the tenant NAME, or set its quota anew: what is not named has no limit."""
    from reverie.faces.http.team import Quota, Tenant

    with _opened(invocation.settings()) as team:
        team.put_tenant(Tenant(name, Quota(**limits)))
    if invocation.screen.as_json:
        invocation.screen.json({"tenant": name, **limits})
    else:
        invocation.screen.line(f"tenant {name}: the agents {name} and {name}.*")


@tenant_command.command("list", cls=Command)
@pass_invocation
def list_command(invocation: Invocation) -> None:
    """List the tenants and their quotas."""
    with _opened(invocation.settings()) as team:
        found = team.tenants()
    rows = [(one.name, {what: getattr(one.quota, what) for what in LIMITS}) for one in found]
    if invocation.screen.as_json:
        invocation.screen.json({"tenants": [{"tenant": name, **limits} for name, limits in rows]})
    elif not rows:
        invocation.screen.line("there is no tenant")
    else:
        columns = [Column("tenant", style="bold"), *(Column(what) for what in LIMITS)]
        invocation.screen.table(columns, [(name, *(str(n or "-") for n in limits.values())) for name, limits in rows])


@tenant_command.command("remove", cls=Command)
@click.argument("name")
@pass_invocation
def remove_command(invocation: Invocation, name: str) -> None:
    """Remove the tenant NAME and its tokens; its memories stay, and nobody but the store's owner reaches them."""
    with _opened(invocation.settings()) as team:
        team.drop_tenant(name)
    if invocation.screen.as_json:
        invocation.screen.json({"removed": name})
    else:
        invocation.screen.line(f"tenant {name} removed")


@click.command("requests", cls=Command, short_help="Show who asked a team's service for what.")
@click.option("--tenant", metavar="NAME", help="Only of this tenant.")
@click.option("--since", type=TIME, metavar="TIME", help="From then on.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Most, the newest.")
@pass_invocation
def requests_command(invocation: Invocation, tenant: str | None, since: datetime | None, limit: int) -> None:
    """Show the requests to a team's service, oldest first: who, when, what, in which scope, and the answer's status.

    No text of a memory is in it. Needs team.on; kept for team.audit_days.
    """
    with _opened(invocation.settings()) as team:
        found = team.entries(tenant, since, limit)
    if invocation.screen.as_json:
        shown = [
            {
                "at": one.at.astimezone(UTC).isoformat(),
                "tenant": one.tenant,
                "who": one.who,
                "action": one.action,
                "scope": one.scope,
                "request_id": one.request_id,
                "status": one.status,
            }
            for one in found
        ]
        invocation.screen.json({"requests": shown})
        return
    if not found:
        invocation.screen.line("nobody has asked yet")
        return
    columns = [Column("at (UTC)", style="green"), Column("who", style="cyan"), Column("action"), Column("scope")]
    rows = [
        (one.at.isoformat()[:19], one.who or "-", one.action, one.scope or "-", str(one.status), one.request_id)
        for one in found
    ]
    invocation.screen.table([*columns, Column("status"), Column("request")], rows)
