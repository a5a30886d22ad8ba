"""A store over OpenClaw's own table: the folder of a LanceDB database becomes a store that keeps its memories there."""

from reverie.stores.lance.store import LanceStore
from reverie.stores.lance.sync_state import Reception

__all__ = ["LanceStore", "Reception"]
