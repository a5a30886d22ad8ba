"""Commands that govern a scope: ``audit policy`` and ``audit retention``, with what lies below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reverie.faces.cli.invocation import Command, CommandGroup, Invocation, pass_invocation
from reverie.faces.cli.screen import Column

if TYPE_CHECKING:
    from collections.abc import Callable

    from reverie.engine.governance import Policy
    from reverie.engine.retention import Retention

KINDS = (
    *("episode", "fact", "preference", "instruction", "decision", "correction"),
    *("plan", "entity", "summary", "pattern", "skill", "intention"),
)
"""The values of ``reverie.types.Kind``, repeated so that help does not load numpy; a test holds them equal."""
PERMISSIONS = ("read", "write", "forget", "govern")
"""The values of ``reverie.engine.governance.Permission``, repeated for the same reason."""
ME = "me"

_KIND = click.option(
    "--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only memories of this kind; repeat."
)
_TAG = click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only memories with this tag; repeat.")


@click.group(
    "policy",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="List, set and drop the scope's policies.",
    lazy={
        "allow": "governing.allow_command",
        "deny": "governing.deny_command",
        "drop": "governing.drop_policy_command",
    },
)
@pass_invocation
def policy_command(invocation: Invocation) -> None:
    """List who may read, write, forget and govern in the scope; without policies, everybody who can open the store.

    From the first policy on, what none allows is denied, and a denial wins over a permission. Policies go by the name
    of the caller as `reverie audit log` and `reverie memory history` show it: here cli:LOGIN, over HTTP the token's.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.admin.policies(scope)
    if invocation.screen.as_json:
        invocation.screen.json({"scope": scope, "policies": [_policy(one) for one in found]})
        return
    invocation.screen.line(f"scope: {scope} · {len(found) or 'no'} policies{'' if found else ': it is open'}")
    if found:
        columns = [Column("name"), Column("principal", style="cyan"), Column("may"), Column("of", wraps=True)]
        invocation.screen.table(columns, [(p.name, p.principal, _said(p), _of(p.kinds, p.tags)) for p in found])


def _policy(policy: Policy) -> dict[str, object]:
    """Return a policy in the form that ``--json`` shows."""
    return {
        "name": policy.name,
        "principal": policy.principal,
        "permissions": [str(one) for one in policy.permissions],
        "kinds": [str(kind) for kind in policy.kinds],
        "tags": list(policy.tags),
        "allows": policy.allows,
    }


def _said(policy: Policy) -> str:
    return f"{'may' if policy.allows else 'may not'} {', '.join(map(str, policy.permissions))}"


def _of(*limits: tuple[str, ...]) -> str:
    """Return what a rule is limited to, for people."""
    return ", ".join(str(one) for limit in limits for one in limit) or "every memory"


def _of_whom(command: Callable[..., None]) -> Callable[..., None]:
    """Add the arguments and options of a policy, which allowing and denying share."""
    command = _KIND(_TAG(pass_invocation(command)))
    command = click.option("--name", help="What the policy is called; by default the caller and what it is about.")(
        command
    )
    permissions = click.argument("permissions", nargs=-1, required=True, type=click.Choice(PERMISSIONS))
    return click.argument("principal")(permissions(command))


@click.command("allow", cls=Command, short_help="Allow a caller something.")
@_of_whom
def allow_command(invocation: Invocation, **given: Any) -> None:
    """Allow PRINCIPAL ("me": who calls this command; "*": everybody) to read, write, forget or govern in the scope.

    The first policy must let somebody govern: `reverie audit policy allow me read write forget govern`.
    """
    _set(invocation, lambda: _made(**given, allows=True))


@click.command("deny", cls=Command, short_help="Deny a caller something.")
@_of_whom
def deny_command(invocation: Invocation, **given: Any) -> None:
    """Deny PRINCIPAL ("*": everybody) to read, write, forget or govern in the scope, whatever another policy says."""
    _set(invocation, lambda: _made(**given, allows=False))


def _made(
    principal: str,
    permissions: tuple[str, ...],
    name: str | None,
    kinds: tuple[str, ...],
    tags: tuple[str, ...],
    *,
    allows: bool,
) -> Policy:
    """Return the policy that the options describe."""
    from reverie.engine.governance import Permission, Policy
    from reverie.engine.requests import actor
    from reverie.types import Kind, Scope

    who = actor(Scope(ME, ME, ME)) if principal == ME else principal
    called = name or " ".join([who, "" if allows else "not", *permissions, *kinds, *tags]).replace("  ", " ")
    return Policy(called, who, tuple(map(Permission, permissions)), tuple(map(Kind, kinds)), tags, allows)


def _set(invocation: Invocation, make: Callable[[], Policy]) -> None:
    """Make a policy once the store is open, which says who "me" is, and set it."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        policy = make()
        memory.admin.set_policy(policy, scope)
    if invocation.screen.as_json:
        invocation.screen.json({"scope": scope, "policy": _policy(policy)})
    else:
        limit = _of(policy.kinds, policy.tags)
        invocation.screen.line(f"policy {policy.name!r}: {policy.principal} {_said(policy)}, of {limit}")
        invocation.screen.line(f"scope: {scope}")


@click.command("drop", cls=Command, short_help="Drop a policy.")
@click.argument("name")
@pass_invocation
def drop_policy_command(invocation: Invocation, name: str) -> None:
    """Drop the policy NAME. Without its last policy, the scope is open again."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        memory.admin.drop_policy(name, scope)
    _dropped(invocation, "policy", name)


def _dropped(invocation: Invocation, what: str, name: str) -> None:
    if invocation.screen.as_json:
        invocation.screen.json({"scope": invocation.scope(), "dropped": name})
    else:
        invocation.screen.line(f"dropped {what} {name!r}")
        invocation.screen.line(f"scope: {invocation.scope()}")


@click.group(
    "retention",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="Erase memories of some kinds by age.",
    lazy={"set": "governing.set_retention_command", "drop": "governing.drop_retention_command"},
)
@pass_invocation
def retention_command(invocation: Invocation) -> None:
    """List the rules by which the scope's dreams erase what is old enough.

    `reverie dream --dry-run` counts what is due.
    """
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        found = memory.admin.retentions(scope)
    if invocation.screen.as_json:
        invocation.screen.json({"scope": scope, "rules": [_rule(one) for one in found]})
        return
    invocation.screen.line(f"scope: {scope} · {len(found) or 'no'} retention rules")
    for one in found:
        invocation.screen.line(f"{one.name}: {_of(one.kinds, one.tags, one.entities)}, after {one.days:g} days")


def _rule(rule: Retention) -> dict[str, object]:
    """Return a retention rule in the form that ``--json`` shows."""
    return {
        "name": rule.name,
        "days": rule.days,
        "kinds": [str(kind) for kind in rule.kinds],
        "tags": list(rule.tags),
        "entities": list(rule.entities),
    }


@click.command("set", cls=Command, short_help="Set a retention rule.")
@click.argument("name")
@click.option("--days", type=click.FloatRange(0, min_open=True), required=True, help="Age from which they are erased.")
@_KIND
@_TAG
@click.option(
    "--entity", "entities", multiple=True, metavar="SORT", help="That name an entity of it, as place; repeat."
)
@pass_invocation
def set_retention_command(
    invocation: Invocation,
    name: str,
    days: float,
    kinds: tuple[str, ...],
    tags: tuple[str, ...],
    entities: tuple[str, ...],
) -> None:
    """Erase from now on, at the end of each dream, what the rule NAME names and is older than so many days.

    Erased for good: the memories, the messages they were said in, and all that was formed from these. A memory has to
    meet each of --kind, --tag and --entity that is given. Pinned memories stay.
    """
    from reverie.engine.retention import Retention
    from reverie.types import Kind

    rule, scope = Retention(name, days, tuple(map(Kind, kinds)), tags, entities), invocation.scope()
    with invocation.open(model=False) as memory:
        memory.admin.set_retention(rule, scope)
    if invocation.screen.as_json:
        invocation.screen.json({"scope": scope, "rule": _rule(rule)})
    else:
        invocation.screen.line(f"retention {name!r}: {_of(rule.kinds, rule.tags, rule.entities)}, after {days:g} days")
        invocation.screen.line(f"scope: {scope}")


@click.command("drop", cls=Command, short_help="Drop a retention rule.")
@click.argument("name")
@pass_invocation
def drop_retention_command(invocation: Invocation, name: str) -> None:
    """Drop the retention rule NAME. What it erased does not come back."""
    scope = invocation.scope()
    with invocation.open(model=False) as memory:
        memory.admin.drop_retention(name, scope)
    _dropped(invocation, "retention rule", name)
