"""Run the HTTP server until a signal stops it, then shut it down in order."""

from __future__ import annotations

import asyncio
import logging
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
    from starlette.types import ASGIApp

    from reverie.faces.http.proxy import Proxy
    from reverie.faces.http.team import Team

PATIENCE_S = 30
"""Seconds that running requests get to finish when the server stops."""
ANSWER_PATIENCE_S = 5.0
"""Seconds that a model's running answers get to finish when a proxy stops; none at a second signal."""
_LOOK_S = 0.1
KEEP_ALIVE_S = 30
_SIGNALS = (signal.SIGTERM, signal.SIGINT)

logger = logging.getLogger("reverie.serve")


class Server(uvicorn.Server):
    """Uvicorn's server, which reports its addresses, and at shutdown first ends what would never end by itself."""

    def __init__(
        self,
        app: ASGIApp,
        where: tuple[str, int],
        told: Callable[[str], None],
        ending: Callable[[], None],
        patience_s: float = 0.0,
    ) -> None:
        """Serve ``app`` at ``where`` (host, port).

        ``ending`` is called when it is to stop: if requests run, ``patience_s`` later or at a second signal.
        """
        super().__init__(
            uvicorn.Config(
                app,
                host=where[0],
                port=where[1],
                access_log=False,
                log_config=None,
                server_header=False,
                timeout_keep_alive=KEEP_ALIVE_S,
                timeout_graceful_shutdown=PATIENCE_S,
                ws="none",
                http=cast("type[asyncio.Protocol]", Connections().protocol(AutoHTTPProtocol)),
            )
        )
        self._where = where
        self._told = told
        self._ending = ending
        self._patience_s = patience_s
        self._signals = 0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; with patience, a second signal ends what runs in order, and only a third one breaks it off."""
        self._signals += 1
        if not (self._patience_s and self._signals == 2):
            super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and report each address. Raises InvalidSetting."""
        try:
            await super().startup(sockets)
        except SystemExit:  # uvicorn's way to say that it cannot listen
            host, port = self._where
            raise InvalidSetting(
                f"It cannot listen at {host}, port {port}: the port is taken, or the address is not ours.",
                "Choose another with --port or --host; --port 0 takes any free one.",
            ) from None
        for server in self.servers:
            for one in server.sockets:
                host, port = one.getsockname()[:2]
                self._told(f"http://{f'[{host}]' if ':' in host else host}:{port}")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, and let running requests finish."""
        ending = asyncio.create_task(self._end())
        await super().shutdown(sockets)
        ending.cancel()

    async def _end(self) -> None:
        """End what would never end by itself, once patience is over."""
        if self._patience_s and (running := len(self.server_state.tasks)):
            told = "waiting up to %.0f s for %d running requests; stop again to end them now"
            logger.warning(told, self._patience_s, running)
        end = asyncio.get_running_loop().time() + self._patience_s
        while asyncio.get_running_loop().time() < end and self._signals < 2:
            await asyncio.sleep(_LOOK_S)
        self._ending()


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
        api_server(serving, told).run()


def api_server(serving: Serving, told: Callable[[str], None]) -> Server:
    """Return the server of the HTTP interface; ``told`` is called with each address."""
    serve = serving.settings.serve
    return Server(application(serving), (serve.host, serve.port), told, serving.live.end)


def serve_proxy(proxy: Proxy, told: Callable[[str], None]) -> None:
    """Serve a proxy until SIGTERM or Ctrl-C; ``told`` is called with each address. The engine is left open.

    Raises:
        InvalidSetting: others could reach the address and there is no token; or the model's address is no URL.
    """
    from reverie.faces.http.proxy import application as proxy_application

    settings = proxy.settings
    if not settings.upstream.startswith(("http://", "https://")):
        raise InvalidSetting(
            f"The model's address is {settings.upstream!r}.",
            "Name it with --upstream, as in --upstream https://api.openai.com/v1.",
        )
    if not is_own_host(settings.host) and (proxy.is_open or proxy.keyring.is_empty):
        raise InvalidSetting(
            f"Others can reach {settings.host}, and no token is asked for.",
            "Make one with `reverie serve token add NAME`, or listen on 127.0.0.1.",
        )
    app, where = proxy_application(proxy), (settings.host, settings.port)
    with _calm_end():
        Server(app, where, told, proxy.running.end, ANSWER_PATIENCE_S).run()


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
