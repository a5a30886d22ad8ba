"""The commands for databases: ``store migrate`` lays one out, ``store rebalance`` spreads scopes over several."""

from __future__ import annotations

from contextlib import ExitStack

import click

from reverie.errors import InvalidInput
from reverie.faces.cli.invocation import Command, Invocation, pass_invocation


@click.command("migrate", cls=Command, short_help="Lay out a database, or bring it up to date.")
@click.argument("address")
@click.option("--tenant", "tenants", multiple=True, metavar="NAME", help="Add a tenant; may be given several times.")
@click.option("--login", metavar="ROLE", help="Give this login to the one tenant alone; made if need be.")
@pass_invocation
def migrate_command(invocation: Invocation, address: str, tenants: tuple[str, ...], login: str | None) -> None:
    """Bring the schema in the PostgreSQL database at ADDRESS up to date, as its owner, and add tenants.

    It makes the role reverie_app if there is none: users of it may read and write memories, and change nothing else.
    They may name any tenant. A tenant's own login (--tenant NAME --login ROLE) reaches no other, whatever it runs; give
    it again after each upgrade.
    """
    from reverie.engine.logs import is_address, place_of

    if not is_address(address):
        raise InvalidInput(f"{address!r} is no address of a database.", "Give postgresql://HOST/DATABASE.")
    if login is not None and len(tenants) != 1:
        raise InvalidInput(f"--login {login} is for one tenant.", "Name it: --tenant NAME --login ROLE.")
    from reverie.stores.postgres.schema import admit, migrate

    with ExitStack() as logs:
        lines = [logs.enter_context(invocation.logged("migrate", f"{address}#{name}")) for name in tenants or ("",)]
        version = migrate(address, tenants)
        if login is not None:
            admit(address, tenants[0], login)
        for line in lines:
            line.did(f"schema {version}", 1)
    place = place_of(address).partition("#")[0]
    screen = invocation.screen
    if screen.as_json:
        screen.json({"database": place, "version": version, "tenants": list(tenants)})
    else:
        screen.line(f"{place} has schema {version}" + "".join(f", tenant {name}" for name in tenants))


@click.command("rebalance", cls=Command, short_help="Move scopes to where a changed list of databases puts them.")
@click.argument("databases", type=click.Path(dir_okay=False))
@click.option("--tenant", default="", metavar="NAME", help="Whose memories; by default each address names its tenant.")
@pass_invocation
def rebalance_command(invocation: Invocation, databases: str, tenant: str) -> None:
    """Move the scopes of a store over several databases to where its list DATABASES (a TOML file) puts them.

    Run it once after a database was added to the list, or given another weight; 0 empties one. Others may read and
    write meanwhile; a run that broke off is gone on with. Vectors of the model in force move along.
    """
    from reverie.engine.factories import rebalance

    model = invocation.embedder()
    with invocation.logged("rebalance", databases) as line:
        moved = rebalance(databases, tenant, () if model is None else (model.info,)).scopes
        line.did("", len(moved))
    screen = invocation.screen
    if screen.as_json:
        screen.json({"moved": [{"scope": str(scope), "from": old, "to": new} for scope, old, new in moved]})
    else:
        screen.line(f"{len(moved)} scopes moved")
