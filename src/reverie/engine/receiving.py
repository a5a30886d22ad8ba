"""What the engine lends a store whose rows others write too: in, its parts; out, how a foreign row becomes a memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from reverie.answers import Fault
from reverie.durable import is_there
from reverie.engine.places import LANCE
from reverie.errors import ModelError
from reverie.ops.entry import OpsEntry
from reverie.ops.log import OpsLog
from reverie.ports import Clock, Embedder, Ids
from reverie.screen.settings import ScreenSettings

if TYPE_CHECKING:
    from reverie.stores.lance import Reception

_TABLE = "memories.lance"


@runtime_checkable
class Adviser(Protocol):
    """A store that knows more than whether it is sound."""

    def advice(self) -> list[Fault]:
        """What is not wrong and yet worth knowing."""


@runtime_checkable
class Receiver(Adviser, Protocol):
    """A store that receives rows from elsewhere."""

    def embed_with(self, embedder: Embedder) -> None:
        """Embed new rows as they come."""


def lance_folder(path: str | Path) -> Path | None:
    """The folder of OpenClaw's table, if that is what a path names; None: any other store.

    A folder that holds the table needs no ``lance:`` before it.

    Raises:
        StoreError: the system does not let us look.
    """
    name = str(path)
    if name.startswith(LANCE):
        return Path(name.removeprefix(LANCE)).expanduser()
    table = Path(name) / _TABLE
    return Path(name) if is_there(table) and table.is_dir() else None


def reception(
    embedder: Embedder | None, clock: Clock, ids: Ids, screen: ScreenSettings | None, log: OpsLog | None = None
) -> Reception:
    """Foreign rows go through the screen, are indexed and embedded, as if they had just been said."""
    from reverie.encode.index import index
    from reverie.stores.lance import Reception

    def screened(text: str) -> tuple[str, str]:
        from reverie.screen.screening import screen as look

        if screen is None:
            return text, ""
        found = look(text, screen)
        return found.text, found.quarantine or ""

    def unembedded(error: ModelError) -> None:
        if log is not None:
            log.write(OpsEntry("embed", input="rows of the table", output=error.message, success=False))

    return Reception(index, screened, clock, ids, embedder, unembedded)
