"""What one run may spend on a language model, counted before anything is sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msce_graph.errors import BudgetSpent


@dataclass(frozen=True, slots=True)
class Spent:
    """Requests sent and tokens spent so far."""

    calls: int = 0
    tokens: int = 0


Charge = Callable[[int, int], Spent]
"""Adds calls and tokens, which may be negative, to what a run has spent, for good, and returns the sums."""


class Budget:
    """A hard limit of requests and tokens.

    A request is charged before it is sent, with the most that it can cost, so that a process which dies in between has
    paid for it; when the answer is there, what it did not cost is given back. `charge` keeps the sums: where they
    outlive the process, restarts are covered, and where others add to them, those are too.
    """

    def __init__(self, calls: int, tokens: int, charge: Charge | None = None) -> None:
        self._calls, self._tokens = calls, tokens
        self._own = Spent()
        self._charge = charge or self._add

    def reserve(self, tokens: int) -> None:
        """Charge one request that costs at most so many tokens; raise BudgetSpent where that is beyond the limit."""
        spent = self._charge(1, tokens)
        if spent.calls > self._calls or spent.tokens > self._tokens:
            self._charge(-1, -tokens)
            raise BudgetSpent(self._calls, self._tokens)

    def settle(self, reserved: int, tokens: int) -> None:
        """Put what a request did cost in place of what was reserved for it."""
        self._charge(0, tokens - reserved)

    def _add(self, calls: int, tokens: int) -> Spent:
        self._own = Spent(self._own.calls + calls, self._own.tokens + tokens)
        return self._own
