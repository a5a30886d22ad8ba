"""Serving agents over MCP: ``mcp``."""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import ReverieError
from reverie.faces.cli.command import Command
from reverie.faces.cli.invocation import Invocation, pass_invocation

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from reverie.config import Settings
    from reverie.engine.core import Reverie
    from reverie.faces.mcp.http import Address
    from reverie.types import Scope


@click.command("mcp", cls=Command, short_help="Serve the memory to agents over MCP.")
@click.option("--http", is_flag=True, help="Serve over HTTP, not over the standard streams; the setting mcp.token.")
@click.option("--host", metavar="NAME", help="The address to listen on; the setting mcp.host.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="The port, 0 for a free one; mcp.port.")
@pass_invocation
def mcp_command(invocation: Invocation, http: bool, host: str | None, port: int | None) -> None:
    """Serve this scope's memory to an agent over the Model Context Protocol.

    Agents start this command themselves and speak to it over its standard streams; it ends when they do. With --http
    it serves every client that knows the token, at /mcp.
    """
    if not http and (host is not None or port is not None):
        raise click.UsageError("--host and --port are for --http.")
    from reverie.wire.trusting import require_trust

    scope, settings = invocation.scope(), invocation.settings()
    require_trust(invocation.loaded())
    _require_library()
    address = _address(settings, host, port) if http else None
    _end_in_order()
    from reverie.engine.factories import open_embedder
    from reverie.wire.logs import open_log
    from reverie.wire.opening import Warming, open_engine, open_reranker, unready_reranker

    log, reranker = open_log(settings), unready_reranker(settings)
    with open_engine(settings, None, log, mind=True, reranker=reranker) as memory:
        server = _server(memory, scope, settings)
        models = lambda: open_embedder(settings.embedder, settings.api_key), lambda: open_reranker(settings)
        with Warming(memory, *models):
            _serve(server, address)


def _require_library() -> None:
    try:
        import_module("mcp.server.lowlevel")
    except ImportError:
        raise ReverieError(
            "The library that speaks MCP is not installed.", 'Install it: pip install "reverie[mcp]".'
        ) from None


def _server(memory: Reverie, scope: Scope, settings: Settings) -> Server[Any]:
    from reverie.engine.runtime import RandomIds, SystemClock
    from reverie.faces.mcp.fencing import Fencing
    from reverie.faces.mcp.server import build_server
    from reverie.faces.mcp.service import Means, Service

    fencing = Fencing(RandomIds().salt().hex())
    limits = (settings.top_k or None, settings.budget_tokens or None)
    return build_server(Service(Means(memory, scope, SystemClock(), fencing, *limits)))


def _address(settings: Settings, host: str | None, port: int | None) -> Address:
    """Where to listen. Raises InvalidSetting where there is no token."""
    from reverie.faces.mcp.http import Address

    own = settings.mcp
    names = tuple(name.strip() for name in own.names.split(",") if name.strip())
    address = Address(host or own.host, own.port if port is None else port, own.token, names)
    address.require_token()
    return address


def _serve(server: Server[Any], address: Address | None) -> None:
    if address is None:
        from reverie.faces.mcp.stdio import serve_stdio

        serve_stdio(server)
        return
    from reverie.faces.mcp.http import serve_http

    serve_http(server, address, lambda url: click.echo(f"MCP at {url}", err=True))


def _end_in_order() -> None:
    """A polite request to end closes the store, as the end of the input does."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
