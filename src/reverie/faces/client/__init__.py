"""A client of the HTTP interface with the engine's own signatures: ``Client``, and ``AsyncClient`` for asyncio."""

from __future__ import annotations

from reverie.faces.client.clients import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
