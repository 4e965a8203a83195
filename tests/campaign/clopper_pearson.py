"""The bounds of a share, by Clopper and Pearson."""

import math

ALPHA = 0.05


def share_of_at_most(hits, trials, chance):
    """The chance of so many hits or fewer."""
    return sum(math.comb(trials, k) * chance**k * (1 - chance)**(trials - k) for k in range(hits + 1))


def bounds(hits, trials):
    """Clopper and Pearson, by bisection: the shares at which so many hits become unlikely."""
    def solve(is_above):
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (low, middle) if is_above(middle) else (middle, high)
        return (low + high) / 2
    low = 0.0 if hits == 0 else solve(lambda p: 1 - share_of_at_most(hits - 1, trials, p) > ALPHA / 2)
    high = 1.0 if hits == trials else solve(lambda p: share_of_at_most(hits, trials, p) < ALPHA / 2)
    return low, high
