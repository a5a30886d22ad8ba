"""Run the HTTP server until it is told to stop, then shut it down in order."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, cast

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from reverie.config import Settings
from reverie.engine.core import Reverie
from reverie.errors import InvalidSetting
from reverie.faces.http.app import application
from reverie.faces.http.guard import is_own_host
from reverie.faces.http.parts import Serving, time_of_day
from reverie.faces.http.tokens import Keyring
from reverie.wire.connections import Connections

if TYPE_CHECKING:
    from reverie.faces.http.team import Team

PATIENCE_S = 30
"""Seconds that running requests get to finish when the server stops."""
KEEP_ALIVE_S = 30
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Server(uvicorn.Server):
    """Uvicorn's server, which at shutdown first ends the streams of live changes, since they would never end."""

    def __init__(self, serving: Serving, told: Callable[[str], None]) -> None:
        serve = serving.settings.serve
        super().__init__(
            uvicorn.Config(
                application(serving),
                host=serve.host,
                port=serve.port,
                access_log=False,
                log_config=None,
                server_header=False,
                timeout_keep_alive=KEEP_ALIVE_S,
                timeout_graceful_shutdown=PATIENCE_S,
                ws="none",
                http=cast("type[asyncio.Protocol]", Connections().protocol(AutoHTTPProtocol)),
            )
        )
        self._serving = serving
        self._told = told

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and report each address. Raises InvalidSetting."""
        serve = self._serving.settings.serve
        try:
            await super().startup(sockets)
        except SystemExit:  # uvicorn's way to say that it cannot listen
            raise InvalidSetting(
                f"It cannot listen at {serve.host}, port {serve.port}: the port is taken, or the address is not ours.",
                "Choose another with --port or --host; --port 0 takes any free one.",
            ) from None
        for server in self.servers:
            for one in server.sockets:
                host, port = one.getsockname()[:2]
                self._told(f"http://{f'[{host}]' if ':' in host else host}:{port}")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, and let running requests finish."""
        self._serving.live.end()
        await super().shutdown(sockets)


def serve(
    engine: Reverie, settings: Settings, keyring: Keyring, told: Callable[[str], None], team: Team | None = None
) -> None:
    """Serve until SIGTERM or Ctrl-C; ``told`` is called with each address. Engine and ``team`` are left open.

    Raises:
        InvalidSetting: others could reach the address and there is no token; or a setting is invalid.
    """
    time_of_day(settings.serve.dream_at)
    serving = Serving(engine, settings, keyring, is_local=is_own_host(settings.serve.host))
    if team is not None:
        from reverie.faces.http.admission import opened

        serving.admission = opened(team, settings.team, engine, serving.now_s)
    has_team = team is not None and (settings.team.issuer or team.tokens())
    if not serving.is_local and keyring.is_empty and not has_team:
        raise InvalidSetting(
            f"Others can reach {settings.serve.host}, and there is no token.",
            "Make one with `reverie serve token add NAME`, or listen on 127.0.0.1.",
        )
    with _calm_end():
        Server(serving, told).run()


@contextmanager
def _calm_end() -> Iterator[None]:
    """Ignore the signal that uvicorn raises again after it has shut down."""

    def nothing(number: int, frame: FrameType | None) -> None:
        """Do nothing: the server has already shut down."""

    before = {number: signal.signal(number, nothing) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
