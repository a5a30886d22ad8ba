"""OpenClaw's own table as a store: in, the folder of a LanceDB database; out, a store that forms memories there."""

from reverie.stores.lance.reception import Reception
from reverie.stores.lance.store import LanceStore

__all__ = ["LanceStore", "Reception"]
