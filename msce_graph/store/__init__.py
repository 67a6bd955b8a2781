"""Records moved into one property graph and out of it, over Bolt."""

from msce_graph.store.connection import Store, Transaction, open_store
from msce_graph.store.migrations import State, migrate, state

__all__ = ["State", "Store", "Transaction", "migrate", "open_store", "state"]
