"""The value of each step, filled back from the outcome."""

from __future__ import annotations

from collections.abc import Sequence


def values(reward: float | None, alphas: Sequence[float], gamma: float) -> tuple[float | None, ...]:
    """Return each step's value in [-1, 1]: `V_T = R`, `V_t = alpha_t R + (1 - alpha_t) gamma V_{t+1}` (MSCE, D3.6).

    `alphas` holds the reflection weight of each step, in [0, 1], in order. Without a reward all values are null.
    """
    if reward is None:
        return (None,) * len(alphas)
    if not -1 <= reward <= 1:
        raise ValueError(f"a reward of {reward} is not in [-1, 1]")
    if not 0 <= gamma <= 1:
        raise ValueError(f"a discount of {gamma} is not in [0, 1]")
    backwards: list[float] = []
    for alpha in reversed(alphas):
        if not 0 <= alpha <= 1:
            raise ValueError(f"a reflection weight of {alpha} is not in [0, 1]")
        following = alpha * reward + (1 - alpha) * gamma * backwards[-1] if backwards else reward
        backwards.append(max(-1.0, min(1.0, following)))  # round-off must not leave the range
    return tuple(reversed(backwards))
