"""OpenClaw's own table as a store: in, the folder of a LanceDB database; out, a store that forms memories there."""

from reverie.stores.lance.store import LanceStore
from reverie.stores.lance.sync_state import Reception

__all__ = ["LanceStore", "Reception"]
