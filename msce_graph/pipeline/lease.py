"""One evolve a namespace: a lease on the Store node, taken by a write and checked at each commit."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from msce_graph.errors import LeaseHeld, StoreError
from msce_graph.store import Store, Transaction

LASTS = timedelta(minutes=2)
"""How long a lease outlives the last commit of a holder that cannot be asked whether it lives."""

_OWN: set[str] = set()
"""The holders within this process."""


@contextmanager
def held(store: Store) -> Iterator[str]:
    """Hold the lease, and give it back at the end; take over at once what a dead process of this machine held."""
    holder = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"  # two threads are two holders
    _OWN.add(holder)
    try:
        _take(store, holder)
        yield holder
    except StoreError:  # there is nothing to give back, or no store that could be told
        raise
    except BaseException:
        _released(store, holder)
        raise
    else:
        _released(store, holder)
    finally:
        _OWN.discard(holder)


def renew(tx: Transaction, holder: str, now: datetime) -> None:
    """Lengthen the lease in the transaction that it guards; raise LeaseHeld where another has taken it."""
    if not tx.run("lease/renew", holder=holder, until=now + LASTS):
        raise LeaseHeld(f"another process has taken over the learning in namespace {tx.namespace}")


def _take(store: Store, holder: str) -> None:
    if _taken(store, holder):
        return
    other = _holder(store)
    if other is None or _is_alive(other) or not _released(store, other) or not _taken(store, holder):
        raise LeaseHeld(f"{other or 'another process'} is learning in namespace {store.namespace}: wait for it")


def _taken(store: Store, holder: str) -> bool:
    now = store.now()
    return bool(store.write(lambda tx: tx.run("lease/take", holder=holder, now=now, until=now + LASTS)))


def _released(store: Store, holder: str) -> bool:
    [row] = store.write(lambda tx: tx.run("lease/release", holder=holder))
    return bool(row["released"])


def _holder(store: Store) -> str | None:
    rows = store.read(lambda tx: tx.run("lease/held"))
    return rows[0]["holder"] if rows else None


def _is_alive(holder: str) -> bool:
    """Whether the holder may still run: one on another machine always may, until its lease has run out."""
    host, process, *_ = holder.split(":")
    if host != socket.gethostname():
        return True
    if int(process) == os.getpid():
        return holder in _OWN  # a container that starts again has the host and process of the one that was killed
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
