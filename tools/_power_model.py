"""How speed falls with a power limit: part of the work waits for clocks, and clocks follow the power left over.

`scripts/calibrate.py` fits the two factors on public measurements with this same function.
"""

from __future__ import annotations

# Exponent of the smooth maximum between what power does not touch and what it does.
EXPONENT = 4.0


def relative_speed(share: float, bound: float, idle: float) -> float:
    """Return the speed at a limit, up to a constant.

    Args:
        share: Limit over board power. [1]
        bound: Time of the power-bound part at full power over the time of the rest. [1]
        idle: Share of the board power that does no work (memory, fans, leakage). [1]
    """
    left = max((share - idle) / (1 - idle), 1e-3)
    return (1 + (bound / left) ** EXPONENT) ** (-1 / EXPONENT)
